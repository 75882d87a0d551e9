//! Statements with named parameters. Values are sent as literals, so that a statement is one
//! request. Texts are sent as hexadecimal digits: no text can end its literal, in any SQL mode.

use std::fmt::Write;

pub(super) use crate::store::parameters::Value;
use crate::store::parameters::{self, filled, named};

pub(super) struct Statement(String);

impl Statement {
    pub(super) fn plain(text: &str) -> Statement {
        Statement::new(text, &[])
    }

    /// Fills in a value for each name in the statement of a file.
    pub(super) fn new(file: &str, values: &[(&str, Value)]) -> Statement {
        let text = filled(file, |name| literal(named(values, name)));
        Statement(text.trim().to_owned())
    }

    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// Joins statements into one text.
    pub(super) fn joined<'a>(statements: impl IntoIterator<Item = &'a Statement>) -> String {
        statements.into_iter().map(|statement| statement.0.as_str()).collect::<Vec<_>>().join(";\n")
    }
}

/// Returns the value of a realm or an owner, whose columns hold bytes.
pub(super) fn bytes(name: &str) -> Value {
    Value::from(name.as_bytes())
}

fn literal(value: &Value) -> String {
    match value {
        Value::Text(None) | Value::Name(None) | Value::Number(None) => "NULL".to_owned(),
        Value::Text(Some(text)) => format!("_ascii {}", hexadecimal(text.as_bytes())),
        Value::Name(Some(name)) => hexadecimal(name.as_bytes()),
        Value::Bytes(bytes) => hexadecimal(bytes),
        Value::Number(Some(number)) => number.to_string(),
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    let mut literal = String::with_capacity(3 + 2 * bytes.len());
    literal.push_str("x'");
    for byte in bytes {
        write!(literal, "{byte:02x}").expect("a string takes everything");
    }
    literal.push('\'');
    literal
}

/// Returns the statements of a schema. Blank lines separate them.
pub(super) fn parts(file: &str) -> impl Iterator<Item = Statement> + '_ {
    parameters::parts(file).map(|text| Statement::plain(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_value_ends_its_literal() {
        for (value, expected) in [
            (Value::from("o"), "_ascii x'6f'"),
            (bytes("'; DROP"), "x'273b2044524f50'"),
            (Value::from(&[0, 255][..]), "x'00ff'"),
            (Value::from(&[][..]), "x''"),
            (Value::from(-1_i64), "-1"),
            (Value::from(u64::MAX), "-1"),
            (Value::from(None::<u64>), "NULL"),
            (Value::Text(None), "NULL"),
        ] {
            assert_eq!(literal(&value), expected);
        }
    }

    #[test]
    fn a_schema_has_its_statements_whole() {
        let parts: Vec<_> = parts(include_str!("schema.sql")).map(|part| part.0).collect();
        assert_eq!(parts.len(), 5, "{parts:#?}");
        for part in parts {
            let begins = ["CREATE ", "SET ", "INSERT "].iter().any(|it| part.starts_with(it));
            assert!(begins, "{part}");
        }
    }
}
