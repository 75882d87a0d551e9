//! Files of keys. They are written whole or not at all, and only their owner can read them.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use snowmint::public_ids::{self, KeyFault, PublicIdKeys, may_be_keys};
use snowmint::{Error, Result};
use snowmint_server::files;
use tempfile::NamedTempFile;

use crate::errors;

/// Returns the path, or an error for a key, a standard stream or a variable given in its place.
pub(super) fn named(path: &Path) -> Result<&Path> {
    if is_misplaced(path) {
        return Err(public_ids::Error::from(KeyFault::Misplaced).into());
    }
    match path.to_str() {
        Some("-") => Err(errors::key_file_is_stream(path.display())),
        Some(source) if source.starts_with("env:") => {
            Err(errors::key_file_is_variable(path.display()))
        }
        _ => Ok(path),
    }
}

/// Returns true if the path may be a key itself. For a file that does not exist yet, the file's
/// name decides.
fn is_misplaced(path: &Path) -> bool {
    let may_be_keys = |text: &OsStr| may_be_keys(&text.to_string_lossy());
    let has_place =
        || path.exists() || directory(path).exists() && !path.file_name().is_none_or(may_be_keys);
    may_be_keys(path.as_os_str()) && !has_place()
}

/// Creates a file that does not exist yet.
pub(super) fn create(path: &Path, document: &str) -> Result<()> {
    let failed = |error: io::Error| {
        // Another process that created the file may have removed our temporary one.
        if error.kind() == io::ErrorKind::AlreadyExists || path.exists() {
            return errors::key_file_exists(path);
        }
        unwritten(path, error)
    };
    let made = written(path, document).map_err(|error| unwritten(path, error))?;
    made.persist_noclobber(path).map_err(|kept| failed(kept.error))?;
    clear(path).map_err(|error| unwritten(path, error))?;
    sync_names(path).map_err(|error| unwritten(path, error))
}

/// Changes the keys of a file under a lock, and returns the new keys. Without the lock, two
/// processes could add a key with the same symbol, and one of the keys would be lost.
pub(super) fn change(
    path: &Path,
    make: impl FnOnce(&mut PublicIdKeys) -> public_ids::Result<()>,
) -> Result<PublicIdKeys> {
    // Resolves a link first, so that the link stays.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    // Checks first that the file can be read at all.
    PublicIdKeys::from_file(path).map_err(Error::from)?;
    let held = hold(path).map_err(|error| unwritten(path, error))?;
    clear(path).map_err(|error| unwritten(path, error))?;
    let mut keys = PublicIdKeys::from_file(path).map_err(Error::from)?;
    make(&mut keys).map_err(Error::from)?;
    replace(path, &held, &keys.to_document()).map_err(|error| unwritten(path, error))?;
    Ok(keys)
}

/// Locks the file at a path. Repeats if the file was replaced before the lock was taken.
fn hold(path: &Path) -> io::Result<File> {
    loop {
        let file = File::open(path)?;
        file.lock()?;
        if is_named(&file, path)? {
            return Ok(file);
        }
    }
}

#[cfg(unix)]
fn is_named(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;

    let (open, named) = (file.metadata()?, fs::metadata(path)?);
    Ok((open.dev(), open.ino()) == (named.dev(), named.ino()))
}

/// Other systems do not replace a file that is open.
#[cfg(not(unix))]
fn is_named(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}

/// Replaces a file, and keeps its owner and permissions.
fn replace(path: &Path, old: &File, document: &str) -> io::Result<()> {
    let new = written(path, document)?;
    let found = old.metadata()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};

        let made = new.as_file().metadata()?;
        if (made.uid(), made.gid()) != (found.uid(), found.gid()) {
            fchown(new.as_file(), Some(found.uid()), Some(found.gid()))?;
        }
    }
    new.as_file().set_permissions(found.permissions())?;
    new.persist(path).map_err(|kept| kept.error)?;
    sync_names(path)
}

/// The random characters in the name of a temporary file.
const RANDOM: usize = 6;

/// Returns the prefix of the names of temporary files.
fn prefix(path: &Path) -> OsString {
    let mut prefix = OsString::from(".snowmint-keys-");
    prefix.push(path.file_name().unwrap_or_default());
    prefix.push("-");
    prefix
}

/// Removes temporary files of a change that was killed, because they hold keys. Leaves those of
/// other files alone, whose changes may still run.
fn clear(path: &Path) -> io::Result<()> {
    let prefix = prefix(path);
    for entry in fs::read_dir(directory(path))? {
        let entry = entry?;
        let name = entry.file_name();
        let rest = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes());
        let is_left =
            rest.is_some_and(|it| it.len() == RANDOM && it.iter().all(u8::is_ascii_alphanumeric));
        if is_left && entry.file_type()?.is_file() {
            match fs::remove_file(entry.path()) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
    }
    Ok(())
}

/// Writes a durable temporary file for its owner alone, which is removed unless it is renamed.
fn written(path: &Path, document: &str) -> io::Result<NamedTempFile> {
    let prefix = prefix(path);
    let mut named = tempfile::Builder::new();
    let mut file = named.prefix(&prefix).rand_bytes(RANDOM).tempfile_in(directory(path))?;
    file.write_all(document.as_bytes())?;
    file.as_file().sync_all()?;
    Ok(file)
}

fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Makes the file's name durable too.
#[cfg(unix)]
fn sync_names(path: &Path) -> io::Result<()> {
    File::open(directory(path))?.sync_all()
}

/// Other systems cannot sync a directory.
#[cfg(not(unix))]
fn sync_names(_: &Path) -> io::Result<()> {
    Ok(())
}

fn unwritten(path: &Path, error: io::Error) -> Error {
    files::unwritten(path.display(), error)
}
