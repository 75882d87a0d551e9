//! A server that takes another's place, and what it does not know.

use snowmint::{
    AllocationRequest, Code, Error, LeaseRequest, Mint, SegmentAdmin, SegmentStore, Tag, TagChange,
    TagOptions, WorkerStore,
};

use crate::asking::{changed, long, orders, refused, request, take, wait_until};
use crate::failovers::{Failover, IN_A_YEAR_MS, NOW_MS, url_of_both};
use crate::{database, other};

/// Leases of so much at most have been given before.
fn had_reservations_of(reserve_ms: u32) -> String {
    format!("UPDATE snowmint_schema SET longest_reserve_ms = {reserve_ms}")
}

pub(crate) fn short(owner: &str, reserve_ms: u32) -> LeaseRequest {
    changed(request(owner), |it| (it.max_worker_id, it.reserve_ms) = (0, reserve_ms))
}

/// In another realm of the key space.
fn of_no_layout(request: LeaseRequest, realm: &str) -> LeaseRequest {
    changed(request, |it| (it.realm, it.past_reserved) = (realm.to_owned(), true))
}

/// The one worker ID is given again while what the store knows of it is long over.
#[test]
fn leases_that_a_failover_loses_meet_no_others() {
    const RESERVE_MS: u32 = 3_000;
    let mut failover = Failover::new();
    let store = failover.before();
    failover.run(&had_reservations_of(1));
    let elsewhere = of_no_layout(request("long"), "elsewhere");
    let elsewhere = changed(elsewhere, |it: &mut LeaseRequest| it.reserve_ms = 40_000);
    let long_lease = store.acquire(&elsewhere, &long()).unwrap();
    failover.run(&had_reservations_of(RESERVE_MS));
    let known = store.acquire(&short("known", 1), &long()).unwrap();
    let untouched = of_no_layout(short("untouched", 1), "untouched");
    let untouched = store.acquire(&untouched, &long()).unwrap();
    failover.part();
    let mut lost = Err(Error::new(Code::WorkersExhausted, ""));
    wait_until("the end of the first lease", || {
        lost = store.acquire(&short("lost", RESERVE_MS), &long());
        lost.is_ok()
    });
    let lost = lost.unwrap();
    let lost = store.renew(&lost, RESERVE_MS, &long()).unwrap();
    drop(store);

    let store = failover.happen();
    refused(store.renew(&known, RESERVE_MS, &long()), Code::LeaseLost);
    let message = refused(store.acquire(&short("next", 1), &long()), Code::WorkersExhausted);
    assert!(message.contains("took another's place"), "{message}");
    let renewed = store.renew(&long_lease, RESERVE_MS, &long()).unwrap();
    assert_ne!(renewed.incarnation, long_lease.incarnation);
    // Nor one that was never used, as far as is known.
    let unused = changed(elsewhere, |it| it.reserve_ms = RESERVE_MS);
    refused(store.acquire(&unused, &long()), Code::WorkersExhausted);

    let mut next = Err(Error::new(Code::WorkersExhausted, ""));
    wait_until("the end of what was lost", || {
        next = store.acquire(&short("next", RESERVE_MS), &long());
        next.is_ok()
    });
    let next = next.unwrap();
    assert!(next.floor_ms >= lost.reserved_ms, "{next:?} meets {lost:?}");
    store.renew(&next, RESERVE_MS, &long()).unwrap();
    // A lease that was over may have been given to another holder, unknown to the new server.
    refused(store.renew(&untouched, RESERVE_MS, &long()), Code::LeaseLost);
    store.acquire(&request("more"), &long()).unwrap();
}

/// A lost lease may have reserved a little more than the longest reservation that is known.
#[test]
fn an_eighth_more_than_any_reservation_is_noted() {
    let database = database();
    let store = other(&database);
    let run = |statements: &str| database.run(statements);
    let longest = || run("SELECT longest_reserve_ms FROM snowmint_schema");
    let lease = store.acquire(&short("a", 64_000), &long()).unwrap();
    assert_eq!(longest(), "72000");
    store.renew(&lease, 66_000, &long()).unwrap();
    assert_eq!(longest(), "74250");
    run("UPDATE snowmint_schema SET incarnation = 'another'");
    let message = refused(store.acquire(&request("b"), &long()), Code::WorkersExhausted);
    assert!(message.contains("74250 ms") && message.contains("longest_reserve_ms"), "{message}");
}

