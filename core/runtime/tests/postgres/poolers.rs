//! Behind pgbouncer in transaction mode: a connection is another client's between transactions.

use super::asking::children::{is_alone, staying};
use super::*;

/// One connection for all: who leaves something behind on it, or expects to find it, is found out.
fn of_one_connection() -> (Server, Database) {
    let pooler = Server::start_pooled(&["default_pool_size=1", "query_wait_timeout=20"]);
    let database = with_orders(pooler.database());
    (pooler, database)
}

#[test]
fn transactions_of_several_stores_take_turns_on_a_connection() {
    let (_pooler, database) = of_one_connection();
    let stores = [(); 3].map(|()| other(&database));
    let leases = stores.each_ref().map(|store| store.acquire(&request("a"), &long()).unwrap());
    let mut starts = std::thread::scope(|scope| {
        let taking = stores
            .each_ref()
            .map(|store| scope.spawn(move || [(); 20].map(|()| take(store).unwrap())));
        taking.map(|taking| taking.join().unwrap()).concat()
    });
    starts.sort_unstable();
    assert_eq!(starts, (0..60).map(|range| 1 + range * 10).collect::<Vec<_>>());
    for (store, lease) in stores.iter().zip(&leases) {
        store.renew(lease, 1000, &long()).unwrap();
    }
    let mut ids = leases.map(|lease| lease.worker_id).to_vec();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 3);
    // The settings of a transaction end with it.
    let settings = "SELECT string_agg(name || '=' || setting, ' ' ORDER BY name) FROM pg_settings \
                    WHERE source = 'session' AND name !~ '^(application_name|client_encoding)$'";
    assert_eq!(database.run(settings), "");
    assert_eq!(database.run("SELECT count(*) FROM pg_prepared_statements"), "0");
}

#[test]
fn a_pooler_that_refuses_says_what_to_check() {
    let (_pooler, database) = of_one_connection();
    let url = database.url_with(&format!("/{}", database.name()), "/nowhere");
    let error = open_store(&url).map(drop).unwrap_err();
    // pgbouncer has PostgreSQL's code for it from 1.21 on.
    let says = match error.code() {
        Code::StoreMissing => "has no such database",
        Code::StoreUnavailable => "check that it knows the database",
        _ => panic!("{error}"),
    };
    assert!(error.to_string().contains(says), "{error}");
}

#[test]
fn a_pooler_that_is_restarted_is_found_again() {
    let (mut pooler, database) = of_one_connection();
    let store = other(&database);
    assert_eq!(take(&store).unwrap(), 1);
    let mut lease = store.acquire(&request("a"), &long()).unwrap();
    for start in [11, 21] {
        pooler.restart();
        assert_eq!(take(&store).unwrap(), start);
        lease = store.renew(&lease, 60_000, &long()).unwrap();
    }
}

#[test]
fn a_pooler_without_a_free_connection_is_waited_for_only_so_long() {
    let (_pooler, database) = of_one_connection();
    let store = other(&database);
    let mut operator = database.session();
    operator.run("BEGIN");
    let late = take_within(&store, Duration::from_millis(500));
    let message = refused(late, Code::StoreUnavailable);
    assert!(message.contains("in time"), "{message}");
    operator.run("COMMIT");
    take(&store).unwrap();
}

#[test]
fn a_forked_child_has_connections_of_its_own_to_a_pooler() {
    if !is_alone("poolers::a_forked_child_has_connections_of_its_own_to_a_pooler") {
        return;
    }
    let (_pooler, database) = of_one_connection();
    let store = other(&database);
    let mut numbers = vec![take(&store).unwrap()];
    let mut child = staying(|| [(); 5].map(|()| take(&store).unwrap_or_default()).to_vec());
    numbers.extend([(); 5].map(|()| take(&store).unwrap()));
    numbers.extend(child.numbers());
    drop(child);
    numbers.push(take(&store).unwrap());
    numbers.sort_unstable();
    assert_eq!(numbers, (0..12).map(|range| 1 + range * 10).collect::<Vec<_>>());
}

/// In the pooler's words: to most refusals it gives one state.
#[test]
fn a_refusal_by_a_pooler_is_told_in_its_words() {
    let database = with_orders(Server::pooled().database());
    let none = database.url_with(&format!("/{}?", database.name()), "/none?");
    let nobody = database.url_with("postgres@", "nobody:S3CRET@");
    for (url, says) in [(none, "\"none\" does not exist"), (nobody, "authentication failed")] {
        let error = open_store(&url).map(drop).unwrap_err();
        assert_eq!(error.code().group(), Code::StoreDenied.group(), "{error}");
        let shown = format!("{error} {error:?}");
        assert!(shown.contains(says) && !shown.contains("S3CRET"), "{shown}");
    }
}
