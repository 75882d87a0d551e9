//! Snowflakes and clock policies: time is an argument, waiting is a result.

use alloc::string::String;

use js_sys::BigUint64Array;
use snowmint_engine::{
    Action, ClockPolicy, Code, Grant, Ids, Lane, Pace, SequenceStart, Snowflake, Stall,
    StallReason, WhenBehind, WhenFull,
};
use wasm_bindgen::prelude::*;

use crate::failure::Failure;
use crate::layouts::LayoutHandle;
use crate::made::{Row, room};

/// IDs that go into an array at a time.
const BLOCK: usize = 1024;
/// In place of an ID that there is none. It may be one, at the end of all times.
const NO_ID: i64 = -1;

#[wasm_bindgen]
extern "C" {
    /// Who issues, and which ticks.
    pub type LaneRow;
    #[wasm_bindgen(method, getter, js_name = workerId)]
    fn worker_id(this: &LaneRow) -> u32;
    #[wasm_bindgen(method, getter)]
    fn rollback(this: &LaneRow) -> u32;
    #[wasm_bindgen(method, getter)]
    fn floor(this: &LaneRow) -> u64;
    #[wasm_bindgen(method, getter)]
    fn reserved(this: &LaneRow) -> u64;

    /// Where a fresh tick's sequence begins: `bound` is of `vibrate` and `random`, `seed` of the
    /// latter.
    pub type StartRow;
    #[wasm_bindgen(method, getter)]
    fn kind(this: &StartRow) -> String;
    #[wasm_bindgen(method, getter)]
    fn bound(this: &StartRow) -> u32;
    #[wasm_bindgen(method, getter)]
    fn seed(this: &StartRow) -> u64;

    /// A clock policy in its parts.
    pub type PolicyRow;
    #[wasm_bindgen(method, getter, js_name = whenBehind)]
    fn when_behind(this: &PolicyRow) -> String;
    #[wasm_bindgen(method, getter, js_name = maxWaitMs)]
    fn max_wait_ms(this: &PolicyRow) -> u32;
    #[wasm_bindgen(method, getter, js_name = whenFull)]
    fn when_full(this: &PolicyRow) -> String;
}

impl LaneRow {
    fn lane(&self) -> Lane {
        let grant = Grant { floor: self.floor(), reserved: self.reserved() };
        Lane { worker_id: self.worker_id(), rollback: self.rollback(), grant }
    }
}

impl StartRow {
    fn start(&self) -> Result<SequenceStart, Failure> {
        Ok(match self.kind().as_str() {
            "zero" => SequenceStart::Zero,
            "vibrate" => SequenceStart::Vibrate { max_offset: self.bound() },
            "random" => SequenceStart::Random { below: self.bound(), seed: self.seed() },
            "rotate" => SequenceStart::Rotate,
            other => {
                return Err(unknown("sequence start", other, "zero, vibrate, random or rotate"));
            }
        })
    }
}

fn unknown(what: &str, name: &str, known: &str) -> Failure {
    Failure::unknown(Code::InvalidParameter, what, name, known)
}

/// A generator.
#[wasm_bindgen]
pub struct MachineHandle(Snowflake);

#[wasm_bindgen]
impl MachineHandle {
    /// One ID, as a signed number, at a time as `Date.now()` gives it. Where there is none it is -1,
    /// and [`machine_next_id`] says why: a `Result` costs more than the ID.
    #[wasm_bindgen(js_name = idAt)]
    pub fn id_at(&mut self, now_ms: f64) -> i64 {
        self.0.next_id(now_ms as i64).map_or(NO_ID, u64::cast_signed)
    }
}

/// A generator.
#[wasm_bindgen]
pub fn machine(
    layout: &LayoutHandle,
    lane: &LaneRow,
    max_ahead_ms: u32,
    begins: &StartRow,
) -> Result<MachineHandle, Failure> {
    let pace = Pace { max_ahead_ms, start: begins.start()? };
    Ok(MachineHandle(Snowflake::new(layout.0, lane.lane(), pace)?))
}

