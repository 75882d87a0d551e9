//! What other threads do between two steps of one.

use std::cell::Cell;
use std::sync::atomic::{AtomicI64, Ordering};

use super::*;
use crate::host::{Clock, Random, Sleep, Spawn};
use crate::keepers::Keeper;
use crate::store::MemoryStore;

const START_MS: i64 = 1_790_000_000_000;

/// Clocks that the test moves on. Keepers do not run.
#[derive(Clone, Default)]
struct Manual(Arc<AtomicI64>);

impl Clock for Manual {
    fn coarse_ms(&self) -> i64 {
        START_MS + self.boot_ms()
    }

    fn now_ns(&self) -> i64 {
        self.coarse_ms() * 1_000_000
    }

    fn boot_ms(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Sleep for Manual {
    fn sleep(&self, duration: Duration) {
        self.0.fetch_add(duration.as_millis() as i64, Ordering::Relaxed);
    }
}

impl Random for Manual {
    fn fill(&self, bytes: &mut [u8]) -> Result<()> {
        System.fill(bytes)
    }
}

impl Spawn for Manual {
    fn spawn(&self, _: &str, _: Keeper) -> Result<()> {
        Ok(())
    }
}

#[test]
fn a_thread_overtaken_after_it_read_the_time_is_no_clock_behind() {
    let host = Manual::default();
    let store = Arc::new(MemoryStore::with_clock(host.clone()));
    let builder = Snowflake::builder().policy(ClockPolicy::TWITTER).lease_from(store);
    let flake = builder.host(host.clone(), Arc::new(Disk)).open().unwrap();
    let stops = Cell::new(3);
    let id = flake.attempt(Duration::ZERO, |machine, now_ms| {
        if stops.get() > 0 {
            stops.set(stops.get() - 1);
            host.0.fetch_add(20, Ordering::Relaxed);
            flake.next_id().unwrap();
        }
        machine.next_id(now_ms)
    });
    assert_eq!(stops.get(), 0);
    assert_eq!(Layout::TWITTER.decode(id.unwrap()).unwrap().unix_ms, START_MS + 60);
}
