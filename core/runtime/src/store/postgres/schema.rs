//! The schema with snowmint's tables.

use std::fmt;

use super::errors;
use super::statement::Value;
use crate::error::Result;

/// The schema if none is named.
const USUAL: &str = "snowmint";
/// The longest name in PostgreSQL, in bytes.
const LENGTH_MAX: usize = 63;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::store) struct Schema {
    name: String,
    /// True if an operator named the schema, and so may want a second key space beside another.
    pub(super) is_named: bool,
}

impl Schema {
    pub(in crate::store) fn new(named: Option<&str>) -> Result<Schema> {
        let name = named.unwrap_or(USUAL);
        if (1..=LENGTH_MAX).contains(&name.len()) && !name.contains('\0') {
            return Ok(Schema { name: name.to_owned(), is_named: named.is_some() });
        }
        Err(errors::schema_name_malformed(name, LENGTH_MAX))
    }

    /// Returns the search path. `pg_temp` comes last, so that temporary tables hide none of these.
    pub(in crate::store) fn search_path(&self) -> String {
        format!("{self}, pg_temp")
    }

    /// Returns the name as a statement's parameter.
    pub(super) fn parameter(&self) -> [(&'static str, Value); 1] {
        [("schema", self.name.as_str().into())]
    }
}

/// Shows the name as SQL spells it.
impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&quoted(&self.name))
    }
}

/// Returns a name as SQL spells it.
pub(super) fn quoted(name: &str) -> String {
    match name {
        USUAL | "public" => name.to_owned(),
        _ => format!("\"{}\"", name.replace('"', "\"\"")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_is_written_as_sql_has_it() {
        for (name, written) in [
            ("snowmint", "snowmint"),
            ("public", "public"),
            ("user", "\"user\""),
            ("Ids", "\"Ids\""),
            ("a \"b\"", "\"a \"\"b\"\"\""),
        ] {
            assert_eq!(Schema::new(Some(name)).unwrap().to_string(), written);
        }
        for wrong in [String::new(), "x".repeat(64), "\0".to_owned()] {
            assert!(Schema::new(Some(&wrong)).is_err(), "{wrong:?}");
        }
    }
}
