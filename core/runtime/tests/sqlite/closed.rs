//! Descriptors that something else in the process closed, as daemons do, and used for files of its own.

use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::MetadataExt as _;
use std::process::Command;

use super::*;

/// Set in a process that runs one test alone.
const ALONE: &str = "SNOWMINT_TEST_ALONE";
const CONTENT: &[u8] = b"an application's";

#[test]
fn l1_nothing_is_written_to_what_has_the_numbers_of_a_database() {
    let test = "closed::l1_nothing_is_written_to_what_has_the_numbers_of_a_database";
    if std::env::var_os(ALONE).is_none() {
        let mut alone = Command::new(std::env::current_exe().unwrap());
        alone.args(["--exact", test]).env(ALONE, "1");
        // A connection without its files is never freed, because that would close others' files.
        alone.env("ASAN_OPTIONS", "detect_leaks=0");
        let run = alone.output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
        return;
    }
    let (place, applications) = (Place::new(), tempfile::tempdir().unwrap());
    let store = place.store();
    let path = |index: i32| applications.path().join(index.to_string());
    let mut files: Vec<File> = Vec::new();
    for (round, expected) in [11, 21].into_iter().enumerate() {
        for number in 3..1000 {
            // SAFETY: what is closed here is what the test is about, but for the files of its own.
            unsafe { libc::close(number) };
        }
        // The earlier ones have no numbers any more.
        files.drain(..).for_each(std::mem::forget);
        for index in 0..40 {
            let mut file = File::create(path(index)).unwrap();
            // One that is empty passes for a database that is.
            if round == 0 {
                file.write_all(CONTENT).unwrap();
            }
            files.push(file);
        }
        assert_eq!(next_ten(&store).unwrap(), expected);
        let other = SqliteStore::open(place.path()).unwrap();
        assert_eq!(store.tag(&orders()).unwrap(), other.tag(&orders()).unwrap());
        let written = if round == 0 { CONTENT } else { b"" };
        for (index, file) in (0..).zip(&files) {
            assert_eq!(fs::read(path(index)).unwrap(), written);
            let named = fs::metadata(path(index)).unwrap();
            assert_eq!(file.metadata().unwrap().ino(), named.ino());
        }
    }
    drop(store);
    files.iter().for_each(|file| assert!(file.metadata().unwrap().is_file()));
}
