//! What becomes of state files where names can be taken away, and given to others.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;
use std::thread;

use super::*;

/// Set in a process that runs one test alone.
const ALONE: &str = "SNOWMINT_TEST_ALONE";

/// Whether this process runs the test alone: otherwise one that does has run it.
pub(super) fn is_alone(test: &str) -> bool {
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    let mut alone = Command::new(std::env::current_exe().unwrap());
    let run = alone.args(["--exact", test]).env(ALONE, "1").output().unwrap();
    let said = [run.stdout, run.stderr].map(|it| String::from_utf8_lossy(&it).into_owned());
    assert!(run.status.success(), "{}", said.join("\n"));
    false
}

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

#[test]
fn a_state_file_that_cannot_be_made_is_not_called_missing() {
    let refused = refusal(builder(Path::new("/proc/nowhere")));
    assert_eq!(refused.code(), Code::StoreUnavailable, "{refused}");
    assert!(refused.to_string().contains("No such file or directory"), "{refused}");
}

/// What somebody does to a state file in use, given it and a copy made before; the file that the
/// generator has open is somewhere else then, if anywhere.
type Deed = fn(&Path, &Path) -> Option<PathBuf>;

#[test]
fn l2_whoever_lost_its_state_file_stops_at_what_the_file_had_reserved() {
    let deeds: [Deed; 4] = [
        |file, _| {
            fs::remove_file(file).unwrap();
            None
        },
        |file, _| {
            let moved = file.with_extension("moved");
            fs::rename(file, &moved).unwrap();
            Some(moved)
        },
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
        let flake = builder(&directory).wait(Duration::from_millis(100)).open().unwrap();
        flake.next_id().unwrap();
        let file = state_file(&directory);
        fs::copy(&file, &copy).unwrap();
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
    fs::remove_file(state_file(directory.path())).unwrap();
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

/// Puts something at the place of a state file, given it and a good one under another name.
type Plant = fn(&Path, &Path);

#[test]
fn what_only_looks_like_a_state_file_is_refused_and_left_alone() {
    let plants: [(&str, Plant); 6] = [
        ("symbolic link", |file, other| symlink(other, file).unwrap()),
        ("symbolic link", |file, other| symlink(other.with_extension("none"), file).unwrap()),
        ("no regular file", |file, _| {
            assert!(Command::new("mkfifo").arg(file).status().unwrap().success());
        }),
        ("no regular file", |file, _| fs::create_dir(file).unwrap()),
        ("2 names", |file, other| fs::hard_link(other, file).unwrap()),
        ("chmod o-w", |file, other| {
            fs::copy(other, file).unwrap();
            fs::set_permissions(file, fs::Permissions::from_mode(0o602)).unwrap();
        }),
    ];
    for (reason, plant) in plants {
        let place = tempfile::tempdir().unwrap();
        open(place.path()).close().unwrap();
        let (file, other) = (state_file(place.path()), place.path().join("other"));
        fs::rename(&file, &other).unwrap();
        let before = fs::read(&other).unwrap();
        plant(&file, &other);
        let error = refusal(builder(place.path()));
        assert_eq!(error.code(), Code::UnsafeSetting, "{reason}: {error}");
        assert!(error.to_string().contains(reason), "{error}");
        assert_eq!(fs::read(&other).unwrap(), before);
        assert!(!other.with_extension("none").exists());
    }
}

#[test]
fn a_state_file_of_another_user_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    open(directory.path()).close().unwrap();
    let file = state_file(directory.path());
    if std::os::unix::fs::chown(&file, Some(12_345), None).is_err() {
        return; // only root may give a file away
    }
    let error = refusal(builder(directory.path()));
    assert_eq!(error.code(), Code::UnsafeSetting);
    assert!(error.to_string().contains("belongs to user 12345"), "{error}");
}

#[test]
fn a_group_may_write_a_state_file_as_on_volumes_of_a_cluster() {
    let directory = tempfile::tempdir().unwrap();
    open(directory.path()).close().unwrap();
    let file = state_file(directory.path());
    fs::set_permissions(file, fs::Permissions::from_mode(0o660)).unwrap();
    open(directory.path()).next_id().unwrap();
}

/// How many bytes of a file this process may write.
fn limit_files(bytes: libc::rlim_t) {
    let limit = libc::rlimit { rlim_cur: bytes, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: a write past the limit is an error then, and no signal.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    // SAFETY: the limit lives until the call returns.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_FSIZE, &raw const limit) }, 0);
}

#[test]
fn l1_a_relative_state_directory_stays_where_it_is() {
    if !is_alone("deeds::l1_a_relative_state_directory_stays_where_it_is") {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let [first, second] = ["first", "second"].map(|name| place.path().join(name));
    [&first, &second].into_iter().for_each(|directory| fs::create_dir(directory).unwrap());
    std::env::set_current_dir(&first).unwrap();
    let flake = builder(Path::new("state")).wait(PATIENCE).open().unwrap();
    let mut last = flake.next_id().unwrap();
    std::env::set_current_dir(&second).unwrap();
    let file = state_file(&first.join("state"));
    // No write is possible until IDs cease to come; then the file is opened anew.
    limit_files(0);
    let hasty = flake.with_wait(Duration::ZERO);
    let begun = Instant::now();
    loop {
        match hasty.next_id().map_err(|error| error.code()) {
            Ok(id) => last = id,
            Err(Code::SequenceExhausted) => thread::sleep(Duration::from_millis(1)),
            Err(code) => break assert_eq!(code, Code::LeaseUnavailable),
        }
        assert!(begun.elapsed() < PATIENCE);
    }
    limit_files(libc::RLIM_INFINITY);
    let next = flake.next_id().unwrap();
    assert!(next > last && unix_ms(next) < mark_of(&file));
    assert_eq!(fs::read_dir(&second).unwrap().count(), 0, "no second state file");
}
