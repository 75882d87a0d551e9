//! Stores, in which worker IDs and the numbers of tags are reserved.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use snowmint::{
    Incarnation, KeySpaceId, MemoryStore as RuntimeMemoryStore, Result,
    SqliteStore as RuntimeSqliteStore, Tag, TagChange, TagOptions, Vouch, allocate_one, redacted,
};

use crate::engine::segment::Range;
use crate::error::{self, or_raise};
use crate::minting::not_pickled;
use crate::number::{Int, Named as _, step_size};
use crate::pickled::{Reduced, reduced};
use crate::wait::{Handle, detached, opened};

/// A store, which reserves worker IDs and the numbers of tags durably, in one place. Open it by
/// ``Store.open(url)`` or a subclass, and close it by ``close()`` or a ``with`` block. Threads may
/// share it, and a forked child may go on using it.
#[pyclass(frozen, subclass, module = "snowmint")]
pub(crate) struct Store {
    /// `None` once it is closed. Only threads with the interpreter's lock lock it, so it is never
    /// locked when the process forks.
    inner: Mutex<Option<Handle<Arc<dyn snowmint::Store>>>>,
    /// The name of the store for its `repr`.
    shown: String,
}

/// A `Store` as an argument.
pub(crate) struct StoreArgument<'py>(Bound<'py, Store>);

impl<'py> StoreArgument<'py> {
    pub(crate) fn shared(self) -> PyResult<Arc<dyn snowmint::Store>> {
        self.0.get().shared(self.0.py())
    }
}

impl<'py> FromPyObject<'_, 'py> for StoreArgument<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let Ok(store) = object.cast::<Store>() else {
            let message = format!(
                "store should be a Store, as of Store.open(\"sqlite:ids.db\"), and no {}",
                object.get_type().name()?
            );
            return Err(PyTypeError::new_err(message));
        };
        Ok(StoreArgument(store.to_owned()))
    }
}

impl Store {
    fn of(store: Arc<dyn snowmint::Store>, shown: String) -> Store {
        Store { inner: Mutex::new(Some(Handle::new(store))), shown }
    }

    pub(crate) fn shared(&self, py: Python<'_>) -> PyResult<Arc<dyn snowmint::Store>> {
        let store = self.inner().as_ref().map(|store| Arc::clone(store));
        or_raise(py, store.ok_or_else(error::store_closed))
    }

    fn inner(&self) -> MutexGuard<'_, Option<Handle<Arc<dyn snowmint::Store>>>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls the store, which another thread may close meanwhile.
    fn call<T: Send>(
        &self,
        py: Python<'_>,
        call: impl FnOnce(&dyn snowmint::Store) -> Result<T> + Send,
    ) -> PyResult<T> {
        let store = self.shared(py)?;
        detached(py, move || call(&*store))
    }
}

#[pymethods]
impl Store {
    /// Opens a store: ``sqlite:ids.db`` (``sqlite:ids.db?create=true`` creates the file if it is
    /// missing), ``postgres://user@host/database``, ``mysql://user@host/database``,
    /// ``redis://host:6379/0``, ``etcd://host:2379``, or ``zookeeper://host:2181``. For tests,
    /// ``memory:NAME`` is the store of that name in this process, and ``memory:`` another one each
    /// time.
    ///
    /// Raises:
    ///     UrlError: if the URL cannot be read, or has an unknown scheme.
    ///     StoreError: an error of the store.
    #[staticmethod]
    fn open(py: Python<'_>, url: &str) -> PyResult<Store> {
        let (shown, url) = (redacted(url).into_owned(), url.to_owned());
        opened(py, move || snowmint::open_store(&url)).map(|store| Store::of(store, shown))
    }

    /// Closes the store: further calls raise a ``ClosedError``. Open sources over it go on, and
    /// its file or its connections are closed with the last of them. Closing twice is no error.
    fn close(&self) {
        let store = self.inner().take();
        drop(store);
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyTuple>) {
        self.close();
    }

    fn __repr__(&self) -> String {
        format!("<snowmint.Store of '{}'>", self.shown)
    }

