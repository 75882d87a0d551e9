//! Events that operators should hear of, such as a lost lease, a store that fails, or a tag that
//! went back.

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
        /// The kind of an event, the same in every language. Numbers and names are frozen; there
        /// may be more of them later.
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

            /// The severity of the kind.
            pub const fn severity(self) -> Severity {
                match self { $(EventKind::$variant => Severity::$severity,)* }
            }

            /// A sentence that explains the kind.
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

/// The importance of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// Something is wrong, or will be.
    Warning,
    /// A problem is over.
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

/// An event of a source or its store.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Event {
    /// The kind of the event.
    pub kind: EventKind,
    /// The kind of the source that saw it: `snowflake`, `segment`, `daily` or `sequences`;
    /// `service` if a client of ID services saw it.
    pub source: &'static str,
    /// Its tag, if it has one.
    pub tag: Option<String>,
    /// Its worker ID, if it has one; after a lost lease, the worker ID that was lost.
    pub worker_id: Option<u32>,
    /// The code of the failure behind it, if there is one.
    pub code: Option<Code>,
    /// A line that says what happened and what to do. Foreign text in it is
    /// [`escaped`](crate::escaped).
    pub message: String,
    /// The time in Unix milliseconds of this machine's clock.
    pub unix_ms: i64,
}

/// Calls `listener` with each event of this process until you drop the returned handle.
///
/// Each change is one event; retries are none. [`StoreDown`](EventKind::StoreDown) and
/// [`StoreBack`](EventKind::StoreBack) alternate for each store, however many sources it has. They
/// name the source that saw the change first, which may differ each time. The message of
/// `StoreBack` repeats how the store had failed. An error that a call returns, such as a store that
/// cannot be opened, is no event.
///
/// - *Threads*: the thread that saw the event calls the listener at once. This is a scheduler of
///   the store, or a thread that opens a generator whose layout expires. Schedulers of two stores
///   may call it at the same time. A call that mints never calls it, and no lock of this crate is
///   held.
/// - *It must not block*: during the call no lease of that store is renewed. Use [`on_event_aside`]
///   to write to files, terminals or networks.
/// - *What it may call*: everything, including `close` and dropping the source. A call that waits
///   for the store, such as minting beyond what is at hand or `close_within`, would wait for its
///   own thread and times out.
/// - *Panics* are caught, and go no further.
/// - *Fork*: a child keeps its parent's listeners, and gets its own events only.
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

/// The registration of a listener. After it is dropped, only calls already in progress still run.
#[derive(Debug)]
#[must_use = "a listener whose place is dropped is called no more"]
pub struct Listening {
    number: u64,
}

impl Listening {
    /// Keeps the listener for as long as the process lives.
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

/// Without a lock, which could be held at a fork. A listener may also add and remove listeners.
static LISTENERS: ArcSwapOption<Vec<(u64, Arc<Listener>)>> = ArcSwapOption::const_empty();

/// Calls all listeners. The caller must hold no lock, because a listener might need it.
pub(crate) fn deliver(event: &Event) {
    #[cfg(any(feature = "log", feature = "tracing"))]
    caught(|| records::write(event)).ok();
    let Some(listeners) = LISTENERS.load_full() else { return };
    for (_, listener) in &*listeners {
        caught(|| listener(event)).ok();
    }
}
