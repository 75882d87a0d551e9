//! A store's tables, or its key space: made where there are none, and looked at where there are.

use crate::error::Result;
use crate::schemes::StoreUrl;
use crate::store::Migration;

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
