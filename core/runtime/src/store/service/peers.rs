//! Chooses which servers a process asks first, and which it skips for a while.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::lists::Reading;
use super::server::{Listed, Server};
use crate::error::Result;
use crate::host::{Random, System};

/// The time after which a slow server is given up while another may answer. Its late answer is
/// wasted, but repeats nothing.
const PATIENCE: Duration = Duration::from_millis(500);
/// If all servers are slow, the time is this many times that of the fastest.
const PATIENCE_TIMES: u32 = 4;

/// The servers, as one process sees them.
pub(super) struct Peers {
    servers: Mutex<Vec<Arc<Server>>>,
    /// The state of reading the list, for one call at a time.
    pub(super) reading: Mutex<Reading>,
}

impl Peers {
    pub(super) fn new(list: Vec<Listed>) -> Peers {
        let servers = list.into_iter().map(|listed| Arc::new(Server::new(listed))).collect();
        Peers { servers: Mutex::new(servers), reading: Mutex::default() }
    }

    /// Takes a new list. Servers that stay in it keep their connections and their measurements.
    pub(super) fn replace(&self, list: Vec<Listed>) {
        let mut servers = self.servers();
        let kept = |listed: Listed| match servers.iter().find(|server| server.listed == listed) {
            Some(server) => Arc::clone(server),
            None => Arc::new(Server::new(listed)),
        };
        *servers = list.into_iter().map(kept).collect();
    }

    /// Returns all servers in the order to ask them. First comes the better of two that are picked
    /// at random: so clients spread out, and none stays with a slow server. Servers that failed
    /// come last, in case no other answers.
    ///
    /// # Errors
    /// [`Code::NoResource`](crate::Code::NoResource) if the system has no random numbers.
    /// [`Code::NoResource`](crate::Code::NoResource) where the system has no random numbers.
    pub(super) fn order(&self) -> Result<Vec<Arc<Server>>> {
        Ok(self.order_at(Instant::now(), u128::from_le_bytes(System.token()?)))
    }

    fn order_at(&self, now: Instant, lot: u128) -> Vec<Arc<Server>> {
        let mut order = self.servers().clone();
        // Rotated first, so that servers of the same cost take turns.
        let turn = (lot >> 64) % (order.len().max(1) as u128);
        order.rotate_left(turn as usize);
        order.sort_by_cached_key(|it| (it.rests_until(now), it.listed.tier, it.cost(now)));
        let ready = match order.first() {
            Some(first) if first.rests_until(now).is_none() => {
                let is_equal = |it: &&Arc<Server>| {
                    it.rests_until(now).is_none() && it.listed.tier == first.listed.tier
                };
                order.iter().take_while(is_equal).count()
            }
            _ => 0,
        };
        if ready > 1 {
            let first = better_of_two(ready, lot);
            order[..=first].rotate_right(1);
        }
        if let Some(first) = order.first() {
            first.try_again(now);
        }
        order
    }

    /// Returns how long to wait for a server while another may answer.
    pub(super) fn patience(&self) -> Duration {
        let servers = self.servers();
        let quickest = servers.iter().filter_map(|server| server.took()).min();
        quickest.map_or(PATIENCE, |took| PATIENCE.max(took.saturating_mul(PATIENCE_TIMES)))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.servers().is_empty()
    }

    fn servers(&self) -> MutexGuard<'_, Vec<Arc<Server>>> {
        self.servers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Picks two different places among `count` sorted ones, and returns the better.
fn better_of_two(count: usize, lot: u128) -> usize {
    let count = count as u128;
    let one = lot % count;
    let other = (one + 1 + (lot / count) % (count - 1)) % count;
    one.min(other) as usize
}

#[cfg(test)]
mod tests {
    use super::super::server::REST_MAX;
    use super::*;
    use crate::store::remote::members::Member;

    fn listed(name: &str, tier: u16) -> Listed {
        let at = Member { name: name.to_owned(), port: 1 };
        Listed { tier, ..Listed::from(at) }
    }

