//! A fixed worker ID: its time is reserved in a state file, which this process has locked.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use snowmint_engine::{Code, Timestamp};

use super::lessor::Tenure;
use super::mark::MarkFile;
use crate::error::{Error, Result};
use crate::host::files::Files;
use crate::host::restore::Image;

/// A mark further ahead of the clock than this, beside the slab, is not waited for.
const MAX_MARK_WAIT_MS: i64 = 5_000;

/// A fixed worker ID, its time reserved in a file that this process has locked.
pub(crate) struct MarkedWorker {
    worker_id: u32,
    realm: String,
    slab_ms: u32,
    path: PathBuf,
    files: Arc<dyn Files>,
    image: Image,
    mark: Mutex<Mark>,
}

enum Mark {
    Held(MarkFile),
    /// A write failed: what the file holds is in doubt, until it is opened anew.
    InDoubt,
    Released,
}

impl MarkedWorker {
    /// Locks the worker ID's state file.
    pub(crate) fn open(
        files: Arc<dyn Files>,
        path: PathBuf,
        realm: String,
        worker_id: u32,
        slab_ms: u32,
    ) -> Result<MarkedWorker> {
        let image = Image::present();
        let mark = Mutex::new(Mark::Held(MarkFile::open(&*files, &path, &realm, worker_id)?));
        Ok(MarkedWorker { worker_id, realm, slab_ms, path, files, image, mark })
    }

    pub(super) fn take(&self, now_ms: i64) -> Result<Tenure> {
        let slab_ms = i64::from(self.slab_ms);
        let mut mark = self.locked()?;
        if matches!(*mark, Mark::InDoubt) {
            let reopened = MarkFile::open(&*self.files, &self.path, &self.realm, self.worker_id);
            *mark = Mark::Held(reopened?);
        }
        let file = mark.held()?;
        let floor_ms = file.reserved_ms().unwrap_or(i64::MIN).max(now_ms);
        if floor_ms.saturating_sub(now_ms) > slab_ms.saturating_add(MAX_MARK_WAIT_MS) {
            return Err(self.mark_ahead(floor_ms, now_ms));
        }
        let reserved_ms = now_ms.saturating_add(slab_ms).max(floor_ms);
        mark.reserve(reserved_ms)?;
        Ok(self.tenure(floor_ms, reserved_ms))
    }

    pub(super) fn extend(&self, now_ms: i64) -> Result<Tenure> {
        let mut mark = self.locked()?;
        let file = mark.held()?;
        let floor_ms = file.reserved_ms().unwrap_or(now_ms);
        let reserved_ms = now_ms.saturating_add(i64::from(self.slab_ms)).max(floor_ms);
        mark.reserve(reserved_ms)?;
        Ok(self.tenure(floor_ms, reserved_ms))
    }

    fn tenure(&self, floor_ms: i64, reserved_ms: i64) -> Tenure {
        let (worker_id, slab_ms) = (self.worker_id, self.slab_ms);
        Tenure { worker_id, floor_ms, reserved_ms, slab_ms, store_ms: None }
    }

    pub(super) fn give_up(&self, reached_ms: i64) -> Result<()> {
        match std::mem::replace(&mut *self.locked()?, Mark::Released) {
            Mark::Held(file) => file.release(reached_ms),
            Mark::InDoubt | Mark::Released => Ok(()),
        }
    }

    /// Unlocks the state file as it is, so that it can be opened anew in a restored image.
    pub(super) fn forget(&self) {
        *self.mark.lock().unwrap_or_else(PoisonError::into_inner) = Mark::Released;
    }

    /// The mark, if this is the process that locked it. A child's copy of the mutex may be held
    /// for ever by a thread of the parent: the image is looked at first.
    fn locked(&self) -> Result<MutexGuard<'_, Mark>> {
        if !self.image.is_present() {
            let message = format!(
                "worker ID {} is its parent's: a forked child, or a restored image, needs a \
                 worker ID of its own; open a generator after the fork or the restore, or lease \
                 worker IDs from a store",
                self.worker_id
            );
            return Err(Error::new(Code::Forked, message));
        }
        Ok(self.mark.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn mark_ahead(&self, floor_ms: i64, now_ms: i64) -> Error {
        let message = format!(
            "the clock reads {}, and worker ID {} has reserved its time up to {} (in {}): set the \
             clock right, wait, or use another worker ID",
            Timestamp(now_ms),
            self.worker_id,
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
            Mark::InDoubt => {
                let message = "the state file could not be written; it is being opened anew";
                Err(Error::new(Code::LeaseLost, message))
            }
            Mark::Released => Err(snowmint_engine::Error::Closed.into()),
        }
    }

    /// Reserves. After a failure the file must be opened anew: it is given up here, and with it
    /// the lock, which another process may then have.
    fn reserve(&mut self, reserved_ms: i64) -> Result<()> {
        let reserved = self.held()?.reserve(reserved_ms);
        if reserved.is_err() {
            *self = Mark::InDoubt;
        }
        reserved
    }
}
