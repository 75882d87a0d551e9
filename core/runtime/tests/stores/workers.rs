//! Leases, one rule at a time.

use snowmint::{AllocationRequest, Layout, TagOptions};

use super::*;

/// A lease of worker ID 0 whose reserved time is over.
fn rested(bench: &dyn Bench, owner: &str) -> Lease {
    let lease = bench
        .workers()
        .acquire(&changed(request(owner, 0), |it| it.reserve_ms = 1), &fresh())
        .unwrap();
    bench.pass(3);
    lease
}

pub(crate) fn first_lease(bench: &dyn Bench) {
    let lease = bench.workers().acquire(&request("a", 1023), &attempt(token(1))).unwrap();
    assert_eq!((lease.worker_id, lease.epoch), (0, 1));
    assert_eq!((lease.realm.as_str(), lease.owner.as_str(), lease.token), (REALM, "a", token(1)));
    assert_eq!(lease.floor_ms, lease.now_ms);
    assert_eq!(lease.reserved_ms, lease.now_ms + i64::from(MINUTE_MS));
}

/// From the one that the token draws on, going round.
pub(crate) fn unused_ids_are_drawn(bench: &dyn Bench) {
    let mut count = 0;
    let mut taken = |first: u128, avoid| {
        count += 1;
        let request = changed(request("a", 7), |it| it.avoid = avoid);
        let call = attempt(((count << 64) + first).to_le_bytes());
        bench.workers().acquire(&request, &call).unwrap().worker_id
    };
    assert_eq!([5, 5, 5].map(|first| taken(first, None)), [5, 6, 7]);
    assert_eq!((taken(2, Some(2)), taken(7, None), taken(7, None)), (3, 0, 1));
    assert_eq!((taken(5, None), taken(5, None)), (2, 4));
}

/// As after a clock that was ahead: what it reserved holds nobody up who mints by no time.
pub(crate) fn past_what_is_reserved(bench: &dyn Bench) {
    let store = bench.workers();
    let long = changed(request("a", 0), |it| it.reserve_ms = HOUR_MS);
    let next = |owner| changed(request(owner, 0), |it| it.past_reserved = true);
    let first = store.acquire(&long, &fresh()).unwrap();
    let refused = store.acquire(&next("b"), &fresh()).unwrap_err();
    assert_eq!(refused.code(), Code::WorkersExhausted, "it is held");
    store.release(&first, &fresh()).unwrap();
    bench.pass(2);
    let refused = store.acquire(&request("b", 0), &fresh()).unwrap_err();
    assert_eq!(refused.code(), Code::WorkersExhausted, "it is reserved");
    let second = store.acquire(&next("b"), &fresh()).unwrap();
    assert!(second.epoch > first.epoch && second.floor_ms >= first.reserved_ms);
    let refused = store.acquire(&next("c"), &fresh()).unwrap_err();
    assert_eq!(refused.code(), Code::WorkersExhausted, "it is held again");
    assert!(store.evict(REALM, 0).unwrap());
    bench.pass(2);
    let third = store.acquire(&next("c"), &fresh()).unwrap();
    assert!(third.epoch > second.epoch && third.floor_ms >= second.reserved_ms);
    assert_eq!(store.renew(&second, MINUTE_MS, &fresh()).unwrap_err().code(), Code::LeaseLost);
}

pub(crate) fn renewal_extends(bench: &dyn Bench) {
    let store = bench.workers();
    let first = store.acquire(&request("a", 0), &fresh()).unwrap();
    bench.pass(2);
    let second = store.renew(&first, MINUTE_MS, &attempt(token(2))).unwrap();
    assert!(second.now_ms >= first.now_ms + 2);
    // From a time on that the store had during the call.
    let minute = first.reserved_ms + 2..=second.now_ms + i64::from(MINUTE_MS);
    assert!(minute.contains(&second.reserved_ms), "{} in {minute:?}", second.reserved_ms);
    let same = changed(first.clone(), |it| {
        it.token = token(2);
        it.reserved_ms = second.reserved_ms;
        it.now_ms = second.now_ms;
    });
    assert_eq!(second, same);
    assert_eq!(store.workers().unwrap()[0].reserved_ms, second.reserved_ms);
}

