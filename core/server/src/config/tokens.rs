//! The settings of tokens.

use serde::{Deserialize, Serialize};
use snowmint::Result;

use super::Ordered;
use crate::errors;

/// Who may ask.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Tokens {
    /// Empty where everybody may.
    pub(crate) file: String,
    pub(crate) fronts: FrontsAsk,
}

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

/// What clients of other servers are asked for, who know nothing of our tokens.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FrontsAsk {
    /// Nothing.
    Open,
    /// A token, as everybody: with them, nobody mints around the others.
    #[default]
    Token,
}
