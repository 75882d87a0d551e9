//! The snowflake generator with time as an argument, for tests, simulators and clocks of your own.

use std::mem::MaybeUninit;

use snowmint::Result;
use snowmint::engine::{Error as EngineError, Grant, Lane, Pace, SharedSnowflake, SnowflakeOwner};

use crate::argument::{Tagged, given, handle, keep, numbers, read, take_back};
use crate::failure::{give, guard, guard_silently, snowmint_status};
use crate::layout::snowmint_layout;
use crate::policy::snowmint_start;

/// A snowflake generator that reads no clock, never waits and does no I/O: the time is an argument,
/// a stall is a result. Only its lane keeps its IDs unique. Lanes of one worker ID must be
/// disjoint, and a forked child must not go on with its parent's lane. Any number of threads may
/// call any function on it at once, except `snowmint_machine_free`.
pub struct snowmint_machine(Tagged<SharedSnowflake>);
handle!(snowmint_machine, SharedSnowflake, b"snowmach");

/// A worker ID and the ticks it may use: from `floor` to before `reserved`, or all ticks from
/// `floor` on if that is `UINT64_MAX`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct snowmint_lane {
    /// The first tick granted.
    pub floor: u64,
    /// The first tick not granted.
    pub reserved: u64,
    /// The worker ID: all worker fields side by side, the upper first.
    pub worker_id: u32,
    /// The rollback counter; 0 if the layout has none.
    pub rollback: u32,
}

impl From<&snowmint_lane> for Lane {
    fn from(lane: &snowmint_lane) -> Lane {
        let &snowmint_lane { floor, reserved, worker_id, rollback } = lane;
        Lane { worker_id, rollback, grant: Grant { floor, reserved } }
    }
}

/// Creates a generator at the floor of its lane. An ID's time may run up to `max_ahead_ms`
/// milliseconds ahead of the given time. If `start` is NULL, sequences start at 0. `machine`
/// receives a handle, which you end with `snowmint_machine_free`.
///
/// Errors: `SNOWMINT_FIELD_OUT_OF_RANGE` for a worker ID or rollback counter that does not fit.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_machine_new(
    layout: Option<&snowmint_layout>,
    lane: Option<&snowmint_lane>,
    max_ahead_ms: u32,
    start: Option<&snowmint_start>,
    machine: Option<&mut MaybeUninit<*mut snowmint_machine>>,
) -> snowmint_status {
    give(machine, "machine", || {
        let layout = given(layout)?;
        let lane = read(lane, "lane")?.into();
        let start = start.map(TryInto::try_into).transpose()?.unwrap_or_default();
        let pace = Pace { max_ahead_ms, start };
        Ok(keep(SharedSnowflake::new(*layout, lane, pace)?))
    })
}

/// Frees a generator, which must not be used any more. NULL is no error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_machine_free(machine: *mut snowmint_machine) {
    // SAFETY: as the header asks.
    guard_silently(|| drop(unsafe { take_back(machine) }));
}

/// Issues `n` IDs in contiguous slots at `now_ms`, in Unix milliseconds. It issues all or none: an
/// error changes nothing.
///
/// Errors: the stalls `SNOWMINT_CLOCK_BEHIND`, `SNOWMINT_SEQUENCE_EXHAUSTED` and
/// `SNOWMINT_GRANT_EXHAUSTED`, after which `snowmint_last_wait_ms` says when to ask again;
/// `SNOWMINT_COUNT_OUT_OF_RANGE` if `n` is 0 or more than can ever be issued at once;
/// `SNOWMINT_EPOCH_IN_FUTURE`, `SNOWMINT_LAYOUT_EXPIRED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_machine_issue(
    machine: Option<&snowmint_machine>,
    now_ms: i64,
    n: u32,
    ids: *mut u64,
) -> snowmint_status {
    guard(|| {
        let machine = given(machine)?;
        // SAFETY: as the header asks.
        let ids = unsafe { numbers(ids, n as usize, "ids") }?;
        machine.issue(now_ms, n)?.fill(ids);
        Ok(())
    })
}

/// Raises the end of the lane's ticks. A lower end than before changes nothing.
///
/// Errors: only for invalid arguments.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_machine_extend(
    machine: Option<&snowmint_machine>,
    reserved: u64,
) -> snowmint_status {
    guard(|| {
        owner(given(machine)?).extend(reserved);
        Ok(())
    })
}

/// Continues in another lane, for a new lease or worker ID. It begins at the lane's floor or in a
/// tick after the last ID's, whichever is later, so that IDs keep rising.
///
/// Errors: `SNOWMINT_FIELD_OUT_OF_RANGE`, which keeps the old lane.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_machine_open(
    machine: Option<&snowmint_machine>,
    lane: Option<&snowmint_lane>,
) -> snowmint_status {
    #[expect(clippy::redundant_closure_for_method_calls, reason = "the method has one lifetime")]
    change(machine, lane, |owner, lane| owner.open(lane))
}

/// Continues in another lane, whatever the times of the IDs issued before. Policies that change
/// workers or count rollbacks do this. IDs may go down here. To come back to a worker ID, use a
/// lane that is disjoint from its earlier lanes.
///
/// Errors: `SNOWMINT_FIELD_OUT_OF_RANGE`, which keeps the old lane.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_machine_jump(
    machine: Option<&snowmint_machine>,
    lane: Option<&snowmint_lane>,
) -> snowmint_status {
    #[expect(clippy::redundant_closure_for_method_calls, reason = "the method has one lifetime")]
    change(machine, lane, |owner, lane| owner.jump(lane))
}

fn change(
    machine: Option<&snowmint_machine>,
    lane: Option<&snowmint_lane>,
    change: impl FnOnce(&mut SnowflakeOwner<'_>, Lane) -> Result<(), EngineError>,
) -> snowmint_status {
    guard(|| Ok(change(&mut owner(given(machine)?), read(lane, "lane")?.into())?))
}

/// Waits for other threads that change the lane, which takes each of them a few stores to memory.
fn owner(machine: &SharedSnowflake) -> SnowflakeOwner<'_> {
    loop {
        match machine.owner() {
            Some(owner) => return owner,
            None => std::thread::yield_now(),
        }
    }
}
