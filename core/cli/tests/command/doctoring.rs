//! `doctor`: findings, and an exit status that says whether anything is refused.

use serde_json::Value;
use snowmint::{Call, LeaseRequest, SqliteStore, WorkerStore};
use std::time::Duration;

use crate::{Outcome, User};

/// The findings of a JSON output, and the exit status.
fn findings(outcome: &Outcome) -> (i32, Vec<Value>) {
    assert_eq!(outcome.stderr, "", "{outcome:?}");
    let lines = outcome.stdout.lines().map(|line| serde_json::from_str(line).unwrap());
    (outcome.status, lines.collect())
}

fn of<'a>(findings: &'a [Value], subject: &str) -> &'a Value {
    let found = findings.iter().find(|it| it["subject"] == subject);
    found.unwrap_or_else(|| panic!("no {subject} in {findings:?}"))
}

#[test]
fn a_file_is_looked_at_and_not_changed() {
    let user = User::new();
    let (status, missing) = findings(&user.run(&["doctor", "ids.db", "--json"]));
    assert_eq!((status, &of(&missing, "file")["code"]), (4, &"store_missing".into()));
    assert!(of(&missing, "file")["cure"].as_str().unwrap().contains("snowmint migrate"));
    assert!(!user.path("ids.db").exists());

    user.run(&["segment", "create", "sqlite:ids.db?create=true", "orders"]).done();
    user.run(&["id", "-n", "3", &user.url("snowflake+sqlite:{db}")]).done();
    let before = std::fs::read(user.path("ids.db")).unwrap();
    let (status, found) = findings(&user.run(&["doctor", "ids.db", "--json"]));
    assert_eq!(status, 0, "{found:?}");
    for subject in ["file", "access", "tables", "journal", "tags", "worker IDs"] {
        assert_eq!(of(&found, subject)["verdict"], "ok", "{found:?}");
    }
    assert!(of(&found, "worker IDs")["found"].as_str().unwrap().contains(" of 1024 are held"));
    assert_eq!(std::fs::read(user.path("ids.db")).unwrap(), before);

    user.run(&["segment", "raise", "ids.db", "orders", "--next", "9223372036854775807"]).done();
    let shown = user.run(&["doctor", "sqlite:ids.db"]);
    assert_eq!((shown.status, shown.stderr.as_str()), (4, ""));
    let refused = "\nrefused  tags             orders has reached 9223372036854775807, where";
    assert!(shown.stdout.contains(refused), "{shown:?}");
    assert!(shown.stdout.contains("[tag_exhausted]\n         cure             create a new tag"));
    assert!(shown.stdout.ends_with(", 1 refused, 1 not seen\n"), "{shown:?}");
}

/// As `snowmint doctor --help` says.
#[test]
fn a_refused_finding_has_a_cure() {
    let user = User::new();
    std::fs::write(user.path("notes.txt"), "no database, of more than one line\n".repeat(50))
        .unwrap();
    user.run(&["segment", "create", "sqlite:ids.db?create=true", "orders"]).done();
    let file = rusqlite::Connection::open(user.path("ids.db")).unwrap();
    file.execute_batch("ALTER TABLE snowmint_segment RENAME COLUMN stride TO pace").unwrap();
    for store in ["notes.txt", "ids.db", "redis://127.0.0.1:1/0", "postgres://127.0.0.1:1/ids"] {
        let (status, found) = findings(&user.run(&["doctor", store, "--json"]));
        assert_eq!(status, 4, "{store}: {found:?}");
        for refused in found.iter().filter(|it| it["verdict"] == "refused") {
            assert!(refused["cure"].is_string(), "{store}: {refused}");
        }
    }
    let (_, found) = findings(&user.run(&["doctor", "redis://127.0.0.1:1/0", "--json"]));
    assert!(
        of(&found, "server")["found"].as_str().unwrap().contains("check host, port"),
        "{found:?}"
    );
}

#[test]
fn this_machine_is_looked_at_without_a_store() {
    let user = User::new();
    let (status, found) = findings(&user.run(&["doctor", "--json"]));
    assert_eq!(status, 0, "{found:?}");
    for subject in ["time", "clock source", "synchronised", "clock steps", "fork guard"] {
        assert!(of(&found, subject)["found"].is_string());
    }
    let directory = of(&found, "state directory")["found"].as_str().unwrap();
    assert!(directory.ends_with("state/snowmint is made when it is needed"), "{directory}");
    assert!(!user.path("state").exists());
    let shown = user.run(&["doctor"]).done();
    assert!(shown.lines().last().unwrap().contains(" ok, "), "{shown}");
}

#[test]
fn doctor_escapes_the_texts_of_a_store_and_shows_no_password() {
    let user = User::new();
    let store = SqliteStore::create(user.path("ids.db")).unwrap();
    let request = LeaseRequest::new("\u{9b}2Jrealm\nok  forged", "me");
    store.acquire(&request, &Call::new(Duration::from_secs(60), [1; 16])).unwrap();
    let shown = user.run(&["doctor", "ids.db"]).done();
    assert!(shown.contains(r"\u{9b}2Jrealm\nok  forged"), "{shown}");

    let far = user.run(&["doctor", "postgres://ann:S3CRET@127.0.0.1:1/ids"]);
    assert_eq!((far.status, far.stderr.as_str()), (4, ""));
    assert!(far.stdout.contains("refused  server") && far.stdout.contains("[store_unavailable]"));
    let wrong = user.run(&["doctor", "postgres://ann:S3CRET@host/ids?pasword=S3CRET"]);
    assert_eq!(wrong.status, 2);
    assert!(!format!("{far:?} {wrong:?}").contains("S3CRET"));
    user.run(&["doctor", "memory:tests"]).refused(2, "for tests alone: name a file or a database");
}
