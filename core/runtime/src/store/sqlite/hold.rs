//! Keeps calls apart by locks that nobody takes away.
//!
//! SQLite locks by `fcntl`, and the system takes all such locks of a process on a file away whenever
//! anything in it closes that file: a backup, a checksum, another copy of SQLite. Linux has locks that
//! belong to what was opened for them, which nobody else closes. A call holds those, of the bytes that
//! SQLite locks (<https://sqlite.org/lockingv3.html>), so that any program that uses SQLite waits for it
//! as for one of its own; its connection then locks nothing.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::fault::Fault;
use super::file::{READ_VERSION_AT, WRITE_AHEAD};
use crate::host::identity::FileId;
use crate::host::uninherited::Uninherited;

/// The file system of SQLite's that leaves all locking to its user.
pub(super) const WITHOUT_LOCKS: &str = "unix-none";

/// Those of this process, and in a child those that its parent had. Within the gate alone: no thread
/// has it at a fork.
static OPEN: Mutex<Vec<Weak<Lock>>> = Mutex::new(Vec::new());

/// A file, opened to be locked: once for all stores of this process that are in it, and until the last
/// of them is dropped, as to close it takes locks away that others in this process have.
pub(super) struct Lock {
    file: Uninherited,
    is_held: AtomicBool,
}

/// The right to use the file, until dropped.
pub(super) struct Hold(Arc<Lock>);

impl Lock {
    /// None of what is not there, or cannot be written, nor where the system has no such locks: there
    /// SQLite's own have to do.
    ///
    /// # Errors
    /// [`Fault::Unlockable`] where that may be otherwise in a moment.
    pub(super) fn of(path: &Path) -> Result<Option<Arc<Lock>>, Fault> {
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

    /// Which file it is of.
    pub(super) fn id(&self) -> FileId {
        self.file.id()
    }

    /// Whether nothing else in this process closed it.
    pub(super) fn is_open(&self) -> bool {
        self.file.file().is_ok()
    }

    /// Whether somebody's tool set the file to a write-ahead log, which connections without locks of
    /// their own cannot read. Seen without closing anything, which would end another copy's locks.
    pub(super) fn has_write_ahead_log(&self) -> bool {
        let version = self.file.file().and_then(|file| ranges::byte(file, READ_VERSION_AT));
        version.is_ok_and(|version| version == WRITE_AHEAD)
    }

    /// Takes the file, once nobody reads it, if no other call of snowmint's or program has it.
    ///
    /// # Errors
    /// [`Fault::Held`] if another has.
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

/// Locks of ranges of bytes, of what was opened.
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

    /// From a byte on, and how many.
    type Bytes = (i64, i64);

    /// Whoever has this one keeps new readers away.
    const PENDING: Bytes = (0x4000_0000, 1);
    /// Of whoever prepares a change.
    const RESERVED: Bytes = (0x4000_0001, 1);
    /// Of readers.
    const SHARED: Bytes = (0x4000_0002, 510);
    const ALL: Bytes = (0x4000_0000, 512);

    pub(super) fn open(path: &Path) -> io::Result<Uninherited> {
        // Without waiting for the other end of a pipe.
        let flags = OFlags::NONBLOCK.bits().cast_signed();
        let file = OpenOptions::new().read(true).write(true).custom_flags(flags).open(path)?;
        // Within the gate no thread forks.
        let file = Uninherited::new(file)?;
        ask(file.file()?, F_OFD_GETLK, F_WRLCK, PENDING)?;
        Ok(file)
    }

    /// Whether the system lacks something that it may have in a moment.
    pub(super) fn is_passing(error: &io::Error) -> bool {
        let lacks = [libc::EMFILE, libc::ENFILE, libc::ENOMEM, libc::ENOLCK, libc::EINTR];
        error.raw_os_error().is_some_and(|code| lacks.contains(&code))
    }

    pub(super) fn byte(file: &File, at: u64) -> io::Result<u8> {
        let mut byte = [0];
        file.read_exact_at(&mut byte, at)?;
        Ok(byte[0])
    }

    /// Whether they were taken. In SQLite's order: who has the first is the only one to ask for the
    /// others, and a change that is prepared comes to its end.
    pub(super) fn take(file: &File) -> io::Result<bool> {
        if !try_take(file, RESERVED)? {
            return Ok(false);
        }
        for _ in 0..TRIES {
            // Until readers that are there have ended.
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
