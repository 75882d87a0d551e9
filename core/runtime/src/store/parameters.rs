//! The statements in the `.sql` files, and their named parameters.

/// The value of a parameter.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// ASCII text, such as a tag, for stores that accept nothing else.
    Text(Option<String>),
    /// A realm, an owner or a move, by its name in any letters.
    Name(Option<String>),
    Number(Option<i64>),
    Bytes(Vec<u8>),
}

impl Value {
    pub(super) fn name(name: &str) -> Value {
        Value::Name(Some(name.to_owned()))
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

/// Only a forged epoch is above the range of a column. It becomes -1, which matches nothing.
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

/// Returns the value for a name in a file.
pub(super) fn named<'a>(values: &'a [(&str, Value)], name: &str) -> &'a Value {
    let found = values.iter().find(|(known, _)| *known == name);
    let (_, value) = found.expect("a test asks each file with the values of its caller");
    value
}

/// Replaces each `:name` outside of quotes with the result of `of_name`, and drops comment lines.
pub(super) fn filled<'a>(file: &'a str, mut of_name: impl FnMut(&'a str) -> String) -> String {
    let mut text = String::with_capacity(file.len());
    for line in file.lines().filter(|line| !is_comment(line)) {
        let (mut rest, mut quote) = (line, None);
        while let Some(at) = rest.find([':', '\'', '"', '`']) {
            let (before, from) = rest.split_at(at);
            text.push_str(before);
            let (symbol, after) = from.split_at(1);
            if symbol != ":" && quote.is_none_or(|quote| quote == symbol) {
                quote = if quote.is_none() { Some(symbol) } else { None };
            }
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let end = after.find(|c| !is_part(c)).unwrap_or(after.len());
            if symbol == ":" && quote.is_none() && end > 0 {
                text.push_str(&of_name(&after[..end]));
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

/// Returns the statements of a schema without comments. Blank lines separate them.
pub(super) fn parts(file: &str) -> impl Iterator<Item = String> + '_ {
    let without_comments =
        |part: &str| part.lines().filter(|line| !is_comment(line)).collect::<Vec<_>>().join("\n");
    file.split("\n\n").map(without_comments).filter(|text| !text.trim().is_empty())
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with("--")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_filled_in_but_in_quotes_and_comments() {
        let file =
            "-- :no\nSELECT ':no', CAST(:first AS text), ':no', :second_1,:first\n  -- it's :no";
        let text = filled(file, |name| format!("<{name}>"));
        assert_eq!(text, "SELECT ':no', CAST(<first> AS text), ':no', <second_1>,<first>\n");
        let names = "SELECT \"it's :no\", `a\":no` FROM t WHERE a = :first";
        let filled = filled(names, |name| format!("<{name}>"));
        assert_eq!(filled, "SELECT \"it's :no\", `a\":no` FROM t WHERE a = <first>\n");
    }
}
