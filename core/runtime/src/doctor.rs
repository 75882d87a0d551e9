//! What an operator should know of a host or a store before he relies on it. It only looks: nothing
//! is changed, made or locked.
//!
//! ```
//! use snowmint::doctor::{Verdict, examine, examine_host};
//! # fn main() -> snowmint::Result<()> {
//! # let directory = tempfile::tempdir().unwrap();
//! # let url = format!("sqlite:{}", directory.path().join("ids.db").display());
//! # snowmint::migrate(&url)?;
//! for finding in examine(&url)?.into_iter().chain(examine_host()) {
//!     println!("{} {}: {}", finding.verdict.name(), finding.subject, finding.found);
//!     assert_ne!(finding.verdict, Verdict::Refused);
//! }
//! # Ok(())
//! # }
//! ```

use crate::error::Result;
use crate::schemes::StoreUrl;

mod daemons;
mod host;

pub use crate::findings::{Finding, Verdict};
pub use host::examine_host;

/// Looks at a store: whether it is there, whether its tables are right and this user may use them,
/// what its commits are worth, how its clock differs, and how much is left of connections, numbers
/// and worker IDs. What this user may not ask is [`Unseen`](Verdict::Unseen).
///
/// With `dialect` it looks at another generator's tables. The store need not have tables. It takes some seconds where the store is slow, and as long as
/// opening it where it does not answer.
///
/// # Errors
/// Of the URL alone, as [`open_store`](crate::open_store); [`Code::Unsupported`](crate::Code::Unsupported) of `memory:`. That
/// a store cannot be reached is a finding.
pub fn examine(url: &str) -> Result<Vec<Finding>> {
    StoreUrl::parse_in_place(url)?.examine()
}