    /// Adds a tag. Its first number is ``start`` (default 1), its ranges have ``step`` numbers
    /// (default 1000), and its numbers lie ``stride`` apart (default 1). No number is above
    /// ``max``, for example the largest value of the column for which they are. A tag may have a
    /// namespace: ``shop/orders``.
    ///
    /// Raises:
    ///     SegmentError: ``tag_exists``, ``invalid_range``.
    ///     ParameterError: ``invalid_tag``, ``invalid_step``.
    ///     StoreError: an error of the store.
    #[pyo3(signature = (tag, *, start=None, step=None, stride=None, max=None))]
    fn create_tag(
        &self,
        py: Python<'_>,
        tag: &str,
        start: Option<Int<u64>>,
        step: Option<Int<u64>>,
        stride: Option<Int<u64>>,
        max: Option<Int<u64>>,
    ) -> PyResult<()> {
        let tag = or_raise(py, Tag::of_row(tag))?;
        let options = options(py, start, step, stride, max)?;
        self.call(py, |store| store.create_tag(&tag, options))
    }

    /// Adds a tag unless it exists, and returns ``True`` if it was added. An existing tag stays
    /// as it is, with its own options.
    ///
    /// Raises:
    ///     SegmentError: ``invalid_range``.
    ///     ParameterError: ``invalid_tag``, ``invalid_step``.
    ///     StoreError: an error of the store.
    #[pyo3(signature = (tag, *, start=None, step=None, stride=None, max=None))]
    fn ensure_tag(
        &self,
        py: Python<'_>,
        tag: &str,
        start: Option<Int<u64>>,
        step: Option<Int<u64>>,
        stride: Option<Int<u64>>,
        max: Option<Int<u64>>,
    ) -> PyResult<bool> {
        let tag = or_raise(py, Tag::of_row(tag))?;
        let options = options(py, start, step, stride, max)?;
        self.call(py, |store| store.ensure_tag(&tag, options))
    }

    /// Changes a tag's step or its largest number, or raises the first number not yet reserved.
    /// Returns its row.
    ///
    /// Raises:
    ///     SegmentError: ``unknown_tag``, ``range_regressed`` for a ``next`` below the present one,
    ///         or ``invalid_range`` for a ``max`` below a number already given.
    ///     ParameterError: ``invalid_tag``, ``invalid_step``.
    ///     StoreError: an error of the store.
    #[pyo3(signature = (tag, *, next=None, step=None, max=None))]
    fn change_tag(
        &self,
        py: Python<'_>,
        tag: &str,
        next: Option<Int<u64>>,
        step: Option<Int<u64>>,
        max: Option<Int<u64>>,
    ) -> PyResult<TagRow> {
        let tag = or_raise(py, Tag::of_row(tag))?;
        let change = TagChange::default()
            .next(next.named(py, "next")?)
            .step(step_size(py, step, "step")?)
            .max(max.named(py, "max")?);
        self.call(py, |store| store.change_tag(&tag, change)).map(TagRow::of)
    }

    /// Lets a server that took another's place continue with all its rows, after an operator has
    /// confirmed that they contain everything that was given. Name the server as its refusals name
    /// it; any other server refuses.
    ///
    /// Each tag whose ranges may be lost is first raised by so many steps. A step counts as the
    /// tag's last range if that was longer. Returns the rows of these tags.
    ///
    /// If tags may be lost, tags created from now on begin at ``new_from`` or above. A lower value
    /// than the present one changes nothing, and 0 ends it. Reset it to 0 once each lost tag is
    /// there again or is gone for good.
    ///
    /// Raises:
    ///     ParameterError: ``invalid_parameter``, ``invalid_range``, or ``unsupported`` from other
    ///         stores.
    ///     StoreError: ``incarnation_changed`` if another server answers; or an error of the store.
    #[pyo3(signature = (server, *, raise_by_steps, new_from=None))]
    fn vouch(
        &self,
        py: Python<'_>,
        server: &str,
        raise_by_steps: Int<u64>,
        new_from: Option<Int<u64>>,
    ) -> PyResult<Vec<TagRow>> {
        let vouch = Vouch::new(raise_by_steps.named(py, "raise_by_steps")?)
            .server(Incarnation::from(server))
            .new_from(new_from.named(py, "new_from")?);
        let rows = self.call(py, |store| store.vouch(&vouch))?;
        Ok(rows.into_iter().map(TagRow::of).collect())
    }

