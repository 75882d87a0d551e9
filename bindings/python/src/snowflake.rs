//! Snowflake generators.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use snowmint::{
    ClockPolicy, LazySource, MAX_RESERVE_MS, Mint, Result, Source, WorkerId, WorkerStore, names,
};

use crate::error::{self, exception, or_raise};
use crate::held::{Held, or_let_go};
use crate::layout::{Layout, LayoutArgument};
use crate::methods::source_methods;
use crate::minting::close;
use crate::number::{Int, Named};
use crate::policy::{PolicyArgument, StartArgument};
use crate::store::Store;
use crate::store_of_users::UsersWorkerStore;
use crate::wait::{Handle, detached, opened};

/// Mints snowflake IDs: time, worker ID and sequence in 64 bits. Times are in milliseconds.
///
/// The arguments decide which worker ID it has:
///
/// - ``worker_id``: a fixed worker ID (``7``, ``"env"``, ``"env:NAME"``, ``"ordinal"``,
///   ``"ordinal:NAME"``, ``"ip:10.0.4.0/22"``). Its time is reserved in a file of
///   ``state_directory``. The file keeps a second generator with that file from using it. You have
///   to make sure that no other generator has it.
/// - ``store``: a worker ID leased from the store.
/// - Neither: a worker ID leased from ``ids.db`` in your state directory, which ``file`` names. All
///   programs of a user on a machine then differ. Other users, machines and containers each have a
///   separate key space. ``None`` for either argument is refused.
///
/// Properties:
///
/// - Order: IDs rise strictly in issue order, across threads, clock steps and leases, if time is
///   the top field and the policy neither changes workers nor counts rollbacks.
/// - Overflow: a full tick borrows from the future up to the policy's ``max_ahead_ms``, then waits
///   without spinning, up to ``wait_ms`` (default 5000).
/// - Clock rollback: as the policy says. The default goes on; no policy repeats an ID.
/// - Threads: share it; minting takes no lock.
/// - Fork: a child leases its own worker ID at its first call. With a fixed worker ID it fails with
///   ``forked``.
/// - Crash: the next holder of the worker ID begins above everything issued.
///
/// Args:
///     worker_id: a fixed worker ID, or the place to find it.
///     store: a ``Store``, or an object with ``acquire``, ``renew`` and ``release``.
///     preset: the name of a system, whose layout, policy and start are used. The next three
///         arguments override it.
///     layout: a ``Layout``, a preset's name, or fields such as ``time:41,worker:10,sequence:12``.
///     policy: a clock policy, or its name.
///     start: the start of a fresh tick's sequence: ``zero``, ``vibrate:MAX``, ``random:BELOW`` or
///         ``rotate``.
///     max_ahead_ms: the most time to borrow from the future, instead of the policy's, up to
///         3600000.
///     reserve_ms: the time that a renewal reserves, 100 to 3600000. For a fixed worker ID it is
///         always that long (default 1000). For a leased worker ID it is at most that long (default
///         60000), once the lease has lived so long. It must be at least twice ``max_ahead_ms``,
///         and four ticks.
///     wait_ms: the longest time that a call waits for an ID.
///     state_directory: the directory of a fixed worker ID's state file. Keep it across restarts.
///
/// Raises:
///     ParameterError: if ``worker_id`` or ``store`` is ``None``, both are given, there is no
///         worker ID, or a value is not possible.
///     LayoutError: ``layout_expired`` or ``epoch_in_future``.
///     WorkerError: if the worker ID is in use, or no worker ID is free.
///     StoreError: an error of the store.
#[pyclass(frozen, module = "snowmint")]
pub(crate) struct Snowflake {
    store: Option<Held>,
    /// The user's own database, if the worker ID is leased from it.
    file: Option<String>,
    /// Dropped last. Then nothing holds the store any more, and it is released.
    inner: Handle<LazySource>,
}

