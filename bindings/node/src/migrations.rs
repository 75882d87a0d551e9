//! Creates a store's tables or key space.

use napi_derive::napi;

use crate::tasks::{Promised, promise};

/// What a store needed, or would need.
#[napi(object, object_from_js = false)]
pub struct MigrationFacts {
    /// The place of the tables.
    pub place: String,
    /// `made`, `there` or `missing`.
    pub state: String,
    /// The identity of the key space.
    pub key_space: Option<String>,
    /// The statements that create what was missing.
    pub statements: Vec<String>,
    /// The text that the command prints.
    pub report: String,
}

/// Creates the tables of a store, or begins its key space. A dry run changes nothing.
#[napi]
pub fn migrate(url: String, is_dry: bool) -> Promised<MigrationFacts, MigrationFacts> {
    let call = if is_dry { snowmint::migration } else { snowmint::migrate };
    promise(
        |facts| facts,
        move || {
            let done = call(&url)?;
            Ok(MigrationFacts {
                state: done.state(is_dry).to_owned(),
                key_space: done.key_space.map(|id| id.to_string()),
                report: done.report(is_dry),
                place: done.place,
                statements: done.statements,
            })
        },
    )
}
