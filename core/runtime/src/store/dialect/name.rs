//! Names of other generators' tables.

use std::borrow::Cow;
use std::fmt;

use super::errors;
use crate::error::Result;

/// The name of a table: as its owner writes it in statements, or as the database spells it.
#[derive(Clone, Debug)]
pub(in crate::store) struct TableName {
    schema: Option<String>,
    name: Cow<'static, str>,
    /// True for a name that the user gave. An owner's name has no quotes, so databases fold its
    /// case.
    is_quoted: bool,
}

impl TableName {
    pub(super) const fn of_owner(name: &'static str) -> TableName {
        TableName { schema: None, name: Cow::Borrowed(name), is_quoted: false }
    }

    /// Parses `TABLE` or `SCHEMA.TABLE`, spelled as in the database and without quotes.
    pub(super) fn parse(text: &str) -> Result<TableName> {
        let parts: Vec<_> = text.split('.').collect();
        let is_wrong = |part: &&str| part.is_empty() || part.contains(char::is_control);
        let (schema, name) = match parts.as_slice() {
            [name] => (None, *name),
            [schema, name] => (Some((*schema).to_owned()), *name),
            _ => return Err(errors::table_name_malformed(text)),
        };
        if parts.iter().any(is_wrong) {
            return Err(errors::table_name_malformed(text));
        }
        Ok(TableName { schema, name: name.to_owned().into(), is_quoted: true })
    }

    /// Returns the name as it stands in a statement; `quote` is the database's quotation mark.
    pub(in crate::store) fn sql(&self, quote: char) -> String {
        if !self.is_quoted {
            return self.name.clone().into_owned();
        }
        let quoted = |name: &str| {
            format!("{quote}{}{quote}", name.replace(quote, &format!("{quote}{quote}")))
        };
        let schema = self.schema.as_deref().map(|schema| quoted(schema) + ".");
        schema.unwrap_or_default() + &quoted(&self.name)
    }

    /// Returns the schema, if the name has one, and the table.
    pub(in crate::store) fn parts(&self) -> (Option<&str>, &str) {
        (self.schema.as_deref(), &self.name)
    }
}

impl fmt::Display for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let schema = self.schema.as_ref().map(|schema| format!("{schema}."));
        write!(f, "{}{}", schema.unwrap_or_default(), self.name)
    }
}

#[cfg(test)]
mod tests {
    use snowmint_engine::Code;

    use super::*;

    #[test]
    fn a_name_that_is_given_is_quoted_and_its_owners_is_not() {
        assert_eq!(TableName::of_owner("WORKER_NODE").sql('"'), "WORKER_NODE");
        let sql = |text: &str, quote| TableName::parse(text).map(|name| name.sql(quote));
        assert_eq!(sql("T_leaf", '"').unwrap(), "\"T_leaf\"");
        assert_eq!(sql("shop.t`leaf", '`').unwrap(), "`shop`.`t``leaf`");
        for wrong in ["", ".", "a.", ".b", "a.b.c", "a\0"] {
            assert_eq!(sql(wrong, '"').unwrap_err().code(), Code::InvalidParameter, "{wrong:?}");
        }
    }
}
