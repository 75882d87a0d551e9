//! A fixed worker ID, whose time is reserved in a state file that this process has locked.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use snowmint_engine::Code;

pub use self::directory::change_state_layout;
use self::directory::{check_layout, state_file};
use super::reservation::Reservation;
use crate::clock;
use crate::error::{Error, Result};
use crate::errors;
use crate::host::Platform;
use crate::host::files::Files;
use crate::host::identity::FileId;
use crate::host::mark::{MarkFile, Missing};
use crate::host::restore::Image;
use crate::scheduler::Scheduler;
use crate::store_handle::StoreState;

mod directory;

/// The largest lead of a mark over the clock, in addition to the reservation, that is waited for.
const MAX_MARK_WAIT_MS: i64 = 5_000;
/// An earlier run whose state file is lost may have been ahead of the clock by this, whatever the
/// policy is now: [`ClockPolicy::SNOWMINT`](snowmint_engine::ClockPolicy::SNOWMINT) allows that
/// much.
const MIN_LEAD_MS: u32 = 1_000;
/// The largest difference between clocks read in different ways, by an earlier run and this one.
const READING_MS: u32 = 20;
/// A run whose file is gone notices it at the end of its horizon, which lies this far ahead of the
/// clock.
const HORIZON_MS: u32 = clock::HORIZON_MS as u32;
/// The least time that a new file reserves beyond its beginning.
const LEAD_RESERVE_MS: u32 = 1_000;
/// The lead of a new file's mark over the clock, without a tick and without the time that the
/// policy may borrow above a second.
pub(crate) const FIRST_MARK_MS: u32 = MIN_LEAD_MS + HORIZON_MS + READING_MS + LEAD_RESERVE_MS;

pub(crate) struct MarkTerms {
    /// The realm: the layout's canonical text.
    pub(crate) realm: String,
    pub(crate) worker_id: u32,
    /// The milliseconds that each write reserves.
    pub(crate) reserve_ms: u32,
    /// The length of the layout's tick, in milliseconds.
    pub(crate) tick_ms: u32,
    /// The largest lead of an ID's time over the clock, in milliseconds.
    pub(crate) max_ahead_ms: u32,
    /// True if a state file that is missing or was never used is an error.
    pub(crate) require_state: bool,
}

/// A fixed worker ID, whose time is reserved in a file that this process has locked.
///
/// # A missing file
///
/// Either this is the worker ID's first start, or the file was lost: for example a container
/// without a volume, or a cleared directory. The IDs of an earlier run are unknown then, but
/// bounded: no ID was further ahead of the clock of its time than `max_ahead_ms`. So a new file
/// begins that far ahead of the present clock, and a horizon and a tick more. The generator borrows
/// up to there, or waits if its policy does not borrow.
///
/// An earlier run may even still go on: it gets no further horizon once the name leads elsewhere,
/// and its last horizon lies below. But all of this depends on two facts that cannot be checked:
/// the clock has not gone back since, and this run's `max_ahead_ms`, or a second, is at least the
/// earlier one's. If you cannot depend on them, keep the file and set `require_state`.
pub(crate) struct FixedWorkerId {
    terms: MarkTerms,
    path: PathBuf,
    files: Arc<dyn Files>,
    image: Image,
    mark: Mutex<Mark>,
    /// The identity of the held file, apart from the mark, which is locked while it is written.
    id: Mutex<FileId>,
    state: StoreState,
}

enum Mark {
    Held(MarkFile),
    /// A write failed, so the content of the file is in doubt until it is opened again. Time below
    /// this was certainly reserved.
    InDoubt(i64),
    /// Another generator may have the worker ID.
    Lost(Error),
    Released,
}

impl FixedWorkerId {
    pub(crate) fn open(
        files: Arc<dyn Files>,
        directory: &Path,
        terms: MarkTerms,
    ) -> Result<FixedWorkerId> {
        let image = Image::present();
        let path = state_file(directory, terms.worker_id)?;
        let missing = if terms.require_state { Missing::Refuse } else { Missing::Make };
        // Before the mark file is opened, because a state file of another layout would block the
        // worker ID.
        match check_layout(&*files, directory, &terms.realm, Missing::Refuse) {
            Err(error) if error.code() != Code::StateMissing || terms.require_state => {
                return Err(error);
            }
            _ => {}
        }
        let file = MarkFile::open(&*files, &path, &terms.realm, terms.worker_id, missing)?;
        // Again once the worker ID is locked, because the layout may have been changed before. A
        // directory that lost its layout file gets a new one only now, from a source whose state
        // file was accepted.
        check_layout(&*files, directory, &terms.realm, missing)?;
        if terms.require_state {
            file.check_used()?;
        }
        let id = Mutex::new(file.id());
        let (mark, state) = (Mutex::new(Mark::Held(file)), StoreState::default());
        Ok(FixedWorkerId { terms, path, files, image, mark, id, state })
    }

    pub(super) fn scheduler(&self, host: &Platform) -> Arc<Scheduler> {
        self.state.scheduler(host)
    }

    pub(super) fn worker_id(&self) -> u32 {
        self.terms.worker_id
    }

    /// Returns false if the state file has lost its name, because another generator may then have
    /// the worker ID. It waits for no write. An error of the system counts as true; the next
    /// renewal judges it.
    pub(super) fn has_name(&self) -> bool {
        let held = || *self.id.lock().unwrap_or_else(PoisonError::into_inner);
        let other = |named: Option<FileId>| named != Some(held());
        !self.image.is_present() || !self.files.named(&self.path).is_ok_and(other)
    }

