//! A fixed worker ID: its time is reserved in a state file, which this process has locked.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use snowmint_engine::{Code, Timestamp};

pub use self::directory::change_state_layout;
use self::directory::{check_layout, state_file};
use super::reservation::Reservation;
use crate::clock;
use crate::error::{Error, Result};
use crate::host::Platform;
use crate::host::files::Files;
use crate::host::identity::FileId;
use crate::host::mark::{MarkFile, Missing, replaced};
use crate::host::restore::Image;
use crate::scheduler::Scheduler;
use crate::store_handle::StoreState;

mod directory;

/// A mark further ahead of the clock than this, beside the reservation, is not waited for.
const MAX_MARK_WAIT_MS: i64 = 5_000;
/// Whoever lost its state file may have run ahead of the clock by this, whatever the policy is now:
/// so far goes [`ClockPolicy::SNOWMINT`](snowmint_engine::ClockPolicy::SNOWMINT).
const MIN_LEAD_MS: u32 = 1_000;
/// Clocks read in different ways, by the run before and this one, may differ by this.
const READING_MS: u32 = 20;
/// A run that goes on although its file is gone finds that out at the end of its horizon, which
/// reaches as far ahead of the clock.
const HORIZON_MS: u32 = clock::HORIZON_MS as u32;
/// What a new file reserves at least beyond its beginning.
const LEAD_RESERVE_MS: u32 = 1_000;
/// How far ahead of the clock the mark of a new file lies, beside a tick, and what the policy may
/// borrow above a second.
pub(crate) const FIRST_MARK_MS: u32 = MIN_LEAD_MS + HORIZON_MS + READING_MS + LEAD_RESERVE_MS;

/// What a fixed worker ID is opened with.
pub(crate) struct MarkTerms {
    /// The realm: the layout's canonical text.
    pub(crate) realm: String,
    /// The worker ID.
    pub(crate) worker_id: u32,
    /// How much time each write reserves.
    pub(crate) reserve_ms: u32,
    /// A tick of the layout.
    pub(crate) tick_ms: u32,
    /// How far an ID's time may run ahead of the clock.
    pub(crate) max_ahead_ms: u32,
    /// Whether a state file that is not there, or was never used, is an error.
    pub(crate) require_state: bool,
}

/// A fixed worker ID, its time reserved in a file that this process has locked.
///
/// # A missing file
///
/// It is the worker ID's first start, or the file was lost: a container without a volume, a
/// directory cleared. What an earlier run has issued is not known then, but it is bounded: no ID is
/// further ahead of the clock of its time than `max_ahead_ms`. So a new file begins that far ahead
/// of the present clock, and a horizon and a tick more. The generator borrows up to there, or waits
/// where its policy does not borrow.
///
/// An earlier run may even go on: it gets no further horizon once the name leads elsewhere, and what
/// it had lies below. But all that rests on two things nobody can look up: that the clock has not
/// gone back since, and that this run's `max_ahead_ms`, or a second, is at least the earlier one's.
/// Who cannot rest on them keeps the file, and has `require_state` refuse to start without it.
pub(crate) struct FixedWorkerId {
    terms: MarkTerms,
    path: PathBuf,
    files: Arc<dyn Files>,
    image: Image,
    mark: Mutex<Mark>,
    /// Of the file held. The mark itself is locked while it is written.
    id: Mutex<FileId>,
    state: StoreState,
}

enum Mark {
    Held(MarkFile),
    /// A write failed: what the file holds is in doubt, until it is opened anew. Below this it was
    /// reserved for certain.
    InDoubt(i64),
    /// Somebody else may have the worker ID.
    Lost(Error),
    Released,
}

