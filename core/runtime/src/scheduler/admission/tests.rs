//! The order of sources that are being opened, and when they do not wait.

use std::ops::Deref;
use std::sync::{Arc, Mutex};

use super::*;
use crate::error::Result;
use crate::host::manual::Manual;
use crate::host::rounds::SchedulerLoop;
use crate::host::{Clock, Platform, Random, Sleep, Spawn};
use crate::scheduler::{NOTHING_DUE, Registration, Scheduled};

/// A host that runs a hook whenever a caller sleeps.
#[derive(Clone, Default)]
struct Eventful {
    clock: Manual,
    scheduler: Arc<Mutex<Option<SchedulerLoop>>>,
    happens: Arc<Mutex<Option<Happens>>>,
}

type Happens = Box<dyn FnMut(&mut SchedulerLoop) + Send>;

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
        if let (Some(happens), Some(scheduler)) =
            (&mut *self.happens.lock().unwrap(), &mut *self.scheduler.lock().unwrap())
        {
            happens(scheduler);
        }
    }
}

impl Random for Eventful {
    fn fill(&self, bytes: &mut [u8]) -> Result<()> {
        self.clock.fill(bytes)
    }
}

impl Spawn for Eventful {
    fn spawn(&self, _: &str, scheduler: SchedulerLoop) -> Result<()> {
        *self.scheduler.lock().unwrap() = Some(scheduler);
        Ok(())
    }
}

impl Eventful {
    fn whenever_one_sleeps(&self, happens: impl FnMut(&mut SchedulerLoop) + Send + 'static) {
        *self.happens.lock().unwrap() = Some(Box::new(happens));
    }
}

/// The host of a test. It drops its hook and its scheduler, which hold the host in turn.
struct Ending(Eventful);

impl Deref for Ending {
    type Target = Eventful;

    fn deref(&self) -> &Eventful {
        &self.0
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        let Eventful { happens, scheduler, .. } = &self.0;
        drop((happens.lock().unwrap().take(), scheduler.lock().unwrap().take()));
    }
}

/// A source that counts its rounds.
#[derive(Default)]
struct Open(Mutex<u32>);

impl Scheduled for Open {
    fn run_due(self: Arc<Self>) -> Duration {
        *self.0.lock().unwrap() += 1;
        NOTHING_DUE
    }
}

/// A store with a source that has been due for a second.
fn behind() -> (Ending, Arc<Scheduler>, Arc<Open>, Registration) {
    let (host, open) = (Eventful::default(), Arc::new(Open::default()));
    let platform = Platform::Brought(Arc::new(host.clone()));
    let scheduler = Scheduler::new(Arc::default(), &platform);
    let registration = scheduler.register(Arc::<Open>::downgrade(&open) as _).unwrap();
    host.clock.sleep(Duration::from_secs(1));
    (Ending(host), scheduler, open, registration)
}

const WAIT: Duration = Duration::from_secs(5);

#[test]
fn l11_sources_that_are_open_go_first() {
    let (host, scheduler, open, _registration) = behind();
    host.whenever_one_sleeps(|scheduler| {
        scheduler.round();
    });
    let kept = scheduler.admit(WAIT).ask(|| *open.0.lock().unwrap());
    assert_eq!(kept, 1, "before the new one asked");
    assert!(host.boot_ms() < 1_100);
}

#[test]
fn a_caller_that_waited_asks_where_the_store_gives_nobody_anything() {
    let (host, scheduler, _open, _registration) = behind();
    scheduler.admit(WAIT).ask(|| ());
    assert_eq!(host.boot_ms(), 6_000);
    scheduler.admit(Duration::ZERO).ask(|| ());
    assert_eq!(host.boot_ms(), 6_000, "who waits for nothing");
}

#[test]
fn a_line_that_moves_is_stood_in() {
    let (host, scheduler, open, _registration) = behind();
    let (answering, mut looks) = (Arc::clone(&scheduler), 0);
    host.whenever_one_sleeps(move |scheduler| {
        looks += 1;
        if looks < 3_000 {
            answering.note_answer();
        } else {
            scheduler.round();
        }
    });
    scheduler.admit(WAIT).ask(|| assert_eq!(*open.0.lock().unwrap(), 1));
    assert_eq!(host.boot_ms(), 16_000);
}

#[test]
fn a_few_ask_at_a_time() {
    let host = Manual::default();
    let scheduler = Scheduler::new(Arc::default(), &Platform::Brought(Arc::new(host.clone())));
    let mut line: Vec<_> = (0..=AT_ONCE).map(|_| scheduler.admit(WAIT)).collect();
    assert_eq!(scheduler.sources(), AT_ONCE + 1);
    let (last, first) = line.split_last_mut().unwrap();
    let [one, two, three] = first else { panic!("three at once") };
    one.ask(|| two.ask(|| three.ask(|| last.ask(|| ()))));
    assert_eq!(host.boot_ms(), 5_000, "the fourth waited");
    last.ask(|| ());
    assert_eq!(host.boot_ms(), 5_000, "the others are done");
}
