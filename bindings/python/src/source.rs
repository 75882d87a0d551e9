//! Opens any source by its URL.

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;

use crate::daily::Daily;
use crate::error::{self, exception, or_raise};
use crate::minting::open_as;
use crate::ring::Ring;
use crate::segment::Segment;
use crate::sequences::Sequences;
use crate::snowflake::Snowflake;
use crate::uuids::UuidSource;
use crate::wait::released;

/// Opens a source by its URL.
///
/// - ``snowflake:?worker_id=7``: a ``Snowflake`` with a fixed worker ID; also ``env``,
///   ``env:NAME``, ``ordinal``, ``ordinal:NAME``, ``ip:NETWORK``
/// - ``snowflake+sqlite:ids.db?create=true``: a ``Snowflake`` with a worker ID leased from the file
/// - ``segment+sqlite:ids.db?tag=orders``: a ``Segment``
/// - ``daily+sqlite:ids.db?tag=orders&zone=UTC``: a ``Daily``
/// - ``sequences+sqlite:ids.db?tag=chat``: ``Sequences``, whose ``next(key)`` mints
/// - ``uuid:?version=7``: a ``UuidSource``
/// - ``snowflake:?worker_id=7&ring=1024``, and the same with other snowflakes, segments and daily
///   numbers: a ``Ring`` of IDs made ahead
///
/// A type checker cannot read a URL. It knows the class of the source if you call
/// ``Snowflake.open(url)``, ``Segment.open(url)`` and so on.
///
/// Most parameters have the names of the classes' keywords, but ``state`` is ``state_directory``.
/// Only URLs have ``require_state``, ``ring``, ``ring_refill`` and ``ring_every_ms``. A path is
/// taken as it stands, up to the ``?``; values may be percent-encoded. Opening takes as long as the
/// store does; ``wait_ms`` bounds the calls on the source. If a signal handler raises an exception,
/// for example after Ctrl-C, the wait ends, and a source that opens later is closed.
///
/// Args:
///     url: the URL.
///     lazy: if true, only the URL is read, and the source is opened by its first use. Then a
///         module can be imported without its store. If opening fails, that use raises the error,
///         and the next use tries again, after at most half a second. ``check()`` opens the source
///         as well. Threads may use it first at the same time. A child that is forked before the
///         first use opens its own.
///
/// Raises:
///     UrlError: if the URL cannot be read, or has an unknown scheme or parameter.
///     ParameterError: if a value is not possible.
///     SnowmintError: an error of the source.
#[pyfunction]
#[pyo3(signature = (url, *, lazy=false))]
pub(crate) fn open(py: Python<'_>, url: &str, lazy: bool) -> PyResult<Py<PyAny>> {
    let kind = or_raise(py, snowmint::kind_of(url))?;
    if kind == "uuid" {
        return UuidSource::open_url(py, url, lazy)?.into_py_any(py);
    }
    let source = open_as(py, kind, url, lazy)?;
    match kind {
        "snowflake" => Snowflake::new(source).into_py_any(py),
        "segment" => Segment::new(source).into_py_any(py),
        "daily" => Daily::new(source).into_py_any(py),
        "sequences" => Sequences::new(source).into_py_any(py),
        "ring" => Ring::new(source).into_py_any(py),
        _ => Err(exception(py, &error::source_kind_unknown())),
    }
}

/// Tells this process that it is a restored or cloned image: from a snapshot of its virtual
/// machine, by SnapStart or CRIU. Another process may have the same leases and numbers, so every
/// source drops what it has and starts over at its next call, as in a forked child.
///
/// Call it after each restore, before the first ID: a process cannot detect that it was restored.
/// Until then the twins of an image can issue the same IDs, up to the end of the reservations in
/// the image. These are a lease's time (a minute by default), or the rest of a range.
///
/// Leased worker IDs and segments go on with another lease and another range. Fixed worker IDs and
/// ``MemoryStore``s are in every image: they fail with the codes ``forked`` and
/// ``store_unavailable``, and you have to open them again. Any thread may call it. A call that
/// another thread had begun may still return an ID from before.
#[pyfunction]
pub(crate) fn on_restore(py: Python<'_>) {
    // It waits for locks of sources, whose holders may need the interpreter's lock.
    released(py, snowmint::on_restore);
}
