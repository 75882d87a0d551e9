//! Images of this process that run again, for example a restored snapshot or a cloned machine.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::host::process::{ForkGuard, Generation, PerProcess};
use crate::host::{Clock, System};

/// The number of times that this process was restored.
static RESTORES: AtomicU64 = AtomicU64::new(0);

/// Tells snowmint that this process is a restored or cloned image: from a snapshot of its virtual
/// machine, by CRaC, SnapStart or CRIU. Another process may have the same leases and numbers, so
/// every source drops what it has and starts over at its next call, as in a forked child.
///
/// Call it after each restore, before the first ID: a process cannot detect that it was restored.
/// Until then the twins of an image can issue the same IDs, up to the end of the reservations in
/// the image. These are a lease's time (a minute by default), or the rest of a range.
///
/// - *Leased worker IDs* and *segments* go on with another lease and another range. What was
///   dropped is a gap. The answer to a store call in progress is ignored.
/// - *Fixed worker IDs* and [`MemoryStore`](crate::MemoryStore)s are in every image, so they fail
///   with [`Code::Forked`](crate::Code::Forked) and
///   [`Code::StoreUnavailable`](crate::Code::StoreUnavailable). If you open a generator with the
///   same worker ID again, you have to make sure that no twin uses it.
/// - *Files*: a store whose file is part of the image is cloned with its reservations. Keep the
///   store's file outside the image.
/// - *Random bits*: the state of the kernel's generator may be in the image, so that twins draw the
///   same bits. Since Linux 5.18, a machine with a `vmgenid` device draws others at once. Elsewhere
///   the clock tells the twins apart, to the nanosecond. Even with equal bits, each twin gets its
///   own worker ID and numbers.
/// - *Threads*: any. Once it returns, no source issues what it had before. A call that another
///   thread had begun may still return such an ID.
pub fn on_restore() {
    // Twice, because a source may meanwhile have taken something from a source that had not
    // forgotten.
    forget();
    forget();
}

fn forget() {
    // Before the sources forget, so that from here on no answer to an earlier request is used.
    RESTORES.fetch_add(1, Ordering::SeqCst);
    let list = live();
    let sources = list.lock().unwrap_or_else(PoisonError::into_inner).clone();
    for source in sources {
        if let Some(source) = source.upgrade() {
            source.forget();
        }
    }
}

/// Changes random bytes by the present time. Twins of an image may have drawn the same bytes, even if
/// nobody told them of their restore: two twins that renew a lease by the same token both succeed.
pub(super) fn differ(bytes: &mut [u8]) {
    add(stirred(System.now_ns().cast_unsigned()), bytes);
}

/// The added value is not secret, and does not make random bytes less random.
fn add(mut difference: u64, bytes: &mut [u8]) {
    for part in bytes.chunks_mut(size_of::<u64>()) {
        let stream = difference.to_le_bytes();
        part.iter_mut().zip(stream).for_each(|(byte, other)| *byte ^= other);
        difference = stirred(difference);
    }
}

/// The next number of Vigna's SplitMix64.
fn stirred(before: u64) -> u64 {
    let sum = before.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (sum ^ (sum >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Distinguishes one image of a process from another: a forked child from its parent, or a restored
/// image from the stored one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Image {
    guard: ForkGuard,
    generation: Generation,
    restores: u64,
}

impl Image {
    pub(crate) fn present() -> Image {
        let guard = ForkGuard::new();
        let restores = RESTORES.load(Ordering::SeqCst);
        Image { guard, generation: guard.generation(), restores }
    }

    /// Returns true in the process of this image, restored or not.
    pub(crate) fn is_of_this_process(self) -> bool {
        self.guard.is(self.generation)
    }

    /// Returns true while this image runs. Takes no lock.
    pub(crate) fn is_present(self) -> bool {
        self.is_of_this_process() && self.restores == RESTORES.load(Ordering::SeqCst)
    }
}

/// A source with state that another image of this process may have too.
pub(crate) trait Live: Send + Sync + 'static {
    /// Drops that state.
    fn forget(&self);
}

/// Makes `source` forget when this process is restored. Call it once in each process: the list of a
/// forked child is empty.
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
    use std::thread::sleep;
    use std::time::Duration;

    use super::*;

    #[test]
    fn l10_twins_that_nobody_told_of_their_restore_draw_other_bits() {
        let mut twins = [[7; 16]; 2];
        for bytes in &mut twins {
            differ(bytes);
            sleep(Duration::from_millis(1));
        }
        assert_ne!(twins[0], twins[1]);
    }

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
