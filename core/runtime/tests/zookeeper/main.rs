//! Failures of the store in ZooKeeper, of its members and of the network: each has its code, and
//! nothing is given twice.
#![cfg(all(feature = "zookeeper", unix))]
#![allow(clippy::unwrap_used)] // helpers of tests are tests

use std::time::Duration;

use snowmint::doctor::Verdict;
use snowmint::{
    Code, Mint, SegmentAdmin, TagOptions, WorkerAdmin, WorkerStore, ZookeeperStore, open,
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
#[path = "../proxy/mod.rs"]
mod proxy;
#[path = "../quorums/mod.rs"]
mod quorums;
mod server;
mod users;
#[path = "../values/mod.rs"]
mod values;

use asking::{long, orders, refused, request, take, take_within};
use quorums::members::of_all;
use server::{Database, Server};
use values::{database, is_commit, other, with_orders};

const SCHEME: &str = "zookeeper";

/// The bytes that every new value of a tag or a lease contains.
const BEGINNING: &[u8] = b"{\"";
/// A doctor's findings, beside those of all servers of values.
const FOUND: &[(&str, Verdict, &str)] =
    &[("server", Verdict::Ok, "ZooKeeper at 127.0.0.1"), ("clock", Verdict::Ok, "the leader")];
/// The same of an ensemble of three, of which one is down.
const FOUND_WITHOUT_ONE: (&str, &str) = ("key space", "begun");

/// The beginnings of the statements that begin a key space.
fn statements_of(empty: &Database) -> Vec<String> {
    let root = format!("/{}", empty.prefix);
    let nodes = [root, empty.path("tags"), empty.path("workers"), empty.path("clock")];
    let mut creates = nodes.map(|node| format!("create {node}")).to_vec();
    creates.push(format!("create {} '{{\"version\":1,\"id\":\"", empty.path("schema")));
    creates
}

#[test]
fn a_clock_that_is_missing_is_named() {
    let database = database();
    database.delete("clock");
    let message = refused(take(&other(&database)), Code::StoreSchema);
    assert!(message.contains("/clock: it is not there"), "{message}");
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
