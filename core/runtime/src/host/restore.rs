//! Images of this process that run again: a snapshot that is restored, a machine that is cloned.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::host::process::{ForkGuard, Generation, PerProcess};
use crate::host::{Clock, System};

/// How often this process was restored.
static RESTORES: AtomicU64 = AtomicU64::new(0);
/// What told this image from its twins when it was restored; 0 before.
static DIFFERENCE: AtomicU64 = AtomicU64::new(0);

/// Tells this process that it is an image restored or cloned: from a snapshot of its virtual
/// machine, by CRaC, SnapStart or CRIU. Another process may have the same leases and numbers; so
/// every source drops what it has and starts over at its next call, as in a forked child.
///
/// Call it before the first ID after each restore: nothing in a process tells that it was restored.
/// Until then the twins of an image can issue the same IDs, for as long as the time that was
/// reserved when the image was made: a reservation, a minute unless set, or what was left of a range.
///
/// - *Leased worker IDs* and *segments* go on under another lease, with another range. What was
///   dropped is a gap. A call of a store that is under way counts for nothing.
/// - *Fixed worker IDs* and [`MemoryStore`](crate::MemoryStore)s are in every image: they fail with
///   [`Code::Forked`](crate::Code::Forked) and
///   [`Code::StoreUnavailable`](crate::Code::StoreUnavailable). A generator opened afterwards may
///   have the same worker ID again; that no twin has it is the operator's word.
/// - *Files*: a store whose file is part of the image is cloned with it, and so is what it
///   reserves. Use one outside.
/// - *Random bits*: the kernel's may be in the image, so that twins draw the same. Linux draws others
///   at once since 5.18 on a machine that has a `vmgenid` device; elsewhere the clock at this call
///   tells the twins apart. Each has a worker ID and numbers of its own even where nothing does.
/// - *Threads*: any. When it returns, no source issues anything that it had before; a call that
///   another thread had begun may still return such an ID.
pub fn on_restore() {
    // The second time for what sources took meanwhile of others that had not forgotten yet.
    forget();
    forget();
}

fn forget() {
    let (process, now) = (u64::from(std::process::id()), System.now_ns().cast_unsigned());
    DIFFERENCE.store(stirred(now ^ process.rotate_left(32)), Ordering::SeqCst);
    // First: from here on no answer to an earlier request is used.
    RESTORES.fetch_add(1, Ordering::SeqCst);
    let list = live();
    let sources = list.lock().unwrap_or_else(PoisonError::into_inner).clone();
    for source in sources {
        if let Some(source) = source.upgrade() {
            source.forget();
        }
    }
}

/// Has bytes that twins drew alike differ: the kernel may not know that it was restored.
pub(super) fn differ(bytes: &mut [u8]) {
    let difference = DIFFERENCE.load(Ordering::SeqCst);
    if difference != 0 {
        add(difference, bytes);
    }
}

/// What is added is no secret, and takes nothing from what is random.
fn add(mut difference: u64, bytes: &mut [u8]) {
    for part in bytes.chunks_mut(size_of::<u64>()) {
        let stream = difference.to_le_bytes();
        part.iter_mut().zip(stream).for_each(|(byte, other)| *byte ^= other);
        difference = stirred(difference);
    }
}

/// The next number of SplitMix64, by Vigna.
fn stirred(before: u64) -> u64 {
    let sum = before.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (sum ^ (sum >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Tells one image of a process from another: a forked child from its parent, a restored one from
/// the one that was stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Image {
    guard: ForkGuard,
    generation: Generation,
    restores: u64,
}

impl Image {
    /// This one.
    pub(crate) fn present() -> Image {
        let guard = ForkGuard::new();
        let restores = RESTORES.load(Ordering::SeqCst);
        Image { guard, generation: guard.generation(), restores }
    }

    /// Whether it is this process that it was of, restored or not.
    pub(crate) fn is_of_this_process(self) -> bool {
        self.guard.is(self.generation)
    }

    /// Whether it still is this one. Takes no lock.
    pub(crate) fn is_present(self) -> bool {
        self.is_of_this_process() && self.restores == RESTORES.load(Ordering::SeqCst)
    }
}

/// A source that has something which another image of this process may have, too.
pub(crate) trait Live: Send + Sync + 'static {
    /// Drops it.
    fn forget(&self);
}

/// Has `source` forget when this process is restored. Once in each process: a forked child begins
/// with none.
pub(crate) fn enlist(source: Weak<dyn Live>) {
    let list = live();
    let mut sources = list.lock().unwrap_or_else(PoisonError::into_inner);
    if sources.len() == sources.capacity() {
        sources.retain(|source| source.strong_count() > 0);
    }
    sources.push(source);
}

type Sources = Mutex<Vec<Weak<dyn Live>>>;

fn live() -> Arc<Sources> {
    static LIVE: PerProcess<Sources> = PerProcess::new();
    LIVE.get_or_init(Mutex::default)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn l10_twins_that_draw_the_same_bits_have_others() {
        let twin = |now: u64, length: usize| {
            let mut bytes = vec![7; length];
            add(stirred(now), &mut bytes);
            bytes
        };
        for length in [4, 16, 33] {
            assert_ne!(twin(1, length), twin(2, length));
            assert_eq!(twin(1, length), twin(1, length));
        }
        let (first, second) = (twin(1, 16), twin(2, 16));
        assert_ne!(first[8..], second[8..]);
        assert_ne!(first[..8], first[8..], "no part of it stays as it was");
    }
}
