//! Which of the servers a process asks first, and which it passes over for a while.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::session::Session;
use crate::error::Result;
use crate::host::{Random, System};
use crate::store::remote::pool::Pool;

/// A server that failed is passed over for so long, doubled with each failure in a row.
const REST: Duration = Duration::from_secs(1);
const REST_MAX: Duration = Duration::from_secs(60);

/// The servers as one process sees them.
pub(super) struct Peers {
    /// The one that is asked first while it answers: by lot, so that clients spread, and come back
    /// to a server that was away.
    home: usize,
    rests: Mutex<Vec<Rest>>,
    connections: Vec<Pool<Session>>,
}

#[derive(Clone, Copy, Default)]
struct Rest {
    /// Failures in a row.
    failures: u32,
    until: Option<Instant>,
}

impl Peers {
    /// At least one.
    ///
    /// # Errors
    /// [`Code::NoResource`](crate::Code::NoResource) where the system has no random numbers.
    pub(super) fn new(count: usize) -> Result<Peers> {
        let lot = u128::from_le_bytes(System.token()?);
        Ok(Peers::at(count, (lot % count.max(1) as u128) as usize))
    }

    fn at(count: usize, home: usize) -> Peers {
        let connections = (0..count).map(|_| Pool::default()).collect();
        Peers { home, rests: Mutex::new(vec![Rest::default(); count]), connections }
    }

    pub(super) fn connections(&self, server: usize) -> &Pool<Session> {
        &self.connections[server]
    }

    /// All of them, as they are to be asked: those that rest at the end, as nobody else may answer.
    pub(super) fn order(&self) -> Vec<usize> {
        self.order_at(Instant::now())
    }

    fn order_at(&self, now: Instant) -> Vec<usize> {
        let rests = self.rests();
        let count = rests.len();
        let mut order: Vec<_> = (0..count).map(|at| (self.home + at) % count).collect();
        order.sort_by_key(|server| rests[*server].until.filter(|until| *until > now));
        order
    }

    pub(super) fn answered(&self, server: usize) {
        self.rests()[server] = Rest::default();
    }

    pub(super) fn failed(&self, server: usize) {
        self.failed_at(server, Instant::now());
    }

    fn failed_at(&self, server: usize, now: Instant) {
        let rest = &mut self.rests()[server];
        let pause = REST.saturating_mul(1 << rest.failures.min(16)).min(REST_MAX);
        *rest = Rest { failures: rest.failures.saturating_add(1), until: Some(now + pause) };
    }

    fn rests(&self) -> MutexGuard<'_, Vec<Rest>> {
        self.rests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_failed_is_asked_last_until_it_has_rested() {
        let (peers, now) = (Peers::at(3, 1), Instant::now());
        assert_eq!(peers.order_at(now), [1, 2, 0]);
        peers.failed_at(1, now);
        assert_eq!(peers.order_at(now), [2, 0, 1]);
        assert_eq!(peers.order_at(now + REST), [1, 2, 0], "it is asked again");
        peers.failed_at(1, now + REST);
        assert_eq!(peers.order_at(now + REST * 2), [2, 0, 1], "for twice as long");
        peers.failed_at(2, now);
        assert_eq!(peers.order_at(now), [0, 2, 1], "who has rested longest first");
        peers.answered(1);
        assert_eq!(peers.order_at(now), [1, 0, 2]);
    }

    #[test]
    fn none_rests_for_ever() {
        let (peers, now) = (Peers::at(2, 0), Instant::now());
        for _ in 0..100 {
            peers.failed_at(0, now);
        }
        assert_eq!(peers.order_at(now), [1, 0]);
        assert_eq!(peers.order_at(now + REST_MAX), [0, 1]);
    }

    #[test]
    fn processes_begin_with_different_servers() {
        let homes = (0..1_000).map(|_| Peers::new(3).unwrap().home);
        let homes: std::collections::BTreeSet<_> = homes.collect();
        assert_eq!(homes, [0, 1, 2].into());
    }
}
