//! Compares the columns that our schema declares with those that a database has.

#[cfg(doc)]
use snowmint_engine::Code;

use crate::error::Error;
use crate::store::remote::errors;
use crate::store::sql::Row;

/// The name under which a table's primary key is checked like a column.
const KEY: &str = "PRIMARY KEY";

struct Declared<'a> {
    table: &'a str,
    name: &'a str,
    kind: &'a str,
    /// The whole declaration.
    text: &'a str,
}

/// A column that the database has.
struct Found {
    table: String,
    name: String,
    kind: String,
}

/// Checks that the database has each column of a schema, with its type, and each primary key. A row
/// has a table, a column and its type.
///
/// # Errors
/// [`Code::StoreSchema`], which names the first difference.
pub(crate) fn check<R: Row>(schema: &str, rows: &[R]) -> Result<(), R::Fault> {
    let found = |row: &R| Ok(Found { table: row.text(0)?, name: row.text(1)?, kind: row.text(2)? });
    let found = rows.iter().map(found).collect::<Result<Vec<_>, R::Fault>>()?;
    Ok(check_found(schema, &found)?)
}

fn check_found(schema: &str, found: &[Found]) -> Result<(), Error> {
    for Declared { table, name, kind, text } in declared(schema) {
        let is_same = |it: &&Found| it.table == table && it.name == name;
        match found.iter().find(is_same) {
            Some(it) if it.kind == kind => {}
            Some(it) => return Err(errors::column_of_another_type(name, table, &it.kind, kind)),
            None if name == KEY => return Err(errors::primary_key_missing(table)),
            None => return Err(errors::column_missing(name, table, text)),
        }
    }
    Ok(())
}

/// Parses a schema that has one column a line, and blank lines between its statements.
fn declared(schema: &str) -> Vec<Declared<'_>> {
    let mut all = Vec::new();
    for part in schema.split("\n\n") {
        let Some((_, create)) = part.split_once("CREATE TABLE IF NOT EXISTS ") else { continue };
        let Some((table, columns)) = create.split_once(" (") else { continue };
        all.extend(columns.lines().filter_map(|line| column(table, line)));
        if columns.contains(KEY) {
            all.push(Declared { table, name: KEY, kind: "constraint", text: KEY });
        }
    }
    all
}

/// Parses a line that begins with a column's name.
fn column<'a>(table: &'a str, line: &'a str) -> Option<Declared<'a>> {
    let text = line.split(" --").next().unwrap_or_default().trim().trim_end_matches(',');
    let (name, kind) = text.split_once(' ')?;
    let is_name = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    let kind = kind.trim_start().split([' ', '(']).next().unwrap_or_default();
    is_name.then_some(Declared { table, name, kind, text })
}

#[cfg(test)]
mod tests {
    use snowmint_engine::Code;

    use super::*;

    const SCHEMA: &str = "-- Of tests.\n\nCREATE TABLE IF NOT EXISTS a (\n    name  text COLLATE \"C\" \
                          NOT NULL, -- why\n    size_ms varchar(9),\n    PRIMARY KEY (name),\n    \
                          CHECK (size_ms > 0)\n)\n\nINSERT INTO a";

    fn found(columns: &[(&str, &str)]) -> Vec<Found> {
        let found = |&(name, kind): &(&str, &str)| Found {
            table: "a".to_owned(),
            name: name.to_owned(),
            kind: kind.to_owned(),
        };
        columns.iter().map(found).collect()
    }

    #[test]
    fn a_missing_or_altered_column_is_named() {
        let whole = [("name", "text"), ("size_ms", "varchar"), (KEY, "constraint"), ("more", "x")];
        check_found(SCHEMA, &found(&whole)).unwrap();
        for (missing, says) in [
            (
                0,
                "has lost its column name, or hides it from this user: put it back as it was, with its values (name  text",
            ),
            (1, "(size_ms varchar(9))"),
            (2, "a has lost its primary key"),
        ] {
            let mut columns = whole.to_vec();
            columns.remove(missing);
            let error = check_found(SCHEMA, &found(&columns)).unwrap_err();
            assert!(error.to_string().contains(says), "{error}");
            assert_eq!(error.code(), Code::StoreSchema);
        }
        let other = [("name", "bytea"), ("size_ms", "varchar"), (KEY, "constraint")];
        let error = check_found(SCHEMA, &found(&other)).unwrap_err();
        assert!(error.to_string().contains("name of a is of type bytea, and has to be of text"));
    }
}
