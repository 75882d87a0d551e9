//! The snowflake machine, without a clock.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use snowmint::engine::{Grant, Lane, Pace, Snowflake as Machine};

use crate::buffer::array_of;
use crate::error::or_raise;
use crate::layout::{Layout, LayoutArgument};
use crate::minting::not_pickled;
use crate::number::{Int, Named as _};
use crate::policy::StartArgument;
use crate::time::Moment;

/// A snowflake generator without a clock: the caller passes the time. If an ID is not available
/// yet, it raises a ``StallError`` that says when to ask again. The same calls give the same IDs in
/// every language.
///
/// It issues the ticks from ``floor`` to before ``reserved``. You have to make sure that nobody
/// else has them: only ``snowmint.Snowflake`` reserves.
///
/// - Order: IDs rise strictly in issue order if the time field is above worker and sequence.
/// - Overflow: a full tick carries into the next, up to ``max_ahead_ms`` ahead, then stalls.
/// - Clock rollback: goes on above the last ID, within ``max_ahead_ms``; beyond that, stalls.
/// - Threads: one call at a time. Fork: a copy repeats IDs.
///
/// Args:
///     layout: a ``Layout``, a preset's name, or fields.
///     worker_id: the worker ID.
///     rollback: the rollback counter.
///     floor: the first tick that it may issue.
///     reserved: the first tick that it may not issue. By default it may issue all ticks.
///     max_ahead_ms: the most that an ID's time may run ahead of the clock.
///     start: the start of a fresh tick's sequence.
///
/// Raises:
///     LayoutError: ``field_out_of_range``.
#[pyclass(frozen, module = "snowmint.engine", name = "Snowflake")]
pub(crate) struct EngineSnowflake {
    machine: Mutex<Machine>,
}

impl EngineSnowflake {
    fn machine(&self) -> MutexGuard<'_, Machine> {
        self.machine.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn lane(
    py: Python<'_>,
    worker_id: Int<u32>,
    rollback: Int<u32>,
    floor: Int<u64>,
    reserved: Int<u64>,
) -> PyResult<Lane> {
    Ok(Lane {
        worker_id: worker_id.named(py, "worker_id")?,
        rollback: rollback.named(py, "rollback")?,
        grant: Grant {
            floor: floor.named(py, "floor")?,
            reserved: reserved.named(py, "reserved")?,
        },
    })
}

#[pymethods]
impl EngineSnowflake {
    #[new]
    #[pyo3(
        signature = (
            layout, *, worker_id, rollback=Int::Of(0), floor=Int::Of(0), reserved=Int::Of(u64::MAX),
            max_ahead_ms=Int::Of(0), start=None
        ),
        text_signature = "(layout, *, worker_id, rollback=0, floor=0, \
                          reserved=18446744073709551615, max_ahead_ms=0, start=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn new(
        py: Python<'_>,
        layout: LayoutArgument,
        worker_id: Int<u32>,
        rollback: Int<u32>,
        floor: Int<u64>,
        reserved: Int<u64>,
        max_ahead_ms: Int<u32>,
        start: Option<StartArgument>,
    ) -> PyResult<EngineSnowflake> {
        let start = start.map_or_else(Default::default, |StartArgument(start)| start);
        let pace = Pace { max_ahead_ms: max_ahead_ms.named(py, "max_ahead_ms")?, start };
        let lane = lane(py, worker_id, rollback, floor, reserved)?;
        let machine = Machine::new(layout.0, lane, pace);
        Ok(EngineSnowflake { machine: Mutex::new(or_raise(py, machine)?) })
    }

    /// The layout.
    #[getter]
    fn layout(&self) -> Layout {
        Layout(*self.machine().layout())
    }

    /// Issues one ID at the time ``now``.
    ///
    /// Raises:
    ///     StallError: if the ID is not available now; ``wait_ms`` says when.
    ///     LayoutError: ``epoch_in_future``, ``layout_expired``.
    fn next_id(&self, py: Python<'_>, now: Moment) -> PyResult<u64> {
        or_raise(py, self.machine().next_id(now.0))
    }

    /// Issues ``n`` IDs at the time ``now``, in contiguous slots, all or none, as an
    /// ``array('Q')``.
    ///
    /// Raises:
    ///     ParameterError: ``count_out_of_range`` for 0, or for more than can ever be available at
    ///         once.
    ///     SnowmintError: like ``next_id``.
    #[pyo3(signature = (n, *, now))]
    fn issue<'py>(&self, py: Python<'py>, n: Int<u32>, now: Moment) -> PyResult<Bound<'py, PyAny>> {
        let n = n.named(py, "n")?;
        let ids = self.machine().issue(now.0, n);
        array_of(py, or_raise(py, ids)?)
    }

    /// Moves the end of the grant up; a lower end changes nothing.
    fn extend(&self, py: Python<'_>, reserved: Int<u64>) -> PyResult<()> {
        let reserved = reserved.named(py, "reserved")?;
        self.machine().extend(reserved);
        Ok(())
    }

    /// Changes to another lane: a new lease or worker ID. It begins at the grant's floor or in a
    /// tick after the last ID's, whichever is later, so that IDs keep rising.
    ///
    /// Raises:
    ///     LayoutError: ``field_out_of_range``; the old lane then stays.
    #[pyo3(
        signature = (*, worker_id, rollback=Int::Of(0), floor=Int::Of(0), reserved=Int::Of(u64::MAX)),
        text_signature = "($self, *, worker_id, rollback=0, floor=0, \
                          reserved=18446744073709551615)"
    )]
    fn open(
        &self,
        py: Python<'_>,
        worker_id: Int<u32>,
        rollback: Int<u32>,
        floor: Int<u64>,
        reserved: Int<u64>,
    ) -> PyResult<()> {
        let lane = lane(py, worker_id, rollback, floor, reserved)?;
        or_raise(py, self.machine().open(lane))
    }

    /// Changes to another lane regardless of the times of IDs issued before, as
    /// ``change_worker`` and ``count_rollback`` do. IDs may go down here. Coming back to a worker
    /// ID needs ticks disjoint from those it had.
    ///
    /// Raises:
    ///     LayoutError: ``field_out_of_range``; the old lane then stays.
    #[pyo3(
        signature = (*, worker_id, rollback=Int::Of(0), floor=Int::Of(0), reserved=Int::Of(u64::MAX)),
        text_signature = "($self, *, worker_id, rollback=0, floor=0, \
                          reserved=18446744073709551615)"
    )]
    fn jump(
        &self,
        py: Python<'_>,
        worker_id: Int<u32>,
        rollback: Int<u32>,
        floor: Int<u64>,
        reserved: Int<u64>,
    ) -> PyResult<()> {
        let lane = lane(py, worker_id, rollback, floor, reserved)?;
        or_raise(py, self.machine().jump(lane))
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(not_pickled("Snowflake"))
    }

    fn __repr__(&self) -> String {
        let machine = self.machine();
        let (layout, worker) =
            (crate::layout::describe(machine.layout()), machine.lane().worker_id);
        format!("<snowmint.engine.Snowflake of {layout}, worker {worker}>")
    }
}
