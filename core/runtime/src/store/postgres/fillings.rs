//! Reads from the catalogue what fills columns of other tables: defaults, identities and sequences.

use tokio_postgres::Row;

use super::dialects::quoted;
use super::errors::sequences;
use super::fault::Fault;
use super::session::Session;
use super::statement::{Statement, Value};
use crate::store::remote::deadline::Deadline;
use crate::store::{Column, Filling, Fills};

pub(super) fn read(
    session: &mut Session,
    deadline: Deadline,
    fills: Fills<'_>,
) -> Result<Vec<Filling>, Fault> {
    let text = |text: Option<String>| Value::Text(text);
    let (table, column, sequence) = match fills {
        Fills::Column(column) => {
            (Some(column.quoted_table('"')), Some(column.parts().2.to_owned()), None)
        }
        Fills::Sequence(tag) => (None, None, Some(quoted(tag)?)),
    };
    let values = [("table", text(table)), ("column", text(column)), ("sequence", text(sequence))];
    let asked = Statement::new(include_str!("fillings.sql"), &values);
    let found = session.read(&asked, deadline)?;
    let mut fillings = found.iter().map(filling).collect::<Result<Vec<_>, Fault>>()?;
    // What fills a column has an end.
    if let Fills::Column(column) = fills
        && fillings.iter().all(|it| it.end.is_none())
    {
        for row in session.read(&of(column), deadline)? {
            fillings.extend(by_default(&row)?);
        }
    }
    Ok(fillings)
}

/// Returns the query for a column: its type comes first.
pub(super) fn of(column: &Column) -> Statement {
    let (table, (_, _, name)) = (column.quoted_table('"'), column.parts());
    let named = [("table", Value::from(table.as_str())), ("column", name.into())];
    Statement::new(include_str!("column.sql"), &named)
}

/// Returns a default that draws on no sequence. Its numbers are unknown, so they are compared with
/// nothing.
fn by_default(row: &Row) -> Result<Option<Filling>, Fault> {
    let (table, column): (String, String) = (row.try_get(2)?, row.try_get(3)?);
    let end = Some(format!("ALTER TABLE {table} ALTER COLUMN {column} DROP DEFAULT"));
    let filling = Filling { column: format!("{table}.{column}"), sequence: None, last: None, end };
    Ok(row.try_get::<_, bool>(4)?.then_some(filling))
}

fn filling(row: &Row) -> Result<Filling, Fault> {
    let (schema, name): (Option<String>, String) = (row.try_get(0)?, row.try_get(1)?);
    let name = schema.map_or(name.clone(), |schema| format!("{schema}.{name}"));
    let (cycles, is_seen): (bool, bool) = (row.try_get(2)?, row.try_get(3)?);
    let last: Option<String> = row.try_get(4)?;
    let (table, column): (String, String) = (row.try_get(5)?, row.try_get(6)?);
    let end: Option<String> = row.try_get(7)?;
    if !is_seen {
        return Err(sequences::filling_hidden((&table, &column), &name).into());
    }
    if cycles {
        return Err(sequences::filling_cyclic((&table, &column), &name).into());
    }
    Ok(Filling {
        // A sequence of negative numbers does not parse here: all tags lie above its last number.
        last: last.and_then(|last| last.parse().ok()),
        end: end.map(|what| format!("ALTER TABLE {table} ALTER COLUMN {column} {what}")),
        column: format!("{table}.{column}"),
        sequence: Some(name),
    })
}
