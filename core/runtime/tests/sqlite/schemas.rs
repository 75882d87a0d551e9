//! Tests of a file's content: our tables word for word, and no others unless the URL allows them.

use super::*;
use snowmint::Mint;

/// Rewrites the statements of the schema, as no statement of SQL could.
fn edit_schema(place: &Place, sql: &str) {
    let edit = format!(
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = {sql}; \
         PRAGMA writable_schema = RESET"
    );
    place.connection().execute_batch(&edit).unwrap();
}

#[test]
fn an_altered_statement_is_not_ours() {
    const WORKERS: &str =
        "DROP TRIGGER snowmint_worker_rises; CREATE TRIGGER snowmint_worker_rises";
    for (change, says) in [
        // Names and columns are all there.
        (
            "DROP TRIGGER snowmint_segment_rises; CREATE TRIGGER snowmint_segment_rises \
             AFTER UPDATE OF next ON snowmint_segment WHEN NEW.next > 500 BEGIN \
             UPDATE snowmint_segment SET next = 1; END",
            "trigger snowmint_segment_rises was altered, at \"AFTER UPDATE OF next",
        ),
        (
            &format!(
                "{WORKERS} BEFORE UPDATE OF reserved_ms ON snowmint_worker BEGIN SELECT 1; END"
            ),
            "trigger snowmint_worker_rises was altered",
        ),
        (
            "CREATE TRIGGER \"a\u{1b}b\" AFTER UPDATE ON snowmint_segment BEGIN \
             UPDATE snowmint_segment SET step = 1; END",
            r#"trigger "a\u{1b}b" on snowmint_segment is not snowmint's"#,
        ),
        ("CREATE INDEX mine ON Snowmint_Worker (owner)", r#"index "mine" on"#),
    ] {
        let place = Place::new();
        drop(place.store());
        place.connection().execute_batch(change).unwrap();
        let insisted = SqliteStore::builder().shared_file(true).open(place.path());
        for open in [SqliteStore::open(place.path()), insisted] {
            let message = refused(open, Code::StoreSchema);
            assert!(message.contains(says), "no {says:?} in {message:?}");
        }
        asking::refused_to_open(&place.url(), Code::StoreSchema);
    }
    for (from, to) in
        [("CHECK (length(CAST(owner AS BLOB)) BETWEEN 1 AND 255)", ""), ("never falls", "falls")]
    {
        let place = Place::new();
        drop(place.store());
        edit_schema(&place, &format!("replace(sql, '{from}', '{to}')"));
        asking::refused_to_open(&place.url(), Code::StoreSchema);
    }
}

/// An application's other copy of SQLite would take the locks of this one away.
#[test]
fn a_file_with_other_tables_has_to_be_insisted_on() {
    for (change, says) in [
        ("CREATE TABLE customers (name TEXT)", r#"table "customers""#),
        ("CREATE VIEW held AS SELECT * FROM snowmint_worker", r#"view "held""#),
    ] {
        let place = Place::new();
        let store = place.store();
        place.connection().execute_batch(change).unwrap();
        let message = refused(SqliteStore::open(place.path()), Code::StoreSchema);
        for says in [says, "another copy of SQLite", "repeat", "shared_file=true"] {
            assert!(message.contains(says), "no {says:?} in {message:?}");
        }
        let url = format!("segment+sqlite:{}?tag=orders", place.path().display());
        refused(snowmint::open(&url), Code::StoreSchema);
        let insisted = SqliteStore::builder().shared_file(true).open(place.path()).unwrap();
        assert_eq!(next_ten(&insisted).unwrap(), 11);
        snowmint::open(&format!("{url}&shared_file=true")).unwrap().close().unwrap();
        drop(store);
    }
    // Tables that SQLite makes by itself belong to no application.
    let place = Place::new();
    place.store().acquire(&request("a"), &call()).unwrap();
    place.connection().execute_batch("ANALYZE").unwrap();
    SqliteStore::open(place.path()).unwrap();
}

/// In the process that has it open, too, which is where such a copy does harm.
#[test]
fn tables_made_while_it_is_open_are_refused_to_whoever_begins() {
    let place = Place::new();
    let store = place.store();
    let url = format!("segment+sqlite:{}?tag=orders", place.path().display());
    let ids = snowmint::open(&url).unwrap();
    let lease = store.acquire(&request("a"), &call()).unwrap();
    place.connection().execute_batch("CREATE TABLE customers (name TEXT)").unwrap();

    let bills = Tag::new("bills").unwrap();
    for refusal in [
        refused(snowmint::open(&url), Code::StoreSchema),
        refused(store.create_tag(&bills, TagOptions::default()), Code::StoreSchema),
        refused(store.ensure_tag(&bills, TagOptions::default()), Code::StoreSchema),
    ] {
        assert!(refusal.contains(r#"table "customers""#), "{refusal}");
    }
    // A store and a source that are open go on.
    assert!(next_ten(&store).unwrap() > 1);
    store.renew(&lease, 60_000, &call()).unwrap();
    ids.next_id().unwrap();

    place.connection().execute_batch("DROP TABLE customers").unwrap();
    snowmint::open(&url).unwrap();
    store.ensure_tag(&bills, TagOptions::default()).unwrap();
}

#[test]
fn values_longer_than_any_of_ours_are_damage() {
    for (length, says) in
        [(256, "schema excludes"), (64_000, "schema excludes"), (5_000_000, "longer")]
    {
        let place = Place::new();
        let store = place.store();
        store.acquire(&request("a"), &call()).unwrap();
        let change = format!(
            "PRAGMA ignore_check_constraints = ON; \
             UPDATE snowmint_worker SET owner = replace(hex(zeroblob({length})), '00', 'x')"
        );
        place.connection().execute_batch(&change).unwrap();
        let message = refused(store.workers(), Code::StoreCorrupt);
        assert!(message.contains(says), "no {says:?} in {message:?}");
        let full = changed(request("a"), |it| {
            it.max_worker_id = 0;
            it.avoid = Some(0);
        });
        refused(store.acquire(&full, &call()), Code::StoreCorrupt);
        // Opening the file now verifies every CHECK.
        refused(SqliteStore::open(place.path()), Code::StoreCorrupt);
    }
}

#[test]
fn other_schemas_are_left_alone() {
    for (change, says) in [
        ("PRAGMA user_version = 2", "version 2"),
        ("PRAGMA user_version = 0", "version 0"),
        ("PRAGMA application_id = 7", "0x7"),
        ("PRAGMA application_id = 0", "0x0"),
        ("ALTER TABLE snowmint_segment RENAME COLUMN step TO width", "width"),
        ("ALTER TABLE snowmint_worker DROP COLUMN expires_ms", "table snowmint_worker was altered"),
        ("ALTER TABLE snowmint_worker ADD COLUMN more TEXT", "more"),
        ("DROP TABLE snowmint_worker", "snowmint_worker"),
        ("DROP TRIGGER snowmint_segment_rises", "snowmint_segment_rises"),
        ("DROP TRIGGER snowmint_worker_rises", "snowmint_worker_rises"),
    ] {
        let place = Place::new();
        drop(place.store());
        place.connection().execute_batch(change).unwrap();
        let before = fs::read(place.path()).unwrap();
        for open in [SqliteStore::create(place.path()), SqliteStore::open(place.path())] {
            let message = refused(open, Code::StoreSchema);
            assert!(message.contains(says), "no {says:?} in {message:?}");
        }
        assert_eq!(fs::read(place.path()).unwrap(), before);
    }
}

#[test]
fn an_applications_own_database_is_left_alone() {
    let place = Place::new();
    place.connection().execute_batch("CREATE TABLE customers (name TEXT)").unwrap();
    let message = refused(SqliteStore::create(place.path()), Code::StoreSchema);
    assert!(message.contains("file of its own"), "{message}");
}

#[test]
fn a_table_lost_while_open_is_noticed() {
    let place = Place::new();
    let store = place.store();
    place.connection().execute_batch("ALTER TABLE snowmint_segment RENAME TO mine").unwrap();
    refused(next_ten(&store), Code::StoreSchema);
    // SQLite writes the new name with quotes; the statement has to be ours again, word for word.
    place.connection().execute_batch("ALTER TABLE mine RENAME TO snowmint_segment").unwrap();
    refused(next_ten(&store), Code::StoreSchema);
    edit_schema(&place, "replace(sql, '\"', '')");
    assert_eq!(next_ten(&store).unwrap(), 11);
}