/// By the clock of the server before nothing need be left of what is held here.
#[test]
fn l1_leases_of_a_clock_that_was_ahead_are_over() {
    let database = database();
    let store = other(&database);
    let run = |statements: &str| database.run(statements);
    let of = |realm: &str| of_no_layout(request("a"), realm);
    for (ahead_ms, is_renewed) in [(0, true), (100_000, false)] {
        run("UPDATE snowmint_schema SET waits_until_ms = 0");
        let lease = store.acquire(&of(&format!("{ahead_ms} ms")), &long()).unwrap();
        run(&format!(
            "UPDATE snowmint_worker SET updated_ms = updated_ms + {ahead_ms}, \
             reserved_ms = reserved_ms + {ahead_ms}, expires_ms = expires_ms + {ahead_ms}"
        ));
        run("UPDATE snowmint_schema SET incarnation = 'another'");
        let renewed = store.renew(&lease, 60_000, &long());
        assert_eq!(renewed.is_ok(), is_renewed, "{ahead_ms}: {renewed:?}");
        refused(store.acquire(&of("new"), &long()), Code::WorkersExhausted);
        let waits = "SELECT CASE WHEN waits_until_ms >= expires_ms + longest_reserve_ms THEN 'long' END \
                     FROM snowmint_schema, snowmint_worker ORDER BY expires_ms DESC LIMIT 1";
        assert!(is_renewed || run(waits) == "long");
    }
    // A lease that is taken after the wait is not one of the server before.
    run("UPDATE snowmint_schema SET waits_until_ms = 1");
    let lease = store.acquire(&of("after"), &long()).unwrap();
    store.renew(&lease, 60_000, &long()).unwrap();
}

/// It was noted by a clock that was ahead.
#[test]
fn a_wait_that_is_too_long_is_ended_by_hand() {
    let database = database();
    let store = other(&database);
    let run = |statements: &str| database.run(statements);
    let over = store.acquire(&short("over", 1), &long()).unwrap();
    run(&format!(
        "UPDATE snowmint_schema SET longest_reserve_ms = 1, waits_until_ms = {IN_A_YEAR_MS}"
    ));
    let message = refused(store.acquire(&short("next", 1), &long()), Code::WorkersExhausted);
    // The cure in the message is enough, and the lease that was over stays over.
    let (_, cure) = message.split_once("other server gave, ").unwrap();
    run(cure);
    refused(store.renew(&over, 1, &long()), Code::LeaseLost);
    store.acquire(&short("next", 1), &long()).unwrap();
}

/// The lease may be as short as possible and begin right after the wait.
#[test]
fn a_lease_that_is_taken_after_the_wait_is_renewed() {
    let database = database();
    let store = other(&database);
    let run = |statements: &str| database.run(statements);
    run(&format!("UPDATE snowmint_schema SET waits_until_ms = {NOW_MS}"));
    let lease = store.acquire(&short("soon", 1), &long()).unwrap();
    let lease = store.renew(&lease, 1, &long()).unwrap();
    store.renew(&lease, 1, &long()).unwrap();
}

#[test]
fn ranges_that_a_successor_lacks_are_not_given_again() {
    let mut failover = Failover::new();
    let store = failover.before();
    assert_eq!(take(&store).unwrap(), 1);
    let early = Tag::new("early").unwrap();
    store.create_tag(&early, TagOptions::default()).unwrap();
    failover.part();
    assert_eq!(take(&store).unwrap(), 11);
    drop(store);

    let store = failover.happen();
    let message = refused(take(&store), Code::IncarnationChanged);
    assert!(message.contains("snowmint recover"), "{message}");
    store.change_tag(&orders(), TagChange::default().step(5)).unwrap();
    refused(take(&store), Code::IncarnationChanged);
    store.change_tag(&early, TagChange::default().next(1)).unwrap();
    let answers = [orders(), early].map(|tag| AllocationRequest::new(tag, None));
    let answers = store.allocate(&answers, &long()).unwrap();
    assert!(answers[0].is_err() && answers[1].is_ok(), "{answers:?}");
    store.change_tag(&orders(), TagChange::default().next(21)).unwrap();
    assert_eq!(take(&store).unwrap(), 21);
    assert_eq!(take(&store).unwrap(), 26);
}

/// It names both servers, and what was at hand is its own.
#[test]
fn a_source_goes_on_once_its_tag_is_raised() {
    let mut failover = Failover::new();
    let url = format!("segment+{}&tag=orders", url_of_both(&failover.database, &failover.copy));
    let source = snowmint::open(&url).unwrap();
    let mut last = source.next_id().unwrap();
    failover.part();
    let store = failover.happen();
    wait_until("the refusal", || match source.next_id() {
        Ok(id) => {
            assert_eq!(id, last + 1);
            last = id;
            false
        }
        Err(error) => error.code() == Code::IncarnationChanged,
    });
    store.change_tag(&orders(), TagChange::default().next(1000)).unwrap();
    let mut next = 0;
    wait_until("the first number above", || source.next_id().map(|id| next = id).is_ok());
    assert_eq!(next, 1000);
}

/// Its row bears the token already, and the time of an earlier call.
#[test]
fn a_repeat_of_a_renewal_is_refused_as_any() {
    let database = database();
    let store = other(&database);
    let lease = store.acquire(&short("a", 1), &long()).unwrap();
    let renewal = long();
    store.renew(&lease, 1, &renewal).unwrap();
    database.run("UPDATE snowmint_schema SET incarnation = 'another'");
    refused(store.renew(&lease, 1, &renewal), Code::LeaseLost);
}
