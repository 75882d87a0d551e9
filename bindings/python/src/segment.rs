//! A tag's numbers.

use std::sync::Arc;
use std::time::Duration;

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use snowmint::{Mint, SegmentStore, Tag};

use crate::engine::segment::{PrefetchArgument, StepArgument};
use crate::error::{self, exception, or_raise};
use crate::held::{Held, or_let_go};
use crate::methods::source_methods;
use crate::minting::close;
use crate::number::{Int, Named as _};
use crate::store::StoreArgument;
use crate::store_of_users::UsersAllocator;
use crate::wait::{Handle, opened};

/// Mints the numbers of a tag, from ranges reserved in a store and fetched ahead.
///
/// - Order: numbers rise strictly in issue order, across threads and ranges. Other processes on the
///   same tag mint from ranges of their own: between processes there is no order.
/// - Gaps: what is fetched and not minted when a process ends is lost.
/// - Threads: share it; minting takes no lock while fetched numbers last.
/// - Fork: a child fetches ranges of its own.
/// - Store down: the fetched numbers are minted to the end, then calls fail within their bound, and
///   go on by themselves when the store is back.
///
/// Args:
///     tag: the name of the sequence: 1 to 64 of ``A-Z a-z 0-9 _ . : -``, or such a name in a
///         namespace: ``shop/orders``.
///     store: a ``Store`` that has the tag.
///     allocate: in place of a store, ``allocate(tag, count)``, which reserves about ``count``
///         numbers and returns ``(start, end)`` or ``(start, end, stride)``, ``end`` not included.
///         It is called from a thread of snowmint's, one call at a time, and may take its time.
///         Nonsense is refused (``invalid_range``), as is a range of far more numbers than were asked
///         for (``invalid_answer``), and what it raises is the ``__cause__`` of a
///         ``store_unavailable``; it is asked again either way. A range at or below the last one ends
///         the source (``range_regressed``): others may have what is at hand, too. Open it anew
///         when what reserves the ranges is above all that was ever issued: nobody can raise the tag
///         of a callable, and the next segment over one does not know which numbers this one had.
///     step: how many numbers a range has. Unless given, the tag's step (1000 with ``allocate``),
///         doubled up to a million for as long as ranges last less than 15 minutes.
///     runway_ms: in place of ``step``: how long the numbers at hand are to last, up to a day, so that
///         the store may be away for as long: ranges double from the tag's step on until they do.
///     prefetch: percent of a range used when the next is fetched: 10 unless given.
///     wait_ms: how long a call waits for a number: 5000 unless given.
///
/// Raises:
///     ParameterError: a value that is not possible.
///     SegmentError: ``unknown_tag``. An ID service tells it with the first range, which is fetched
///         at once; one that does not answer within ``wait_ms``, or is none, is told of by the
///         first call.
///     StoreError: of the store.
#[pyclass(frozen, module = "snowmint")]
pub(crate) struct Segment {
    allocate: Option<Held>,
    /// The last to go: then nothing holds the callable, and it is let go.
    inner: Handle<snowmint::Segment>,
}

impl Segment {
    pub(crate) fn new(segment: snowmint::Segment) -> Segment {
        Segment { inner: Handle::new(segment), allocate: None }
    }
}

source_methods!(Segment, snowmint::Segment, "Segment", {
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
        Ok(Segment { allocate, ..Segment::new(segment) })
    }

    /// The tag.
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
        format!("<snowmint.Segment of tag '{}'>", self.inner.tag())
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
