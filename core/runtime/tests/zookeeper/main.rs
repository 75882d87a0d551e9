//! Failures of the store in ZooKeeper, of its members and of the network: each has its code, and
//! nothing is given twice.
#![cfg(all(feature = "zookeeper", unix))]
#![allow(clippy::unwrap_used)] // helpers of tests are tests

use std::time::Duration;

use snowmint::doctor::Verdict;
use snowmint::{
    Code, Mint, SegmentAdmin, Store, TagOptions, WorkerAdmin, WorkerStore, ZookeeperStore, open,
    open_store,
};

#[allow(dead_code, reason = "of more tests than these")]
#[path = "../asking/mod.rs"]
mod asking;
mod leaf;
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
#[allow(dead_code, reason = "of more tests than these")]
#[path = "../values/mod.rs"]
mod values;

use asking::{crowds, long, orders, refused, request, take, take_within};
use server::{Database, Server};

/// The bytes that every new value of a tag or a lease contains.
const BEGINNING: &[u8] = b"{\"";

/// Returns true if the bytes change stored data.
fn is_commit(chunk: &[u8]) -> bool {
    chunk.windows(BEGINNING.len()).any(|window| window == BEGINNING)
}

/// Nodes with the tag `orders`, in steps of 10.
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
fn other(database: &Database) -> ZookeeperStore {
    asking::patiently(|| database.builder().open())
}

#[test]
fn stores_of_one_ensemble_are_one_store() {
    let database = database();
    let new = || -> Box<dyn Store> { Box::new(other(&database)) };
    values::stores_of_one_server_are_one_store(&database.url(), &new);
}

/// Its mark alone is gone.
#[test]
fn rows_that_others_changed_are_read_again() {
    let database = database();
    let new = || -> Box<dyn Store> { Box::new(other(&database)) };
    let empty = || drop(database.run(&["delete", &database.path("schema")]));
    values::rows_that_others_changed_are_read_again(&new, empty);
}

#[test]
fn a_key_space_is_begun_only_where_that_is_asked_for() {
    let empty = Server::shared().database();
    refused(open_store(&empty.url()).map(drop), Code::StoreMissing);
    let would = snowmint::migration(&empty.url()).unwrap();
    let root = format!("/{}", empty.prefix);
    let nodes = [root, empty.path("tags"), empty.path("workers"), empty.path("clock")];
    let mut creates = nodes.map(|node| format!("create {node}")).to_vec();
    creates.push(format!("create {} '{{\"version\":1,\"id\":\"", empty.path("schema")));
    let begin = |made: &[String]| made.iter().zip(&creates).all(|(it, so)| it.starts_with(so));
    assert!(begin(&would.statements), "{would:?}");
    refused(open_store(&empty.url()).map(drop), Code::StoreMissing);
    assert_eq!(snowmint::migrate(&empty.url()).unwrap().statements.len(), creates.len());
    assert_eq!(snowmint::migrate(&empty.url()).unwrap().statements.len(), 0);
    open_store(&empty.url()).unwrap();
    empty.put("schema", "1");
    refused(empty.builder().open(), Code::StoreSchema);
}

#[test]
fn the_servers_own_client_takes_the_statements_of_a_migration() {
    let outer = Server::shared().database();
    let empty = Database { prefix: format!("{}/b/c", outer.prefix), ..outer.clone() };
    outer.run(&["create", &format!("/{}", outer.prefix)]);
    let would = snowmint::migration(&empty.url()).unwrap().statements;
    assert_eq!(would[0], format!("create /{}/b", outer.prefix));
    for statement in would {
        empty.run(&statement.replace('\'', "").split(' ').collect::<Vec<_>>());
    }
    assert_eq!(snowmint::migration(&empty.url()).unwrap().statements.len(), 0);
    open_store(&empty.url()).unwrap();
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
fn malformed_and_missing_nodes_are_refused() {
    let database = database();
    let store = other(&database);
    database.put("tags/orders", "{\"next\":5}");
    let message = refused(take(&store), Code::StoreSchema);
    assert!(message.contains("missing field"), "{message}");
    database.put("tags/orders", "none");
    refused(store.tags(), Code::StoreSchema);
    database.delete("tags/orders");
    refused(take(&store), Code::UnknownTag);
    database.delete("clock");
    let new = other(&database);
    let message = refused(take(&new), Code::StoreSchema);
    assert!(message.contains("/clock: it is not there"), "{message}");
    database.delete("schema");
    refused(take(&store), Code::StoreMissing);
    refused(store.create_tag(&orders(), TagOptions::default()), Code::StoreMissing);
}

/// Somebody deleted it all, and began again: the same numbers would come.
#[test]
fn a_key_space_that_was_begun_anew_is_refused_by_who_knew_the_other() {
    let database = database();
    let (store, url) = (other(&database), format!("segment+{}?tag=orders", database.url()));
    let source = open(&url).unwrap();
    assert_eq!((take(&store).unwrap(), source.next_id().unwrap()), (1, 11));
    database.run(&["deleteall", &format!("/{}", database.prefix)]);
    let database = with_orders(database);
    refused(take(&store), Code::IncarnationChanged);
    refused(open(&url).map(drop), Code::IncarnationChanged);
    drop(source);
    assert_eq!(take(&other(&database)).unwrap(), 1);
}

#[test]
fn names_may_be_what_nodes_cannot() {
    let mut database = database();
    database.prefix += "/deep/er";
    let store = database.builder().create(true).open().unwrap();
    for realm in ["a", "a/b", "a/b/7", "..", "%2E"] {
        let mut request = snowmint::LeaseRequest::new(realm, "one");
        request.past_reserved = true; // of no layout
        store.acquire(&request, &long()).unwrap();
    }
    let rows = store.workers().unwrap();
    let realms: Vec<_> = rows.iter().map(|row| row.realm.as_str()).collect();
    assert_eq!(realms, ["%2E", "..", "a", "a/b", "a/b/7"]);
    let names = ["...", "a:b", "shop/orders"];
    for name in names {
        store.create_tag(&snowmint::Tag::of_row(name).unwrap(), TagOptions::default()).unwrap();
    }
    let tags = store.tags().unwrap();
    assert_eq!(tags.iter().map(|row| row.tag.as_str()).collect::<Vec<_>>(), names);
}

#[test]
fn a_doctor_tells_how_it_is() {
    let database = database();
    asking::examined(&database.url())
        .has("server", Verdict::Ok, "ZooKeeper at 127.0.0.1")
        .has("key space", Verdict::Ok, "begun")
        .has("clock", Verdict::Ok, "the leader")
        .has("tags", Verdict::Ok, "none of 1")
        .has("worker IDs", Verdict::Ok, "");
    let empty = Server::shared().database();
    asking::examined(&empty.url()).has("key space", Verdict::Refused, "snowmint migrate");
    asking::examined("zookeeper://127.0.0.1:1").has("server", Verdict::Refused, "127.0.0.1:1");
}

#[test]
fn sources_mint_by_url() {
    let database = database();
    values::sources_mint_by_url(&database.url(), &other(&database));
}
