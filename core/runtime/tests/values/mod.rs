//! Tests that all servers of values have in common: Redis, etcd and ZooKeeper. Each binary that includes
//! them defines, by the names that they import, its server and what it shows of its rows.

use std::time::Duration;

use snowmint::doctor::Verdict;
use snowmint::{
    Code, Mint, SegmentAdmin, Store, TagChange, TagOptions, WorkerAdmin, WorkerStore, open,
    open_store,
};

use crate::asking::{crowds, examined, long, orders, patiently, refused, request, take};
use crate::{BEGINNING, Database, FOUND, SCHEME, Server, statements_of};

mod forks;
mod links;
mod moves;
mod restores;

/// Returns true if the bytes change stored data.
pub(crate) fn is_commit(chunk: &[u8]) -> bool {
    chunk.windows(BEGINNING.len()).any(|window| window == BEGINNING)
}

/// A place of a test's own, with the tag `orders`, in steps of 10.
pub(crate) fn database() -> Database {
    with_orders(Server::shared().database())
}

pub(crate) fn with_orders(database: Database) -> Database {
    let store = patiently(|| database.builder().create(true).open());
    patiently(|| match store.create_tag(&orders(), TagOptions::default().step(10)) {
        // The outcome of an earlier attempt was not known.
        Err(error) if error.code() == Code::TagExists => Ok(()),
        made => made,
    });
    database
}

/// A store that shares nothing with others: as another process would have it.
pub(crate) fn other(database: &Database) -> impl Store + use<> {
    patiently(|| database.builder().open())
}

#[test]
fn stores_of_one_server_are_one_store() {
    let database = database();
    let (first, second) = (open_store(&database.url()).unwrap(), other(&database));
    assert_eq!(take(&*first).unwrap(), 1);
    assert_eq!(take(&second).unwrap(), 11);
    drop(first);
    assert_eq!(take(&second).unwrap(), 21);
    assert_eq!(take(&*open_store(&database.url()).unwrap()).unwrap(), 31);
}

/// Once a process knows that nobody else changes a row: what `count` tells of, and nothing else.
#[allow(dead_code, reason = "of servers that count questions")]
pub(crate) fn a_row_that_nobody_else_changes_is_changed_by_one_question(
    store: &dyn Store,
    count: &dyn Fn() -> u64,
) {
    let mut lease = store.acquire(&request("a"), &long()).unwrap();
    for _ in 0..2 {
        take(store).unwrap();
        lease = store.renew(&lease, 60_000, &long()).unwrap();
    }
    let before = count();
    for _ in 0..3 {
        take(store).unwrap();
    }
    assert_eq!(count() - before, 3);
    let reserved_ms = lease.reserved_ms;
    for _ in 0..3 {
        lease = store.renew(&lease, 60_000, &long()).unwrap();
    }
    assert_eq!(count() - before, 6);
    assert!(lease.reserved_ms >= reserved_ms);
}

/// A store checks its memory of rows against the server.
#[test]
fn rows_that_others_changed_are_read_again() {
    let database = database();
    let (first, second) = (other(&database), other(&database));
    let starts: Vec<_> = (0..4).map(|_| take(&first).unwrap()).collect();
    assert_eq!(starts, [1, 11, 21, 31]);
    assert_eq!(take(&second).unwrap(), 41);
    assert_eq!(take(&first).unwrap(), 51);
    let mut lease = first.acquire(&request("a"), &long()).unwrap();
    for _ in 0..3 {
        lease = first.renew(&lease, 60_000, &long()).unwrap();
    }
    assert!(second.evict(&lease.realm, lease.worker_id).unwrap());
    refused(first.renew(&lease, 60_000, &long()), Code::LeaseLost);
    for _ in 0..3 {
        take(&first).unwrap();
    }
    first.change_tag(&orders(), TagChange::default().max(100)).unwrap();
    assert_eq!(take(&first).unwrap(), 91);
    refused(take(&first), Code::TagExhausted);
    second.change_tag(&orders(), TagChange::default().max(1_000)).unwrap();
    let starts: Vec<_> = (0..3).map(|_| take(&first).unwrap()).collect();
    assert_eq!(starts, [101, 111, 121]);
    database.delete("schema"); // its mark alone
    refused(take(&first), Code::StoreMissing);
}

#[test]
fn a_key_space_is_begun_only_where_that_is_asked_for() {
    let empty = Server::shared().database();
    refused(open_store(&empty.url()).map(drop), Code::StoreMissing);
    let would = snowmint::migration(&empty.url()).unwrap().statements;
    let begins = statements_of(&empty);
    assert!(would.iter().zip(&begins).all(|(it, so)| it.starts_with(so)), "{would:?}");
    refused(open_store(&empty.url()).map(drop), Code::StoreMissing);
    assert_eq!(snowmint::migrate(&empty.url()).unwrap().statements.len(), begins.len());
    assert_eq!(snowmint::migrate(&empty.url()).unwrap().statements.len(), 0);
    open_store(&empty.url()).unwrap();
    empty.put("schema", "1");
    refused(empty.builder().open(), Code::StoreSchema);
}

#[test]
fn ranges_of_a_crowd_have_no_gaps() {
    let database = database();
    crowds::ranges_of_a_crowd_have_no_gaps(&|| Box::new(other(&database)));
}

#[test]
fn malformed_and_missing_rows_are_refused() {
    let database = database();
    let store = other(&database);
    database.put("tags/orders", "{\"next\":5}");
    let message = refused(take(&store), Code::StoreSchema);
    assert!(message.contains("missing field"), "{message}");
    database.put("tags/orders", "none");
    refused(store.tags(), Code::StoreSchema);
    database.delete("schema");
    refused(take(&store), Code::StoreMissing);
    refused(store.create_tag(&orders(), TagOptions::default()), Code::StoreMissing);
}

#[test]
fn a_doctor_tells_how_it_is() {
    let database = database();
    let findings = examined(&database.url());
    for (subject, verdict, says) in FOUND {
        findings.has(subject, *verdict, says);
    }
    findings.has("key space", Verdict::Ok, "begun").has("tags", Verdict::Ok, "none of 1").has(
        "worker IDs",
        Verdict::Ok,
        "",
    );
    let empty = Server::shared().database();
    examined(&empty.url()).has("key space", Verdict::Refused, "snowmint migrate");
    examined(&format!("{SCHEME}://127.0.0.1:1")).has("server", Verdict::Refused, "127.0.0.1:1");
}

/// Sources of all kinds.
#[test]
fn sources_mint_by_url() {
    let database = database();
    let (url, store) = (database.url(), other(&database));
    let orders = open(&format!("segment+{url}?tag=orders")).unwrap();
    assert_eq!((orders.next_id().unwrap(), orders.next_id().unwrap()), (1, 2));
    let flake = open(&format!("snowflake+{url}")).unwrap();
    assert!(flake.next_id().unwrap() < flake.next_id().unwrap());
    let held = || store.workers().unwrap().iter().filter(|row| row.held).count();
    assert_eq!(held(), 1);
    flake.close_within(Duration::from_secs(60)).unwrap();
    assert_eq!(held(), 0);
}
