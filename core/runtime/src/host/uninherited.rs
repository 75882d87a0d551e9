//! Files that a forked child does not keep, and that are used only while they are open.
//!
//! A daemon that closes all its descriptors closes these too, and their numbers then go to other
//! files. So each use first checks by device and inode that the descriptor still is the file that
//! was opened, and that no later file of ours has its number.
//!
//! An `flock` lock belongs to the open file description, which a child shares. The child would keep
//! the lock after its parent was killed. So a child first of all closes these files, and a fork
//! waits while one is being opened. Only a child made by a raw `clone` keeps them.

use std::fs::File;
use std::io;
use std::mem::ManuallyDrop;

use self::list::{Entry, Opening};
use super::identity::FileId;
use super::process::{ForkGuard, Generation};

/// A file that only this process has open.
pub(crate) struct Uninherited {
    file: ManuallyDrop<File>,
    id: FileId,
    entry: Entry,
    guard: ForkGuard,
    opened_in: Generation,
}

impl Uninherited {
    /// Opens a file, and delays forks until it is in the list.
    pub(crate) fn open(open: impl FnOnce() -> io::Result<File>) -> io::Result<Uninherited> {
        let _opening = Opening::begin();
        open().and_then(Uninherited::new)
    }

    /// Takes over an open file. No thread may fork meanwhile.
    pub(crate) fn new(file: File) -> io::Result<Uninherited> {
        let id = FileId::new(&file)?;
        let entry = Entry::enter(&file, id);
        let guard = ForkGuard::new();
        let opened_in = guard.generation();
        Ok(Uninherited { file: ManuallyDrop::new(file), id, entry, guard, opened_in })
    }

    /// Returns the file in the process that opened it.
    ///
    /// # Errors
    /// In a forked child, or if other code in this process closed the file, because its number may
    /// be that of another file by now.
    pub(crate) fn file(&self) -> io::Result<&File> {
        if !self.guard.is(self.opened_in) {
            let message = "it is open in the process that this one was forked from";
            return Err(io::Error::other(message));
        }
        if !self.entry.is_current() || !FileId::new(&self.file).is_ok_and(|id| id == self.id) {
            let message = "something else in this process closed its descriptor: close only \
                           descriptors that you opened, or close all before snowmint opens any";
            return Err(io::Error::other(message));
        }
        Ok(&self.file)
    }

    pub(crate) fn id(&self) -> FileId {
        self.id
    }
}

impl Drop for Uninherited {
    fn drop(&mut self) {
        let is_open = self.file().is_ok();
        // Before the file is closed, because a child must not close a number that is another file's
        // by then.
        self.entry.clear();
        if is_open {
            #[expect(unsafe_code, reason = "who closed it already must not do so again")]
            // SAFETY: dropped once, and not used afterwards.
            unsafe {
                ManuallyDrop::drop(&mut self.file);
            }
        }
    }
}

#[cfg(unix)]
mod list {
    use std::fs::File;
    use std::mem::ManuallyDrop;
    use std::os::fd::{AsRawFd as _, FromRawFd as _, RawFd};
    use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
    use std::thread::sleep;
    use std::time::Duration;

    use crate::host::identity::FileId;

    /// The word of a free slot.
    const NONE: u64 = 0;
    const TAKEN: u64 = 1 << 63;

    /// The open files. A child keeps the files that do not fit here. There is no lock, because a
    /// fork could leave it held.
    static SLOTS: [Slot; 1024] = [const { Slot::free() }; 1024];
    /// Distinguishes two files that had the same number.
    static OPENED: AtomicU32 = AtomicU32::new(0);
    /// True once the fork handlers are registered.
    static REGISTERED: AtomicBool = AtomicBool::new(false);
    /// The number of threads that are opening a file.
    static OPENING: AtomicU32 = AtomicU32::new(0);
    pub(super) static FORKING: AtomicU32 = AtomicU32::new(0);

    const LOOK_AGAIN: Duration = Duration::from_micros(100);
    /// Opening and forking wait for each other at most a second or two, even if a disk hangs.
    const LOOKS_MAX: u32 = 10_000;

