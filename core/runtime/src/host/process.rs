//! State of one process: its generation, which a fork changes, and values that a forked child must
//! not share.
//!
//! No source does anything at a fork. Only the generation, `uninherited.rs` and SQLite's gate have
//! handlers. A child finds out at its first call:
//!
//! - The fast paths compare generations ([`ForkGuard::is`]) and issue nothing.
//! - Each [`PerProcess`] value begins anew: the local state of a source (`source_core.rs`), the
//!   scheduler of a store (`store_handle.rs`), the connections of a store. The parent's are left
//!   alone, whatever its threads were doing.
//! - A segment closes its parent's range. It begins above the floors of its store, which parent and
//!   child share (`RangeSource::attend`).
//! - A leased worker ID's lane is closed, and another worker ID is leased (`LeasedWorker::attend`).
//! - A fixed worker ID is the parent's: the child's calls fail with `Code::Forked`
//!   (`FixedWorkerId::check_image`).

use std::marker::PhantomData;
use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

/// Distinguishes one process from another, for example a forked child from its parent. Never 0.
pub(crate) type Generation = u64;

/// The generation of this process, read through a word that a fork sets back to 0.
///
/// On Linux the word lies on a page marked `MADV_WIPEONFORK`, which the kernel empties in every
/// child, even of a raw `clone`. A `pthread_atfork` handler empties the word as well, because CRIU
/// restores the page without its mark. The handler is alone on other Unix systems, and if the
/// kernel or a sandbox refuses the mark. Elsewhere processes do not fork.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ForkGuard {
    word: &'static AtomicU64,
}

/// The count of generations so far. With the process ID it makes the next one unique in a process
/// tree.
static GENERATIONS: AtomicU64 = AtomicU64::new(0);

impl ForkGuard {
    pub(crate) fn new() -> ForkGuard {
        ForkGuard { word: word::wiped_on_fork() }
    }

    /// Returns true in the process that `generation` was read in.
    #[inline]
    pub(crate) fn is(self, generation: Generation) -> bool {
        self.word.load(Ordering::Relaxed) == generation
    }

    /// Returns true if the kernel itself resets the word in a child, without a handler of the C
    /// library.
    pub(crate) fn is_of_the_kernel(self) -> bool {
        word::is_of_the_kernel()
    }

    /// The word: 0 in a new child, and the generation of this process once that was asked for.
    pub(crate) fn word(self) -> &'static AtomicU64 {
        self.word
    }

    pub(crate) fn generation(self) -> Generation {
        match self.word.load(Ordering::Relaxed) {
            0 => self.begin(),
            generation => generation,
        }
    }

    #[cold]
    fn begin(self) -> Generation {
        // A grandchild forked before the `fetch_max` below has the same count as its parent, but
        // another process ID.
        let count = GENERATIONS.load(Ordering::Relaxed).wrapping_add(1);
        let fresh = (count << 32) | u64::from(std::process::id());
        match self.word.compare_exchange(0, fresh, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => {
                GENERATIONS.fetch_max(count, Ordering::Relaxed);
                fresh
            }
            Err(present) => present,
        }
    }
}

/// A value that each process has for itself.
///
/// In a forked child the parent's value is never dropped: threads that do not exist there may hold
/// its locks, and connections belong to the parent. This type takes no lock that such a thread
/// could hold.
pub(crate) struct PerProcess<T> {
    /// Null, or a box. The box is replaced only in a process other than the one that made it, and
    /// freed only in that one, when this is dropped. So it stays while this is borrowed.
    value: AtomicPtr<Owned<T>>,
    owns: PhantomData<Owned<T>>,
}

struct Owned<T> {
    generation: Generation,
    value: Arc<T>,
}

impl<T> PerProcess<T> {
    pub(crate) const fn new() -> PerProcess<T> {
        PerProcess { value: AtomicPtr::new(null_mut()), owns: PhantomData }
    }

    /// Returns this process's value, made by `make` at first use. Two threads may both call `make`;
    /// one of the values is then dropped.
    pub(crate) fn get_or_try_init<E>(
        &self,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        let generation = ForkGuard::new().generation();
        let present = self.value.load(Ordering::Acquire);
        if let Some(value) = self.value_of(present, generation) {
            return Ok(value);
        }
        let value = Arc::new(make()?);
        let fresh = Box::into_raw(Box::new(Owned { generation, value: Arc::clone(&value) }));
        // A value of the parent is never freed.
        match self.value.compare_exchange(present, fresh, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => Ok(value),
            Err(found) => {
                #[expect(unsafe_code, reason = "what nobody has seen is taken back")]
                // SAFETY: made above, by `Box::into_raw`, and never shared.
                drop(unsafe { Box::from_raw(fresh) });
                // Another thread of this process was first.
                Ok(self.value_of(found, generation).unwrap_or(value))
            }
        }
    }

