//! Our tables: found as they should be, or made.

use snowmint_engine::Code;
use tokio_postgres::Row;

use super::fault::Fault;
use super::session::{Session, Transaction};
use super::socket::Deadline;
use super::statement::{self, Statement};
use crate::error::Error;

/// The version of our tables.
const SCHEMA: i32 = 1;
const TABLES: [&str; 3] = ["snowmint_schema", "snowmint_segment", "snowmint_worker"];

/// A table that the search path shows.
struct Table {
    schema: String,
    name: String,
    /// Without the trigger that lets nothing fall.
    is_untended: bool,
}

impl Table {
    fn new(row: &Row) -> Result<Table, Fault> {
        let (schema, name) = (row.try_get(0)?, row.try_get(1)?);
        Ok(Table { schema, name, is_untended: row.try_get(2)? })
    }
}

/// Whether they are; fails where some are, or not as they should be.
pub(super) fn are_there(session: &mut Session, deadline: Deadline) -> Result<bool, Fault> {
    if !are_whole(&session.read(&look(), deadline)?)? {
        return Ok(false);
    }
    let version = Statement::plain(include_str!("version.sql"));
    check_version(&session.read(&version, deadline)?)?;
    Ok(true)
}

/// Makes them, if nobody was faster. The lock is one for all schemas.
pub(super) fn make(transaction: &mut Transaction<'_>) -> Result<(), Fault> {
    let lock = Statement::plain(include_str!("schema_lock.sql"));
    transaction.rows(lock)?;
    if are_whole(&transaction.rows(look())?)? {
        return check_version(&transaction.rows(Statement::plain(include_str!("version.sql")))?);
    }
    for statement in statement::parts(include_str!("schema.sql")) {
        transaction.rows(statement)?;
    }
    Ok(())
}

fn look() -> Statement {
    Statement::plain(include_str!("look.sql"))
}

/// Whether all of them are there. They are looked for in all schemas of the search path, and made
/// in its first: what is made beside some would hide a key space that is in use, and begin it anew.
fn are_whole(found: &[Row]) -> Result<bool, Fault> {
    let found = found.iter().map(Table::new).collect::<Result<Vec<_>, _>>()?;
    let Some(first) = found.first() else { return Ok(false) };
    if found.len() < TABLES.len() || found.iter().any(|it| it.schema != first.schema) {
        let found: Vec<_> = found.iter().map(|it| format!("{}.{}", it.schema, it.name)).collect();
        let message = format!(
            "of the tables of snowmint, the search_path shows {} alone: put the others back beside \
             them ({} in one schema), or take a search_path that shows none; nothing is made",
            found.join(" and "),
            TABLES.join(", ")
        );
        return Err(Error::new(Code::StoreSchema, message).into());
    }
    match found.iter().find(|table| table.is_untended) {
        Some(table) => Err(without_trigger(table).into()),
        None => Ok(true),
    }
}

/// With what the owner of the table has to say.
fn without_trigger(Table { schema, name, .. }: &Table) -> Error {
    let trigger = format!("{name}_rises");
    let parts = include_str!("schema.sql").split("\n\n").filter(|part| part.contains(&trigger));
    let parts: Vec<_> = parts.map(|part| part.split_whitespace().collect::<Vec<_>>()).collect();
    let parts: Vec<_> = parts.iter().map(|words| words.join(" ")).collect();
    let message = format!(
        "the table {schema}.{name} has lost its trigger, without which a hand can lower what is \
         reserved: put it back as the table's owner, by: SET search_path = \"{schema}\"; {}",
        parts.join("; ")
    );
    Error::new(Code::StoreSchema, message)
}

fn check_version(found: &[Row]) -> Result<(), Fault> {
    let version: Option<i32> = found.first().map(|row| row.try_get(0)).transpose()?.flatten();
    if version == Some(SCHEMA) {
        return Ok(());
    }
    let found = version.map_or("none".to_owned(), |version| version.to_string());
    let message = format!(
        "the tables of snowmint are of version {found}, and this knows {SCHEMA}: use the release \
         that made them, or a later one"
    );
    Err(Error::new(Code::StoreSchema, message).into())
}