    fn peers(names: &[&str]) -> Peers {
        Peers::new(names.iter().map(|name| listed(name, 0)).collect())
    }

    fn names(order: &[Arc<Server>]) -> Vec<&str> {
        order.iter().map(|server| server.listed.host.as_str()).collect()
    }

    fn firsts(peers: &Peers, now: Instant) -> Vec<String> {
        let first = |lot: u128| names(&peers.order_at(now, lot | lot << 64))[0].to_owned();
        let mut firsts: Vec<_> = (0..100).map(first).collect();
        firsts.sort();
        firsts.dedup();
        firsts
    }

    #[test]
    fn any_is_asked_while_none_is_known_and_then_never_the_slowest() {
        let (peers, now) = (peers(&["a", "b", "c"]), Instant::now());
        peers.servers()[0].answered(Duration::from_millis(1), now);
        peers.servers()[1].answered(Duration::from_secs(2), now);
        peers.servers()[2].answered(Duration::from_millis(2), now);
        assert_eq!(firsts(&peers, now), ["a", "c"]);
        assert_eq!(names(&peers.order_at(now, 0)), ["a", "c", "b"]);
        let later = now + Duration::from_secs(60);
        for server in [0, 2] {
            peers.servers()[server].answered(Duration::from_millis(900), later);
        }
        assert!(firsts(&peers, later).contains(&"b".to_owned()), "it was slow long ago");
    }

    #[test]
    fn a_server_that_failed_is_asked_last_until_it_has_rested() {
        let (peers, now) = (peers(&["a", "b"]), Instant::now());
        peers.servers()[0].failed(Duration::ZERO, now);
        assert_eq!(firsts(&peers, now), ["b"]);
        assert_eq!(names(&peers.order_at(now, 0)), ["b", "a"]);
        peers.servers()[1].failed(Duration::ZERO, now + Duration::from_millis(1));
        assert_eq!(names(&peers.order_at(now, 0)), ["a", "b"], "who has rested longest first");
        let later = now + REST_MAX;
        assert_eq!(names(&peers.order_at(later, 0))[0], "a");
        assert_eq!(names(&peers.order_at(later, 0)), ["b", "a"], "one call tries it");
    }

    #[test]
    fn servers_of_a_higher_tier_wait_for_the_others_to_fail() {
        let peers = Peers::new(vec![listed("a", 2), listed("b", 1), listed("c", 1)]);
        let now = Instant::now();
        assert_eq!(firsts(&peers, now), ["b", "c"]);
        assert_eq!(names(&peers.order_at(now, 0)), ["b", "c", "a"]);
        for server in [1, 2] {
            peers.servers()[server].failed(Duration::ZERO, now);
        }
        assert_eq!(firsts(&peers, now), ["a"]);
    }

    #[test]
    fn a_server_keeps_its_failures_in_another_list() {
        let (peers, now) = (peers(&["a", "b"]), Instant::now());
        peers.servers()[1].failed(Duration::ZERO, now);
        peers.replace(vec![listed("b", 0), listed("c", 0)]);
        assert_eq!(names(&peers.order_at(now, 0)), ["c", "b"]);
    }

    #[test]
    fn all_that_are_slow_are_waited_for() {
        let (peers, now) = (peers(&["a", "b"]), Instant::now());
        assert_eq!(peers.patience(), PATIENCE);
        peers.servers()[0].answered(Duration::from_secs(2), now);
        assert_eq!(peers.patience(), Duration::from_secs(8));
        peers.servers()[1].answered(Duration::from_millis(1), now);
        assert_eq!(peers.patience(), PATIENCE);
    }

    #[test]
    fn each_pair_is_drawn() {
        let drawn = |count| {
            let drawn = (0..1_000).map(|lot| better_of_two(count, lot));
            drawn.collect::<std::collections::BTreeSet<_>>()
        };
        assert_eq!(drawn(2), [0].into());
        assert_eq!(drawn(3), [0, 1].into());
        assert_eq!(drawn(5), [0, 1, 2, 3].into());
    }
}
