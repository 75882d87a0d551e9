//! Keeps calls of snowmint's apart where SQLite's own locks may be gone.
//!
//! SQLite locks by `fcntl`, and the system takes all such locks of a process on a file away whenever
//! anything in it closes that file: a backup, a checksum, another copy of SQLite. On Linux a lock by
//! `flock` belongs to what was opened for it, which nobody else closes.

use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::fault::Fault;
use crate::host::uninherited::Uninherited;

/// Those of this process, and in a child those that its parent had. Within the gate alone: no thread
/// has it at a fork.
static OPEN: Mutex<Vec<Weak<Lock>>> = Mutex::new(Vec::new());

/// A file, opened to be locked: once for all stores of this process that are in it, and until the last
/// of them is dropped, as to close it takes the locks of the others' connections away.
pub(super) struct Lock {
    file: Uninherited,
    id: (u64, u64),
    is_held: AtomicBool,
}

/// The right to use the file, until dropped.
pub(super) struct Hold(Arc<Lock>);

impl Lock {
    /// None of what is not there, or cannot be read: whoever opens it finds out.
    pub(super) fn of(path: &Path) -> Option<Arc<Lock>> {
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|lock| lock.strong_count() > 0);
        let id = std::fs::metadata(path).ok().and_then(|it| id_of(&it));
        let is_this = |lock: &Arc<Lock>| Some(lock.id) == id && lock.file.file().is_ok();
        if let Some(lock) = open.iter().filter_map(Weak::upgrade).find(is_this) {
            return Some(lock);
        }
        let file = open_file(path)?;
        let id = id_of(&file.metadata().ok()?)?;
        let lock = Lock { file: Uninherited::new(file), id, is_held: AtomicBool::new(false) };
        let lock = Arc::new(lock);
        open.push(Arc::downgrade(&lock));
        Some(lock)
    }

    /// Takes the file, if no other call of snowmint's has it: of any process. On a file system that
    /// has no such locks it is kept from this process's alone.
    ///
    /// # Errors
    /// [`Fault::Held`] if another has.
    pub(super) fn take(self: &Arc<Lock>) -> Result<Hold, Fault> {
        if self.is_held.swap(true, Ordering::Acquire) {
            return Err(Fault::Held);
        }
        if let Ok(Err(TryLockError::WouldBlock)) = self.file.file().map(File::try_lock) {
            self.is_held.store(false, Ordering::Release);
            return Err(Fault::Held);
        }
        Ok(Hold(Arc::clone(self)))
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        let _ = self.0.file.file().and_then(File::unlock);
        self.0.is_held.store(false, Ordering::Release);
    }
}

#[cfg(target_os = "linux")]
fn open_file(path: &Path) -> Option<File> {
    use std::os::unix::fs::OpenOptionsExt as _;

    use rustix::fs::OFlags;

    // Without waiting for the other end of a pipe.
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    OpenOptions::new().read(true).custom_flags(flags).open(path).ok()
}

/// There the two kinds of locks are one, or no process loses any.
#[cfg(not(target_os = "linux"))]
fn open_file(_: &Path) -> Option<File> {
    None
}

#[cfg(unix)]
fn id_of(file: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;

    Some((file.dev(), file.ino()))
}

#[cfg(not(unix))]
fn id_of(_: &Metadata) -> Option<(u64, u64)> {
    None
}
