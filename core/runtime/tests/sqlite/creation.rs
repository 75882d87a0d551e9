//! Tests of new files: they are made only on request, whole, and for their owner alone.

#[cfg(unix)]
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use snowmint::{Mint, SegmentAdmin, Snowflake, WorkerStore, open, open_store};

use super::*;

#[test]
fn a_key_space_begins_only_where_that_is_asked_for() {
    let place = Place::new();
    let file = place.path();
    let file = file.display();
    for url in [
        format!("snowflake+sqlite:{file}"),
        format!("snowflake+sqlite:{file}?create=false"),
        format!("segment+sqlite:{file}?tag=orders"),
        format!("daily+sqlite:{file}?tag=orders"),
    ] {
        refused(open(&url), Code::StoreMissing);
    }
    refused(open_store(&format!("sqlite:{file}")).map(drop), Code::StoreMissing);
    // A key space that is named is not begun.
    let named = format!("sqlite:{file}?key_space={:032x}", 7);
    let code = |begun: Result<()>| begun.unwrap_err().code();
    assert_eq!(code(open_store(&format!("{named}&create=true")).map(drop)), Code::InvalidParameter);
    assert_eq!(code(snowmint::migrate(&named).map(drop)), Code::StoreMissing);
    assert!(!place.path().exists());
    for url in [
        format!("snowflake+sqlite:{file}?create=yes"),
        format!("snowflake+sqlite:{file}?create=true&creates=true"),
    ] {
        open(&url).unwrap_err();
        assert!(!place.path().exists(), "{url}");
    }
    open_store(&format!("sqlite:{file}?create=true")).unwrap();
    for url in [
        format!("snowflake+sqlite:{file}"),
        format!("snowflake+sqlite:{file}?create=true"),
        format!("daily+sqlite:{file}?tag=orders"),
    ] {
        open(&url).unwrap().close().unwrap();
    }
    // A segment finds its tag, unless it is asked to create it.
    let segment = format!("segment+sqlite:{file}?tag=orders");
    assert_eq!(open(&segment).unwrap_err().code(), Code::UnknownTag);
    assert_eq!(open(&format!("{segment}&create=true")).unwrap().next_id().unwrap(), 1);
    assert!(open(&format!("{segment}&create=true")).unwrap().next_id().unwrap() > 1);
}

/// Two files begun by mistake for one seldom lease the same worker IDs.
#[test]
fn two_files_lease_worker_ids_of_their_own() {
    let drawn = || {
        let place = Place::new();
        let store: Arc<dyn WorkerStore> = Arc::new(SqliteStore::create(place.path()).unwrap());
        let flakes = [(); 4].map(|()| Snowflake::builder().lease_from(Arc::clone(&store)).open());
        flakes.map(|flake| {
            let flake = flake.unwrap();
            flake.layout().decode(flake.next_id().unwrap()).unwrap().worker_id
        })
    };
    // By chance a worker ID is in both once in 64 times, and two are once in 8,000.
    let (first, second) = (drawn(), drawn());
    assert!(first.iter().filter(|id| second.contains(id)).count() < 2, "{first:?} {second:?}");
}

/// Two containers on one volume, both process 1. Where no namespaces can be had, two processes.
#[test]
fn two_first_starts_make_one_file_and_both_use_it() {
    const ROUNDS: u32 = 25;
    let isolated = Command::new("unshare").args(["-Urpf", "true"]).status();
    let isolated = isolated.is_ok_and(|status| status.success());
    for round in 0..ROUNDS {
        let place = Place::new();
        let starters = [(); 2].map(|()| first_start(&place, isolated));
        fs::write(place.directory.path().join("go"), "").unwrap();
        let outputs = starters.map(|starter| starter.wait_with_output().unwrap());
        let mut said = outputs.map(|output| {
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            let numbers = said.lines().find_map(|line| line.strip_prefix("first start: "));
            numbers.unwrap_or_else(|| panic!("round {round}: {output:?}")).to_owned()
        });
        said.sort_unstable();
        let leased: Vec<_> = said.iter().map(|said| said.split_once(' ').unwrap()).collect();
        assert_eq!([leased[0].0, leased[1].0], ["1", "11"], "one file's numbers");
        assert_ne!(leased[0].1, leased[1].1, "one file's worker IDs");
        let names = fs::read_dir(place.directory.path()).unwrap().count();
        assert_eq!(names, 4, "go, the two that were ready, and the database");
    }
}

