//! Files of keys as they are made and changed: whole or not at all, for their owner alone.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use snowmint::public_ids::{self, KeyFault, PublicIdKeys, may_be_keys};
use snowmint::{Code, Error, Result};
use tempfile::NamedTempFile;

use crate::files;

/// The path of a file, and of nothing else that a command takes in its place.
pub(super) fn named(path: &Path) -> Result<&Path> {
    if is_misplaced(path) {
        return Err(public_ids::Error::from(KeyFault::Misplaced).into());
    }
    let why = match path.to_str() {
        Some("-") => "the standard streams are no file of keys",
        Some(source) if source.starts_with("env:") => "an environment variable is not written",
        _ => return Ok(path),
    };
    let name = path.display();
    let message =
        format!("{name}: {why}: name a file, as keys.toml (one that is called so is ./{name})");
    Err(Error::new(Code::InvalidParameter, message))
}

/// Whether it may be the keys themselves. A file that is to be made is judged by its own name.
fn is_misplaced(path: &Path) -> bool {
    let may_be_keys = |text: &OsStr| may_be_keys(&text.to_string_lossy());
    let has_place =
        || path.exists() || directory(path).exists() && !path.file_name().is_none_or(may_be_keys);
    may_be_keys(path.as_os_str()) && !has_place()
}

/// Makes a file where there is none.
pub(super) fn create(path: &Path, document: &str) -> Result<()> {
    let failed = |error: io::Error| {
        // Whoever made it meanwhile removed what was to become it here.
        if error.kind() == io::ErrorKind::AlreadyExists || path.exists() {
            let message = format!(
                "{}: it is there already, and its keys may be in use: name another file, or add a \
                 key by `snowmint public-ids rotate`",
                path.display()
            );
            return Error::new(Code::InvalidParameter, message);
        }
        unwritten(path, error)
    };
    let made = written(path, document).map_err(|error| unwritten(path, error))?;
    made.persist_noclobber(path).map_err(|kept| failed(kept.error))?;
    clear(path).map_err(|error| unwritten(path, error))?;
    sync_names(path).map_err(|error| unwritten(path, error))
}

/// Changes the keys of a file, and gives them as they are now. Nobody else changes it meanwhile: of
/// two keys of one symbol one would be lost, with all that it made.
pub(super) fn change(
    path: &Path,
    make: impl FnOnce(&mut PublicIdKeys) -> public_ids::Result<()>,
) -> Result<PublicIdKeys> {
    // What replaces the file has its own name, and not that of a link to it.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    // Says first whether it may be read at all.
    PublicIdKeys::from_file(path).map_err(Error::from)?;
    let held = hold(path).map_err(|error| unwritten(path, error))?;
    clear(path).map_err(|error| unwritten(path, error))?;
    let mut keys = PublicIdKeys::from_file(path).map_err(Error::from)?;
    make(&mut keys).map_err(Error::from)?;
    replace(path, &held, &keys.to_document()).map_err(|error| unwritten(path, error))?;
    Ok(keys)
}

/// Locks the file that has the name, once it still has it when it is locked.
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

/// A file that is open is not replaced here.
#[cfg(not(unix))]
fn is_named(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}

/// Puts a document in a file's place, for the same users.
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

/// How many characters tell files of one prefix apart.
const RANDOM: usize = 6;

/// How the names begin of what is to become a file.
fn prefix(path: &Path) -> OsString {
    let mut prefix = OsString::from(".snowmint-keys-");
    prefix.push(path.file_name().unwrap_or_default());
    prefix.push("-");
    prefix
}

/// Removes what a change left beside a file when it was killed: it has keys, and nobody else would.
/// Of other files, whose changes may go on, nothing is touched.
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

/// A file beside it with the document, durable and for its owner alone; removed unless it is named.
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

/// Makes the name durable as well.
#[cfg(unix)]
fn sync_names(path: &Path) -> io::Result<()> {
    File::open(directory(path))?.sync_all()
}

/// A directory cannot be synced here.
#[cfg(not(unix))]
fn sync_names(_: &Path) -> io::Result<()> {
    Ok(())
}

fn unwritten(path: &Path, error: io::Error) -> Error {
    files::unwritten(path.display(), error)
}
