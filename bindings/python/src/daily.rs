//! Numbers that begin with the date.

use std::time::Duration;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use snowmint::{LazySource, Mint, Source, Tag};

use crate::buffer::class_name;
use crate::engine::segment::PrefetchArgument;
use crate::error::or_raise;
use crate::methods::source_methods;
use crate::minting::{close, tag_of};
use crate::number::{Int, Named as _, step_size};
use crate::store::StoreArgument;
use crate::wait::{Handle, opened};

/// A zone by its name.
#[derive(Clone, Copy)]
struct ZoneArgument<'a>(&'a str);

impl<'a, 'py> FromPyObject<'a, 'py> for ZoneArgument<'a> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        object.extract().map(ZoneArgument).map_err(|_| {
            let found = class_name(&object);
            PyTypeError::new_err(format!(
                "zone should be a text, as \"Asia/Shanghai\" or \"+08:00\", and no {found}: of a \
                 ZoneInfo its key"
            ))
        })
    }
}

/// Mints numbers that begin with the date: with 6 digits the 42nd of 21 August 2026 is
/// ``20260821000042``.
///
/// Each day has its own tag, ``tag:yyyymmdd``, created at its first use, with numbers from 1.
///
/// - Order: numbers rise strictly in issue order, across threads, ranges and days. Between
///   processes there is no order within a day.
/// - Gaps: numbers that were fetched and not minted when the day or the process ends are lost.
/// - Overflow: when a day's numbers are used up, calls fail with ``tag_exhausted`` until the next
///   day.
/// - Clock: it only decides for which day to mint. Nothing is ever issued twice.
/// - Threads: share it. Fork: a child fetches its own ranges.
///
/// Args:
///     tag: the name of the sequence; in a namespace ``shop/invoice``.
///     store: a ``Store``.
///     zone: the time zone of the days: ``UTC`` (default), an offset such as ``+08:00``, or an IANA
///         name.
///     digits: the number of digits after the date, 1 to 10 (default 6).
///     step: the count of numbers in a range (default: a thousandth of a day's).
///     prefetch: the percentage of a range that is used when the next is fetched (default 50).
///     wait_ms: the longest time that a call waits for a number (default 5000).
///
/// Raises:
///     ParameterError: for an unknown zone, or if a value is not possible.
///     StoreError: an error of the store.
#[pyclass(frozen, module = "snowmint")]
pub(crate) struct Daily {
    inner: Handle<LazySource>,
}

impl Daily {
    pub(crate) fn new(source: LazySource) -> Daily {
        Daily { inner: Handle::new(source) }
    }
}

source_methods!(Daily, "daily", {
    #[new]
    #[pyo3(signature = (
        tag, *, store, zone=None, digits=None, step=None, prefetch=None, wait_ms=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn open(
        py: Python<'_>,
        tag: &str,
        store: StoreArgument<'_>,
        zone: Option<ZoneArgument<'_>>,
        digits: Option<Int<u32>>,
        step: Option<Int<u64>>,
        prefetch: Option<PrefetchArgument>,
        wait_ms: Option<Int<u64>>,
    ) -> PyResult<Daily> {
        let tag = or_raise(py, Tag::of_row(tag))?;
        let mut builder = snowmint::Daily::builder(store.shared()?, tag);
        if let Some(ZoneArgument(zone)) = zone {
            builder = builder.zone(zone);
        }
        let digits = digits.map(|digits| digits.within(py, "digits", "1 to 10")).transpose()?;
        if let Some(digits) = digits {
            builder = builder.digits(digits);
        }
        if let Some(step) = step_size(py, step, "step")? {
            builder = builder.step(step);
        }
        if let Some(PrefetchArgument(prefetch)) = prefetch {
            builder = builder.prefetch(prefetch);
        }
        if let Some(wait_ms) = wait_ms.named(py, "wait_ms")? {
            builder = builder.wait(Duration::from_millis(wait_ms));
        }
        let daily = opened(py, move || builder.open())?;
        Ok(Daily::new(Source::Daily(daily).into()))
    }

    /// The tag, without a day.
    #[getter]
    fn tag(&self) -> &str {
        tag_of(&self.inner)
    }

    /// Stops minting. Fetched numbers are lost. Closing twice is no error. ``wait_ms`` has no
    /// effect, because no store has to know; every source has this parameter.
    #[pyo3(signature = (wait_ms=None))]
    fn close(&self, py: Python<'_>, wait_ms: Option<Int<u64>>) -> PyResult<()> {
        wait_ms.named(py, "wait_ms")?;
        close(py, &*self.inner)
    }

    fn __repr__(&self) -> String {
        format!("<snowmint.Daily of tag '{}'>", self.tag())
    }
});
