//! The engine's machines: time is an argument, waiting is a result.

use napi::Env;
use napi::bindgen_prelude::{BigInt, BigUint64Array, External};
use napi_derive::napi;
use snowmint::engine::{Action, Grant, Lane, Pace, SegmentBuffer, Snowflake, Stall, StallReason};
use snowmint::{
    ClockPolicy, Code, Layout, NumberRange, Prefetch, SequenceStart, StepSize, WhenBehind, WhenFull,
};

use crate::errors;
use crate::failure::guarded;

/// The worker and the ticks that a generator may use.
#[napi(object, object_to_js = false)]
pub struct LaneRow {
    /// The worker ID.
    pub worker_id: u32,
    /// The rollback counter.
    pub rollback: u32,
    /// The first tick granted.
    pub floor: BigInt,
    /// The first tick not granted.
    pub reserved: BigInt,
}

impl LaneRow {
    fn lane(&self) -> Lane {
        let grant = Grant { floor: self.floor.get_u64().1, reserved: self.reserved.get_u64().1 };
        Lane { worker_id: self.worker_id, rollback: self.rollback, grant }
    }
}

/// The rule for where the sequence of a fresh tick begins.
#[napi(object, object_to_js = false)]
pub struct StartRow {
    /// The kind of start: `zero`, `vibrate`, `random` or `rotate`.
    pub kind: String,
    /// For `vibrate`, the largest start. For `random`, the largest start plus one.
    pub bound: u32,
    /// The seed, for `random`.
    pub seed: BigInt,
}

fn start(row: &StartRow) -> snowmint::Result<SequenceStart> {
    Ok(match row.kind.as_str() {
        "zero" => SequenceStart::Zero,
        "vibrate" => SequenceStart::Vibrate { max_offset: row.bound },
        "random" => SequenceStart::Random { below: row.bound, seed: row.seed.get_u64().1 },
        "rotate" => SequenceStart::Rotate,
        other => return Err(errors::sequence_start_unknown(other)),
    })
}

/// Creates a generator.
#[napi]
pub fn machine(
    env: Env,
    layout: &External<Layout>,
    lane: LaneRow,
    max_ahead_ms: u32,
    begins: StartRow,
) -> napi::Result<External<Snowflake>> {
    guarded(env, || {
        let pace = Pace { max_ahead_ms, start: start(&begins)? };
        Ok(External::new(Snowflake::new(**layout, lane.lane(), pace)?))
    })
}

/// Returns one ID at a time.
#[napi(ts_return_type = "bigint")]
pub fn machine_next_id(
    env: Env,
    machine: &mut External<Snowflake>,
    now_ms: BigInt,
) -> napi::Result<u64> {
    guarded(env, || Ok(machine.next_id(now_ms.get_i64().0)?))
}

/// Returns so many IDs at a time, all or none.
#[napi]
pub fn machine_issue(
    env: Env,
    machine: &mut External<Snowflake>,
    n: u32,
    now_ms: BigInt,
) -> napi::Result<BigUint64Array> {
    guarded(env, || {
        let issued = machine.issue(now_ms.get_i64().0, n)?;
        let mut ids = Vec::new();
        let reserved = ids.try_reserve_exact(issued.len());
        reserved.map_err(|error| errors::no_memory_for_ids(n, error))?;
        ids.extend(issued);
        Ok(BigUint64Array::new(ids))
    })
}

/// Moves the end of the grant up.
#[napi]
pub fn machine_extend(machine: &mut External<Snowflake>, reserved: BigInt) {
    machine.extend(reserved.get_u64().1);
}

/// Continues in another lane, above every ID issued.
#[napi]
pub fn machine_open(
    env: Env,
    machine: &mut External<Snowflake>,
    lane: LaneRow,
) -> napi::Result<()> {
    guarded(env, || Ok(machine.open(lane.lane())?))
}

/// Continues in another lane, without regard to the times of IDs issued.
#[napi]
pub fn machine_jump(
    env: Env,
    machine: &mut External<Snowflake>,
    lane: LaneRow,
) -> napi::Result<()> {
    guarded(env, || Ok(machine.jump(lane.lane())?))
}

/// The parts of a clock policy.
#[napi(object, object_to_js = false)]
pub struct PolicyParts {
    /// The most milliseconds by which an ID's time may be ahead of the clock.
    pub max_ahead_ms: u32,
    /// The rule for a clock that is behind: `fail`, `wait`, `count_rollback` or `change_worker`.
    pub when_behind: String,
    /// The longest wait in milliseconds.
    pub max_wait_ms: u32,
    /// The rule for a full tick: `fail` or `wait`.
    pub when_full: String,
}

impl PolicyParts {
    pub(crate) fn policy(&self) -> snowmint::Result<ClockPolicy> {
        let max_ms = self.max_wait_ms;
        let when_behind = match self.when_behind.as_str() {
            "fail" => WhenBehind::Fail,
            "wait" => WhenBehind::Wait { max_ms },
            "count_rollback" => WhenBehind::CountRollback,
            "change_worker" => WhenBehind::ChangeWorker { max_ms },
            other => return Err(errors::when_behind_unknown(other)),
        };
        let when_full = match self.when_full.as_str() {
            "wait" => WhenFull::Wait,
            "fail" => WhenFull::Fail,
            other => return Err(errors::when_full_unknown(other)),
        };
        Ok(ClockPolicy::new(self.max_ahead_ms, when_behind).with_when_full(when_full))
    }
}

