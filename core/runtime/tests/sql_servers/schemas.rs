//! Tables that are missing, or of another version.

use std::thread;

use snowmint::{Code, SegmentAdmin, open_store};

use crate::asking::{refused, refused_to_open, take};
use crate::{Server, database, other};

#[test]
fn a_key_space_is_begun_only_where_that_is_asked_for() {
    let database = Server::shared().database();
    let message = refused_to_open(&database.url, Code::StoreMissing);
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
        for n in 1..7 {
            let url = format!("{url}&connect_timeout={}", 60 + n);
            scope.spawn(move || drop(open_store(&url).unwrap()));
        }
    });
    assert_eq!(database.run("SELECT version FROM snowmint_schema"), "1");
}

#[test]
fn a_later_schema_is_left_alone() {
    let database = database();
    database.run("UPDATE snowmint_schema SET version = 2");
    for url in [database.url.clone(), format!("{}&create=true", database.url)] {
        let message = refused_to_open(&url, Code::StoreSchema);
        assert!(message.contains("version 2") && message.contains("knows 1"), "{message}");
    }
    assert_eq!(database.run("SELECT version FROM snowmint_schema"), "2");
}

#[test]
fn tables_that_are_not_as_they_should_be_are_named() {
    let database = database();
    let store = other(&database);
    database.run("ALTER TABLE snowmint_segment RENAME COLUMN moved_to TO elsewhere");
    refused(take(&store), Code::StoreSchema);
    database.run("ALTER TABLE snowmint_segment RENAME COLUMN elsewhere TO moved_to");
    database.run("ALTER TABLE snowmint_segment RENAME TO hidden");
    let message = refused(take(&store), Code::StoreMissing);
    assert!(message.to_lowercase().contains("check the database"), "{message}");
    database.run("ALTER TABLE hidden RENAME TO snowmint_segment");
    assert_eq!(take(&store).unwrap(), 1);
}
