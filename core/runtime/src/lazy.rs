//! Sources that open at their first use.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

#[cfg(doc)]
use snowmint_engine::Code;
use snowmint_engine::{Error as EngineError, Layout};

use crate::error::Result;
use crate::errors;
use crate::host::process::PerProcess;
use crate::host::set_once::SetOnce;
use crate::host::{Clock, Platform, threads};
use crate::panics::caught;
use crate::retry::RetryState;
use crate::schemes::{Described, Plan};
use crate::sources::{Mint, Sealed, Source};
use crate::stats::Stats;
use crate::store::Tag;
use crate::waiting::{Attempt, POLL, ask_in_task, ask_within};

/// A source that opens at its first use: see [`lazy`](crate::lazy()).
///
/// - *First use*: a call that waits, and [`get`](Self::get), open the source within their bound. A
///   [`poll`](Self::poll), or a wait of zero, begins to open it on a thread, and finds no ID until
///   it is open. [`try_next_id`](Mint::try_next_id) alone does not begin that.
/// - *Failure*: the use fails with the error of the opening. A later use tries again, after a pause
///   of 0.1 to 0.5 s, in which uses fail with the same error.
/// - *Threads*: clone it or share it. Threads that use it first at the same time open it once.
/// - *Fork*: a child forked before the first use opens a source of its own. A child forked later
///   shares its parent's, as the source's type says.
/// - *Close*: before the first use, it keeps the source from being opened.
///
/// ```
/// use snowmint::Code;
///
/// # let directory = tempfile::tempdir().unwrap();
/// # let path = directory.path().join("ids.db");
/// # let path = path.display();
/// let ids = snowmint::lazy(&format!("snowflake+sqlite:{path}"))?;
/// assert_eq!(ids.layout(), Some(&snowmint::Layout::TWITTER));
/// assert_eq!(ids.get().unwrap_err().code(), Code::StoreMissing);
/// # Ok::<_, snowmint::Error>(())
/// ```
#[derive(Clone)]
pub struct LazySource {
    shared: Arc<Shared>,
    wait: Duration,
}

struct Shared {
    described: Described,
    /// `None` for a source that was open from the start.
    plan: Option<Plan>,
    opened: SetOnce<Source>,
    closed: AtomicBool,
    opening: PerProcess<Mutex<Opening>>,
}

/// The opening of a source, as one process has it.
#[derive(Default)]
struct Opening {
    is_under_way: bool,
    retry: RetryState,
}

impl From<Source> for LazySource {
    /// Wraps a source that is open already.
    fn from(source: Source) -> LazySource {
        let lazy = LazySource::made(Described::of(&source), None);
        drop(lazy.shared.opened.set(source));
        lazy
    }
}

impl LazySource {
    pub(crate) fn new(plan: Plan) -> LazySource {
        LazySource::made(plan.described.clone(), Some(plan))
    }

    fn made(described: Described, plan: Option<Plan>) -> LazySource {
        let wait = described.wait;
        let (opened, closed, opening) = (SetOnce::new(), AtomicBool::new(false), PerProcess::new());
        LazySource { shared: Arc::new(Shared { described, plan, opened, closed, opening }), wait }
    }

    /// Returns the source, and opens it if nothing has used it. Waits up to the wait bound.
    ///
    /// # Errors
    /// As [`open`](crate::open()); [`Code::WaitTimeout`] if the store does not answer in time;
    /// [`Code::Closed`].
    pub fn get(&self) -> Result<&Source> {
        self.get_within(self.wait)
    }

