//! Tables that are missing, of another version, or changed by hand.

use std::thread;

use super::asking::refused_to_open;
use super::*;

#[test]
fn l1_tables_that_a_crash_empties_are_refused() {
    let database = database();
    for table in ["snowmint_worker", "snowmint_segment", "snowmint_schema"] {
        database.run(&format!("ALTER TABLE {table} SET UNLOGGED"));
        let message = refused_to_open(&database.url, Code::StoreSchema);
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
            let message = refused_to_open(&url, Code::StoreSchema);
            // The cure in the message is enough.
            let (_, cure) = message.split_once("by: ").unwrap();
            assert!(!message.contains("create=true"), "{message}");
            database.run(cure);
            store(&database);
        }
    }
}

/// The application's own settings, by which two users would have two key spaces.
#[test]
fn l1_no_search_path_begins_another_key_space() {
    let database = database();
    let user = format!("app_{}", database.name());
    database.run(&format!(
        "CREATE ROLE {user} LOGIN; CREATE SCHEMA AUTHORIZATION {user}; \
         ALTER ROLE {user} SET search_path = {user}, none; \
         CREATE TABLE {user}.snowmint_segment (LIKE snowmint_segment); \
         GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA snowmint TO {user}"
    ));
    let url = format!("{}&create=true", logins::as_user(&database, &user));
    assert_eq!(take(&*open_store(&url).unwrap()).unwrap(), 1);
    assert_eq!(take(&other(&database)).unwrap(), 11);
    let made = "SELECT count(*) FROM pg_class WHERE relname = 'snowmint_schema'";
    assert_eq!(database.run(made), "1");
    database.run(&format!("DROP OWNED BY {user} CASCADE; DROP ROLE {user}"));
}

/// Made where the search path led, or moved by hand: nothing begins again beside them.
#[test]
fn l1_tables_in_another_schema_are_named_and_nothing_is_made_beside_them() {
    let database = database();
    let quoted = "\"A \"\"schema\"\", of IDs\"";
    database.run(&format!("CREATE SCHEMA {quoted}"));
    assert_eq!(take(&other(&database)).unwrap(), 1);
    for table in ["schema", "segment", "worker"] {
        database.run(&format!("ALTER TABLE snowmint_{table} SET SCHEMA {quoted}"));
    }
    for function in ["worker", "segment"] {
        database.run(&format!("ALTER FUNCTION snowmint_{function}_rises SET SCHEMA {quoted}"));
    }
    let create = format!("{}&create=true", database.url);
    let mut message = refused(open_store(&database.url).map(drop), Code::StoreSchema);
    for refusal in [open_store(&create).map(drop), snowmint::migrate(&database.url).map(drop)] {
        message = refused(refusal, Code::StoreSchema);
    }
    let named = format!("{}&schema=A%20%22schema%22,%20of%20IDs", database.url);
    assert_eq!(take(&*open_store(&named).unwrap()).unwrap(), 11);
    // The cure in the message is enough.
    let (_, cure) = message.split_once("by: ").unwrap();
    database.run(&format!("{}; COMMIT", cure.split_once("; COMMIT").unwrap().0));
    assert_eq!(take(&other(&database)).unwrap(), 21);
    // An operator may want another key space.
    let second = format!("{}&schema=second", database.url);
    refused(open_store(&second).map(drop), Code::StoreMissing);
    make_orders(&second);
    assert_eq!(take(&*open_store(&second).unwrap()).unwrap(), 1);
    assert_eq!(take(&other(&database)).unwrap(), 31);
    refused(open_store(&format!("{second}&dialect=leaf")).map(drop), Code::InvalidParameter);
}

#[test]
fn a_schema_that_may_not_be_used_is_named() {
    let database = database();
    let user = format!("app_{}", database.name());
    database.run(&format!(
        "CREATE ROLE {user} LOGIN; REVOKE USAGE ON SCHEMA snowmint FROM PUBLIC; \
         GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA snowmint TO {user}"
    ));
    let url = format!("{}&create=true", logins::as_user(&database, &user));
    let message = refused(open_store(&url).map(drop), Code::StoreDenied);
    let (_, cure) = message.split_once("use: ").unwrap();
    database.run(&cure.split_once(" the user").unwrap().0.replace(" TO", &format!(" TO {user}")));
    assert_eq!(take(&*open_store(&url).unwrap()).unwrap(), 1);
    database.run(&format!("DROP OWNED BY {user}; DROP ROLE {user}"));
}

/// Whoever may make tables in the schema need not be allowed to make schemas.
#[test]
fn a_schema_that_is_there_is_used() {
    let database = Server::shared().database();
    let user = format!("maker_{}", database.name());
    database.run(&format!("CREATE ROLE {user} LOGIN; CREATE SCHEMA snowmint AUTHORIZATION {user}"));
    make_orders(&logins::as_user(&database, &user));
    assert_eq!(take(&other(&database)).unwrap(), 1);
    database.run(&format!("DROP OWNED BY {user}; DROP ROLE {user}"));
}

/// A process that waited looks again.
#[test]
fn nothing_is_made_that_another_made_meanwhile() {
    let database = database();
    let rename = |from: &str, to: &str| {
        // All at once, as who waits may look at any moment.
        let each = ["schema", "segment", "worker"]
            .map(|table| format!("ALTER TABLE {from}_{table} RENAME TO {to}_{table}"));
        database.run(&each.join("; "));
    };
    rename("snowmint", "hidden");
    let mut other = database.session();
    let lock = include_str!("../../src/store/postgres/schema_lock.sql");
    other.run(&format!("BEGIN; {lock}"));
    thread::scope(|scope| {
        let url = format!("{}&create=true", database.url);
        // The server gives a wait up after some seconds, which a busy machine may need.
        let late = scope.spawn(move || patiently(|| take(&*open_store(&url)?)));
        let query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' \
                     AND datname = current_database()";
        wait_until("the one who waits", || database.run(query) == "1");
        rename("hidden", "snowmint");
        other.run("COMMIT");
        assert_eq!(late.join().unwrap(), 1);
    });
}

#[test]
fn a_row_of_the_schema_that_is_lost_is_put_back() {
    let database = database();
    database.run("DELETE FROM snowmint_schema");
    let message = refused_to_open(&database.url, Code::StoreSchema);
    let (_, cure) = message.split_once("back by ").unwrap();
    database.run(cure.split_once(", or").unwrap().0);
    // Its knowledge of leases is gone, and an operator has to confirm it.
    refused(other(&database).acquire(&request("a"), &long()), Code::IncarnationChanged);
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
