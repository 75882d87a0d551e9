//! A store in memory with as many numbers and worker IDs as wanted, as slow as wanted.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use snowmint::{
    Allocation, Code, Error, Lease, LeaseRequest, NumberRange, Result, SegmentStore, Tag, TagChange,
    TagOptions, TagRow, Token, WorkerRow, WorkerStore,
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
    fn allocate(&self, _: &Tag, count: Option<u64>) -> Result<Allocation> {
        thread::sleep(self.pause);
        let count = count.unwrap_or(self.step);
        let start = self.next.fetch_add(count, Ordering::Relaxed);
        Ok(Allocation { range: NumberRange::new(start, start + count, 1)?, step: self.step })
    }

    fn create_tag(&self, _: &Tag, _: TagOptions) -> Result<()> {
        Err(unsupported())
    }

    fn change_tag(&self, _: &Tag, _: TagChange) -> Result<TagRow> {
        Err(unsupported())
    }

    fn tag(&self, tag: &Tag) -> Result<Option<TagRow>> {
        let next = self.next.load(Ordering::Relaxed);
        let tag = tag.clone();
        Ok(Some(TagRow { tag, next, step: self.step, stride: 1, updated_ms: unix_ms() }))
    }

    fn tags(&self) -> Result<Vec<TagRow>> {
        Err(unsupported())
    }
}

impl WorkerStore for BenchStore {
    fn acquire(&self, request: &LeaseRequest) -> Result<Lease> {
        let worker = self.workers.fetch_add(1, Ordering::Relaxed);
        let now_ms = unix_ms();
        Ok(Lease {
            realm: request.realm.clone(),
            worker_id: worker as u32 % (request.max_worker_id + 1),
            epoch: 1,
            owner: request.owner.clone(),
            token: request.token,
            floor_ms: now_ms,
            reserved_ms: now_ms + i64::from(request.slab_ms),
            now_ms,
        })
    }

    fn renew(&self, lease: &Lease, next: Token, slab_ms: u32) -> Result<Lease> {
        let now_ms = unix_ms();
        let reserved_ms = now_ms + i64::from(slab_ms);
        Ok(Lease { token: next, reserved_ms, now_ms, ..lease.clone() })
    }

    fn release(&self, _: &Lease) -> Result<()> {
        Ok(())
    }

    fn workers(&self) -> Result<Vec<WorkerRow>> {
        Err(unsupported())
    }

    fn evict(&self, _: &str, _: u32) -> Result<bool> {
        Err(unsupported())
    }
}

fn unsupported() -> Error {
    Error::new(Code::Unsupported, "the bench's store only gives")
}
