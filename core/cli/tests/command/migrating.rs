//! `migrate`: the tables of a store, or the SQL that would make them.

use serde_json::Value;

use crate::User;

#[test]
fn a_file_is_made_once_and_said_so() {
    let user = User::new();
    let planned = user.run(&["migrate", "ids.db", "--dry-run"]).done();
    assert!(
        planned.starts_with("-- SQLite ") && planned.contains("\n\nCREATE TABLE snowmint_worker")
    );
    assert!(planned.contains("\n\nBEGIN IMMEDIATE;\n\nCREATE"), "{planned}");
    assert!(planned.ends_with("PRAGMA user_version = 1;\n\nCOMMIT;\n"), "{planned}");
    assert!(!user.path("ids.db").exists());
    user.run(&["worker", "list", "ids.db"]).refused(4, "there is no file ids.db");

    let state = |more: &[&str]| {
        let out = user.run(&[&["migrate", "ids.db", "--json"], more].concat()).done();
        let object: Value = serde_json::from_str(&out).unwrap();
        let statements = object["statements"].as_array().unwrap().len();
        (object["state"].as_str().unwrap().to_owned(), statements)
    };
    assert_eq!(state(&["--dry-run"]), ("missing".to_owned(), 10));
    assert_eq!(state(&[]), ("made".to_owned(), 10));
    assert_eq!(state(&[]), ("there".to_owned(), 0));
    assert_eq!(state(&["--dry-run"]), ("there".to_owned(), 0));
    let said = user.run(&["migrate", "sqlite:ids.db"]).done();
    let (said, pin) = said.trim_end().split_once("; pin it by ").unwrap();
    assert!(said.ends_with("ids.db: the tables are there, as they should be"), "{said}");
    user.run(&["segment", "create", "ids.db", "orders"]).done();
    let again = user.run(&["migrate", "other.db"]).done();
    assert!(again.contains("other.db: the tables are made; pin it by key_space="), "{again}");

    // With its identity, the command only checks, so that a deployment can repeat it.
    let pinned = |file: &str| user.run(&["migrate", &format!("sqlite:{file}?{pin}")]);
    assert!(pinned("ids.db").done().contains("the tables are there"));
    pinned("other.db").refused(4, "error[incarnation_changed]");
    pinned("third.db").refused(4, "has no key space");
    assert!(!user.path("third.db").exists());
}

#[test]
fn a_store_that_cannot_be_migrated_is_refused() {
    let user = User::new();
    std::fs::write(user.path("empty.db"), "").unwrap();
    user.run(&["migrate", "empty.db"]).refused(4, "it is empty");
    user.run(&["migrate", "memory:"]).refused(2, "name a file or a database");
    user.run(&["migrate", "postgres://ann:S3CRET@127.0.0.1:1/ids"]).refused(4, "be reached");
    user.run(&["migrate"]).refused(2, "STORE");
}
