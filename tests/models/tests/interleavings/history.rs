//! The IDs that were issued, and the laws that they must obey.

use std::collections::BTreeSet;

use snowmint_models::{Grant, Lane, Layout, Pace, SharedSnowflake};

/// 2 IDs a tick of 1 ms, 4 worker IDs, 2 rollback counts.
pub(crate) fn layout() -> Layout {
    let fields = "time:8,rollback:1,worker:2,sequence:1";
    Layout::builder().fields(fields).and_then(|builder| builder.build()).unwrap()
}

pub(crate) fn lane(worker_id: u32, floor: u64, reserved: u64) -> Lane {
    Lane { worker_id, rollback: 0, grant: Grant { floor, reserved } }
}

/// A generator that may run far ahead of a clock that stands at 0: only grants hold it back.
pub(crate) fn flake(lane: Lane) -> SharedSnowflake {
    let pace = Pace { max_ahead_ms: 100, ..Pace::default() };
    SharedSnowflake::new(layout(), lane, pace).unwrap()
}

/// One ID at time 0, or none.
pub(crate) fn one(flake: &SharedSnowflake) -> Vec<u64> {
    flake.next_id(0).into_iter().collect()
}

/// As many IDs at time 0 as there are, up to `n`, each by a call of its own.
pub(crate) fn ones(flake: &SharedSnowflake, n: u32) -> Vec<u64> {
    (0..n).filter_map(|_| flake.next_id(0).ok()).collect()
}

/// A run of `n` IDs at time 0, or none.
pub(crate) fn run(flake: &SharedSnowflake, n: u32) -> Vec<u64> {
    flake.issue(0, n).map_or_else(|_| Vec::new(), |ids| ids.collect())
}

/// All that is left of the present lane.
pub(crate) fn drain(flake: &SharedSnowflake) -> Vec<u64> {
    std::iter::from_fn(|| flake.next_id(0).ok()).collect()
}

/// L1 and L2: all IDs differ, and each lies in a tick granted to its worker.
pub(crate) fn check(issued: &[Vec<u64>], lanes: &[Lane]) {
    let layout = layout();
    let mut seen = BTreeSet::new();
    for &id in issued.iter().flatten() {
        assert!(seen.insert(id), "{id:#x} twice: {:?} in {issued:x?}", layout.parts(id));
        let parts = layout.parts(id);
        let granted = |lane: &Lane| {
            let Grant { floor, reserved } = lane.grant;
            lane.worker_id == parts.worker_id
                && lane.rollback == parts.rollback
                && (floor..reserved).contains(&(parts.unix_ms as u64))
        };
        assert!(lanes.iter().any(granted), "not granted: {parts:?}");
    }
}

/// L3: one thread's IDs rise, and so do those that it issued after another's.
pub(crate) fn check_order(issued: &[Vec<u64>]) {
    for ids in issued {
        assert!(ids.is_sorted_by(|a, b| a < b), "out of order: {ids:x?}");
    }
}