fn first_start(place: &Place, isolated: bool) -> Child {
    let program = std::env::current_exe().unwrap();
    let mut command = if isolated {
        let mut command = Command::new("unshare");
        command.arg("-Urpf").arg(program);
        command
    } else {
        Command::new(program)
    };
    command.args(["--exact", "creation::as_a_first_start", "--ignored", "--nocapture"]);
    command.env("SNOWMINT_TEST_DIRECTORY", place.directory.path());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let before = fs::read_dir(place.directory.path()).unwrap().count();
    let child = command.spawn().unwrap();
    until("it is ready", || fs::read_dir(place.directory.path()).unwrap().count() > before);
    child
}

#[test]
#[ignore = "two_first_starts_make_one_file_and_both_use_it runs it, twice at once"]
fn as_a_first_start() {
    let Some(place) = place_of_this_process() else { return };
    let ready = tempfile::Builder::new().prefix("ready").tempfile_in(&place).unwrap();
    ready.keep().unwrap();
    until("both are ready", || place.join("go").exists());
    let store = SqliteStore::create(place.join("ids.db")).unwrap();
    let _ = store.create_tag(&orders(), TagOptions::default());
    let start = next_ten(&store).unwrap();
    let worker_id = store.acquire(&request("a"), &call()).unwrap().worker_id;
    println!("\nfirst start: {start} {worker_id}");
}

/// Returns the place of a process that another test runs, or `None` in a run of all ignored tests.
fn place_of_this_process() -> Option<PathBuf> {
    std::env::var_os("SNOWMINT_TEST_DIRECTORY").map(PathBuf::from)
}

