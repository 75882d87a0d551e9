//! The statements that create what a store needs.

use super::KeySpaceId;
use crate::error::escaped;

/// The statements that a store's tables needed, or would need. The tables have one version so far:
/// they are either complete or missing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Migration {
    /// The place of the tables: the file, or the server and its database.
    pub place: String,
    /// The identity of the key space; `None` after a look that changed nothing, and for a copy that
    /// is not yet confirmed.
    pub key_space: Option<KeySpaceId>,
    /// The kind of storage: tables or a key space.
    pub kept_in: KeptIn,
    /// The statements that create it, in order; empty if nothing is missing. Statements that only
    /// limit waiting times are left out.
    pub statements: Vec<String>,
}

impl Migration {
    pub(crate) fn new(place: String, kept_in: KeptIn, statements: Vec<String>) -> Migration {
        Migration { place, key_space: None, kept_in, statements }
    }

    /// Returns `there` if nothing is missing. Otherwise returns `missing` after
    /// [`migration`](crate::migration), which changes nothing, or `made` after
    /// [`migrate`](crate::migrate).
    pub fn state(&self, is_dry: bool) -> &'static str {
        match (self.statements.is_empty(), is_dry) {
            (true, _) => "there",
            (false, true) => "missing",
            (false, false) => "made",
        }
    }

    /// Returns the text that `snowmint migrate` prints, without a line break at its end. After
    /// [`migration`](crate::migration) it is a script for the store's own client.
    pub fn report(&self, is_dry: bool) -> String {
        let place = escaped(&self.place);
        let (there, made, end) = match self.kept_in {
            KeptIn::KeySpace => ("its key space is there", "its key space is begun", ""),
            KeptIn::Tables => {
                ("the tables are there, as they should be", "the tables are made", ";")
            }
        };
        match self.state(is_dry) {
            "missing" => {
                let each = self.statements.iter().map(|statement| format!("\n\n{statement}{end}"));
                format!("-- {place}{}", each.collect::<String>())
            }
            "made" => format!("{place}: {made}{}", self.pin()),
            _ => format!("{}{place}: {there}{}", if is_dry { "-- " } else { "" }, self.pin()),
        }
    }

    /// Returns the parameter that refuses every other key space.
    fn pin(&self) -> String {
        self.key_space.map_or(String::new(), |id| format!("; pin it by key_space={id}"))
    }
}

/// The way in which a store keeps its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeptIn {
    /// Tables, created by SQL statements.
    Tables,
    /// A key space, begun by a command of the server's own client.
    KeySpace,
}