    /// Like [`get_or_try_init`](Self::get_or_try_init), for a `make` that cannot fail.
    pub(crate) fn get_or_init(&self, make: impl FnOnce() -> T) -> Arc<T> {
        match self.get_or_try_init(|| Ok::<_, std::convert::Infallible>(make())) {
            Ok(value) => value,
            Err(never) => match never {},
        }
    }

    /// Returns this process's value, if it has one yet.
    pub(crate) fn get(&self) -> Option<Arc<T>> {
        self.value_of(self.value.load(Ordering::Acquire), ForkGuard::new().generation())
    }

    /// Returns the loaded value if it belongs to that generation.
    #[expect(unsafe_code, reason = "a lock, or a count of readers, could be held at a fork")]
    fn value_of(&self, loaded: *mut Owned<T>, generation: Generation) -> Option<Arc<T>> {
        // SAFETY: the pointer is null or came from a box that is not freed while this is borrowed.
        let owned = unsafe { loaded.as_ref() }?;
        (owned.generation == generation).then(|| Arc::clone(&owned.value))
    }
}

impl<T> Drop for PerProcess<T> {
    #[expect(unsafe_code, reason = "the box was given up to an atomic")]
    fn drop(&mut self) {
        let owned = *self.value.get_mut();
        // SAFETY: the pointer is null or came from a box, and nothing else refers to this any more.
        let is_ours =
            unsafe { owned.as_ref() }.is_some_and(|owned| ForkGuard::new().is(owned.generation));
        if is_ours {
            // SAFETY: as above, and this is the process that made the box.
            drop(unsafe { Box::from_raw(owned) });
        }
    }
}

#[cfg(target_os = "linux")]
mod word {
    use std::ptr::null_mut;
    use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

    use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous, munmap};

    use super::handled;

    /// The address of the word; 0 until it is chosen. There is no lock, because a fork could leave
    /// it held.
    static ADDRESS: AtomicUsize = AtomicUsize::new(0);

    /// The word, which is 0 after each fork.
    #[inline]
    pub(super) fn wiped_on_fork() -> &'static AtomicU64 {
        let address = match ADDRESS.load(Ordering::Acquire) {
            0 => choose(),
            address => address,
        };
        at(address)
    }

    /// Empties the word, if it is chosen, as the kernel may not.
    pub(super) fn empty() {
        let address = ADDRESS.load(Ordering::Acquire);
        if address != 0 {
            at(address).store(0, Ordering::Relaxed);
        }
    }

    /// Returns true if the kernel resets the word.
    pub(super) fn is_of_the_kernel() -> bool {
        !std::ptr::eq(wiped_on_fork(), handled::word())
    }

    /// Chooses a page that the kernel empties, or the word of the fork handler if there is none.
    #[cold]
    fn choose() -> usize {
        let word = handled::word();
        let page = emptied_page();
        let address = page.unwrap_or_else(|| std::ptr::from_ref(word).expose_provenance());
        match ADDRESS.compare_exchange(0, address, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => address,
            Err(first) => {
                page.into_iter().for_each(unmap);
                first
            }
        }
    }

    /// Maps a page of zeros that is empty again in every child. Returns `None` before Linux 4.14,
    /// and in sandboxes that refuse the advice.
    #[expect(unsafe_code, reason = "a page with special behaviour can only be had from the kernel")]
    fn emptied_page() -> Option<usize> {
        let (protection, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE);
        // SAFETY: a new private mapping at an address of the kernel's choice aliases nothing.
        let page = unsafe { mmap_anonymous(null_mut(), PAGE, protection, flags) }.ok()?;
        let address = page.expose_provenance();
        // SAFETY: the range is exactly the mapping made above, and nothing refers to it yet.
        match unsafe { madvise(page, PAGE, Advice::LinuxWipeOnFork) } {
            Ok(()) => Some(address),
            Err(_) => {
                unmap(address);
                None
            }
        }
    }

    #[expect(unsafe_code, reason = "what was mapped by hand is unmapped by hand")]
    fn unmap(address: usize) {
        // SAFETY: exactly a mapping of `emptied_page`, to which nothing refers. If unmapping fails,
        // only a page is lost.
        let _ = unsafe { munmap(std::ptr::with_exposed_provenance_mut(address), PAGE) };
    }

    #[expect(unsafe_code, reason = "the address went through an atomic")]
    fn at(address: usize) -> &'static AtomicU64 {
        // SAFETY: a static, or a page that stays mapped for ever; aligned, zero-initialised, and
        // accessed only as this atomic. The kernel empties the page before the child runs.
        unsafe { &*std::ptr::with_exposed_provenance::<AtomicU64>(address) }
    }

    const PAGE: usize = 4096;
}

