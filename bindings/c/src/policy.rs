//! Clock policies, and the sequence's start.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use snowmint::engine::{Action, Stall, StallReason};
use snowmint::{ClockPolicy, Error, Result, SequenceStart, WhenBehind, WhenFull, names};

use crate::argument::{out, read, text};
use crate::errors;
use crate::failure::{guard, snowmint_status};

/// What to do when the clock is behind an ID already issued.
#[repr(u32)]
#[derive(Clone, Copy)]
pub enum snowmint_when_behind {
    /// Fail at once.
    Fail = 0,
    /// Wait if it takes no more than `behind_max_ms`, else fail at once.
    Wait = 1,
    /// Count the rollback in the layout's rollback bits and go on at the clock's time.
    CountRollback = 2,
    /// Wait if it takes no more than `behind_max_ms`, else go on as another worker.
    ChangeWorker = 3,
}

/// What to do when every sequence number of the tick is issued.
#[repr(u32)]
#[derive(Clone, Copy)]
pub enum snowmint_when_full {
    /// Wait for the next tick.
    Wait = 0,
    /// Fail at once.
    Fail = 1,
}

/// What a caller does with a stall.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct snowmint_policy {
    /// How far an ID's time may run ahead of the clock, milliseconds.
    pub max_ahead_ms: u32,
    /// A `snowmint_when_behind`.
    pub when_behind: u32,
    /// The longest wait of it, milliseconds; 0 where it does not wait.
    pub behind_max_ms: u32,
    /// A `snowmint_when_full`.
    pub when_full: u32,
}

/// In place of what the header has no name for; it is refused where it comes back.
const UNKNOWN: u32 = u32::MAX;

impl From<ClockPolicy> for snowmint_policy {
    fn from(policy: ClockPolicy) -> snowmint_policy {
        let (when_behind, behind_max_ms) = match policy.when_behind {
            WhenBehind::Fail => (snowmint_when_behind::Fail as u32, 0),
            WhenBehind::Wait { max_ms } => (snowmint_when_behind::Wait as u32, max_ms),
            WhenBehind::CountRollback => (snowmint_when_behind::CountRollback as u32, 0),
            WhenBehind::ChangeWorker { max_ms } => {
                (snowmint_when_behind::ChangeWorker as u32, max_ms)
            }
            _ => (UNKNOWN, 0),
        };
        let when_full = match policy.when_full {
            WhenFull::Wait => snowmint_when_full::Wait as u32,
            WhenFull::Fail => snowmint_when_full::Fail as u32,
            _ => UNKNOWN,
        };
        snowmint_policy { max_ahead_ms: policy.max_ahead_ms, when_behind, behind_max_ms, when_full }
    }
}

impl TryFrom<&snowmint_policy> for ClockPolicy {
    type Error = Error;

    fn try_from(policy: &snowmint_policy) -> Result<ClockPolicy> {
        let max_ms = policy.behind_max_ms;
        let known = [
            (snowmint_when_behind::Fail, WhenBehind::Fail),
            (snowmint_when_behind::Wait, WhenBehind::Wait { max_ms }),
            (snowmint_when_behind::CountRollback, WhenBehind::CountRollback),
            (snowmint_when_behind::ChangeWorker, WhenBehind::ChangeWorker { max_ms }),
        ];
        let when_behind = known.into_iter().find(|(known, _)| *known as u32 == policy.when_behind);
        let known = [
            (snowmint_when_full::Wait, WhenFull::Wait),
            (snowmint_when_full::Fail, WhenFull::Fail),
        ];
        let when_full = known.into_iter().find(|(known, _)| *known as u32 == policy.when_full);
        match (when_behind, when_full) {
            (Some((_, when_behind)), Some((_, when_full))) => {
                let known = ClockPolicy::new(policy.max_ahead_ms, when_behind);
                Ok(known.with_when_full(when_full))
            }
            _ => Err(errors::policy_unknown()),
        }
    }
}

/// Where the sequence of a fresh tick begins.
#[repr(u32)]
#[derive(Clone, Copy)]
pub enum snowmint_start_kind {
    /// At 0.
    Zero = 0,
    /// One above the last sequence number, modulo `bound + 1`.
    Vibrate = 1,
    /// Pseudo-random below `bound`, made different by `seed`.
    Random = 2,
    /// One above the last sequence number, back to 0 from half the sequence on.
    Rotate = 3,
}

