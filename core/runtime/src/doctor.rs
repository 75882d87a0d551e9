//! Findings about a host or a store that an operator should know before relying on it. Examining
//! changes, creates and locks nothing.
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

/// Examines a store: its existence, its tables and this user's rights to them, the durability of
/// its commits, the offset of its clock, and the connections, numbers and worker IDs that are left.
/// A fact that this user may not read is [`Unseen`](Verdict::Unseen).
///
/// With `dialect` it examines another generator's tables. The store need not have tables. It takes
/// some seconds if the store is slow, and as long as opening the store if there is no answer.
///
/// # Errors
/// The codes of [`open_store`](crate::open_store) that concern the URL, and
/// [`Code::Unsupported`](crate::Code::Unsupported) for `memory:`. A store that cannot be reached is
/// a finding.
pub fn examine(url: &str) -> Result<Vec<Finding>> {
    StoreUrl::parse_in_place(url)?.examine()
}
