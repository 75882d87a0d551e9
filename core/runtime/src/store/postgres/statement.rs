//! Our statements: their parameters have names in the files, and numbers on the way to the server.

use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row};

/// A statement with its values, asked as one that has no name at the server: a pooler may give each
/// transaction another connection.
#[derive(Clone)]
pub(super) struct Statement {
    text: String,
    values: Vec<Value>,
}

/// What a parameter stands for.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Text(Option<String>),
    Number(Option<i64>),
    Bytes(Vec<u8>),
}

impl Statement {
    /// A statement without parameters.
    pub(super) fn plain(text: &str) -> Statement {
        Statement { text: text.to_owned(), values: Vec::new() }
    }

    /// The statement of a file, with a value for each name in it.
    pub(super) fn new(file: &str, values: &[(&str, Value)]) -> Statement {
        let (text, names) = numbered(file);
        let value = |name: &str| {
            let found = values.iter().find(|(known, _)| *known == name);
            let (_, value) = found.expect("a test asks each file with the values of its caller");
            value.clone()
        };
        Statement { text, values: names.into_iter().map(value).collect() }
    }

    /// Its text with its values in it, for a client without parameters.
    pub(super) fn with_literals(&self) -> String {
        let mut text = self.text.trim().to_owned();
        // Backwards, as $1 is the beginning of $10.
        for (at, value) in self.values.iter().enumerate().rev() {
            text = text.replace(&format!("${}", at + 1), &value.literal());
        }
        text
    }

    /// Asks for it, and waits for all of its rows.
    pub(super) async fn ask(&self, client: &Client) -> Result<Vec<Row>, tokio_postgres::Error> {
        let values: Vec<_> = self.values.iter().map(Value::typed).collect();
        client.query_typed(&self.text, &values).await
    }
}

impl Value {
    fn literal(&self) -> String {
        match self {
            Value::Text(Some(text)) => format!("'{}'", text.replace('\'', "''")),
            Value::Number(Some(number)) => number.to_string(),
            Value::Bytes(bytes) => {
                let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                format!("'\\x{digits}'")
            }
            Value::Text(None) | Value::Number(None) => "NULL".to_owned(),
        }
    }

    fn typed(&self) -> (&(dyn ToSql + Sync), Type) {
        match self {
            Value::Text(text) => (text, Type::TEXT),
            Value::Number(number) => (number, Type::INT8),
            Value::Bytes(bytes) => (bytes, Type::BYTEA),
        }
    }
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
    let is_comment = |line: &&str| line.starts_with("--");
    let without_comments = move |part: &str| {
        part.lines().filter(|line| !is_comment(line)).collect::<Vec<_>>().join("\n")
    };
    let texts = file.split("\n\n").map(without_comments);
    texts.filter(|text| !text.trim().is_empty()).map(|text| Statement::plain(&text))
}

/// Puts `$1` in place of the first `:name` outside of quotes and comments, and so on; a name that
/// comes again has the same number.
fn numbered(file: &str) -> (String, Vec<&str>) {
    let (mut text, mut names) = (String::with_capacity(file.len()), Vec::new());
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
                let name = &after[..end];
                let at = names.iter().position(|known| *known == name).unwrap_or_else(|| {
                    names.push(name);
                    names.len() - 1
                });
                text.push_str(&format!("${}", at + 1));
                rest = &after[end..];
            } else {
                text.push_str(symbol);
                rest = after;
            }
        }
        text.push_str(rest);
        text.push('\n');
    }
    (text, names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_numbers_but_in_quotes_and_comments() {
        let (text, names) = numbered(
            "-- :no\nSELECT ':no', CAST(:first AS text) || ':no' || :second_1,:first\n  -- it's :no",
        );
        assert_eq!(names, ["first", "second_1"]);
        assert_eq!(text, "SELECT ':no', CAST($1 AS text) || ':no' || $2,$1\n");
    }

    #[test]
    fn a_schema_has_its_statements_whole() {
        let parts: Vec<_> = parts(include_str!("schema.sql")).map(|part| part.text).collect();
        assert_eq!(parts.len(), 8, "{parts:#?}");
        for part in parts {
            assert!(part.starts_with("CREATE ") || part.starts_with("INSERT INTO "), "{part}");
        }
    }
}