    /// Forks wait while a value of this type exists.
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
        // SAFETY: the handlers are static functions that read lock-free atomics, sleep, and check
        // and close the descriptors named there, all of which is async-signal-safe. If registering
        // fails for want of memory, a child keeps the files. Registering twice only repeats their
        // work.
        unsafe {
            libc::pthread_atfork(Some(prepare), Some(parent), Some(child));
        }
        // Only now, because a child forked before registering would believe that it was done.
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
        // The count may be 0, if the handlers were registered after the fork began.
        let ended = |forking: u32| forking.checked_sub(1);
        let _ = FORKING.fetch_update(Ordering::SeqCst, Ordering::SeqCst, ended);
    }

    extern "C" fn child() {
        // These counts are of threads that exist only in the parent.
        OPENING.store(0, Ordering::SeqCst);
        FORKING.store(0, Ordering::SeqCst);
        close_all();
    }

    /// An open file, or a free slot.
    struct Slot {
        /// [`TAKEN`], the count of the opening (31 bits) and the file's number (32 bits).
        word: AtomicU64,
        device: AtomicU64,
        inode: AtomicU64,
    }

    impl Slot {
        const fn free() -> Slot {
            Slot { word: AtomicU64::new(NONE), device: AtomicU64::new(0), inode: AtomicU64::new(0) }
        }

        fn change(&self, from: u64, to: u64) -> bool {
            self.word.compare_exchange(from, to, Ordering::AcqRel, Ordering::Relaxed).is_ok()
        }
    }

    /// The slot of a file in the list; `None` if the list was full.
    pub(super) struct Entry {
        slot: Option<&'static Slot>,
        word: u64,
    }

    impl Entry {
        pub(super) fn enter(file: &File, id: FileId) -> Entry {
            register();
            let number = file.as_raw_fd();
            // Other code must have closed a file that had this number.
            for slot in &SLOTS {
                let word = slot.word.load(Ordering::Acquire);
                if word != NONE && number_of(word) == number {
                    slot.change(word, NONE);
                }
            }
            let opened = u64::from(OPENED.fetch_add(1, Ordering::Relaxed) & 0x7FFF_FFFF);
            let word = TAKEN | opened << 32 | u64::from(number.cast_unsigned());
            let slot = SLOTS.iter().find(|slot| slot.change(NONE, word));
            if let Some(slot) = slot {
                slot.device.store(id.device, Ordering::Release);
                slot.inode.store(id.inode, Ordering::Release);
            }
            Entry { slot, word }
        }

        /// Returns true if no later file of ours has the number.
        pub(super) fn is_current(&self) -> bool {
            self.slot.is_none_or(|slot| slot.word.load(Ordering::Acquire) == self.word)
        }

        pub(super) fn clear(&self) {
            if let Some(slot) = self.slot {
                slot.change(self.word, NONE);
            }
        }
    }

    fn number_of(word: u64) -> RawFd {
        (word as u32).cast_signed()
    }

    fn close_all() {
        for slot in &SLOTS {
            let word = slot.word.swap(NONE, Ordering::AcqRel);
            if word == NONE {
                continue;
            }
            let [device, inode] = [&slot.device, &slot.inode].map(|it| it.load(Ordering::Acquire));
            #[expect(unsafe_code, reason = "a number is all that a fork leaves of a file")]
            // SAFETY: the file is checked, and closed only if it is the child's copy of the
            // parent's file. Its owner in the child neither uses nor closes it any more.
            let file = ManuallyDrop::new(unsafe { File::from_raw_fd(number_of(word)) });
            if FileId::new(&file).is_ok_and(|id| id == FileId { device, inode }) {
                drop(ManuallyDrop::into_inner(file));
            }
        }
    }
}

#[cfg(not(unix))]
mod list {
    use std::fs::File;

    use crate::host::identity::FileId;

    /// Processes do not fork here.
    pub(super) struct Opening;

    impl Opening {
        pub(super) fn begin() -> Opening {
            Opening
        }
    }

    pub(super) struct Entry;

    impl Entry {
        pub(super) fn enter(_: &File, _: FileId) -> Entry {
            Entry
        }

        pub(super) fn is_current(&self) -> bool {
            true
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
                // Waits until the fork has begun.
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
        // SAFETY: the child only checks a descriptor, and ends.
        let child = unsafe { libc::fork() };
        if child == 0 {
            // SAFETY: any number may be asked about.
            let is_open = unsafe { libc::fcntl(number, libc::F_GETFD) } != -1;
            // SAFETY: nothing of the parent's is run or dropped.
            unsafe { libc::_exit(i32::from(is_open)) };
        }
        let mut status = 0;
        // SAFETY: the slot of the status is this function's own.
        assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
        assert_eq!(status, 0, "the child has the file");
        opening.join().unwrap().unwrap();
    }
}
