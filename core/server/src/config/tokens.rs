//! The settings of tokens.

use snowmint::Result;

use super::table::{Ordered, Tokens};
use crate::errors;

impl Tokens {
    /// Requires a token for requests to other servers if tokens are on: those servers would refuse
    /// this one without it.
    pub(super) fn check(&self, ordered: &Ordered) -> Result<()> {
        let is_missing = ordered.token_file.is_empty() && !self.file.is_empty();
        if is_missing && !ordered.sources.is_empty() {
            return Err(errors::config::ordered_token_unset());
        }
        Ok(())
    }
}
