//! Files that a forked child does not keep.
//!
//! A lock by `flock` is of what was opened, which a child has as well: it would keep the lock of a
//! parent that was killed, for as long as it lives. So a child closes these files before it does
//! anything else. One that was made by a raw `clone` keeps them, and so does one that is made in the
//! moment between the opening of such a file and its entry in the list.

use std::fs::File;
use std::io;
use std::mem::ManuallyDrop;

use self::list::Entry;
use super::process::{ForkGuard, Generation};

/// A file of this process alone.
pub(crate) struct Uninherited {
    file: ManuallyDrop<File>,
    entry: Entry,
    guard: ForkGuard,
    opened_in: Generation,
}

impl Uninherited {
    pub(crate) fn new(file: File) -> Uninherited {
        let entry = Entry::of(&file);
        let guard = ForkGuard::new();
        Uninherited { file: ManuallyDrop::new(file), entry, guard, opened_in: guard.generation() }
    }

    /// The file, in the process that opened it.
    ///
    /// # Errors
    /// In a forked child, where its number may be that of another file by now.
    pub(crate) fn file(&self) -> io::Result<&File> {
        if self.guard.is(self.opened_in) {
            return Ok(&self.file);
        }
        Err(io::Error::other("it is open in the process that this one was forked from"))
    }
}

impl Drop for Uninherited {
    fn drop(&mut self) {
        if !self.guard.is(self.opened_in) {
            return;
        }
        // First: a child must not close a number that has become another file's.
        self.entry.clear();
        #[expect(unsafe_code, reason = "a child, which closed it, must not do so again")]
        // SAFETY: dropped once, and not used afterwards.
        unsafe {
            ManuallyDrop::drop(&mut self.file);
        }
    }
}

#[cfg(unix)]
mod list {
    use std::fs::File;
    use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd, RawFd};
    use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

    const NONE: RawFd = -1;

    /// The numbers of the files; of more than fit here a child keeps the rest. No lock, which could be
    /// held at a fork.
    static NUMBERS: [AtomicI32; 1024] = [const { AtomicI32::new(NONE) }; 1024];
    /// Whether forks know of them.
    static REGISTERED: AtomicBool = AtomicBool::new(false);

    /// A file's place in the list, if there was one.
    pub(super) struct Entry(Option<&'static AtomicI32>);

    impl Entry {
        pub(super) fn of(file: &File) -> Entry {
            if !REGISTERED.load(Ordering::Acquire) {
                #[expect(unsafe_code, reason = "fork handlers can only be registered through libc")]
                // SAFETY: the handler is a static function that takes numbers from lock-free atomics
                // and closes them, all of which is async-signal-safe. Should it fail, for want of
                // memory, a child keeps the files. Registered twice, by two threads, it does the same
                // twice.
                unsafe {
                    libc::pthread_atfork(None, None, Some(close_all));
                }
                // Not before: a child that is forked meanwhile would take it for done.
                REGISTERED.store(true, Ordering::Release);
            }
            let number = file.as_raw_fd();
            let takes = |place: &&AtomicI32| {
                place.compare_exchange(NONE, number, Ordering::AcqRel, Ordering::Relaxed).is_ok()
            };
            Entry(NUMBERS.iter().find(takes))
        }

        pub(super) fn clear(&self) {
            if let Some(place) = self.0 {
                place.store(NONE, Ordering::Release);
            }
        }
    }

    extern "C" fn close_all() {
        for place in &NUMBERS {
            let number = place.swap(NONE, Ordering::AcqRel);
            if number != NONE {
                #[expect(unsafe_code, reason = "a number is all that a fork leaves of a file")]
                // SAFETY: open in the parent while it is in the list, so that it is the child's copy;
                // who has it in the child uses it no more, and does not close it.
                drop(unsafe { OwnedFd::from_raw_fd(number) });
            }
        }
    }
}

#[cfg(not(unix))]
mod list {
    use std::fs::File;

    /// Processes do not fork here.
    pub(super) struct Entry;

    impl Entry {
        pub(super) fn of(_: &File) -> Entry {
            Entry
        }

        pub(super) fn clear(&self) {}
    }
}
