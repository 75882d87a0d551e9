//! Tests of any three members of which one is down. They have the tag `orders`, in steps of 10.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use snowmint::Store;

use crate::asking::rounds::Until;
use crate::asking::{long, patiently, request, take, wait_until};
use crate::server::Server;

/// A store that shares nothing with others.
type New<'a> = &'a (dyn Fn() -> Box<dyn Store> + Sync);

/// `looked` is told after each round in which one was down.
pub(crate) fn any_may_be_down_and_the_others_go_on(
    members: &mut [Server; 3],
    new: New<'_>,
    leader: &dyn Fn() -> usize,
    looked: &dyn Fn(),
) {
    let store = new();
    let mut lease = store.acquire(&request("a"), &long()).unwrap();
    let mut last = 0;
    for round in 0..4 {
        let down = if round % 2 == 0 { leader() } else { round % 3 };
        members[down].end();
        // Ranges that were lost with a leader leave a gap.
        for _ in 0..3 {
            let number = patiently(|| take(&*store));
            assert!(number > last);
            last = number;
        }
        let attempt = long();
        lease = patiently(|| store.renew(&lease, 60_000, &attempt));
        looked();
        members[down].start_again();
    }
}

pub(crate) fn a_leader_that_is_killed_under_load_repeats_nothing(
    members: &mut [Server; 3],
    new: New<'_>,
    leader: &dyn Fn() -> usize,
) {
    const TAKERS: usize = 4;
    let (taken, is_over) = ([(); TAKERS].map(|()| AtomicUsize::new(0)), AtomicBool::new(false));
    let take_on = |count: &AtomicUsize| {
        let (store, mut starts) = (new(), Vec::new());
        while !is_over.load(Ordering::SeqCst) {
            match take(&*store) {
                Ok(start) => starts.push(start),
                Err(error) => assert!(error.is_transient(), "{error}"),
            }
            count.store(starts.len(), Ordering::Relaxed);
        }
        starts
    };
    let mut all = thread::scope(|scope| {
        let _until = Until(&is_over);
        let takers: Vec<_> = taken.iter().map(|count| scope.spawn(|| take_on(count))).collect();
        for _ in 0..3 {
            let down = leader();
            members[down].end();
            let before = taken.each_ref().map(|count| count.load(Ordering::Relaxed));
            let goes_on = |at: usize| taken[at].load(Ordering::Relaxed) > before[at] + 10;
            wait_until("ranges of every taker", || (0..TAKERS).all(goes_on));
            members[down].start_again();
        }
        is_over.store(true, Ordering::SeqCst);
        takers.into_iter().flat_map(|taker| taker.join().unwrap()).collect::<Vec<_>>()
    });
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
}
