//! The schema that has our tables.

use std::fmt;

use snowmint_engine::Code;

use super::statement::Value;
use crate::error::{Error, Result};

/// Where they are unless another one is named.
const USUAL: &str = "snowmint";
/// How many bytes a name in PostgreSQL has at most.
const LENGTH_MAX: usize = 63;

/// A schema of ours, by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Schema {
    name: String,
    /// Whether an operator named it, who may want a key space beside another one.
    pub(super) is_named: bool,
}

impl Schema {
    pub(super) fn new(named: Option<&str>) -> Result<Schema> {
        let name = named.unwrap_or(USUAL);
        if (1..=LENGTH_MAX).contains(&name.len()) && !name.contains('\0') {
            return Ok(Schema { name: name.to_owned(), is_named: named.is_some() });
        }
        let message =
            format!("a schema named {name:?}: use 1 to {LENGTH_MAX} bytes, none of them 0");
        Err(Error::new(Code::InvalidParameter, message))
    }

    /// Where names without a schema are looked for: temporary tables hide none of ours.
    pub(super) fn search_path(&self) -> String {
        format!("{self}, pg_temp")
    }

    /// Its name, for a statement's parameter.
    pub(super) fn parameter(&self) -> [(&'static str, Value); 1] {
        [("schema", self.name.as_str().into())]
    }
}

/// As SQL has it.
impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&quoted(&self.name))
    }
}

/// A name as SQL has it.
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
