//! Snowflakes and clock policies: time is an argument, waiting is a result.

use alloc::boxed::Box;

use snowmint_engine::{
    Action, ClockPolicy, Code, Grant, Ids, Lane, Layout, Pace, SequenceStart, Snowflake, Stall,
    StallReason, WhenBehind, WhenFull,
};

use crate::exchange::{Place, with_input, with_inputs, with_words, write_output};
use crate::failure::{Failed, NO_ID, OrFailed};

const REASONS: [StallReason; 3] =
    [StallReason::AheadOfClock, StallReason::SequenceExhausted, StallReason::GrantExhausted];

/// What was issued and not yet read.
static ISSUED: Place<Option<Ids>> = Place::new(None);

fn lane(worker_id: u32, rollback: u32, floor: u64, reserved: u64) -> Lane {
    Lane { worker_id, rollback, grant: Grant { floor, reserved } }
}

fn start(kind: &str, bound: u32, seed: u64) -> Result<SequenceStart, Failed> {
    Ok(match kind {
        "zero" => SequenceStart::Zero,
        "vibrate" => SequenceStart::Vibrate { max_offset: bound },
        "random" => SequenceStart::Random { below: bound, seed },
        "rotate" => SequenceStart::Rotate,
        other => return Err(unknown("sequence start", other, "zero, vibrate, random or rotate")),
    })
}

fn unknown(what: &str, name: &str, known: &str) -> Failed {
    Failed::unknown(Code::InvalidParameter, what, name, [known].into_iter())
}

/// A generator. The input has the kind of the sequence's start.
#[unsafe(export_name = "machine")]
pub extern "C" fn machine(
    layout: &Layout,
    worker_id: u32,
    rollback: u32,
    floor: u64,
    reserved: u64,
    max_ahead_ms: u32,
    length: usize,
    bound: u32,
    seed: u64,
) -> Option<Box<Snowflake>> {
    let made: Result<_, Failed> = with_input(length, |kind| {
        let pace = Pace { max_ahead_ms, start: start(kind, bound, seed)? };
        Ok(Snowflake::new(*layout, lane(worker_id, rollback, floor, reserved), pace)?)
    });
    made.map(Box::new).map(Some).or_failed(None)
}

/// Gives a generator back.
#[unsafe(export_name = "freeMachine")]
pub extern "C" fn free_machine(machine: Box<Snowflake>) {
    drop(machine);
}

/// One ID at a time.
#[unsafe(export_name = "machineNextId")]
pub extern "C" fn machine_next_id(machine: &mut Snowflake, now_ms: i64) -> u64 {
    machine.next_id(now_ms).or_failed(NO_ID)
}

/// The same at a time as `Date.now()` gives it: a bigint would cost more than the ID.
#[unsafe(export_name = "machineIdAt")]
pub extern "C" fn machine_id_at(machine: &mut Snowflake, now_ms: f64) -> u64 {
    machine.next_id(now_ms as i64).or_failed(NO_ID)
}

/// So many IDs at a time, all or none; [`issued`] gives them. Says whether it could.
#[unsafe(export_name = "machineIssue")]
pub extern "C" fn machine_issue(machine: &mut Snowflake, n: u32, now_ms: i64) -> bool {
    machine.issue(now_ms, n).map(|ids| ISSUED.lend(|issued| *issued = Some(ids))).succeeded()
}

/// The next of the IDs issued, into the words, and how many those are; 0 at the end.
#[unsafe(export_name = "issued")]
pub extern "C" fn issued() -> usize {
    ISSUED.lend(|issued| issued.as_mut().map_or(0, |ids| with_words(|words| ids.fill(words))))
}

/// Moves the end of the grant up.
#[unsafe(export_name = "machineExtend")]
pub extern "C" fn machine_extend(machine: &mut Snowflake, reserved: u64) {
    machine.extend(reserved);
}

/// Goes on in another lane, above everything issued. Says whether it could.
#[unsafe(export_name = "machineOpen")]
pub extern "C" fn machine_open(
    machine: &mut Snowflake,
    worker_id: u32,
    rollback: u32,
    floor: u64,
    reserved: u64,
) -> bool {
    machine.open(lane(worker_id, rollback, floor, reserved)).succeeded()
}

/// Goes on in another lane, without regard to times issued. Says whether it could.
#[unsafe(export_name = "machineJump")]
pub extern "C" fn machine_jump(
    machine: &mut Snowflake,
    worker_id: u32,
    rollback: u32,
    floor: u64,
    reserved: u64,
) -> bool {
    machine.jump(lane(worker_id, rollback, floor, reserved)).succeeded()
}

/// What a policy makes of a stall, given by the number of its error code, as JSON. The input has
/// the rule for a clock that is behind, a NUL and the rule for a full tick.
#[unsafe(export_name = "policyAction")]
pub extern "C" fn policy_action(length: usize, max_wait_ms: u32, code: u32, wait_ms: u64) -> usize {
    let action: Result<_, Failed> = with_inputs(length, |behind, full| {
        let policy = policy(behind, max_wait_ms, full)?;
        let Some(reason) = REASONS.into_iter().find(|reason| reason.code().number() == code) else {
            return Err(Failed::new(Code::InvalidParameter, |output| {
                output.text("that error is no stall");
            }));
        };
        Ok(policy.action(Stall::new(wait_ms, reason)))
    });
    action.map(write_action).or_failed(0)
}

fn policy(behind: &str, max_ms: u32, full: &str) -> Result<ClockPolicy, Failed> {
    let when_behind = match behind {
        "fail" => WhenBehind::Fail,
        "wait" => WhenBehind::Wait { max_ms },
        "count_rollback" => WhenBehind::CountRollback,
        "change_worker" => WhenBehind::ChangeWorker { max_ms },
        other => {
            let known = "fail, wait, count_rollback or change_worker";
            return Err(unknown("rule for a clock that is behind", other, known));
        }
    };
    let when_full = match full {
        "wait" => WhenFull::Wait,
        "fail" => WhenFull::Fail,
        other => return Err(unknown("rule for a full tick", other, "wait or fail")),
    };
    Ok(ClockPolicy::new(0, when_behind).with_when_full(when_full))
}

fn write_action(action: Action) -> usize {
    write_output(|output| {
        output.text("{").name(
            "kind",
            match action {
                Action::Fail => "fail",
                Action::Wait { .. } => "wait",
                Action::CountRollback => "count_rollback",
                Action::ChangeWorker => "change_worker",
                Action::ExtendGrant => "extend_grant",
                _ => "unknown",
            },
        );
        if let Action::Wait { wait_ms } = action {
            output.key("waitMs").number(wait_ms);
        }
        output.text("}");
    })
}
