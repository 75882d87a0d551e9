//! Ensembles of three, of which one is down.

use std::io::{Read as _, Write as _};
use std::thread;

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
    let (new, leader) = (|| boxed(&database), || leader(&database));
    shared::any_may_be_down_and_the_others_go_on(&mut members, &new, &leader, &|| ());
}

#[test]
#[ignore = "thorough tier"]
fn a_leader_that_is_killed_under_load_repeats_nothing() {
    let mut members = Server::ensemble();
    let database = of_all(&members);
    let (new, leader) = (|| boxed(&database), || leader(&database));
    shared::a_leader_that_is_killed_under_load_repeats_nothing(&mut members, &new, &leader);
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
