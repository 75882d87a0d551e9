//! A server as one process sees it: how fast it answers, and whether it is skipped.

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::session::Session;
use crate::store::remote::members::Member;
use crate::store::remote::pool::Pool;

/// A server that failed is skipped for this time, which doubles with each failure in a row.
const REST: Duration = Duration::from_secs(1);
pub(super) const REST_MAX: Duration = Duration::from_secs(60);
/// The time after which a measured duration counts half, so that a slow server is tried again.
const HALF_LIFE: Duration = Duration::from_secs(10);

/// The address of a server.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Listed {
    pub(super) at: Member,
    /// The name that led to `at`. It is in the certificate and in the `Host` header.
    pub(super) host: String,
    /// The priority: a higher tier is asked only if no server of a lower one answers.
    pub(super) tier: u16,
}

impl From<Member> for Listed {
    fn from(at: Member) -> Listed {
        Listed { host: at.name.clone(), at, tier: 0 }
    }
}

pub(super) struct Server {
    pub(super) listed: Listed,
    pub(super) connections: Pool<Session>,
    /// The number of calls that the server is answering.
    calls: AtomicU32,
    health: Mutex<Health>,
}

#[derive(Clone, Copy, Default)]
struct Health {
    /// The number of failures in a row.
    failures: u32,
    rests_until: Option<Instant>,
    /// The mean time of an answer, and the time of the last measurement.
    took: Option<(Duration, Instant)>,
    /// True once an event reported that the server is refused.
    is_refused: bool,
}

impl Server {
    pub(super) fn new(listed: Listed) -> Server {
        Server {
            listed,
            connections: Pool::default(),
            calls: AtomicU32::new(0),
            health: Mutex::default(),
        }
    }

    /// Returns the time until which the server is skipped, if it is skipped.
    pub(super) fn rests_until(&self, now: Instant) -> Option<Instant> {
        self.health().rests_until.filter(|until| *until > now)
    }

    /// Returns the cost of asking the server: its recent answer time, times the calls at it plus
    /// one. A server that was not asked yet costs 0.
    pub(super) fn cost(&self, now: Instant) -> u128 {
        let Some((took, measured)) = self.health().took else { return 0 };
        let halvings = now.saturating_duration_since(measured).as_secs() / HALF_LIFE.as_secs();
        let calls = u128::from(self.calls.load(Ordering::Relaxed)) + 1;
        (took.as_nanos() >> halvings.min(64)).saturating_mul(calls)
    }

    /// Returns the mean time of its answers, without regard to its age.
    pub(super) fn took(&self) -> Option<Duration> {
        self.health().took.map(|(took, _)| took)
    }

    /// Counts a call until the result is dropped.
    pub(super) fn call(&self) -> OneCall<'_> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        OneCall(&self.calls)
    }

    /// Keeps other calls away from a server that failed, while this call tries it again.
    pub(super) fn try_again(&self, now: Instant) {
        let mut health = self.health();
        if health.failures > 0 {
            health.rests_until = Some(now + REST);
        }
    }

    /// Notes an answer. Returns true if the server was refused before.
    pub(super) fn answered(&self, took: Duration, now: Instant) -> bool {
        let mut health = self.health();
        // A new value counts a quarter, so that one slow answer changes little.
        let mean = health.took.map_or(took, |(before, _)| (before * 3 + took) / 4);
        let before = *health;
        *health = Health { took: Some((mean, now)), ..Health::default() };
        before.is_refused
    }

    pub(super) fn failed(&self, took: Duration, now: Instant) {
        let mut health = self.health();
        let pause = REST.saturating_mul(1 << health.failures.min(16)).min(REST_MAX);
        health.failures = health.failures.saturating_add(1);
        health.rests_until = Some(now + pause);
        // A complete answer would have taken longer.
        let before = health.took.map_or(Duration::ZERO, |(before, _)| before);
        health.took = Some((before.max(took * 2), now));
    }

    /// Notes that the server cannot serve this client. Returns true if that is new.
    pub(super) fn refused(&self, now: Instant) -> bool {
        self.failed(Duration::ZERO, now);
        !std::mem::replace(&mut self.health().is_refused, true)
    }

    fn health(&self) -> MutexGuard<'_, Health> {
        self.health.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Shows the address, and the name if it differs.
impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Listed { at, host, .. } = &self.listed;
        if at.name == *host { write!(f, "{at}") } else { write!(f, "{at} ({host})") }
    }
}

pub(super) struct OneCall<'a>(&'a AtomicU32);

impl Drop for OneCall<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server() -> Server {
        Server::new(Member { name: "a".to_owned(), port: 1 }.into())
    }

    #[test]
    fn none_rests_for_ever() {
        let (server, now) = (server(), Instant::now());
        assert_eq!(server.rests_until(now), None);
        server.failed(Duration::ZERO, now);
        assert_eq!(server.rests_until(now), Some(now + REST));
        for _ in 0..100 {
            server.failed(Duration::ZERO, now);
        }
        assert_eq!(server.rests_until(now), Some(now + REST_MAX));
        server.answered(Duration::ZERO, now);
        assert_eq!(server.rests_until(now), None);
        server.failed(Duration::ZERO, now);
        assert_eq!(server.rests_until(now), Some(now + REST), "from the beginning");
    }

    #[test]
    fn the_cost_of_a_slow_answer_halves_with_time() {
        let (server, now) = (server(), Instant::now());
        assert_eq!(server.cost(now), 0);
        server.answered(Duration::from_secs(2), now);
        let cost = server.cost(now);
        assert_eq!(cost, Duration::from_secs(2).as_nanos());
        assert_eq!(server.cost(now + HALF_LIFE * 3), cost / 8);
        let calls = [server.call(), server.call()];
        assert_eq!(server.cost(now), cost * 3);
        drop(calls);
        assert_eq!(server.cost(now), cost);
        assert_eq!(server.cost(now + HALF_LIFE * 1_000), 0);
    }

    #[test]
    fn a_refusal_is_news_once_until_the_server_answers() {
        let (server, now) = (server(), Instant::now());
        assert!(server.refused(now));
        assert!(!server.refused(now));
        assert!(server.answered(Duration::ZERO, now));
        assert!(!server.answered(Duration::ZERO, now));
        assert!(server.refused(now));
    }
}
