//! What belongs to one process: its generation, which a fork changes, and state that a forked
//! child must not share.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arc_swap::ArcSwapOption;

/// Tells one process image from another, a forked child from its parent. Never 0.
pub(crate) type Generation = u64;

/// The generation of this process, read through a word that a fork sets back to 0.
///
/// On Linux the word lies on a page marked `MADV_WIPEONFORK`, which the kernel empties in every
/// child, those of a raw `clone` included; on other Unix systems a `pthread_atfork` handler empties
/// it; elsewhere processes do not fork.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ForkGuard {
    word: &'static AtomicU64,
}

/// Generations so far; with the process ID it makes the next one unique in a process tree.
static GENERATIONS: AtomicU64 = AtomicU64::new(0);

impl ForkGuard {
    /// The guard of this process.
    pub(crate) fn new() -> ForkGuard {
        ForkGuard { word: word::wiped_on_fork() }
    }

    /// Whether this is still the process that `generation` was read in.
    #[inline]
    pub(crate) fn is(self, generation: Generation) -> bool {
        self.word.load(Ordering::Relaxed) == generation
    }

    /// The word: the generation of this process once that was asked for, and 0 in a new child.
    pub(crate) fn word(self) -> &'static AtomicU64 {
        self.word
    }

    /// The generation of this process.
    pub(crate) fn generation(self) -> Generation {
        match self.word.load(Ordering::Relaxed) {
            0 => self.begin(),
            generation => generation,
        }
    }

    #[cold]
    fn begin(self) -> Generation {
        // The process ID tells a child from a grandchild that was forked between the next two
        // steps, and so with the same count.
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

/// A value of which each process has its own.
///
/// In a forked child the parent's value is left as it is, never dropped: locks inside may be held
/// by threads that do not exist there, and connections belong to the parent.
pub(crate) struct PerProcess<T> {
    value: ArcSwapOption<Owned<T>>,
}

struct Owned<T> {
    generation: Generation,
    value: Arc<T>,
}

impl<T> PerProcess<T> {
    pub(crate) const fn new() -> PerProcess<T> {
        PerProcess { value: ArcSwapOption::const_empty() }
    }

    /// This process's value, made by `make` at first use. Two threads may both call `make`; one of
    /// the values is then dropped.
    pub(crate) fn get_or_try_init<E>(
        &self,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        let generation = ForkGuard::new().generation();
        let present = self.value.load_full();
        if let Some(owned) = &present
            && owned.generation == generation
        {
            return Ok(Arc::clone(&owned.value));
        }
        let fresh = Arc::new(Owned { generation, value: Arc::new(make()?) });
        let found = self.value.compare_and_swap(&present, Some(Arc::clone(&fresh)));
        let found = arc_swap::Guard::into_inner(found);
        if same(&found, &present) {
            // The parent's value, if there was one, now lives for ever.
            std::mem::forget(present);
            return Ok(Arc::clone(&fresh.value));
        }
        // Another thread of this process was first.
        Ok(found.map_or_else(|| Arc::clone(&fresh.value), |owned| Arc::clone(&owned.value)))
    }

    /// This process's value, where making one cannot fail.
    pub(crate) fn get_or_init(&self, make: impl FnOnce() -> T) -> Arc<T> {
        match self.get_or_try_init(|| Ok::<_, std::convert::Infallible>(make())) {
            Ok(value) => value,
            Err(never) => match never {},
        }
    }

    /// This process's value, if it has one yet.
    pub(crate) fn get(&self) -> Option<Arc<T>> {
        let owned = self.value.load_full()?;
        ForkGuard::new().is(owned.generation).then(|| Arc::clone(&owned.value))
    }
}

impl<T> Drop for PerProcess<T> {
    fn drop(&mut self) {
        let value = self.value.swap(None);
        if value.as_ref().is_some_and(|owned| !ForkGuard::new().is(owned.generation)) {
            std::mem::forget(value);
        }
    }
}

fn same<T>(a: &Option<Arc<T>>, b: &Option<Arc<T>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    }
}

#[cfg(target_os = "linux")]
mod word {
    use std::ptr::null_mut;
    use std::sync::OnceLock;
    use std::sync::atomic::AtomicU64;

    use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous};

    /// The word, 0 after each fork. Without memory for a page the process cannot go on safely.
    #[expect(clippy::expect_used, reason = "without the page a fork would repeat IDs")]
    #[expect(unsafe_code, reason = "a page with special behaviour can only be had from the kernel")]
    pub(super) fn wiped_on_fork() -> &'static AtomicU64 {
        static ADDRESS: OnceLock<usize> = OnceLock::new();
        let address = *ADDRESS.get_or_init(|| {
            let (protection, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE);
            // SAFETY: a new private mapping at an address of the kernel's choice aliases nothing.
            let page = unsafe { mmap_anonymous(null_mut(), PAGE, protection, flags) };
            let page = page.expect("one page of memory");
            // SAFETY: the range is exactly the mapping made above, and nothing refers to it yet.
            let wiped = unsafe { madvise(page, PAGE, Advice::LinuxWipeOnFork) };
            wiped.expect("MADV_WIPEONFORK, in every Linux since 4.14");
            page as usize
        });
        // SAFETY: the page is mapped for ever, aligned, zero-initialised, and accessed as this
        // atomic only. The kernel's wiping happens before the child runs.
        unsafe { &*std::ptr::with_exposed_provenance::<AtomicU64>(address) }
    }

    const PAGE: usize = 4096;
}

#[cfg(all(unix, not(target_os = "linux")))]
mod word {
    use std::sync::Once;
    use std::sync::atomic::{AtomicU64, Ordering};

    static WORD: AtomicU64 = AtomicU64::new(0);

    extern "C" fn in_child() {
        WORD.store(0, Ordering::Relaxed);
    }

    /// The word, 0 after each fork that runs the handlers.
    #[expect(unsafe_code, reason = "fork handlers can only be registered through libc")]
    pub(super) fn wiped_on_fork() -> &'static AtomicU64 {
        static REGISTERED: Once = Once::new();
        // SAFETY: the handler is a static function that stores to a lock-free atomic, which is
        // async-signal-safe.
        REGISTERED.call_once(|| unsafe {
            libc::pthread_atfork(None, None, Some(in_child));
        });
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
}
