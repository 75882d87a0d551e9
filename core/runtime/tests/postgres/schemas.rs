//! Tables that are missing, of another version, or changed by hand.

use std::thread;

use super::*;

#[test]
fn a_key_space_is_begun_only_where_that_is_asked_for() {
    let database = Server::shared().database();
    let message = refused(open_store(&database.url).map(drop), Code::StoreMissing);
    assert!(message.contains("create=true"), "{message}");
    for _ in 0..2 {
        open_store(&format!("{}&create=true", database.url)).unwrap();
    }
    assert_eq!(other(&database).tags().unwrap(), []);
}

#[test]
fn tables_are_made_once_by_many_at_once() {
    let database = Server::shared().database();
    let url = format!("{}&create=true", database.url);
    thread::scope(|scope| {
        for n in 0..6 {
            let url = format!("{url}&application_name=maker{n}");
            scope.spawn(move || drop(open_store(&url).unwrap()));
        }
    });
    assert_eq!(database.run("SELECT count(*) FROM snowmint_schema"), "1");
}

#[test]
fn a_later_schema_is_left_alone() {
    let database = database();
    database.run("UPDATE snowmint_schema SET version = 2");
    for url in [database.url.clone(), format!("{}&create=true", database.url)] {
        let message = refused(open_store(&url).map(drop), Code::StoreSchema);
        assert!(message.contains("version 2") && message.contains("knows 1"), "{message}");
    }
    assert_eq!(database.run("SELECT version FROM snowmint_schema"), "2");
}

#[test]
fn l1_tables_that_a_crash_empties_are_refused() {
    let database = database();
    for table in ["snowmint_worker", "snowmint_segment", "snowmint_schema"] {
        database.run(&format!("ALTER TABLE {table} SET UNLOGGED"));
        let message = refused(open_store(&database.url).map(drop), Code::StoreSchema);
        assert!(message.contains(table) && message.contains("SET LOGGED"), "{message}");
        database.run(&format!("ALTER TABLE {table} SET LOGGED"));
    }
    other(&database);
}

#[test]
fn a_trigger_that_is_missing_is_found() {
    let database = database();
    for lost in [
        "DROP TRIGGER snowmint_segment_rises ON snowmint_segment",
        "DROP FUNCTION snowmint_segment_rises() CASCADE",
        "ALTER TABLE snowmint_worker DISABLE TRIGGER snowmint_worker_rises",
    ] {
        for url in [database.url.clone(), format!("{}&create=true", database.url)] {
            database.run(lost);
            let message = refused(open_store(&url).map(drop), Code::StoreSchema);
            // What it says is enough.
            let (_, cure) = message.split_once("by: ").unwrap();
            assert!(!message.contains("create=true"), "{message}");
            database.run(cure);
            store(&database);
        }
    }
}

/// Tables are looked for in all schemas of the search path, and would be made in its first.
#[test]
fn nothing_is_made_that_would_hide_a_key_space() {
    let database = database();
    let user = format!("app_{}", database.name());
    database.run(&format!(
        "CREATE ROLE {user} LOGIN; CREATE SCHEMA AUTHORIZATION {user}; \
         GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO {user}"
    ));
    let url = format!("{}&create=true", database.url_with("postgres@", &format!("{user}@")));
    let take_by_user = || take(&*open_store(&url)?);
    assert_eq!(take_by_user().unwrap(), 1);
    for (lost, found) in [
        (
            "ALTER TABLE snowmint_worker DISABLE TRIGGER snowmint_worker_rises",
            "ALTER TABLE snowmint_worker ENABLE TRIGGER snowmint_worker_rises",
        ),
        (
            "ALTER TABLE snowmint_worker RENAME TO hidden",
            "ALTER TABLE hidden RENAME TO snowmint_worker",
        ),
        (
            &*format!("CREATE TABLE {user}.snowmint_segment (LIKE snowmint_segment)"),
            &*format!("DROP TABLE {user}.snowmint_segment"),
        ),
    ] {
        database.run(lost);
        refused(take_by_user(), Code::StoreSchema);
        database.run(found);
    }
    database.run(&format!("ALTER TABLE snowmint_segment SET SCHEMA {user}"));
    let message = refused(take_by_user(), Code::StoreSchema);
    assert!(message.contains("move or drop"), "{message}");
    database.run(&format!("ALTER TABLE {user}.snowmint_segment SET SCHEMA public"));
    assert_eq!(take_by_user().unwrap(), 11);
    database.run(&format!("DROP OWNED BY {user}; DROP ROLE {user}"));
}

