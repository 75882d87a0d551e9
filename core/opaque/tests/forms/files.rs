//! Keys in files and in the environment.

use std::fs;

use snowmint_engine::Code;
use snowmint_opaque::{Error, KeyFault, PublicIdKeys, check_source};

const KEY: &str = "2b7e151628aed2a6abf7158809cf4f3c";
const DOCUMENT: &str = "[keys]\n1 = '2b7e151628aed2a6abf7158809cf4f3c'\n";

#[test]
fn a_file_that_is_not_there_is_said_to_be_so() {
    let directory = tempfile::tempdir().unwrap();
    for path in [directory.path().join("none.toml"), directory.path().to_owned()] {
        let error = PublicIdKeys::from_file(&path).unwrap_err();
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
        match PublicIdKeys::from_file(&path) {
            Ok(keys) => assert_eq!(mode & others, 0, "{mode:o}: {keys:?}"),
            Err(error) => {
                assert_ne!(mode & others, 0, "{mode:o}: {error}");
                assert_eq!(error.code(), Code::KeysExposed);
                assert!(error.to_string().contains(&format!("(mode {mode:04o})")), "{error}");
            }
        }
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    fs::write(&path, DOCUMENT.repeat(2000)).unwrap();
    let error = PublicIdKeys::from_file(&path).unwrap_err();
    let Error::Within { error: inner, .. } = &error else { panic!("{error}") };
    assert!(matches!(**inner, Error::Keys(KeyFault::Document { line: None })), "{error}");
}

#[cfg(unix)]
#[test]
fn a_pipe_is_no_file_and_is_not_waited_for() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("pipe");
    let made = std::process::Command::new("mkfifo").args(["-m", "600"]).arg(&path).status();
    assert!(made.unwrap().success());
    for path in [path, directory.path().to_owned()] {
        let error = PublicIdKeys::from_file(&path).unwrap_err();
        assert!(matches!(error, Error::Keys(KeyFault::Unreadable { .. })), "{error}");
        assert!(error.to_string().contains("it is no regular file"), "{error}");
    }
}

#[test]
fn a_variable_that_is_not_there_is_said_to_be_so() {
    let error = PublicIdKeys::from_env("SNOWMINT_PUBLIC_ID_NOT_SET").unwrap_err();
    assert!(
        matches!(&error, Error::Keys(KeyFault::NoVariable { name }) if name.ends_with("NOT_SET"))
    );
    assert_eq!(error.code(), Code::InvalidKeys);
}

#[test]
fn keys_in_the_place_of_their_source_are_not_repeated() {
    let json = format!("{{\"keys\":{{\"1\":\"{KEY}\"}}}}");
    let base64 = "K34VFiiu0qar9xWICc9PPA".to_owned();
    let long = format!("{DOCUMENT}# {}\n", "#".repeat(10_000));
    let nul = format!("{KEY}\0");
    for keys in [DOCUMENT.to_owned(), json, KEY.to_owned(), KEY.to_uppercase(), base64, long, nul] {
        for source in [keys.clone(), format!("env:{keys}"), format!("./{keys}")] {
            let asked = [
                PublicIdKeys::open(&source).err(),
                PublicIdKeys::from_file(&source).err(),
                PublicIdKeys::from_env(&source).err(),
                check_source(&source).err(),
            ];
            for error in asked.map(Option::unwrap) {
                assert!(matches!(error, Error::Keys(KeyFault::Misplaced)), "{error:?}");
                assert_eq!(error.code(), Code::InvalidKeys);
                let said = format!("{error} {error:?}");
                assert!(
                    said.contains("given as its bytes") && said.contains("SNOWMINT_PUBLIC_ID_KEYS")
                );
                assert!(!said.to_lowercase().contains(&KEY[..6]) && !said.contains("K34V"));
            }
        }
    }
    check_source("keys.toml").unwrap();
    check_source("env:SHOP_KEYS").unwrap();
}

#[test]
fn a_file_may_be_called_like_a_key() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(KEY);
    fs::write(&path, "current = 1\n").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;

        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    }
    let source = path.to_str().unwrap();
    check_source(source).unwrap();
    let error = PublicIdKeys::open(source).unwrap_err().to_string();
    assert!(error.starts_with(&format!("{source}: the keys cannot be read: line 1")), "{error}");
}

#[test]
fn an_error_in_a_document_names_its_file_or_variable() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("keys.toml");
    let cases = [
        ("realm = 'a b'\n", Code::InvalidParameter),
        ("current = '3'\n", Code::InvalidKeys),
        ("more = 3\n", Code::InvalidKeys),
    ];
    for (line, code) in cases {
        fs::write(&path, format!("{line}{DOCUMENT}")).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;

            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        }
        let error = PublicIdKeys::from_file(&path).unwrap_err();
        assert_eq!(error.code(), code, "{error}");
        assert!(error.to_string().starts_with(&format!("{}: ", path.display())), "{error}");
    }
    // One that is there wherever this runs, and has no keys.
    let error = PublicIdKeys::from_env("PATH").unwrap_err().to_string();
    assert!(error.starts_with("the environment variable PATH: the keys cannot"), "{error}");
}
