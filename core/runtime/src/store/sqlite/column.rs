//! Reads numbers from a table of an application's file, without writing.

use std::path::Path;

use rusqlite::{Connection, OpenFlags, OptionalExtension};

use super::fault::Fault;
use super::{BUSY_TIMEOUT, errors, file};
use crate::error::Result;
use crate::store::{Column, Filling, Wanted};

/// Reads the wanted numbers of a column.
pub(crate) fn numbers(path: &str, column: &Column, wanted: Wanted) -> Result<Vec<u64>> {
    let path = file::absolute(Path::new(path))?;
    if !path.is_file() {
        return Err(errors::database_missing(&path));
    }
    read(&path, column, wanted).map_err(|fault| fault.explain(&path, BUSY_TIMEOUT))
}

/// Returns true if the file belongs to an application: it has tables, and none of them are
/// snowmint's. An unreadable file gives false, because opening it as a store reports why.
pub(crate) fn is_of_an_application(path: &str) -> bool {
    let Ok(path) = file::absolute(Path::new(path)) else { return false };
    let parts = "SELECT count(*) FILTER (WHERE name LIKE 'snowmint%'), count(*) FROM sqlite_schema";
    let count = |connection: Connection| {
        let is_ours = file::is_marked(&connection)?;
        let (ours, all) = connection
            .query_row(parts, (), |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)))?;
        Ok::<_, Fault>(!is_ours && ours == 0 && all > 0)
    };
    // A file with an unfinished change cannot be read in any other way.
    let as_it_is = |_| count(file::unchangeable(&path)?);
    path.is_file() && open(&path).and_then(count).or_else(as_it_is).unwrap_or(false)
}

fn open(path: &Path) -> Result<Connection, Fault> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    Ok(connection)
}

fn read(path: &Path, column: &Column, wanted: Wanted) -> Result<Vec<u64>, Fault> {
    let connection = open(path)?;
    let (schema, table, name) = column.parts();
    let known = "SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2 COLLATE NOCASE";
    let is_main = schema.is_none_or(|it| it.eq_ignore_ascii_case("main"));
    if !is_main || !connection.prepare(known)?.exists((table, name))? {
        column.check_type(None)?;
    }
    // In SQLite each value has its own type, whatever its column declares. Texts sort last.
    let query = column.query(wanted, '"', |it| format!("CAST({it} AS text), typeof({it})"));
    let mut statement = connection.prepare(&query)?;
    let mut rows = statement.query(())?;
    let mut numbers = Vec::new();
    while let Some(row) = rows.next()? {
        let (text, kind): (Option<String>, String) = (row.get(0)?, row.get(1)?);
        if text.is_some() {
            column.check_type(Some(&kind))?;
        }
        numbers.extend(column.number(text.as_deref())?);
    }
    if let Wanted::Largest = wanted {
        numbers.extend(counted(&connection, column)?);
        numbers.sort_unstable();
    }
    Ok(numbers)
}

/// Returns how the file fills the column by itself, as it does an integer primary key.
pub(crate) fn filling(path: &str, column: &Column) -> Result<Option<Filling>> {
    let path = file::absolute(Path::new(path))?;
    let (_, table, name) = column.parts();
    let is_key = "SELECT 1 FROM pragma_table_info(?1) WHERE pk = 1 AND name = ?2 COLLATE NOCASE \
                  AND type = 'INTEGER' COLLATE NOCASE \
                  AND (SELECT count(*) FROM pragma_table_info(?1) WHERE pk > 0) = 1";
    let looked =
        |connection: Connection| Ok::<_, Fault>(connection.prepare(is_key)?.exists((table, name))?);
    let is_key = open(&path).and_then(looked);
    let is_key = is_key.map_err(|fault| fault.explain(&path, BUSY_TIMEOUT))?;
    let (table, name) = (column.quoted_table('"'), column.quoted_name('"'));
    let end = format!("make {table} anew with {name} BIGINT PRIMARY KEY NOT NULL");
    let column = format!("{table}.{name}");
    Ok(is_key.then_some(Filling { column, sequence: None, last: None, end: Some(end) }))
}

/// Returns the last number of an AUTOINCREMENT column, whose row may have been deleted.
fn counted(connection: &Connection, column: &Column) -> Result<Option<u64>, Fault> {
    let is_there = "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'";
    if !connection.prepare(is_there)?.exists(())? {
        return Ok(None);
    }
    let (_, table, name) = column.parts();
    let last = "SELECT CAST(seq AS text) FROM sqlite_sequence WHERE name = ?1 COLLATE NOCASE AND EXISTS \
                (SELECT 1 FROM pragma_table_info(?1) WHERE pk = 1 AND name = ?2 COLLATE NOCASE)";
    let last: Option<Option<String>> =
        connection.query_row(last, (table, name), |row| row.get(0)).optional()?;
    Ok(column.number(last.flatten().as_deref())?)
}
