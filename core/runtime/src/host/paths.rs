//! Where state files lie when nobody says otherwise.

use std::path::PathBuf;

use etcetera::BaseStrategy;
use snowmint_engine::Code;

use crate::error::{Error, Result};

/// The directory of this user's state files: `$XDG_STATE_HOME/snowmint`, by default
/// `~/.local/state/snowmint`, or the system's like.
///
/// # Errors
/// [`Code::StoreUnavailable`] if the user has no home directory.
pub fn state_directory() -> Result<PathBuf> {
    let strategy = etcetera::choose_base_strategy().map_err(|error| {
        let message = "no home directory: set HOME or XDG_STATE_HOME, or name a path";
        Error::new(Code::StoreUnavailable, message).caused_by(error)
    })?;
    let base = strategy.state_dir().unwrap_or_else(|| strategy.data_dir());
    Ok(base.join("snowmint"))
}
