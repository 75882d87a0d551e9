//! Clock policies: what a generator does at a stall.

use snowmint_engine::{Action, ClockPolicy, Stall, StallReason, WhenBehind};

#[test]
fn the_longest_wait_for_the_clock_is_waited_and_no_longer_one() {
    for (name, policy) in ClockPolicy::ALL {
        let behind = |wait_ms| policy.action(Stall::new(wait_ms, StallReason::AheadOfClock));
        let (max_ms, beyond) = match policy.when_behind {
            WhenBehind::Wait { max_ms } => (max_ms, Action::Fail),
            WhenBehind::ChangeWorker { max_ms } => (max_ms, Action::ChangeWorker),
            _ => continue,
        };
        let max_ms = u64::from(max_ms);
        assert_eq!(behind(max_ms), Action::Wait { wait_ms: max_ms }, "{name}");
        assert_eq!(behind(max_ms + 1), beyond, "{name}");
    }
}
