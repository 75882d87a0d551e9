//! The errors of other generators' tables, with their messages.

use std::fmt::Display;

// Settings.

errors! {
    dialect_missing() => InvalidParameter:
        "table= names another generator's table: say whose, by dialect=";

    dialect_without_table(dialect: impl Display) => InvalidParameter:
        "dialect={dialect} has no table: the tag names the sequence; drop table";

    table_name_malformed(text: &str) => InvalidParameter:
        "table={text:?} names no table: write TABLE or SCHEMA.TABLE";

    /// `create=true` makes only tables of snowmint.
    tables_of_owner_not_created(dialect: impl Display) => InvalidParameter:
        "create=true makes the tables of snowmint, and dialect={dialect} is for its owner's: make \
         those by the owner's script, and drop create";

    key_space_of_own_tables(dialect: impl Display) => InvalidParameter:
        "key_space is the identity of tables of snowmint, and those of dialect={dialect} have none: \
         drop key_space";

    parameter_of_own_tables(dialect: impl Display, parameter: &str) => InvalidParameter:
        "{parameter} is of the tables of snowmint, and dialect={dialect} takes its owner's, as the \
         search_path finds them: drop {parameter}";

    dialect_without_worker_ids(dialect: impl Display) => InvalidParameter:
        "dialect={dialect} is for numbers of tags, as segment+ has them: the tables have no worker \
         IDs; lease those from a store without a dialect, or by dialect=worker-node";

    dialect_without_numbers(dialect: impl Display) => InvalidParameter:
        "dialect={dialect} is for worker IDs, as snowflake+ leases them: the table has no numbers \
         of tags; take those from a store without a dialect, or by another dialect";

    sequences_missing(dialect: impl Display) => Unsupported:
        "dialect={dialect} is for PostgreSQL. MySQL has no sequences, and MariaDB loses committed \
         values of its own in a crash, and gives them again. Take a tag of a table (dialect=leaf), \
         or of snowmint's own (without dialect)";

    /// For what needs tables that record their server.
    dialect_without_incarnation(dialect: impl Display) => Unsupported:
        "dialect={dialect}: its tables do not tell which server they are on, so nothing is refused \
         after a failover: raise each tag above all that is in use";

    // A table as a whole. `columns` are those of its owner's form.

    table_missing(table: impl Display) => StoreMissing:
        "there is no table {table} that this user may see: check database, schema and rights, name \
         it by table= if it is called otherwise, or make it by its owner's script";

    right_missing(said: &str, rights: &str) => StoreDenied:
        "this user may not do that ({said}): GRANT {rights}";

    columns_missing(
        table: impl Display,
        columns: &[&str],
        missing: &[&str],
    ) => table_odd(table, columns):
        "lacks {}", missing.join(", ");

    column_not_whole(
        table: impl Display,
        columns: &[&str],
        name: &str,
        kind: &str,
    ) => table_odd(table, columns):
        "has {name} of type {kind}, which has to be bigint or int";

    /// The table is to be altered by its name in a statement.
    table_not_kept(
        table: impl Display,
        columns: &[&str],
        in_statement: &str,
    ) => table_odd(table, columns):
        "is a view, or is unlogged or temporary, or a part of it is, and a crash empties it: name \
         the table itself by table=, or ALTER TABLE {in_statement} SET LOGGED";

    table_is_view(table: impl Display, columns: &[&str]) => table_odd(table, columns):
        "is a view: name the table itself by table=";

    /// The table is to be altered by its name in a statement.
    table_without_transactions(
        table: impl Display,
        columns: &[&str],
        in_statement: &str,
        (engine, right): (&str, &str),
    ) => table_odd(table, columns):
        "is kept by {engine}, which has no transactions (ALTER TABLE {in_statement} ENGINE = \
         {right})";

    table_refuses(
        table: impl Display,
        columns: &[&str],
        said: impl Display,
    ) => table_odd(table, columns):
        "refuses this ({said})";

    table_takes_no_row(table: impl Display, columns: &[&str]) => table_odd(table, columns):
        "takes no row";

    table_odd(table: impl Display, columns: &[&str], what: &str) => StoreSchema:
        "the table {table} {what}: bring it to its owner's form, with {}", columns.join(", ");
}

// The row of a tag.

/// The expected value of the largest number.
pub(super) const LARGEST: &str = "the largest number in use";
/// The expected value of a step or a delta.
pub(super) const COUNT: &str = "a number from 1 to 1073741824";

/// Returns the expected value of a remainder, by the delta and its column.
pub(super) fn remainder_of(delta: u64, column: &str) -> String {
    format!("a number from 0 to {}, below {column}", delta - 1)
}

errors! {
    /// `right` is what the number has to be.
    number_out_of_range(
        table: impl Display,
        tag: &str,
        (column, found): (&str, &str),
        right: &str,
    ) => row_odd(table, tag):
        "has {column} = {found}: UPDATE it to {right}";

    number_malformed(table: impl Display, tag: &str) => row_odd(table, tag):
        "has a number that is none";

    rows_doubled(table: impl Display, tag: &str, rows: &str, largest: &str) => row_odd(table, tag):
        "has {rows} rows: leave the one with the largest {largest}";

    row_odd(table: impl Display, tag: &str, what: &str) => StoreSchema:
        "tag {tag} of {table}: {what}";

    // Settings that a table cannot keep.

    stride_not_kept(table: impl Display, stride: u64) => Unsupported:
        "{table} has no stride, but 1: {stride} cannot be kept";

    step_not_kept(table: impl Display) => Unsupported:
        "{table} keeps no step, which is in its owner's configuration: say step= where a source is \
         opened";

    max_not_kept(table: &str, max: u64) => Unsupported:
        "{table} keeps no max for its tags: {max} cannot be kept";

    start_too_low(table: impl Display, first: u64, start: u64) => InvalidRange:
        "{table} has numbers from {first} on, not {start}";

    // Worker IDs.

    worker_ids_used_up(id: i64, max: u32) => WorkersExhausted:
        "the table gives each start a worker ID of its own, this would be number {id}, and the \
         layout ends at {max}. Take one with more bits for worker IDs (22 has its owner's), or \
         lease them from a store without a dialect, which gives them again";
}