/// Where the sequence of a fresh tick begins.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct snowmint_start {
    /// A `snowmint_start_kind`.
    pub kind: u32,
    /// As the kind says.
    pub bound: u32,
    /// As the kind says.
    pub seed: u64,
}

impl From<SequenceStart> for snowmint_start {
    fn from(start: SequenceStart) -> snowmint_start {
        let (kind, bound, seed) = match start {
            SequenceStart::Zero => (snowmint_start_kind::Zero as u32, 0, 0),
            SequenceStart::Vibrate { max_offset } => {
                (snowmint_start_kind::Vibrate as u32, max_offset, 0)
            }
            SequenceStart::Random { below, seed } => {
                (snowmint_start_kind::Random as u32, below, seed)
            }
            SequenceStart::Rotate => (snowmint_start_kind::Rotate as u32, 0, 0),
            _ => (UNKNOWN, 0, 0),
        };
        snowmint_start { kind, bound, seed }
    }
}

impl TryFrom<&snowmint_start> for SequenceStart {
    type Error = Error;

    fn try_from(start: &snowmint_start) -> Result<SequenceStart> {
        let &snowmint_start { kind, bound, seed } = start;
        let known = [
            (snowmint_start_kind::Zero, SequenceStart::Zero),
            (snowmint_start_kind::Vibrate, SequenceStart::Vibrate { max_offset: bound }),
            (snowmint_start_kind::Random, SequenceStart::Random { below: bound, seed }),
            (snowmint_start_kind::Rotate, SequenceStart::Rotate),
        ];
        let found = known.into_iter().find(|(known, _)| *known as u32 == kind);
        found.map(|(_, start)| start).ok_or_else(|| errors::start_kind_unknown(kind))
    }
}

/// What a policy makes of a stall.
#[repr(u32)]
#[derive(Clone, Copy)]
pub enum snowmint_action_kind {
    /// Hand the stall to the caller.
    Fail = 0,
    /// Ask again after `wait_ms` milliseconds.
    Wait = 1,
    /// Raise the rollback counter by one, cyclically, and ask again.
    CountRollback = 2,
    /// Take another worker ID and ask again.
    ChangeWorker = 3,
    /// Have the grant extended and ask again.
    ExtendGrant = 4,
}

/// What a policy makes of a stall.
#[repr(C)]
pub struct snowmint_action {
    /// What to do.
    pub kind: snowmint_action_kind,
    /// How long to wait, milliseconds; 0 where it is not to wait.
    pub wait_ms: u64,
}

/// Gives the clock policy of a name, `twitter`, `leaf`, ...
///
/// Errors: `SNOWMINT_INVALID_PARAMETER`; the message lists the names.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_policy_named(
    name: *const c_char,
    policy: Option<&mut MaybeUninit<snowmint_policy>>,
) -> snowmint_status {
    guard(|| {
        let policy = out(policy, "policy")?;
        // SAFETY: as the header asks.
        policy.write(names::policy(unsafe { text(name, "name") }?)?.into());
        Ok(())
    })
}

/// Says what a policy makes of a stall: of the status that a generator returned and the wait that
/// `snowmint_last_wait_ms` gave.
///
/// Errors: `SNOWMINT_INVALID_PARAMETER` for a status that is no stall's, or for a policy that is none.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_policy_action(
    policy: Option<&snowmint_policy>,
    stall: snowmint_status,
    wait_ms: u64,
    action: Option<&mut MaybeUninit<snowmint_action>>,
) -> snowmint_status {
    guard(|| {
        let policy = ClockPolicy::try_from(read(policy, "policy")?)?;
        let place = out(action, "action")?;
        let reasons = [
            StallReason::AheadOfClock,
            StallReason::SequenceExhausted,
            StallReason::GrantExhausted,
        ];
        let reason =
            reasons.into_iter().find(|reason| snowmint_status::from(reason.code()) == stall);
        let Some(reason) = reason else {
            return Err(errors::stall_unknown());
        };
        let (kind, wait_ms) = match policy.action(Stall::new(wait_ms, reason)) {
            Action::Fail => (snowmint_action_kind::Fail, 0),
            Action::Wait { wait_ms } => (snowmint_action_kind::Wait, wait_ms),
            Action::CountRollback => (snowmint_action_kind::CountRollback, 0),
            Action::ChangeWorker => (snowmint_action_kind::ChangeWorker, 0),
            Action::ExtendGrant => (snowmint_action_kind::ExtendGrant, 0),
            _ => return Err(errors::action_unknown()),
        };
        place.write(snowmint_action { kind, wait_ms });
        Ok(())
    })
}