#[cfg(all(unix, not(target_os = "linux")))]
mod word {
    /// The word, which is 0 after each fork that runs the handler.
    pub(super) use super::handled::word as wiped_on_fork;

    pub(super) fn is_of_the_kernel() -> bool {
        false
    }
}

#[cfg(unix)]
mod handled {
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

    static WORD: AtomicU64 = AtomicU64::new(0);
    static REGISTERED: AtomicBool = AtomicBool::new(false);

    extern "C" fn in_child() {
        WORD.store(0, Ordering::Relaxed);
        #[cfg(target_os = "linux")]
        super::word::empty();
    }

    /// Registers the handler. The word is for systems whose kernel does not empty a page.
    #[expect(unsafe_code, reason = "fork handlers can only be registered through libc")]
    pub(super) fn word() -> &'static AtomicU64 {
        if !REGISTERED.load(Ordering::Acquire) {
            // SAFETY: the handler is a static function that stores to a lock-free atomic, which is
            // async-signal-safe. Two threads may register it twice, which only repeats the store.
            let refused = unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
            assert_eq!(refused, 0, "memory for a fork handler, without which a fork repeats IDs");
            REGISTERED.store(true, Ordering::Release);
        }
        &WORD
    }
}

#[cfg(not(unix))]
mod word {
    use std::sync::atomic::AtomicU64;

    /// The word. Processes do not fork here.
    pub(super) fn wiped_on_fork() -> &'static AtomicU64 {
        static WORD: AtomicU64 = AtomicU64::new(0);
        &WORD
    }

    pub(super) fn is_of_the_kernel() -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use std::thread;

    use super::*;

    #[cfg(target_os = "linux")]
    #[expect(unsafe_code, reason = "a fork is what is tested")]
    #[test]
    fn a_fork_is_noticed_once_criu_has_restored_the_page_without_its_mark() {
        use rustix::mm::{Advice, madvise};

        let guard = ForkGuard::new();
        let generation = guard.generation();
        let mark = |advice| {
            let page = std::ptr::from_ref(guard.word()).cast_mut().cast();
            // SAFETY: the page stays mapped for ever, and neither advice changes it here.
            unsafe { madvise(page, 4096, advice) }.unwrap();
        };
        mark(Advice::LinuxKeepOnFork);
        // SAFETY: the child only reads a word, and ends.
        let child = unsafe { libc::fork() };
        if child == 0 {
            // SAFETY: nothing of the parent's is run or dropped.
            unsafe { libc::_exit(i32::from(guard.is(generation))) };
        }
        mark(Advice::LinuxWipeOnFork);
        let mut status = 0;
        // SAFETY: the slot of the status is this function's own.
        assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
        assert_eq!(status, 0, "the child takes itself for its parent");
    }

    #[test]
    fn threads_that_make_a_value_at_once_get_the_same_and_all_of_them_are_dropped() {
        for _ in 0..200 {
            let (values, made) = (PerProcess::new(), Arc::new(()));
            let seen = thread::scope(|scope| {
                let ask = || values.get_or_init(|| Arc::clone(&made));
                let threads = [(); 4].map(|()| scope.spawn(ask));
                threads.map(|thread| thread.join().unwrap())
            });
            assert!(seen.iter().all(|value| Arc::ptr_eq(value, &values.get().unwrap())));
            drop((seen, values));
            assert_eq!(Arc::strong_count(&made), 1);
        }
    }

    #[test]
    fn a_value_that_cannot_be_made_is_asked_for_again() {
        let values = PerProcess::new();
        assert_eq!(values.get_or_try_init(|| Err::<u8, _>("no")), Err("no"));
        assert_eq!(values.get(), None);
        assert_eq!(values.get_or_try_init(|| Ok::<_, ()>(7)), Ok(Arc::new(7)));
    }
}
