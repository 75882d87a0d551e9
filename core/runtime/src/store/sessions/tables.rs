//! Checks snowmint's tables, or makes them.

use std::sync::{Mutex, PoisonError};

use super::transaction::Transaction;
use super::{Database, Fault, errors};
use crate::error::Error;
use crate::store::sql::Row as _;
use crate::store::{mysql, parameters, postgres, sqlite};

/// The number of snowmint's tables.
const TABLES: i64 = 3;

const SQLITE_LOOK: &str = "SELECT count(*) FROM sqlite_schema WHERE type = 'table'
    AND name IN ('snowmint_schema', 'snowmint_segment', 'snowmint_worker')";

/// Returns true if all tables are there, and fails if those of a server are not as they should be.
pub(super) fn are_there(transaction: &mut Transaction<'_>) -> Result<bool, Fault> {
    match transaction.database() {
        Database::Postgres => {
            let schema = &transaction.terms().schema;
            postgres::tables::are_found(schema, |file, of| transaction.run(file, of))
        }
        Database::Mysql => {
            let mut look = || mysql::tables::are_found(|file, of| transaction.run(file, of));
            match look() {
                // Another process may have been making the tables during the first look.
                Err(Fault::Refused(_)) => look(),
                found => found,
            }
        }
        Database::Sqlite | Database::H2 => Ok(count(transaction)? == TABLES),
    }
}

/// Returns how many of the tables are there, without a server.
fn count(transaction: &mut Transaction<'_>) -> Result<i64, Fault> {
    let file = match transaction.database() {
        Database::H2 => include_str!("h2/look.sql"),
        _ => SQLITE_LOOK,
    };
    let found = transaction.run(file, &[])?;
    Ok(found.first().map(|row| row.number(0)).transpose()?.unwrap_or_default())
}

/// Fails unless the tables are as they should be, where that can be told before their use.
pub(super) fn check(transaction: &mut Transaction<'_>) -> Result<(), Fault> {
    if transaction.is_of_server() && !are_there(transaction)? {
        return Err(transaction.session().without_tables().into());
    }
    Ok(())
}

/// Makes the tables, unless another process was faster.
pub(super) fn make(transaction: &mut Transaction<'_>) -> Result<(), Fault> {
    // H2 commits each table by itself. Without a server, one process has it to itself.
    static TURN: Mutex<()> = Mutex::new(());
    match transaction.database() {
        Database::Postgres => {
            let (schema, asked) = (&transaction.terms().schema, transaction.is_synchronous());
            postgres::tables::make_in(schema, asked, |file, of| transaction.run(file, of)).map(drop)
        }
        Database::Mysql => {
            let bound = transaction.bound();
            let given = transaction.run(include_str!("../mysql/schema_lock.sql"), &bound)?.pop();
            if !given.unwrap_or_default().flag(0)? {
                return Err(mysql::errors::tables_contended().into());
            }
            transaction.session().at_end(include_str!("../mysql/schema_unlock.sql"))?;
            make_missing(transaction, parameters::parts(include_str!("../mysql/schema.sql")))
        }
        Database::Sqlite => make_missing(transaction, sqlite::file::statements()),
        Database::H2 => {
            let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
            make_missing(transaction, parameters::parts(include_str!("h2/schema.sql")))
        }
    }
}

fn make_missing(
    transaction: &mut Transaction<'_>,
    parts: impl Iterator<Item = String>,
) -> Result<(), Fault> {
    if are_there(transaction)? {
        return Ok(());
    }
    if !transaction.is_of_server() && count(transaction)? > 0 {
        return Err(errors::tables_incomplete().into());
    }
    for part in parts {
        transaction.run(&part, &[])?;
    }
    Ok(())
}

/// Returns the error for a table about the database that has lost its row.
pub(super) fn row_lost(transaction: &Transaction<'_>) -> Error {
    match transaction.database() {
        Database::Postgres => postgres::tables::row_lost(&transaction.terms().schema),
        Database::Mysql => mysql::tables::row_lost(),
        Database::Sqlite | Database::H2 => sqlite::errors::key_space_lost(),
    }
}
