//! The errors of other generators' tables, with their messages.

use std::fmt::Display;

use snowmint_engine::Code;

use crate::error::Error;

// Settings.

pub(super) fn dialect_missing() -> Error {
    let message = "table= names another generator's table: say whose, by dialect=";
    Error::new(Code::InvalidParameter, message)
}

pub(super) fn dialect_without_table(dialect: impl Display) -> Error {
    let message = format!("dialect={dialect} has no table: the tag names the sequence; drop table");
    Error::new(Code::InvalidParameter, message)
}

pub(super) fn table_name_malformed(text: &str) -> Error {
    let message = format!("table={text:?} names no table: write TABLE or SCHEMA.TABLE");
    Error::new(Code::InvalidParameter, message)
}

/// `create=true` makes only tables of snowmint.
pub(in crate::store) fn tables_of_owner_not_created(dialect: impl Display) -> Error {
    let message = format!(
        "create=true makes the tables of snowmint, and dialect={dialect} is for its owner's: make \
         those by the owner's script, and drop create"
    );
    Error::new(Code::InvalidParameter, message)
}

#[cfg(feature = "postgres")]
pub(in crate::store) fn parameter_of_own_tables(dialect: impl Display, parameter: &str) -> Error {
    let message = format!(
        "{parameter} is of the tables of snowmint, and dialect={dialect} takes its owner's, as the \
         search_path finds them: drop {parameter}"
    );
    Error::new(Code::InvalidParameter, message)
}

pub(in crate::store) fn dialect_without_worker_ids(dialect: impl Display) -> Error {
    let message = format!(
        "dialect={dialect} is for numbers of tags, as segment+ has them: the tables have no worker \
         IDs; lease those from a store without a dialect, or by dialect=worker-node"
    );
    Error::new(Code::InvalidParameter, message)
}

pub(in crate::store) fn dialect_without_numbers(dialect: impl Display) -> Error {
    let message = format!(
        "dialect={dialect} is for worker IDs, as snowflake+ leases them: the table has no numbers \
         of tags; take those from a store without a dialect, or by another dialect"
    );
    Error::new(Code::InvalidParameter, message)
}

#[cfg(feature = "mysql")]
pub(in crate::store) fn sequences_missing(dialect: impl Display) -> Error {
    let message = format!(
        "dialect={dialect} is for PostgreSQL: MySQL has no sequences, and MariaDB loses committed \
         values of its own in a crash, and gives them again: take a tag of a table (dialect=leaf), \
         or of snowmint's own (without dialect)"
    );
    Error::new(Code::Unsupported, message)
}

/// For what needs tables that record their server.
pub(in crate::store) fn dialect_without_incarnation(dialect: impl Display) -> Error {
    let message = format!(
        "dialect={dialect}: its tables do not tell which server they are on, so nothing is refused \
         after a failover: raise each tag above all that is in use"
    );
    Error::new(Code::Unsupported, message)
}

// A table as a whole. `columns` are those of its owner's form.

pub(in crate::store) fn table_missing(table: impl Display) -> Error {
    let message = format!(
        "there is no table {table} that this user may see: check database, schema and rights, name \
         it by table= if it is called otherwise, or make it by its owner's script"
    );
    Error::new(Code::StoreMissing, message)
}

pub(in crate::store) fn right_missing(said: &str, rights: &str) -> Error {
    let message = format!("this user may not do that ({said}): GRANT {rights}");
    Error::new(Code::StoreDenied, message)
}

pub(super) fn columns_missing(table: impl Display, columns: &[&str], missing: &[&str]) -> Error {
    table_odd(table, columns, &format!("lacks {}", missing.join(", ")))
}

pub(super) fn column_not_whole(
    table: impl Display,
    columns: &[&str],
    name: &str,
    kind: &str,
) -> Error {
    let what = format!("has {name} of type {kind}, which has to be bigint or int");
    table_odd(table, columns, &what)
}

