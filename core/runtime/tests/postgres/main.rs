//! Failures of a PostgreSQL database, of its server and of the network: each has its code, and
//! nothing is given twice.
#![cfg(all(feature = "postgres", unix))]
#![allow(clippy::unwrap_used)] // helpers of tests are tests

use std::collections::HashSet;
use std::time::Duration;

use snowmint::{
    AllocationRequest, Code, PostgresStore, SegmentAdmin, SegmentStore, Store, Tag, TagChange,
    TagOptions, WorkerAdmin, WorkerStore, open_store,
};

#[path = "../asking/mod.rs"]
mod asking;
mod commits;
mod crowds;
mod dialects;
mod doctoring;
mod failovers;
mod links;
mod logins;
mod migrations;
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
#[path = "../sql_servers/mod.rs"]
mod sql_servers;
mod standby;
mod tls;
mod vouches;

use asking::{long, orders, patiently, refused, request, take, take_within, wait_until};
use server::{Database, Server};

const SCHEME: &str = "postgres";
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

/// The same by a proxy.
fn through(proxy: &proxy::Proxy, database: &Database) -> PostgresStore {
    let builder = PostgresStore::builder().host("127.0.0.1", proxy.port);
    builder.user("postgres").database(database.name()).open().unwrap()
}

/// The connections of snowmint to a database.
fn connections(database: &Database) -> HashSet<String> {
    let query = "SELECT pid FROM pg_stat_activity WHERE application_name = 'snowmint' \
                 AND datname = current_database()";
    database.run(query).lines().map(str::to_owned).collect()
}

/// Returns the number of connections to a database that wait for a lock.
fn blocked(database: &Database) -> usize {
    let query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' \
                 AND datname = current_database()";
    database.run(query).parse().unwrap()
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