/// Waits for what another process does, for as long as a busy machine needs.
fn until(what: &str, is_so: impl Fn() -> bool) {
    let begun = std::time::Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_new_file_is_its_owners_alone_and_stands_alone() {
    let place = Place::new();
    let path = place.directory.path().join("a/b/ids.db");
    let store = SqliteStore::create(&path).unwrap();
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
    assert_eq!(next_ten(&SqliteStore::open(place.path()).unwrap()).unwrap(), 11);
}

#[test]
fn many_may_open_a_new_file_at_once() {
    let place = Place::new();
    let path = place.directory.path().join("new/ids.db");
    let mut starts: Vec<u64> = thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    let store = SqliteStore::create(&path).unwrap();
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
fn links_planted_beside_a_new_file_are_not_followed() {
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
    for open in [SqliteStore::create(place.path()), SqliteStore::open(place.path())] {
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
    for path in [place.path(), place.directory.path().join("missing/ids.db")] {
        let message = refused(SqliteStore::open(&path), Code::StoreMissing);
        assert!(message.contains("create=true") && message.contains("repeats"), "{message}");
        assert!(!path.exists());
    }
    refused(SqliteStore::create("ids.db\0"), Code::InvalidParameter);
    for path in ["", place.directory.path().to_str().unwrap(), "/"] {
        for open in [SqliteStore::create(path), SqliteStore::open(path)] {
            assert_eq!(open.unwrap_err().code(), Code::InvalidParameter);
        }
    }
    // A file where a directory should be.
    fs::write(place.path(), "").unwrap();
    refused(SqliteStore::create(place.path().join("ids.db")), Code::StoreUnavailable);
}

#[test]
fn names_special_to_sqlite_are_plain_names() {
    // Windows has no such names.
    #[cfg(unix)]
    for name in [":memory:", "file:ids.db?mode=memory"] {
        let place = Place::new();
        let path = place.directory.path().join(name);
        drop(SqliteStore::create(&path).unwrap());
        assert!(path.is_file(), "{path:?}");
    }
    // By itself it asks for what SQLite has under that name, and is no file for anybody.
    let by_itself = SqliteStore::create(":memory:").unwrap_err();
    assert_eq!(by_itself.code(), Code::InvalidParameter);
    assert!(by_itself.to_string().contains("a MemoryStore"), "{by_itself}");
    assert!(!Path::new(":memory:").exists());
    let url = SqliteStore::create("sqlite:ids.db?create=true").unwrap_err();
    assert_eq!(url.code(), Code::InvalidParameter);
    assert!(!Path::new("sqlite:ids.db?create=true").exists());
}

/// The modes of files bind root no more than it wants, so this test runs itself once more as
/// somebody else.
#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_written_is_read_only() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;

    const NOBODY: u32 = 65_534;
    let place = Place::new();
    let mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    for name in ["file", "directory", "secret", "empty"] {
        let directory = place.directory.path().join(name);
        fs::create_dir(&directory).unwrap();
        if name != "empty" {
            let store = SqliteStore::create(directory.join("ids.db")).unwrap();
            store.create_tag(&orders(), TagOptions::default()).unwrap();
        }
    }
    // The test program may lie where only its owner can reach it.
    let program = place.directory.path().join("again");
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    mode(&program, 0o755);
    mode(&place.directory.path().join("file/ids.db"), 0o444);
    mode(&place.directory.path().join("file"), 0o777);
    // This mode binds the file's own user as well, so the test holds for every user.
    mode(&place.directory.path().join("secret/ids.db"), 0o200);
    mode(&place.directory.path().join("secret"), 0o777);
    mode(&place.directory.path().join("directory/ids.db"), 0o666);
    mode(&place.directory.path().join("directory"), 0o555);
    mode(&place.directory.path().join("empty"), 0o555);
    mode(place.directory.path(), 0o755);

    let mut again = Command::new(&program);
    again.args(["--exact", "creation::as_somebody_else", "--ignored", "--nocapture"]);
    again.env("SNOWMINT_TEST_DIRECTORY", place.directory.path()).current_dir("/");
    if fs::metadata(&program).unwrap().uid() == 0 {
        again.uid(NOBODY).gid(NOBODY);
    }
    let output = loop {
        match again.output() {
            // A process that another test has just forked still has the copy open.
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => {}
            ended => break ended.unwrap(),
        }
    };
    mode(&place.directory.path().join("directory"), 0o755);
    mode(&place.directory.path().join("empty"), 0o755);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{output:?}");
}

#[cfg(unix)]
#[test]
#[ignore = "a_file_that_may_not_be_written_is_read_only runs it, as a user whom file modes bind"]
fn as_somebody_else() {
    let Some(place) = place_of_this_process() else { return };
    refused(SqliteStore::create(place.join("empty/ids.db")), Code::StoreReadOnly);
    refused(SqliteStore::create(place.join("empty/new/ids.db")), Code::StoreReadOnly);
    // As `doctor` has it.
    let message = refused(SqliteStore::open(place.join("secret/ids.db")), Code::StoreReadOnly);
    for says in ["is user ", "'s, mode 200, and this is user ", "may not read it", "allow"] {
        assert!(message.contains(says), "no {says:?} in {message:?}");
    }
    // Such a database can be read, for what it is worth.
    for path in ["file/ids.db", "directory/ids.db", "file/ids.db"] {
        let store = SqliteStore::create(place.join(path)).unwrap();
        let message = refused(next_ten(&store), Code::StoreReadOnly);
        assert!(message.contains("write"), "{message}");
        refused(store.acquire(&request("a"), &call()), Code::StoreReadOnly);
        refused(store.change_tag(&orders(), snowmint::TagChange::default()), Code::StoreReadOnly);
        assert_eq!(store.tag(&orders()).unwrap().unwrap().next, 1);
        assert!(store.workers().unwrap().is_empty());
    }
}
