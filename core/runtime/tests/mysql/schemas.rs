//! Tables that are missing, of another version or engine, or changed by hand.

use std::thread;

use super::asking::refused_to_open;
use super::*;

/// Each of them is made by itself, and the version is written last.
#[test]
fn tables_whose_making_was_interrupted_are_made() {
    for lost in ["", "DROP TABLE snowmint_segment", "DROP TABLE snowmint_segment, snowmint_worker"]
    {
        let database = Server::shared().database();
        let url = format!("{}&create=true", database.url);
        open_store(&url).unwrap();
        database.run(&format!("DELETE FROM snowmint_schema; {lost}"));
        refused_to_open(&database.url, Code::StoreMissing);
        let store = open_store(&url).unwrap();
        store.create_tag(&orders(), TagOptions::default()).unwrap();
        assert_eq!(database.run("SELECT version FROM snowmint_schema"), "1", "{lost}");
    }
}

/// New tables beside existing ones would begin again a key space that is in use.
#[test]
fn nothing_is_made_beside_tables_that_are_in_use() {
    let database = database();
    let store = other(&database);
    store.acquire(&request("a"), &long()).unwrap();
    assert_eq!(take(&store).unwrap(), 1);
    for (lost, named) in [
        ("snowmint_segment", "snowmint_schema and snowmint_worker alone"),
        ("snowmint_worker", "snowmint_schema and snowmint_segment alone"),
        ("snowmint_schema", "snowmint_segment and snowmint_worker alone"),
    ] {
        database.run(&format!("RENAME TABLE {lost} TO hidden"));
        for url in [database.url.clone(), format!("{}&create=true", database.url)] {
            let message = refused_to_open(&url, Code::StoreSchema);
            assert!(message.contains(named) && message.contains("nothing is made"), "{message}");
        }
        database.run(&format!("RENAME TABLE hidden TO {lost}"));
    }
    assert_eq!(take(&store).unwrap(), 11);
    // A table with a version is whole: it is not made whose making was interrupted.
    database.run("DELETE FROM snowmint_worker; DELETE FROM snowmint_segment");
    database.run("DROP TABLE snowmint_segment");
    let url = format!("{}&create=true", database.url);
    refused_to_open(&url, Code::StoreSchema);
}

/// Those who make them wait for one another.
#[test]
fn tables_are_made_by_one_process_at_a_time() {
    let database = Server::shared().database();
    let url = format!("{}&create=true", database.url);
    let mut operator = database.session();
    operator.run("DO GET_LOCK(concat('snowmint ', left(sha2(database(), 256), 32)), 0)");
    thread::scope(|scope| {
        let making = scope.spawn(|| open_store(&url).map(drop));
        let waits = || !those_who(&database, "state = 'User lock'").is_empty();
        wait_until("the one who makes them", waits);
        assert_eq!(database.run("SHOW TABLES"), "");
        operator.run("DO RELEASE_ALL_LOCKS()");
        making.join().unwrap().unwrap();
    });
    assert_eq!(other(&database).tags().unwrap(), []);
}

/// As a dump without them leaves it.
#[test]
fn a_version_that_is_lost_beside_rows_is_put_back() {
    let database = database();
    database.run("DELETE FROM snowmint_schema");
    for url in [database.url.clone(), format!("{}&create=true", database.url)] {
        let message = refused_to_open(&url, Code::StoreSchema);
        assert!(message.contains("has lost its row"), "{message}");
    }
    let message = refused_to_open(&database.url, Code::StoreSchema);
    let (_, cure) = message.split_once("Put it back by ").unwrap();
    database.run(cure.split_once(", or").unwrap().0);
    let store = other(&database);
    assert_eq!(take(&store).unwrap(), 1);
    // Nor is it known which server gave leases and made tags, and where they may begin.
    refused(store.acquire(&request("a"), &long()), Code::WorkersExhausted);
    refused(
        store.create_tag(&Tag::new("new").unwrap(), TagOptions::default()),
        Code::IncarnationChanged,
    );
}

/// Another engine keeps what a transaction that was given up has changed.
#[test]
fn a_table_without_transactions_is_refused() {
    for table in ["snowmint_segment", "snowmint_worker", "snowmint_schema"] {
        let database = database();
        let engines = if has_mariadb("Aria") { &["MyISAM", "Aria"][..] } else { &["MyISAM"] };
        for engine in engines {
            database.run(&format!("ALTER TABLE {table} ENGINE = {engine}"));
            for url in [database.url.clone(), format!("{}&create=true", database.url)] {
                let message = refused_to_open(&url, Code::StoreSchema);
                let cure = format!("ALTER TABLE {table} ENGINE = InnoDB");
                assert!(message.contains(engine) && message.contains(&cure), "{message}");
            }
        }
        database.run(&format!("ALTER TABLE {table} ENGINE = InnoDB"));
        open_store(&database.url).unwrap();
    }
}

#[test]
fn tables_are_transactional_whatever_the_server_prefers() {
    let server = Server::start(&["default-storage-engine=MyISAM"]);
    let database = with_orders(server.database());
    assert_eq!(take(&other(&database)).unwrap(), 1);
}

#[test]
fn the_tables_refuse_values_that_no_release_writes() {
    let database = database();
    let store = other(&database);
    store.acquire(&request("a"), &long()).unwrap();
    for edit in [
        "UPDATE snowmint_segment SET next = -1",
        "UPDATE snowmint_segment SET step = 0",
        "UPDATE snowmint_segment SET stride = 0",
        "UPDATE snowmint_segment SET raises = -1",
        "UPDATE snowmint_schema SET tags_from = -1",
        "UPDATE snowmint_schema SET longest_reserve_ms = 0",
        "INSERT INTO snowmint_schema (version, key_space, is_only) VALUES (1, 'x', 0)",
        "UPDATE snowmint_worker SET reserved_ms = floor_ms - 1",
        "UPDATE snowmint_worker SET epoch = 0",
        "UPDATE snowmint_worker SET owner = ''",
        "UPDATE snowmint_worker SET worker_id = -1",
    ] {
        let said = database.refused(edit);
        assert!(said.to_lowercase().contains("constraint"), "{edit}: {said}");
    }
    assert_eq!(take(&store).unwrap(), 1);
}

#[test]
fn wrong_values_in_the_tables_are_not_believed() {
    if !has_mariadb("setting that lets wrong values in") {
        return;
    }
    let database = database();
    let store = other(&database);
    store.acquire(&request("a"), &long()).unwrap();
    database.run(
        "SET check_constraint_checks = 0; UPDATE snowmint_segment SET stride = 0; \
         UPDATE snowmint_worker SET owner = x'ff'",
    );
    refused(take(&store), Code::StoreSchema);
    let message = refused(store.workers(), Code::StoreSchema);
    assert!(message.contains("owner"), "{message}");
    database.run(
        "SET check_constraint_checks = 0; \
         UPDATE snowmint_segment SET stride = 1, next = 9223372036854775807",
    );
    refused(take(&store), Code::TagExhausted);
}
