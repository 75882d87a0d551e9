//! Checks snowmint's tables, or makes them.

use super::errors;
use super::fault::Fault;
use super::schema::{Schema, quoted};
use super::session::Session;
use super::statement::{Statement, Value};
use crate::error::Error;
use crate::store::parameters;
use crate::store::remote::deadline::Deadline;
use crate::store::remote::errors::sql::version_unknown;
use crate::store::sql::{self, Row, servers};
use crate::store::{KeySpaceId, KnownKeySpace};

/// The version of the tables. A later version has to upgrade earlier ones in [`make`] and show that
/// in [`script`]; [`are_there`] must then find earlier ones not there yet.
const SCHEMA: i64 = 1;
const TABLES: [&str; 3] = ["snowmint_schema", "snowmint_segment", "snowmint_worker"];

const LOOK: &str = include_str!("look.sql");
const LOCK: &str = include_str!("schema_lock.sql");
const INCARNATION: &str = include_str!("incarnation.sql");
const ROW: &str = include_str!("schema_row.sql");

/// A table of snowmint in the schema.
struct Table {
    name: String,
    /// True if it lacks the trigger that keeps numbers from falling.
    is_untended: bool,
    /// True if this user may use its schema.
    is_open: bool,
    /// True if it survives a crash and other sessions see it.
    is_kept: bool,
    /// True if row-level security hides no rows from this user.
    is_whole: bool,
}

impl Table {
    fn new<R: Row>(row: &R) -> Result<Table, R::Fault> {
        let (name, is_untended, is_open) = (row.text(0)?, row.flag(1)?, row.flag(2)?);
        let (is_kept, hides_rows) = (row.flag(3)?, row.flag(4)?);
        Ok(Table { name, is_untended, is_open, is_kept, is_whole: !hides_rows })
    }
}

/// Like [`are_there`]. Each transaction that changes something checks the server.
pub(super) fn are_usable(session: &mut Session, deadline: Deadline) -> Result<bool, Fault> {
    are_there(session, deadline)
}

/// Returns true if the tables are there, and fails if some are missing or not as they should be.
pub(super) fn are_there(session: &mut Session, deadline: Deadline) -> Result<bool, Fault> {
    let schema = session.schema()?.clone();
    are_found(&schema, |file, values| session.read(&Statement::new(file, values), deadline))
}

/// Like [`are_there`]. `ask` runs the statement of a file with these values.
pub(in crate::store) fn are_found<R: Row>(
    schema: &Schema,
    mut ask: impl FnMut(&str, &[(&str, Value)]) -> Result<Vec<R>, R::Fault>,
) -> Result<bool, R::Fault> {
    if !are_whole(schema, &ask(LOOK, &schema.parameter())?)? {
        check_elsewhere(schema, ask)?;
        return Ok(false);
    }
    check_version(schema, &ask(include_str!("version.sql"), &[])?)?;
    Ok(true)
}

/// Refuses to begin a second key space in a database that has one, unless its schema was named.
fn check_elsewhere<R: Row>(
    schema: &Schema,
    mut ask: impl FnMut(&str, &[(&str, Value)]) -> Result<Vec<R>, R::Fault>,
) -> Result<(), R::Fault> {
    if schema.is_named {
        return Ok(());
    }
    let found = ask(include_str!("elsewhere.sql"), &schema.parameter())?;
    let found = found.iter().map(|row| Ok((row.text(0)?, row.text(1)?)));
    match elsewhere(schema, &found.collect::<Result<Vec<_>, R::Fault>>()?) {
        Some(error) => Err(error.into()),
        None => Ok(()),
    }
}

/// Returns the key space of the tables, and fails if it is not the known one.
pub(super) fn check_key_space(
    session: &mut Session,
    known: &KnownKeySpace,
    deadline: Deadline,
) -> Result<Option<KeySpaceId>, Fault> {
    let rows = session.read(&Statement::plain(include_str!("key_space.sql")), deadline)?;
    servers::key_space(&rows, known)
}

/// Fails unless the tables have all columns that the statements use. The tables must be there.
pub(super) fn check_columns(session: &mut Session, deadline: Deadline) -> Result<(), Fault> {
    let rows = session.read(&Statement::plain(include_str!("columns.sql")), deadline)?;
    servers::columns::check(include_str!("schema.sql"), &rows)
}

/// Returns the transaction in which [`make`] makes the tables.
pub(super) fn script(session: &mut Session, deadline: Deadline) -> Result<Vec<String>, Fault> {
    let (schema, incarnation) = (session.schema()?.clone(), session.incarnation());
    let parts =
        parts(&schema, |file, values| session.read(&Statement::new(file, values), deadline))?;
    let all = [LOCK].into_iter().map(Statement::plain);
    let all = all.chain(parts.iter().map(|part| Statement::plain(part)));
    Ok(session.script(deadline, all.chain([incarnation, Statement::plain(ROW)])))
}

