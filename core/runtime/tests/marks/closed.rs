//! Descriptors that something else in the process closed, as daemons do, and used for files of its own.

use snowmint::Mint;
use std::collections::HashSet;
use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::MetadataExt as _;
use std::thread;

use super::deeds::mint_to_the_end;
use super::unix::is_alone;
use super::*;

const CONTENT: &[u8] = b"an application's";

/// Files of an application, which have whatever numbers are free.
struct Application {
    directory: tempfile::TempDir,
    files: Vec<File>,
}

impl Application {
    fn new(count: usize) -> Application {
        let directory = tempfile::tempdir().unwrap();
        let file = |index: usize| {
            let mut file = File::create(directory.path().join(index.to_string())).unwrap();
            file.write_all(CONTENT).unwrap();
            file
        };
        let files = (0..count).map(file).collect();
        Application { directory, files }
    }

    /// Every file is open under its number, and nobody wrote to it.
    fn check(&self) {
        for (index, file) in self.files.iter().enumerate() {
            let path = self.directory.path().join(index.to_string());
            assert_eq!(fs::read(&path).unwrap(), CONTENT);
            assert_eq!(file.metadata().unwrap().ino(), fs::metadata(path).unwrap().ino());
        }
    }
}

fn close_all() {
    for number in 3..1000 {
        // SAFETY: what is closed here is what the test is about.
        unsafe { libc::close(number) };
    }
}

#[test]
fn l1_a_mark_is_not_written_to_what_has_the_number_of_its_file() {
    if !is_alone("closed::l1_a_mark_is_not_written_to_what_has_the_number_of_its_file") {
        return;
    }
    // Without files of the application the second source has the number.
    for count in [40, 0] {
        let place = tempfile::tempdir().unwrap();
        let open = || builder(place.path()).wait(PATIENCE).open();
        let first = open().unwrap();
        let hasty = first.with_wait(Duration::from_millis(100));
        let mut ids = first.next_ids(10).unwrap();
        close_all();
        let application = Application::new(count);
        // Nobody has the lock now.
        let second = open().unwrap();
        ids.extend(second.next_ids(10).unwrap());
        let (last, error) = mint_to_the_end(&hasty);
        ids.push(last);
        assert_eq!(error.code(), Code::WorkerInUse, "{error}");
        ids.extend(second.next_ids(10).unwrap());
        drop(second);
        // It goes on once it has the lock again, above what the other gave.
        let begun = Instant::now();
        while hasty.next_id().is_err() {
            assert!(begun.elapsed() < PATIENCE, "it never went on");
            thread::sleep(Duration::from_millis(10));
        }
        let highest = *ids.iter().max().unwrap();
        let next = first.next_id().unwrap();
        assert!(next > highest, "{next} after {highest}");
        assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len());
        first.close().unwrap();
        application.check();
    }
}
