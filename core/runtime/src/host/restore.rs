//! Images of this process that run again: a snapshot that is restored, a machine that is cloned.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::host::process::{ForkGuard, Generation, PerProcess};

/// How often this process was restored.
static RESTORES: AtomicU64 = AtomicU64::new(0);

/// Tells this process that it is an image restored or cloned: from a snapshot of its virtual
/// machine, by CRaC, SnapStart or CRIU. Another process may have the same leases and numbers; so
/// every source drops what it has and starts over at its next call, as in a forked child.
///
/// Call it before the first ID after each restore: nothing in a process tells that it was restored.
/// Until then the twins of an image can issue the same IDs, for as long as the time that was
/// reserved when the image was made: a slab, a minute unless set, or what was left of a range.
///
/// - *Leased worker IDs* and *segments* go on under another lease, with another range. What was
///   dropped is a gap. A call of a store that is under way counts for nothing.
/// - *Fixed worker IDs* and [`MemoryStore`](crate::MemoryStore)s are in every image: they fail with
///   [`Code::Forked`](crate::Code::Forked) and
///   [`Code::StoreUnavailable`](crate::Code::StoreUnavailable). A generator opened afterwards may
///   have the same worker ID again; that no twin has it is the operator's word.
/// - *Files*: a store whose file is part of the image is cloned with it, and so is what it
///   reserves. Use one outside.
/// - *Threads*: any. When it returns, no source issues anything that it had before; a call that
///   another thread had begun may still return such an ID.
pub fn on_restore() {
    // The second time for what sources took meanwhile of others that had not forgotten yet.
    forget();
    forget();
}

fn forget() {
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
