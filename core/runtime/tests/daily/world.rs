//! A host whose clock is moved by hand, and a store that can be watched and taken down.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use snowmint::{
    Allocation, AllocationRequest, Call, Clock, Code, Error, MemoryStore, Random, Result,
    SchedulerLoop, SegmentAdmin, SegmentStore, Sleep, Spawn, System, Tag, TagChange, TagOptions,
    TagRow,
};

/// A host whose wall clock is set by hand; all else is the system's.
#[derive(Clone)]
pub(crate) struct ByHand {
    pub(crate) wall_ms: Arc<AtomicI64>,
    pub(crate) since: Instant,
    /// True if a caller waited. Schedulers rest without the host.
    pub(crate) has_slept: Arc<AtomicBool>,
}

impl ByHand {
    pub(crate) fn at(wall_ms: i64) -> ByHand {
        ByHand {
            wall_ms: Arc::new(AtomicI64::new(wall_ms)),
            since: Instant::now(),
            has_slept: Arc::default(),
        }
    }

    pub(crate) fn set(&self, wall_ms: i64) {
        self.wall_ms.store(wall_ms, Relaxed);
    }
}

impl Clock for ByHand {
    fn coarse_ms(&self) -> i64 {
        self.wall_ms.load(Relaxed)
    }

    fn now_ns(&self) -> i64 {
        self.wall_ms.load(Relaxed).saturating_mul(1_000_000)
    }

    fn now_ms(&self) -> i64 {
        self.wall_ms.load(Relaxed)
    }

    fn boot_ms(&self) -> i64 {
        i64::try_from(self.since.elapsed().as_millis()).unwrap()
    }
}

impl Sleep for ByHand {
    fn sleep(&self, duration: Duration) {
        self.has_slept.store(true, Relaxed);
        thread::sleep(duration);
    }
}

impl Random for ByHand {
    fn fill(&self, bytes: &mut [u8]) -> Result<()> {
        System.fill(bytes)
    }
}

impl Spawn for ByHand {
    fn spawn(&self, name: &str, scheduler: SchedulerLoop) -> Result<()> {
        System.spawn(name, scheduler)
    }
}

/// A store that can go down, and says who called it.
#[derive(Default)]
pub(crate) struct Watched {
    pub(crate) store: MemoryStore,
    pub(crate) down: AtomicBool,
    /// Creates each tag just before its client does.
    pub(crate) races: AtomicBool,
    /// Lets tags go by themselves, or says so.
    pub(crate) lets_go: AtomicBool,
    pub(crate) callers: Mutex<HashSet<ThreadId>>,
}

impl Watched {
    pub(crate) fn pass(&self) -> Result<&MemoryStore> {
        self.callers.lock().unwrap().insert(thread::current().id());
        if self.down.load(Relaxed) {
            return Err(Error::new(Code::StoreUnavailable, "down"));
        }
        Ok(&self.store)
    }
}

impl SegmentStore for Watched {
    fn allocate(
        &self,
        requests: &[AllocationRequest],
        call: &Call,
    ) -> Result<Vec<Result<Allocation>>> {
        self.pass()?.allocate(requests, call)
    }

    fn tag(&self, tag: &Tag) -> Result<Option<TagRow>> {
        self.pass()?.tag(tag)
    }
}

impl SegmentAdmin for Watched {
    fn create_tag(&self, tag: &Tag, options: TagOptions) -> Result<()> {
        if self.races.load(Relaxed) {
            self.store.create_tag(tag, options)?;
        }
        self.pass()?.create_tag(tag, options)
    }

    fn lets_tags_go(&self) -> bool {
        self.lets_go.load(Relaxed)
    }

    fn change_tag(&self, tag: &Tag, change: TagChange) -> Result<TagRow> {
        self.pass()?.change_tag(tag, change)
    }

    fn tags(&self) -> Result<Vec<TagRow>> {
        self.pass()?.tags()
    }
}
