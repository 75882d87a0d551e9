//! Waiting: what for, how long, and the answer of calls that leave it to their caller.

use std::time::Duration;

use snowmint_engine::Code;

use crate::alarm;
use crate::clock::LOOK_MS;
use crate::error::{Error, Result};
use crate::host::{Clock, Platform, Sleep};
use crate::retry::RetryState;

/// What a call came to whose caller sleeps itself: event loops, and languages whose threads must
/// not wait in foreign code.
#[derive(Clone, Debug)]
pub enum Attempt<T> {
    /// What was asked for.
    Done(T),
    /// Nothing yet; nothing was issued.
    Later {
        /// How long to sleep before asking again.
        pause: Duration,
        /// What to tell those who have no time left.
        why: Error,
    },
}

impl<T> Attempt<T> {
    pub(crate) fn map<U>(self, made: impl FnOnce(T) -> U) -> Attempt<U> {
        match self {
            Attempt::Done(value) => Attempt::Done(made(value)),
            Attempt::Later { pause, why } => Attempt::Later { pause, why },
        }
    }
}

/// How long a call waits for an ID unless told otherwise.
pub const DEFAULT_WAIT: Duration = Duration::from_secs(5);

/// Asks to be called again so soon while a scheduler is fetching.
pub(crate) const POLL: Duration = Duration::from_millis(1);
/// A caller looks again after this, and after twice as long each time: a store in memory answers at
/// once.
const FIRST_LOOK: Duration = Duration::from_micros(50);
/// Asking looks at the clocks: it waits no longer than they may go unseen.
const LONGEST_SLEEP: Duration = Duration::from_millis(LOOK_MS.unsigned_abs());

/// Asks until there is an answer, or the caller's time is up.
pub(crate) fn ask_within<T>(
    wait: Duration,
    host: &Platform,
    mut ask: impl FnMut() -> Result<Attempt<T>>,
) -> Result<T> {
    let mut patience = Patience::new(wait, host);
    loop {
        match ask()? {
            Attempt::Done(answer) => return Ok(answer),
            Attempt::Later { pause, why } => host.sleep(patience.rest(pause, why, host)?),
        }
    }
}

/// The same for a task, which holds no thread meanwhile.
pub(crate) async fn ask_in_task<T>(
    wait: Duration,
    mut ask: impl FnMut() -> Result<Attempt<T>>,
) -> Result<T> {
    let host = &Platform::System;
    let mut patience = Patience::new(wait, host);
    loop {
        match ask()? {
            Attempt::Done(answer) => return Ok(answer),
            Attempt::Later { pause, why } => alarm::pause(patience.rest(pause, why, host)?).await?,
        }
    }
}

/// How long a caller waits, and rests between two looks.
struct Patience {
    deadline: Deadline,
    look: Duration,
}

impl Patience {
    fn new(wait: Duration, host: &Platform) -> Patience {
        Patience { deadline: Deadline::after(wait, host), look: FIRST_LOOK }
    }

    /// How long to sleep where a pause was asked for; the reason for it if the time is up.
    fn rest(&mut self, pause: Duration, why: Error, host: &Platform) -> Result<Duration> {
        if host.is_interrupted() {
            return Err(if why.code() == Code::WaitTimeout { broken_off() } else { why });
        }
        if !self.deadline.has_room(pause, host) {
            return Err(why);
        }
        let rest = pause.min(self.look);
        self.look = (self.look * 2).min(LONGEST_SLEEP);
        Ok(rest)
    }
}

/// For a caller who waits no more, which says nothing of the store.
fn broken_off() -> Error {
    Error::new(Code::WaitTimeout, "the wait was interrupted, and nothing was issued; ask again")
}

/// Opens what needs a store, which may be down, locked or out of worker IDs for a moment: tries again
/// until it opens, asking again is of no use, or the caller's time is up.
pub(crate) fn open_within<T>(
    wait: Duration,
    host: &Platform,
    mut open: impl FnMut() -> Result<T>,
) -> Result<T> {
    let deadline = Deadline::after(wait, host);
    let mut retry = RetryState::default();
    loop {
        let failure = match open() {
            Err(failure) if may_pass(&failure) => failure,
            done => return done,
        };
        retry.note(failure.clone(), host);
        let rest = retry.rest(host).unwrap_or_default();
        if !deadline.allows(rest, host) {
            return Err(failure);
        }
        host.sleep(rest);
    }
}

/// A store that answers what it may not is mended by whoever writes it: let them see it at once.
fn may_pass(failure: &Error) -> bool {
    failure.is_transient() && failure.code() != Code::InvalidAnswer
}

/// The end of a caller's patience, in boot time.
pub(crate) struct Deadline {
    boot_ms: i64,
}

impl Deadline {
    pub(crate) fn after(wait: Duration, host: &Platform) -> Deadline {
        let wait_ms = i64::try_from(wait.as_millis()).unwrap_or(i64::MAX);
        Deadline { boot_ms: host.boot_ms().saturating_add(wait_ms) }
    }

    pub(crate) fn is_over(&self, host: &Platform) -> bool {
        host.boot_ms() >= self.boot_ms || host.is_interrupted()
    }

    /// Whether there is time for a pause, and nobody broke the wait off.
    fn allows(&self, pause: Duration, host: &Platform) -> bool {
        self.has_room(pause, host) && !host.is_interrupted()
    }

    fn has_room(&self, pause: Duration, host: &Platform) -> bool {
        let left_ms = self.boot_ms.saturating_sub(host.boot_ms());
        let left = Duration::from_millis(u64::try_from(left_ms).unwrap_or(0));
        pause <= left && !left.is_zero()
    }
}

/// How long until the millisecond `wait_ms` from the present one begins.
pub(crate) fn until_ms(wait_ms: u64, host: &Platform) -> Duration {
    let begun_ns = host.now_ns().rem_euclid(1_000_000).unsigned_abs();
    Duration::from_millis(wait_ms).saturating_sub(Duration::from_nanos(begun_ns))
}
