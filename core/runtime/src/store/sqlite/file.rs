//! The database file: its path, its settings, its schema, and transactions.

use std::fs;
use std::io::Write;
use std::iter;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;
#[cfg(unix)]
use std::time::SystemTime;

use percent_encoding::{NON_ALPHANUMERIC, percent_encode};
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};

use super::errors;
use super::fault::Fault;
use crate::error::Result;
use crate::host::files::create_whole;
use crate::host::identity::FileId;
use crate::store::{Incarnation, parameters};

/// The mark "snow" in the file's header, by which `file` and this crate recognize the database.
const APPLICATION_ID: i32 = i32::from_be_bytes(*b"snow");
/// The schema's version, in the file's header. A later version has to upgrade earlier ones where
/// [`create`] finds a file, and to show the upgrade in [`script`].
const SCHEMA: i32 = 1;

/// The number of tries of SQLite itself to get a lock, 1 ms apart, so that readers can finish
/// before a commit. The number is small, because a fork waits for it.
pub(super) const TRIES: i32 = 20;

/// The longest value or row that is read, and the longest schema statement, in bytes. It is more
/// than any of ours has, and short enough to display.
const LENGTH_MAX: i32 = 65_000;

/// The offset of the read version in a file's header (<https://sqlite.org/fileformat.html>), and
/// the version of a file with a write-ahead log.
pub(super) const READ_VERSION_AT: u64 = 19;
pub(super) const WRITE_AHEAD: u8 = 2;

/// Returns the absolute path, so that neither a change of directory nor a name that is special to
/// SQLite (`:memory:`, `file:…`, empty) leads to another database.
pub(super) fn absolute(path: &Path) -> Result<PathBuf> {
    if path.as_os_str().is_empty() {
        return Err(errors::path_empty());
    }
    if path.as_os_str() == ":memory:" {
        return Err(errors::path_of_memory());
    }
    if path.as_os_str().as_encoded_bytes().starts_with(b"sqlite:") {
        return Err(errors::path_is_url(path));
    }
    if path.as_os_str().as_encoded_bytes().contains(&0) {
        return Err(errors::path_with_nul(path));
    }
    let absolute =
        std::path::absolute(path).map_err(|error| errors::path_not_absolute(path, error))?;
    if absolute.is_dir() {
        return Err(errors::path_of_directory(&absolute));
    }
    Ok(absolute)
}

/// Creates a database with our tables, and its parent directories, if there is no file. The file
/// gets its name once it is complete, so an empty file is always damage.
pub(super) fn create(path: &Path) -> Result<(), Fault> {
    // Checked first: a process that creates the file meanwhile may already be in a transaction.
    let beside = left_beside(path);
    if is_there(path)? {
        return Ok(());
    }
    if let Some(beside) = beside {
        return Err(Fault::Left(beside));
    }
    let mut connection = Connection::open_in_memory()?;
    transaction(&connection, begin)?;
    let content = connection.serialize("main")?;
    create_whole(path, |file| file.write_all(&content)).map_err(Fault::Unmade)
}

/// Returns true if a file of that name exists.
pub(super) fn is_there(path: &Path) -> Result<bool, Fault> {
    if fs::symlink_metadata(path).is_err() {
        return Ok(false);
    }
    // Creating through a dangling link would create a file under a name that the user did not give.
    match fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(Fault::Dangling),
        _ => Ok(true),
    }
}

/// Returns a journal or log of an earlier file, which SQLite would take for the new file's.
fn left_beside(path: &Path) -> Option<PathBuf> {
    let beside = ["-journal", "-wal"].map(|end| {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    });
    beside.into_iter().find(|it| fs::symlink_metadata(it).is_ok())
}

/// Returns the statements with which [`create`] creates a database.
pub(super) fn script() -> Vec<String> {
    let [begin, commit] = ["BEGIN IMMEDIATE", "COMMIT"].map(|it| iter::once(it.to_owned()));
    begin.chain(statements()).chain(commit).collect()
}

/// Returns the statements for our tables in an empty database.
pub(in crate::store) fn statements() -> impl Iterator<Item = String> {
    let parts = parameters::parts(include_str!("schema.sql"));
    let marks = [
        format!("PRAGMA application_id = {APPLICATION_ID}"),
        format!("PRAGMA user_version = {SCHEMA}"),
    ];
    parts.map(|part| part.trim_end_matches(';').to_owned()).chain(marks)
}

/// The identity of a file. No other file has it while this one is open, and seldom afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) id: FileId,
    /// The creation time, if the file system records it: an inode's number may be used again.
    #[cfg(unix)]
    created: Option<SystemTime>,
}

impl Identity {
    /// Returns a name that is unique among the files of one machine, whatever their paths.
    pub(super) fn name(&self) -> Incarnation {
        let FileId { device, inode } = self.id;
        format!("SQLite {device:x} {inode:x} {}", self.created_ms()).into()
    }

