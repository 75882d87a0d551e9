//! Creation of files in a directory that another process also writes to.
#![allow(clippy::unwrap_used)] // helpers outside of tests also unwrap

use std::os::unix::fs::{MetadataExt, symlink};
use std::path::PathBuf;

use super::*;

fn names(directory: &Path) -> Vec<PathBuf> {
    fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// Creates a file and returns the only name in the directory while it was being made.
fn name_while_made(path: &Path) -> PathBuf {
    let mut seen = Vec::new();
    create_whole(path, |file| {
        seen = names(path.parent().unwrap());
        file.write_all(b"whole")
    })
    .unwrap();
    assert_eq!(names(path.parent().unwrap()), [path]);
    assert_eq!(seen.len(), 1);
    seen.remove(0)
}

#[test]
fn nobody_can_foresee_the_name_under_which_a_file_is_made() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a/b/file");
    let first = name_while_made(&path);
    let made = fs::metadata(&path).unwrap();
    assert_eq!((made.mode() & 0o777, made.nlink(), made.len()), (0o600, 1, 5));
    fs::remove_file(&path).unwrap();
    let second = name_while_made(&path);
    assert_ne!(first, second, "one process and thread, two names");
    for name in [first, second] {
        let random = name.to_str().unwrap().rsplit('-').next().unwrap();
        assert_eq!(random.len(), 32, "128 bits: {random}");
        u128::from_str_radix(random, 16).unwrap();
    }
}

#[test]
fn a_file_put_in_place_of_the_one_being_made_gets_no_name() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    let theirs = directory.path().join("theirs");
    type Plant = fn(&Path, &Path) -> io::Result<()>;
    let plants: [Plant; 4] = [
        |unnamed, theirs| fs::remove_file(unnamed).and_then(|()| symlink(theirs, unnamed)),
        |unnamed, theirs| fs::rename(theirs, unnamed),
        |unnamed, theirs| fs::hard_link(unnamed, theirs.with_extension("second")),
        |unnamed, _| {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(unnamed, fs::Permissions::from_mode(0o666))
        },
    ];
    for plant in plants {
        fs::write(&theirs, "theirs").unwrap();
        let error = create_whole(&path, |file| {
            let planted = [theirs.clone(), theirs.with_extension("second")];
            let unnamed = names(directory.path()).into_iter().find(|name| !planted.contains(name));
            file.write_all(b"whole")?;
            plant(&unnamed.unwrap(), &theirs)
        });
        assert_eq!(error.map_err(|error| error.kind()), Err(io::ErrorKind::PermissionDenied));
        assert!(!path.exists());
    }
    assert_eq!(fs::read(&theirs).unwrap(), b"theirs");
}

#[test]
fn a_file_that_is_there_stays_as_it_is() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    // Another process creates the file between the check and the naming.
    create_whole(&path, |_| fs::write(&path, "first")).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"first");
    symlink(directory.path().join("nowhere"), directory.path().join("link")).unwrap();
    create_whole(&directory.path().join("link"), |file| file.write_all(b"whole")).unwrap();
    assert_eq!(names(directory.path()).len(), 2, "no litter, and nothing where the link leads");
}
