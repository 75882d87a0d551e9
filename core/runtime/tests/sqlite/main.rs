//! Failures of an SQLite file: each has its code, and changes nothing.
#![cfg(feature = "sqlite")]
#![allow(clippy::unwrap_used)] // helpers of tests are tests

use std::fmt::Debug;
use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use rusqlite::Connection;
use snowmint::{
    AllocationRequest, Call, Code, LeaseRequest, Random as _, Result, SegmentAdmin, SegmentStore,
    SqliteStore, System, Tag, TagOptions, WorkerAdmin, WorkerStore, allocate_one,
};

#[allow(dead_code, reason = "of more tests than these")]
#[path = "../asking/mod.rs"]
mod asking;
#[cfg(unix)]
mod closed;
mod creation;
mod doctoring;
mod migrations;
mod moves;
mod places;
mod schemas;

struct Place {
    directory: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        Place { directory: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> PathBuf {
        self.directory.path().join("ids.db")
    }

    /// A store with the tag `orders`, of which 10 numbers are taken.
    fn store(&self) -> SqliteStore {
        let store = SqliteStore::create(self.path()).unwrap();
        store.create_tag(&orders(), TagOptions::default()).unwrap();
        assert_eq!(next_ten(&store).unwrap(), 1);
        store
    }

    fn url(&self) -> String {
        format!("sqlite:{}", self.path().display())
    }

    fn connection(&self) -> Connection {
        Connection::open(self.path()).unwrap()
    }
}

fn orders() -> Tag {
    Tag::new("orders").unwrap()
}

fn next_ten(store: &SqliteStore) -> Result<u64> {
    Ok(allocate_one(store, &orders(), Some(10))?.range.start())
}

/// An attempt of its own.
fn call() -> Call {
    Call::new(Duration::from_secs(60), System.token().unwrap())
}

fn request(realm: &str) -> LeaseRequest {
    changed(LeaseRequest::new(realm, "host/1"), |it| it.max_worker_id = 1023)
}

/// The same but for a part.
fn changed<T>(mut it: T, change: impl FnOnce(&mut T)) -> T {
    change(&mut it);
    it
}

/// The call was refused with that code, in words that name the file.
#[track_caller]
fn refused<T: Debug>(result: Result<T>, code: Code) -> String {
    let error = result.expect_err("this should have been refused");
    assert_eq!(error.code(), code, "{error}");
    assert!(error.to_string().contains("ids.db"), "{error}");
    error.to_string()
}

#[test]
fn stores_of_one_file_are_one_store() {
    let place = Place::new();
    let first = place.store();
    let second = SqliteStore::create(place.path()).unwrap();
    assert_eq!(next_ten(&second).unwrap(), 11);
    drop(first);
    assert_eq!(next_ten(&second).unwrap(), 21);
    drop(second);
    assert_eq!(next_ten(&SqliteStore::open(place.path()).unwrap()).unwrap(), 31);
}

#[test]
fn a_locked_database_is_waited_for_only_so_long() {
    let place = Place::new();
    let store = place.store().with_busy_timeout(Duration::from_millis(20));
    let other = place.connection();
    // If our own locks replace SQLite's, a reader takes the file as a writer does.
    let by_own_locks = cfg!(all(target_os = "linux", target_pointer_width = "64"));
    for (lock, blocks_readers) in [("IMMEDIATE", by_own_locks), ("EXCLUSIVE", true)] {
        other.execute_batch(&format!("BEGIN {lock}")).unwrap();
        let message = refused(next_ten(&store), Code::StoreLocked);
        assert!(message.contains("20 ms"), "{message}");
        refused(store.acquire(&request("a"), &call()), Code::StoreLocked);
        refused(
            store.create_tag(&Tag::new("new").unwrap(), TagOptions::default()),
            Code::StoreLocked,
        );
        if blocks_readers {
            refused(store.tags(), Code::StoreLocked);
        } else {
            assert_eq!(store.tags().unwrap().len(), 1);
        }
        other.execute_batch("ROLLBACK").unwrap();
    }
    // A reader lets nobody commit.
    other.execute_batch("BEGIN; SELECT * FROM snowmint_segment").unwrap();
    refused(next_ten(&store), Code::StoreLocked);
    other.execute_batch("COMMIT").unwrap();
    assert_eq!(next_ten(&store).unwrap(), 11);
    assert_eq!((store.tags().unwrap().len(), store.workers().unwrap().len()), (1, 0));
}

/// As a source opens it, and its scheduler asks: within the bound of a store's call.
#[test]
fn a_locked_database_holds_no_source_up() {
    let place = Place::new();
    let (asked, made) = (place.store(), SqliteStore::open(place.path()).unwrap());
    let other = place.connection();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let path = place.path();
    thread::scope(|scope| {
        let calls = [
            scope.spawn(|| refused(SqliteStore::open(&path), Code::StoreLocked)),
            scope.spawn(|| refused(asked.tag(&orders()), Code::StoreLocked)),
            scope.spawn(|| {
                let new = Tag::new("new").unwrap();
                refused(made.create_tag(&new, TagOptions::default()), Code::StoreLocked)
            }),
        ];
        for call in calls {
            let message = call.join().unwrap();
            assert!(message.contains("5000 ms"), "{message}");
        }
    });
}

/// Nor by others of this process that wait for longer.
#[test]
fn each_call_waits_for_a_lock_as_long_as_it_may() {
    let place = Place::new();
    let store = place.store().with_busy_timeout(Duration::MAX);
    let other = place.connection();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    thread::scope(|scope| {
        let patient = scope.spawn(|| store.acquire(&request("a"), &call()));
        let requests = [AllocationRequest::new(orders(), 10)];
        // Whenever the other began.
        for _ in 0..20 {
            let hasty = Call::new(Duration::from_millis(10), System.token().unwrap());
            refused(store.allocate(&requests, &hasty), Code::StoreLocked);
        }
        other.execute_batch("COMMIT").unwrap();
        patient.join().unwrap().unwrap();
    });
}

#[test]
fn a_lock_that_ends_in_time_is_not_noticed() {
    let place = Place::new();
    let store = place.store().with_busy_timeout(Duration::MAX);
    let other = place.connection();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    thread::scope(|scope| {
        let waiting = scope.spawn(|| next_ten(&store).unwrap());
        thread::sleep(Duration::from_millis(150));
        other.execute_batch("UPDATE snowmint_segment SET next = 500; COMMIT").unwrap();
        assert_eq!(waiting.join().unwrap(), 500);
    });
}

#[test]
fn a_file_that_is_no_database_is_left_alone() {
    let place = Place::new();
    let noise: Vec<u8> =
        (0..20_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for length in [1, 15, 16, 99, 100, 511, 512, 4096, 20_000] {
        fs::write(place.path(), &noise[..length]).unwrap();
        for open in [SqliteStore::create(place.path()), SqliteStore::open(place.path())] {
            refused(open, Code::StoreCorrupt);
        }
        asking::refused_to_open(&place.url(), Code::StoreCorrupt);
        assert_eq!(fs::read(place.path()).unwrap(), &noise[..length]);
    }
}

#[test]
fn a_file_cut_off_anywhere_repeats_nothing() {
    let place = Place::new();
    let store = place.store();
    // As long as this may take.
    let request = changed(request("a"), |it| it.reserve_ms = 3_600_000);
    let lease = store.acquire(&request, &call()).unwrap();
    drop(store);
    let whole = fs::read(place.path()).unwrap();
    let near_edges = (0..=whole.len()).filter(|n| n % 512 <= 1 || n % 512 == 511 || n % 97 == 0);
    for length in near_edges {
        fs::write(place.path(), &whole[..length]).unwrap();
        let opened = SqliteStore::create(place.path());
        match length {
            _ if length == whole.len() => {
                let store = opened.unwrap();
                assert_eq!(next_ten(&store).unwrap(), 11);
                let other = store.acquire(&request, &call()).unwrap();
                assert_ne!(other.worker_id, lease.worker_id);
            }
            _ => drop(refused(opened, Code::StoreCorrupt)),
        }
    }
}

#[test]
fn a_damaged_page_is_found_when_opened() {
    let place = Place::new();
    drop(place.store());
    let whole = fs::read(place.path()).unwrap();
    let page = usize::from(u16::from_be_bytes([whole[16], whole[17]]));
    for start in (page..whole.len()).step_by(page) {
        let mut damaged = whole.clone();
        damaged[start..start + page].fill(0xA5);
        fs::write(place.path(), &damaged).unwrap();
        refused(SqliteStore::create(place.path()), Code::StoreCorrupt);
    }
    fs::write(place.path(), &whole).unwrap();
    assert_eq!(next_ten(&SqliteStore::create(place.path()).unwrap()).unwrap(), 11);
}

#[test]
fn a_hand_cannot_lower_what_is_reserved() {
    let place = Place::new();
    let store = place.store();
    store.acquire(&request("a"), &call()).unwrap();
    for (edit, says) in [
        ("UPDATE snowmint_segment SET next = next - 1", "next never falls"),
        ("UPDATE snowmint_worker SET reserved_ms = reserved_ms - 1", "reserved_ms never falls"),
        ("UPDATE snowmint_segment SET next = 1e30", "cannot store REAL"),
        ("UPDATE snowmint_segment SET stride = 0", "CHECK"),
        ("UPDATE snowmint_segment SET step = 1073741825", "CHECK"),
        ("UPDATE snowmint_segment SET tag = 'a b'", "CHECK"),
        ("UPDATE snowmint_worker SET token = x'00'", "CHECK"),
        ("UPDATE snowmint_worker SET worker_id = -1", "CHECK"),
    ] {
        let error = place.connection().execute_batch(edit).unwrap_err().to_string();
        assert!(error.contains(says), "{edit}: {error}");
    }
    assert_eq!(next_ten(&store).unwrap(), 11);
}

#[test]
fn a_mode_left_by_another_tool_is_put_right() {
    let place = Place::new();
    let first = place.store();
    let set = || place.connection().query_row("PRAGMA journal_mode = WAL", (), |_| Ok(())).unwrap();
    set();
    assert_eq!(next_ten(&SqliteStore::create(place.path()).unwrap()).unwrap(), 11);
    // So it is for whoever has it open, at once or by the next call, and keeps nobody out.
    set();
    assert_eq!(next_ten(&first).unwrap(), 21);
    assert_eq!(next_ten(&SqliteStore::open(place.path()).unwrap()).unwrap(), 31);
    assert_eq!(next_ten(&first).unwrap(), 41);
    let mode = place.connection().query_row("PRAGMA journal_mode", (), |row| row.get(0));
    assert_eq!(mode, Ok("delete".to_owned()));
}

/// Much of the file is in its log alone.
#[test]
fn a_write_ahead_log_that_was_left_is_no_damage() {
    let place = Place::new();
    drop(place.store());
    let other = place.connection();
    let mode = "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0";
    other.execute_batch(mode).unwrap();
    for n in 0..2000 {
        let insert = "INSERT INTO snowmint_segment (tag, previous, next, step, stride, updated_ms) \
                      VALUES (?1, 1, 1, 1, 1, 1)";
        other.execute(insert, [format!("{n:064}")]).unwrap();
    }
    // As a crash leaves it.
    let crashed = Place::new();
    fs::copy(place.path(), crashed.path()).unwrap();
    for end in ["-wal", "-shm"] {
        let beside = |place: &Place| place.directory.path().join(format!("ids.db{end}"));
        fs::copy(beside(&place), beside(&crashed)).unwrap();
    }
    let opened = SqliteStore::open(crashed.path()).unwrap();
    assert_eq!(opened.tags().unwrap().len(), 2001);
    assert_eq!(next_ten(&opened).unwrap(), 11);
}

/// Another file's change would be taken for one of the new file's.
#[test]
fn nothing_is_begun_beside_what_another_file_left() {
    for end in ["-journal", "-wal"] {
        let place = Place::new();
        let beside = place.directory.path().join(format!("ids.db{end}"));
        fs::write(&beside, "of another").unwrap();
        let message = refused(SqliteStore::create(place.path()), Code::StoreMissing);
        assert!(message.contains(end), "{message}");
        assert!(!place.path().exists());
        fs::remove_file(&beside).unwrap();
        SqliteStore::create(place.path()).unwrap();
    }
}

#[test]
fn an_interrupted_transaction_is_undone() {
    let place = Place::new();
    drop(place.store());
    // As a crash leaves it: the file changed, and the journal that undoes it beside.
    let journal = place.directory.path().join("ids.db-journal");
    let other = place.connection();
    other.execute_batch("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN").unwrap();
    other.execute_batch("UPDATE snowmint_segment SET next = 777").unwrap();
    for n in 0..2000 {
        let insert = "INSERT INTO snowmint_segment (tag, previous, next, step, stride, updated_ms) \
                      VALUES (?1, 1, 1, 1, 1, 1)";
        other.execute(insert, [format!("{n:064}")]).unwrap();
    }
    let crashed = place.directory.path().join("crashed");
    fs::create_dir(&crashed).unwrap();
    fs::copy(place.path(), crashed.join("ids.db")).unwrap();
    fs::copy(&journal, crashed.join("ids.db-journal")).unwrap();
    let undone = SqliteStore::create(crashed.join("ids.db")).unwrap();
    assert_eq!(undone.tags().unwrap().len(), 1);
    assert_eq!(next_ten(&undone).unwrap(), 11);
}
