//! Tests that need private access.

#[cfg(target_os = "linux")]
use std::fs;
#[cfg(target_os = "linux")]
use std::process::Command;
#[cfg(target_os = "linux")]
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use rusqlite::ffi;
use snowmint_engine::Code;

use super::super::allocate_one;
use super::*;

fn store() -> (tempfile::TempDir, SqliteStore) {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::create(directory.path().join("ids.db")).unwrap();
    (directory, store)
}

fn failure(extended_code: i32) -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(ffi::Error::new(extended_code), None)
}

#[test]
fn the_clock_is_exact_to_the_millisecond() {
    let rounded = "CAST(round(unixepoch(?1, 'subsec') * 1000) AS INTEGER)";
    for file in [include_str!("database.sql"), include_str!("renew.sql")] {
        assert!(file.contains(&rounded.replace("?1, ", "")));
    }
    let connection = Connection::open_in_memory().unwrap();
    let mut statement = connection.prepare(&format!("SELECT {rounded}")).unwrap();
    for (second, unix_ms) in
        [("2001-09-09 01:46:40", 1_000_000_000_000_i64), ("2033-05-18 03:33:20", 2_000_000_000_000)]
    {
        for ms in 0..1000 {
            let text = format!("{second}.{ms:03}");
            let read: i64 = statement.query_row([text], |row| row.get(0)).unwrap();
            assert_eq!(read, unix_ms + ms);
        }
    }
}

#[test]
fn every_commit_survives_power_loss() {
    let (_directory, store) = store();
    let (synchronous, mode) = store
        .read(BUSY_TIMEOUT, |connection| {
            let synchronous =
                connection.pragma_query_value(None, "synchronous", |row| row.get(0))?;
            let mode = connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
            Ok::<(i64, String), Fault>((synchronous, mode))
        })
        .unwrap();
    assert_eq!((synchronous, mode.as_str()), (3, "delete"));
}

#[test]
fn a_full_disk_refuses_and_changes_nothing() {
    let (_directory, store) = store();
    store
        .read(BUSY_TIMEOUT, |connection| {
            let pages: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
            connection.query_row(&format!("PRAGMA max_page_count = {pages}"), (), |_| Ok(()))?;
            Ok(())
        })
        .unwrap();
    let name = |n: u32| Tag::new(&format!("{n:064}")).unwrap();
    let created = (0..1000).find_map(|n| {
        let error = store.create_tag(&name(n), TagOptions::default()).err()?;
        assert_eq!(error.code(), Code::StoreFull, "{error}");
        Some(n)
    });
    let created = created.expect("a page holds no 1000 tags");
    assert_eq!(store.tags().unwrap().len(), created as usize);
    assert_eq!(
        store.create_tag(&name(created), TagOptions::default()).unwrap_err().code(),
        Code::StoreFull
    );
    let range = allocate_one(&store, &name(0), Some(10)).unwrap().range;
    assert_eq!((range.start(), range.end()), (1, 11));
}

#[test]
fn a_failed_commit_is_unknown_unless_it_is_known() {
    let code = |fault: Fault| fault.explain(Path::new("ids.db"), BUSY_TIMEOUT).code();
    for extended in [ffi::SQLITE_IOERR_FSYNC, ffi::SQLITE_IOERR_DIR_FSYNC, ffi::SQLITE_IOERR_DELETE]
    {
        assert_eq!(code(Fault::Commit(failure(extended))), Code::OutcomeUnknown);
        assert_eq!(code(Fault::Sql(failure(extended))), Code::StoreUnavailable);
        assert!(Fault::Commit(failure(extended)).spoils_connection());
    }
    assert_eq!(code(Fault::Commit(failure(ffi::SQLITE_NOMEM))), Code::OutcomeUnknown);
    assert_eq!(code(Fault::Commit(failure(ffi::SQLITE_BUSY))), Code::StoreLocked);
    assert_eq!(code(Fault::Commit(failure(ffi::SQLITE_FULL))), Code::StoreFull);
}

/// Our own statements do not help a reader of an error.
#[test]
fn an_error_names_the_cause_and_no_statement() {
    let connection = Connection::open_in_memory().unwrap();
    for fault in [Fault::Sql, Fault::Commit] {
        let error = connection.prepare("SELECT missing").unwrap_err();
        let error = fault(error).explain(Path::new("ids.db"), BUSY_TIMEOUT);
        let cause = std::error::Error::source(&error).map(ToString::to_string);
        for said in [error.to_string(), cause.unwrap_or_default()] {
            assert!(said.contains("no such column: missing"), "{said}");
            assert!(!said.contains("SELECT"), "{said}");
        }
    }
}

