//! Keeps calls apart by file locks that other code in the process cannot release.
//!
//! SQLite locks with `fcntl`. The system releases all such locks of a process on a file as soon as
//! anything in the process closes that file: a backup, a checksum, another copy of SQLite. Linux
//! also has locks that belong to an open file description, which nothing else closes. A call takes
//! those, on the bytes that SQLite locks (<https://sqlite.org/lockingv3.html>), and its own
//! connection locks nothing. Any program that uses SQLite then waits for it as usual.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::fault::Fault;
use super::file::{READ_VERSION_AT, WRITE_AHEAD};
use crate::host::identity::FileId;
use crate::host::uninherited::Uninherited;

/// The VFS of SQLite that leaves all locking to its user.
pub(super) const WITHOUT_LOCKS: &str = "unix-none";

/// The locks of this process; in a forked child, those that its parent had. Used only within the
/// gate, so that no thread holds the mutex during a fork.
static OPEN: Mutex<Vec<Weak<Lock>>> = Mutex::new(Vec::new());

/// A file that is opened for locking. All stores of this process on that file share it until the
/// last one is dropped, because closing it releases locks that others in this process hold.
pub(super) struct Lock {
    file: Uninherited,
    is_held: AtomicBool,
}

/// The right to use the file until this is dropped.
pub(super) struct Hold(Arc<Lock>);

impl Lock {
    /// Opens the lock of a file. Returns `None` if the file is missing or cannot be written, or if
    /// the system has no such locks; SQLite's own locks are used then.
    ///
    /// # Errors
    /// [`Fault::Unlockable`] if a later attempt may succeed.
    pub(super) fn open(path: &Path) -> Result<Option<Arc<Lock>>, Fault> {
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|lock| lock.strong_count() > 0);
        let id = FileId::at(path).ok();
        let is_this = |lock: &Arc<Lock>| Some(lock.file.id()) == id && lock.is_open();
        if let Some(lock) = open.iter().filter_map(Weak::upgrade).find(is_this) {
            return Ok(Some(lock));
        }
        let file = match ranges::open(path) {
            Ok(file) => file,
            Err(error) if ranges::is_passing(&error) => return Err(Fault::Unlockable(error)),
            Err(_) => return Ok(None),
        };
        let lock = Arc::new(Lock { file, is_held: AtomicBool::new(false) });
        open.push(Arc::downgrade(&lock));
        Ok(Some(lock))
    }

    pub(super) fn id(&self) -> FileId {
        self.file.id()
    }

    /// Returns true unless other code in this process closed the descriptor.
    pub(super) fn is_open(&self) -> bool {
        self.file.file().is_ok()
    }

    /// Returns true if another program set the file to a write-ahead log, which connections without
    /// locks of their own cannot read. Reading a byte closes no file, so other locks stay.
    pub(super) fn has_write_ahead_log(&self) -> bool {
        let version = self.file.file().and_then(|file| ranges::byte(file, READ_VERSION_AT));
        version.is_ok_and(|version| version == WRITE_AHEAD)
    }

    /// Takes the file, after its readers have finished, unless another call or program holds it.
    ///
    /// # Errors
    /// [`Fault::Held`] if another call or program holds the file.
    pub(super) fn take(self: &Arc<Lock>) -> Result<Hold, Fault> {
        if self.is_held.swap(true, Ordering::Acquire) {
            return Err(Fault::Held);
        }
        let hold = Hold(Arc::clone(self));
        let file = self.file.file().map_err(Fault::Unlockable)?;
        if ranges::take(file).map_err(Fault::Unlockable)? { Ok(hold) } else { Err(Fault::Held) }
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        if let Ok(file) = self.0.file.file() {
            ranges::give_up(file);
        }
        self.0.is_held.store(false, Ordering::Release);
    }
}

