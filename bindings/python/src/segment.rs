//! Segments: the numbers of a tag.

use std::sync::Arc;
use std::time::Duration;

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use snowmint::{LazySource, Mint, SegmentStore, Source, Tag};

use crate::engine::segment::{PrefetchArgument, StepArgument};
use crate::error::{self, exception, or_raise};
use crate::held::{Held, or_let_go};
use crate::methods::source_methods;
use crate::minting::{close, tag_of};
use crate::number::{Int, Named as _};
use crate::store::StoreArgument;
use crate::store_of_users::UsersAllocator;
use crate::wait::{Handle, opened};

/// Mints the numbers of a tag, from ranges that are reserved in a store and fetched ahead.
///
/// - Order: numbers rise strictly in issue order, across threads and ranges. Other processes on the
///   same tag mint from their own ranges, so there is no order between processes.
/// - Gaps: numbers that were fetched and not minted when a process ends are lost.
/// - Threads: share it. Minting takes no lock while fetched numbers last.
/// - Fork: a child fetches its own ranges.
/// - Store down: the fetched numbers are minted to the end. Then calls fail within their bound, and
///   succeed again by themselves once the store is back.
///
/// Args:
///     tag: the name of the sequence: 1 to 64 of ``A-Z a-z 0-9 _ . : -``, or such a name in a
///         namespace: ``shop/orders``.
///     store: a ``Store`` that has the tag.
///     allocate: a function to use instead of a store. ``allocate(tag, count)`` reserves about
///         ``count`` numbers and returns ``(start, end)`` or ``(start, end, stride)``, ``end`` not
///         included. A thread of snowmint calls it, one call at a time, and it may take its time.
///
///         An impossible range is refused (``invalid_range``), and so is a range of far more
///         numbers than requested (``invalid_answer``). An exception becomes the ``__cause__`` of a
///         ``store_unavailable``. After each of these errors snowmint calls it again.
///
///         A range at or below the last one ends the source (``range_regressed``), because
///         others may have the numbers at hand too. Open it again once the function reserves
///         only ranges above everything ever issued. Nobody can raise the tag of a function, and
///         the next segment over it does not know which numbers this segment had.
///     step: the count of numbers in a range. The default is the tag's step (1000 with
///         ``allocate``), doubled up to a million while ranges last less than 15 minutes.
///     runway_ms: the time that the numbers at hand should last while the store is away, up to a
///         day. Use it instead of ``step``: ranges double from the tag's step on until they last so
///         long.
///     prefetch: the percentage of a range that is used when the next is fetched (default 10).
///     wait_ms: the longest time that a call waits for a number (default 5000).
///
/// Raises:
///     ParameterError: if a value is not possible.
///     SegmentError: ``unknown_tag``. An ID service reports it with the first range, which is
///         fetched at once. If the service does not answer within ``wait_ms``, or is not an ID
///         service, the first call reports that.
///     StoreError: an error of the store.
#[pyclass(frozen, module = "snowmint")]
pub(crate) struct Segment {
    allocate: Option<Held>,
    /// Dropped last. Then nothing holds the callable any more, and it is released.
    inner: Handle<LazySource>,
}

impl Segment {
    pub(crate) fn new(source: LazySource) -> Segment {
        Segment { inner: Handle::new(source), allocate: None }
    }
}

source_methods!(Segment, "segment", {
    #[new]
    #[pyo3(signature = (
        tag, *, store=None, allocate=None, step=None, runway_ms=None, prefetch=None, wait_ms=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "Python names them")]
    fn open(
        py: Python<'_>,
        tag: &str,
        store: Option<StoreArgument<'_>>,
        allocate: Option<&Bound<'_, PyAny>>,
        step: Option<StepArgument>,
        runway_ms: Option<Int<u64>>,
        prefetch: Option<PrefetchArgument>,
        wait_ms: Option<Int<u64>>,
    ) -> PyResult<Segment> {
        let tag = or_raise(py, Tag::of_row(tag))?;
        let mut held = None;
        let store: Arc<dyn SegmentStore> = match (store, allocate) {
            (Some(store), None) => store.shared()?,
            (None, Some(allocate)) => {
                let allocator = UsersAllocator::new(allocate)?;
                held = Some(allocator.held());
                Arc::new(allocator)
            }
            _ => return Err(exception(py, &error::not_one_allocator())),
        };
        let mut builder = snowmint::Segment::builder(store, tag);
        if let Some(StepArgument(step)) = step {
            builder = builder.step(step);
        }
        if let Some(runway_ms) = runway_ms.named(py, "runway_ms")? {
            builder = builder.runway(Duration::from_millis(runway_ms));
        }
        if let Some(PrefetchArgument(prefetch)) = prefetch {
            builder = builder.prefetch(prefetch);
        }
        if let Some(wait_ms) = wait_ms.named(py, "wait_ms")? {
            builder = builder.wait(Duration::from_millis(wait_ms));
        }
        let opened = opened(py, move || builder.open());
        let (segment, allocate) = or_let_go(py, opened, held)?;
        let source = LazySource::from(Source::Segment(segment));
        Ok(Segment { allocate, ..Segment::new(source) })
    }

    /// The tag.
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
        format!("<snowmint.Segment of tag '{}'>", self.tag())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.allocate.as_ref().map_or(Ok(()), |held| held.traverse(&visit))
    }

    fn __clear__(&self) {
        if let Some(held) = &self.allocate {
            held.clear();
        }
    }
});