    pub(super) fn take(&self, now_ms: i64) -> Result<Reservation> {
        let reserve_ms = i64::from(self.terms.reserve_ms);
        let mut mark = self.locked()?;
        if let Mark::InDoubt(reserved_ms) = *mark {
            *mark = self.reopen(reserved_ms)?;
        }
        let file = mark.held()?;
        let lead_ms = self.lead_ms();
        let (floor_ms, least_ms) = match file.reserved_ms() {
            Some(reserved_ms) => (reserved_ms.max(now_ms), 0),
            None => (now_ms.saturating_add(lead_ms), LEAD_RESERVE_MS.into()),
        };
        let bound_ms = reserve_ms.max(lead_ms.saturating_add(LEAD_RESERVE_MS.into()));
        if floor_ms.saturating_sub(now_ms) > bound_ms.saturating_add(MAX_MARK_WAIT_MS) {
            let worker_id = self.worker_id();
            return Err(errors::workers::mark_ahead(now_ms, worker_id, floor_ms, &self.path));
        }
        let reserved_ms = now_ms.saturating_add(reserve_ms).max(floor_ms.saturating_add(least_ms));
        file.keep_below(floor_ms);
        self.reserve(&mut mark, reserved_ms)?;
        Ok(self.reservation(floor_ms, reserved_ms))
    }

    pub(super) fn extend(&self, now_ms: i64) -> Result<Reservation> {
        let mut mark = self.locked()?;
        let file = mark.held()?;
        let floor_ms = file.reserved_ms().unwrap_or(now_ms);
        let reserved_ms = now_ms.saturating_add(i64::from(self.terms.reserve_ms)).max(floor_ms);
        self.reserve(&mut mark, reserved_ms)?;
        Ok(self.reservation(floor_ms, reserved_ms))
    }

    /// Reserves in the file that has the name. After a failure the file and its lock are given up,
    /// and another process may then lock it. It must be opened again, or is lost if its name leads
    /// elsewhere.
    fn reserve(&self, mark: &mut Mark, reserved_ms: i64) -> Result<()> {
        let file = mark.held()?;
        let before_ms = file.reserved_ms().unwrap_or(i64::MIN);
        // The name is checked after the change, so that less time is left for it to lead elsewhere.
        let reserved = file.reserve(reserved_ms).and_then(|()| file.check_name(&*self.files));
        if let Err(error) = &reserved {
            *mark = match error.code() {
                Code::StateMissing => Mark::Lost(error.clone()),
                _ => Mark::InDoubt(before_ms),
            };
        }
        reserved
    }

    fn reservation(&self, floor_ms: i64, reserved_ms: i64) -> Reservation {
        let MarkTerms { worker_id, reserve_ms, .. } = self.terms;
        Reservation { worker_id, floor_ms, reserved_ms, reserve_ms, store_ms: None }
    }

    pub(super) fn give_up(&self, reached_ms: i64) -> Result<()> {
        match std::mem::replace(&mut *self.locked()?, Mark::Released) {
            Mark::Held(file) => file.release(reached_ms),
            Mark::InDoubt(_) | Mark::Lost(_) | Mark::Released => Ok(()),
        }
    }

    /// Unlocks the state file as it is, so that a restored image can open it again. In a forked
    /// child nothing is done, because a thread of the parent may hold the mutex.
    pub(super) fn forget(&self) {
        if !self.image.is_of_this_process() {
            return;
        }
        *self.mark.lock().unwrap_or_else(PoisonError::into_inner) = Mark::Released;
    }

    /// Opens the file again after a failed write. `reserved_ms` is the mark that it held for
    /// certain.
    fn reopen(&self, reserved_ms: i64) -> Result<Mark> {
        let MarkTerms { realm, worker_id, .. } = &self.terms;
        match MarkFile::open(&*self.files, &self.path, realm, *worker_id, Missing::Refuse) {
            Ok(file) if file.reserved_ms().unwrap_or(i64::MIN) >= reserved_ms => {
                *self.id.lock().unwrap_or_else(PoisonError::into_inner) = file.id();
                Ok(Mark::Held(file))
            }
            Err(error) if error.code() != Code::StateMissing => Err(error),
            // The file is gone, or is an older copy.
            _ => Ok(Mark::Lost(errors::host::state_file_replaced(&self.path, *worker_id))),
        }
    }

    /// The lead of a new file over the clock, which puts it above all that an earlier run with a
    /// lost file can have issued.
    fn lead_ms(&self) -> i64 {
        let MarkTerms { tick_ms, max_ahead_ms, .. } = self.terms;
        let ahead_ms = max_ahead_ms.max(MIN_LEAD_MS).saturating_add(HORIZON_MS + READING_MS);
        // This time may lie anywhere in a tick, so one tick more is needed.
        i64::from(ahead_ms).saturating_add(tick_ms.into())
    }

    /// Returns the mark in the process that locked the file. The image is checked first, because a
    /// thread of the parent may hold a child's copy of the mutex for ever.
    fn locked(&self) -> Result<MutexGuard<'_, Mark>> {
        self.check_image()?;
        Ok(self.mark.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Checks that this is the image that locked the file. Takes no lock.
    pub(super) fn check_image(&self) -> Result<()> {
        if self.image.is_present() {
            return Ok(());
        }
        Err(errors::workers::worker_id_of_parent(self.terms.worker_id))
    }
}

impl Mark {
    fn held(&mut self) -> Result<&mut MarkFile> {
        match self {
            Mark::Held(file) => Ok(file),
            Mark::InDoubt(_) => Err(errors::workers::state_file_in_doubt()),
            Mark::Lost(error) => Err(error.clone()),
            Mark::Released => Err(snowmint_engine::Error::Closed.into()),
        }
    }
}
