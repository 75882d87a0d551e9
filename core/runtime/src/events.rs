//! What operators should hear of: a lease lost, a store down and back, a tag that went back.

use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arc_swap::ArcSwapOption;
use snowmint_engine::Code;

use crate::panics::caught;

mod aside;
#[cfg(any(feature = "log", feature = "tracing"))]
mod records;

pub use aside::on_event_aside;

macro_rules! kinds {
    ($($number:literal $variant:ident $severity:ident $name:literal $summary:literal)*) => {
        /// What happened, the same in every language. Numbers and names are frozen; there may be
        /// more.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        #[repr(u32)]
        pub enum EventKind {
            $(#[doc = $summary] $variant = $number,)*
        }

        impl EventKind {
            /// Every kind, in rising order of its number.
            pub const ALL: &'static [EventKind] = &[$(EventKind::$variant),*];

            /// The stable name, in snake_case.
            pub const fn name(self) -> &'static str {
                match self { $(EventKind::$variant => $name,)* }
            }

            /// How much it matters.
            pub const fn severity(self) -> Severity {
                match self { $(EventKind::$variant => Severity::$severity,)* }
            }

            /// One sentence on what it means.
            pub const fn summary(self) -> &'static str {
                match self { $(EventKind::$variant => $summary,)* }
            }
        }
    };
}

kinds! {
    1 LeaseLost Warning "lease_lost" "Another holder has the worker ID; the generator takes another one."
    2 WorkerChanged Warning "worker_changed" "The clock went back, and the policy took another worker ID."
    3 StoreDown Warning "store_down" "A store fails; its sources go on with what they have reserved."
    4 StoreBack Info "store_back" "A store that failed answers again."
    5 Fenced Warning "fenced" "A tag's store went back; no more of its numbers are minted."
    6 Unfenced Info "unfenced" "A tag that went back was raised, and its numbers go on."
    7 ExpiresSoon Warning "expires_soon" "A layout's time field runs out within a year."
    8 StateLost Warning "state_lost" "A fixed worker ID's state file is gone; its generator has stopped for good."
    9 ServersKept Warning "servers_kept" "A list of ID services is empty or cannot be read; the last one is kept."
    10 ServersBack Info "servers_back" "A list of ID services that was kept is read again."
    11 ServerRefused Warning "server_refused" "An ID service of another store, or with a bad certificate; others are asked."
}

impl EventKind {
    /// The frozen number.
    pub const fn number(self) -> u32 {
        self as u32
    }
}

/// How much an event matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// Something is wrong, or will be.
    Warning,
    /// Something is over.
    Info,
}

impl Severity {
    /// `warning` or `info`.
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Warning => "warning",
            Severity::Info => "info",
        }
    }
}

/// Something that happened to a source or its store.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Event {
    /// What happened.
    pub kind: EventKind,
    /// The kind of the source that saw it: `snowflake`, `segment`, `daily` or `sequences`;
    /// `service` of what a client of ID services saw.
    pub source: &'static str,
    /// Its tag, where it has one.
    pub tag: Option<String>,
    /// Its worker ID, where it has one: of a lease lost, the one that was lost.
    pub worker_id: Option<u32>,
    /// The failure behind it, where there is one.
    pub code: Option<Code>,
    /// What happened and what to do, on one line: what others wrote in it is
    /// [`escaped`](crate::escaped).
    pub message: String,
    /// When, in Unix milliseconds of this machine's clock.
    pub unix_ms: i64,
}

/// Has `listener` called with each event of this process, until what it returns is dropped.
///
/// There is one event a change and none a retry. [`StoreDown`](EventKind::StoreDown) and
/// [`StoreBack`](EventKind::StoreBack) alternate and are of a store, however many sources it has:
/// the event names the source that saw it first, which may be another one each time, and the message
/// of the return says how the store had failed. What a call returns as its error (a store that cannot
/// be opened) is no event.
///
/// - *Threads*: the one that saw it calls, at once: a scheduler of the store, or whoever opens a
///   generator whose layout expires. Listeners of two stores are called beside each other; never a
///   call that mints, and never under a lock of this crate.
/// - *It must not block*: while it is called no lease of that store is renewed. What writes to
///   files, terminals or networks belongs into [`on_event_aside`].
/// - *What it may call*: everything, `close` and the dropping of its own source included. What
///   waits for the store (minting beyond what is at hand, `close_within`) would wait for the very
///   thread that it is on, and gets its timeout.
/// - *Panics* are caught, and go no further.
/// - *Fork*: a child goes on with its parent's listeners, and hears of what happens in itself.
pub fn on_event(listener: impl Fn(&Event) + Send + Sync + 'static) -> Listening {
    static NUMBERS: AtomicU64 = AtomicU64::new(0);
    let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
    let listener: Arc<Listener> = Arc::new(listener);
    LISTENERS.rcu(|all| {
        let mut all = all.as_deref().cloned().unwrap_or_default();
        all.push((number, Arc::clone(&listener)));
        Some(Arc::new(all))
    });
    Listening { number }
}

/// A listener's place: dropped, it is called no more, but for a call that another thread is in.
#[derive(Debug)]
#[must_use = "a listener whose place is dropped is called no more"]
pub struct Listening {
    number: u64,
}

impl Listening {
    /// Leaves the listener in its place for as long as the process lives.
    pub fn for_good(self) {
        mem::forget(self);
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        LISTENERS.rcu(|all| {
            let all = all.as_deref()?.iter();
            let others = all.filter(|(number, _)| *number != self.number).cloned();
            Some(Arc::new(others.collect::<Vec<_>>()))
        });
    }
}

type Listener = dyn Fn(&Event) + Send + Sync;

/// No lock: one could be held at a fork, and a listener may add and remove others.
static LISTENERS: ArcSwapOption<Vec<(u64, Arc<Listener>)>> = ArcSwapOption::const_empty();

/// Tells everybody who listens. Not under a lock, which a listener could want.
pub(crate) fn deliver(event: &Event) {
    #[cfg(any(feature = "log", feature = "tracing"))]
    caught(|| records::write(event)).ok();
    let Some(listeners) = LISTENERS.load_full() else { return };
    for (_, listener) in &*listeners {
        caught(|| listener(event)).ok();
    }
}
