//! Our tables: found as they should be, or made.

use snowmint_engine::Code;
use tokio_postgres::Row;

use super::fault::{Fault, ROW_SECURITY_CURE};
use super::session::{Session, Transaction};
use super::statement::{self, Statement};
use crate::error::Error;
use crate::store::remote::columns::{self, Found};
use crate::store::remote::deadline::Deadline;

/// The version of our tables. A later one has to upgrade earlier ones in [`make`], and to show that
/// in [`script`]; [`are_there`] must then find those not there yet.
const SCHEMA: i32 = 1;
const TABLES: [&str; 3] = ["snowmint_schema", "snowmint_segment", "snowmint_worker"];

/// A table in a schema of the search path.
struct Table {
    schema: String,
    name: String,
    /// Without the trigger that lets nothing fall.
    is_untended: bool,
    /// Passed over, as this user may not use the schema.
    is_hidden: bool,
    /// Through a crash, and for others.
    is_kept: bool,
    /// With all of its rows for this user.
    is_whole: bool,
}

impl Table {
    fn new(row: &Row) -> Result<Table, Fault> {
        let (schema, name) = (row.try_get(0)?, row.try_get(1)?);
        let (is_untended, is_hidden) = (row.try_get(2)?, row.try_get(3)?);
        let (is_kept, hides_rows): (_, bool) = (row.try_get(4)?, row.try_get(5)?);
        Ok(Table { schema, name, is_untended, is_hidden, is_kept, is_whole: !hides_rows })
    }
}

/// Whether they are; fails where some are, or not as they should be.
pub(super) fn are_there(session: &mut Session, deadline: Deadline) -> Result<bool, Fault> {
    are_found(|statement| session.read(&statement, deadline))
}

fn are_found(mut ask: impl FnMut(Statement) -> Result<Vec<Row>, Fault>) -> Result<bool, Fault> {
    if !are_whole(&ask(Statement::plain(include_str!("look.sql")))?)? {
        return Ok(false);
    }
    check_version(&ask(Statement::plain(include_str!("version.sql")))?)?;
    Ok(true)
}

/// Whether they have all that our statements use; of tables that are there.
pub(super) fn check_columns(session: &mut Session, deadline: Deadline) -> Result<(), Fault> {
    let rows = session.read(&Statement::plain(include_str!("columns.sql")), deadline)?;
    let found = |row: &Row| -> Result<Found, Fault> {
        Ok(Found { table: row.try_get(0)?, name: row.try_get(1)?, kind: row.try_get(2)? })
    };
    let found = rows.iter().map(found).collect::<Result<Vec<_>, _>>()?;
    Ok(columns::check(include_str!("schema.sql"), &found)?)
}

/// The transaction in which [`make`] makes them.
pub(super) fn script(session: &mut Session, deadline: Deadline) -> Vec<String> {
    let lock = Statement::plain(include_str!("schema_lock.sql"));
    let parts = statement::parts(include_str!("schema.sql"));
    session.script(deadline, std::iter::once(lock).chain(parts))
}

/// Makes them, if nobody was faster. The lock is one for all schemas.
pub(super) fn make(transaction: &mut Transaction<'_>) -> Result<bool, Fault> {
    let lock = Statement::plain(include_str!("schema_lock.sql"));
    transaction.rows(lock)?;
    if are_found(|statement| transaction.rows(statement))? {
        return Ok(false);
    }
    for statement in statement::parts(include_str!("schema.sql")) {
        transaction.rows(statement)?;
    }
    Ok(true)
}

/// Why this user may not see what is there, where something is looked for in vain.
pub(super) fn why_unseen(transaction: &mut Transaction<'_>) -> Result<Option<Error>, Fault> {
    let rows = transaction.rows(Statement::plain(include_str!("look.sql")))?;
    let found = rows.iter().map(Table::new).collect::<Result<Vec<_>, _>>()?;
    Ok(found.iter().find(|table| !table.is_whole).map(without_rows))
}

