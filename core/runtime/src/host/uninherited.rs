//! Files that a forked child does not keep.
//!
//! A lock by `flock` is of what was opened, which a child has as well: it would keep the lock of a
//! parent that was killed, for as long as it lives. So a child closes these files before it does
//! anything else, and a fork waits while one is being opened. A child that was made by a raw `clone`
//! keeps them.

use std::fs::File;
use std::io;
use std::mem::ManuallyDrop;

use self::list::{Entry, Opening};
use super::process::{ForkGuard, Generation};

/// A file of this process alone.
pub(crate) struct Uninherited {
    file: ManuallyDrop<File>,
    entry: Entry,
    guard: ForkGuard,
    opened_in: Generation,
}

impl Uninherited {
    /// Opens a file, and lets no fork come between that and its entry in the list.
    pub(crate) fn open(open: impl FnOnce() -> io::Result<File>) -> io::Result<Uninherited> {
        let _opening = Opening::begin();
        open().map(Uninherited::new)
    }

    /// Where no thread forks meanwhile.
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
    use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};
    use std::thread::sleep;
    use std::time::Duration;

    const NONE: RawFd = -1;

    /// The numbers of the files; of more than fit here a child keeps the rest. No lock, which could be
    /// held at a fork.
    static NUMBERS: [AtomicI32; 1024] = [const { AtomicI32::new(NONE) }; 1024];
    /// Whether forks know of them.
    static REGISTERED: AtomicBool = AtomicBool::new(false);
    /// How many threads are opening one, and how many are forking.
    static OPENING: AtomicU32 = AtomicU32::new(0);
    pub(super) static FORKING: AtomicU32 = AtomicU32::new(0);

    const LOOK_AGAIN: Duration = Duration::from_micros(100);
    /// Nobody waits for the other longer than a second or two, even if a disk hangs.
    const LOOKS_MAX: u32 = 10_000;

    /// While there is one, forks wait.
    pub(super) struct Opening;

    impl Opening {
        pub(super) fn begin() -> Opening {
            register();
            for _ in 0..LOOKS_MAX {
                OPENING.fetch_add(1, Ordering::SeqCst);
                if FORKING.load(Ordering::SeqCst) == 0 {
                    return Opening;
                }
                OPENING.fetch_sub(1, Ordering::SeqCst);
                sleep(LOOK_AGAIN);
            }
            OPENING.fetch_add(1, Ordering::SeqCst);
            Opening
        }
    }

    impl Drop for Opening {
        fn drop(&mut self) {
            OPENING.fetch_sub(1, Ordering::SeqCst);
        }
    }

    fn register() {
        if REGISTERED.load(Ordering::Acquire) {
            return;
        }
        #[expect(unsafe_code, reason = "fork handlers can only be registered through libc")]
        // SAFETY: the handlers are static functions that look at lock-free atomics, sleep, and close
        // what those name, all of which is async-signal-safe. Should it fail, for want of memory, a child
        // keeps the files. Registered twice, by two threads, they do the same twice.
        unsafe {
            libc::pthread_atfork(Some(prepare), Some(parent), Some(child));
        }
        // Not before: a child that is forked meanwhile would take it for done.
        REGISTERED.store(true, Ordering::Release);
    }

    extern "C" fn prepare() {
        FORKING.fetch_add(1, Ordering::SeqCst);
        for _ in 0..LOOKS_MAX {
            if OPENING.load(Ordering::SeqCst) == 0 {
                break;
            }
            sleep(LOOK_AGAIN);
        }
    }

    extern "C" fn parent() {
        // Of a fork that began before it was registered there was no beginning here.
        let ended = |forking: u32| forking.checked_sub(1);
        let _ = FORKING.fetch_update(Ordering::SeqCst, Ordering::SeqCst, ended);
    }

    extern "C" fn child() {
        // Of threads that are the parent's alone.
        OPENING.store(0, Ordering::SeqCst);
        FORKING.store(0, Ordering::SeqCst);
        close_all();
    }

    /// A file's place in the list, if there was one.
    pub(super) struct Entry(Option<&'static AtomicI32>);

    impl Entry {
        pub(super) fn of(file: &File) -> Entry {
            register();
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

    fn close_all() {
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
    pub(super) struct Opening;

    impl Opening {
        pub(super) fn begin() -> Opening {
            Opening
        }
    }

    pub(super) struct Entry;

    impl Entry {
        pub(super) fn of(_: &File) -> Entry {
            Entry
        }

        pub(super) fn clear(&self) {}
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::fd::AsRawFd as _;
    use std::sync::atomic::Ordering;
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[expect(unsafe_code, reason = "a fork is what is tested")]
    #[test]
    fn a_fork_waits_for_a_file_that_is_being_opened() {
        let (tell, told) = mpsc::channel();
        let opening = thread::spawn(move || {
            Uninherited::open(|| {
                let file = tempfile::tempfile()?;
                tell.send(file.as_raw_fd()).unwrap();
                // Until the fork has begun.
                for _ in 0..10_000 {
                    if list::FORKING.load(Ordering::SeqCst) > 0 {
                        break;
                    }
                    thread::sleep(Duration::from_millis(1));
                }
                Ok(file)
            })
        });
        let number = told.recv().unwrap();
        // SAFETY: the child looks at a number and ends.
        let child = unsafe { libc::fork() };
        if child == 0 {
            // SAFETY: asks about a number, whatever that is.
            let is_open = unsafe { libc::fcntl(number, libc::F_GETFD) } != -1;
            // SAFETY: nothing of the parent's is run or dropped.
            unsafe { libc::_exit(i32::from(is_open)) };
        }
        let mut status = 0;
        // SAFETY: the place of the status is this function's own.
        assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
        assert_eq!(status, 0, "the child has the file");
        opening.join().unwrap().unwrap();
    }
}
