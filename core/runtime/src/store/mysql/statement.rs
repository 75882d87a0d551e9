//! Our statements: their parameters have names in the files, and are literals on the way to the
//! server, so that a statement is one question. Text is in hexadecimal digits: nothing in it can
//! end its literal, whatever the server's mode.

use std::fmt::Write;

/// A statement with its values.
pub(super) struct Statement(String);

/// What a parameter stands for.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// Of ASCII, as tags are.
    Text(Option<String>),
    Bytes(Vec<u8>),
    Number(Option<i64>),
}

impl Statement {
    /// A statement without parameters.
    pub(super) fn plain(text: &str) -> Statement {
        Statement::new(text, &[])
    }

    /// The statement of a file, with a value for each name in it.
    pub(super) fn new(file: &str, values: &[(&str, Value)]) -> Statement {
        let value = |name: &str| {
            let found = values.iter().find(|(known, _)| *known == name);
            let (_, value) = found.expect("a test asks each file with the values of its caller");
            value.literal()
        };
        Statement(filled(file, value).trim().to_owned())
    }

    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// Several as one text.
    pub(super) fn joined<'a>(statements: impl IntoIterator<Item = &'a Statement>) -> String {
        statements.into_iter().map(|statement| statement.0.as_str()).collect::<Vec<_>>().join(";\n")
    }
}

impl Value {
    fn literal(&self) -> String {
        match self {
            Value::Text(None) | Value::Number(None) => "NULL".to_owned(),
            Value::Text(Some(text)) => format!("_ascii {}", hexadecimal(text.as_bytes())),
            Value::Bytes(bytes) => hexadecimal(bytes),
            Value::Number(Some(number)) => number.to_string(),
        }
    }

    /// A realm or an owner, whose columns hold bytes.
    pub(super) fn name(name: &str) -> Value {
        Value::Bytes(name.as_bytes().to_owned())
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

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(Some(text.to_owned()))
    }
}

impl From<&[u8]> for Value {
    fn from(bytes: &[u8]) -> Value {
        Value::Bytes(bytes.to_owned())
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Number(Some(number))
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Value {
        Value::Number(Some(number.into()))
    }
}

/// Above the range of a column only a forged epoch can be: it matches nothing.
impl From<u64> for Value {
    fn from(number: u64) -> Value {
        Value::Number(Some(i64::try_from(number).unwrap_or(-1)))
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(number: Option<T>) -> Value {
        number.map_or(Value::Number(None), Into::into)
    }
}

/// The statements of a schema, which are parted by blank lines.
pub(super) fn parts(file: &str) -> impl Iterator<Item = Statement> + '_ {
    file.split("\n\n").map(Statement::plain).filter(|part| !part.0.is_empty())
}

/// Puts a literal in place of each `:name` outside of quotes and comments.
fn filled(file: &str, literal: impl Fn(&str) -> String) -> String {
    let mut text = String::with_capacity(file.len());
    for line in file.lines().filter(|line| !line.trim_start().starts_with("--")) {
        let (mut rest, mut is_quoted) = (line, false);
        while let Some(at) = rest.find([':', '\'']) {
            let (before, from) = rest.split_at(at);
            text.push_str(before);
            let symbol = &from[..1];
            is_quoted ^= symbol == "'";
            let after = &from[1..];
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let end = after.find(|c| !is_part(c)).unwrap_or(after.len());
            if symbol == ":" && !is_quoted && end > 0 {
                text.push_str(&literal(&after[..end]));
                rest = &after[end..];
            } else {
                text.push_str(symbol);
                rest = after;
            }
        }
        text.push_str(rest);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_literals_but_in_quotes_and_comments() {
        let text = filled(
            "-- :no\nSELECT ':no', CAST(:first AS signed), ':no', :second_1,:first\n  -- it's :no",
            |name| format!("<{name}>"),
        );
        assert_eq!(text, "SELECT ':no', CAST(<first> AS signed), ':no', <second_1>,<first>\n");
    }

    #[test]
    fn no_value_ends_its_literal() {
        for (value, literal) in [
            (Value::from("o"), "_ascii x'6f'"),
            (Value::name("'; DROP"), "x'273b2044524f50'"),
            (Value::from(&[0, 255][..]), "x'00ff'"),
            (Value::from(&[][..]), "x''"),
            (Value::from(-1_i64), "-1"),
            (Value::from(u64::MAX), "-1"),
            (Value::from(None::<u64>), "NULL"),
            (Value::Text(None), "NULL"),
        ] {
            assert_eq!(value.literal(), literal);
        }
    }

    #[test]
    fn a_schema_has_its_statements_whole() {
        let parts: Vec<_> = parts(include_str!("schema.sql")).map(|part| part.0).collect();
        assert_eq!(parts.len(), 4, "{parts:#?}");
        for part in parts {
            assert!(part.starts_with("CREATE ") || part.starts_with("INSERT "), "{part}");
        }
    }
}