    #[cfg(unix)]
    fn created_ms(&self) -> u128 {
        let created = self.created.and_then(|it| it.duration_since(SystemTime::UNIX_EPOCH).ok());
        created.unwrap_or_default().as_millis()
    }

    /// A file index on Windows already contains a part that changes on reuse.
    #[cfg(not(unix))]
    fn created_ms(&self) -> u128 {
        0
    }
}

/// Identifies the file that has this name. It does not open the file, because closing it again
/// would end SQLite's locks on it.
pub(super) fn identify(path: &Path) -> Result<Identity, Fault> {
    // Not `Path::exists`, which hides a lack of permission.
    let file = fs::metadata(path).map_err(Fault::File)?;
    if file.is_file() && FileId::names(path).map_err(Fault::File)? > 1 {
        return Err(Fault::Linked);
    }
    if file.is_file() && is_mounted(path) {
        return Err(Fault::Mounted);
    }
    Ok(Identity {
        id: FileId::at(path).map_err(Fault::File)?,
        #[cfg(unix)]
        created: file.created().ok(),
    })
}

/// Returns true if the file was mounted by itself, and so has another name elsewhere.
#[cfg(target_os = "linux")]
fn is_mounted(path: &Path) -> bool {
    use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};

    statx(CWD, path, AtFlags::empty(), StatxFlags::empty())
        .is_ok_and(|it| it.stx_attributes.contains(StatxAttributes::MOUNT_ROOT))
}

#[cfg(not(target_os = "linux"))]
fn is_mounted(_: &Path) -> bool {
    false
}

/// Opens the file by a VFS of SQLite, and checks its identity and that it is a database of ours.
pub(super) fn connect(
    path: &Path,
    identity: Identity,
    shared_file: bool,
    system: Option<&str>,
) -> Result<Connection, Fault> {
    let connection = open(path, system)?;
    if identify(path)? != identity {
        return Err(Fault::Replaced);
    }
    inspect(&connection, path, shared_file)?;
    check_journal(&connection)?;
    Ok(connection)
}

/// Ends the write-ahead log that another program set on a file of ours, under SQLite's own locks,
/// which such a log needs. The pages are checked later, once they are all in the file.
pub(super) fn end_write_ahead_log(path: &Path, shared_file: bool) -> Result<(), Fault> {
    let connection = open(path, None)?;
    inspect_header(&connection)?;
    inspect_schema(&connection, shared_file)?;
    check_journal(&connection)
}

/// Returns true if the connection met a write-ahead log in its last call.
pub(super) fn is_write_ahead(connection: &Connection) -> bool {
    let mode = connection.pragma_query_value(None, "journal_mode", |row| row.get::<_, String>(0));
    mode.is_ok_and(|mode| mode == "wal")
}

fn check_journal(connection: &Connection) -> Result<(), Fault> {
    let mode: String =
        connection.query_row("PRAGMA journal_mode = DELETE", (), |row| row.get(0))?;
    match mode.as_str() {
        "delete" => Ok(()),
        mode => Err(errors::journal_mode_fixed(mode).into()),
    }
}

/// Opens and checks the file for reading. Returns `None` if another program left a write-ahead log,
/// which cannot be read without writing beside the file.
pub(super) fn look(path: &Path, shared_file: bool) -> Result<Option<Connection>, Fault> {
    identify(path)?;
    if has_write_ahead_log(path) {
        return Ok(None);
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LENGTH_MAX)?;
    inspect(&connection, path, shared_file)?;
    Ok(Some(connection))
}

/// Reads the header through SQLite, because closing the file otherwise would end SQLite's locks.
/// Damage is found by later checks.
pub(super) fn has_write_ahead_log(path: &Path) -> bool {
    let at = READ_VERSION_AT as usize;
    let header = unchangeable(path)
        .and_then(|mut connection| Ok(connection.serialize("main")?.get(at).copied()));
    header.is_ok_and(|version| version == Some(WRITE_AHEAD))
}

/// Opens the file as it is, ignoring locks, logs and journals.
pub(super) fn unchangeable(path: &Path) -> rusqlite::Result<Connection> {
    let name = percent_encode(path.as_os_str().as_encoded_bytes(), NON_ALPHANUMERIC);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    Connection::open_with_flags(format!("file:{name}?immutable=1"), flags)
}

fn open(path: &Path, system: Option<&str>) -> Result<Connection, Fault> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = match system {
        Some(system) => Connection::open_with_flags_and_vfs(path, flags, system)?,
        None => Connection::open_with_flags(path, flags)?,
    };
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LENGTH_MAX)?;
    connection.busy_handler(Some(|tried| {
        sleep(Duration::from_millis(1));
        tried < TRIES
    }))?;
    connection.execute_batch(include_str!("settings.sql"))?;
    Ok(connection)
}

