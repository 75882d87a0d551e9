//! Columns of tables that are not snowmint's: they hold IDs that were given before.

use std::fmt;
use std::str::FromStr;

use snowmint_engine::MAX_NUMBER;

use super::{Tag, errors};
use crate::error::{Error, Result};

/// The types, as databases name them, that sort by value.
const WHOLE: [&str; 8] =
    ["tinyint", "smallint", "mediumint", "int", "integer", "bigint", "decimal", "numeric"];

/// A column of numbers: `table.column` or `schema.table.column`, spelled as in the database and
/// without quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    schema: Option<String>,
    table: String,
    name: String,
}

/// Selects which numbers of a column to read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wanted {
    /// The largest number, if it is not negative.
    Largest,
    /// Up to this many numbers in ascending order: those above the given one, or all from 0 on.
    After(Option<u64>, u32),
}

/// Selects for which column or sequence to look up what fills it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fills<'a> {
    Column(&'a Column),
    /// The sequence with this name, `name` or `schema.name`.
    Sequence(&'a Tag),
}

/// A default, an identity or a sequence that fills a column or belongs to it.
#[derive(Debug)]
pub(crate) struct Filling {
    /// The column, as it stands in statements.
    pub(crate) column: String,
    /// The name of the sequence, if it is known.
    pub(crate) sequence: Option<String>,
    /// The largest number that may have been given.
    pub(crate) last: Option<u64>,
    /// The statement that ends the filling; `None` if the sequence only belongs to the column.
    pub(crate) end: Option<String>,
}

impl Column {
    /// Returns the query for the numbers, one a row. `show` wraps an expression, to send it as
    /// text.
    pub(crate) fn query(
        &self,
        wanted: Wanted,
        quote: char,
        show: impl Fn(&str) -> String,
    ) -> String {
        let (table, name) = (self.quoted_table(quote), quoted(&self.name, quote));
        match wanted {
            Wanted::Largest => format!("SELECT {} FROM {table}", show(&format!("max({name})"))),
            Wanted::After(after, count) => {
                let beyond = after.map_or(">= 0".to_owned(), |after| format!("> {after}"));
                let shown = show(&name);
                format!(
                    "SELECT {shown} FROM {table} WHERE {name} {beyond} ORDER BY {name} LIMIT {count}"
                )
            }
        }
    }

    /// Returns the schema, table and column. Without a schema the database looks the table up.
    pub(crate) fn parts(&self) -> (Option<&str>, &str, &str) {
        (self.schema.as_deref(), &self.table, &self.name)
    }

    /// Returns the table's name with each part in quotes; a quote inside is doubled.
    pub(crate) fn quoted_table(&self, quote: char) -> String {
        let schema = self.schema.as_ref().map(|it| format!("{}.", quoted(it, quote)));
        schema.unwrap_or_default() + &quoted(&self.table, quote)
    }

    /// Returns the column's name in quotes, without the table.
    pub(crate) fn quoted_name(&self, quote: char) -> String {
        quoted(&self.name, quote)
    }

    /// Fails for a type whose values do not sort as numbers. As text, 9 comes after 10.
    pub(crate) fn check_type(&self, found: Option<&str>) -> Result<()> {
        match found {
            Some(found) if WHOLE.contains(&found) => Ok(()),
            Some(found) => Err(errors::column_of_another_type(self, found)),
            None => Err(errors::column_missing(self)),
        }
    }

    /// Parses the numbers of the column, and leaves out NULL and negative ones.
    pub(crate) fn numbers<'a>(
        &self,
        texts: impl Iterator<Item = Option<&'a str>>,
    ) -> Result<Vec<u64>> {
        texts.filter_map(|text| self.number(text).transpose()).collect()
    }

    /// Parses a number of the column; `None` for NULL and for a negative one.
    pub(crate) fn number(&self, text: Option<&str>) -> Result<Option<u64>> {
        let Some(text) = text else { return Ok(None) };
        match text.parse::<i128>() {
            Ok(..0) => Ok(None),
            Ok(number @ 0..=LARGEST) => Ok(Some(number as u64)),
            Ok(number) => Err(errors::number_too_large(self, number, LARGEST)),
            Err(_) => Err(errors::no_number(self, text)),
        }
    }
}

const LARGEST: i128 = MAX_NUMBER as i128;

fn quoted(name: &str, quote: char) -> String {
    let doubled = name.replace(quote, &format!("{quote}{quote}"));
    format!("{quote}{doubled}{quote}")
}

impl FromStr for Column {
    type Err = Error;

    fn from_str(text: &str) -> Result<Column> {
        let names: Vec<_> = text.split('.').map(str::to_owned).collect();
        let is_wrong = |name: &String| name.is_empty() || name.contains(char::is_control);
        let (schema, table, name) = match <[String; 3]>::try_from(names) {
            Ok([schema, table, name]) => (Some(schema), table, name),
            Err(names) => match <[String; 2]>::try_from(names) {
                Ok([table, name]) => (None, table, name),
                Err(_) => return Err(errors::no_column(text)),
            },
        };
        if [&table, &name].into_iter().chain(&schema).any(is_wrong) {
            return Err(errors::no_column(text));
        }
        Ok(Column { schema, table, name })
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let schema = self.schema.as_ref().map(|it| format!("{it}."));
        write!(f, "{}{}.{}", schema.unwrap_or_default(), self.table, self.name)
    }
}

#[cfg(test)]
mod tests {
    use snowmint_engine::Code;

    use super::*;

    #[test]
    fn names_are_two_or_three() {
        let column: Column = "orders.id".parse().unwrap();
        assert_eq!(
            column.query(Wanted::Largest, '`', |it| format!("CAST({it} AS char)")),
            "SELECT CAST(max(`id`) AS char) FROM `orders`"
        );
        let column: Column = "shop.or\"ders.id".parse().unwrap();
        assert_eq!(column.quoted_table('"'), "\"shop\".\"or\"\"ders\"");
        assert_eq!(column.to_string(), "shop.or\"ders.id");
        for text in ["", "id", ".id", "orders.", "a.b.c.d", "a..b", "a\n.b"] {
            let error = text.parse::<Column>().unwrap_err();
            assert_eq!(error.code(), Code::InvalidParameter, "{text}");
        }
    }

    #[test]
    fn the_largest_is_a_number_that_a_tag_can_pass() {
        let column: Column = "orders.id".parse().unwrap();
        let largest = |text| column.number(text).map_err(|error| error.code());
        assert_eq!(largest(None), Ok(None));
        assert_eq!(largest(Some("-7")), Ok(None));
        assert_eq!(largest(Some("0")), Ok(Some(0)));
        assert_eq!(largest(Some("9223372036854775807")), Ok(Some(MAX_NUMBER)));
        for wrong in ["9223372036854775808", "18446744073709551615", "1.5", "x"] {
            assert_eq!(largest(Some(wrong)), Err(Code::InvalidParameter), "{wrong}");
        }
        for text in ["text", "character varying", "double precision", "real", "blob"] {
            assert!(column.check_type(Some(text)).is_err(), "{text}");
        }
        column.check_type(Some("bigint")).unwrap();
    }
}
