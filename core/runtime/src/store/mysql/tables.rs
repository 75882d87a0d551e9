//! Checks snowmint's tables, or makes them.

use super::errors;
use super::fault::Fault;
use super::session::{Session, incarnation, patience_s};
use super::statement::{self, Statement, Value};
use crate::error::Error;
use crate::store::remote::deadline::Deadline;
use crate::store::remote::errors::sql;
use crate::store::sql::{Row, servers};
use crate::store::{KeySpaceId, KnownKeySpace};

/// The version of the tables. A later version has to upgrade earlier ones in [`make`] and show that
/// in [`script`]; [`are_there`] must then find earlier ones not there yet.
const SCHEMA: i64 = 1;
/// The engine that the tables need: others have no transactions.
const ENGINE: &str = "InnoDB";
/// The table with the version. Its row is written once the others are there.
const VERSIONED: &str = "snowmint_schema";
const TABLES: [&str; 3] = [VERSIONED, "snowmint_segment", "snowmint_worker"];

/// Like [`are_there`], and fails unless the server takes changes and keeps them.
pub(super) fn are_usable(session: &mut Session, deadline: Deadline) -> Result<bool, Fault> {
    session.guard(deadline)?;
    are_there(session, deadline)
}

/// Returns true if the tables are there, and fails if some are missing or not as they should be.
/// Tables without a version and without rows are still being made, or were interrupted: they are
/// not there yet.
pub(super) fn are_there(session: &mut Session, deadline: Deadline) -> Result<bool, Fault> {
    let mut look =
        || are_found(|file, values| session.read(&Statement::new(file, values), deadline));
    match look() {
        // Another process may have been making the tables during the first look.
        Err(Fault::Refused(_)) => look(),
        found => found,
    }
}

/// Like [`are_there`], by one look. `ask` runs the statement of a file with these values.
pub(in crate::store) fn are_found<R: Row>(
    mut ask: impl FnMut(&str, &[(&str, Value)]) -> Result<Vec<R>, R::Fault>,
) -> Result<bool, R::Fault> {
    let found = ask(include_str!("look.sql"), &[])?;
    let mut names = Vec::new();
    for row in &found {
        let name = row.text(0)?;
        let engine = row.optional_text(1)?.unwrap_or_else(|| errors::NO_ENGINE.to_owned());
        if engine != ENGINE {
            return Err(errors::table_without_transactions(&name, &engine, ENGINE).into());
        }
        names.push(name);
    }
    let version = match names.iter().any(|name| name == VERSIONED) {
        true => ask(include_str!("version.sql"), &[])?.first().and_then(|row| row.number(0).ok()),
        false => None,
    };
    if version.is_none() && are_empty(&names, ask)? {
        return Ok(false);
    }
    // Making the missing tables beside others would begin a key space anew that is in use.
    if names.len() < TABLES.len() {
        return Err(errors::tables_incomplete(&names, &TABLES).into());
    }
    match version {
        Some(SCHEMA) => Ok(true),
        Some(other) => Err(sql::version_unknown(other, SCHEMA).into()),
        None => Err(row_lost().into()),
    }
}

/// Returns the error for a table about the database that has lost its row.
pub(in crate::store) fn row_lost() -> Error {
    errors::version_lost(SCHEMA)
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

/// Returns the statements that [`make`] runs, for a new connection.
pub(super) fn script(_: &mut Session, deadline: Deadline) -> Result<Vec<String>, Fault> {
    let wait = [("lock_s", patience_s(deadline).into())];
    let settings = Statement::plain(include_str!("settings.sql"));
    let lock = Statement::new(include_str!("schema_lock.sql"), &wait);
    let unlock = Statement::plain(include_str!("schema_unlock.sql"));
    let parts = statement::parts(include_str!("schema.sql"));
    let all = [settings, lock, incarnation()].into_iter().chain(parts).chain([unlock]);
    Ok(all.map(|statement| statement.text().to_owned()).collect())
}

/// Makes the tables. Returns false if another process was faster.
pub(super) fn make(session: &mut Session, deadline: Deadline) -> Result<bool, Fault> {
    session.with_lock(include_str!("schema_lock.sql"), deadline, |session| {
        if are_there(session, deadline)? {
            return Ok(false);
        }
        session.define(incarnation(), deadline)?;
        for statement in statement::parts(include_str!("schema.sql")) {
            session.define(statement, deadline)?;
        }
        Ok(true)
    })
}

/// Returns true if none of these tables has a row.
fn are_empty<R: Row>(
    names: &[String],
    mut ask: impl FnMut(&str, &[(&str, Value)]) -> Result<Vec<R>, R::Fault>,
) -> Result<bool, R::Fault> {
    for name in names {
        let rows = ask(&format!("SELECT EXISTS (SELECT * FROM {name})"), &[])?;
        if rows.first().is_some_and(|row| row.flag(0).unwrap_or(true)) {
            return Ok(false);
        }
    }
    Ok(true)
}
