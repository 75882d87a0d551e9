//! Failures of MariaDB's store, of its server and of the network: each has its code, and nothing is
//! given twice.
#![cfg(all(feature = "mysql", unix))]
#![allow(clippy::unwrap_used)] // helpers of tests are tests

use std::collections::HashSet;
use std::time::Duration;

use snowmint::{
    Call, Code, MysqlSslMode, MysqlStore, SegmentAdmin, SegmentStore, Store, Tag, TagChange,
    TagOptions, WorkerAdmin, WorkerStore, open_store,
};

#[path = "../asking/mod.rs"]
mod asking;
mod commits;
mod crowds;
mod dialects;
mod doctoring;
mod failovers;
mod forks;
mod links;
mod logins;
mod migrations;
#[path = "../own_server/mod.rs"]
mod own_server;
#[path = "../owners/mod.rs"]
mod owners;
#[path = "../proxy/mod.rs"]
mod proxy;
mod rounds;
mod schemas;
mod server;
mod settings;
#[path = "../sql_servers/mod.rs"]
mod sql_servers;
mod vouches;

use asking::{call, long, orders, patiently, refused, request, take, take_within, wait_until};
use server::{Database, Server, has_mariadb};

const SCHEME: &str = "mysql";
/// The statement that begins a transaction.
const BEGINNING: &[u8] = b"START TRANSACTION";

/// Returns true for a commit on its way to the server: the whole packet, with its length, its
/// number and the byte that marks a statement.
fn is_commit(chunk: &[u8]) -> bool {
    chunk == b"\x07\0\0\0\x03COMMIT"
}

/// A new database with the tag `orders`, in steps of 10.
fn database() -> Database {
    with_orders(Server::shared().database())
}

fn with_orders(database: Database) -> Database {
    let url = format!("{}&create=true", database.url);
    patiently(|| match open_store(&url)?.create_tag(&orders(), TagOptions::default().step(10)) {
        Err(error) if error.code() == Code::TagExists => Ok(()), // an answer was late
        made => made,
    });
    database
}

fn store(database: &Database) -> std::sync::Arc<dyn Store> {
    open_store(&database.url).unwrap()
}

/// A store that shares nothing with others: as another process would have it.
fn other(database: &Database) -> MysqlStore {
    let (host, port) = database.host_and_port();
    let builder = MysqlStore::builder().host(host, port).database(database.name());
    builder.user("root").ssl_mode(MysqlSslMode::Disabled).open().unwrap()
}

/// The same by a proxy.
fn through(proxy: &proxy::Proxy, database: &Database) -> MysqlStore {
    let builder = MysqlStore::builder().host("127.0.0.1", proxy.port);
    builder.user("root").database(database.name()).open().unwrap()
}

/// Returns the connections of a database that meet a condition.
fn those_who(database: &Database, what: &str) -> String {
    database.run(&format!(
        "SELECT id FROM information_schema.processlist \
         WHERE db = database() AND id <> connection_id() AND ({what})"
    ))
}

/// The condition of a connection that waits for the row that an operator has locked.
const WAITS_FOR_A_ROW: &str = "state = 'Updating' OR info LIKE 'UPDATE %' \
                               OR (info LIKE '%FOR UPDATE' AND command <> 'Sleep')";

/// The connections to a database, without the one that asks.
fn connections(database: &Database) -> HashSet<String> {
    those_who(database, "TRUE").lines().map(str::to_owned).collect()
}

/// Returns the number of connections to a database that wait for a row.
fn blocked(database: &Database) -> usize {
    those_who(database, WAITS_FOR_A_ROW).lines().count()
}

#[test]
fn l1_a_copy_in_another_database_gives_nothing() {
    let (original, copy) = (database(), database());
    assert_eq!(take(&other(&original)).unwrap(), 1);
    for table in ["snowmint_schema", "snowmint_segment", "snowmint_worker"] {
        copy.run(&format!(
            "DELETE FROM {table}; INSERT INTO {table} SELECT * FROM {}.{table}",
            original.name()
        ));
    }
    refused(take(&*store(&copy)), Code::IncarnationChanged);
    assert_eq!(take(&other(&original)).unwrap(), 11);
}

/// A call that acquires waits for others that acquire, but keeps no holder from renewing.
#[test]
fn renewals_do_not_wait_for_who_acquires() {
    let database = database();
    let proxy = proxy::Proxy::before(&database);
    let acquiring = MysqlStore::builder().host("127.0.0.1", proxy.port).user("root");
    let acquiring = acquiring.database(database.name()).open().unwrap();
    let store = other(&database);
    let held = store.acquire(&request("a"), &long()).unwrap();
    proxy.next(proxy::Fate::Withheld);
    let within = call(Duration::from_secs(6));
    std::thread::scope(|scope| {
        let stuck = scope.spawn(|| acquiring.acquire(&request("b"), &within));
        let unlocked = "SELECT count(*) FROM snowmint_schema FOR UPDATE SKIP LOCKED";
        wait_until("the one who acquires", || database.run(unlocked) == "0");
        for _ in 0..3 {
            store.renew(&held, 60_000, &Call::new(Duration::from_secs(60), held.token)).unwrap();
        }
        let late = store.acquire(&request("c"), &call(Duration::from_millis(1200)));
        refused(late, Code::StoreLocked);
        refused(stuck.join().unwrap(), Code::OutcomeUnknown);
    });
    assert_ne!(store.acquire(&request("c"), &long()).unwrap().worker_id, held.worker_id);
}

/// A client that vanishes in the middle of a transaction would keep a tag's row for hours.
#[test]
fn a_transaction_whose_client_is_gone_ends() {
    if !has_mariadb("limit of a transaction's idle time") {
        return;
    }
    let database = database();
    let proxy = proxy::Proxy::before(&database);
    let builder = MysqlStore::builder().host("127.0.0.1", proxy.port).user("root");
    let store = builder.database(database.name()).open().unwrap();
    proxy.next(proxy::Fate::Forgotten);
    refused(take_within(&store, Duration::from_millis(500)), Code::OutcomeUnknown);
    assert_eq!(take(&other(&database)).unwrap(), 1);
}
