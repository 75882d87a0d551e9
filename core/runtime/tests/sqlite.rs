//! What can happen to an SQLite file: each failure has its code, and changes nothing.
#![cfg(feature = "sqlite")]
#![allow(clippy::unwrap_used)] // helpers of tests are tests

use std::fmt::Debug;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use rusqlite::Connection;
use snowmint::{
    Call, Code, LeaseRequest, Random as _, Result, SegmentAdmin, SegmentStore, SqliteStore, System,
    Tag, TagChange, TagOptions, WorkerAdmin, WorkerStore, allocate_one,
};

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
        let store = SqliteStore::open(self.path()).unwrap();
        store.create_tag(&orders(), TagOptions::default()).unwrap();
        assert_eq!(next_ten(&store).unwrap(), 1);
        store
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
    LeaseRequest {
        realm: realm.to_owned(),
        max_worker_id: 1023,
        owner: "host/1".to_owned(),
        slab_ms: 60_000,
        max_ahead_ms: 0,
        avoid: None,
    }
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
fn a_new_file_is_its_owners_alone_and_stands_alone() {
    let place = Place::new();
    let path = place.directory.path().join("a/b/ids.db");
    let store = SqliteStore::open(&path).unwrap();
    store.create_tag(&orders(), TagOptions::default()).unwrap();
    assert_eq!(store.path(), path);
    #[cfg(unix)]
    for (path, mode) in [(path.as_path(), 0o600), (path.parent().unwrap(), 0o700)] {
        let permissions = fs::metadata(path).unwrap().permissions();
        assert_eq!(std::os::unix::fs::PermissionsExt::mode(&permissions) & 0o777, mode);
    }
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "no second file");
    // A copy of that one file has everything.
    assert_eq!(next_ten(&store).unwrap(), 1);
    fs::copy(&path, place.path()).unwrap();
    assert_eq!(next_ten(&SqliteStore::open_existing(place.path()).unwrap()).unwrap(), 11);
}

#[test]
fn stores_of_one_file_are_one_store() {
    let place = Place::new();
    let first = place.store();
    let second = SqliteStore::open(place.path()).unwrap();
    assert_eq!(next_ten(&second).unwrap(), 11);
    drop(first);
    assert_eq!(next_ten(&second).unwrap(), 21);
    drop(second);
    assert_eq!(next_ten(&SqliteStore::open_existing(place.path()).unwrap()).unwrap(), 31);
}

#[test]
fn many_may_open_a_new_file_at_once() {
    let place = Place::new();
    let path = place.directory.path().join("new/ids.db");
    let mut starts: Vec<u64> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    let store = SqliteStore::open(&path).unwrap();
                    let _ = store.create_tag(&orders(), TagOptions::default());
                    next_ten(&store).unwrap()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    starts.sort_unstable();
    assert_eq!(starts, [1, 11, 21, 31, 41, 51, 61, 71]);
}

/// Names made of the process and the thread could be planted by any user who may write here.
#[cfg(unix)]
#[test]
fn what_others_planted_beside_a_new_file_is_not_touched() {
    let place = Place::new();
    let theirs = place.directory.path().join("theirs");
    fs::write(&theirs, "theirs").unwrap();
    for thread in 1..=200 {
        let name = format!("ids.db.new-{}-{thread}", std::process::id());
        std::os::unix::fs::symlink(&theirs, place.directory.path().join(name)).unwrap();
    }
    place.store();
    assert_eq!(fs::read(&theirs).unwrap(), b"theirs");
    assert!(fs::symlink_metadata(place.path()).unwrap().is_file());
}

#[test]
fn an_emptied_file_is_damage_and_no_beginning() {
    let place = Place::new();
    fs::write(place.path(), "").unwrap();
    for open in [SqliteStore::open(place.path()), SqliteStore::open_existing(place.path())] {
        assert_eq!(open.unwrap_err().code(), Code::StoreCorrupt);
    }
    assert_eq!(fs::read(place.path()).unwrap(), b"");
    fs::remove_file(place.path()).unwrap();
    place.store();
    let names: Vec<_> = fs::read_dir(place.directory.path()).unwrap().collect();
    assert_eq!(names.len(), 1, "{names:?}");
}

#[test]
fn paths_that_name_no_file() {
    let place = Place::new();
    let message = refused(SqliteStore::open_existing(place.path()), Code::StoreUnavailable);
    assert!(message.contains("create it"), "{message}");
    assert!(!place.path().exists());
    refused(SqliteStore::open("ids.db\0"), Code::StoreUnavailable);
    for path in ["", place.directory.path().to_str().unwrap(), "/"] {
        for open in [SqliteStore::open(path), SqliteStore::open_existing(path)] {
            assert_eq!(open.unwrap_err().code(), Code::StoreUnavailable);
        }
    }
    // A file where a directory should be.
    fs::write(place.path(), "").unwrap();
    refused(SqliteStore::open(place.path().join("ids.db")), Code::StoreUnavailable);
}

