//! A system without a thread to spare.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use snowmint::{
    Clock, Code, Error, MemoryStore, Mint, Random, Result, SchedulerLoop, Segment, SegmentAdmin,
    SegmentStore, Sleep, Spawn, System, Tag, TagOptions,
};

/// The system, which gives threads only when it is told to.
#[derive(Clone, Default)]
struct Crowded {
    has_threads: Arc<AtomicBool>,
    spawned: Arc<AtomicUsize>,
}

impl Clock for Crowded {
    fn coarse_ms(&self) -> i64 {
        System.coarse_ms()
    }

    fn now_ns(&self) -> i64 {
        System.now_ns()
    }

    fn boot_ms(&self) -> i64 {
        System.boot_ms()
    }
}

impl Sleep for Crowded {
    fn sleep(&self, duration: Duration) {
        System.sleep(duration);
    }
}

impl Random for Crowded {
    fn fill(&self, bytes: &mut [u8]) -> Result<()> {
        System.fill(bytes)
    }
}

impl Spawn for Crowded {
    fn spawn(&self, name: &str, scheduler: SchedulerLoop) -> Result<()> {
        if !self.has_threads.load(SeqCst) {
            return Err(Error::new(Code::NoResource, "no thread"));
        }
        self.spawned.fetch_add(1, SeqCst);
        System.spawn(name, scheduler)
    }
}

/// A thousand sources of one store, once there are threads: one is enough.
#[test]
fn without_a_thread_a_call_says_so_and_the_next_one_goes_on() {
    let (store, host) = (Arc::new(MemoryStore::new()), Crowded::default());
    let segments: Vec<_> = (0..1_000)
        .map(|n| {
            let tag = Tag::new(&format!("tag{n}")).unwrap();
            store.create_tag(&tag, TagOptions::default()).unwrap();
            let store: Arc<dyn SegmentStore> = store.clone();
            Segment::builder(store, tag).host(host.clone()).open().unwrap()
        })
        .collect();
    for segment in segments.iter().take(10).cycle().take(1_000) {
        assert_eq!(segment.next_id().unwrap_err().code(), Code::NoResource);
    }
    host.has_threads.store(true, SeqCst);
    for segment in &segments {
        assert_eq!(segment.next_id().unwrap(), 1);
    }
    assert_eq!(host.spawned.load(SeqCst), 1);
}
