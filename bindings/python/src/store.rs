//! Stores: where worker IDs and the numbers of tags are reserved.

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

/// Reserves worker IDs and the numbers of tags, durably, in one place. Opened by ``Store.open(url)``,
/// or one of its subclasses, closed by ``close()`` or a ``with`` block. Threads may share it; a forked
/// child may go on using it.
#[pyclass(frozen, subclass, module = "snowmint")]
pub(crate) struct Store {
    /// Nothing once it is closed. Locked by threads with the interpreter's lock only, so never when
    /// the process forks.
    inner: Mutex<Option<Handle<Arc<dyn snowmint::Store>>>>,
    /// Which one it is, for those who read of it.
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
    /// Opens a store: ``sqlite:ids.db``, made where there is none by ``sqlite:ids.db?create=true``,
    /// ``postgres://user@host/database``, ``mysql://user@host/database``,
    /// ``redis://host:6379/0``, ``etcd://host:2379``, ``zookeeper://host:2181``, or ``memory:``
    /// for one that ends with the process.
    ///
    /// Raises:
    ///     UrlError: the URL cannot be read, or has an unknown scheme.
    ///     StoreError: of the store.
    #[staticmethod]
    fn open(py: Python<'_>, url: &str) -> PyResult<Store> {
        let (shown, url) = (redacted(url).into_owned(), url.to_owned());
        opened(py, move || snowmint::open_store(&url)).map(|store| Store::of(store, shown))
    }

    /// Lets the store go: further calls are ``ClosedError``s. Sources over it that are open go on, and
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

    /// Adds a tag, whose first number is ``start`` (1), whose ranges have ``step`` numbers (1000),
    /// whose numbers lie ``stride`` (1) apart, and of which none is above ``max``, as of the column
    /// that they are for. A tag may have a namespace: ``shop/orders``.
    ///
    /// Raises:
    ///     SegmentError: ``tag_exists``, ``invalid_range``.
    ///     ParameterError: ``invalid_tag``, ``invalid_step``.
    ///     StoreError: of the store.
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

    /// Adds a tag that may be there already, and is then left as it is, with options of its own.
    /// Whether it was added.
    ///
    /// Raises:
    ///     SegmentError: ``invalid_range``.
    ///     ParameterError: ``invalid_tag``, ``invalid_step``.
    ///     StoreError: of the store.
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

    /// Changes a tag's step or its largest number, or raises the first number not yet reserved;
    /// returns its row.
    ///
    /// Raises:
    ///     SegmentError: ``unknown_tag``, ``range_regressed`` for a ``next`` below the present, or
    ///         ``invalid_range`` for a ``max`` below what was given.
    ///     ParameterError: ``invalid_tag``, ``invalid_step``.
    ///     StoreError: of the store.
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

    /// Has a server that took another's place go on with all it has, on an operator's
    /// word that this is all that was given. It is named as its refusals name it; another one
    /// refuses the word. Each tag whose ranges may be lost is raised first by so many steps, each
    /// as long as the tag's last range where that was longer; returns their rows. Tags that are made
    /// from now on begin at ``new_from`` if not above, where tags may be lost: the largest one that
    /// was given holds until 0, which is safe once each lost tag is there again, or never comes.
    ///
    /// Raises:
    ///     ParameterError: ``invalid_parameter``, ``invalid_range``, ``unsupported`` by other
    ///         stores.
    ///     StoreError: ``incarnation_changed`` by another server; of the store.
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

    /// The row of a tag; ``None`` if there is none.
    ///
    /// Raises:
    ///     ParameterError: ``invalid_tag``.
    ///     StoreError: of the store.
    fn tag(&self, py: Python<'_>, tag: &str) -> PyResult<Option<TagRow>> {
        let tag = or_raise(py, Tag::of_row(tag))?;
        Ok(self.call(py, |store| store.tag(&tag))?.map(TagRow::of))
    }

    /// Every tag's row, by tag.
    ///
    /// Raises:
    ///     StoreError: of the store.
    fn tags(&self, py: Python<'_>) -> PyResult<Vec<TagRow>> {
        let rows = self.call(py, |store| store.tags())?;
        Ok(rows.into_iter().map(TagRow::of).collect())
    }

    /// Reserves the next ``count`` numbers of a tag, or its step; near the largest number fewer.
    /// They are the caller's alone.
    ///
    /// Raises:
    ///     SegmentError: ``unknown_tag``, ``tag_exhausted``.
    ///     ParameterError: ``invalid_tag``, ``invalid_step``.
    ///     StoreError: of the store.
    #[pyo3(signature = (tag, count=None))]
    fn allocate(&self, py: Python<'_>, tag: &str, count: Option<Int<u64>>) -> PyResult<Range> {
        let tag = or_raise(py, Tag::of_row(tag))?;
        let count = step_size(py, count, "count")?;
        let allocation = self.call(py, |store| allocate_one(store, &tag, count))?;
        Ok(Range(allocation.range))
    }

    /// Every row of the worker table, by realm and worker ID.
    ///
    /// Raises:
    ///     StoreError: of the store.
    fn workers(&self, py: Python<'_>) -> PyResult<Vec<WorkerRow>> {
        let rows = self.call(py, |store| store.workers())?;
        Ok(rows.into_iter().map(WorkerRow::of).collect())
    }

    /// Ends whatever lease a worker ID has, for an operator who knows that its holder is gone; its
    /// reserved time stays reserved. ``False`` if there is no such row.
    ///
    /// Raises:
    ///     StoreError: of the store.
    fn evict(&self, py: Python<'_>, realm: &str, worker_id: Int<u32>) -> PyResult<bool> {
        let worker_id = worker_id.named(py, "worker_id")?;
        self.call(py, |store| store.evict(realm, worker_id))
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(not_pickled("Store"))
    }
}

/// A store in one SQLite file: one key space, for one machine. ``create=True`` makes it where there is
/// none; ``shared_file=True`` goes on with one in which an application has made tables, and which no
/// other copy of SQLite in this process may open. ``key_space`` is which one it has to be, by its 32
/// hexadecimal digits. Not for network drives.
///
/// Raises:
///     StoreError: the file cannot be opened, or is no store.
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

/// A store that ends with the process, and that no other process sees: for tests.
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
    /// The first number not yet reserved by anybody.
    next: u64,
    /// How many numbers a range has unless the client asks for more.
    step: u64,
    /// The distance of two numbers.
    stride: u64,
    /// The largest number that may be given.
    max: u64,
    /// When a range was last taken or the row changed, by the store's clock, Unix milliseconds.
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
    /// Counts its acquisitions.
    epoch: u64,
    /// First Unix millisecond not reserved.
    reserved_ms: i64,
    /// When the lease ends if it is not renewed, Unix milliseconds.
    expires_ms: i64,
    /// Whether it is held, by the store's clock.
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