pub(crate) fn renewal_can_be_repeated(bench: &dyn Bench) {
    let store = bench.workers();
    let first = store.acquire(&request("a", 0), &fresh()).unwrap();
    let answer_lost = store.renew(&first, MINUTE_MS, &attempt(token(2))).unwrap();
    bench.pass(2);
    let again = store.renew(&first, MINUTE_MS, &attempt(token(2))).unwrap();
    assert_eq!((again.token, again.floor_ms), (token(2), first.floor_ms));
    assert!(again.reserved_ms >= answer_lost.reserved_ms);
    store.renew(&again, MINUTE_MS, &attempt(token(3))).unwrap();
}

/// Two clones of a machine have the same random bits: they ask by one name and one token.
pub(crate) fn twins_get_two_worker_ids(bench: &dyn Bench) {
    let store = bench.workers();
    let [first, second] =
        [(); 2].map(|()| store.acquire(&request("a", 7), &attempt(token(1))).unwrap());
    assert_ne!(first.worker_id, second.worker_id);
    for twin in [&first, &second] {
        let renewed = store.renew(twin, MINUTE_MS, &attempt(token(2))).unwrap();
        assert_eq!((renewed.worker_id, renewed.epoch), (twin.worker_id, twin.epoch));
    }
    store.release(&changed(first, |it| it.token = token(2)), &fresh()).unwrap();
    store.renew(&changed(second, |it| it.token = token(2)), MINUTE_MS, &fresh()).unwrap();
}

pub(crate) fn only_one_twin_renews(bench: &dyn Bench) {
    let store = bench.workers();
    let copied = store.acquire(&request("a", 0), &fresh()).unwrap();
    let twin = store.renew(&copied, MINUTE_MS, &attempt(token(2))).unwrap();
    refused(store.renew(&copied, MINUTE_MS, &attempt(token(3))), Code::LeaseLost);
    store.renew(&twin, MINUTE_MS, &attempt(token(4))).unwrap();
    refused(store.renew(&copied, MINUTE_MS, &attempt(token(2))), Code::LeaseLost);
}

pub(crate) fn strangers_cannot_renew(bench: &dyn Bench) {
    let store = bench.workers();
    let lease = store.acquire(&request("a", 3), &fresh()).unwrap();
    let before = store.workers().unwrap();
    for stranger in [
        changed(lease.clone(), |it| it.epoch = lease.epoch + 1),
        changed(lease.clone(), |it| it.epoch = u64::MAX),
        changed(lease.clone(), |it| it.owner = "b".to_owned()),
        changed(lease.clone(), |it| it.token = token(9)),
        changed(lease.clone(), |it| it.worker_id = 1),
        changed(lease.clone(), |it| it.realm = "other".to_owned()),
    ] {
        let message = refused(store.renew(&stranger, HOUR_MS, &attempt(token(2))), Code::LeaseLost);
        assert!(message.contains(&stranger.owner), "{message}");
        store.release(&stranger, &fresh()).unwrap();
    }
    assert_eq!(store.workers().unwrap(), before);
    store.renew(&lease, MINUTE_MS, &attempt(token(2))).unwrap();
}

pub(crate) fn renewal_lowers_nothing(bench: &dyn Bench) {
    let store = bench.workers();
    let first =
        store.acquire(&changed(request("a", 0), |it| it.reserve_ms = HOUR_MS), &fresh()).unwrap();
    let row = store.workers().unwrap();
    let second = store.renew(&first, 1, &attempt(token(2))).unwrap();
    assert_eq!(second.reserved_ms, first.reserved_ms);
    assert_eq!(store.workers().unwrap(), row);
    for reserve_ms in [0, MAX_RESERVE_AHEAD_MS + 1] {
        refused(store.renew(&second, reserve_ms, &attempt(token(3))), Code::InvalidParameter);
    }
    let most = store.renew(&second, MAX_RESERVE_AHEAD_MS, &attempt(token(3))).unwrap();
    // Some are told their clock by another call than the one that reserves.
    let short_ms = most.now_ms + i64::from(MAX_RESERVE_AHEAD_MS) - most.reserved_ms;
    assert!((0..i64::from(HOUR_MS)).contains(&short_ms), "{most:?}");
}

