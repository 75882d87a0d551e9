//! Edits the file of tokens, one change at a time. Each change is applied whole or not at all, and
//! leaves the rest of the file as it was.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use snowmint::Result;
use tempfile::{Builder, NamedTempFile};
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, Value, value};

use super::file::{Entry, NONE_LEFT, parse, text};
use super::secret::is_one;
use crate::errors;

/// Adds a token.
///
/// # Errors
/// [`Code::InvalidParameter`](snowmint::Code::InvalidParameter) if the name or token exists; an
/// error of the file.
pub fn add(path: &Path, entry: &Entry) -> Result<()> {
    change(path, |document| {
        let tables = tables(document, path)?;
        if tables.iter().any(|table| is_of(table, &entry.name)) {
            return Err(errors::tokens::token_name_taken(&entry.name));
        }
        tables.push(table(entry));
        Ok(())
    })
}

/// Removes a token.
///
/// # Errors
/// [`Code::InvalidParameter`](snowmint::Code::InvalidParameter) if no token has this name; an error
/// of the file.
pub fn remove(path: &Path, name: &str) -> Result<()> {
    change(path, |document| {
        let tables = tables(document, path)?;
        let before = tables.len();
        tables.retain(|table| !is_of(table, name));
        if tables.len() == before {
            let name = Some(name).filter(|name| !is_one(name));
            return Err(errors::tokens::token_missing(path, name));
        }
        Ok(())
    })
}

fn is_of(table: &Table, name: &str) -> bool {
    table.get("name").and_then(Item::as_str) == Some(name)
}

fn tables<'a>(document: &'a mut DocumentMut, path: &Path) -> Result<&'a mut ArrayOfTables> {
    let tables = document.entry("token").or_insert_with(|| ArrayOfTables::new().into());
    tables.as_array_of_tables_mut().ok_or_else(|| errors::tokens::file_without_sections(path))
}

fn table(entry: &Entry) -> Table {
    let mut table = Table::new();
    table.insert("name", value(entry.name.as_str()));
    table.insert("sha256", value(entry.sha256.to_string()));
    table.insert("sources", value(entry.sources.iter().collect::<Value>()));
    if !entry.public_ids.is_empty() {
        table.insert("public_ids", value(entry.public_ids.iter().collect::<Value>()));
    }
    let numbers = [("max_count", entry.max_count), ("rate", entry.rate), ("burst", entry.burst)];
    for (key, number) in numbers {
        if let Some(number) = number {
            table.insert(key, value(i64::from(number)));
        }
    }
    for (key, may) in [("leases", entry.leases), ("reads", entry.reads)] {
        if may {
            table.insert(key, value(true));
        }
    }
    table
}

/// Edits the file, or creates it, under a lock.
fn change(path: &Path, change: impl FnOnce(&mut DocumentMut) -> Result<()>) -> Result<()> {
    // Resolves a link first, so that the link stays.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let failed = |error| errors::tokens::file_unwritten(path, error);
    let _held = lock(path).map_err(failed)?;
    let is_there = path.try_exists().map_err(failed)?;
    let mut before = if is_there { text(path)? } else { String::new() };
    if before.trim() == NONE_LEFT {
        before.clear();
    }
    // Checked first, because this check names the line of an error.
    parse(&before, path)?;
    let mut document: DocumentMut =
        before.parse().map_err(|error| errors::tokens::file_unchangeable(path, error))?;
    change(&mut document)?;
    let mut after = document.to_string();
    if after.trim().is_empty() {
        after = format!("{NONE_LEFT}\n");
    }
    parse(&after, path)?;
    replace(path, &after, is_there).map_err(failed)
}

/// Takes a lock on a separate file that is never removed. If it were, two processes could hold the
/// lock at once.
fn lock(path: &Path) -> io::Result<File> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".lock");
    let file = OpenOptions::new().create(true).append(true).open(path.with_file_name(name))?;
    file.lock()?;
    Ok(file)
}

/// Replaces the file in a way that survives a crash.
fn replace(path: &Path, text: &str, is_there: bool) -> io::Result<()> {
    let directory = directory(path);
    let mut file = Builder::new().prefix(".tokens-").tempfile_in(&directory)?;
    if is_there {
        take_after(&file, path)?;
    }
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    sync(&directory)
}

fn directory(path: &Path) -> PathBuf {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new(".")).to_owned()
}

/// Copies owner and permissions of the old file, because the service may run as that user.
#[cfg(unix)]
fn take_after(file: &NamedTempFile, before: &Path) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let (before, own) = (fs::metadata(before)?, file.as_file().metadata()?);
    if (before.uid(), before.gid()) != (own.uid(), own.gid()) {
        fchown(file.as_file(), Some(before.uid()), Some(before.gid()))?;
    }
    file.as_file().set_permissions(before.permissions())
}

#[cfg(not(unix))]
fn take_after(_file: &NamedTempFile, _before: &Path) -> io::Result<()> {
    Ok(())
}

/// Flushes the directory, so that the file's name survives a crash too.
#[cfg(unix)]
fn sync(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}

#[cfg(not(unix))]
fn sync(_directory: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::thread;

    use snowmint::Code;

    use super::super::file::read;
    use super::super::secret::Digest;
    use super::*;

    fn entry(name: &str) -> Entry {
        Entry {
            name: name.to_owned(),
            sha256: Digest::new(name.as_bytes()).unwrap(),
            sources: BTreeSet::from(["orders".to_owned()]),
            max_count: Some(5),
            rate: Some(6),
            burst: None,
            leases: true,
            reads: false,
            public_ids: BTreeSet::from(["order".to_owned()]),
        }
    }

    fn names(path: &Path) -> Vec<String> {
        read(path).unwrap().into_iter().map(|entry| entry.name).collect()
    }

    #[test]
    fn an_added_token_is_read_and_all_else_stays() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("tokens.toml");
        add(&path, &entry("a")).unwrap();
        let text = format!("# Ours.\n{}", fs::read_to_string(&path).unwrap());
        fs::write(&path, &text).unwrap();
        add(&path, &entry("b")).unwrap();
        let all = read(&path).unwrap();
        let [_, added] = &all[..] else { panic!("{all:?}") };
        assert_eq!((added.max_count, added.rate, added.burst), (Some(5), Some(6), None));
        assert!(added.leases && !added.reads && added.sources.contains("orders"));
        assert!(added.public_ids.contains("order"));
        assert!(added.sha256.is(&Digest::new(b"b").unwrap()));
        for wrong in [add(&path, &entry("b")), remove(&path, "c")] {
            assert_eq!(wrong.unwrap_err().code(), Code::InvalidParameter);
        }
        assert_eq!(names(&path), ["a", "b"]);
        remove(&path, "b").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }

    #[test]
    fn tokens_that_are_added_at_once_are_all_kept() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("tokens.toml");
        thread::scope(|scope| {
            for number in 0..16 {
                let path = &path;
                scope.spawn(move || add(path, &entry(&format!("t{number}"))).unwrap());
            }
        });
        assert_eq!(names(&path).len(), 16);
        // Only the file and its lock are left.
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn rights_and_links_stay() {
        use std::fs::{Permissions, set_permissions};
        use std::os::unix::fs::{PermissionsExt, symlink};
        let directory = tempfile::tempdir().unwrap();
        let (path, link) = (directory.path().join("tokens.toml"), directory.path().join("link"));
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        add(&path, &entry("a")).unwrap();
        assert_eq!(mode(&path), 0o600);
        set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        add(&link, &entry("b")).unwrap();
        assert!(link.is_symlink());
        assert_eq!((names(&path).len(), mode(&path)), (2, 0o640));
    }
}
