//! Rollbacks of the clock, counted in bits of the ID, across a clean stop.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use snowmint::{
    Clock, Disk, Layout, Mint, Preset, Random, Result, SchedulerLoop, Sleep, Snowflake, Spawn,
    System, WorkerId,
};

const START_MS: i64 = 1_790_000_000_000;

/// A host whose clocks stand still until they are moved. Schedulers do not run.
#[derive(Clone, Default)]
struct Stepped {
    wall_ms: Arc<AtomicI64>,
    boot_ms: Arc<AtomicI64>,
}

impl Stepped {
    /// Time goes on.
    fn pass(&self, ms: i64) {
        self.boot_ms.fetch_add(ms, Ordering::Relaxed);
        self.step(ms);
    }

    /// Somebody sets the wall clock.
    fn step(&self, ms: i64) {
        self.wall_ms.fetch_add(ms, Ordering::Relaxed);
    }
}

impl Clock for Stepped {
    fn coarse_ms(&self) -> i64 {
        START_MS + self.wall_ms.load(Ordering::Relaxed)
    }

    fn now_ns(&self) -> i64 {
        self.coarse_ms() * 1_000_000
    }

    fn boot_ms(&self) -> i64 {
        self.boot_ms.load(Ordering::Relaxed)
    }
}

impl Sleep for Stepped {
    fn sleep(&self, duration: Duration) {
        self.pass(duration.as_millis() as i64);
    }
}

impl Random for Stepped {
    fn fill(&self, bytes: &mut [u8]) -> Result<()> {
        System.fill(bytes)
    }
}

impl Spawn for Stepped {
    fn spawn(&self, _: &str, _: SchedulerLoop) -> Result<()> {
        Ok(())
    }
}

fn open(directory: &Path, host: &Stepped) -> Snowflake {
    let builder = Snowflake::builder().preset(Preset::from_name("rollback-bits").unwrap());
    let builder =
        builder.worker_id(WorkerId::Fixed(1)).state_directory(directory).reserve_ms(60_000);
    builder.host(host.clone(), Arc::new(Disk)).open().unwrap()
}

/// Mints for some milliseconds; each ID must be new. Gives the last one's rollback count.
fn mint(flake: &Snowflake, host: &Stepped, ms: i64, seen: &mut HashSet<u64>) -> u32 {
    let mut rollback = 0;
    for _ in 0..ms {
        for id in flake.next_ids(8).unwrap() {
            assert!(seen.insert(id), "{id} twice");
            rollback = Layout::ROLLBACK_BITS.decode(id).unwrap().rollback;
        }
        host.pass(1);
    }
    rollback
}

/// A clean stop lowers the mark to where the worker ID has come under *any* rollback count: the
/// next start begins with count 0 again.
#[test]
fn l8_a_clean_stop_after_a_rollback_repeats_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let (host, mut seen) = (Stepped::default(), HashSet::new());
    let flake = open(directory.path(), &host);
    mint(&flake, &host, 400, &mut seen);
    host.step(-150);
    assert_eq!(mint(&flake, &host, 5, &mut seen), 1, "the step back is counted");
    flake.close().unwrap();

    let again = open(directory.path(), &host);
    mint(&again, &host, 300, &mut seen);
}