pub(crate) fn expired_but_untaken_can_be_renewed(bench: &dyn Bench) {
    let lease = rested(bench, "a");
    assert!(!bench.workers().workers().unwrap()[0].held);
    let renewed = bench.workers().renew(&lease, MINUTE_MS, &attempt(token(2))).unwrap();
    assert_eq!((renewed.floor_ms, renewed.epoch), (lease.floor_ms, lease.epoch));
    assert!(bench.workers().workers().unwrap()[0].held);
}

pub(crate) fn taken_over_is_lost(bench: &dyn Bench) {
    let store = bench.workers();
    let old = rested(bench, "a");
    // Even by one that says it has the same name and token.
    let new = store.acquire(&request("a", 0), &fresh()).unwrap();
    assert_above(&new, &old);
    refused(store.renew(&old, MINUTE_MS, &attempt(token(2))), Code::LeaseLost);
    store.release(&old, &fresh()).unwrap();
    assert!(store.workers().unwrap()[0].held);
    store.renew(&new, MINUTE_MS, &attempt(token(2))).unwrap();
}

pub(crate) fn release_ends_the_lease(bench: &dyn Bench) {
    let store = bench.workers();
    let lease = store.acquire(&request("a", 0), &fresh()).unwrap();
    store.release(&lease, &fresh()).unwrap();
    let row = &store.workers().unwrap()[0];
    assert!(!row.held);
    assert_eq!((row.reserved_ms, row.epoch, row.owner.as_str()), (lease.reserved_ms, 1, "a"));
    assert!(row.expires_ms < row.reserved_ms);
    let before = store.workers().unwrap();
    bench.pass(2);
    store.release(&lease, &fresh()).unwrap();
    refused(store.renew(&lease, MINUTE_MS, &attempt(token(2))), Code::LeaseLost);
    assert_eq!(store.workers().unwrap(), before);
}

pub(crate) fn release_of_a_lost_lease_is_nothing(bench: &dyn Bench) {
    let store = bench.workers();
    let stale = store.acquire(&request("a", 0), &fresh()).unwrap();
    store.renew(&stale, MINUTE_MS, &attempt(token(2))).unwrap();
    store.release(&stale, &fresh()).unwrap();
    assert!(store.workers().unwrap()[0].held);
    store.release(&changed(stale, |it| it.worker_id = 7), &fresh()).unwrap();
}

pub(crate) fn exhaustion_says_who_and_when(bench: &dyn Bench) {
    let store = bench.workers();
    for owner in ["first-host", "second-host"] {
        store.acquire(&request(owner, 1), &fresh()).unwrap();
        bench.pass(2);
    }
    let before = store.workers().unwrap();
    let message = refused(store.acquire(&request("third", 1), &fresh()), Code::WorkersExhausted);
    for part in ["2 held", "first-host", " ms", REALM] {
        assert!(message.contains(part), "no {part:?} in {message:?}");
    }
    assert_eq!(store.workers().unwrap(), before);
    assert_eq!(store.acquire(&request("third", 2), &fresh()).unwrap().worker_id, 2);
}

pub(crate) fn rested_ids_are_taken_again(bench: &dyn Bench) {
    let mut before = rested(bench, "a");
    for epoch in 2..6 {
        let lease = rested(bench, "b");
        assert_above(&lease, &before);
        assert_eq!((lease.epoch, lease.floor_ms), (epoch, lease.now_ms));
        before = lease;
    }
}

pub(crate) fn reserved_time_is_skipped(bench: &dyn Bench) {
    let store = bench.workers();
    let old = store.acquire(&request("a", 0), &fresh()).unwrap();
    store.release(&old, &fresh()).unwrap();
    let patient = changed(request("b", 0), |it| {
        it.reserve_ms = HOUR_MS;
        it.max_ahead_ms = HOUR_MS;
    });
    let new = store.acquire(&patient, &fresh()).unwrap();
    assert_above(&new, &old);
    assert_eq!(new.floor_ms, old.reserved_ms);
    assert_eq!(new.reserved_ms, new.now_ms + i64::from(HOUR_MS));
}

