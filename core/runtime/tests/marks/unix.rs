//! State files and what only Unix has: users, modes, links, pipes, limits.

use snowmint::Mint;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

use super::*;

/// Set in a process that runs one test alone.
const ALONE: &str = "SNOWMINT_TEST_ALONE";

/// Returns true if this process runs only the test. Otherwise, runs it in a process of its own.
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

#[test]
fn a_state_file_that_cannot_be_made_is_not_called_missing() {
    let refused = refusal(builder(Path::new("/proc/nowhere")));
    assert_eq!(refused.code(), Code::StoreUnavailable, "{refused}");
    assert!(refused.to_string().contains("No such file or directory"), "{refused}");
}

/// Puts something at the place of a state file, given it and a good one under another name.
type Plant = fn(&Path, &Path);

#[test]
fn a_file_that_only_looks_like_state_is_refused_and_left_alone() {
    let plants: [(&str, Plant); 5] = [
        ("symbolic link", |file, other| symlink(other, file).unwrap()),
        ("symbolic link", |file, other| symlink(other.with_extension("none"), file).unwrap()),
        ("no regular file", |file, _| {
            assert!(Command::new("mkfifo").arg(file).status().unwrap().success());
        }),
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

/// Limits the size of the files that this process writes.
fn limit_files(bytes: libc::rlim_t) {
    let limit = libc::rlimit { rlim_cur: bytes, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: a write past the limit is an error then, and no signal.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    // SAFETY: the limit lives until the call returns.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_FSIZE, &raw const limit) }, 0);
}

#[test]
fn l1_a_relative_state_directory_stays_where_it_is() {
    if !is_alone("unix::l1_a_relative_state_directory_stays_where_it_is") {
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
