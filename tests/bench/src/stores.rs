//! A store in memory with as many numbers and worker IDs as wanted, as slow as wanted.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use snowmint::{
    Allocation, AllocationRequest, Call, Lease, LeaseRequest, NumberRange, Result, SegmentStore,
    Tag, TagOptions, TagRow, WorkerStore,
};

use crate::measure::unix_ms;

/// Gives each lease another worker ID, and each range above the last.
pub struct BenchStore {
    next: AtomicU64,
    workers: AtomicU64,
    step: u64,
    pause: Duration,
}

impl BenchStore {
    /// Ranges of `step` numbers, each after `pause`.
    pub fn new(step: u64, pause: Duration) -> Arc<BenchStore> {
        let (next, workers) = (AtomicU64::new(1), AtomicU64::new(0));
        Arc::new(BenchStore { next, workers, step, pause })
    }

    pub fn tag_name() -> Tag {
        Tag::new("bench").expect("a valid tag")
    }
}

impl SegmentStore for BenchStore {
    fn allocate(
        &self,
        requests: &[AllocationRequest],
        _: &Call,
    ) -> Result<Vec<Result<Allocation>>> {
        thread::sleep(self.pause);
        let take = |request: &AllocationRequest| {
            let count = request.count.unwrap_or(self.step);
            let start = self.next.fetch_add(count, Ordering::Relaxed);
            Ok(Allocation::new(NumberRange::new(start, start + count, 1)?, self.step))
        };
        Ok(requests.iter().map(take).collect())
    }

    fn tag(&self, tag: &Tag) -> Result<Option<TagRow>> {
        let start = self.next.load(Ordering::Relaxed);
        Ok(Some(TagRow::new(tag, TagOptions::default().start(start).step(self.step))))
    }
}

impl WorkerStore for BenchStore {
    fn acquire(&self, request: &LeaseRequest, call: &Call) -> Result<Lease> {
        let worker = self.workers.fetch_add(1, Ordering::Relaxed);
        let worker_id = worker as u32 % (request.max_worker_id + 1);
        let mut lease = Lease::new(&request.realm, worker_id, &request.owner, call.attempt);
        lease.epoch = 1;
        lease.now_ms = unix_ms();
        lease.floor_ms = lease.now_ms;
        lease.reserved_ms = lease.now_ms + i64::from(request.reserve_ms);
        Ok(lease)
    }

    fn renew(&self, lease: &Lease, reserve_ms: u32, call: &Call) -> Result<Lease> {
        let mut renewed = lease.clone();
        renewed.token = call.attempt;
        renewed.now_ms = unix_ms();
        renewed.reserved_ms = renewed.now_ms + i64::from(reserve_ms);
        Ok(renewed)
    }

    fn release(&self, _: &Lease, _: &Call) -> Result<()> {
        Ok(())
    }
}
