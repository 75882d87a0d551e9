//! A store's tables, or its key space: made where there are none, and looked at where there are.

use crate::error::Result;
use crate::schemes::StoreUrl;

/// What a store's tables needed, or would need. There is one version of them so far: they are as
/// they should be, or not there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Migration {
    /// Where the tables are: the file, or the server and its database.
    pub place: String,
    /// What a store of this kind is kept in.
    pub kept_in: KeptIn,
    /// What makes them, in its order; none where they are as they should be. What only bounds the
    /// waits between is left out.
    pub statements: Vec<String>,
}

/// What a store is kept in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeptIn {
    /// Tables, which statements of SQL make.
    Tables,
    /// A key space, which a command of its server's own client begins.
    KeySpace,
}

/// Makes the tables of a store, as `create=true` in its URL does, where there are none, and leaves
/// them as they are where they are right. Its statements were run; there are none where nothing had
/// to be done.
///
/// ```
/// # fn main() -> snowmint::Result<()> {
/// # let directory = tempfile::tempdir().unwrap();
/// # let url = format!("sqlite:{}", directory.path().join("ids.db").display());
/// assert!(!snowmint::migrate(&url)?.statements.is_empty());
/// assert!(snowmint::migrate(&url)?.statements.is_empty());
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`Code::StoreSchema`](crate::Code::StoreSchema) where only some are there, or are not as they
/// should be: it says what differs, and nothing is made or changed. Those of
/// [`open_store`](crate::open_store); [`Code::Unsupported`](crate::Code::Unsupported) of `memory:`.
pub fn migrate(url: &str) -> Result<Migration> {
    StoreUrl::parse_in_place(url)?.migrate(false)
}

/// What [`migrate`] would run. Nothing is changed.
///
/// # Errors
/// As [`migrate`].
pub fn migration(url: &str) -> Result<Migration> {
    StoreUrl::parse_in_place(url)?.migrate(true)
}
