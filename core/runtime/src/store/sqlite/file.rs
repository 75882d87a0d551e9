//! The database's file: its place, its settings, its schema, and one transaction.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use snowmint_engine::Code;

use super::fault::Fault;
use crate::error::{Error, Result};
use crate::host::files::create_whole;

/// Stands in the file's header, so that `file` and this crate know whose database it is: "snow".
const APPLICATION_ID: i32 = i32::from_be_bytes(*b"snow");
/// The schema's number, in the file's header.
const SCHEMA: i32 = 1;

/// How often SQLite itself tries to get a lock, a millisecond apart; few times, because a fork
/// waits for it. It lets a reader finish before a commit.
const TRIES: i32 = 20;

/// What the schema consists of: tables with their columns, and triggers, in order.
const PARTS: [(&str, &str); 4] = [
    ("snowmint_segment", "next,previous,raises,step,stride,tag,updated_ms"),
    ("snowmint_segment_rises", ""),
    ("snowmint_worker", "epoch,expires_ms,floor_ms,owner,realm,reserved_ms,token,worker_id"),
    ("snowmint_worker_rises", ""),
];

/// The absolute path, so that neither a change of directory nor a name that is special to SQLite
/// (`:memory:`, `file:…`, empty) means another database.
pub(super) fn absolute(path: &Path) -> Result<PathBuf> {
    let wrong = |message: String| Err(Error::new(Code::StoreUnavailable, message));
    if path.as_os_str().is_empty() {
        return wrong("the database's path is empty: name a file".to_owned());
    }
    if path.as_os_str().as_encoded_bytes().contains(&0) {
        return wrong(format!("{path:?} has a zero byte: no file can be named so"));
    }
    let absolute = std::path::absolute(path).map_err(|error| {
        let message = format!("{} cannot be made an absolute path", path.display());
        Error::new(Code::StoreUnavailable, message).caused_by(error)
    })?;
    if absolute.is_dir() {
        return wrong(format!("{} is a directory: name a file in it", absolute.display()));
    }
    Ok(absolute)
}

/// Creates a database with our tables, and the directories above it, if there is no file. It gets
/// its name once it is whole: an empty file is damage, and never a beginning.
pub(super) fn create(path: &Path) -> Result<(), Fault> {
    if fs::symlink_metadata(path).is_ok() {
        return Ok(());
    }
    let mut connection = Connection::open_in_memory()?;
    transaction(&connection, begin)?;
    let content = connection.serialize("main")?;
    create_whole(path, |file| file.write_all(&content)).map_err(Fault::File)
}

/// Opens the file and checks that it is a database of ours.
pub(super) fn connect(path: &Path) -> Result<Connection, Fault> {
    let connection = open(path)?;
    if connection.is_readonly("main")? {
        return Err(Fault::ReadOnly);
    }
    inspect(&connection, path)?;
    // Left in another mode by somebody's tool.
    let mode: String =
        connection.query_row("PRAGMA journal_mode = DELETE", (), |row| row.get(0))?;
    match mode.as_str() {
        "delete" => Ok(connection),
        _ => Err(schema(format!("its journal mode is {mode} and cannot be changed")).into()),
    }
}

fn open(path: &Path) -> Result<Connection, Fault> {
    // Not `Path::exists`, which also fails where permission does.
    fs::metadata(path).map_err(Fault::File)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_handler(Some(|tried| {
        sleep(Duration::from_millis(1));
        tried < TRIES
    }))?;
    connection.execute_batch(include_str!("settings.sql"))?;
    Ok(connection)
}

/// Does everything `change` does, durably, or nothing.
pub(super) fn transaction<T>(
    connection: &Connection,
    change: impl FnOnce(&Connection) -> Result<T, Fault>,
) -> Result<T, Fault> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let done = change(connection)
        .and_then(|done| connection.execute_batch("COMMIT").map(|()| done).map_err(Fault::Commit));
    if done.is_err() && !connection.is_autocommit() {
        // If this fails as well, the caller sees that a transaction is open, and closes.
        let _ = connection.execute_batch("ROLLBACK");
    }
    done
}

/// Checks the file as a whole, in one state of it.
fn inspect(connection: &Connection, path: &Path) -> Result<(), Fault> {
    connection.execute_batch("BEGIN")?;
    let inspected = inspect_pages(connection, path).and_then(|()| inspect_schema(connection));
    let _ = connection.execute_batch("ROLLBACK");
    inspected
}

fn inspect_schema(connection: &Connection) -> Result<(), Fault> {
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let objects: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0))?;
    match (number("application_id")?, number("user_version")?) {
        (APPLICATION_ID, SCHEMA) => {}
        (APPLICATION_ID, version) => {
            let message = format!(
                "its schema is version {version}, and this snowmint knows version {SCHEMA}: use \
                 the snowmint it was made with, or another file"
            );
            return Err(schema(message).into());
        }
        (application, version) => {
            let message = format!(
                "it belongs to something else (application {application:#x}, version {version}, \
                 {objects} objects; snowmint's are {APPLICATION_ID:#x}, {SCHEMA}): use a file of \
                 its own"
            );
            return Err(schema(message).into());
        }
    }
    let mut statement = connection.prepare(include_str!("parts.sql"))?;
    let parts = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
    let parts: Vec<(String, String)> = parts.collect::<Result<_, _>>()?;
    for (name, columns) in PARTS {
        let found = parts.iter().find(|part| part.0 == name).map(|part| part.1.as_str());
        if found != Some(columns) {
            let message = format!(
                "{name} should have the columns ({columns}) and has ({}): restore it, or use \
                 another file",
                found.unwrap_or("nothing: it is missing")
            );
            return Err(schema(message).into());
        }
    }
    Ok(())
}

/// Finds damage, a file cut off within its last page included: SQLite reads what is missing there
/// as zeros.
fn inspect_pages(connection: &Connection, path: &Path) -> Result<(), Fault> {
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let expected = number("page_count")?.saturating_mul(number("page_size")?);
    let length = fs::metadata(path).map_err(Fault::File)?.len();
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    if length == 0 {
        let message = "it is empty, as no database of ours ever is: restore it; delete it only if \
                       nothing was ever reserved in it";
        return Err(Error::new(Code::StoreCorrupt, message).into());
    }
    // What is shorter than a header passes for an empty database otherwise.
    if length < expected || expected == 0 {
        return Err(corrupt(format!("it has {length} bytes of {expected}")).into());
    }
    let verdict: String = connection.query_row("PRAGMA quick_check(1)", (), |row| row.get(0))?;
    if verdict == "ok" { Ok(()) } else { Err(corrupt(verdict).into()) }
}

fn begin(connection: &Connection) -> Result<(), Fault> {
    connection.execute_batch(include_str!("schema.sql"))?;
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    connection.pragma_update(None, "user_version", SCHEMA)?;
    Ok(())
}

fn schema(message: impl Into<String>) -> Error {
    Error::new(Code::StoreSchema, message)
}

fn corrupt(message: impl Into<String>) -> Error {
    Error::new(Code::StoreCorrupt, format!("it is damaged: {}: restore it", message.into()))
}
