//! Any source by its URL.

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use snowmint::{Code, Error, Source};

use crate::daily::Daily;
use crate::error::exception;
use crate::segment::Segment;
use crate::snowflake::Snowflake;
use crate::uuids::UuidSource;
use crate::wait::detached;

/// Opens a source by its URL.
///
/// - ``snowflake:?worker=7``: a ``Snowflake`` with a fixed worker ID; also ``env``, ``env:NAME``,
///   ``ordinal``, ``ip``
/// - ``snowflake+sqlite:ids.db``: a ``Snowflake`` with a worker ID leased from the file
/// - ``segment+sqlite:ids.db?tag=orders``: a ``Segment``
/// - ``daily+sqlite:ids.db?tag=orders&zone=UTC``: a ``Daily``
/// - ``uuid:?version=7``: a ``UuidSource``
///
/// Parameters have the names of the classes' keywords. A path is taken as it stands, up to the
/// ``?``; values may be percent-encoded.
///
/// Raises:
///     UrlError: the URL cannot be read, or has an unknown scheme or parameter.
///     ParameterError: a value that is not possible.
///     SnowmintError: of the source.
#[pyfunction]
pub(crate) fn open(py: Python<'_>, url: &str) -> PyResult<Py<PyAny>> {
    match detached(py, || snowmint::open(url))? {
        Source::Snowflake(flake) => Snowflake::new(flake).into_py_any(py),
        Source::Segment(segment) => Segment::new(segment).into_py_any(py),
        Source::Daily(daily) => Daily::new(daily).into_py_any(py),
        Source::Uuid(uuids) => UuidSource::new(uuids).into_py_any(py),
        _ => Err(exception(py, &Error::new(Code::Unsupported, "Python has no such source"))),
    }
}