/// Whether all of them are there. They are looked for in all schemas of the search path, and made
/// in its first: what is made beside some would hide a key space that is in use, and begin it anew.
fn are_whole(found: &[Row]) -> Result<bool, Fault> {
    let found = found.iter().map(Table::new).collect::<Result<Vec<_>, _>>()?;
    let Some(first) = found.first() else { return Ok(false) };
    if let Some(table) = found.iter().find(|table| table.is_hidden) {
        return Err(hidden(table).into());
    }
    if found.len() < TABLES.len() || found.iter().any(|it| it.schema != first.schema) {
        return Err(apart(&found).into());
    }
    if let Some(table) = found.iter().find(|table| !table.is_kept) {
        return Err(unlogged(table).into());
    }
    if let Some(table) = found.iter().find(|table| !table.is_whole) {
        return Err(without_rows(table).into());
    }
    match found.iter().find(|table| table.is_untended) {
        Some(table) => Err(without_trigger(table).into()),
        None => Ok(true),
    }
}

fn hidden(Table { schema, name, .. }: &Table) -> Error {
    let message = format!(
        "the search_path names a schema with {name} that this user may not use: GRANT USAGE ON \
         SCHEMA {} TO him, or take a search_path without it for another key space, which repeats \
         the IDs of this one; nothing is made",
        quoted(schema)
    );
    Error::new(Code::StoreDenied, message)
}

fn unlogged(Table { schema, name, .. }: &Table) -> Error {
    let message = format!(
        "the table {schema}.{name} is unlogged or temporary: a crash empties it, and what it gave is \
         given again: ALTER TABLE {}.{name} SET LOGGED",
        quoted(schema)
    );
    Error::new(Code::StoreSchema, message)
}

fn without_rows(Table { schema, name, .. }: &Table) -> Error {
    let message = format!(
        "row-level security of the table {schema}.{name} can keep rows from this user, which then \
         look as if they were not there: ALTER TABLE {}.{name} DISABLE ROW LEVEL SECURITY, as its \
         owner, or {ROW_SECURITY_CURE}",
        quoted(schema)
    );
    Error::new(Code::StoreDenied, message)
}

/// Of tables that are not all there, or not in one schema.
fn apart(found: &[Table]) -> Error {
    let cure = match found.len() < TABLES.len() {
        true => "put the others back beside them",
        false => "move or drop those that hide others",
    };
    let found: Vec<_> = found.iter().map(|it| format!("{}.{}", it.schema, it.name)).collect();
    let message = format!(
        "of the tables of snowmint, the search_path shows {} alone: {cure} ({} in one schema), or \
         take a search_path that shows none for another key space, which repeats the IDs of this \
         one; nothing is made",
        found.join(" and "),
        TABLES.join(", ")
    );
    Error::new(Code::StoreSchema, message)
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// With what the owner of the table has to say.
fn without_trigger(Table { schema, name, .. }: &Table) -> Error {
    let trigger = format!("{name}_rises");
    let parts = include_str!("schema.sql").split("\n\n").filter(|part| part.contains(&trigger));
    let parts: Vec<_> = parts.map(|part| part.split_whitespace().collect::<Vec<_>>()).collect();
    let parts: Vec<_> = parts.iter().map(|words| words.join(" ")).collect();
    let message = format!(
        "the table {schema}.{name} has lost its trigger, without which a hand can lower what is \
         reserved: put it back as the table's owner, by: BEGIN; SET LOCAL search_path = {}; {}; \
         COMMIT",
        quoted(schema),
        parts.join("; ")
    );
    Error::new(Code::StoreSchema, message)
}

fn check_version(found: &[Row]) -> Result<(), Fault> {
    let version: Option<i32> = found.first().map(|row| row.try_get(0)).transpose()?.flatten();
    if version == Some(SCHEMA) {
        return Ok(());
    }
    let message = match version {
        Some(version) => format!(
            "the tables of snowmint are of version {version}, and this knows {SCHEMA}: use the \
             release that made them, or a later one"
        ),
        None => format!(
            "the table snowmint_schema has lost its row: put it back by INSERT INTO \
             snowmint_schema (version, longest_slab_ms) VALUES ({SCHEMA}, 67500), or with the \
             longest slab that was ever asked for, and an eighth more"
        ),
    };
    Err(Error::new(Code::StoreSchema, message).into())
}