pub(crate) fn too_far_ahead_is_not_taken(bench: &dyn Bench) {
    let store = bench.workers();
    let lease =
        store.acquire(&changed(request("a", 0), |it| it.reserve_ms = HOUR_MS), &fresh()).unwrap();
    store.release(&lease, &fresh()).unwrap();
    for (reserve_ms, max_ahead_ms) in [
        (HOUR_MS, 0),           // nothing ahead is allowed
        (HOUR_MS, HOUR_MS / 2), // further than allowed
        (HOUR_MS, u32::MAX),    // less than a quarter of the reservation left
        (MINUTE_MS, u32::MAX),  // nothing of the reservation left
        (1, u32::MAX),          // no quarter of a millisecond
    ] {
        let request = changed(request("b", 0), |it| {
            it.reserve_ms = reserve_ms;
            it.max_ahead_ms = max_ahead_ms;
        });
        let message = refused(store.acquire(&request, &fresh()), Code::WorkersExhausted);
        assert!(message.contains("0 held"), "{message}");
    }
}

pub(crate) fn held_is_never_taken(bench: &dyn Bench) {
    let store = bench.workers();
    let lease = store.acquire(&request("a", 0), &fresh()).unwrap();
    let patient = changed(request("b", 0), |it| {
        it.reserve_ms = HOUR_MS;
        it.max_ahead_ms = u32::MAX;
    });
    refused(store.acquire(&patient, &fresh()), Code::WorkersExhausted);
    store.renew(&lease, MINUTE_MS, &attempt(token(2))).unwrap();
}

pub(crate) fn avoided_is_never_taken(bench: &dyn Bench) {
    let store = bench.workers();
    let avoiding = |avoid, max| {
        changed(request("a", max), |it| {
            it.avoid = Some(avoid);
            it.reserve_ms = 1;
        })
    };
    refused(store.acquire(&avoiding(0, 0), &fresh()), Code::WorkersExhausted);
    assert_eq!(store.acquire(&avoiding(0, 9), &fresh()).unwrap().worker_id, 1);
    bench.pass(3);
    // 1 is rested, and still not taken.
    assert_eq!(
        store
            .acquire(&changed(avoiding(1, 9), |it| it.reserve_ms = MINUTE_MS), &fresh())
            .unwrap()
            .worker_id,
        0
    );
    assert_eq!(
        store
            .acquire(&changed(avoiding(1, 9), |it| it.reserve_ms = MINUTE_MS), &fresh())
            .unwrap()
            .worker_id,
        2
    );
    assert_eq!(
        store
            .acquire(&changed(avoiding(3, 4), |it| it.reserve_ms = MINUTE_MS), &fresh())
            .unwrap()
            .worker_id,
        1
    );
    assert_eq!(store.acquire(&avoiding(3, 4), &fresh()).unwrap().worker_id, 4);
    bench.pass(3);
    assert_eq!(store.acquire(&avoiding(u32::MAX, u32::MAX), &fresh()).unwrap().worker_id, 4);
}

pub(crate) fn eviction_ends_the_lease(bench: &dyn Bench) {
    let store = bench.workers();
    assert!(!store.evict(REALM, 0).unwrap());
    let lease = store.acquire(&request("a", 0), &fresh()).unwrap();
    assert!(!store.evict(REALM, 1).unwrap());
    assert!(!store.evict("other", 0).unwrap());
    assert!(store.evict(REALM, 0).unwrap());
    let row = &store.workers().unwrap()[0];
    assert!(!row.held);
    assert_eq!(row.reserved_ms, lease.reserved_ms);
    refused(store.renew(&lease, MINUTE_MS, &attempt(token(2))), Code::LeaseLost);
    store.release(&lease, &fresh()).unwrap();
    refused(store.acquire(&request("b", 0), &fresh()), Code::WorkersExhausted);
    let patient = changed(request("b", 0), |it| {
        it.reserve_ms = HOUR_MS;
        it.max_ahead_ms = HOUR_MS;
    });
    assert_above(&store.acquire(&patient, &fresh()).unwrap(), &lease);
}

