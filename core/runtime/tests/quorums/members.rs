//! Three members, of which one is down.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use snowmint::WorkerStore;
use snowmint::doctor::Verdict;

use crate::FOUND_WITHOUT_ONE;
use crate::asking::{Until, examined, long, patiently, request, take, wait_until};
use crate::members::leader;
use crate::server::{Database, Server};
use crate::values::{database, other, with_orders};

/// All three, the first of which is asked first.
pub(crate) fn of_all(members: &[Server; 3]) -> Database {
    let mut database = members[0].database();
    database.addresses = members.iter().map(Server::address).collect();
    with_orders(database)
}

#[test]
fn any_member_may_be_down_and_the_others_go_on() {
    let mut members = Server::three();
    let database = of_all(&members);
    let store = other(&database);
    let mut lease = store.acquire(&request("a"), &long()).unwrap();
    let mut last = 0;
    for round in 0..4 {
        let down = if round % 2 == 0 { leader(&database) } else { round % 3 };
        members[down].end();
        // Ranges that were lost with a leader leave a gap.
        for _ in 0..3 {
            let number = patiently(|| take(&store));
            assert!(number > last);
            last = number;
        }
        let attempt = long();
        lease = patiently(|| store.renew(&lease, 60_000, &attempt));
        let (subject, says) = FOUND_WITHOUT_ONE;
        examined(&database.url()).has(subject, Verdict::Ok, says);
        members[down].start_again();
    }
}

#[test]
#[ignore = "thorough tier"]
fn a_leader_that_is_killed_under_load_repeats_nothing() {
    const TAKERS: usize = 4;
    let mut members = Server::three();
    let database = of_all(&members);
    let (taken, is_over) = ([(); TAKERS].map(|()| AtomicUsize::new(0)), AtomicBool::new(false));
    let take_on = |count: &AtomicUsize| {
        let (store, mut starts) = (other(&database), Vec::new());
        while !is_over.load(Ordering::SeqCst) {
            match take(&store) {
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
            let down = leader(&database);
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

#[test]
fn a_member_that_is_silent_is_passed_over() {
    let mut database = database();
    // It takes connections, and says nothing.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    database.addresses.insert(0, silent.local_addr().unwrap().to_string());
    let store = other(&database);
    assert_eq!(take(&store).unwrap(), 1);
    assert_eq!(take(&store).unwrap(), 11);
    examined(&database.url()).has("server", Verdict::Weaker, "does not answer");
}