#[test]
fn a_lost_connection_is_replaced() {
    let (_directory, store) = store();
    let tag = Tag::new("orders").unwrap();
    store.create_tag(&tag, TagOptions::default()).unwrap();
    let broken: Result<()> = store.write(BUSY_TIMEOUT, |connection| {
        connection.execute("UPDATE snowmint_segment SET next = next + 1", ())?;
        Err(failure(ffi::SQLITE_IOERR_WRITE).into())
    });
    assert_eq!(broken.unwrap_err().code(), Code::StoreUnavailable);
    assert!(store.connection.get().unwrap().lock().unwrap().connection.is_none());
    assert_eq!(allocate_one(&store, &tag, None).unwrap().range.start(), 1);
}

#[test]
fn a_panic_leaves_no_transaction_behind() {
    let (_directory, store) = store();
    let tag = Tag::new("orders").unwrap();
    store.create_tag(&tag, TagOptions::default()).unwrap();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        store.write(BUSY_TIMEOUT, |connection| -> Result<(), Fault> {
            connection.execute("UPDATE snowmint_segment SET next = next + 1", ())?;
            panic!("in a transaction");
        })
    }));
    assert!(panicked.is_err());
    assert!(!store.path().with_extension("db-journal").exists(), "others have the file by now");
    assert_eq!(allocate_one(&store, &tag, None).unwrap().range.start(), 1);
}

/// Reading and closing a file releases this process's `fcntl` locks on it, SQLite's included.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_is_copied_in_a_transaction_stays_locked_for_other_processes() {
    const FILE: &str = "SNOWMINT_TEST_FILE";
    let name = "store::sqlite::tests::\
                a_file_that_is_copied_in_a_transaction_stays_locked_for_other_processes";
    let tag = Tag::new("orders").unwrap();
    if let Some(path) = std::env::var_os(FILE) {
        let other = SqliteStore::open(&path).map(|it| it.with_busy_timeout(Duration::ZERO));
        let refused = other.and_then(|other| allocate_one(&other, &tag, None)).unwrap_err();
        assert_eq!(refused.code(), Code::StoreLocked, "{refused}");
        // Another program would roll the change back if it took this process for dead.
        let another = Connection::open(&path).unwrap();
        another.busy_timeout(Duration::ZERO).unwrap();
        let next = another.query_row("SELECT next FROM snowmint_segment", (), |row| row.get(0));
        let refused: rusqlite::Error = next.map(|next: i64| panic!("{next}")).unwrap_err();
        assert_eq!(refused.sqlite_error_code(), Some(ffi::ErrorCode::DatabaseBusy), "{refused}");
        return;
    }
    let (_directory, store) = store();
    store.create_tag(&tag, TagOptions::default()).unwrap();
    store
        .write(BUSY_TIMEOUT, |connection| {
            connection.execute("UPDATE snowmint_segment SET next = 1001", ())?;
            drop(fs::read(&store.path).unwrap());
            let mut other = Command::new(std::env::current_exe().unwrap());
            let run = other.args(["--exact", name]).env(FILE, &store.path).output().unwrap();
            let said = [run.stdout, run.stderr].concat();
            assert!(run.status.success(), "{}", String::from_utf8_lossy(&said));
            Ok(())
        })
        .unwrap();
    assert_eq!(allocate_one(&store, &tag, None).unwrap().range.start(), 1001);
}

#[cfg(target_os = "linux")]
#[test]
fn stores_that_are_dropped_while_others_are_at_the_file_leave_nothing_open() {
    let (_directory, store) = store();
    let tag = Tag::new("orders").unwrap();
    store.create_tag(&tag, TagOptions::default()).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..50 {
                    let other = SqliteStore::open(&store.path).unwrap();
                    allocate_one(&other, &tag, None).unwrap();
                }
            });
        }
    });
    let links = fs::read_dir("/proc/self/fd").unwrap();
    let files = links.filter_map(|link| fs::read_link(link.unwrap().path()).ok());
    let open = files.filter(|file| *file == store.path).count();
    assert_eq!(open, 2, "the connection's, and the lock's");
}

/// To finish, the change needs a lock that a waiting call must not hold.
#[cfg(target_os = "linux")]
#[test]
fn a_change_of_another_program_ends_whoever_waits_for_it() {
    let (_directory, store) = store();
    let lock = Lock::open(store.path()).unwrap().unwrap();
    let other = Connection::open(store.path()).unwrap();
    other.busy_timeout(Duration::ZERO).unwrap();
    other.execute_batch("BEGIN IMMEDIATE; UPDATE snowmint_segment SET next = next").unwrap();
    let (tries, is_over) = (AtomicU32::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                drop(lock.take());
                tries.fetch_add(1, Ordering::Relaxed);
            }
        });
        while tries.load(Ordering::Relaxed) < 2 {
            std::thread::yield_now();
        }
        let ended = other.execute_batch("COMMIT");
        is_over.store(true, Ordering::Relaxed);
        ended.unwrap();
    });
}
