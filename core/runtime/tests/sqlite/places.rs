//! Tests of a file's name: it means the file that was opened, which has no other name.

use super::*;
#[cfg(unix)]
use snowmint::Mint;

#[cfg(unix)]
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
    // So with the directory above it.
    let (directory, elsewhere) =
        (place.directory.path().join("a"), place.directory.path().join("b"));
    let store = SqliteStore::create(directory.join("ids.db")).unwrap();
    fs::rename(&directory, &elsewhere).unwrap();
    refused(store.tags(), Code::StoreUnavailable);
    refused(store.acquire(&request("a"), &call()), Code::StoreUnavailable);
    fs::rename(&elsewhere, &directory).unwrap();
    store.acquire(&request("a"), &call()).unwrap();
}

/// The second file does not know the reservations of the first one, whatever it holds.
#[cfg(unix)]
#[test]
fn a_file_in_the_place_of_the_one_that_was_opened_is_not_used() {
    let place = Place::new();
    let store = place.store();
    let lease = store.acquire(&request("a"), &call()).unwrap();
    let (copy, away) = (place.directory.path().join("copy"), place.directory.path().join("away"));
    fs::copy(place.path(), &copy).unwrap();
    assert_eq!(next_ten(&store).unwrap(), 11);
    // An older copy moved over it keeps the first file for nobody; a new one is a new key space.
    fs::hard_link(place.path(), &away).unwrap();
    fs::rename(&copy, place.path()).unwrap();
    for _ in 0..2 {
        let message = refused(next_ten(&store), Code::IncarnationChanged);
        assert!(message.contains("another file"), "{message}");
        refused(store.renew(&lease, 60_000, &call()), Code::IncarnationChanged);
        refused(store.tags(), Code::IncarnationChanged);
    }
    // A store that opens the file anew takes it as it is.
    assert_eq!(next_ten(&SqliteStore::open(place.path()).unwrap()).unwrap(), 11);
    fs::remove_file(place.path()).unwrap();
    refused(next_ten(&store), Code::StoreUnavailable);
    drop(SqliteStore::create(place.path()).unwrap());
    refused(next_ten(&store), Code::IncarnationChanged);
    // The first one again.
    fs::rename(&away, place.path()).unwrap();
    assert_eq!(next_ten(&store).unwrap(), 21);
    store.renew(&lease, 60_000, &call()).unwrap();
}

#[cfg(unix)]
#[test]
fn a_deleted_file_is_not_followed_into_a_new_one() {
    let place = Place::new();
    let store = place.store();
    // Each new one may get the number of the inode before it.
    for _ in 0..3 {
        fs::remove_file(place.path()).unwrap();
        refused(next_ten(&store), Code::StoreUnavailable);
        let new = place.store();
        refused(next_ten(&store), Code::IncarnationChanged);
        drop(new);
    }
}

/// The journal that a crash leaves beside one name is not found beside the other.
#[test]
fn a_second_name_is_refused() {
    let place = Place::new();
    let store = place.store();
    let second = place.directory.path().join("second-ids.db");
    fs::hard_link(place.path(), &second).unwrap();
    for path in [place.path(), second.clone()] {
        for open in [SqliteStore::create(&path), SqliteStore::open(&path)] {
            let message = refused(open, Code::UnsafeSetting);
            assert!(message.contains("mount the directory"), "{message}");
        }
    }
    asking::refused_to_open(&place.url(), Code::UnsafeSetting);
    refused(next_ten(&store), Code::UnsafeSetting);
    refused(store.tags(), Code::UnsafeSetting);
    // Windows keeps all names of a file that SQLite has open.
    let kept = (!cfg!(windows)).then_some(store);
    fs::remove_file(&second).unwrap();
    let store = kept.unwrap_or_else(|| SqliteStore::open(place.path()).unwrap());
    assert_eq!(next_ten(&store).unwrap(), 11);
}

/// SQLite keeps its journal beside what it leads to.
#[cfg(unix)]
#[test]
fn a_symbolic_link_is_no_second_name() {
    let place = Place::new();
    drop(place.store());
    let link = place.directory.path().join("link");
    std::os::unix::fs::symlink(place.path(), &link).unwrap();
    assert_eq!(next_ten(&SqliteStore::open(&link).unwrap()).unwrap(), 11);
}

/// It was asked for with `create`: to be told to ask for it helps nobody.
#[cfg(unix)]
#[test]
fn a_link_to_nothing_is_told_as_that() {
    let place = Place::new();
    std::os::unix::fs::symlink(place.directory.path().join("gone.db"), place.path()).unwrap();
    let message = refused(SqliteStore::create(place.path()), Code::StoreMissing);
    assert!(message.contains("a link to a file that is not there"), "{message}");
    assert!(!message.contains("create=true"), "{message}");
    let message = refused(SqliteStore::open(place.path()), Code::StoreMissing);
    assert!(message.contains("create=true"), "{message}");
}

/// By its URL, too, a process is given nothing twice while it has a source of the file before.
#[cfg(unix)]
#[test]
fn a_copy_that_takes_the_files_place_repeats_nothing_of_an_open_source() {
    let place = Place::new();
    drop(place.store());
    let url = format!("segment+sqlite:{}?tag=orders&step=10", place.path().display());
    let open = || snowmint::open(&url).unwrap();
    let source = open();
    let copy = place.directory.path().join("copy");
    fs::copy(place.path(), &copy).unwrap();
    let given: Vec<_> = (0..25).map(|_| source.next_id().unwrap()).collect();
    assert_eq!(given.last(), Some(&35));
    fs::rename(&copy, place.path()).unwrap();
    assert_eq!(open().next_id().unwrap_err().code(), Code::RangeRegressed);
    let store = SqliteStore::open(place.path()).unwrap();
    store.change_tag(&orders(), snowmint::TagChange::default().next(1_000)).unwrap();
    assert_eq!(open().next_id().unwrap(), 1_000);
}

/// Each of two stores would know half of what the process had of the file.
#[test]
#[cfg(target_os = "linux")]
fn sources_that_are_opened_at_once_share_one_store() {
    for _ in 0..10 {
        let place = Place::new();
        drop(place.store());
        let url = format!("segment+sqlite:{}?tag=orders", place.path().display());
        let at_once = std::sync::Barrier::new(8);
        let open = || {
            at_once.wait();
            snowmint::open(&url).unwrap()
        };
        let sources: Vec<_> = thread::scope(|scope| {
            let openers: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
            openers.into_iter().map(|opener| opener.join().unwrap()).collect()
        });
        let path = place.path().canonicalize().unwrap();
        let open = fs::read_dir("/proc/self/fd").unwrap().flatten();
        let open = open.filter(|entry| fs::read_link(entry.path()).is_ok_and(|to| to == path));
        assert_eq!(open.count(), 2, "the connection's, and the lock's");
        drop(sources);
    }
}

/// Names cannot be taken away here from files that SQLite has open.
#[cfg(windows)]
#[test]
fn a_file_in_use_keeps_its_name() {
    let place = Place::new();
    let store = place.store();
    let [copy, away] = ["copy", "away"].map(|name| place.directory.path().join(name));
    fs::copy(place.path(), &copy).unwrap();
    fs::rename(place.path(), &away).unwrap_err();
    fs::rename(&copy, place.path()).unwrap_err();
    fs::remove_file(place.path()).unwrap_err();
    assert_eq!(next_ten(&store).unwrap(), 11);
    drop(store);
    fs::rename(&copy, place.path()).unwrap();
}
