//! Who goes first, and who does not wait.

use std::ops::Deref;
use std::sync::{Arc, Mutex};

use super::*;
use crate::error::Result;
use crate::host::keeper::Keeper;
use crate::host::manual::Manual;
use crate::host::{Clock, Platform, Random, Sleep, Spawn};
use crate::keepers::{Kept, NOTHING_DUE, Ticket};

/// A host on which something happens whenever somebody sleeps.
#[derive(Clone, Default)]
struct Eventful {
    clock: Manual,
    keeper: Arc<Mutex<Option<Keeper>>>,
    happens: Arc<Mutex<Option<Happens>>>,
}

type Happens = Box<dyn FnMut(&mut Keeper) + Send>;

impl Clock for Eventful {
    fn coarse_ms(&self) -> i64 {
        self.clock.coarse_ms()
    }

    fn now_ns(&self) -> i64 {
        self.clock.now_ns()
    }

    fn boot_ms(&self) -> i64 {
        self.clock.boot_ms()
    }
}

impl Sleep for Eventful {
    fn sleep(&self, duration: Duration) {
        self.clock.sleep(duration);
        if let (Some(happens), Some(keeper)) =
            (&mut *self.happens.lock().unwrap(), &mut *self.keeper.lock().unwrap())
        {
            happens(keeper);
        }
    }
}

impl Random for Eventful {
    fn fill(&self, bytes: &mut [u8]) -> Result<()> {
        self.clock.fill(bytes)
    }
}

impl Spawn for Eventful {
    fn spawn(&self, _: &str, keeper: Keeper) -> Result<()> {
        *self.keeper.lock().unwrap() = Some(keeper);
        Ok(())
    }
}

impl Eventful {
    fn whenever_one_sleeps(&self, happens: impl FnMut(&mut Keeper) + Send + 'static) {
        *self.happens.lock().unwrap() = Some(Box::new(happens));
    }
}

/// The host of a test, with which it ends: what it keeps has it in turn.
struct Ending(Eventful);

impl Deref for Ending {
    type Target = Eventful;

    fn deref(&self) -> &Eventful {
        &self.0
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        let Eventful { happens, keeper, .. } = &self.0;
        drop((happens.lock().unwrap().take(), keeper.lock().unwrap().take()));
    }
}

/// A source, with whom it was looked after.
#[derive(Default)]
struct Open(Mutex<u32>);

impl Kept for Open {
    fn keep(self: Arc<Self>) -> Duration {
        *self.0.lock().unwrap() += 1;
        NOTHING_DUE
    }
}

/// A store with a source that has been due for a second.
fn behind() -> (Ending, Arc<Pool>, Arc<Open>, Ticket) {
    let (host, open) = (Eventful::default(), Arc::new(Open::default()));
    let platform = Platform::Brought(Arc::new(host.clone()));
    let pool = Pool::of(&Arc::new(()), "test", &platform);
    let ticket = pool.enter(Arc::<Open>::downgrade(&open) as _).unwrap();
    host.clock.sleep(Duration::from_secs(1));
    (Ending(host), pool, open, ticket)
}

const WAIT: Duration = Duration::from_secs(5);

#[test]
fn l11_sources_that_are_open_go_first() {
    let (host, pool, open, _ticket) = behind();
    host.whenever_one_sleeps(|keeper| {
        keeper.round();
    });
    let kept = pool.opening(WAIT).ask(|| *open.0.lock().unwrap());
    assert_eq!(kept, 1, "before the new one asked");
    assert!(host.boot_ms() < 1_100);
}

#[test]
fn where_a_store_gives_nobody_anything_whoever_waited_asks() {
    let (host, pool, _open, _ticket) = behind();
    pool.opening(WAIT).ask(|| ());
    assert_eq!(host.boot_ms(), 6_000);
    pool.opening(Duration::ZERO).ask(|| ());
    assert_eq!(host.boot_ms(), 6_000, "who waits for nothing");
}

#[test]
fn a_line_that_moves_is_stood_in() {
    let (host, pool, open, _ticket) = behind();
    let (answering, mut looks) = (Arc::clone(&pool), 0);
    host.whenever_one_sleeps(move |keeper| {
        looks += 1;
        if looks < 3_000 {
            answering.note_answer();
        } else {
            keeper.round();
        }
    });
    pool.opening(WAIT).ask(|| assert_eq!(*open.0.lock().unwrap(), 1));
    assert_eq!(host.boot_ms(), 16_000);
}

#[test]
fn a_few_ask_at_a_time() {
    let host = Manual::default();
    let pool = Pool::of(&Arc::new(()), "test", &Platform::Brought(Arc::new(host.clone())));
    let mut line: Vec<_> = (0..=AT_ONCE).map(|_| pool.opening(WAIT)).collect();
    assert_eq!(pool.sources(), AT_ONCE + 1);
    let (last, first) = line.split_last_mut().unwrap();
    let [one, two, three] = first else { panic!("three at once") };
    one.ask(|| two.ask(|| three.ask(|| last.ask(|| ()))));
    assert_eq!(host.boot_ms(), 5_000, "the fourth waited");
    last.ask(|| ());
    assert_eq!(host.boot_ms(), 5_000, "the others are done");
}