/// Makes the tables, under one lock for all schemas. Returns false if another process was faster.
pub(super) fn make(session: &mut Session, deadline: Deadline) -> Result<bool, Fault> {
    session.transact(deadline, |transaction| {
        let schema = transaction.session().schema()?.clone();
        let is_synchronous = transaction.session().is_synchronous();
        make_in(&schema, is_synchronous, |file, values| {
            transaction.rows(Statement::new(file, values))
        })
    })
}

/// Like [`make`], in a transaction. `ask` runs the statement of a file with these values.
pub(in crate::store) fn make_in<R: Row>(
    schema: &Schema,
    is_synchronous: (&'static str, Value),
    mut ask: impl FnMut(&str, &[(&str, Value)]) -> Result<Vec<R>, R::Fault>,
) -> Result<bool, R::Fault> {
    ask(LOCK, &[])?;
    if are_found(schema, &mut ask)? {
        return Ok(false);
    }
    for part in parts(schema, &mut ask)? {
        ask(&part, &[])?;
    }
    ask(INCARNATION, &[is_synchronous])?;
    ask(ROW, &[])?;
    Ok(true)
}

/// Returns the statements that make the tables. CREATE SCHEMA is among them only if it is needed,
/// because the user may have no right to it.
fn parts<R: Row>(
    schema: &Schema,
    mut ask: impl FnMut(&str, &[(&str, Value)]) -> Result<Vec<R>, R::Fault>,
) -> Result<Vec<String>, R::Fault> {
    let missing = ask(include_str!("schema_missing.sql"), &schema.parameter())?;
    let is_missing = missing.first().map(|row| row.flag(0)).transpose()?.unwrap_or_default();
    let make = is_missing.then(|| format!("CREATE SCHEMA {schema}"));
    Ok(make.into_iter().chain(parameters::parts(include_str!("schema.sql"))).collect())
}

/// Returns the reason why a row may be hidden from this user, if it was not found.
pub(in crate::store) fn why_unseen<T: sql::Transaction>(
    transaction: &mut T,
    schema: &Schema,
) -> Result<Option<Error>, T::Fault> {
    let found = transaction.query(LOOK, &schema.parameter(), |row| Table::new(row))?;
    let hidden = found.iter().find(|table| !table.is_whole);
    Ok(hidden.map(|table| errors::rows_hidden(schema, &table.name)))
}

/// Returns true if all tables are there. Making some beside others would begin a key space anew.
fn are_whole<R: Row>(schema: &Schema, found: &[R]) -> Result<bool, R::Fault> {
    let found = found.iter().map(Table::new).collect::<Result<Vec<_>, _>>()?;
    if found.is_empty() {
        return Ok(false);
    }
    if found.iter().any(|table| !table.is_open) {
        return Err(errors::schema_closed(schema).into());
    }
    if found.len() < TABLES.len() {
        let found: Vec<_> = found.iter().map(|it| it.name.as_str()).collect();
        return Err(errors::tables_incomplete(schema, &found, &TABLES).into());
    }
    if let Some(table) = found.iter().find(|table| !table.is_kept) {
        return Err(errors::table_unlogged(schema, &table.name).into());
    }
    if let Some(table) = found.iter().find(|table| !table.is_whole) {
        return Err(errors::rows_hidden(schema, &table.name).into());
    }
    match found.iter().find(|table| table.is_untended) {
        Some(table) => Err(without_trigger(schema, &table.name).into()),
        None => Ok(true),
    }
}

/// Returns the error for tables in other schemas, given as pairs of schema and table.
fn elsewhere(schema: &Schema, found: &[(String, String)]) -> Option<Error> {
    let (there, _) = found.first()?;
    let tables = found.iter().filter(|(schema, _)| schema == there);
    let tables = tables.map(|(_, name)| format!("; ALTER TABLE {}.{name}", quoted(there)));
    let functions = ["worker", "segment"];
    let functions =
        functions.map(|it| format!("; ALTER FUNCTION {}.snowmint_{it}_rises()", quoted(there)));
    let moves = tables.chain(functions).map(|it| format!("{it} SET SCHEMA {schema}"));
    Some(errors::tables_elsewhere(schema, there, &moves.collect::<String>()))
}

/// Returns the error for a lost trigger, with the statements for the table's owner.
fn without_trigger(schema: &Schema, name: &str) -> Error {
    let trigger = format!("{name}_rises");
    let parts = include_str!("schema.sql").split("\n\n").filter(|part| part.contains(&trigger));
    let parts: Vec<_> = parts.map(|part| part.split_whitespace().collect::<Vec<_>>()).collect();
    let parts: Vec<_> = parts.iter().map(|words| words.join(" ")).collect();
    errors::trigger_lost(schema, name, &parts.join("; "))
}

fn check_version<R: Row>(schema: &Schema, found: &[R]) -> Result<(), R::Fault> {
    match found.first().map(|row| row.optional_number(0)).transpose()?.flatten() {
        Some(SCHEMA) => Ok(()),
        Some(version) => Err(version_unknown(version, SCHEMA).into()),
        None => Err(row_lost(schema).into()),
    }
}

/// Returns the error for a table about the database that has lost its row.
pub(in crate::store) fn row_lost(schema: &Schema) -> Error {
    errors::version_lost(schema, SCHEMA)
}
