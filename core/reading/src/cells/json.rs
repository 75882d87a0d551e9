//! The values of each key in JSON, and in what is nearly JSON. Numbers are taken as they are
//! written, so that none is rounded.

use alloc::vec::Vec;

use super::{Column, grouped};

pub(super) fn columns(text: &str) -> Vec<Column<'_>> {
    grouped(Values { rest: text, key: "" })
}

/// Each string and number with the key before it.
struct Values<'a> {
    rest: &'a str,
    key: &'a str,
}

impl<'a> Iterator for Values<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let at =
                self.rest.find(['"', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])?;
            let from = self.rest.get(at..)?;
            let value = match from.strip_prefix('"') {
                Some(inner) => self.string(inner)?,
                None => Some(self.number(from)),
            };
            if let Some(value) = value {
                return Some((self.key, value));
            }
        }
    }
}

impl<'a> Values<'a> {
    /// Takes a string, which is a value or the next key. Returns `None` at the end of the text.
    fn string(&mut self, inner: &'a str) -> Option<Option<&'a str>> {
        let mut is_escaped = false;
        let end = inner.find(|symbol| {
            let is_end = symbol == '"' && !is_escaped;
            is_escaped = symbol == '\\' && !is_escaped;
            is_end
        })?;
        let text = inner.get(..end)?;
        self.rest = inner.get(end..)?.strip_prefix('"')?;
        if self.rest.trim_start().starts_with(':') {
            self.key = text;
            return Some(None);
        }
        Some(Some(text))
    }

    fn number(&mut self, from: &'a str) -> &'a str {
        let is_part = |symbol: char| symbol.is_ascii_alphanumeric() || "+-._".contains(symbol);
        let end = from.find(|symbol| !is_part(symbol)).unwrap_or(from.len());
        let (number, rest) = from.split_at_checked(end).unwrap_or((from, ""));
        self.rest = rest;
        number
    }
}
