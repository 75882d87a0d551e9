//! The settings of public IDs.

use snowmint::Result;
use snowmint::public_ids::{check_source, check_type, may_be_keys};

use super::table::{PublicIdSettings, Tokens};
use crate::errors;

/// A limit, because keys are derived and kept for each type.
const MAX_TYPES: usize = 256;

impl PublicIdSettings {
    /// Requires tokens: without them, everyone could read every public ID.
    pub(super) fn check(&self, tokens: &Tokens) -> Result<()> {
        if self.types.len() > MAX_TYPES {
            return Err(errors::config::public_id_types_too_many(self.types.len(), MAX_TYPES));
        }
        for kind in &self.types {
            let shown = if may_be_keys(kind) { "***" } else { kind };
            check_type(kind)
                .map_err(|error| errors::config::public_id_type_invalid(shown, error))?;
        }
        // The configuration is printed, so it must not contain the keys themselves.
        check_source(&self.keys).map_err(errors::config::public_id_keys_invalid)?;
        match (self.keys.is_empty(), self.types.is_empty()) {
            (true, true) => Ok(()),
            (true, false) => Err(errors::config::public_id_keys_unset()),
            (false, true) => Err(errors::config::public_id_types_unset()),
            (false, false) if tokens.file.is_empty() => {
                Err(errors::config::public_ids_without_tokens())
            }
            (false, false) => Ok(()),
        }
    }
}
