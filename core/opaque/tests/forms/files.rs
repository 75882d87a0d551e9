//! Keys in files and in the environment.

use std::fs;

use snowmint_engine::Code;
use snowmint_opaque::{Error, KeyFault, Opaque};

const DOCUMENT: &str = "[keys]\n1 = '2b7e151628aed2a6abf7158809cf4f3c'\n";

#[test]
fn a_file_that_is_not_there_is_said_to_be_so() {
    let directory = tempfile::tempdir().unwrap();
    for path in [directory.path().join("none.toml"), directory.path().to_owned()] {
        let error = Opaque::from_file(&path).unwrap_err();
        assert!(matches!(
            error,
            Error::Keys(KeyFault::Unreadable { .. } | KeyFault::Exposed { .. })
        ));
        assert!(error.to_string().starts_with(&path.display().to_string()), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn a_file_is_its_owners_alone() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("keys.toml");
    fs::write(&path, DOCUMENT).unwrap();
    for mode in [0o600, 0o400, 0o640, 0o440, 0o604, 0o644, 0o602, 0o620, 0o660, 0o611, 0o777] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        // A group may read root's, whoever asks.
        let others = if fs::metadata(&path).unwrap().uid() == 0 { 0o037 } else { 0o077 };
        match Opaque::from_file(&path) {
            Ok(opaque) => assert_eq!(mode & others, 0, "{mode:o}: {opaque:?}"),
            Err(error) => {
                assert_ne!(mode & others, 0, "{mode:o}: {error}");
                assert_eq!(error.code(), Code::KeysExposed);
                assert!(error.to_string().contains(&format!("(mode {mode:04o})")), "{error}");
            }
        }
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    fs::write(&path, DOCUMENT.repeat(2000)).unwrap();
    let error = Opaque::from_file(&path).unwrap_err();
    assert!(matches!(error, Error::Keys(KeyFault::Document { line: None })), "{error}");
}

#[cfg(unix)]
#[test]
fn a_pipe_is_no_file_and_is_not_waited_for() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("pipe");
    let made = std::process::Command::new("mkfifo").args(["-m", "600"]).arg(&path).status();
    assert!(made.unwrap().success());
    for path in [path, directory.path().to_owned()] {
        let error = Opaque::from_file(&path).unwrap_err();
        assert!(matches!(error, Error::Keys(KeyFault::Unreadable { .. })), "{error}");
        assert!(error.to_string().contains("it is no regular file"), "{error}");
    }
}

#[test]
fn a_variable_that_is_not_there_is_said_to_be_so() {
    let error = Opaque::from_env("SNOWMINT_OPAQUE_NOT_SET").unwrap_err();
    assert!(
        matches!(&error, Error::Keys(KeyFault::NoVariable { name }) if name.ends_with("NOT_SET"))
    );
    assert_eq!(error.code(), Code::InvalidKeys);
}