/// A search passes over schemas that its user may not use.
#[test]
fn a_key_space_is_not_begun_beside_one_that_may_not_be_used() {
    let database = database();
    let user = format!("app_{}", database.name());
    let ids = "A \"schema\", of IDs";
    let quoted = "\"A \"\"schema\"\", of IDs\"";
    database.run(&format!(
        "CREATE ROLE {user} LOGIN; CREATE SCHEMA AUTHORIZATION {user}; CREATE SCHEMA {quoted}; \
         ALTER ROLE {user} SET search_path = NONE, {quoted}, \"$user\", public; \
         GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO {user}"
    ));
    let url = format!("{}&create=true", database.url_with("postgres@", &format!("{user}@")));
    let take_by_user = || take(&*open_store(&url)?);
    assert_eq!(take_by_user().unwrap(), 1);
    for table in ["schema", "segment", "worker"] {
        database.run(&format!("ALTER TABLE snowmint_{table} SET SCHEMA {quoted}"));
    }
    let message = refused(take_by_user(), Code::StoreDenied);
    // Nor where there is another one.
    for table in ["schema", "segment", "worker"] {
        database.run(&format!("CREATE TABLE {user}.snowmint_{table} ()"));
    }
    refused(take_by_user(), Code::StoreDenied);
    for table in ["schema", "segment", "worker"] {
        database.run(&format!("DROP TABLE {user}.snowmint_{table}"));
    }
    let (_, cure) = message.split_once("use: ").unwrap();
    database.run(&cure.split_once(" him").unwrap().0.replace(" TO", &format!(" TO {user}")));
    assert_eq!(take_by_user().unwrap(), 11);
    // And its name is written so that it can be repeated.
    database.run(&format!("DROP TRIGGER snowmint_worker_rises ON {quoted}.snowmint_worker"));
    let message = refused(take_by_user(), Code::StoreSchema);
    assert!(message.contains(&format!("{ids}.snowmint_worker")), "{message}");
    database.run(message.split_once("by: ").unwrap().1);
    assert_eq!(take_by_user().unwrap(), 21);
    database.run(&format!("DROP OWNED BY {user}; DROP ROLE {user}"));
}

/// Who waited looks again.
#[test]
fn nothing_is_made_that_another_made_meanwhile() {
    let database = database();
    let user = format!("late_{}", database.name());
    database.run(&format!(
        "CREATE ROLE {user} LOGIN; CREATE SCHEMA AUTHORIZATION {user}; CREATE SCHEMA aside; \
         GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO {user}"
    ));
    let move_tables = |from: &str, to: &str| {
        for table in ["schema", "segment", "worker"] {
            database.run(&format!("ALTER TABLE {from}.snowmint_{table} SET SCHEMA {to}"));
        }
    };
    move_tables("public", "aside");
    let mut other = database.session();
    let lock = include_str!("../../src/store/postgres/schema_lock.sql");
    other.run(&format!("BEGIN; {lock}"));
    thread::scope(|scope| {
        let url = format!("{}&create=true", database.url_with("postgres@", &format!("{user}@")));
        let late = scope.spawn(move || take(&*open_store(&url)?));
        let query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' \
                     AND datname = current_database()";
        wait_until("the one who waits", || database.run(query) == "1");
        move_tables("aside", "public");
        other.run("COMMIT");
        assert_eq!(late.join().unwrap().unwrap(), 1);
    });
    database.run(&format!("DROP OWNED BY {user}; DROP ROLE {user}"));
}

#[test]
fn a_row_of_the_schema_that_is_lost_is_put_back() {
    let database = database();
    database.run("DELETE FROM snowmint_schema");
    let message = refused(open_store(&database.url).map(drop), Code::StoreSchema);
    let (_, cure) = message.split_once("back by ").unwrap();
    database.run(cure.split_once(", or").unwrap().0);
    // What it knew of leases is gone.
    refused(other(&database).acquire(&request("a"), &long()), Code::WorkersExhausted);
}

#[test]
fn a_hand_cannot_lower_what_is_reserved() {
    let database = database();
    let store = other(&database);
    store.acquire(&request("a"), &long()).unwrap();
    assert_eq!(take(&store).unwrap(), 1);
    for (edit, says) in [
        ("UPDATE snowmint_segment SET next = next - 1", "next never falls"),
        ("UPDATE snowmint_worker SET reserved_ms = reserved_ms - 1", "reserved_ms never falls"),
        ("UPDATE snowmint_segment SET step = 0", "check constraint"),
        ("UPDATE snowmint_segment SET tag = 'a b'", "check constraint"),
        ("UPDATE snowmint_worker SET token = ''", "check constraint"),
    ] {
        let said = std::panic::catch_unwind(|| database.run(edit)).unwrap_err();
        let said = said.downcast_ref::<String>().unwrap();
        assert!(said.contains(says), "{edit}: {said}");
    }
    assert_eq!(take(&store).unwrap(), 11);
}

#[test]
fn tables_that_are_not_as_they_should_be_are_named() {
    let database = database();
    let store = other(&database);
    database.run("ALTER TABLE snowmint_segment RENAME COLUMN stride TO distance");
    refused(take(&store), Code::StoreSchema);
    database.run("ALTER TABLE snowmint_segment RENAME COLUMN distance TO stride");
    database.run("ALTER TABLE snowmint_segment RENAME TO hidden");
    let message = refused(take(&store), Code::StoreMissing);
    assert!(message.contains("search_path"), "{message}");
    database.run("ALTER TABLE hidden RENAME TO snowmint_segment");
    assert_eq!(take(&store).unwrap(), 1);
}
