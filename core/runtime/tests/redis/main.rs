//! Failures of the store in Redis, of its server and of the network: each has its code, and nothing
//! is given twice.
#![cfg(all(feature = "redis", unix))]
#![allow(clippy::unwrap_used)] // helpers of tests are tests

use std::time::Duration;

use snowmint::doctor::Verdict;
use snowmint::{
    Code, RedisStore, SegmentAdmin, TagChange, TagOptions, WorkerStore, open, open_store,
};

#[allow(dead_code, reason = "of more tests than these")]
#[path = "../asking/mod.rs"]
mod asking;
mod clusters;
mod counters;
mod links;
#[path = "../own_server/mod.rs"]
mod own_server;
#[path = "../proxy/mod.rs"]
mod proxy;
mod restores;
mod sentinels;
mod server;
mod settings;
#[path = "../values/mod.rs"]
mod values;

use asking::{long, orders, refused, take, take_within};
use server::{Database, Server};
use values::{database, is_commit, other, with_orders};

const SCHEME: &str = "redis";

/// The start of every change.
const BEGINNING: &[u8] = b"EVAL";
/// A doctor's findings, beside those of all servers of values.
const FOUND: &[(&str, Verdict, &str)] = &[
    ("server", Verdict::Ok, "takes changes"),
    ("durability", Verdict::Ok, "before it is acknowledged"),
    ("clock", Verdict::Ok, "differs"),
];

/// The beginnings of the statements that begin a key space.
fn statements_of(_: &Database) -> Vec<String> {
    vec!["HSETNX snowmint:schema \"\" '{\"version\":1,\"id\":\"".to_owned()]
}

#[test]
fn a_key_of_another_type_is_refused() {
    let database = database();
    let store = other(&database);
    database.delete("tags");
    database.run(&["SET", "snowmint:tags", "x"]);
    let message = refused(take(&store), Code::StoreSchema);
    assert!(message.contains("WRONGTYPE"), "{message}");
}

#[test]
fn a_row_that_nobody_else_changes_is_changed_by_one_question() {
    let server = Server::start(&[]);
    let database = with_orders(server.database());
    // The time is asked for with each.
    let count = || {
        let told = database.run(&["INFO", "commandstats"]);
        let (_, calls) = told.split_once("cmdstat_time:calls=").unwrap();
        calls.split(',').next().unwrap().parse().unwrap()
    };
    let store = other(&database);
    values::a_row_that_nobody_else_changes_is_changed_by_one_question(&store, &count);
}

/// Deleted by hand, by an expiry or by a policy of eviction.
#[test]
fn a_table_that_lacks_rows_gives_nothing() {
    let database = database();
    let store = other(&database);
    let seats = snowmint::Tag::new("seats").unwrap();
    store.create_tag(&seats, TagOptions::default()).unwrap();
    assert_eq!([(); 3].map(|()| take(&store).unwrap()), [1, 11, 21]);
    let lease = store.acquire(&asking::request("a"), &long()).unwrap();
    for (gone, table) in [
        (["DEL", "snowmint:workers:realm"].as_slice(), "workers:realm"),
        (["HDEL", "snowmint:tags", "seats"].as_slice(), "tags"),
        (["PEXPIRE", "snowmint:tags", "1"].as_slice(), "tags"),
    ] {
        database.run(gone);
        let is_there = || database.run(&["EXISTS", &format!("snowmint:{table}")]) == "1";
        asking::wait_until("the end", || gone[0] == "HDEL" || !is_there());
        let is_of_tags = table == "tags";
        for store in [&store, &other(&database)] {
            let message = match is_of_tags {
                true => refused(take(store), Code::StoreMissing),
                false => refused(store.acquire(&asking::request("b"), &long()), Code::StoreMissing),
            };
            assert!(message.contains(&format!("HSET snowmint:schema {table} ")), "{message}");
        }
        is_told_by_the_doctor(&database, Code::StoreMissing);
        if !is_of_tags {
            refused(store.renew(&lease, 60_000, &long()), Code::StoreMissing);
            database.run(&["HSET", "snowmint:schema", table, "0"]);
            store.acquire(&asking::request("b"), &long()).unwrap();
        }
    }
    refused(store.create_tag(&orders(), TagOptions::default()), Code::StoreMissing);
    database.run(&["HSET", "snowmint:schema", "tags", "0"]);
    store.create_tag(&orders(), TagOptions::default().start(31)).unwrap();
    assert_eq!(take(&store).unwrap(), 31);
}

fn is_told_by_the_doctor(database: &Database, code: Code) {
    let found = snowmint::doctor::examine(&database.url).unwrap();
    assert!(found.iter().any(|it| it.code == Some(code)), "{found:?}");
}

#[test]
fn a_key_that_will_expire_gives_nothing() {
    let database = database();
    let store = other(&database);
    for key in ["snowmint:tags", "snowmint:schema"] {
        database.run(&["EXPIRE", key, "1000"]);
        for store in [&store, &other(&database)] {
            let message = refused(take(store), Code::UnsafeSetting);
            assert!(message.contains(&format!("PERSIST {key}")), "{message}");
        }
        is_told_by_the_doctor(&database, Code::UnsafeSetting);
        database.run(&["PERSIST", key]);
        take(&store).unwrap();
    }
}