    /// Returns the source, and opens it if nothing has used it. Waits up to `wait`.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub fn get_within(&self, wait: Duration) -> Result<&Source> {
        match self.try_get() {
            Some(source) => Ok(source),
            None => ask_within(wait, &Platform::System, || self.poll()),
        }
    }

    /// Returns the source, and opens it if nothing has used it. Waits as a task, like
    /// [`Mint::next_id_async`].
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub async fn get_async(&self) -> Result<&Source> {
        match self.try_get() {
            Some(source) => Ok(source),
            None => ask_in_task(self.wait, || self.poll()).await,
        }
    }

    /// Returns the source if it is open.
    #[inline]
    pub fn try_get(&self) -> Option<&Source> {
        self.shared.opened.get()
    }

    /// Returns the source, or begins to open it and returns how long to sleep.
    ///
    /// # Errors
    /// The codes of [`get`](Self::get) that waiting does not mend.
    pub fn poll(&self) -> Result<Attempt<&Source>> {
        if let Some(source) = self.try_get() {
            return Ok(Attempt::Done(source));
        }
        let opening = self.shared.opening();
        let mut opening = lock(&opening);
        if let Some(source) = self.try_get() {
            return Ok(Attempt::Done(source));
        }
        if self.shared.is_closed() {
            return Err(EngineError::Closed.into());
        }
        if !opening.is_under_way {
            if opening.retry.rest(&Platform::System).is_none() {
                let shared = Arc::clone(&self.shared);
                threads::start("snowmint-open", move || shared.open())
                    .map_err(errors::host::thread_missing)?;
                opening.is_under_way = true;
                // The known failure may be over.
                opening.retry.hope();
            } else if let Some(failure) = opening.retry.lasting() {
                return Err(failure.clone());
            }
        }
        let why = opening.retry.known().cloned().unwrap_or_else(errors::sources::opening_pending);
        Ok(Attempt::Later { pause: POLL, why })
    }

    /// Returns the next number of `key`, like [`Source::next_of_within`].
    ///
    /// # Errors
    /// As [`get`](Self::get) and [`Source::next_of`].
    pub fn next_of_within(&self, key: u64, wait: Duration) -> Result<u64> {
        let (source, left) = self.source_within(wait)?;
        source.next_of_within(key, left)
    }

    /// Returns the next number of `key`, or how long to sleep, like [`Source::poll_of`].
    ///
    /// # Errors
    /// As [`poll`](Self::poll) and [`Source::poll_of`].
    pub fn poll_of(&self, key: u64) -> Result<Attempt<u64>> {
        match self.poll()? {
            Attempt::Done(source) => source.poll_of(key),
            Attempt::Later { pause, why } => Ok(Attempt::Later { pause, why }),
        }
    }

    /// Returns the source, and how much of a wait is left once it is open.
    fn source_within(&self, wait: Duration) -> Result<(&Source, Duration)> {
        if let Some(source) = self.try_get() {
            return Ok((source, wait));
        }
        let asked_ms = Platform::System.boot_ms();
        let source = self.get_within(wait)?;
        let waited_ms = Platform::System.boot_ms().saturating_sub(asked_ms).max(0);
        Ok((source, wait.saturating_sub(Duration::from_millis(waited_ms.unsigned_abs()))))
    }

    /// The layout of snowflakes. It is known before the source is open.
    pub fn layout(&self) -> Option<&Layout> {
        self.shared.described.layout.as_ref()
    }

    /// The tag, as [`Source::tag`]. It is known before the source is open.
    pub fn tag(&self) -> Option<&Tag> {
        self.shared.described.tag.as_ref()
    }

    /// The kind of the source, as [`kind_of`](crate::kind_of). It is known before the source is
    /// open.
    pub fn kind(&self) -> &'static str {
        let Described { kind, is_ring, .. } = self.shared.described;
        if is_ring { "ring" } else { kind }
    }
}

impl Shared {
    fn opening(&self) -> Arc<Mutex<Opening>> {
        self.opening.get_or_init(Mutex::default)
    }

    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Opens the source, on a thread of its own. The store is tried once: callers that can wait
    /// ask again, and meanwhile know why there is no source.
    fn open(&self) {
        let Some(plan) = &self.plan else { return };
        let opened = caught(|| plan.open_within(Duration::ZERO));
        let opened = opened.unwrap_or_else(|said| Err(errors::sources::opening_panicked(&said)));
        let opening = self.opening();
        let mut opening = lock(&opening);
        opening.is_under_way = false;
        match opened {
            Ok(source) if self.is_closed() => {
                drop(opening);
                drop(source);
            }
            Ok(source) => {
                opening.retry.clear();
                drop(self.opened.set(source));
            }
            Err(error) => opening.retry.note(error, &Platform::System),
        }
    }
}

impl Sealed for LazySource {}

impl Mint for LazySource {
    #[inline]
    fn try_next_id(&self) -> Option<u64> {
        self.try_get()?.try_next_id()
    }

    fn next_block_within(&self, out: &mut [u64], wait: Duration) -> Result<usize> {
        let (source, left) = self.source_within(wait)?;
        source.next_block_within(out, left)
    }

    fn poll_block(&self, out: &mut [u64]) -> Result<Attempt<usize>> {
        match self.poll()? {
            Attempt::Done(source) => source.poll_block(out),
            Attempt::Later { pause, why } => Ok(Attempt::Later { pause, why }),
        }
    }

    fn check_at_once(&self, count: u64, wait: Duration) -> Result<()> {
        self.try_get().map_or(Ok(()), |source| source.check_at_once(count, wait))
    }

    fn day_size(&self) -> Option<u64> {
        self.shared.described.day_size
    }

    fn fill(&self, out: &mut [u64]) -> Result<()> {
        let source = self.get()?;
        if source.wait() == self.wait {
            return source.fill(out);
        }
        source.with_wait(self.wait).fill(out)
    }

    fn wait(&self) -> Duration {
        self.wait
    }

    fn with_wait(&self, wait: Duration) -> LazySource {
        LazySource { wait, ..self.clone() }
    }

    fn stats(&self) -> Stats {
        if let Some(source) = self.try_get() {
            return source.stats();
        }
        let opening = self.shared.opening();
        let opening = lock(&opening);
        Stats::new(self.shared.described.kind, self.shared.is_closed(), Some(&opening.retry))
    }

    fn close_within(&self, wait: Duration) -> Result<()> {
        {
            let opening = self.shared.opening();
            let _opening = lock(&opening);
            self.shared.closed.store(true, Ordering::Relaxed);
        }
        self.try_get().map_or(Ok(()), |source| source.close_within(wait))
    }
}

impl std::fmt::Debug for LazySource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LazySource")
            .field("kind", &self.kind())
            .field("source", &self.try_get())
            .finish_non_exhaustive()
    }
}

fn lock(opening: &Mutex<Opening>) -> MutexGuard<'_, Opening> {
    opening.lock().unwrap_or_else(PoisonError::into_inner)
}
