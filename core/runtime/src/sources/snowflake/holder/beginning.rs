//! What a worker ID that was just taken waits for.

use std::time::Duration;

use super::{Holder, Work};
use crate::clock::LOOK_MS;
use crate::host::{Clock, Sleep};
use crate::station::{DeskOf, lock};
use crate::worker::{FIRST_MARK_MS, Tenure};

impl Holder {
    /// Has a new lease renewed before it is used, after the usual rest, where the store is slow.
    pub(super) fn outlast_slow_store(&self, desk: &DeskOf<Work>) {
        if self.lessor.is_slow() {
            let left_ms = lock(desk).work.rested_boot_ms.saturating_sub(self.host.boot_ms());
            self.host.sleep(Duration::from_millis(left_ms.max(0).unsigned_abs()));
            self.extend(desk);
        }
    }

    /// Waits until a lane can be used, up to a slab: so far ahead lies the mark of a holder that was
    /// killed, or of this one before its file failed; or as far as that of a worker ID that begins,
    /// or was killed when it did. Further ahead, the clock went back, which is the policy's to judge.
    /// Ticks too long to sleep for one here are left to the policy, which waits for the next as after
    /// a full one.
    pub(super) fn await_floor(&self, desk: &DeskOf<Work>, tenure: &Tenure, now_ms: i64) {
        let floor_ms = self.layout().tick_start_ms(self.tick_or_end(tenure.floor_ms));
        let tick_ms = self.layout().tick_ms();
        let (left_ms, wait_max_ms) = if tick_ms <= FIRST_MARK_MS {
            (0, tenure.slab_ms.max(FIRST_MARK_MS + tick_ms))
        } else {
            (tick_ms, FIRST_MARK_MS)
        };
        let usable_ms = floor_ms.saturating_sub(self.max_ahead_ms.max(left_ms).into());
        self.await_time(desk, usable_ms, wait_max_ms.into(), now_ms);
    }

    /// Ends the lane of a lease that was lost, and waits for the tick after its last: there the next
    /// lane begins, which a policy would call a clock that went back.
    pub(super) fn outlast_lost_lane(&self, desk: &DeskOf<Work>) {
        let (reached, now_ms) = {
            let work = &mut lock(desk).work;
            if !work.lost || work.change {
                return;
            }
            (self.owner(work).close(), self.look_at_clocks(work))
        };
        let tick_ms = self.layout().tick_ms();
        // As for a floor, ticks too long to sleep for are left to the policy.
        let wait_max_ms = if tick_ms <= FIRST_MARK_MS { tick_ms } else { 0 };
        let reached_ms = self.layout().tick_start_ms(reached);
        let usable_ms = reached_ms.saturating_sub(self.max_ahead_ms.into());
        self.await_time(desk, usable_ms, wait_max_ms.into(), now_ms);
    }

    /// Waits until `usable_ms`, unless that is further away than `wait_max_ms`, and looks at the clocks
    /// meanwhile.
    fn await_time(&self, desk: &DeskOf<Work>, usable_ms: i64, wait_max_ms: i64, mut now_ms: i64) {
        // Wall time may pass more slowly than what is slept: by half while a step back is slewed.
        let until_boot_ms = self.host.boot_ms().saturating_add(2 * wait_max_ms);
        while let wait_ms @ 1.. = usable_ms.saturating_sub(now_ms)
            && wait_ms <= wait_max_ms
            && self.host.boot_ms() < until_boot_ms
        {
            self.host.sleep(Duration::from_millis(wait_ms.min(LOOK_MS).unsigned_abs()));
            (now_ms, _) = self.look_before_asking(desk);
        }
    }
}
