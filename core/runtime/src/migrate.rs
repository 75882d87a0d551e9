//! Creates a store's tables or key space, and checks them if they exist.

use crate::error::Result;
use crate::schemes::StoreUrl;
use crate::store::Migration;

/// Creates the tables of a store, as `create=true` in its URL does. Tables that exist and are right
/// stay as they are. Returns the statements that were run; there are none if nothing had to be
/// done.
///
/// A URL with `key_space=` only checks: the call fails if the key space is missing, or another one.
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
/// [`Code::StoreMissing`](crate::Code::StoreMissing) and
/// [`Code::IncarnationChanged`](crate::Code::IncarnationChanged) if the URL pins a key space that is
/// missing or another one. [`Code::StoreSchema`](crate::Code::StoreSchema) if only some of the tables exist, or if they
/// differ from what they should be. The message says how, and nothing is changed. The codes of
/// [`open_store`](crate::open_store), and [`Code::Unsupported`](crate::Code::Unsupported) for
/// `memory:`.
pub fn migrate(url: &str) -> Result<Migration> {
    StoreUrl::parse_in_place(url)?.migrate(false)
}

/// Returns the statements that [`migrate`] would run, and changes nothing.
///
/// # Errors
/// As [`migrate`].
pub fn migration(url: &str) -> Result<Migration> {
    StoreUrl::parse_in_place(url)?.migrate(true)
}
