//! Failures of the store in etcd, of its members and of the network: each has its code, and nothing
//! is given twice.
#![cfg(all(feature = "etcd", unix))]
#![allow(clippy::unwrap_used)] // helpers of tests are tests

use std::io::{Read as _, Write as _};
use std::time::Duration;

use snowmint::doctor::Verdict;
use snowmint::{
    Code, EtcdStore, SegmentAdmin, Store, TagOptions, WorkerAdmin, WorkerStore, open_store,
};

#[allow(dead_code, reason = "of more tests than these")]
#[path = "../asking/mod.rs"]
mod asking;
mod links;
mod members;
#[path = "../own_server/mod.rs"]
mod own_server;
#[path = "../values/places.rs"]
mod places;
#[path = "../proxy/mod.rs"]
mod proxy;
#[path = "../quorums/mod.rs"]
mod quorums;
mod server;
mod users;
#[path = "../values/mod.rs"]
mod values;

use asking::{crowds, long, orders, refused, request, take, take_within};
use server::{Database, Server};

/// The bytes that every change contains.
const BEGINNING: &[u8] = b"request_put";

/// Returns true if the bytes change stored data.
fn is_commit(chunk: &[u8]) -> bool {
    chunk.windows(BEGINNING.len()).any(|window| window == BEGINNING)
}

/// Keys with the tag `orders`, in steps of 10.
fn database() -> Database {
    with_orders(Server::shared().database())
}

fn with_orders(database: Database) -> Database {
    let store = asking::patiently(|| database.builder().create(true).open());
    asking::patiently(|| match store.create_tag(&orders(), TagOptions::default().step(10)) {
        // The outcome of an earlier attempt was not known.
        Err(error) if error.code() == Code::TagExists => Ok(()),
        made => made,
    });
    database
}

/// A store that shares nothing with others: as another process would have it.
fn other(database: &Database) -> EtcdStore {
    asking::patiently(|| database.builder().open())
}

#[test]
fn stores_of_one_cluster_are_one_store() {
    let database = database();
    let new = || -> Box<dyn Store> { Box::new(other(&database)) };
    values::stores_of_one_server_are_one_store(&database.url(), &new);
}

#[test]
fn a_row_that_nobody_else_changes_is_changed_by_one_question() {
    let server = Server::start(&[]);
    let database = with_orders(server.database());
    let count = || {
        let mut member = std::net::TcpStream::connect(&database.addresses[0]).unwrap();
        member.write_all(b"GET /metrics HTTP/1.0\r\n\r\n").unwrap();
        let mut told = String::new();
        member.read_to_string(&mut told).unwrap();
        let is_of_ours =
            |line: &&str| line.starts_with("grpc_server_started_total") && line.contains("\"Txn\"");
        let line = told.lines().find(is_of_ours).unwrap();
        line.rsplit_once(' ').unwrap().1.parse().unwrap()
    };
    let store = other(&database);
    values::a_row_that_nobody_else_changes_is_changed_by_one_question(&store, &count);
}

/// Its mark alone is gone.
#[test]
fn rows_that_others_changed_are_read_again() {
    let database = database();
    let new = || -> Box<dyn Store> { Box::new(other(&database)) };
    values::rows_that_others_changed_are_read_again(&new, || database.delete("schema"));
}

#[test]
fn a_key_space_is_begun_only_where_that_is_asked_for() {
    let empty = Server::shared().database();
    refused(open_store(&empty.url()).map(drop), Code::StoreMissing);
    let would = snowmint::migration(&empty.url()).unwrap();
    let begins = format!("put {}/schema '{{\"version\":1,\"id\":\"", empty.prefix);
    assert!(would.statements[0].starts_with(&begins), "{would:?}");
    refused(open_store(&empty.url()).map(drop), Code::StoreMissing);
    assert_eq!(snowmint::migrate(&empty.url()).unwrap().statements.len(), 1);
    assert_eq!(snowmint::migrate(&empty.url()).unwrap().statements.len(), 0);
    open_store(&empty.url()).unwrap();
    empty.put("schema", "1");
    refused(empty.builder().open(), Code::StoreSchema);
}

#[test]
fn a_key_space_is_not_begun_among_the_rows_of_another() {
    let outer = database();
    places::a_key_space_is_not_begun_among_the_rows_of_another(&|below, create| {
        let inner = Database { prefix: format!("{}{below}", outer.prefix), ..outer.clone() };
        inner.builder().create(create).open().map(drop)
    });
}

#[test]
fn ranges_of_a_crowd_have_no_gaps() {
    let database = database();
    crowds::ranges_of_a_crowd_have_no_gaps(&|| Box::new(other(&database)));
}

#[test]
fn malformed_and_missing_keys_are_refused() {
    let database = database();
    let store = other(&database);
    database.put("tags/orders", "{\"next\":5}");
    let message = refused(take(&store), Code::StoreSchema);
    assert!(message.contains("missing field"), "{message}");
    database.put("tags/orders", "none");
    refused(store.tags(), Code::StoreSchema);
    database.delete("tags/orders");
    refused(take(&store), Code::UnknownTag);
    database.delete("schema");
    refused(take(&store), Code::StoreMissing);
    refused(store.create_tag(&orders(), TagOptions::default()), Code::StoreMissing);
}

#[test]
fn realms_and_prefixes_may_have_slashes() {
    let mut database = database();
    database.prefix += "/deep/er";
    let store = database.builder().create(true).open().unwrap();
    for realm in ["a", "a/b", "a/b/7"] {
        let mut request = snowmint::LeaseRequest::new(realm, "one");
        request.past_reserved = true; // of no layout
        store.acquire(&request, &long()).unwrap();
    }
    let rows = store.workers().unwrap();
    let realms: Vec<_> = rows.iter().map(|row| row.realm.as_str()).collect();
    assert_eq!(realms, ["a", "a/b", "a/b/7"]);
    assert_eq!(store.tags().unwrap().len(), 0);
}

#[test]
fn a_doctor_tells_how_it_is() {
    let database = database();
    asking::examined(&database.url())
        .has("server", Verdict::Ok, "etcd 3.")
        .has("cluster", Verdict::Weaker, "members: 1, of which 0 may be down")
        .has("key space", Verdict::Ok, "begun")
        .has("clock", Verdict::Ok, "this second")
        .has("tags", Verdict::Ok, "none of 1")
        .has("worker IDs", Verdict::Ok, "");
    let empty = Server::shared().database();
    asking::examined(&empty.url()).has("key space", Verdict::Refused, "snowmint migrate");
    asking::examined("etcd://127.0.0.1:1").has("server", Verdict::Refused, "127.0.0.1:1");
}

#[test]
fn sources_mint_by_url() {
    let database = database();
    values::sources_mint_by_url(&database.url(), &other(&database));
}