impl Snowflake {
    pub(crate) fn new(source: LazySource) -> Snowflake {
        Snowflake { inner: Handle::new(source), store: None, file: None }
    }
}

/// A worker ID as an argument: a number, or a text that says where to find it.
enum WorkerArgument {
    Fixed(Int<u32>),
    Named(String),
}

impl<'a, 'py> FromPyObject<'a, 'py> for WorkerArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match object.extract::<String>() {
            Ok(text) => Ok(WorkerArgument::Named(text)),
            Err(_) => object.extract().map(WorkerArgument::Fixed),
        }
    }
}

/// An argument that may be left out. `None` usually stands for a setting that is missing. If it
/// counted as left out, the source would lease from the user's own key space without a request.
enum Choice<T> {
    LeftOut,
    Nothing,
    Given(T),
}

impl<'a, 'py, T: FromPyObject<'a, 'py>> FromPyObject<'a, 'py> for Choice<T> {
    type Error = T::Error;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> Result<Self, T::Error> {
        if object.is_none() {
            return Ok(Choice::Nothing);
        }
        object.extract().map(Choice::Given)
    }
}

impl<T> Named for Choice<T> {
    type Value = Option<T>;

    fn named(self, py: Python<'_>, name: &str) -> PyResult<Option<T>> {
        match self {
            Choice::Given(value) => Ok(Some(value)),
            Choice::LeftOut => Ok(None),
            Choice::Nothing => Err(exception(py, &error::setting_missing(name))),
        }
    }
}

impl WorkerArgument {
    /// Returns the worker ID. Fails if the layout does not have it.
    fn read(self, py: Python<'_>, layout: &snowmint::Layout) -> PyResult<WorkerId> {
        match self {
            WorkerArgument::Fixed(worker_id) => {
                let range = format!("0 to {}", layout.max_worker_id());
                worker_id.within(py, "worker_id", &range).map(WorkerId::Fixed)
            }
            WorkerArgument::Named(text) => or_raise(py, text.parse()),
        }
    }
}

/// Returns a store to lease worker IDs from, and the user's object if the store is written in
/// Python.
fn worker_store(object: &Bound<'_, PyAny>) -> PyResult<(Arc<dyn WorkerStore>, Option<Held>)> {
    if let Ok(store) = object.cast::<Store>() {
        return Ok((store.get().shared(object.py())?, None));
    }
    let store = UsersWorkerStore::new(object)?;
    let held = store.held();
    Ok((Arc::new(store), Some(held)))
}

