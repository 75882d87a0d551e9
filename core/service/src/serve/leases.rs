//! The store whose worker IDs and ranges are leased to clients that reach no database.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use snowmint::{Code, Error, Result, Store, open_store};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::config::Config;

/// A call of the store takes up to so long, its wait for a thread included.
const CALL_WITHIN: Duration = Duration::from_secs(5);
/// So many calls may wait for a thread or be at the store, of all loops.
const MAX_CALLS: usize = 256;

/// The store, opened when it can be.
pub(crate) struct Leases {
    url: Option<String>,
    store: Mutex<Option<Arc<dyn Store>>>,
    calls: Semaphore,
}

impl std::fmt::Debug for Leases {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Leases").field("is_configured", &self.url.is_some()).finish()
    }
}

impl Leases {
    pub(crate) fn new(config: &Config) -> Leases {
        let url = Some(config.leases.store.clone()).filter(|url| !url.is_empty());
        Leases { url, store: Mutex::default(), calls: Semaphore::new(MAX_CALLS) }
    }

    /// Whether anything is leased here.
    pub(crate) fn is_configured(&self) -> bool {
        self.url.is_some()
    }

    /// Opens the store at the start.
    ///
    /// # Errors
    /// What waiting does not mend; a store that is away is opened by whoever asks.
    pub(crate) fn open(&self) -> Result<()> {
        match self.is_configured().then(|| self.store()) {
            Some(Err(why)) if !why.is_transient() => {
                Err(Error::new(why.code(), format!("leases.store: {why}")).caused_by(why))
            }
            _ => Ok(()),
        }
    }

    /// Blocks while the store is opened; others wait for that as well.
    fn store(&self) -> Result<Arc<dyn Store>> {
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = &*store {
            return Ok(Arc::clone(store));
        }
        let url = self.url.as_deref().ok_or_else(|| {
            Error::new(Code::Unsupported, "nothing is leased here: leases.store is not set")
        })?;
        Ok(Arc::clone(store.insert(open_store(url)?)))
    }
}

/// Asks the store on a thread that may wait: `ask` is told how long.
///
/// # Errors
/// [`Code::Overloaded`] where too many ask, or no thread had the time; of the store.
pub(crate) async fn asked<T: Send + 'static>(
    leases: &Arc<Leases>,
    ask: impl FnOnce(&dyn Store, Duration) -> Result<T> + Send + 'static,
) -> Result<T> {
    let overloaded = || {
        let message = "the store has as many calls as it takes: ask again a little later";
        Error::new(Code::Overloaded, message)
    };
    let _call = leases.calls.try_acquire().map_err(|_| overloaded())?;
    let (deadline, of_thread) = (Instant::now() + CALL_WITHIN, Arc::clone(leases));
    let asked = spawn_blocking(move || {
        let store = of_thread.store()?;
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(overloaded()) } else { ask(&*store, left) }
    });
    asked.await.unwrap_or_else(|error| {
        let message = "the call of the store did not come to its end";
        Err(Error::new(Code::Internal, message).caused_by(error))
    })
}
