//! Clock policies, and the sequence's start.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use snowmint::engine::{Action, Stall, StallReason};
use snowmint::{ClockPolicy, Error, Result, SequenceStart, WhenBehind, WhenFull, names};

use crate::argument::{read, text};
use crate::errors;
use crate::failure::{give, snowmint_status};

/// The reaction to a clock that is behind an ID already issued.
#[repr(u32)]
#[derive(Clone, Copy)]
pub enum snowmint_when_behind {
    /// Fail at once.
    Fail = 0,
    /// Wait if that takes at most `behind_max_ms`, otherwise fail at once.
    Wait = 1,
    /// Count the rollback in the layout's rollback bits, and continue at the clock's time.
    CountRollback = 2,
    /// Wait if that takes at most `behind_max_ms`, otherwise continue as another worker.
    ChangeWorker = 3,
}

/// The reaction to a tick whose sequence numbers are all issued.
#[repr(u32)]
#[derive(Clone, Copy)]
pub enum snowmint_when_full {
    /// Wait for the next tick.
    Wait = 0,
    /// Fail at once.
    Fail = 1,
}

/// A clock policy: how a caller reacts to a stall.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct snowmint_policy {
    /// The largest lead of an ID's time over the clock, in milliseconds.
    pub max_ahead_ms: u32,
    /// A `snowmint_when_behind`.
    pub when_behind: u32,
    /// The longest wait of `when_behind`, in milliseconds; 0 if it does not wait.
    pub behind_max_ms: u32,
    /// A `snowmint_when_full`.
    pub when_full: u32,
}

/// The value of kinds that the header has no name for. It is refused if it comes back.
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

/// The first sequence number of a fresh tick.
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

/// The first sequence number of a fresh tick.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct snowmint_start {
    /// A `snowmint_start_kind`.
    pub kind: u32,
    /// The bound, if the kind has one.
    pub bound: u32,
    /// The seed, if the kind has one.
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

/// The caller's next step after a stall.
#[repr(u32)]
#[derive(Clone, Copy)]
pub enum snowmint_action_kind {
    /// Return the stall to the caller.
    Fail = 0,
    /// Ask again after `wait_ms` milliseconds.
    Wait = 1,
    /// Raise the rollback counter by one, cyclically, and ask again.
    CountRollback = 2,
    /// Take another worker ID and ask again.
    ChangeWorker = 3,
    /// Extend the grant and ask again.
    ExtendGrant = 4,
}

/// The caller's next step after a stall.
#[repr(C)]
pub struct snowmint_action {
    /// The kind of the step.
    pub kind: snowmint_action_kind,
    /// The wait in milliseconds; 0 if there is none.
    pub wait_ms: u64,
}

/// Gets the clock policy with a name, for example `twitter` or `leaf`.
///
/// Errors: `SNOWMINT_INVALID_PARAMETER`; the message lists the names.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_policy_named(
    name: *const c_char,
    policy: Option<&mut MaybeUninit<snowmint_policy>>,
) -> snowmint_status {
    give(policy, "policy", || {
        // SAFETY: as the header asks.
        Ok(names::policy(unsafe { text(name, "name") }?)?.into())
    })
}

/// Gets a policy's next step after a stall, from the status that a generator returned and the wait
/// that `snowmint_last_wait_ms` gave.
///
/// Errors: `SNOWMINT_INVALID_PARAMETER` for a status that is no stall, or for an invalid policy.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_policy_action(
    policy: Option<&snowmint_policy>,
    stall: snowmint_status,
    wait_ms: u64,
    action: Option<&mut MaybeUninit<snowmint_action>>,
) -> snowmint_status {
    give(action, "action", || {
        let policy = ClockPolicy::try_from(read(policy, "policy")?)?;
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
        Ok(snowmint_action { kind, wait_ms })
    })
}
