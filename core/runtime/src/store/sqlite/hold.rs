//! Keeps calls of snowmint's apart where SQLite's own locks may be gone.
//!
//! SQLite locks by `fcntl`, and the system takes all such locks of a process on a file away whenever
//! anything in it closes that file: a backup, a checksum, another copy of SQLite. On Linux a lock by
//! `flock` belongs to what was opened for it, which nobody else closes.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::sync::Arc;

use super::fault::Fault;
use crate::host::uninherited::Uninherited;

/// The file, opened to be locked. It is closed where nobody is at it: that takes the locks of other
/// threads' connections away, too.
pub(super) struct Lock {
    file: Option<Uninherited>,
}

/// The right to use the file, until dropped.
pub(super) struct Hold(Arc<Lock>);

impl Lock {
    /// None of what is not there, or cannot be read: whoever opens it finds out.
    pub(super) fn open(path: &Path) -> Option<Arc<Lock>> {
        open(path).map(|file| Arc::new(Lock { file: Some(Uninherited::new(file)) }))
    }

    /// Takes the file, if no other call of snowmint's has it: of any process. On a file system that
    /// has no such locks SQLite's are all there is.
    ///
    /// # Errors
    /// [`Fault::Held`] if another has.
    pub(super) fn take(self: &Arc<Lock>) -> Result<Hold, Fault> {
        match self.file().map(File::try_lock) {
            Ok(Err(TryLockError::WouldBlock)) => Err(Fault::Held),
            _ => Ok(Hold(Arc::clone(self))),
        }
    }

    fn file(&self) -> io::Result<&File> {
        self.file.as_ref().ok_or(io::ErrorKind::NotFound)?.file()
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        let _ = self.0.file().and_then(File::unlock);
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let is_in_use =
            matches!(self.file().map(File::try_lock), Ok(Err(TryLockError::WouldBlock)));
        if is_in_use {
            std::mem::forget(self.file.take());
        }
    }
}

#[cfg(target_os = "linux")]
fn open(path: &Path) -> Option<File> {
    use std::os::unix::fs::OpenOptionsExt as _;

    use rustix::fs::OFlags;

    // Without waiting for the other end of a pipe.
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    OpenOptions::new().read(true).custom_flags(flags).open(path).ok()
}

/// There the two kinds of locks are one, or no process loses any.
#[cfg(not(target_os = "linux"))]
fn open(_: &Path) -> Option<File> {
    None
}
