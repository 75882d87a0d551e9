//! The store whose worker IDs and ranges are leased to clients that have no access to a database.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use arc_swap::ArcSwapOption;
use snowmint::{Code, CodeGroup, Error, KeySpaceId, Result, Store, Tag, open_store};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::config::Config;
use super::errors;
use super::state::FailureState;
use crate::moment::now_ms;

/// The timeout of a store call, including its wait for a thread.
const CALL_WITHIN: Duration = Duration::from_secs(5);
/// A tag that need not exist: reading it only checks that the store answers.
const LOOKED_UP: &str = "snowmint";
/// The number of calls, over all loops, that may wait for a thread or be at the store.
const MAX_CALLS: usize = 256;

/// The store of leases, opened when it can be.
pub(crate) struct Leases {
    url: Option<String>,
    store: Mutex<Option<Arc<dyn Store>>>,
    /// The store's key space, once read. The store itself refuses to change to another one later.
    key_space: OnceLock<KeySpaceId>,
    calls: Semaphore,
    /// The failure of the last call, if any; `None` before the first call.
    ended: ArcSwapOption<Option<FailureState>>,
    /// True if the log says that the store is lost.
    is_lost: AtomicBool,
}

impl std::fmt::Debug for Leases {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Leases").field("is_configured", &self.url.is_some()).finish()
    }
}

impl Leases {
    pub(crate) fn new(config: &Config) -> Leases {
        let url = Some(config.leases.store.clone()).filter(|url| !url.is_empty());
        Leases {
            url,
            store: Mutex::default(),
            key_space: OnceLock::new(),
            calls: Semaphore::new(MAX_CALLS),
            ended: ArcSwapOption::empty(),
            is_lost: AtomicBool::new(false),
        }
    }

    /// Returns true if `leases.store` is set.
    pub(crate) fn is_configured(&self) -> bool {
        self.url.is_some()
    }

    /// Opens the store at startup.
    ///
    /// # Errors
    /// A failure that waiting cannot mend. A store that is unavailable is opened by a later
    /// request.
    pub(crate) fn open(&self) -> Result<()> {
        match self.is_configured().then(|| self.store()) {
            Some(Err(why)) if !why.is_transient() => Err(errors::stores::leases_unusable(why)),
            Some(Err(why)) => {
                self.note(Some(&why));
                self.tell(Some(&why));
                Ok(())
            }
            Some(Ok(_)) => {
                self.note(None);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Checks that the store answers, because maybe no source uses it, and logs a change.
    pub(crate) fn look(&self) {
        if self.is_configured() {
            let looked = self.store().and_then(|store| store.tag(&Tag::new(LOOKED_UP)?));
            // A store without tags, or without a free thread, tells nothing of its health.
            if let Err(error) = &looked
                && matches!(error.code(), Code::Unsupported | Code::Overloaded)
            {
                return;
            }
            let failure = looked.as_ref().err().filter(is_of_store);
            self.note(failure);
            self.tell(failure);
        }
    }

    fn tell(&self, failure: Option<&Error>) {
        match (failure, self.is_lost.swap(failure.is_some(), Ordering::Relaxed)) {
            (Some(why), false) => tracing::warn!(
                code = why.code().name(),
                "leases.store fails, and nothing is leased by HTTP until it answers: {why}"
            ),
            (None, true) => tracing::info!("leases.store answers again"),
            _ => {}
        }
    }

    /// Returns the failure of the last call, if any, and whether it is over; `None` before the
    /// first call.
    pub(crate) fn failure(&self) -> Option<Option<FailureState>> {
        self.ended.load().as_deref().cloned()
    }

    fn note(&self, why: Option<&Error>) {
        let before = self.ended.load();
        let next = match (why.filter(is_of_store), before.as_deref()) {
            (None, Some(None)) => return,
            (None, Some(Some(failure))) if failure.over => return,
            (None, Some(Some(failure))) => Some(FailureState { over: true, ..failure.clone() }),
            (None, None) => None,
            (Some(why), _) => Some(FailureState {
                code: why.code(),
                message: why.to_string(),
                at_ms: now_ms(),
                over: false,
            }),
        };
        self.ended.store(Some(Arc::new(next)));
    }

    /// Returns the store, and opens it first if necessary. Blocks, and so do other callers
    /// meanwhile.
    fn store(&self) -> Result<Arc<dyn Store>> {
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = &*store {
            return Ok(Arc::clone(store));
        }
        let url = self.url.as_deref().ok_or_else(errors::stores::leases_unset)?;
        Ok(Arc::clone(store.insert(open_store(url)?)))
    }
}

/// Returns true if the store failed, and not the request.
fn is_of_store(why: &&Error) -> bool {
    why.code().group() == CodeGroup::Store
}

/// Calls the store on a thread that may block. `ask` receives the time that is left.
///
/// # Errors
/// [`Code::Overloaded`] if too many calls wait, or no thread was free in time; the store's errors.
pub(crate) async fn asked<T: Send + 'static>(
    leases: &Arc<Leases>,
    ask: impl FnOnce(&dyn Store, Duration) -> Result<T> + Send + 'static,
) -> Result<T> {
    let _call = leases.calls.try_acquire().map_err(|_| errors::stores::calls_too_many())?;
    let (deadline, of_thread) = (Instant::now() + CALL_WITHIN, Arc::clone(leases));
    let asked = spawn_blocking(move || {
        let left = || deadline.saturating_duration_since(Instant::now());
        let asked = of_thread.store().and_then(|store| match left() {
            Duration::ZERO => Err(errors::stores::calls_too_many()),
            left => ask(&*store, left),
        });
        of_thread.note(asked.as_ref().err());
        asked
    });
    asked.await.unwrap_or_else(|error| Err(errors::stores::call_unfinished(error)))
}

/// Returns the store's key space, if it has one. Reads it once.
///
/// # Errors
/// As [`asked`].
pub(crate) async fn key_space(leases: &Arc<Leases>) -> Result<Option<KeySpaceId>> {
    if let Some(known) = leases.key_space.get() {
        return Ok(Some(*known));
    }
    let told = asked(leases, |store, _| store.key_space()).await?;
    Ok(told.map(|id| *leases.key_space.get_or_init(|| id)))
}
