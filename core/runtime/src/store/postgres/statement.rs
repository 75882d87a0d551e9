//! Statements with named parameters, which are numbered on the way to the server.

use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row};

pub(super) use crate::store::parameters::Value;
use crate::store::parameters::{filled, named};

/// A statement with its values. It has no name at the server, because a pooler may give each
/// transaction another connection.
#[derive(Clone)]
pub(super) struct Statement {
    text: String,
    values: Vec<Value>,
}

impl Statement {
    pub(super) fn plain(text: &str) -> Statement {
        Statement { text: text.to_owned(), values: Vec::new() }
    }

    /// Fills in a value for each name in the statement of a file.
    pub(super) fn new(file: &str, values: &[(&str, Value)]) -> Statement {
        let (text, names) = numbered(file);
        let values = names.into_iter().map(|name| named(values, name).clone()).collect();
        Statement { text, values }
    }

    /// Returns the text with its values in it, for a client without parameters.
    pub(super) fn with_literals(&self) -> String {
        let mut text = self.text.trim().to_owned();
        // Backwards, because $1 is also the beginning of $10.
        for (at, value) in self.values.iter().enumerate().rev() {
            text = text.replace(&format!("${}", at + 1), &literal(value));
        }
        text
    }

    /// Runs the statement, and waits for all of its rows.
    pub(super) async fn ask(&self, client: &Client) -> Result<Vec<Row>, tokio_postgres::Error> {
        let values: Vec<_> = self.values.iter().map(typed).collect();
        client.query_typed(&self.text, &values).await
    }
}

fn literal(value: &Value) -> String {
    match value {
        Value::Text(Some(text)) | Value::Name(Some(text)) => {
            format!("'{}'", text.replace('\'', "''"))
        }
        Value::Number(Some(number)) => number.to_string(),
        Value::Bytes(bytes) => {
            let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("'\\x{digits}'")
        }
        Value::Text(None) | Value::Name(None) | Value::Number(None) => "NULL".to_owned(),
    }
}

fn typed(value: &Value) -> (&(dyn ToSql + Sync), Type) {
    match value {
        Value::Text(text) | Value::Name(text) => (text, Type::TEXT),
        Value::Number(number) => (number, Type::INT8),
        Value::Bytes(bytes) => (bytes, Type::BYTEA),
    }
}

/// Replaces the first name by `$1`, and so on. A name that occurs again keeps its number.
fn numbered(file: &str) -> (String, Vec<&str>) {
    let mut names = Vec::new();
    let text = filled(file, |name| {
        let at = names.iter().position(|known| *known == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        });
        format!("${}", at + 1)
    });
    (text, names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_number() {
        let (text, names) = numbered("SELECT CAST(:first AS text) || :second_1,:first");
        assert_eq!(names, ["first", "second_1"]);
        assert_eq!(text, "SELECT CAST($1 AS text) || $2,$1\n");
    }
}