pub(crate) fn preference_order(bench: &dyn Bench) {
    let store = bench.workers();
    let take = |reserve_ms| {
        let request = changed(request("a", 4), |it| {
            it.reserve_ms = reserve_ms;
            it.max_ahead_ms = u32::MAX;
        });
        store.acquire(&request, &fresh()).unwrap()
    };
    // Reserved for long, for a while, and 2 for so short that their time is over; 4 is unused.
    let (long, short) = (take(MINUTE_MS), take(MINUTE_MS / 2));
    let early = take(1);
    bench.pass(3);
    let late = store
        .acquire(
            &changed(request("a", 4), |it| {
                it.reserve_ms = 1;
                it.avoid = Some(early.worker_id);
            }),
            &fresh(),
        )
        .unwrap();
    bench.pass(3);
    store.release(&long, &fresh()).unwrap();
    store.release(&short, &fresh()).unwrap();
    let order: Vec<u32> = (0..5).map(|_| take(HOUR_MS).worker_id).collect();
    assert_eq!(
        order,
        [early.worker_id, late.worker_id, 4, short.worker_id, long.worker_id],
        "{early:?} {late:?} {short:?} {long:?}"
    );
}

/// Other layouts could make the same IDs, whatever worker IDs they call theirs.
pub(crate) fn l1_a_key_space_has_one_layout(bench: &dyn Bench) {
    let store = bench.workers();
    let first = store.acquire(&request("a", 9), &fresh()).unwrap();
    let other = changed(request("b", 9), |it| it.realm = "time:41,worker:3@0/1".to_owned());
    let message = refused(store.acquire(&other, &fresh()), Code::RealmMismatch);
    for part in [REALM, "time:41,worker:3@0/1"] {
        assert!(message.contains(part), "no {part:?} in {message:?}");
    }
    store.release(&first, &fresh()).unwrap();
    refused(store.acquire(&other, &fresh()), Code::RealmMismatch);
    // No ID's time rests on these.
    store.acquire(&of_no_layout("turns", 0), &fresh()).unwrap();
    assert_eq!(store.acquire(&request("c", 9), &fresh()).unwrap().realm, REALM);
}

/// Once all leases of the one before are over, and then for good.
pub(crate) fn l1_a_layout_changes_once_its_leases_are_over(bench: &dyn Bench) {
    let store = bench.workers();
    let wide =
        Layout::builder().time(41).worker(10).sequence(13).epoch_ms(Layout::TWITTER.epoch_ms());
    let wide = wide.build().unwrap();
    let before = changed(request("a", 9), |it| it.realm = Layout::TWITTER.to_string());
    let lease = store.acquire(&before, &fresh()).unwrap();
    let message = refused(store.change_layout(&wide), Code::StoreLocked);
    assert!(message.contains(" by a"), "{message}");
    store.release(&lease, &fresh()).unwrap();
    refused(store.change_layout(&wide), Code::StoreLocked);
    assert_eq!(store.acquire(&before, &fresh()).unwrap().realm, before.realm, "it goes on");
}

pub(crate) fn l1_a_changed_layout_is_above_the_one_before(bench: &dyn Bench) {
    let store = bench.workers();
    let wide =
        Layout::builder().time(41).worker(10).sequence(13).epoch_ms(Layout::TWITTER.epoch_ms());
    let wide = wide.build().unwrap();
    let narrow =
        Layout::builder().time(41).worker(3).sequence(12).epoch_ms(Layout::TWITTER.epoch_ms());
    let of = |layout: &Layout| changed(request("a", 9), |it| it.realm = layout.to_string());
    let short = changed(of(&Layout::TWITTER), |it| it.reserve_ms = 1);
    let old = store.acquire(&short, &fresh()).unwrap();
    bench.pass(3);
    refused(store.change_layout(&narrow.build().unwrap()), Code::RealmMismatch);
    store.change_layout(&wide).unwrap();
    store.change_layout(&wide).unwrap();
    refused(store.renew(&old, MINUTE_MS, &fresh()), Code::LeaseLost);
    refused(store.acquire(&short, &fresh()), Code::RealmMismatch);
    let new = store.acquire(&of(&wide), &fresh()).unwrap();
    assert!(new.floor_ms >= old.reserved_ms, "{new:?} after {old:?}");
}

pub(crate) fn tells_its_key_space(bench: &dyn Bench) {
    let store = bench.workers();
    let key_space = store.key_space().unwrap();
    assert!(key_space.is_some());
    let lease = store.acquire(&request("a", 9), &fresh()).unwrap();
    let renewed = store.renew(&lease, MINUTE_MS, &fresh()).unwrap();
    bench.segments().create_tag(&tag("orders"), TagOptions::default()).unwrap();
    let request = AllocationRequest::new(tag("orders"), 5);
    let given = bench.segments().allocate(&[request], &fresh()).unwrap().pop().unwrap().unwrap();
    let told = [lease.key_space, renewed.key_space, given.key_space, store.key_space().unwrap()];
    assert_eq!(told, [key_space; 4]);
}