#[test]
fn names_special_to_sqlite_are_plain_names() {
    let place = Place::new();
    for name in [":memory:", "file:ids.db?mode=memory"] {
        let path = place.directory.path().join(name);
        drop(SqliteStore::open(&path).unwrap());
        assert!(path.is_file(), "{path:?}");
    }
}

#[test]
fn a_locked_database_is_waited_for_only_so_long() {
    let place = Place::new();
    let store = place.store().with_busy_timeout(Duration::from_millis(20));
    let other = place.connection();
    for (lock, blocks_readers) in [("IMMEDIATE", false), ("EXCLUSIVE", true)] {
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

#[test]
fn a_lock_that_ends_in_time_is_not_noticed() {
    let place = Place::new();
    let store = place.store().with_busy_timeout(Duration::MAX);
    let other = place.connection();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| next_ten(&store).unwrap());
        std::thread::sleep(Duration::from_millis(150));
        other.execute_batch("UPDATE snowmint_segment SET next = 500; COMMIT").unwrap();
        assert_eq!(waiting.join().unwrap(), 500);
    });
}

#[test]
fn what_is_no_database_is_left_alone() {
    let place = Place::new();
    let noise: Vec<u8> =
        (0..20_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for length in [1, 15, 16, 99, 100, 511, 512, 4096, 20_000] {
        fs::write(place.path(), &noise[..length]).unwrap();
        for open in [SqliteStore::open(place.path()), SqliteStore::open_existing(place.path())] {
            refused(open, Code::StoreCorrupt);
        }
        assert_eq!(fs::read(place.path()).unwrap(), &noise[..length]);
    }
}

#[test]
fn a_file_cut_off_anywhere_repeats_nothing() {
    let place = Place::new();
    let store = place.store();
    let lease = store.acquire(&request("a"), &call()).unwrap();
    drop(store);
    let whole = fs::read(place.path()).unwrap();
    let near_edges = (0..=whole.len()).filter(|n| n % 512 <= 1 || n % 512 == 511 || n % 97 == 0);
    for length in near_edges {
        fs::write(place.path(), &whole[..length]).unwrap();
        let opened = SqliteStore::open(place.path());
        match length {
            _ if length == whole.len() => {
                let store = opened.unwrap();
                assert_eq!(next_ten(&store).unwrap(), 11);
                assert_eq!(
                    store.acquire(&request("a"), &call()).unwrap().worker_id,
                    lease.worker_id + 1
                );
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
        refused(SqliteStore::open(place.path()), Code::StoreCorrupt);
    }
    fs::write(place.path(), &whole).unwrap();
    assert_eq!(next_ten(&SqliteStore::open(place.path()).unwrap()).unwrap(), 11);
}

#[test]
fn other_schemas_are_left_alone() {
    for (change, says) in [
        ("PRAGMA user_version = 2", "version 2"),
        ("PRAGMA user_version = 0", "version 0"),
        ("PRAGMA application_id = 7", "0x7"),
        ("PRAGMA application_id = 0", "0x0"),
        ("ALTER TABLE snowmint_segment RENAME COLUMN step TO width", "width"),
        ("ALTER TABLE snowmint_worker DROP COLUMN owner", "owner"),
        ("ALTER TABLE snowmint_worker ADD COLUMN more TEXT", "more"),
        ("DROP TABLE snowmint_worker", "snowmint_worker"),
        ("DROP TRIGGER snowmint_segment_rises", "snowmint_segment_rises"),
        ("DROP TRIGGER snowmint_worker_rises", "snowmint_worker_rises"),
    ] {
        let place = Place::new();
        drop(place.store());
        place.connection().execute_batch(change).unwrap();
        let before = fs::read(place.path()).unwrap();
        for open in [SqliteStore::open(place.path()), SqliteStore::open_existing(place.path())] {
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
    let message = refused(SqliteStore::open(place.path()), Code::StoreSchema);
    assert!(message.contains("file of its own"), "{message}");
}

#[test]
fn a_table_lost_while_open_is_noticed() {
    let place = Place::new();
    let store = place.store();
    place.connection().execute_batch("ALTER TABLE snowmint_segment RENAME TO mine").unwrap();
    refused(next_ten(&store), Code::StoreSchema);
    place.connection().execute_batch("ALTER TABLE mine RENAME TO snowmint_segment").unwrap();
    assert_eq!(next_ten(&store).unwrap(), 11);
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
fn a_file_moved_away_is_not_written_and_not_begun_anew() {
    let place = Place::new();
    let store = place.store();
    let away = place.directory.path().join("away.db");
    fs::rename(place.path(), &away).unwrap();
    refused(next_ten(&store), Code::StoreUnavailable);
    refused(next_ten(&store), Code::StoreUnavailable);
    assert!(!place.path().exists());
    fs::rename(&away, place.path()).unwrap();
    assert_eq!(next_ten(&store).unwrap(), 11);
    // Another database in its place is used for what it is.
    fs::remove_file(place.path()).unwrap();
    drop(SqliteStore::open(place.path()).unwrap());
    refused(next_ten(&store), Code::StoreUnavailable);
    assert_eq!(next_ten(&store).unwrap_err().code(), Code::UnknownTag);
}

#[test]
fn a_mode_left_by_another_tool_is_put_right() {
    let place = Place::new();
    drop(place.store());
    place.connection().query_row("PRAGMA journal_mode = WAL", (), |_| Ok(())).unwrap();
    assert_eq!(next_ten(&SqliteStore::open(place.path()).unwrap()).unwrap(), 11);
    let mode = place.connection().query_row("PRAGMA journal_mode", (), |row| row.get(0));
    assert_eq!(mode, Ok("delete".to_owned()));
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
        let insert = "INSERT INTO snowmint_segment VALUES (?1, 1, 1, 1, 1, 1, 0)";
        other.execute(insert, [format!("{n:064}")]).unwrap();
    }
    let crashed = place.directory.path().join("crashed");
    fs::create_dir(&crashed).unwrap();
    fs::copy(place.path(), crashed.join("ids.db")).unwrap();
    fs::copy(&journal, crashed.join("ids.db-journal")).unwrap();
    let undone = SqliteStore::open(crashed.join("ids.db")).unwrap();
    assert_eq!(undone.tags().unwrap().len(), 1);
    assert_eq!(next_ten(&undone).unwrap(), 11);
}

/// The modes of files bind root no more than it wants, so this test runs itself once more as
/// somebody else.
#[cfg(unix)]
#[test]
fn what_may_not_be_written_is_read_only() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;

    const NOBODY: u32 = 65_534;
    let place = Place::new();
    let mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    for name in ["file", "directory", "empty"] {
        let directory = place.directory.path().join(name);
        fs::create_dir(&directory).unwrap();
        if name != "empty" {
            let store = SqliteStore::open(directory.join("ids.db")).unwrap();
            store.create_tag(&orders(), TagOptions::default()).unwrap();
        }
    }
    // The test program may lie where only its owner can reach it.
    let program = place.directory.path().join("again");
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    mode(&program, 0o755);
    mode(&place.directory.path().join("file/ids.db"), 0o444);
    mode(&place.directory.path().join("file"), 0o777);
    mode(&place.directory.path().join("directory/ids.db"), 0o666);
    mode(&place.directory.path().join("directory"), 0o555);
    mode(&place.directory.path().join("empty"), 0o555);
    mode(place.directory.path(), 0o755);

    let mut again = Command::new(&program);
    again.args(["--exact", "as_somebody_else", "--ignored", "--nocapture"]);
    again.env("SNOWMINT_TEST_DIRECTORY", place.directory.path()).current_dir("/");
    if fs::metadata(&program).unwrap().uid() == 0 {
        again.uid(NOBODY).gid(NOBODY);
    }
    let output = again.output().unwrap();
    mode(&place.directory.path().join("directory"), 0o755);
    mode(&place.directory.path().join("empty"), 0o755);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{output:?}");
}

#[cfg(unix)]
#[test]
#[ignore = "what_may_not_be_written_is_read_only runs it, as a user whom file modes bind"]
fn as_somebody_else() {
    let place = PathBuf::from(std::env::var_os("SNOWMINT_TEST_DIRECTORY").unwrap());
    let message = refused(SqliteStore::open(place.join("file/ids.db")), Code::StoreReadOnly);
    assert!(message.contains("write"), "{message}");
    refused(SqliteStore::open(place.join("empty/ids.db")), Code::StoreReadOnly);
    refused(SqliteStore::open(place.join("empty/new/ids.db")), Code::StoreReadOnly);
    // Such a database can be read, for what it is worth.
    let store = SqliteStore::open(place.join("directory/ids.db")).unwrap();
    for _ in 0..2 {
        refused(next_ten(&store), Code::StoreReadOnly);
        refused(store.acquire(&request("a"), &call()), Code::StoreReadOnly);
        refused(store.change_tag(&orders(), TagChange::default()), Code::StoreReadOnly);
        assert_eq!(store.tag(&orders()).unwrap().unwrap().next, 1);
    }
}
