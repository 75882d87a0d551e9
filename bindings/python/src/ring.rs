//! Rings: buffers of IDs that are made ahead.

use std::time::Duration;

use pyo3::prelude::*;
use snowmint::{LazySource, Mint};

use crate::layout::{Layout, describe};
use crate::methods::source_methods;
use crate::minting::close;
use crate::number::{Int, Named as _};
use crate::wait::{Handle, detached};

/// A buffer of IDs of a snowflake, a segment or a source of daily numbers. A thread of the ring
/// makes them ahead, so a call takes a ready ID whatever the clock and the store do, and even
/// during a full tick. You can only open it by URL: ``open("snowflake:?worker_id=7&ring=1024")``.
///
/// - Size: ``ring`` is the number of IDs that can be ready, a power of two up to 1048576. The ring
///   is refilled when fewer than ``ring_refill`` percent of it are ready (default 30), and every
///   ``ring_every_ms`` while IDs are taken (default 1000).
/// - Order: IDs rise strictly in issue order, as the source's do.
/// - Age: a snowflake is discarded once it has been ready for ``ring_every_ms``. Its time can be
///   older by that much than the time of an ID made at once, or by twice that if the clock is set
///   back meanwhile. Daily numbers are discarded at the end of their day. A segment's numbers do
///   not age.
/// - Empty: a call waits up to its bound. Then it fails with ``empty``, or with the error that
///   keeps the source from making more. The ring is empty before the first call, and when nobody
///   has taken from it for a while.
/// - Gaps: discarded IDs, and IDs that are ready when the ring is closed.
/// - Threads: share it; taking a ready ID takes no lock. Fork: a child begins with an empty ring.
/// - Stats: those of the source; the ring is the first bucket.
#[pyclass(frozen, module = "snowmint")]
pub(crate) struct Ring {
    inner: Handle<LazySource>,
}

impl Ring {
    pub(crate) fn new(source: LazySource) -> Ring {
        Ring { inner: Handle::new(source) }
    }
}

source_methods!(Ring, "ring", {
    /// The layout of its IDs, if they are snowflakes.
    #[getter]
    fn layout(&self) -> Option<Layout> {
        self.inner.layout().copied().map(Layout)
    }

    /// Stops minting and closes the source. Ready IDs are lost. ``wait_ms`` waits up to so many
    /// milliseconds until the store has a leased worker ID back. Closing twice is no error. The
    /// ring is closed even if this raises an error.
    ///
    /// Raises:
    ///     SnowmintError: like ``Snowflake.close``.
    #[pyo3(signature = (wait_ms=None))]
    fn close(&self, py: Python<'_>, wait_ms: Option<Int<u64>>) -> PyResult<()> {
        let wait_ms = wait_ms.named(py, "wait_ms")?;
        let Some(wait_ms) = wait_ms else { return close(py, &*self.inner) };
        detached(py, || self.inner.close_within(Duration::from_millis(wait_ms)))
    }

    fn __repr__(&self) -> String {
        match self.inner.tag() {
            Some(tag) => format!("<snowmint.Ring of tag '{tag}'>"),
            None => {
                let layout = self.inner.layout().map(describe).unwrap_or_default();
                format!("<snowmint.Ring of {layout}>")
            }
        }
    }
});
