//! Failures of the store in Redis, of its server and of the network: each has its code, and nothing
//! is given twice.
#![cfg(all(feature = "redis", unix))]
#![allow(clippy::unwrap_used)] // helpers of tests are tests

use std::time::Duration;

use snowmint::doctor::Verdict;
use snowmint::{
    Code, RedisStore, SegmentAdmin, Store, TagChange, TagOptions, WorkerStore, open, open_store,
};

#[allow(dead_code, reason = "of more tests than these")]
#[path = "../asking/mod.rs"]
mod asking;
mod clusters;
mod counters;
mod forks;
mod links;
mod moves;
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

use asking::{crowds, long, orders, refused, take, take_within};
use server::{Database, Server};

/// The start of every change.
const BEGINNING: &[u8] = b"EVAL";

/// Returns true if the bytes change stored data.
fn is_commit(chunk: &[u8]) -> bool {
    chunk.windows(BEGINNING.len()).any(|window| window == BEGINNING)
}

/// A database with the tag `orders`, in steps of 10.
fn database() -> Database {
    with_orders(Server::shared().database())
}

fn with_orders(database: Database) -> Database {
    let store = open_store(&format!("{}?create=true", database.url)).unwrap();
    store.create_tag(&orders(), TagOptions::default().step(10)).unwrap();
    database
}

/// A store that shares nothing with others: as another process would have it.
fn other(database: &Database) -> RedisStore {
    builder(database).open().unwrap()
}

fn builder(database: &Database) -> snowmint::RedisBuilder {
    let (host, port) = database.host_and_port();
    let number = database.url.rsplit('/').next().unwrap().parse().unwrap();
    RedisStore::builder().host(host, port).database(number)
}

#[test]
fn stores_of_one_database_are_one_store() {
    let database = database();
    let new = || -> Box<dyn Store> { Box::new(other(&database)) };
    values::stores_of_one_server_are_one_store(&database.url, &new);
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

/// Its mark alone is gone.
#[test]
fn rows_that_others_changed_are_read_again() {
    let database = database();
    let new = || -> Box<dyn Store> { Box::new(other(&database)) };
    let empty = || drop(database.run(&["DEL", "snowmint:schema"]));
    values::rows_that_others_changed_are_read_again(&new, empty);
}

#[test]
fn a_key_space_is_begun_only_where_that_is_asked_for() {
    let empty = Server::shared().database();
    refused(open_store(&empty.url).map(drop), Code::StoreMissing);
    let would = snowmint::migration(&empty.url).unwrap();
    let begins = "HSETNX snowmint:schema \"\" '{\"version\":1,\"id\":\"";
    assert!(would.statements[0].starts_with(begins), "{would:?}");
    refused(open_store(&empty.url).map(drop), Code::StoreMissing);
    assert_eq!(snowmint::migrate(&empty.url).unwrap().statements.len(), 1);
    assert_eq!(snowmint::migrate(&empty.url).unwrap().statements.len(), 0);
    open_store(&empty.url).unwrap();
    empty.run(&["HSET", "snowmint:schema", "", "2"]);
    refused(builder(&empty).open(), Code::StoreSchema);
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
    database.run(&["HSET", "snowmint:tags", "orders", "{\"next\":5}"]);
    let message = refused(take(&store), Code::StoreSchema);
    assert!(message.contains("missing field"), "{message}");
    database.run(&["HSET", "snowmint:tags", "orders", "none"]);
    refused(store.tags(), Code::StoreSchema);
    database.run(&["DEL", "snowmint:tags"]);
    database.run(&["SET", "snowmint:tags", "x"]);
    let message = refused(take(&store), Code::StoreSchema);
    assert!(message.contains("WRONGTYPE"), "{message}");
    database.run(&["DEL", "snowmint:tags", "snowmint:schema"]);
    refused(take(&store), Code::StoreMissing);
    refused(store.create_tag(&orders(), TagOptions::default()), Code::StoreMissing);
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

#[test]
fn a_doctor_tells_how_it_is() {
    let database = database();
    let url = format!("{}?create=false", database.url);
    asking::examined(&url)
        .has("server", Verdict::Ok, "takes changes")
        .has("durability", Verdict::Ok, "before it is acknowledged")
        .has("key space", Verdict::Ok, "begun")
        .has("clock", Verdict::Ok, "differs")
        .has("tags", Verdict::Ok, "none of 1")
        .has("worker IDs", Verdict::Ok, "");
    let empty = Server::shared().database();
    asking::examined(&empty.url).has("key space", Verdict::Refused, "snowmint migrate");
    asking::examined("redis://127.0.0.1:1").has("server", Verdict::Refused, "127.0.0.1:1");
}

/// Sources of all kinds, by URL.
#[test]
fn sources_mint_by_url() {
    let database = database();
    values::sources_mint_by_url(&database.url, &other(&database));
}
