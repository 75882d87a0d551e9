//! UUIDs of versions 4 and 7.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use snowmint::{Mint, Source, UuidVersion};

use crate::calls::{self, Stay};
use crate::error::or_raise;
use crate::found::Found;
use crate::minting::coroutine;
use crate::number::{Int, Named as _, out_of_range};
use crate::stats::Stats;

/// Makes UUIDs of one version, 4 or 7 (RFC 9562), as ``uuid.UUID``.
///
/// - Unique: by 122 random bits (version 4), or by 58 beside a counter that begins at random in
///   each millisecond (version 7). Nothing is reserved. A forked child makes different UUIDs.
/// - Order: version 7 rises within a process, even if the clock goes back. Version 4 has no order.
/// - Threads: any number.
///
/// Raises:
///     ParameterError: for another version.
#[pyclass(frozen, module = "snowmint")]
pub(crate) struct UuidSource {
    inner: snowmint::UuidSource,
}

impl UuidSource {
    pub(crate) fn new(uuids: snowmint::UuidSource) -> UuidSource {
        UuidSource { inner: uuids }
    }
}

static UUID: Found<Py<PyAny>> = Found::new();

/// Returns Python's own UUID of 16 bytes.
pub(crate) fn object<'py>(py: Python<'py>, bytes: &[u8; 16]) -> PyResult<Bound<'py, PyAny>> {
    let keywords = PyDict::new(py);
    keywords.set_item("bytes", PyBytes::new(py, bytes))?;
    calls::call(UUID.import(py, "uuid", "UUID")?, (), Some(&keywords))
}

/// Returns the bytes of Python's own UUID.
pub(crate) fn bytes(uuid: &Bound<'_, PyAny>) -> PyResult<[u8; 16]> {
    let py = uuid.py();
    if !uuid.is_instance(UUID.import(py, "uuid", "UUID")?)? {
        return Err(PyTypeError::new_err("a uuid.UUID is required"));
    }
    let _stay = Stay::begin();
    uuid.getattr("bytes")?.extract()
}

#[pymethods]
impl UuidSource {
    #[new]
    #[pyo3(signature = (version=Int::Of(7)), text_signature = "(version=7)")]
    fn open(py: Python<'_>, version: Int<u8>) -> PyResult<UuidSource> {
        let version = match version {
            Int::Of(4) => UuidVersion::V4,
            Int::Of(7) => UuidVersion::V7,
            Int::Of(_) | Int::OutOfRange => return Err(out_of_range(py, "version", "4 or 7")),
        };
        Ok(UuidSource::new(snowmint::UuidSource::new(version)))
    }

    /// Opens a source by its URL, like ``snowmint.open``, with a type that a type checker knows.
    /// ``lazy`` has no effect, because no store is opened; every source has it.
    ///
    /// Raises:
    ///     ParameterError: if the URL opens a source of another class.
    ///     SnowmintError: like ``snowmint.open``.
    #[staticmethod]
    #[pyo3(name = "open", signature = (url, *, lazy=false))]
    #[expect(unused_variables, reason = "a keyword in Python")]
    pub(crate) fn open_url(py: Python<'_>, url: &str, lazy: bool) -> PyResult<UuidSource> {
        or_raise(py, snowmint::UuidSource::open(url)).map(UuidSource::new)
    }

    /// Does nothing, because there is nothing to open. Every source has this method.
    #[expect(clippy::unused_self, reason = "a method in Python")]
    fn check(&self) {}

    /// Returns the next UUID.
    fn next_uuid<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        object(py, or_raise(py, self.inner.next_uuid())?.as_bytes())
    }

    /// The version, 4 or 7.
    #[getter]
    fn version(&self) -> u8 {
        self.inner.version().number()
    }

    /// Returns the state of the source, in which only ``kind`` applies. Every source has this
    /// method.
    fn stats(&self, py: Python<'_>) -> Stats {
        Stats::ask(py, || Source::Uuid(self.inner).stats())
    }

    /// Does nothing, because there is nothing to give up. Every source has this method and
    /// ``wait_ms``.
    #[pyo3(signature = (wait_ms=None))]
    #[expect(clippy::unused_self, reason = "a method in Python")]
    fn close(&self, py: Python<'_>, wait_ms: Option<Int<u64>>) -> PyResult<()> {
        wait_ms.named(py, "wait_ms").map(drop)
    }

    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.next_uuid(py)
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    #[expect(clippy::unused_self, reason = "a method in Python")]
    fn __exit__(&self, _exception: &Bound<'_, PyTuple>) {}

    fn __aenter__<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        coroutine("entered", (slf,), py)
    }

    #[pyo3(signature = (*_exception))]
    fn __aexit__<'py>(
        slf: Bound<'py, Self>,
        _exception: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        coroutine("exited", (slf,), py)
    }

    /// Nothing is reserved, so a copy makes other UUIDs.
    fn __getnewargs__(&self) -> (u8,) {
        (self.version(),)
    }

    fn __repr__(&self) -> String {
        format!("snowmint.UuidSource({})", self.version())
    }
}
