//! The settings of public IDs.

use serde::{Deserialize, Serialize};
use snowmint::Result;
use snowmint::public_ids::{check_source, check_type, may_be_keys};

use super::list::list;
use super::{Tokens, refused};

/// A limit, because keys are derived and kept for each type.
const MAX_TYPES: usize = 256;

/// Which public IDs are made and read for clients.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct PublicIdSettings {
    /// Empty where none are.
    pub(crate) keys: String,
    #[serde(deserialize_with = "list")]
    pub(crate) types: Vec<String>,
    pub(crate) count: u32,
}

impl Default for PublicIdSettings {
    fn default() -> PublicIdSettings {
        PublicIdSettings { keys: String::new(), types: Vec::new(), count: 1_000 }
    }
}

impl PublicIdSettings {
    /// Requires tokens: without them, everyone could read every public ID.
    pub(super) fn check(&self, tokens: &Tokens) -> Result<()> {
        if self.types.len() > MAX_TYPES {
            let count = self.types.len();
            return Err(refused(format!("public_ids.types has {count}: {MAX_TYPES} at most")));
        }
        for kind in &self.types {
            let shown = if may_be_keys(kind) { "***" } else { kind };
            let wrong = |error| refused(format!("public_ids.types: {shown:?}: {error}"));
            check_type(kind).map_err(wrong)?;
        }
        // The configuration is printed, so it must not contain the keys themselves.
        check_source(&self.keys).map_err(|error| refused(format!("public_ids.keys: {error}")))?;
        match (self.keys.is_empty(), self.types.is_empty()) {
            (true, true) => Ok(()),
            (true, false) => Err(refused("public_ids.keys is not set, and public_ids.types is")),
            (false, true) => {
                Err(refused("public_ids.types is empty: name the types of public_ids.keys"))
            }
            (false, false) if tokens.file.is_empty() => Err(refused(
                "public_ids.keys is set, and tokens.file is not: everybody could read every public ID",
            )),
            (false, false) => Ok(()),
        }
    }
}
