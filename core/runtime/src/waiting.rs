//! Waiting for an ID, with a deadline, and [`Attempt`] for callers that wait themselves.

use std::time::Duration;

use snowmint_engine::Code;

use crate::alarm;
use crate::clock::LOOK_MS;
use crate::error::{Error, Result};
use crate::errors;
use crate::host::{Clock, Platform, Sleep};
use crate::retry::RetryState;

/// The outcome of a call that does not wait, for example in an event loop, or in a language whose
/// threads must not wait in foreign code.
#[derive(Clone, Debug)]
pub enum Attempt<T> {
    /// The value that you asked for.
    Done(T),
    /// There is no value yet, and nothing was issued.
    Later {
        /// The time to sleep before you ask again.
        pause: Duration,
        /// The error to report if there is no time left.
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

/// The time that a call waits for an ID unless you set another.
pub const DEFAULT_WAIT: Duration = Duration::from_secs(5);

/// The pause before the next call while a scheduler is fetching.
pub(crate) const POLL: Duration = Duration::from_millis(1);
/// The shortest sleep between two looks, because a store in memory answers at once.
const SHORTEST_SLEEP: Duration = Duration::from_micros(50);
/// The longest sleep while a scheduler has to deliver something, so that an old caller finds an
/// answer nearly as soon as a new one.
const LONGEST_LOOK: Duration = Duration::from_millis(50);
/// The longest sleep: each call also looks at the clocks, which must not go unseen for longer.
const LONGEST_SLEEP: Duration = Duration::from_millis(LOOK_MS.unsigned_abs());

/// Calls `ask` until there is an answer or `wait` is over.
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

/// The async form of [`ask_within`], which holds no thread while it waits.
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

/// The deadline of a caller, and how long it has slept.
struct Patience {
    deadline: Deadline,
    slept: Duration,
}

impl Patience {
    fn new(wait: Duration, host: &Platform) -> Patience {
        Patience { deadline: Deadline::after(wait, host), slept: Duration::ZERO }
    }

    /// Returns how long to sleep. Fails with `why` if there is no time for `pause`.
    ///
    /// If a scheduler has to deliver something, that is an eighth of the wait so far, but at most
    /// [`LONGEST_LOOK`]. An answer is seen at most an eighth late, and many callers can wait for a
    /// store that is down.
    fn rest(&mut self, pause: Duration, why: Error, host: &Platform) -> Result<Duration> {
        if host.is_interrupted() {
            let is_pending = why.code() == Code::WaitTimeout;
            return Err(if is_pending { errors::wait_interrupted() } else { why });
        }
        if !self.deadline.has_room(pause, host) {
            return Err(why);
        }
        if why.ends_by_clock() {
            return Ok(pause.min(LONGEST_SLEEP));
        }
        let look = (self.slept / 8).clamp(SHORTEST_SLEEP, LONGEST_LOOK);
        let rest = look.min(self.deadline.left(host));
        self.slept += rest;
        Ok(rest)
    }
}

/// Calls `open` until it succeeds, fails for good, or `wait` is over. A store may be down, locked
/// or out of worker IDs for a moment.
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

/// Returns true if trying again may help. An invalid answer is a bug in the store, so its author
/// should see it at once.
fn may_pass(failure: &Error) -> bool {
    failure.is_transient() && failure.code() != Code::InvalidAnswer
}

/// The boot time at which a caller stops waiting.
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

    /// Returns true if there is time for a pause and the wait was not interrupted.
    fn allows(&self, pause: Duration, host: &Platform) -> bool {
        self.has_room(pause, host) && !host.is_interrupted()
    }

    fn has_room(&self, pause: Duration, host: &Platform) -> bool {
        let left = self.left(host);
        pause <= left && !left.is_zero()
    }

    fn left(&self, host: &Platform) -> Duration {
        let left_ms = self.boot_ms.saturating_sub(host.boot_ms());
        Duration::from_millis(u64::try_from(left_ms).unwrap_or(0))
    }
}

/// Returns the time until the millisecond begins that is `wait_ms` after the present one.
pub(crate) fn until_ms(wait_ms: u64, host: &Platform) -> Duration {
    let begun_ns = host.now_ns().rem_euclid(1_000_000).unsigned_abs();
    Duration::from_millis(wait_ms).saturating_sub(Duration::from_nanos(begun_ns))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_for_time_is_slept_at_once_and_any_other_an_eighth_of_it_longer() {
        let host = Platform::System;
        let mut patience = Patience::new(Duration::from_secs(5), &host);
        let mut rest = |code, pause_ms| {
            let pause = Duration::from_millis(pause_ms);
            patience.rest(pause, Error::new(code, ""), &host).unwrap()
        };
        assert_eq!(rest(Code::SequenceExhausted, 8), Duration::from_millis(8));
        assert_eq!(rest(Code::ClockBehind, 2_000), LONGEST_SLEEP);
        let mut slept = Duration::ZERO;
        for _ in 0..100 {
            let look = rest(Code::WaitTimeout, 1);
            assert_eq!(look, (slept / 8).clamp(SHORTEST_SLEEP, LONGEST_LOOK));
            slept += look;
        }
        assert!(slept > Duration::from_secs(1), "few looks are a long wait");
    }
}
