//! Failures of a PostgreSQL database, of its server and of the network: each has its code, and
//! nothing is given twice.
#![cfg(all(feature = "postgres", unix))]
#![allow(clippy::unwrap_used)] // helpers of tests are tests

use std::time::Duration;

use snowmint::{
    AllocationRequest, Code, Error, PostgresStore, SegmentAdmin, SegmentStore, Store, Tag,
    TagChange, TagOptions, WorkerAdmin, WorkerStore, open_store,
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
mod poolers;
#[path = "../proxy/mod.rs"]
mod proxy;
mod rounds;
mod schemas;
mod sequences;
mod server;
mod settings;
mod standby;
mod tls;
mod vouches;

use asking::{call, long, orders, patiently, refused, request, take, take_within, wait_until};
use server::{Database, Server};

/// The start of the statement that begins a transaction.
const BEGINNING: &[u8] = b"BEGIN ";

/// Returns true for a commit on its way to the server.
fn is_commit(chunk: &[u8]) -> bool {
    chunk.windows(7).any(|window| window == b"COMMIT\0")
}

/// A new database with the tag `orders`, in steps of 10.
fn database() -> Database {
    with_orders(Server::shared().database())
}

/// Makes the tag, and lets any role use the schema, so that it may be given rights.
fn with_orders(database: Database) -> Database {
    make_orders(&database.url);
    database.run("GRANT USAGE ON SCHEMA snowmint TO PUBLIC");
    database
}

fn make_orders(url: &str) {
    let url = format!("{url}&create=true");
    patiently(|| match open_store(&url)?.create_tag(&orders(), TagOptions::default().step(10)) {
        Err(error) if error.code() == Code::TagExists => Ok(()), // an answer was late
        made => made,
    });
}

/// The URL of a database whose server is vouched for, which PostgreSQL's own clients do not take.
fn declared(url: &str) -> String {
    format!("{url}&durability=declared")
}

fn store(database: &Database) -> std::sync::Arc<dyn Store> {
    open_store(&database.url).unwrap()
}

/// A store that shares nothing with others: as another process would have it.
fn other(database: &Database) -> PostgresStore {
    let (host, port) = database.host_and_port();
    let builder = PostgresStore::builder().host(host, port).database(database.name());
    builder.user("postgres").ssl_mode(snowmint::SslMode::Disable).open().unwrap()
}

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

/// As where an operator raises it at that moment.
#[test]
fn a_tag_that_gives_no_range_for_now_is_not_exhausted() {
    let database = database();
    let store = other(&database);
    database.run(
        "CREATE FUNCTION passes() RETURNS trigger LANGUAGE plpgsql AS \
         'BEGIN RETURN NULL; END'; \
         CREATE TRIGGER passes BEFORE UPDATE ON snowmint_segment \
         FOR EACH ROW EXECUTE FUNCTION passes()",
    );
    refused(take(&store), Code::StoreLocked);
    database.run("DROP TRIGGER passes ON snowmint_segment");
    assert_eq!(take(&store).unwrap(), 1);
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
fn a_call_that_waits_for_a_row_holds_up_no_other_call() {
    let database = database();
    let store = other(&database);
    let lease = store.acquire(&request("a"), &long()).unwrap();
    let mut operator = database.session();
    operator.run("BEGIN; SELECT 1 FROM snowmint_segment FOR UPDATE");
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| take(&store).unwrap());
        let query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' \
                     AND datname = current_database()";
        wait_until("the one who waits", || database.run(query) == "1");
        store.renew(&lease, 1000, &long()).unwrap();
        operator.run("COMMIT");
        assert_eq!(waiting.join().unwrap(), 1);
    });
}

#[test]
fn a_lock_that_is_not_given_is_no_reason_to_leave() {
    let database = database();
    let store = other(&database);
    let mut operator = database.session();
    operator.run("BEGIN; SELECT 1 FROM snowmint_segment FOR UPDATE");
    let ours = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'snowmint' \
                AND datname = current_database()";
    let before = database.run(ours);
    for _ in 0..3 {
        refused(take_within(&store, Duration::from_secs(4)), Code::StoreLocked);
    }
    assert_eq!(database.run(ours), before, "connections were given up");
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
        let query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' \
                     AND datname = current_database()";
        wait_until("those who wait", || database.run(query) == "4");
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
    let database = database();
    let proxy = proxy::Proxy::before(&database);
    let builder = PostgresStore::builder().host("127.0.0.1", proxy.port).user("postgres");
    let store = builder.database(database.name()).open().unwrap();
    proxy.next(proxy::Fate::Forgotten);
    refused(take_within(&store, Duration::from_millis(500)), Code::OutcomeUnknown);
    assert_eq!(take(&other(&database)).unwrap(), 1);
}

/// As of a process that is stopped: it has not given up, and nor have others. Once it goes on, the
/// server's last word tells it that nothing was reserved.
#[test]
fn a_transaction_whose_client_is_frozen_ends_while_others_wait_for_it() {
    const WITHIN: Duration = Duration::from_secs(10);
    const IDLE: &str = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
                        AND state = 'idle in transaction'";
    let database = database();
    let proxy = proxy::Proxy::before(&database);
    let builder = PostgresStore::builder().host("127.0.0.1", proxy.port).user("postgres");
    let store = builder.database(database.name()).open().unwrap();
    let others = other(&database);
    proxy.next(proxy::Fate::Forgotten);
    std::thread::scope(|scope| {
        scope.spawn(|| refused(take_within(&store, WITHIN), Code::StoreUnavailable));
        wait_until("it has the row", || database.run(IDLE) == "1");
        assert_eq!(take_within(&others, WITHIN).unwrap().range.start(), 1);
    });
}
