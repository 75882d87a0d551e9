//! The file, made by its own command.

use snowmint::{migrate, migration};

use super::*;

fn url(place: &Place) -> String {
    format!("sqlite:{}", place.path().display())
}

#[test]
fn a_file_is_made_once_and_a_plan_makes_none() {
    let place = Place::new();
    let planned = migration(&url(&place)).unwrap().statements;
    assert!(!place.path().exists());
    assert_eq!(migrate(&url(&place)).unwrap().statements, planned);
    let store = SqliteStore::open(place.path()).unwrap();
    store.create_tag(&orders(), TagOptions::default()).unwrap();
    let before = fs::read(place.path()).unwrap();
    for done in [migration(&url(&place)).unwrap(), migrate(&url(&place)).unwrap()] {
        assert!(done.statements.is_empty(), "{done:?}");
        assert_eq!(done.place, format!("SQLite {}", place.path().display()));
    }
    assert_eq!(fs::read(place.path()).unwrap(), before);
    assert_eq!(next_ten(&store).unwrap(), 1);
}

#[test]
fn a_plan_can_be_run_by_hand() {
    let place = Place::new();
    let planned = migration(&url(&place)).unwrap().statements;
    place.connection().execute_batch(&planned.join(";\n")).unwrap();
    let store = SqliteStore::open(place.path()).unwrap();
    store.create_tag(&orders(), TagOptions::default()).unwrap();
    assert_eq!(next_ten(&store).unwrap(), 1);
}

#[test]
fn an_altered_schema_is_named_and_left_as_it_is() {
    for (change, says) in [
        ("DROP TABLE snowmint_worker", "its table snowmint_worker is missing"),
        ("DROP TRIGGER snowmint_segment_rises", "its trigger snowmint_segment_rises is missing"),
        ("ALTER TABLE snowmint_segment DROP COLUMN raises", "snowmint_segment was altered"),
        ("PRAGMA user_version = 2", "version 2, and this snowmint knows version 1"),
    ] {
        let place = Place::new();
        drop(place.store());
        place.connection().execute_batch(change).unwrap();
        let before = fs::read(place.path()).unwrap();
        for done in [migration(&url(&place)), migrate(&url(&place))] {
            let message = refused(done, Code::StoreSchema);
            assert!(message.contains(says), "{change}: {message}");
        }
        assert_eq!(fs::read(place.path()).unwrap(), before);
    }
    let empty = Place::new();
    fs::write(empty.path(), "").unwrap();
    refused(migrate(&url(&empty)), Code::StoreCorrupt);
}

#[test]
fn memory_has_no_tables() {
    let error = migrate("memory:").unwrap_err();
    assert_eq!(error.code(), Code::Unsupported);
    assert!(error.to_string().contains("name a file or a database"), "{error}");
}
