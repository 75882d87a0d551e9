//! Numbers that begin with the date.

use std::time::Duration;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use snowmint::{Mint, Tag};

use crate::buffer::class_name;
use crate::engine::segment::PrefetchArgument;
use crate::error::or_raise;
use crate::methods::source_methods;
use crate::minting::close;
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
/// Each day has a tag of its own, ``tag:yyyymmdd``, created at its first use, with numbers from 1.
///
/// - Order: numbers rise strictly in issue order, across threads, ranges and days; between
///   processes there is no order within a day.
/// - Gaps: what is fetched and not minted when the day or the process ends is lost.
/// - Overflow: when a day's numbers are used up calls fail with ``tag_exhausted``, and the next day
///   goes on.
/// - Clock: it says only which day to mint for; nothing is ever issued twice.
/// - Threads: share it. Fork: a child fetches ranges of its own.
///
/// Args:
///     tag: the name of the sequence; in a namespace ``shop/invoice``.
///     store: a ``Store``.
///     zone: whose days count: ``UTC`` unless given, an offset as ``+08:00``, or an IANA name.
///     digits: how many follow the date, 1 to 10; 6 unless given.
///     step: how many numbers a range has; a thousandth of a day's unless given.
///     prefetch: percent of a range used when the next is fetched: 50 unless given.
///     wait_ms: how long a call waits for a number: 5000 unless given.
///
/// Raises:
///     ParameterError: an unknown zone, or a value that is not possible.
///     StoreError: of the store.
#[pyclass(frozen, module = "snowmint")]
pub(crate) struct Daily {
    inner: Handle<snowmint::Daily>,
}

impl Daily {
    pub(crate) fn new(daily: snowmint::Daily) -> Daily {
        Daily { inner: Handle::new(daily) }
    }
}

source_methods!(Daily, snowmint::Daily, "Daily", {
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
        opened(py, move || builder.open()).map(Daily::new)
    }

    /// The tag, without a day.
    #[getter]
    fn tag(&self) -> &str {
        self.inner.tag().as_str()
    }

    /// Stops minting; fetched numbers are lost. Closing twice is no error. ``wait_ms`` is there
    /// because every source has it: no store has to know.
    #[pyo3(signature = (wait_ms=None))]
    fn close(&self, py: Python<'_>, wait_ms: Option<Int<u64>>) -> PyResult<()> {
        wait_ms.named(py, "wait_ms")?;
        close(py, &*self.inner)
    }

    fn __repr__(&self) -> String {
        format!("<snowmint.Daily of tag '{}'>", self.inner.tag())
    }
});