    /// Returns the row of a tag, or ``None`` if there is none.
    ///
    /// Raises:
    ///     ParameterError: ``invalid_tag``.
    ///     StoreError: an error of the store.
    fn tag(&self, py: Python<'_>, tag: &str) -> PyResult<Option<TagRow>> {
        let tag = or_raise(py, Tag::of_row(tag))?;
        Ok(self.call(py, |store| store.tag(&tag))?.map(TagRow::of))
    }

    /// Returns every tag's row, ordered by tag.
    ///
    /// Raises:
    ///     StoreError: an error of the store.
    fn tags(&self, py: Python<'_>) -> PyResult<Vec<TagRow>> {
        let rows = self.call(py, |store| store.tags())?;
        Ok(rows.into_iter().map(TagRow::of).collect())
    }

    /// Reserves the next ``count`` numbers of a tag (default: its step), or fewer near the
    /// largest number. Only the caller has them.
    ///
    /// Raises:
    ///     SegmentError: ``unknown_tag``, ``tag_exhausted``.
    ///     ParameterError: ``invalid_tag``, ``invalid_step``.
    ///     StoreError: an error of the store.
    #[pyo3(signature = (tag, count=None))]
    fn allocate(&self, py: Python<'_>, tag: &str, count: Option<Int<u64>>) -> PyResult<Range> {
        let tag = or_raise(py, Tag::of_row(tag))?;
        let count = step_size(py, count, "count")?;
        let allocation = self.call(py, |store| allocate_one(store, &tag, count))?;
        Ok(Range(allocation.range))
    }

    /// Returns every row of the worker table, ordered by realm and worker ID.
    ///
    /// Raises:
    ///     StoreError: an error of the store.
    fn workers(&self, py: Python<'_>) -> PyResult<Vec<WorkerRow>> {
        let rows = self.call(py, |store| store.workers())?;
        Ok(rows.into_iter().map(WorkerRow::of).collect())
    }

    /// Ends the lease of a worker ID, if it has one, for an operator who knows that its holder
    /// is gone. Its reserved time stays reserved. Returns ``False`` if there is no such row.
    ///
    /// Raises:
    ///     StoreError: an error of the store.
    fn evict(&self, py: Python<'_>, realm: &str, worker_id: Int<u32>) -> PyResult<bool> {
        let worker_id = worker_id.named(py, "worker_id")?;
        self.call(py, |store| store.evict(realm, worker_id))
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(not_pickled("Store"))
    }
}

/// A store in one SQLite file: one key space, for one machine. Do not use it on network drives.
///
/// Args:
///     path: the path of the file.
///     create: true to create the file if it is missing.
///     shared_file: true to continue with a file in which an application has made tables. No other
///         copy of SQLite in this process may open it.
///     key_space: the identity that the key space must have, as 32 hexadecimal digits.
///
/// Raises:
///     StoreError: if the file cannot be opened, or is not a store.
#[pyclass(frozen, extends = Store, module = "snowmint")]
pub(crate) struct SqliteStore;

#[pymethods]
impl SqliteStore {
    #[new]
    #[pyo3(signature = (path, *, create = false, shared_file = false, key_space = None))]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        create: bool,
        shared_file: bool,
        key_space: Option<&str>,
    ) -> PyResult<PyClassInitializer<SqliteStore>> {
        let mut builder = RuntimeSqliteStore::builder().create(create).shared_file(shared_file);
        if let Some(digits) = key_space {
            builder = builder.key_space(or_raise(py, digits.parse::<KeySpaceId>())?);
        }
        let shown = path.display().to_string();
        let store = opened(py, move || builder.open(&path))?;
        let base = PyClassInitializer::from(Store::of(Arc::new(store), shown));
        Ok(base.add_subclass(SqliteStore))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> String {
        format!("<snowmint.SqliteStore of '{}'>", slf.as_super().get().shown)
    }
}

/// A store that ends with the process, and that no other process sees. It is for tests.
#[pyclass(frozen, extends = Store, module = "snowmint")]
pub(crate) struct MemoryStore;

#[pymethods]
impl MemoryStore {
    #[new]
    fn new() -> PyClassInitializer<MemoryStore> {
        let base = Store::of(Arc::new(RuntimeMemoryStore::new()), "memory:".to_owned());
        PyClassInitializer::from(base).add_subclass(MemoryStore)
    }

