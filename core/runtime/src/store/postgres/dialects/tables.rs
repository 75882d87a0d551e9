//! Tables of other generators, used by their owners' statements.

use tokio_postgres::error::SqlState;

use super::super::fault::Fault;
use super::super::session::{Session, Transaction};
use super::super::statement::{Statement, Value};
use crate::error::Result;
use crate::store::dialect::rows::{OwnersTransaction, Statements};
use crate::store::dialect::{OwnersTable, Spelling, Table, errors, worker_node};
use crate::store::remote::deadline::Deadline;
use crate::store::sql::Change;

/// The quotation mark around names.
pub(super) const QUOTE: char = '"';

/// Checks the table.
pub(super) fn look(session: &mut Session, deadline: Deadline, table: &Table) -> Result<(), Fault> {
    Ok(table.check(&columns(session, deadline, table)?)?)
}

/// Returns the names and types of the table's columns. Fails for a table that a crash would empty.
pub(super) fn columns(
    session: &mut Session,
    deadline: Deadline,
    table: &dyn OwnersTable,
) -> Result<Vec<(String, String)>, Fault> {
    let name = table.name().sql(QUOTE);
    let named = [("table", Value::from(name.as_str()))];
    let rows = session.read(&Statement::new(include_str!("columns.sql"), &named), deadline)?;
    let is_kept = rows.first().map_or(Ok(true), |row| row.try_get(2))?;
    if !is_kept {
        return Err(errors::table_not_kept(table.name(), &table.columns(), &name).into());
    }
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}

impl OwnersTransaction for Transaction<'_> {
    const OWNERS: Statements = Statements {
        take: Change::whole(concat!(
            include_str!("../../dialect/take.sql"),
            "RETURNING",
            include_str!("../../dialect/taken.sql")
        )),
        create: concat!(include_str!("../../dialect/create.sql"), "RETURNING TRUE"),
        worker_node: worker_node::Statements {
            insert: &[concat!(
                include_str!("../../dialect/worker_node/insert.sql"),
                "RETURNING CAST(ID AS bigint), ",
                "CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint)"
            )],
            renew: &[concat!(
                include_str!("../../dialect/worker_node/renew.sql"),
                "RETURNING ",
                "CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint)"
            )],
        },
    };
    const SPELLING: Spelling = Spelling {
        quote: QUOTE,
        text: "text",
        integer: "bigint",
        now_s: "floor(extract(epoch FROM now()))",
        updated_s: "extract(epoch FROM CAST(update_time AS timestamptz))",
    };
}

/// Turns a server's error about an owner's table into one that names the table and the cure.
pub(super) fn of_table(fault: Fault, table: &dyn OwnersTable) -> Fault {
    let Some(said) = fault.said() else { return fault };
    let error = match said.state {
        SqlState::UNDEFINED_TABLE | SqlState::INVALID_SCHEMA_NAME => {
            errors::table_missing(table.name())
        }
        SqlState::INSUFFICIENT_PRIVILEGE => errors::right_missing(&said.message, &table.rights()),
        SqlState::UNDEFINED_COLUMN
        | SqlState::UNDEFINED_FUNCTION
        | SqlState::DATATYPE_MISMATCH
        | SqlState::WRONG_OBJECT_TYPE
        | SqlState::CHECK_VIOLATION
        | SqlState::NOT_NULL_VIOLATION
        | SqlState::NUMERIC_VALUE_OUT_OF_RANGE
        | SqlState::STRING_DATA_RIGHT_TRUNCATION => {
            errors::table_refuses(table.name(), &table.columns(), &said.message)
        }
        _ => return fault,
    };
    error.into()
}