/// Runs `change` in a transaction: durably and completely, or not at all.
pub(super) fn transaction<T>(
    connection: &Connection,
    change: impl FnOnce(&Connection) -> Result<T, Fault>,
) -> Result<T, Fault> {
    // A user who may only read the file can still list its content, so the check comes here.
    if connection.is_readonly("main")? {
        return Err(Fault::ReadOnly);
    }
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let done = change(connection)
        .and_then(|done| connection.execute_batch("COMMIT").map(|()| done).map_err(Fault::Commit));
    if done.is_err() && !connection.is_autocommit() {
        // If this fails as well, the caller sees the open transaction and closes the connection.
        let _ = connection.execute_batch("ROLLBACK");
    }
    done
}

/// Checks the whole file, in one read transaction.
fn inspect(connection: &Connection, path: &Path, shared_file: bool) -> Result<(), Fault> {
    connection.execute_batch("BEGIN")?;
    let inspected = inspect_pages(connection, path)
        .and_then(|()| inspect_header(connection))
        .and_then(|()| inspect_schema(connection, shared_file));
    let _ = connection.execute_batch("ROLLBACK");
    inspected
}

/// Returns true if the file's header says that it belongs to this crate.
pub(super) fn is_marked(connection: &Connection) -> Result<bool, Fault> {
    let mark = connection.pragma_query_value(None, "application_id", |row| row.get::<_, i32>(0))?;
    Ok(mark == APPLICATION_ID)
}

fn inspect_header(connection: &Connection) -> Result<(), Fault> {
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    match (number("application_id")?, number("user_version")?) {
        (APPLICATION_ID, SCHEMA) => Ok(()),
        (APPLICATION_ID, version) => Err(errors::version_unknown(version, SCHEMA).into()),
        found => Err(errors::application_unknown(found, (APPLICATION_ID, SCHEMA)).into()),
    }
}

/// An object of a schema, with the statement that created it.
#[derive(PartialEq, Eq)]
struct Part {
    kind: String,
    name: String,
    table: String,
    sql: String,
}

/// Compares the complete statements: an altered trigger could lower a number that must never fall.
pub(super) fn inspect_schema(connection: &Connection, shared_file: bool) -> Result<(), Fault> {
    let fresh = Connection::open_in_memory()?;
    begin(&fresh)?;
    let (ours, found) = (parts(&fresh)?, parts(connection)?);
    for Part { kind, name, sql, .. } in &ours {
        let error = match found.iter().find(|part| part.name == *name) {
            None => errors::part_missing(kind, name),
            Some(part) if part.sql == *sql => continue,
            Some(part) => errors::part_altered(kind, name, &differing(part, sql)),
        };
        return Err(error.into());
    }
    for Part { kind, name, table, .. } in found.iter().filter(|part| !ours.contains(part)) {
        if ours.iter().any(|part| part.table.eq_ignore_ascii_case(table)) {
            return Err(errors::part_on_our_table(kind, name, table).into());
        }
        if !shared_file {
            return Err(errors::part_of_application(kind, name).into());
        }
    }
    Ok(())
}

fn parts(connection: &Connection) -> Result<Vec<Part>, Fault> {
    let mut statement = connection.prepare(include_str!("parts.sql"))?;
    let parts = statement.query_map((), |row| {
        Ok(Part { kind: row.get(0)?, name: row.get(1)?, table: row.get(2)?, sql: row.get(3)? })
    })?;
    Ok(parts.collect::<Result<_, _>>()?)
}

/// Returns the start of the text that differs from what is expected.
fn differing(part: &Part, expected: &str) -> String {
    let same = part.sql.chars().zip(expected.chars()).take_while(|(a, b)| a == b).count();
    part.sql.chars().skip(same).take(40).collect()
}

/// Finds damage, including a file cut off within its last page, where SQLite reads zeros.
fn inspect_pages(connection: &Connection, path: &Path) -> Result<(), Fault> {
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let expected = number("page_count")?.saturating_mul(number("page_size")?);
    let length = fs::metadata(path).map_err(Fault::File)?.len();
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    if length == 0 {
        return Err(errors::file_empty().into());
    }
    // SQLite would take a file shorter than a header for an empty database.
    if length < expected || expected == 0 {
        return Err(errors::file_cut_off(length, expected).into());
    }
    let verdict: String = connection.query_row("PRAGMA quick_check(1)", (), |row| row.get(0))?;
    if verdict == "ok" { Ok(()) } else { Err(errors::file_damaged(&verdict).into()) }
}

fn begin(connection: &Connection) -> Result<(), Fault> {
    connection.execute_batch(include_str!("schema.sql"))?;
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    connection.pragma_update(None, "user_version", SCHEMA)?;
    Ok(())
}
