//! Clusters of three, of which one is down.

use super::proxy::{Fate, Proxy};
use super::*;

#[path = "../values/members.rs"]
mod shared;

/// All three, the first of which is asked first.
fn of_all(members: &[Server; 3]) -> Database {
    let mut database = members[0].database();
    database.addresses = members.iter().map(|member| member.address.clone()).collect();
    with_orders(database)
}

/// As a process has it that starts while a member goes.
fn boxed(database: &Database) -> Box<dyn Store> {
    Box::new(asking::patiently(|| database.builder().open()))
}

/// Returns the index of the leading member among the addresses.
fn leader(database: &Database) -> usize {
    let status = database.run(&["endpoint", "status"]);
    let is_leader = |line: &&str| line.split(", ").nth(4) == Some("true");
    let line = status.lines().find(is_leader).unwrap_or_else(|| panic!("no leader: {status}"));
    database.addresses.iter().position(|it| line.starts_with(it.as_str())).unwrap()
}

#[test]
fn any_member_may_be_down_and_the_others_go_on() {
    let mut members = Server::cluster();
    let database = of_all(&members);
    let (new, leader) = (|| boxed(&database), || leader(&database));
    let looked = || {
        asking::examined(&database.url()).has("cluster", Verdict::Ok, "of which 1 may be down");
    };
    shared::any_may_be_down_and_the_others_go_on(&mut members, &new, &leader, &looked);
}

#[test]
#[ignore = "thorough tier"]
fn a_leader_that_is_killed_under_load_repeats_nothing() {
    let mut members = Server::cluster();
    let database = of_all(&members);
    let (new, leader) = (|| boxed(&database), || leader(&database));
    shared::a_leader_that_is_killed_under_load_repeats_nothing(&mut members, &new, &leader);
}

/// It takes what it is told, and answers nothing.
#[test]
fn without_most_members_nothing_is_given() {
    let mut members = Server::cluster();
    let database = of_all(&members);
    let store = other(&database);
    assert_eq!(take(&store).unwrap(), 1);
    members[1].end();
    members[2].end();
    refused(take_within(&store, Duration::from_secs(3)), Code::StoreUnavailable);
    members[1].start_again();
    assert!(asking::patiently(|| take(&store)) > 1);
}

#[test]
fn a_member_that_is_silent_is_passed_over() {
    let members = Server::cluster();
    let mut database = of_all(&members);
    // It takes connections, and says nothing.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    database.addresses[0] = silent.local_addr().unwrap().to_string();
    let store = other(&database);
    assert_eq!(take(&store).unwrap(), 1);
    let answers = || take_within(&store, Duration::from_secs(2));
    assert!(asking::patiently(answers).range.start() > 1);
    asking::examined(&database.url()).has("server", Verdict::Weaker, "does not answer");
}

/// The store sends the change of a row that nobody else changes without reading the row first.
/// Another member then answers.
#[test]
fn a_member_that_swallows_a_change_is_passed_over() {
    let members = Server::cluster();
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
    let elsewhere = Database { addresses: vec![second.address.clone()], ..database.clone() };
    let elsewhere = with_orders(elsewhere);
    database.addresses.push(second.address.clone());
    let store = other(&database);
    assert_eq!(take(&store).unwrap(), 1);
    first.end();
    let message = refused(take(&store), Code::IncarnationChanged);
    assert!(message.contains("members of one cluster"), "{message}");
    assert_eq!(take(&other(&elsewhere)).unwrap(), 1);
    first.start_again();
    assert_eq!(asking::patiently(|| take(&other(&database))), 11);
}
