//! Answers that do not come.

use super::*;

use super::proxy::{Fate, Proxy};

fn through(proxy: &Proxy, database: &Database) -> RedisStore {
    builder(database).host("127.0.0.1", proxy.port).open().unwrap()
}

#[test]
fn a_lost_answer_is_unknown_and_its_range_given_up() {
    let database = database();
    let proxy = Proxy::before(&database);
    let store = through(&proxy, &database);
    assert_eq!(take(&store).unwrap(), 1);
    proxy.next(Fate::Unanswered);
    let message = refused(take(&store), Code::OutcomeUnknown);
    assert!(message.contains("is not used"), "{message}");
    assert_eq!(take(&store).unwrap(), 21);
    proxy.next(Fate::Lost);
    refused(take(&store), Code::OutcomeUnknown);
    assert_eq!(take(&store).unwrap(), 31);
}

/// A lease that was granted is found again by a repeat of its attempt.
#[test]
fn a_repeat_of_an_attempt_gets_what_it_got_before() {
    let database = database();
    let proxy = Proxy::before(&database);
    let store = through(&proxy, &database);
    let attempt = long();
    proxy.next(Fate::Unanswered);
    refused(store.acquire(&request("a"), &attempt), Code::OutcomeUnknown);
    let lease = store.acquire(&request("a"), &attempt).unwrap();
    assert_eq!(store.workers().unwrap().len(), 1);
    let renewal = long();
    proxy.next(Fate::Unanswered);
    refused(store.renew(&lease, 60_000, &renewal), Code::OutcomeUnknown);
    store.renew(&lease, 60_000, &renewal).unwrap();
    refused(store.renew(&lease, 60_000, &long()), Code::LeaseLost);
}

#[test]
fn a_server_that_does_not_answer_in_time_is_given_up() {
    const WITHIN: Duration = Duration::from_secs(2);
    let server = Server::start(&[]);
    let database = with_orders(server.database());
    let store = other(&database);
    assert_eq!(take(&store).unwrap(), 1);
    database.run(&["CLIENT", "PAUSE", "6000", "WRITE"]);
    refused(take_within(&store, WITHIN), Code::OutcomeUnknown);
    database.run(&["CLIENT", "UNPAUSE"]);
    assert!([11, 21].contains(&take(&store).unwrap()));
    database.run(&["CLIENT", "PAUSE", "6000", "ALL"]);
    refused(take_within(&store, WITHIN), Code::StoreUnavailable);
}
