//! The native methods of Java's constants, policies, ranges and limits.

use jni::objects::{JLongArray, JObjectArray, JString};
use jni::sys::{jint, jlong};
use snowmint::engine::{Action, MAX_DISTANCE, MAX_NUMBER, MAX_STEP, Stall, StallReason};
use snowmint::{
    ClockPolicy, Code, DEFAULT_WAIT, Error, MAX_COUNT, NumberRange, Preset, SequenceStart,
    WhenBehind, WhenFull, names,
};

use crate::argument::{long_array, millis, narrow, numbers, rows, signed, string_array, text};
use crate::errors;
use crate::exports::natives;
use crate::failure::Result;
use crate::layouts::intern;

/// The number of a variant that Java has no name for. It is refused when Java passes it back.
const UNKNOWN: jlong = -1;

fn policy_numbers(policy: ClockPolicy) -> [jlong; 4] {
    let (when_behind, max_wait_ms) = match policy.when_behind {
        WhenBehind::Fail => (0, 0),
        WhenBehind::Wait { max_ms } => (1, max_ms),
        WhenBehind::CountRollback => (2, 0),
        WhenBehind::ChangeWorker { max_ms } => (3, max_ms),
        _ => (UNKNOWN, 0),
    };
    let when_full = match policy.when_full {
        WhenFull::Wait => 0,
        WhenFull::Fail => 1,
        _ => UNKNOWN,
    };
    [policy.max_ahead_ms.into(), when_behind, max_wait_ms.into(), when_full]
}

/// Builds a policy from its numbers.
pub(crate) fn policy(numbers: [jlong; 4]) -> Result<ClockPolicy> {
    let [max_ahead_ms, when_behind, max_wait_ms, when_full] = numbers;
    let max_ms = narrow("maxWaitMs", max_wait_ms)?;
    let when_behind = match when_behind {
        0 => WhenBehind::Fail,
        1 => WhenBehind::Wait { max_ms },
        2 => WhenBehind::CountRollback,
        3 => WhenBehind::ChangeWorker { max_ms },
        _ => return Err(errors::shape_unknown("a policy").into()),
    };
    let when_full = if when_full == 0 { WhenFull::Wait } else { WhenFull::Fail };
    let policy = ClockPolicy::new(narrow("maxAheadMs", max_ahead_ms)?, when_behind);
    Ok(policy.with_when_full(when_full))
}

fn start_numbers(start: SequenceStart) -> [jlong; 3] {
    match start {
        SequenceStart::Zero => [0, 0, 0],
        SequenceStart::Vibrate { max_offset } => [1, max_offset.into(), 0],
        SequenceStart::Random { below, seed } => [2, below.into(), seed as jlong],
        SequenceStart::Rotate => [3, 0, 0],
        _ => [UNKNOWN, 0, 0],
    }
}

/// Builds a sequence start from its numbers.
pub(crate) fn start(numbers: [jlong; 3]) -> Result<SequenceStart> {
    let [kind, number, seed] = numbers;
    Ok(match kind {
        0 => SequenceStart::Zero,
        1 => SequenceStart::Vibrate { max_offset: narrow("maxOffset", number)? },
        2 => SequenceStart::Random { below: narrow("below", number)?, seed: seed as u64 },
        3 => SequenceStart::Rotate,
        _ => return Err(errors::shape_unknown("a sequence start").into()),
    })
}

fn stall(code: jint, wait_ms: jlong) -> Result<Stall> {
    let code = u32::try_from(code).ok().and_then(Code::from_number);
    match (code.and_then(reason), u64::try_from(wait_ms)) {
        (Some(reason), Ok(wait_ms)) => Ok(Stall::new(wait_ms, reason)),
        _ => Err(errors::stall_unknown().into()),
    }
}

