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
    assert_eq!(take_by_user().unwrap(), 11);
    database.run(&format!("DROP OWNED BY {user}; DROP ROLE {user}"));
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
