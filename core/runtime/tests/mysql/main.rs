//! Failures of MariaDB's store, of its server and of the network: each has its code, and nothing is
//! given twice.
#![cfg(all(feature = "mysql", unix))]
#![allow(clippy::unwrap_used)] // helpers of tests are tests

use std::time::Duration;

use snowmint::{
    AllocationRequest, Call, Code, Error, MysqlSslMode, MysqlStore, SegmentAdmin, SegmentStore,
    Store, Tag, TagChange, TagOptions, WorkerAdmin, WorkerStore, open_store,
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
mod moves;
mod outages;
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
mod vouches;

use asking::{call, long, orders, patiently, refused, request, take, take_within, wait_until};
use server::{Database, Server, has_mariadb};

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

/// Returns the connections of a database that meet a condition.
fn those_who(database: &Database, what: &str) -> String {
    database.run(&format!(
        "SELECT id FROM information_schema.processlist \
         WHERE db = database() AND id <> connection_id() AND ({what})"
    ))
}

/// The condition of a connection that waits for the row that an operator has locked.
const WAITS_FOR_A_ROW: &str = "state = 'Updating' OR info LIKE 'UPDATE %'";

#[test]
fn stores_of_one_database_are_one_store() {
    let database = database();
    let (first, second) = (store(&database), other(&database));
    assert_eq!(take(&*first).unwrap(), 1);
    assert_eq!(take(&second).unwrap(), 11);
    drop(first);
    assert_eq!(take(&second).unwrap(), 21);
    assert_eq!(take(&*store(&database)).unwrap(), 31);
}

#[test]
fn grants_tell_the_incarnation_of_their_server() {
    let database = database();
    let store = other(&database);
    let told = failovers::incarnation_of(&database);
    let range = take_within(&store, Duration::from_secs(60)).unwrap();
    assert_eq!(range.incarnation.as_deref(), Some(told.as_str()));
    let lease = store.acquire(&request("a"), &long()).unwrap();
    assert_eq!(lease.incarnation.as_deref(), Some(told.as_str()));
    let renewed = store.renew(&lease, 1000, &long()).unwrap();
    assert_eq!(renewed.incarnation.as_deref(), Some(told.as_str()));
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

#[test]
fn one_tag_that_fails_does_not_fail_the_others() {
    let database = database();
    let store = other(&database);
    for name in ["a", "z"] {
        store.create_tag(&Tag::new(name).unwrap(), TagOptions::default()).unwrap();
    }
    let ask = |name: &str, count| AllocationRequest::new(Tag::new(name).unwrap(), count);
    let requests =
        [ask("z", None), ask("none", None), ask("a", Some(0)), ask("a", Some(7)), ask("z", None)];
    let answers = store.allocate(&requests, &long()).unwrap();
    let starts: Vec<_> = answers
        .iter()
        .map(|it| it.as_ref().map(|it| it.range.start()).map_err(Error::code))
        .collect();
    assert_eq!(starts, [Ok(1), Err(Code::UnknownTag), Err(Code::InvalidStep), Ok(1), Ok(1001)]);
}

/// An operator raises the tag so that its source goes on after the database was restored.
#[test]
fn an_operators_raise_is_counted() {
    let database = database();
    let store = other(&database);
    assert_eq!(store.tag(&orders()).unwrap().unwrap().raises, 0);
    let stepped = store.change_tag(&orders(), TagChange::default().step(5)).unwrap();
    assert_eq!(stepped.raises, 0);
    let raised = store.change_tag(&orders(), TagChange::default().next(100)).unwrap();
    assert_eq!((raised.raises, raised.next), (1, 100));
}

#[test]
fn names_are_bytes_and_end_no_statement() {
    let database = database();
    let store = other(&database);
    for owner in ["a'; DROP TABLE snowmint_worker; --", "\\", "é \u{1f980}", "A", "a", "a "] {
        let lease = store.acquire(&request(owner), &long()).unwrap();
        assert_eq!(store.renew(&lease, 1000, &long()).unwrap().owner, owner);
        let rows = store.workers().unwrap();
        let row = rows.iter().find(|row| row.worker_id == lease.worker_id).unwrap();
        assert_eq!((row.owner.as_str(), row.epoch), (owner, 1));
    }
    assert_eq!(store.workers().unwrap().len(), 6);
}

#[test]
fn a_call_that_waits_for_a_row_holds_up_no_other_call() {
    let database = database();
    let store = other(&database);
    let lease = store.acquire(&request("a"), &long()).unwrap();
    let mut operator = database.session();
    operator.run("BEGIN; SELECT 1 FROM snowmint_segment FOR UPDATE");
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| take(&store).unwrap());
        wait_until("the one who waits", || !those_who(&database, WAITS_FOR_A_ROW).is_empty());
        store.renew(&lease, 1000, &long()).unwrap();
        operator.run("COMMIT");
        assert_eq!(waiting.join().unwrap(), 1);
    });
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
        let has_lock = format!(
            "SELECT IS_FREE_LOCK(concat('snowmint ', left(sha2(concat('{}', '/realm'), 256), 32)))",
            database.name()
        );
        wait_until("the one who acquires", || database.run(&has_lock) == "0");
        for _ in 0..3 {
            store.renew(&held, 60_000, &Call::new(Duration::from_secs(60), held.token)).unwrap();
        }
        let late = store.acquire(&request("c"), &call(Duration::from_millis(1200)));
        refused(late, Code::StoreLocked);
        refused(stuck.join().unwrap(), Code::OutcomeUnknown);
    });
    assert_ne!(store.acquire(&request("c"), &long()).unwrap().worker_id, held.worker_id);
}

#[test]
fn a_lock_that_is_not_given_is_no_reason_to_leave() {
    let database = database();
    let store = other(&database);
    let mut operator = database.session();
    operator.run("BEGIN; SELECT 1 FROM snowmint_segment FOR UPDATE");
    let before = those_who(&database, "command = 'Sleep'");
    for _ in 0..3 {
        refused(take_within(&store, Duration::from_secs(4)), Code::StoreLocked);
    }
    assert_eq!(those_who(&database, "command = 'Sleep'"), before, "connections were given up");
    operator.run("ROLLBACK");
    assert_eq!(take(&store).unwrap(), 1);
}

#[test]
fn a_process_has_so_many_connections_and_no_more() {
    let database = database();
    let store = other(&database);
    let mut operator = database.session();
    operator.run("BEGIN; SELECT 1 FROM snowmint_segment FOR UPDATE");
    let mut starts = std::thread::scope(|scope| {
        let waiting = [(); 4].map(|()| scope.spawn(|| take(&store).unwrap()));
        wait_until("those who wait", || those_who(&database, WAITS_FOR_A_ROW).lines().count() == 4);
        let late = take_within(&store, Duration::from_millis(300));
        let message = refused(late, Code::StoreUnavailable);
        assert!(message.contains("no connection left for this call"), "{message}");
        operator.run("COMMIT");
        waiting.map(|waiting| waiting.join().unwrap())
    });
    starts.sort_unstable();
    assert_eq!(starts, [1, 11, 21, 31]);
    assert_eq!(take(&store).unwrap(), 41);
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
