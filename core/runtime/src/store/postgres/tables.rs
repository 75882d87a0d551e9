//! Checks snowmint's tables, or makes them.

use tokio_postgres::Row;

use super::errors;
use super::fault::Fault;
use super::schema::{Schema, quoted};
use super::session::{Session, Transaction};
use super::statement::{self, Statement};
use crate::error::Error;
use crate::store::remote::columns::{self, Found};
use crate::store::remote::deadline::Deadline;
use crate::store::remote::errors::sql;
use crate::store::{KeySpaceId, KnownKeySpace};

/// The version of the tables. A later version has to upgrade earlier ones in [`make`] and show that
/// in [`script`]; [`are_there`] must then find earlier ones not there yet.
const SCHEMA: i32 = 1;
const TABLES: [&str; 3] = ["snowmint_schema", "snowmint_segment", "snowmint_worker"];

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
    fn new(row: &Row) -> Result<Table, Fault> {
        let (name, is_untended, is_open) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        let (is_kept, hides_rows): (_, bool) = (row.try_get(3)?, row.try_get(4)?);
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
    are_found(&schema, |statement| session.read(&statement, deadline))
}

fn are_found(
    schema: &Schema,
    mut ask: impl FnMut(Statement) -> Result<Vec<Row>, Fault>,
) -> Result<bool, Fault> {
    if !are_whole(schema, &ask(look(schema))?)? {
        check_elsewhere(schema, ask)?;
        return Ok(false);
    }
    check_version(schema, &ask(Statement::plain(include_str!("version.sql")))?)?;
    Ok(true)
}

fn look(schema: &Schema) -> Statement {
    Statement::new(include_str!("look.sql"), &schema.parameter())
}

/// Refuses to begin a second key space in a database that has one, unless its schema was named.
fn check_elsewhere(
    schema: &Schema,
    mut ask: impl FnMut(Statement) -> Result<Vec<Row>, Fault>,
) -> Result<(), Fault> {
    if schema.is_named {
        return Ok(());
    }
    let found = ask(Statement::new(include_str!("elsewhere.sql"), &schema.parameter()))?;
    let found = found.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?)));
    match elsewhere(schema, &found.collect::<Result<Vec<_>, Fault>>()?) {
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
    let Some(row) = rows.first() else { return Ok(None) };
    let id = row.try_get::<_, String>(0)?.parse()?;
    known.check(id)?;
    Ok(Some(id))
}

/// Fails unless the tables have all columns that the statements use. The tables must be there.
pub(super) fn check_columns(session: &mut Session, deadline: Deadline) -> Result<(), Fault> {
    let rows = session.read(&Statement::plain(include_str!("columns.sql")), deadline)?;
    let found = |row: &Row| -> Result<Found, Fault> {
        Ok(Found { table: row.try_get(0)?, name: row.try_get(1)?, kind: row.try_get(2)? })
    };
    let found = rows.iter().map(found).collect::<Result<Vec<_>, _>>()?;
    Ok(columns::check(include_str!("schema.sql"), &found)?)
}

/// Returns the transaction in which [`make`] makes the tables.
pub(super) fn script(session: &mut Session, deadline: Deadline) -> Result<Vec<String>, Fault> {
    let (schema, incarnation) = (session.schema()?.clone(), session.incarnation());
    let parts = parts(&schema, incarnation, |statement| session.read(&statement, deadline))?;
    let lock = Statement::plain(include_str!("schema_lock.sql"));
    Ok(session.script(deadline, std::iter::once(lock).chain(parts)))
}

/// Makes the tables, under one lock for all schemas. Returns false if another process was faster.
pub(super) fn make(session: &mut Session, deadline: Deadline) -> Result<bool, Fault> {
    session.transact(deadline, make_in)
}

fn make_in(transaction: &mut Transaction<'_>) -> Result<bool, Fault> {
    let schema = transaction.session().schema()?.clone();
    let lock = Statement::plain(include_str!("schema_lock.sql"));
    transaction.rows(lock)?;
    if are_found(&schema, |statement| transaction.rows(statement))? {
        return Ok(false);
    }
    let incarnation = transaction.session().incarnation();
    for statement in parts(&schema, incarnation, |statement| transaction.rows(statement))? {
        transaction.rows(statement)?;
    }
    Ok(true)
}

/// Returns the statements that make the tables. CREATE SCHEMA is among them only if it is needed,
/// because the user may have no right to it.
fn parts(
    schema: &Schema,
    incarnation: Statement,
    mut ask: impl FnMut(Statement) -> Result<Vec<Row>, Fault>,
) -> Result<Vec<Statement>, Fault> {
    let missing = ask(Statement::new(include_str!("schema_missing.sql"), &schema.parameter()))?;
    let is_missing = missing.first().is_some_and(|row| row.get(0));
    let make = is_missing.then(|| Statement::plain(&format!("CREATE SCHEMA {schema}")));
    let tables = statement::parts(include_str!("schema.sql"));
    let row = [incarnation, Statement::plain(include_str!("schema_row.sql"))];
    Ok(make.into_iter().chain(tables).chain(row).collect())
}

/// Returns the reason why a row may be hidden from this user, if it was not found.
pub(super) fn why_unseen(transaction: &mut Transaction<'_>) -> Result<Option<Error>, Fault> {
    let schema = transaction.session().schema()?.clone();
    let rows = transaction.rows(look(&schema))?;
    let found = rows.iter().map(Table::new).collect::<Result<Vec<_>, _>>()?;
    let hidden = found.iter().find(|table| !table.is_whole);
    Ok(hidden.map(|table| errors::rows_hidden(&schema, &table.name)))
}

/// Returns true if all tables are there. Making some beside others would begin a key space anew.
fn are_whole(schema: &Schema, found: &[Row]) -> Result<bool, Fault> {
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

fn check_version(schema: &Schema, found: &[Row]) -> Result<(), Fault> {
    let version: Option<i32> = found.first().map(|row| row.try_get(0)).transpose()?.flatten();
    match version {
        Some(SCHEMA) => Ok(()),
        Some(version) => Err(sql::version_unknown(version, SCHEMA).into()),
        None => Err(errors::version_lost(schema, SCHEMA).into()),
    }
}
