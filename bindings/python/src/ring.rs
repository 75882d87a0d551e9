//! IDs made ahead of need.

use std::time::Duration;

use pyo3::prelude::*;
use snowmint::{Mint, RingSource, Source};

use crate::layout::{Layout, describe};
use crate::methods::source_methods;
use crate::minting::close;
use crate::number::{Int, Named as _};
use crate::wait::{Handle, detached};

/// IDs of a snowflake, a segment or a source of daily numbers, made ahead by a thread of the ring's
/// own: a call takes what is ready, whatever the clock, the store or a full tick are at. It is
/// opened by URL alone: ``open("snowflake:?worker_id=7&ring=1024")``.
///
/// - Measures: ``ring`` is how many IDs can be ready, a power of two up to 1048576. The ring is
///   filled up when fewer than ``ring_refill`` percent of it are ready, 30 unless given, and every
///   ``ring_every_ms`` while IDs are taken, 1000 unless given.
/// - Order: IDs rise strictly in issue order, as the source's do.
/// - Age: a snowflake that has been ready for ``ring_every_ms`` is thrown away: by so much its time
///   can be older than that of one made at once; by twice that where the clock is set back
///   meanwhile. Daily numbers are thrown away when their day ends. A segment's numbers have no age.
/// - Empty: a call waits up to its bound, and fails with ``empty``, or with what keeps the source
///   from making more. The ring is empty before the first call, and when nobody has taken from it
///   for a while.
/// - Gaps: what is thrown away, and what is ready when the ring is closed.
/// - Threads: share it; taking what is ready takes no lock. Fork: a child begins with an empty
///   ring.
/// - Stats: the source's, the ring first among the buckets.
#[pyclass(frozen, module = "snowmint")]
pub(crate) struct Ring {
    inner: Handle<RingSource>,
}

impl Ring {
    pub(crate) fn new(ring: RingSource) -> Ring {
        Ring { inner: Handle::new(ring) }
    }
}

source_methods!(Ring, RingSource, "Ring", {
    /// The layout of its IDs, if they are snowflakes.
    #[getter]
    fn layout(&self) -> Option<Layout> {
        self.inner.source().layout().map(|layout| Layout(*layout))
    }

    /// Stops minting, and closes the source; what is ready is lost. ``wait_ms`` waits up to so many
    /// milliseconds until the store has a leased worker ID back. Closing twice is no error.
    ///
    /// Raises:
    ///     SnowmintError: as ``Snowflake.close``; it is closed all the same.
    #[pyo3(signature = (wait_ms=None))]
    fn close(&self, py: Python<'_>, wait_ms: Option<Int<u64>>) -> PyResult<()> {
        let wait_ms = wait_ms.named(py, "wait_ms")?;
        let Some(wait_ms) = wait_ms else { return close(py, &*self.inner) };
        detached(py, || self.inner.close_within(Duration::from_millis(wait_ms)))
    }

    fn __repr__(&self) -> String {
        match self.inner.source() {
            Source::Segment(segment) => format!("<snowmint.Ring of tag '{}'>", segment.tag()),
            Source::Daily(daily) => format!("<snowmint.Ring of tag '{}'>", daily.tag()),
            source => {
                format!("<snowmint.Ring of {}>", source.layout().map(describe).unwrap_or_default())
            }
        }
    }
});