/// The action that a policy takes on a stall.
#[napi(object, object_from_js = false)]
pub struct ActionRow {
    /// The kind of action: `fail`, `wait`, `count_rollback`, `change_worker` or `extend_grant`.
    pub kind: String,
    /// The wait in milliseconds.
    pub wait_ms: Option<f64>,
}

/// Returns a policy's action on a stall, which is given by the number of its error code.
#[napi]
pub fn policy_action(
    env: Env,
    policy: PolicyParts,
    code: u32,
    wait_ms: BigInt,
) -> napi::Result<ActionRow> {
    guarded(env, || {
        let policy = policy.policy()?;
        let reason = match Code::from_number(code) {
            Some(Code::ClockBehind) => StallReason::AheadOfClock,
            Some(Code::SequenceExhausted) => StallReason::SequenceExhausted,
            Some(Code::GrantExhausted) => StallReason::GrantExhausted,
            _ => return Err(errors::stall_unknown()),
        };
        Ok(action(policy.action(Stall::new(wait_ms.get_u64().1, reason))))
    })
}

fn action(action: Action) -> ActionRow {
    let (kind, wait_ms) = match action {
        Action::Fail => ("fail", None),
        Action::Wait { wait_ms } => ("wait", Some(wait_ms as f64)),
        Action::CountRollback => ("count_rollback", None),
        Action::ChangeWorker => ("change_worker", None),
        Action::ExtendGrant => ("extend_grant", None),
        _ => ("unknown", None),
    };
    ActionRow { kind: kind.to_owned(), wait_ms }
}

/// A range of numbers.
#[napi(object, object_from_js = false)]
pub struct RangeRow {
    /// The first number.
    pub start: BigInt,
    /// The first number after the range.
    pub end: BigInt,
    /// The distance between two numbers.
    pub stride: BigInt,
    /// The count of numbers in the range.
    pub count: BigInt,
}

impl From<NumberRange> for RangeRow {
    fn from(range: NumberRange) -> RangeRow {
        RangeRow {
            start: range.start().into(),
            end: range.end().into(),
            stride: range.stride().into(),
            count: range.count().into(),
        }
    }
}

fn range_of(start: &BigInt, end: &BigInt, stride: &BigInt) -> snowmint::Result<NumberRange> {
    Ok(NumberRange::new(start.get_u64().1, end.get_u64().1, stride.get_u64().1)?)
}

/// Checks a range and returns it.
#[napi]
pub fn range(env: Env, start: BigInt, end: BigInt, stride: BigInt) -> napi::Result<RangeRow> {
    guarded(env, || Ok(range_of(&start, &end, &stride)?.into()))
}

/// Creates a buffer of ranges. `chain` is 0 for a double bucket.
#[napi]
pub fn buffer(
    env: Env,
    used_percent: u8,
    chain: u32,
    min_step: BigInt,
    max_step: BigInt,
    above: BigInt,
) -> napi::Result<External<SegmentBuffer>> {
    guarded(env, || {
        let prefetch = match chain {
            0 => Prefetch::DoubleBucket { used_percent },
            distance => Prefetch::Chain { distance },
        };
        let step = StepSize::adaptive(min_step.get_u64().1, max_step.get_u64().1)?;
        Ok(External::new(SegmentBuffer::new(prefetch, step).above(above.get_u64().1)))
    })
}

/// Returns the count of numbers to ask for now, if any.
#[napi(ts_return_type = "bigint | null")]
pub fn buffer_wants(buffer: &mut External<SegmentBuffer>, now_ms: BigInt) -> Option<u64> {
    buffer.wants(now_ms.get_i64().0).map(|request| request.step)
}

/// Takes up to `n` consecutive numbers.
#[napi]
pub fn buffer_take(buffer: &mut External<SegmentBuffer>, n: BigInt) -> Option<RangeRow> {
    buffer.take(n.get_u64().1).map(RangeRow::from)
}

/// Takes the numbers up to the point where the buffer next wants to be asked.
#[napi]
pub fn buffer_take_until_request(buffer: &mut External<SegmentBuffer>) -> Option<RangeRow> {
    buffer.take_until_request().map(RangeRow::from)
}

/// Adds a range.
#[napi]
pub fn buffer_supply(
    env: Env,
    buffer: &mut External<SegmentBuffer>,
    start: BigInt,
    end: BigInt,
    stride: BigInt,
    now_ms: BigInt,
) -> napi::Result<()> {
    guarded(env, || Ok(buffer.supply(range_of(&start, &end, &stride)?, now_ms.get_i64().0)?))
}

/// Notes that the request failed.
#[napi]
pub fn buffer_failed(buffer: &mut External<SegmentBuffer>) {
    buffer.failed();
}

/// Changes the step.
#[napi]
pub fn buffer_resize(
    env: Env,
    buffer: &mut External<SegmentBuffer>,
    min_step: BigInt,
    max_step: BigInt,
) -> napi::Result<()> {
    guarded(env, || {
        buffer.resize(StepSize::adaptive(min_step.get_u64().1, max_step.get_u64().1)?);
        Ok(())
    })
}

/// Returns the count of numbers that are ready.
#[napi(ts_return_type = "bigint")]
pub fn buffer_remaining(buffer: &External<SegmentBuffer>) -> u64 {
    buffer.remaining()
}

/// Returns the lowest number that a further range may begin with.
#[napi(ts_return_type = "bigint")]
pub fn buffer_floor(buffer: &External<SegmentBuffer>) -> u64 {
    buffer.floor()
}
