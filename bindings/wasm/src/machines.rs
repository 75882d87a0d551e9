//! Snowflakes and clock policies: time is an argument, waiting is a result.

use alloc::string::String;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use snowmint_engine::{
    Action, ClockPolicy, Code, Grant, Ids, Lane, Pace, SequenceStart, SharedSnowflake,
    SnowflakeOwner, Stall, StallReason, WhenBehind, WhenFull,
};
use wasm_bindgen::prelude::*;

use crate::failure::Failure;
use crate::layouts::LayoutHandle;
use crate::made::Row;

/// The most IDs that one call passes to JavaScript.
const BLOCK: usize = 1024;
/// The count of IDs that are stored together, which is faster than storing them singly.
const PART: usize = 64;
/// The value that stands for a missing ID. The ID at the end of all times has the same value.
const NO_ID: i64 = -1;

#[wasm_bindgen]
extern "C" {
    /// The worker and the ticks that a generator may use.
    pub type LaneRow;
    #[wasm_bindgen(method, getter, js_name = workerId)]
    fn worker_id(this: &LaneRow) -> u32;
    #[wasm_bindgen(method, getter)]
    fn rollback(this: &LaneRow) -> u32;
    #[wasm_bindgen(method, getter)]
    fn floor(this: &LaneRow) -> u64;
    #[wasm_bindgen(method, getter)]
    fn reserved(this: &LaneRow) -> u64;

    /// The rule for where the sequence of a fresh tick begins. `bound` is for `vibrate` and
    /// `random`, `seed` for `random`.
    pub type StartRow;
    #[wasm_bindgen(method, getter)]
    fn kind(this: &StartRow) -> String;
    #[wasm_bindgen(method, getter)]
    fn bound(this: &StartRow) -> u32;
    #[wasm_bindgen(method, getter)]
    fn seed(this: &StartRow) -> u64;

    /// The parts of a clock policy.
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

/// A generator, in the form that threads may share, because it issues by one exchange. An
/// exception, for example of a full stack, passes through wasm without releasing anything. So
/// nothing is borrowed here.
#[wasm_bindgen]
pub struct MachineHandle(SharedSnowflake);

#[wasm_bindgen]
impl MachineHandle {
    /// Returns one ID as a signed number, at a time from `Date.now()`. Returns -1 if there is none,
    /// and [`machine_next_id`] then gives the reason: a `Result` costs more than the ID.
    #[wasm_bindgen(js_name = idAt)]
    pub fn id_at(&self, now_ms: f64) -> i64 {
        self.0.next_id(now_ms as i64).map_or(NO_ID, u64::cast_signed)
    }
}

/// Creates a generator.
#[wasm_bindgen]
pub fn machine(
    layout: &LayoutHandle,
    lane: &LaneRow,
    max_ahead_ms: u32,
    begins: &StartRow,
) -> Result<MachineHandle, Failure> {
    let pace = Pace { max_ahead_ms, start: begins.start()? };
    Ok(MachineHandle(SharedSnowflake::new(layout.0, lane.lane(), pace)?))
}

/// Returns one ID at a time.
#[wasm_bindgen(js_name = machineNextId)]
pub fn machine_next_id(machine: &MachineHandle, now_ms: i64) -> Result<u64, Failure> {
    Ok(machine.0.next_id(now_ms)?)
}

/// The memory that passes many IDs. JavaScript copies them once the call has returned.
static CROSSING: [AtomicU64; BLOCK] = [const { AtomicU64::new(0) }; BLOCK];

/// Returns the address of the memory that passes IDs.
#[wasm_bindgen]
pub fn crossing() -> u32 {
    CROSSING.as_ptr() as u32
}

/// Moves the next IDs to the memory that passes them, and returns their count.
fn cross(ids: &mut Ids) -> u32 {
    let mut part = [0; PART];
    let mut crossed = 0;
    for places in CROSSING.chunks_exact(PART) {
        let count = ids.fill(&mut part);
        for (place, &id) in places.iter().zip(&part[..count]) {
            place.store(id, Relaxed);
        }
        crossed += count as u32;
        if count < PART {
            break;
        }
    }
    crossed
}

/// IDs that are issued but not yet passed to JavaScript.
#[wasm_bindgen]
pub struct IdsHandle(Ids);

#[wasm_bindgen]
impl IdsHandle {
    /// Passes the next IDs and returns their count, which is 0 at the end.
    pub fn cross(&mut self) -> u32 {
        cross(&mut self.0)
    }
}

/// Issues so many IDs at a time, all or none.
#[wasm_bindgen(js_name = machineIssue)]
pub fn machine_issue(machine: &MachineHandle, n: u32, now_ms: i64) -> Result<IdsHandle, Failure> {
    Ok(IdsHandle(machine.0.issue(now_ms, n)?))
}

/// Issues and passes at most `n` IDs, at a time from `Date.now()`, and returns their count. One
/// call passes no more than `BLOCK` IDs.
#[wasm_bindgen(js_name = machineCross)]
pub fn machine_cross(machine: &MachineHandle, n: u32, now_ms: f64) -> Result<u32, Failure> {
    let n = n.min(BLOCK as u32);
    let mut ids = machine.0.issue(now_ms as i64, n)?;
    Ok(cross(&mut ids))
}

/// Returns the owner, which may change the lane. JavaScript makes sure that the stack suffices.
fn owner(machine: &MachineHandle) -> Result<SnowflakeOwner<'_>, Failure> {
    let none = || Failure::new(Code::Internal, "the lane is being changed".into());
    machine.0.owner().ok_or_else(none)
}

/// Moves the end of the grant up.
#[wasm_bindgen(js_name = machineExtend)]
pub fn machine_extend(machine: &MachineHandle, reserved: u64) -> Result<(), Failure> {
    owner(machine)?.extend(reserved);
    Ok(())
}

/// Continues in another lane, above every ID issued.
#[wasm_bindgen(js_name = machineOpen)]
pub fn machine_open(machine: &MachineHandle, lane: &LaneRow) -> Result<(), Failure> {
    let lane = lane.lane();
    Ok(owner(machine)?.open(lane)?)
}

/// Continues in another lane, without regard to the times of IDs issued.
#[wasm_bindgen(js_name = machineJump)]
pub fn machine_jump(machine: &MachineHandle, lane: &LaneRow) -> Result<(), Failure> {
    let lane = lane.lane();
    Ok(owner(machine)?.jump(lane)?)
}

/// Returns a policy's action on a stall, which is given by the number of its error code.
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
