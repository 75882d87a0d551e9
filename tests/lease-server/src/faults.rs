//! What goes wrong on request.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use snowmint::{Clock, System};

/// Switches, set by `POST /control` with an object of any of these keys:
///
/// - `down`: connections are closed without an answer until it is `false` again;
/// - `refuse`: so many requests get `store_unavailable`, and nothing is done;
/// - `drop`: so many requests are done, and the connection is closed before the answer;
/// - `delay`, `delayMs`: so many answers come so much later;
/// - `shiftMs`: the store's clock is off by so much;
/// - `retryMs`: what refusals say about asking again.
///
/// `GET /control` counts the requests of each kind.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    switches: Mutex<Switches>,
    shift_ms: AtomicI64,
    counts: Counts,
}

#[derive(Clone, Debug, Default)]
struct Switches {
    down: bool,
    refuse: u64,
    drop: u64,
    delay: u64,
    delay_ms: u64,
    retry_ms: Option<u64>,
}

#[derive(Debug, Default)]
struct Counts {
    acquire: AtomicU64,
    renew: AtomicU64,
    release: AtomicU64,
    allocate: AtomicU64,
    preflight: AtomicU64,
}

/// What happens to one request.
#[derive(Debug)]
pub(crate) enum Fate {
    Answered {
        after: Duration,
    },
    Refused {
        retry_ms: Option<u64>,
    },
    /// Done, and the answer lost.
    Dropped,
    /// Not even read.
    Down,
}

impl Faults {
    /// What happens to the next request.
    pub(crate) fn next(&self) -> Fate {
        let mut switches = self.switches.lock().unwrap_or_else(PoisonError::into_inner);
        if switches.down {
            return Fate::Down;
        }
        if take(&mut switches.refuse) {
            return Fate::Refused { retry_ms: switches.retry_ms };
        }
        if take(&mut switches.drop) {
            return Fate::Dropped;
        }
        let delay_ms = if take(&mut switches.delay) { switches.delay_ms } else { 0 };
        Fate::Answered { after: Duration::from_millis(delay_ms) }
    }

    /// Sets switches.
    pub(crate) fn set(&self, wanted: &Value) -> Result<(), String> {
        let mut switches = self.switches.lock().unwrap_or_else(PoisonError::into_inner);
        for (key, value) in wanted.as_object().ok_or("an object of switches is needed")? {
            let number = || value.as_u64().ok_or_else(|| format!("{key}: not a number"));
            match key.as_str() {
                "down" => switches.down = value.as_bool().ok_or("down: true or false")?,
                "refuse" => switches.refuse = number()?,
                "drop" => switches.drop = number()?,
                "delay" => switches.delay = number()?,
                "delayMs" => switches.delay_ms = number()?,
                "retryMs" => switches.retry_ms = Some(number()?),
                "shiftMs" => {
                    let shift_ms = value.as_i64().ok_or("shiftMs: not a number")?;
                    self.shift_ms.store(shift_ms, Ordering::Relaxed);
                }
                _ => return Err(format!("no switch is called {key}")),
            }
        }
        Ok(())
    }

    /// Counts a request of a kind.
    pub(crate) fn count(&self, kind: &str) {
        let counter = match kind {
            "acquire" => &self.counts.acquire,
            "renew" => &self.counts.renew,
            "release" => &self.counts.release,
            "allocate" => &self.counts.allocate,
            _ => &self.counts.preflight,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// The counts.
    pub(crate) fn counts(&self) -> Value {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        json!({
            "acquire": read(&self.counts.acquire),
            "renew": read(&self.counts.renew),
            "release": read(&self.counts.release),
            "allocate": read(&self.counts.allocate),
            "preflight": read(&self.counts.preflight),
        })
    }
}

fn take(left: &mut u64) -> bool {
    let any = *left > 0;
    *left = left.saturating_sub(1);
    any
}

/// The system's clock, off by the shift.
#[derive(Debug)]
pub(crate) struct ShiftedClock(pub(crate) Arc<Faults>);

impl Clock for ShiftedClock {
    fn coarse_ms(&self) -> i64 {
        self.now_ms()
    }

    fn now_ns(&self) -> i64 {
        let shift_ns = self.0.shift_ms.load(Ordering::Relaxed).saturating_mul(1_000_000);
        System.now_ns().saturating_add(shift_ns)
    }

    fn boot_ms(&self) -> i64 {
        System.boot_ms()
    }
}
