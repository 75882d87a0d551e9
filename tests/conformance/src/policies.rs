//! Clock policies and sequence starts as the vectors write them.

use serde::Serialize;
use snowmint_engine::{ClockPolicy, SequenceStart, WhenBehind, WhenFull};

/// A clock policy as the vectors write it.
#[derive(Serialize)]
pub(crate) struct Policy {
    max_ahead_ms: u32,
    when_behind: String,
    when_full: &'static str,
}

impl Policy {
    pub(crate) fn of(policy: ClockPolicy) -> Policy {
        Policy {
            max_ahead_ms: policy.max_ahead_ms,
            when_behind: match policy.when_behind {
                WhenBehind::Fail => "fail".into(),
                WhenBehind::Wait { max_ms } => format!("wait {max_ms}"),
                WhenBehind::CountRollback => "count_rollback".into(),
                WhenBehind::ChangeWorker { max_ms } => format!("change_worker {max_ms}"),
                other => panic!("the vectors have no {other:?}"),
            },
            when_full: match policy.when_full {
                WhenFull::Wait => "wait",
                WhenFull::Fail => "fail",
                other => panic!("the vectors have no {other:?}"),
            },
        }
    }
}

/// A sequence start as the vectors write it.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Start {
    Zero,
    Vibrate { max_offset: u32 },
    Random { below: u32, seed: String },
    Rotate,
}

impl Start {
    pub(crate) fn of(start: SequenceStart) -> Start {
        match start {
            SequenceStart::Zero => Start::Zero,
            SequenceStart::Vibrate { max_offset } => Start::Vibrate { max_offset },
            SequenceStart::Random { below, seed } => {
                Start::Random { below, seed: seed.to_string() }
            }
            SequenceStart::Rotate => Start::Rotate,
            other => panic!("the vectors have no {other:?}"),
        }
    }
}