    #[expect(clippy::unused_self, reason = "a method in Python")]
    fn __repr__(&self) -> &'static str {
        "<snowmint.MemoryStore>"
    }
}

/// A row of the segment table.
#[pyclass(frozen, eq, hash, get_all, module = "snowmint")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct TagRow {
    /// The tag.
    tag: String,
    /// The first number that is not reserved yet.
    next: u64,
    /// The count of numbers in a range, unless the client requests more.
    step: u64,
    /// The distance between two numbers.
    stride: u64,
    /// The largest number that may be given.
    max: u64,
    /// The time when a range was last taken or the row changed, by the store's clock, in Unix
    /// milliseconds.
    updated_ms: i64,
}

impl TagRow {
    fn of(row: snowmint::TagRow) -> TagRow {
        let snowmint::TagRow { tag, next, step, stride, max, updated_ms, .. } = row;
        TagRow { tag: tag.to_string(), next, step, stride, max, updated_ms }
    }
}

#[pymethods]
impl TagRow {
    #[staticmethod]
    fn _of(tag: String, next: u64, step: u64, stride: u64, max: u64, updated_ms: i64) -> TagRow {
        TagRow { tag, next, step, stride, max, updated_ms }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (&str, u64, u64, u64, u64, i64)> {
        let TagRow { tag, next, step, stride, max, updated_ms } = self;
        reduced::<Self, _>(py, (tag, *next, *step, *stride, *max, *updated_ms))
    }

    fn __repr__(&self) -> String {
        let TagRow { tag, next, step, stride, max, .. } = self;
        format!("TagRow(tag='{tag}', next={next}, step={step}, stride={stride}, max={max})")
    }
}

/// A row of the worker table.
#[pyclass(frozen, eq, hash, get_all, module = "snowmint")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct WorkerRow {
    /// The realm: a layout's canonical text.
    realm: String,
    /// The worker ID.
    worker_id: u32,
    /// Its present or last holder.
    owner: String,
    /// The count of its acquisitions.
    epoch: u64,
    /// The first Unix millisecond that is not reserved.
    reserved_ms: i64,
    /// The time when the lease ends if it is not renewed, in Unix milliseconds.
    expires_ms: i64,
    /// True if it is held, by the store's clock.
    held: bool,
}

impl WorkerRow {
    fn of(row: snowmint::WorkerRow) -> WorkerRow {
        let snowmint::WorkerRow { realm, worker_id, owner, epoch, held, .. } = row;
        let (reserved_ms, expires_ms) = (row.reserved_ms, row.expires_ms);
        WorkerRow { realm, worker_id, owner, epoch, reserved_ms, expires_ms, held }
    }
}

#[pymethods]
impl WorkerRow {
    #[staticmethod]
    fn _of(
        realm: String,
        worker_id: u32,
        owner: String,
        epoch: u64,
        reserved_ms: i64,
        expires_ms: i64,
        held: bool,
    ) -> WorkerRow {
        WorkerRow { realm, worker_id, owner, epoch, reserved_ms, expires_ms, held }
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> Reduced<'py, (&str, u32, &str, u64, i64, i64, bool)> {
        let WorkerRow { realm, worker_id, owner, epoch, reserved_ms, expires_ms, held } = self;
        let times = (*reserved_ms, *expires_ms);
        reduced::<Self, _>(py, (realm, *worker_id, owner, *epoch, times.0, times.1, *held))
    }

    fn __repr__(&self) -> String {
        let WorkerRow { realm, worker_id, owner, held, .. } = self;
        let held = if *held { "held" } else { "free" };
        format!("<snowmint.WorkerRow {worker_id} of {realm}, {held}, by {owner}>")
    }
}

fn options(
    py: Python<'_>,
    start: Option<Int<u64>>,
    step: Option<Int<u64>>,
    stride: Option<Int<u64>>,
    max: Option<Int<u64>>,
) -> PyResult<TagOptions> {
    let usual = TagOptions::default();
    Ok(usual
        .start(start.named(py, "start")?.unwrap_or(usual.start))
        .step(step_size(py, step, "step")?.unwrap_or(usual.step))
        .stride(stride.named(py, "stride")?.unwrap_or(usual.stride))
        .max(max.named(py, "max")?.unwrap_or(usual.max)))
}
