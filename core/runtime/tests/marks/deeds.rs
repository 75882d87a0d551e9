//! Tests of state files whose names are taken away or given to other files.

use super::*;
use snowmint::Mint;

/// Mints until a call fails; the last ID, and the failure.
pub(super) fn mint_to_the_end(flake: &Snowflake) -> (u64, snowmint::Error) {
    let (begun, mut last) = (Instant::now(), 0);
    loop {
        match flake.next_id() {
            Ok(id) => last = id,
            Err(error) => return (last, error),
        }
        assert!(begun.elapsed() < PATIENCE, "it never stopped");
        thread::sleep(Duration::from_millis(1));
    }
}

/// A change to a state file in use, given its path and that of an earlier copy. It returns the new
/// path of the file that the generator has open, if there is one.
type Deed = fn(&Path, &Path) -> Option<PathBuf>;

#[test]
fn l2_a_source_that_lost_its_state_file_stops_at_its_reservation() {
    let deeds: &[Deed] = &[
        // Elsewhere what is removed may keep its name while it is open.
        #[cfg(unix)]
        |file, _| {
            fs::remove_file(file).unwrap();
            None
        },
        |file, _| {
            let moved = file.with_extension("moved");
            fs::rename(file, &moved).unwrap();
            Some(moved)
        },
        // Elsewhere a directory stays where it is while anything in it is open.
        #[cfg(unix)]
        |file, _| {
            let directory = file.parent().unwrap();
            let moved = directory.with_extension("moved");
            fs::rename(directory, &moved).unwrap();
            Some(moved.join(file.file_name().unwrap()))
        },
        |file, copy| {
            fs::rename(copy, file).unwrap();
            None
        },
    ];
    for deed in deeds {
        let place = tempfile::tempdir().unwrap();
        let (directory, copy) = (place.path().join("state"), place.path().join("copy"));
        let file = state_file(&directory);
        open(&directory).close().unwrap();
        // Before it is locked: on Windows nobody else can read it then.
        fs::copy(&file, &copy).unwrap();
        let flake = builder(&directory).wait(Duration::from_millis(100)).open().unwrap();
        flake.next_id().unwrap();
        let kept = deed(&file, &copy);
        let (last, error) = mint_to_the_end(&flake);
        assert_eq!(error.code(), Code::StateMissing, "{error}");
        assert!(error.to_string().contains("removed, moved or replaced"), "{error}");
        let kept = kept.inspect(|kept| assert!(unix_ms(last) < mark_of(kept)));
        // It stays lost, even where the file comes back: somebody may have used it meanwhile.
        let _ = fs::create_dir(&directory);
        kept.map_or_else(|| fs::write(&file, [0; 4160]), |kept| fs::rename(kept, &file)).unwrap();
        thread::sleep(Duration::from_millis(600));
        assert_eq!(flake.next_id().unwrap_err().code(), Code::StateMissing);
        assert!(open(&directory).next_id().unwrap() > last);
        flake.close().unwrap();
    }
}

#[test]
fn l1_a_start_without_the_file_of_one_that_still_runs_is_above_it() {
    let directory = tempfile::tempdir().unwrap();
    let first = builder(directory.path()).wait(Duration::from_millis(100)).open().unwrap();
    run_ahead(&first);
    let file = state_file(directory.path());
    fs::rename(&file, file.with_extension("moved")).unwrap();
    let second = thread::scope(|scope| {
        let second = scope.spawn(|| open(directory.path()));
        // All that it still gives, as far ahead as it can.
        let (begun, mut last) = (Instant::now(), 0);
        let error = loop {
            match first.next_ids(100) {
                Ok(ids) => last = *ids.last().unwrap(),
                Err(error) if error.code() == Code::StateMissing => break error,
                Err(_) => {}
            }
            assert!(begun.elapsed() < PATIENCE, "it never stopped");
        };
        assert!(error.to_string().contains("removed, moved or replaced"), "{error}");
        let second = second.join().unwrap();
        let next = second.next_id().unwrap();
        assert!(next > last, "{next} after {last}");
        second
    });
    second.close().unwrap();
}

#[test]
fn a_directory_in_the_place_of_a_state_file_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(state_file(directory.path())).unwrap();
    let error = refusal(builder(directory.path()));
    assert_eq!(error.code(), Code::UnsafeSetting, "{error}");
    assert!(error.to_string().contains("no regular file"), "{error}");
}
