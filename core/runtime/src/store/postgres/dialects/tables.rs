//! Tables of other generators, used by their owners' statements.

use tokio_postgres::Row;
use tokio_postgres::error::SqlState;

use super::super::fault::Fault;
use super::super::session::{Session, Transaction};
use super::super::statement::{Statement, Value};
use crate::error::Result;
use crate::store::dialect::{Owner, OwnersTable, Table, Texts, Words, errors};
use crate::store::remote::deadline::Deadline;
use crate::store::{
    Allocation, AllocationRequest, Judged, Tag, TagChange, TagOptions, TagRow, tag_exists,
};

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

pub(super) fn tag(
    session: &mut Session,
    deadline: Deadline,
    table: &Table,
    tag: &Tag,
) -> Result<Option<TagRow>, Fault> {
    let rows = texts(&session.read(&select(table, Some(tag)), deadline)?)?;
    let found = table.only(tag, &rows)?.map(|texts| table.found(texts));
    Ok(found.transpose()?.map(|found| found.row))
}

/// Returns all rows, each as a tag or with the reason why it gives no ranges.
pub(super) fn judged(
    session: &mut Session,
    deadline: Deadline,
    table: &Table,
) -> Result<Vec<Judged>, Fault> {
    Ok(table.judged(&texts(&session.read(&select(table, None), deadline)?)?))
}

pub(super) fn create(
    transaction: &mut Transaction<'_>,
    table: &Table,
    tag: &Tag,
    options: TagOptions,
) -> Result<(), Fault> {
    let new = table.new_row(options)?;
    let values = [
        ("tag", Value::from(tag.as_str())),
        ("max", new.max.into()),
        ("step", new.step.into()),
        ("delta", new.delta.into()),
        ("remainder", new.remainder.into()),
    ];
    match transaction.rows(statement(table, include_str!("create.sql"), &values)) {
        Ok(rows) if !rows.is_empty() => Ok(()),
        Err(fault) if !fault.is_duplicate() => Err(fault),
        _ => Err(tag_exists(tag).into()),
    }
}

/// Raises a tag, or changes its step.
pub(super) fn change(
    transaction: &mut Transaction<'_>,
    table: &Table,
    tag: &Tag,
    change: TagChange,
) -> Result<TagRow, Fault> {
    let max = table.new_max(tag, change)?;
    let values =
        [("tag", Value::from(tag.as_str())), ("max", max.into()), ("step", change.step.into())];
    transaction.rows(statement(table, include_str!("change.sql"), &values))?;
    let rows = transaction.rows(select(table, Some(tag)))?;
    Ok(table.changed(tag, change, max, &texts(&rows)?)?)
}

/// Fills the table's names and the values into the statement of a file.
fn statement(table: &Table, file: &str, values: &[(&str, Value)]) -> Statement {
    Statement::new(&table.statement(file, &words(table.owner)), values)
}

fn words(owner: Owner) -> Words {
    const UPDATED: &str = "extract(epoch FROM CAST(update_time AS timestamptz)) * 1000";
    match owner {
        Owner::Leaf => Words {
            quote: QUOTE,
            touch: ", update_time = now()",
            updated: UPDATED,
            columns: ", step, update_time",
            values: ", :step, now()",
        },
        Owner::Tinyid => Words {
            quote: QUOTE,
            touch: ", version = version + 1, update_time = now()",
            updated: UPDATED,
            columns: ", begin_id, step, delta, remainder, version, create_time, update_time",
            values: ", :max, :step, :delta, :remainder, 1, now(), now()",
        },
        Owner::Netease => {
            Words { quote: QUOTE, touch: "", updated: "0", columns: ", step", values: ", :step" }
        }
        Owner::Cosid => Words {
            quote: QUOTE,
            touch: ", last_fetch_time = floor(extract(epoch FROM now()))",
            updated: "last_fetch_time * 1000",
            columns: ", last_fetch_time",
            values: ", floor(extract(epoch FROM now()))",
        },
    }
}

fn texts(rows: &[Row]) -> Result<Vec<Texts>, Fault> {
    let texts = |row: &Row| (0..row.len()).map(|at| Ok(row.try_get(at)?)).collect();
    rows.iter().map(texts).collect()
}

fn select(table: &Table, tag: Option<&Tag>) -> Statement {
    let tag = Value::Text(tag.map(|tag| tag.as_str().to_owned()));
    statement(table, include_str!("tags.sql"), &[("tag", tag)])
}

/// Runs the statement that takes a range, but on no row, so that the server checks it.
pub(super) fn take_none(transaction: &mut Transaction<'_>, table: &Table) -> Result<(), Fault> {
    transaction.rows(take_of(table, Value::Text(None), None)).map(drop)
}

fn take_of(table: &Table, tag: Value, count: Option<u64>) -> Statement {
    let values = [("tag", tag), ("count", count.into()), ("last", table.last().into())];
    statement(table, include_str!("take.sql"), &values)
}

/// Takes the next range for each request. The requests are sorted by tag.
pub(super) fn take(
    transaction: &mut Transaction<'_>,
    table: &Table,
    requests: &[&AllocationRequest],
) -> Result<Vec<Result<Allocation>>, Fault> {
    let takes = requests
        .iter()
        .map(|request| take_of(table, Value::from(request.tag.as_str()), request.count));
    let takes: Vec<_> = takes.collect();
    let taken = transaction.all(takes)?;
    let mut answers = Vec::with_capacity(requests.len());
    for (request, rows) in requests.iter().zip(taken) {
        answers.push(match table.only(&request.tag, &texts(&rows)?)? {
            Some(taken) => Ok(table.allocation(&request.tag, taken)?),
            None => {
                let rows = transaction.rows(select(table, Some(&request.tag)))?;
                Err(table.refusal(request, &texts(&rows)?))
            }
        });
    }
    Ok(answers)
}

/// Turns a server's error about an owner's table into one that names the table and the cure.
pub(super) fn of_table(fault: Fault, table: &dyn OwnersTable) -> Fault {
    let Some(said) = fault.said() else { return fault };
    let error = match *said.code() {
        SqlState::UNDEFINED_TABLE | SqlState::INVALID_SCHEMA_NAME => {
            errors::table_missing(table.name())
        }
        SqlState::INSUFFICIENT_PRIVILEGE => errors::right_missing(said.message(), &table.rights()),
        SqlState::UNDEFINED_COLUMN
        | SqlState::UNDEFINED_FUNCTION
        | SqlState::DATATYPE_MISMATCH
        | SqlState::WRONG_OBJECT_TYPE
        | SqlState::CHECK_VIOLATION
        | SqlState::NOT_NULL_VIOLATION
        | SqlState::NUMERIC_VALUE_OUT_OF_RANGE
        | SqlState::STRING_DATA_RIGHT_TRUNCATION => {
            errors::table_refuses(table.name(), &table.columns(), said.message())
        }
        _ => return fault,
    };
    error.into()
}