impl FixedWorkerId {
    /// Locks the worker ID's state file in a directory of its layout.
    pub(crate) fn open(
        files: Arc<dyn Files>,
        directory: &Path,
        terms: MarkTerms,
    ) -> Result<FixedWorkerId> {
        let image = Image::present();
        let path = state_file(directory, terms.worker_id)?;
        let missing = if terms.require_state { Missing::Refuse } else { Missing::Make };
        // First: a state file of another layout would bar the worker ID.
        match check_layout(&*files, directory, &terms.realm, Missing::Refuse) {
            Err(error) if error.code() != Code::StateMissing || terms.require_state => {
                return Err(error);
            }
            _ => {}
        }
        let file = MarkFile::open(&*files, &path, &terms.realm, terms.worker_id, missing)?;
        // Once the worker ID is locked: the layout may have been changed before, and a directory that
        // lost its own gets it from no source that another state file refuses.
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

    /// Whether the state file still has its name: if not, another generator may have the worker ID
    /// by now. Waits for no write. What the system cannot tell is the next renewal's to judge.
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
            return Err(self.mark_ahead(floor_ms, now_ms));
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

    /// Reserves, in the file that has the name. After a failure the file is given up here, and with
    /// it the lock, which another process may then have: it must be opened anew, or is lost if its
    /// name leads elsewhere.
    fn reserve(&self, mark: &mut Mark, reserved_ms: i64) -> Result<()> {
        let file = mark.held()?;
        let before_ms = file.reserved_ms().unwrap_or(i64::MIN);
        // The name after the change: the later, the less time is left for it to lead elsewhere.
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

    /// Unlocks the state file as it is, so that it can be opened anew in a restored image. A child's
    /// copy is left alone: a thread of the parent may hold its lock.
    pub(super) fn forget(&self) {
        if !self.image.is_of_this_process() {
            return;
        }
        *self.mark.lock().unwrap_or_else(PoisonError::into_inner) = Mark::Released;
    }

    /// Opens the file anew after a write that failed, `reserved_ms` being what it held for certain.
    fn reopen(&self, reserved_ms: i64) -> Result<Mark> {
        let MarkTerms { realm, worker_id, .. } = &self.terms;
        match MarkFile::open(&*self.files, &self.path, realm, *worker_id, Missing::Refuse) {
            Ok(file) if file.reserved_ms().unwrap_or(i64::MIN) >= reserved_ms => {
                *self.id.lock().unwrap_or_else(PoisonError::into_inner) = file.id();
                Ok(Mark::Held(file))
            }
            Err(error) if error.code() != Code::StateMissing => Err(error),
            // Gone, or an older copy of it.
            _ => Ok(Mark::Lost(replaced(&self.path, *worker_id))),
        }
    }

    /// How far ahead of the clock a new file begins: above all that an earlier run, whose file was
    /// lost, can have issued.
    fn lead_ms(&self) -> i64 {
        let MarkTerms { tick_ms, max_ahead_ms, .. } = self.terms;
        let ahead_ms = max_ahead_ms.max(MIN_LEAD_MS).saturating_add(HORIZON_MS + READING_MS);
        // Up to the end of the tick in which that lies.
        i64::from(ahead_ms).saturating_add(tick_ms.into())
    }

    /// The mark, if this is the process that locked it. A child's copy of the mutex may be held
    /// for ever by a thread of the parent: the image is looked at first.
    fn locked(&self) -> Result<MutexGuard<'_, Mark>> {
        self.check_image()?;
        Ok(self.mark.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether this is the process that locked it. Takes no lock.
    pub(super) fn check_image(&self) -> Result<()> {
        if self.image.is_present() {
            return Ok(());
        }
        let message = format!(
            "worker ID {} is its parent's: a forked child, or a restored image, needs a worker ID of \
             its own; open a generator after the fork or the restore, or lease worker IDs from a store",
            self.terms.worker_id
        );
        Err(Error::new(Code::Forked, message))
    }

    fn mark_ahead(&self, floor_ms: i64, now_ms: i64) -> Error {
        let message = format!(
            "the clock reads {}, and worker ID {} has reserved its time up to {} (in {}): set the \
             clock right, wait, or use another worker ID",
            Timestamp(now_ms),
            self.terms.worker_id,
            Timestamp(floor_ms),
            self.path.display()
        );
        Error::new(Code::MarkAhead, message)
    }
}

impl Mark {
    fn held(&mut self) -> Result<&mut MarkFile> {
        match self {
            Mark::Held(file) => Ok(file),
            Mark::InDoubt(_) => {
                let message = "the state file could not be written; it is being opened anew";
                Err(Error::new(Code::LeaseLost, message))
            }
            Mark::Lost(error) => Err(error.clone()),
            Mark::Released => Err(snowmint_engine::Error::Closed.into()),
        }
    }
}
