//! Ensembles of three, of which one is down.

use std::io::{Read as _, Write as _};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use super::asking::rounds::Until;
use super::*;

/// All three, the first of which is asked first.
fn of_all(members: &[Server; 3]) -> Database {
    let mut database = members[0].database();
    database.addresses = members.iter().map(|member| member.address.clone()).collect();
    with_orders(database)
}

/// Which member leads, by its place among the addresses.
fn leader(database: &Database) -> usize {
    let leads = |address: &String| {
        let told = std::net::TcpStream::connect(address).and_then(|mut member| {
            let mut told = String::new();
            member.write_all(b"srvr")?;
            member.read_to_string(&mut told)?;
            Ok(told)
        });
        told.is_ok_and(|told| told.contains("Mode: leader"))
    };
    let mut found = None;
    asking::wait_until("a leader", || {
        found = database.addresses.iter().position(leads);
        found.is_some()
    });
    found.unwrap()
}

#[test]
fn any_member_may_be_down_and_the_others_go_on() {
    let mut members = Server::ensemble();
    let database = of_all(&members);
    let store = other(&database);
    let mut lease = store.acquire(&request("a"), &long()).unwrap();
    let mut last = 0;
    for round in 0..4 {
        let down = if round % 2 == 0 { leader(&database) } else { round % 3 };
        members[down].end();
        // Ranges that were lost with a leader leave a gap.
        for _ in 0..3 {
            let number = asking::patiently(|| take(&store));
            assert!(number > last);
            last = number;
        }
        let attempt = long();
        lease = asking::patiently(|| store.renew(&lease, 60_000, &attempt));
        members[down].start_again();
    }
}

#[test]
fn a_leader_that_is_killed_under_load_repeats_nothing() {
    const TAKERS: usize = 4;
    let mut members = Server::ensemble();
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
            asking::wait_until("ranges of every taker", || (0..TAKERS).all(goes_on));
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

/// A member without most of the others ends every connection.
#[test]
fn without_most_members_nothing_is_given() {
    let mut members = Server::ensemble();
    let database = of_all(&members);
    let store = other(&database);
    assert_eq!(take(&store).unwrap(), 1);
    members[1].end();
    members[2].end();
    asking::wait_until("a refusal", || take_within(&store, Duration::from_secs(3)).is_err());
    let message = refused(other_or_error(&database), Code::StoreUnavailable);
    assert!(message.contains("without most of the others"), "{message}");
    // None answers before it has another.
    thread::scope(|scope| {
        let [_, second, third] = &mut members;
        scope.spawn(|| second.start_again());
        scope.spawn(|| third.start_again());
    });
    assert!(asking::patiently(|| take(&store)) > 1);
}

fn other_or_error(database: &Database) -> snowmint::Result<ZookeeperStore> {
    let first = Database { addresses: database.addresses[..1].to_vec(), ..database.clone() };
    first.builder().open()
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
    asking::examined(&database.url()).has("server", Verdict::Weaker, "does not answer");
}