/// One ID at a time.
#[wasm_bindgen(js_name = machineNextId)]
pub fn machine_next_id(machine: &mut MachineHandle, now_ms: i64) -> Result<u64, Failure> {
    Ok(machine.0.next_id(now_ms)?)
}

/// So many IDs at a time, all or none.
#[wasm_bindgen(js_name = machineIssue)]
pub fn machine_issue(
    machine: &mut MachineHandle,
    n: u32,
    now_ms: i64,
) -> Result<BigUint64Array, JsValue> {
    let ids = machine.0.issue(now_ms, n).map_err(Failure::from)?;
    let array = room(n)?;
    write(ids, &array);
    Ok(array)
}

/// The same into an array, as many as fit, at a time as `Date.now()` gives it.
#[wasm_bindgen(js_name = machineFill)]
pub fn machine_fill(
    machine: &mut MachineHandle,
    array: BigUint64Array,
    now_ms: f64,
) -> Result<BigUint64Array, Failure> {
    write(machine.0.issue(now_ms as i64, array.length())?, &array);
    Ok(array)
}

fn write(mut ids: Ids, array: &BigUint64Array) {
    let mut block = [0; BLOCK];
    let mut start = 0;
    loop {
        let count = ids.fill(&mut block);
        if count == 0 {
            return;
        }
        let end = start + count as u32;
        array.subarray(start, end).copy_from(&block[..count]);
        start = end;
    }
}

/// Moves the end of the grant up.
#[wasm_bindgen(js_name = machineExtend)]
pub fn machine_extend(machine: &mut MachineHandle, reserved: u64) {
    machine.0.extend(reserved);
}

/// Goes on in another lane, above everything issued.
#[wasm_bindgen(js_name = machineOpen)]
pub fn machine_open(machine: &mut MachineHandle, lane: &LaneRow) -> Result<(), Failure> {
    Ok(machine.0.open(lane.lane())?)
}

/// Goes on in another lane, without regard to times issued.
#[wasm_bindgen(js_name = machineJump)]
pub fn machine_jump(machine: &mut MachineHandle, lane: &LaneRow) -> Result<(), Failure> {
    Ok(machine.0.jump(lane.lane())?)
}

/// What a policy makes of a stall, given by the number of its error code.
#[wasm_bindgen(js_name = policyAction)]
pub fn policy_action(policy: &PolicyRow, code: u32, wait_ms: u64) -> Result<Row, Failure> {
    let max_ms = policy.max_wait_ms();
    let when_behind = match policy.when_behind().as_str() {
        "fail" => WhenBehind::Fail,
        "wait" => WhenBehind::Wait { max_ms },
        "count_rollback" => WhenBehind::CountRollback,
        "change_worker" => WhenBehind::ChangeWorker { max_ms },
        other => {
            let known = "fail, wait, count_rollback or change_worker";
            return Err(unknown("rule for a clock that is behind", other, known));
        }
    };
    let when_full = match policy.when_full().as_str() {
        "wait" => WhenFull::Wait,
        "fail" => WhenFull::Fail,
        other => return Err(unknown("rule for a full tick", other, "wait or fail")),
    };
    let reason = match Code::from_number(code) {
        Some(Code::ClockBehind) => StallReason::AheadOfClock,
        Some(Code::SequenceExhausted) => StallReason::SequenceExhausted,
        Some(Code::GrantExhausted) => StallReason::GrantExhausted,
        _ => return Err(Failure::new(Code::InvalidParameter, "that error is no stall".into())),
    };
    let policy = ClockPolicy::new(0, when_behind).with_when_full(when_full);
    Ok(action(policy.action(Stall::new(wait_ms, reason))))
}

fn action(action: Action) -> Row {
    let (kind, wait_ms) = match action {
        Action::Fail => ("fail", None),
        Action::Wait { wait_ms } => ("wait", Some(wait_ms as f64)),
        Action::CountRollback => ("count_rollback", None),
        Action::ChangeWorker => ("change_worker", None),
        Action::ExtendGrant => ("extend_grant", None),
        _ => ("unknown", None),
    };
    Row::new().with("kind", kind).with_some("waitMs", wait_ms)
}
