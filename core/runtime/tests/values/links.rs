//! Answers that do not come.

use std::time::Duration;

use snowmint::{Code, WorkerAdmin, WorkerStore};

use super::database;
use crate::asking::{long, refused, request, take, take_within};
use crate::proxy::{Fate, Proxy};

#[test]
fn a_lost_answer_is_unknown_and_its_range_given_up() {
    let database = database();
    let proxy = Proxy::before(&database);
    let store = database.builder_at(proxy.port).open().unwrap();
    assert_eq!(take(&store).unwrap(), 1);
    proxy.next(Fate::Unanswered);
    let message = refused(take(&store), Code::OutcomeUnknown);
    assert!(message.contains("is not used"), "{message}");
    assert_eq!(take(&store).unwrap(), 21);
    proxy.next(Fate::Lost);
    refused(take(&store), Code::OutcomeUnknown);
    assert_eq!(take(&store).unwrap(), 31);
    proxy.next(Fate::Withheld);
    refused(take_within(&store, Duration::from_secs(2)), Code::OutcomeUnknown);
    assert_eq!(take(&store).unwrap(), 41);
}

/// A lease whose answer was lost stays taken, and a renewal is found again by a repeat.
#[test]
fn lost_answers_are_asked_for_again() {
    let database = database();
    let proxy = Proxy::before(&database);
    let store = database.builder_at(proxy.port).open().unwrap();
    // The first one of a key space is a change of its mark as well.
    store.acquire(&request("first"), &long()).unwrap();
    let attempt = long();
    proxy.next(Fate::Unanswered);
    refused(store.acquire(&request("a"), &attempt), Code::OutcomeUnknown);
    let lease = store.acquire(&request("a"), &attempt).unwrap();
    assert_eq!(store.workers().unwrap().len(), 3);
    let renewal = long();
    proxy.next(Fate::Unanswered);
    refused(store.renew(&lease, 60_000, &renewal), Code::OutcomeUnknown);
    store.renew(&lease, 60_000, &renewal).unwrap();
    refused(store.renew(&lease, 60_000, &long()), Code::LeaseLost);
}