source_methods!(Snowflake, "snowflake", {
    #[new]
    #[pyo3(signature = (
        *, worker_id=Choice::LeftOut, store=Choice::LeftOut, preset=None, layout=None, policy=None, start=None,
        max_ahead_ms=None, reserve_ms=None, wait_ms=None, state_directory=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn open(
        py: Python<'_>,
        worker_id: Choice<WorkerArgument>,
        store: Choice<Bound<'_, PyAny>>,
        preset: Option<&str>,
        layout: Option<LayoutArgument>,
        policy: Option<PolicyArgument>,
        start: Option<StartArgument>,
        max_ahead_ms: Option<Int<u32>>,
        reserve_ms: Option<Int<u32>>,
        wait_ms: Option<Int<u64>>,
        state_directory: Option<PathBuf>,
    ) -> PyResult<Snowflake> {
        let (worker_id, store) = (worker_id.named(py, "worker_id")?, store.named(py, "store")?);
        let is_of_nobody = worker_id.is_none() && store.is_none() && state_directory.is_none();
        let mut builder = snowmint::Snowflake::builder();
        let mut minted_in = snowmint::Layout::TWITTER;
        // The preset's policy, unless another is given.
        let mut chosen: Option<ClockPolicy> = None;
        if let Some(preset) = preset {
            let preset = or_raise(py, names::preset(preset))?;
            builder = builder.preset(preset);
            minted_in = preset.layout;
            chosen = Some(preset.policy);
        }
        if let Some(LayoutArgument(layout)) = layout {
            builder = builder.layout(layout);
            minted_in = layout;
        }
        if let Some(PolicyArgument(policy)) = policy {
            chosen = Some(policy);
        }
        let mut policy = chosen.unwrap_or(ClockPolicy::SNOWMINT);
        if let Some(max_ahead_ms) = max_ahead_ms {
            let range = format!("0 to {MAX_RESERVE_MS}");
            policy.max_ahead_ms = max_ahead_ms.within(py, "max_ahead_ms", &range)?;
        }
        builder = builder.policy(policy);
        if let Some(StartArgument(start)) = start {
            builder = builder.sequence_start(start);
        }
        if let Some(reserve_ms) = reserve_ms {
            let range = format!("100 to {MAX_RESERVE_MS}");
            builder = builder.reserve_ms(reserve_ms.within(py, "reserve_ms", &range)?);
        }
        if let Some(wait_ms) = wait_ms.named(py, "wait_ms")? {
            builder = builder.wait(Duration::from_millis(wait_ms));
        }
        if let Some(directory) = state_directory {
            builder = builder.state_directory(directory);
        }
        if let Some(worker) = worker_id {
            builder = builder.worker_id(worker.read(py, &minted_in)?);
        }
        let (mut held, mut file) = (None, None);
        match store {
            Some(store) => {
                let (store, object) = worker_store(&store)?;
                builder = builder.lease_from(store);
                held = object;
            }
            None if is_of_nobody => {
                let own = or_raise(py, snowmint::default_database())?;
                file = Some(own.clone());
                let store = opened(py, move || snowmint::SqliteStore::create(&own))?;
                builder = builder.lease_from(Arc::new(store));
            }
            None => {}
        }
        // A user's store is called on the thread that opens, and its code handles signals itself.
        let flake = match held {
            Some(_) => detached(py, move || builder.open()),
            None => opened(py, move || builder.open()),
        };
        let (flake, store) = or_let_go(py, flake, held)?;
        let source = LazySource::from(Source::Snowflake(flake));
        Ok(Snowflake { store, file, ..Snowflake::new(source) })
    }

    /// The path of the user's own database if the worker ID is leased from it; otherwise
    /// ``None``.
    #[getter]
    fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// The layout of its IDs.
    #[getter]
    fn layout(&self) -> Layout {
        match self.inner.layout() {
            Some(layout) => Layout(*layout),
            None => unreachable!("snowflakes have a layout"),
        }
    }

    /// Stops minting and gives up the worker ID. The call does not wait for the store of a
    /// leased worker ID; a thread of snowmint tells the store. With ``wait_ms`` it waits up to so
    /// many milliseconds until the store knows. If the process ends before that, the worker ID is
    /// free at the end of its lease, after two seconds to a minute. Closing twice is no error. The
    /// generator is closed even if this raises an error.
    ///
    /// Raises:
    ///     WorkerError: an error of a fixed worker ID's state file.
    ///     StoreError: an error of the store, if ``wait_ms`` is given.
    ///     StallError: ``wait_timeout`` if the store did not answer within ``wait_ms``.
    #[pyo3(signature = (wait_ms=None))]
    fn close(&self, py: Python<'_>, wait_ms: Option<Int<u64>>) -> PyResult<()> {
        let wait_ms = wait_ms.named(py, "wait_ms")?;
        let Some(wait_ms) = wait_ms else { return close(py, &*self.inner) };
        detached(py, || self.inner.close_within(Duration::from_millis(wait_ms)))
    }

    fn __repr__(&self) -> String {
        format!("<snowmint.Snowflake of {}>", crate::layout::describe(&self.layout().0))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.store.as_ref().map_or(Ok(()), |held| held.traverse(&visit))
    }

    fn __clear__(&self) {
        if let Some(held) = &self.store {
            held.clear();
        }
    }
});
