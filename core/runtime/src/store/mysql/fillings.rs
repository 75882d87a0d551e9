//! Reads what fills a column of another's table: `AUTO_INCREMENT`, or a default such as a sequence.

use super::fault::Fault;
use super::session::Session;
use super::statement::{Statement, bytes};
use crate::error::Result;
use crate::store::remote::deadline::Deadline;
use crate::store::sql::Row as _;
use crate::store::{Column, Filling};

pub(super) fn read(
    session: &mut Session,
    deadline: Deadline,
    column: &Column,
) -> Result<Option<Filling>, Fault> {
    let found = session.read(&of(column), deadline)?;
    let Some(row) = found.first() else { return Ok(None) };
    let (table, name) = (column.quoted_table('`'), column.quoted_name('`'));
    let (last, end) = if row.is_one(2) {
        let shown =
            session.read(&Statement::plain(&format!("SHOW CREATE TABLE {table}")), deadline)?;
        let text = shown.first().map(|row| row.text(1)).transpose()?;
        let next = text.as_deref().and_then(next_of);
        let kind = row.text(1)?;
        (next, format!("ALTER TABLE {table} MODIFY {name} {kind} NOT NULL"))
    } else {
        let default = if row.is_null(3) { String::new() } else { row.text(3)? };
        if default.is_empty() || default == "NULL" {
            return Ok(None);
        }
        let next = match sequence_of(&default) {
            Some(sequence) => {
                let next = format!("SELECT next_not_cached_value FROM {sequence}");
                let next = session.read(&Statement::plain(&next), deadline)?;
                let next = next.first().map(|row| row.text(0)).transpose()?;
                next.and_then(|next| next.parse().ok())
            }
            // The numbers of any other default are unknown, so they are compared with nothing.
            None => None,
        };
        (next, format!("ALTER TABLE {table} ALTER COLUMN {name} DROP DEFAULT"))
    };
    let last = last.and_then(|next: u64| next.checked_sub(1));
    Ok(Some(Filling { column: format!("{table}.{name}"), sequence: None, last, end: Some(end) }))
}

/// Returns the query for a column: its type comes first.
pub(super) fn of(column: &Column) -> Statement {
    let (schema, table, name) = column.parts();
    let schema = ("schema", schema.map(str::as_bytes).into());
    let named = [schema, ("table", bytes(table)), ("column", bytes(name))];
    Statement::new(include_str!("column.sql"), &named)
}

/// Parses the next `AUTO_INCREMENT` of a table, from the options after its columns.
fn next_of(create: &str) -> Option<u64> {
    let (_, options) = create.rsplit_once("\n) ")?;
    let (_, next) = options.split_once(" AUTO_INCREMENT=")?;
    next.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// Returns the sequence that a default draws from, in the server's own quotes.
fn sequence_of(default: &str) -> Option<&str> {
    default.strip_prefix("nextval(")?.strip_suffix(')')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_columns_next_value_or_sequence_is_read_from_its_definition() {
        let create =
            "CREATE TABLE `t` (\n `id` int AUTO_INCREMENT\n) ENGINE=InnoDB AUTO_INCREMENT=7";
        assert_eq!(next_of(create), Some(7));
        assert_eq!(next_of("CREATE TABLE `t` (\n `id` int\n) ENGINE=InnoDB"), None);
        assert_eq!(sequence_of("nextval(`shop`.`a`)"), Some("`shop`.`a`"));
        assert_eq!(sequence_of("0"), None);
    }
}