/// The table is to be altered by its name in a statement.
#[cfg(feature = "postgres")]
pub(in crate::store) fn table_not_kept(
    table: impl Display,
    columns: &[&str],
    in_statement: &str,
) -> Error {
    let what = format!(
        "is a view, or is unlogged or temporary, or a part of it is, and a crash empties it: name \
         the table itself by table=, or ALTER TABLE {in_statement} SET LOGGED"
    );
    table_odd(table, columns, &what)
}

#[cfg(feature = "mysql")]
pub(in crate::store) fn table_is_view(table: impl Display, columns: &[&str]) -> Error {
    table_odd(table, columns, "is a view: name the table itself by table=")
}

/// The table is to be altered by its name in a statement.
#[cfg(feature = "mysql")]
pub(in crate::store) fn table_without_transactions(
    table: impl Display,
    columns: &[&str],
    in_statement: &str,
    (engine, right): (&str, &str),
) -> Error {
    let what = format!(
        "is kept by {engine}, which has no transactions (ALTER TABLE {in_statement} ENGINE = \
         {right})"
    );
    table_odd(table, columns, &what)
}

pub(in crate::store) fn table_refuses(
    table: impl Display,
    columns: &[&str],
    said: impl Display,
) -> Error {
    table_odd(table, columns, &format!("refuses this ({said})"))
}

pub(in crate::store) fn table_takes_no_row(table: impl Display, columns: &[&str]) -> Error {
    table_odd(table, columns, "takes no row")
}

fn table_odd(table: impl Display, columns: &[&str], what: &str) -> Error {
    let columns = columns.join(", ");
    let message = format!("the table {table} {what}: bring it to its owner's form, with {columns}");
    Error::new(Code::StoreSchema, message)
}

// The row of a tag.

/// What the largest number has to be.
pub(super) const LARGEST: &str = "the largest number in use";
/// What a step or a delta has to be.
pub(super) const COUNT: &str = "a number from 1 to 1073741824";

/// What a remainder has to be, by the delta and its column.
pub(super) fn remainder_of(delta: u64, column: &str) -> String {
    format!("a number from 0 to {}, below {column}", delta - 1)
}

/// `right` is what the number has to be.
pub(super) fn number_out_of_range(
    table: impl Display,
    tag: &str,
    (column, found): (&str, &str),
    right: &str,
) -> Error {
    row_odd(table, tag, &format!("has {column} = {found}: UPDATE it to {right}"))
}

pub(super) fn number_malformed(table: impl Display, tag: &str) -> Error {
    row_odd(table, tag, "has a number that is none")
}

pub(super) fn rows_doubled(table: impl Display, tag: &str, rows: &str, largest: &str) -> Error {
    row_odd(table, tag, &format!("has {rows} rows: leave the one with the largest {largest}"))
}

fn row_odd(table: impl Display, tag: &str, what: &str) -> Error {
    Error::new(Code::StoreSchema, format!("tag {tag} of {table}: {what}"))
}

// What a table cannot keep.

pub(super) fn stride_not_kept(table: impl Display, stride: u64) -> Error {
    let message = format!("{table} has no stride, but 1: {stride} cannot be kept");
    Error::new(Code::Unsupported, message)
}

pub(super) fn step_not_kept(table: impl Display) -> Error {
    let message = format!(
        "{table} keeps no step, which is in its owner's configuration: say step= where a source is \
         opened"
    );
    Error::new(Code::Unsupported, message)
}

pub(super) fn max_not_kept(table: &str, max: u64) -> Error {
    let message = format!("{table} keeps no max for its tags: {max} cannot be kept");
    Error::new(Code::Unsupported, message)
}

pub(super) fn start_too_low(table: impl Display, first: u64, start: u64) -> Error {
    let message = format!("{table} has numbers from {first} on, not {start}");
    Error::new(Code::InvalidRange, message)
}

// Worker IDs.

pub(super) fn worker_ids_used_up(id: i64, max: u32) -> Error {
    let message = format!(
        "the table gives each start a worker ID of its own, this would be number {id}, and the \
         layout ends at {max}: take one with more bits for worker IDs (22 has its owner's), or \
         lease them from a store without a dialect, which gives them again"
    );
    Error::new(Code::WorkersExhausted, message)
}