/// Locks of byte ranges that belong to an open file description.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod ranges {
    use std::fs::{File, OpenOptions};
    use std::io;
    use std::os::fd::AsRawFd as _;
    use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
    use std::path::Path;
    use std::thread::sleep;
    use std::time::Duration;

    use libc::{F_OFD_GETLK, F_OFD_SETLK, F_UNLCK, F_WRLCK, c_int};
    use rustix::fs::OFlags;

    use super::super::file::TRIES;
    use crate::host::uninherited::Uninherited;

    /// An offset and a length, in bytes.
    type Bytes = (i64, i64);

    /// Keeps new readers away while it is locked.
    const PENDING: Bytes = (0x4000_0000, 1);
    /// Locked by a writer that prepares a change.
    const RESERVED: Bytes = (0x4000_0001, 1);
    /// Locked by readers.
    const SHARED: Bytes = (0x4000_0002, 510);
    const ALL: Bytes = (0x4000_0000, 512);

    pub(super) fn open(path: &Path) -> io::Result<Uninherited> {
        // Opening a pipe would otherwise wait for its other end.
        let flags = OFlags::NONBLOCK.bits().cast_signed();
        let file = OpenOptions::new().read(true).write(true).custom_flags(flags).open(path)?;
        // No thread forks while this one is within the gate.
        let file = Uninherited::new(file)?;
        ask(file.file()?, F_OFD_GETLK, F_WRLCK, PENDING)?;
        Ok(file)
    }

    /// Returns true if the system lacks a resource that it may have soon.
    pub(super) fn is_passing(error: &io::Error) -> bool {
        let lacks = [libc::EMFILE, libc::ENFILE, libc::ENOMEM, libc::ENOLCK, libc::EINTR];
        error.raw_os_error().is_some_and(|code| lacks.contains(&code))
    }

    pub(super) fn byte(file: &File, at: u64) -> io::Result<u8> {
        let mut byte = [0];
        file.read_exact_at(&mut byte, at)?;
        Ok(byte[0])
    }

    /// Returns true if the locks were taken. They are taken in SQLite's order: only the holder of
    /// the first asks for the others, so a change that another program prepares can finish.
    pub(super) fn take(file: &File) -> io::Result<bool> {
        if !try_take(file, RESERVED)? {
            return Ok(false);
        }
        for _ in 0..TRIES {
            // Repeated until the present readers have finished.
            if try_take(file, PENDING)? && try_take(file, SHARED)? {
                return Ok(true);
            }
            sleep(Duration::from_millis(1));
        }
        Ok(false)
    }

    pub(super) fn give_up(file: &File) {
        let _ = ask(file, F_OFD_SETLK, F_UNLCK, ALL);
    }

    fn try_take(file: &File, bytes: Bytes) -> io::Result<bool> {
        match ask(file, F_OFD_SETLK, F_WRLCK, bytes) {
            Ok(()) => Ok(true),
            Err(error) if matches!(error.raw_os_error(), Some(libc::EAGAIN | libc::EACCES)) => {
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    fn ask(file: &File, what: c_int, kind: c_int, (start, length): Bytes) -> io::Result<()> {
        let mut range = libc::flock {
            l_type: kind as i16,
            l_whence: libc::SEEK_SET as i16,
            l_start: start,
            l_len: length,
            l_pid: 0,
        };
        #[expect(unsafe_code, reason = "no library that is here already has these locks")]
        // SAFETY: the descriptor is open for as long as `file` is borrowed, and the structure is this
        // function's own.
        let done = unsafe { libc::fcntl(file.as_raw_fd(), what, &raw mut range) };
        if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }
}

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
mod ranges {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    use crate::host::uninherited::Uninherited;

    pub(super) fn open(_: &Path) -> io::Result<Uninherited> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn is_passing(_: &io::Error) -> bool {
        false
    }

    pub(super) fn byte(_: &File, _: u64) -> io::Result<u8> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn take(_: &File) -> io::Result<bool> {
        Ok(true)
    }

    pub(super) fn give_up(_: &File) {}
}