pub(crate) fn realms_are_separate(bench: &dyn Bench) {
    let store = bench.workers();
    for realm in ["b", "a", "A", "a "] {
        let request = of_no_layout(realm, 0);
        assert_eq!(store.acquire(&request, &fresh()).unwrap().worker_id, 0);
        refused(store.acquire(&request, &fresh()), Code::WorkersExhausted);
    }
    assert!(store.evict("A", 0).unwrap());
    let rows = store.workers().unwrap();
    let held: Vec<_> = rows.iter().map(|row| (row.realm.as_str(), row.held)).collect();
    assert_eq!(held, [("A", false), ("a", true), ("a ", true), ("b", true)]);
}

pub(crate) fn rows_tell_everything(bench: &dyn Bench) {
    let store = bench.workers();
    assert_eq!(store.workers().unwrap(), []);
    let leases = ["a", "b"].map(|owner| store.acquire(&request(owner, 9), &fresh()).unwrap());
    let rows = store.workers().unwrap();
    assert_eq!(rows.len(), 2);
    for (row, lease) in rows.iter().zip(&leases) {
        assert_eq!((&row.realm, row.worker_id), (&lease.realm, lease.worker_id));
        assert_eq!((&row.owner, row.epoch), (&lease.owner, lease.epoch));
        assert_eq!((row.reserved_ms, row.expires_ms), (lease.reserved_ms, lease.reserved_ms));
        assert!(row.held);
    }
}

pub(crate) fn rows_of_a_realm(bench: &dyn Bench) {
    let store = bench.workers();
    for realm in [REALM, "another", "another's", "ánother"] {
        let request = of_no_layout(realm, 9);
        for _ in 0..2 {
            store.acquire(&request, &fresh()).unwrap();
        }
    }
    for (realm, expected) in [("another", 2), ("another's", 2), ("ánother", 2), ("ANOTHER", 0)] {
        let rows = store.workers_of(realm).unwrap();
        let own = store.workers().unwrap().into_iter().filter(|row| row.realm == realm);
        assert_eq!(rows, own.collect::<Vec<_>>());
        assert_eq!(rows.len(), expected, "{realm}");
    }
}

pub(crate) fn request_limits(bench: &dyn Bench) {
    let store = bench.workers();
    let long = |length: usize| "ä".repeat(length / 2) + if length % 2 == 1 { "x" } else { "" };
    for wrong in [
        changed(request("a", 9), |it| it.reserve_ms = 0),
        changed(request("a", 9), |it| it.reserve_ms = MAX_RESERVE_AHEAD_MS + 1),
        changed(request("a", 9), |it| it.realm = String::new()),
        changed(request("a", 9), |it| it.realm = long(256)),
        changed(request("a", 9), |it| it.realm = "a\0b".to_owned()),
        request("", 9),
        request(&long(256), 9),
    ] {
        refused(store.acquire(&wrong, &fresh()), Code::InvalidParameter);
    }
    assert_eq!(store.workers().unwrap(), []);
    for right in [
        changed(request("a", 0), |it| it.reserve_ms = 1),
        changed(request("a", u32::MAX), |it| it.reserve_ms = HOUR_MS),
        changed(of_no_layout(&long(255), 9), |it| it.owner = "a'; --".to_owned()),
        request(&long(255), 9),
    ] {
        let lease = store.acquire(&right, &fresh()).unwrap();
        assert_eq!((lease.realm, lease.owner), (right.realm, right.owner));
        bench.pass(3);
    }
}

pub(crate) fn threads_get_different_ids(bench: &dyn Bench) {
    let store = bench.workers();
    let mut ids: Vec<u32> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|n| {
                let request = request(&format!("thread-{n}"), 31);
                scope.spawn(move || {
                    [(); 4].map(|()| store.acquire(&request, &fresh()).unwrap().worker_id)
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    ids.sort_unstable();
    assert_eq!(ids, Vec::from_iter(0..32));
    refused(store.acquire(&request("late", 31), &fresh()), Code::WorkersExhausted);
}
