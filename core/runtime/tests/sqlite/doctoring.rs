//! Tests of the doctor's findings on sound, weak and refused files. It changes none.

use std::collections::BTreeMap;

use snowmint::doctor::Verdict::{self, Ok, Refused, Unseen, Weaker};
use snowmint::doctor::{Finding, examine};

use super::*;

fn examined(place: &Place) -> Vec<Finding> {
    examine(&place.url()).unwrap()
}

#[track_caller]
fn has(findings: &[Finding], subject: &str, verdict: Verdict, says: &str) {
    let is_it = |it: &&Finding| it.subject == subject && it.verdict == verdict;
    let found = findings.iter().filter(is_it).any(|it| it.found.contains(says));
    assert!(found, "no {verdict:?} {subject} that says {says:?} in {findings:?}");
}

/// All files beside the database, and it.
fn content(place: &Place) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = fs::read_dir(place.directory.path()).unwrap();
    files.map(|it| it.unwrap().path()).map(|it| (it.clone(), fs::read(it).unwrap())).collect()
}

#[test]
fn a_sound_file_is_ok_and_stays_as_it_is() {
    let place = Place::new();
    has(&examined(&place), "file", Refused, "is not there");
    assert!(content(&place).is_empty());
    let store = place.store();
    let before = content(&place);
    let findings = examined(&place);
    for (subject, says) in [
        ("file", "has one name"),
        ("access", if cfg!(unix) { "mode 600" } else { "is there" }),
        ("tables", "word for word"),
        ("journal", "a rollback journal"),
        ("tags", "none of 1"),
        ("worker IDs", "none was ever leased"),
    ] {
        has(&findings, subject, Ok, says);
    }
    assert_eq!(content(&place), before);
    // The locks of a store that is open in this process are as they were.
    assert_eq!(next_ten(&store).unwrap(), 11);
}

/// The system would end the locks with the first descriptor of the file that this process closes.
#[cfg(unix)]
#[test]
fn the_locks_of_this_process_stay() {
    let place = Place::new();
    drop(place.store());
    let locked = place.connection();
    locked.execute_batch("BEGIN IMMEDIATE").unwrap();
    let is_locked = || {
        let begin = "import sqlite3, sys\n\
                     sqlite3.connect(sys.argv[1], timeout=0).execute('BEGIN IMMEDIATE')";
        let mut other = std::process::Command::new("python3");
        let other = other.args(["-c", begin]).arg(place.path()).output().unwrap();
        String::from_utf8(other.stderr).unwrap().contains("database is locked")
    };
    assert!(is_locked());
    has(&examined(&place), "tables", Ok, "word for word");
    assert!(is_locked());
    locked.execute_batch("ROLLBACK").unwrap();
    assert!(!is_locked());
}

/// As a process leaves it that is killed in a transaction.
#[test]
fn a_change_that_was_left_unfinished_is_told_and_left_alone() {
    let place = Place::new();
    next_ten(&place.store()).unwrap();
    let other = place.connection();
    other.execute_batch("BEGIN IMMEDIATE; UPDATE snowmint_segment SET step = 7").unwrap();
    other.cache_flush().unwrap();
    let left = place.directory.path().join("left.db");
    let journal = |path: &std::path::Path| PathBuf::from(format!("{}-journal", path.display()));
    fs::copy(place.path(), &left).unwrap();
    fs::copy(journal(&place.path()), journal(&left)).unwrap();
    let looked = || examine(&format!("sqlite:{}", left.display())).unwrap();
    let before = (fs::read(&left).unwrap(), fs::read(journal(&left)).unwrap());

    has(&looked(), "journal", Weaker, "a process left unfinished");
    assert_eq!((fs::read(&left).unwrap(), fs::read(journal(&left)).unwrap()), before);

    // Opening the file repairs it.
    SqliteStore::open(&left).unwrap();
    assert!(!journal(&left).exists());
    has(&looked(), "tables", Ok, "word for word");
}

#[test]
fn a_second_name_and_foreign_tables_are_refused() {
    let place = Place::new();
    drop(place.store());
    let second = place.directory.path().join("second.db");
    fs::hard_link(place.path(), &second).unwrap();
    has(&examined(&place), "file", Refused, "a second name, by a hard link");
    fs::remove_file(second).unwrap();
    place.connection().execute_batch("CREATE TABLE other (a)").unwrap();
    has(&examined(&place), "tables", Refused, "is not snowmint's");
    let shared = format!("sqlite:{}?shared_file=true", place.path().display());
    has(&examine(&shared).unwrap(), "tables", Ok, "word for word");
}

#[cfg(unix)]
#[test]
fn a_file_that_anybody_may_change_is_weaker() {
    use std::os::unix::fs::PermissionsExt as _;

    let place = Place::new();
    drop(place.store());
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o666)).unwrap();
    has(&examined(&place), "access", Weaker, "anybody may change it");
    let link = place.directory.path().join("link.db");
    std::os::unix::fs::symlink(place.path(), &link).unwrap();
    let findings = examine(&format!("sqlite:{}", link.display())).unwrap();
    has(&findings, "file", Ok, "link.db is a link to ");
}

#[test]
fn a_foreign_journal_is_weaker() {
    let place = Place::new();
    drop(place.store());
    place.connection().execute_batch("PRAGMA journal_mode = WAL").unwrap();
    let before = content(&place);
    let findings = examined(&place);
    has(&findings, "journal", Weaker, "a write-ahead log, as another program left it");
    has(&findings, "tables", Unseen, "not looked at");
    let url = format!("sqlite:{}", place.path().display());
    assert_eq!(snowmint::migration(&url).unwrap().statements, [""; 0]);
    assert_eq!(content(&place), before);
    // Opening the file sets the journal back.
    drop(SqliteStore::open(place.path()).unwrap());
    has(&examined(&place), "journal", Ok, "a rollback journal");
}

#[test]
fn a_file_that_is_locked_could_not_be_seen() {
    let place = Place::new();
    drop(place.store());
    let other = place.connection();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let findings = examined(&place);
    // As long as an opening waits, and no longer.
    has(&findings, "tables", Unseen, "was locked by another program for 5000 ms");
    let tables = findings.iter().find(|it| it.subject == "tables").unwrap();
    let cure = tables.cure.as_deref().unwrap();
    let lsof = format!("lsof {}", place.path().display());
    assert!(cure.contains(if cfg!(unix) { &lsof } else { "Resource Monitor" }), "{cure}");
    other.execute_batch("ROLLBACK").unwrap();
    has(&examined(&place), "tables", Ok, "word for word");
}
