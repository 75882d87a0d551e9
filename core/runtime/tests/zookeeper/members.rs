//! Ensembles of three, of which one is down.

use std::io::{Read as _, Write as _};
use std::thread;

use super::*;

/// Returns the index of the leading member among the addresses.
pub(super) fn leader(database: &Database) -> usize {
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

/// A member without most of the others ends every connection.
#[test]
fn without_most_members_nothing_is_given() {
    let mut members = Server::three();
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