fn reason(code: Code) -> Option<StallReason> {
    match code {
        Code::ClockBehind => Some(StallReason::AheadOfClock),
        Code::SequenceExhausted => Some(StallReason::SequenceExhausted),
        Code::GrantExhausted => Some(StallReason::GrantExhausted),
        _ => None,
    }
}

fn range(start: jlong, end: jlong, stride: jlong) -> Result<NumberRange> {
    Ok(NumberRange::new(start as u64, end as u64, stride as u64)?)
}

natives! {
    fn version(env) -> JString<'local> {
        Ok(env.new_string(env!("CARGO_PKG_VERSION"))?)
    }

    /// Returns the name and summary of each code, its number, and 1 if a retry can succeed.
    fn codes(env) -> JObjectArray<'local> {
        let texts: Vec<_> =
            Code::ALL.iter().flat_map(|code| [code.name(), code.summary()]).collect();
        let is_transient = |code| Error::new(code, "").is_transient();
        let numbers: Vec<_> = Code::ALL
            .iter()
            .flat_map(|code| [code.number().into(), is_transient(*code).into()])
            .collect();
        rows(env, &texts, &numbers)
    }

    /// Returns the name and note of each preset, and its layout, policy and sequence start.
    fn presets(env) -> JObjectArray<'local> {
        let texts: Vec<_> =
            Preset::ALL.iter().flat_map(|preset| [preset.name, preset.note]).collect();
        let mut numbers = Vec::new();
        for preset in Preset::ALL {
            numbers.push(intern(preset.layout));
            numbers.extend(policy_numbers(preset.policy));
            numbers.extend(start_numbers(preset.start));
        }
        rows(env, &texts, &numbers)
    }

    fn policyNames(env) -> JObjectArray<'local, JString<'local>> {
        let names: Vec<_> = ClockPolicy::ALL.iter().map(|(name, _)| *name).collect();
        string_array(env, &names)
    }

    fn policyNamed(env, name: JString<'local>) -> JLongArray<'local> {
        let policy = names::policy(&text(env, &name)?)?;
        long_array(env, &policy_numbers(policy))
    }

    /// Returns a policy's action for a stall, which is given by the number of its code.
    fn policyAction(env, of: JLongArray<'local>, code: jint, wait_ms: jlong) -> jint {
        let policy = policy(numbers(env, "a policy", &of)?)?;
        Ok(match policy.action(stall(code, wait_ms)?) {
            Action::Fail => 0,
            Action::Wait { .. } => 1,
            Action::CountRollback => 2,
            Action::ChangeWorker => 3,
            Action::ExtendGrant => 4,
            _ => return Err(errors::action_unknown().into()),
        })
    }

    fn startNumbers(env, written: JString<'local>) -> JLongArray<'local> {
        let start = names::sequence_start(&text(env, &written)?)?;
        long_array(env, &start_numbers(start))
    }

    fn maxCount(env) -> jlong {
        Ok(MAX_COUNT as jlong)
    }

    fn maxNumber(env) -> jlong {
        Ok(MAX_NUMBER as jlong)
    }

    fn maxStep(env) -> jlong {
        Ok(MAX_STEP as jlong)
    }

    fn maxDistance(env) -> jlong {
        Ok(MAX_DISTANCE.into())
    }

    fn defaultWaitMs(env) -> jlong {
        Ok(millis(DEFAULT_WAIT))
    }

    fn rangeCount(env, from: jlong, end: jlong, stride: jlong) -> jlong {
        Ok(range(from, end, stride)?.count() as jlong)
    }

    fn rangeNumbers(env, from: jlong, end: jlong, stride: jlong) -> JLongArray<'local> {
        let range = range(from, end, stride)?;
        let (count, max) = (range.count(), MAX_COUNT as u64);
        if count > max {
            return Err(snowmint::engine::Error::CountOutOfRange { count, max }.into());
        }
        let numbers: Vec<_> = range.numbers().collect();
        long_array(env, signed(&numbers))
    }
}
