//! Clusters of three, of which one is down.

use super::proxy::{Fate, Proxy};
use super::*;

/// Returns the index of the leading member among the addresses.
pub(super) fn leader(database: &Database) -> usize {
    let status = database.run(&["endpoint", "status"]);
    let is_leader = |line: &&str| line.split(", ").nth(4) == Some("true");
    let line = status.lines().find(is_leader).unwrap_or_else(|| panic!("no leader: {status}"));
    database.addresses.iter().position(|it| line.starts_with(it.as_str())).unwrap()
}

/// It takes what it is told, and answers nothing.
#[test]
fn without_most_members_nothing_is_given() {
    let mut members = Server::three();
    let database = of_all(&members);
    let store = other(&database);
    assert_eq!(take(&store).unwrap(), 1);
    members[1].end();
    members[2].end();
    refused(take_within(&store, Duration::from_secs(3)), Code::StoreUnavailable);
    members[1].start_again();
    assert!(asking::patiently(|| take(&store)) > 1);
}

/// The store sends the change of a row that nobody else changes without reading the row first.
/// Another member then answers.
#[test]
fn a_member_that_swallows_a_change_is_passed_over() {
    let members = Server::three();
    let mut database = of_all(&members);
    let proxy = Proxy::before(&database);
    database.addresses[0] = format!("127.0.0.1:{}", proxy.port);
    let store = other(&database);
    for _ in 0..3 {
        take(&store).unwrap();
    }
    proxy.next(Fate::Withheld);
    assert!(take(&store).unwrap() >= 31);
}

/// Both have the tag, and would give the same numbers.
#[test]
fn a_member_of_another_cluster_is_refused() {
    let (mut first, second) = (Server::start(&[]), Server::start(&["initial-cluster-token=b"]));
    let mut database = with_orders(first.database());
    let elsewhere = Database { addresses: vec![second.address()], ..database.clone() };
    let elsewhere = with_orders(elsewhere);
    database.addresses.push(second.address());
    let store = other(&database);
    assert_eq!(take(&store).unwrap(), 1);
    first.end();
    let message = refused(take(&store), Code::IncarnationChanged);
    assert!(message.contains("members of one cluster"), "{message}");
    assert_eq!(take(&other(&elsewhere)).unwrap(), 1);
    first.start_again();
    assert_eq!(asking::patiently(|| take(&other(&database))), 11);
}
