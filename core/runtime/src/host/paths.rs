//! The default paths of state files.

use std::path::PathBuf;

use etcetera::BaseStrategy;
#[cfg(doc)]
use snowmint_engine::Code;

use crate::error::Result;
use crate::errors;

/// The URL for programs that name none: a worker ID leased from [`default_database`], so that two
/// programs of a user never mint the same ID. Another user, machine or container has another key
/// space.
///
/// # Errors
/// The code of [`default_database`].
pub fn default_url() -> Result<String> {
    Ok(format!("snowflake+sqlite:{}?create=true", default_database()?))
}

/// The database in the user's state directory: `ids.db` of [`state_directory`].
///
/// # Errors
/// [`Code::StoreUnavailable`] if the user has no home directory, or if its name cannot stand in a
/// URL.
pub fn default_database() -> Result<String> {
    let directory = state_directory()?;
    let path = directory.join("ids.db");
    path.to_str()
        .filter(|text| !text.contains('?'))
        .map(str::to_owned)
        .ok_or_else(|| errors::host::directory_unfit_for_url(&directory))
}

/// The directory of this user's state files: `$XDG_STATE_HOME/snowmint`, by default
/// `~/.local/state/snowmint`, or the equivalent of the system.
///
/// # Errors
/// [`Code::StoreUnavailable`] if the user has no home directory, or if its path is relative. A
/// relative path in `XDG_STATE_HOME` is ignored, as the XDG specification requires.
pub fn state_directory() -> Result<PathBuf> {
    let strategy = etcetera::choose_base_strategy().map_err(errors::host::home_missing)?;
    let base = strategy.state_dir().unwrap_or_else(|| strategy.data_dir());
    if base.is_relative() {
        return Err(errors::host::home_relative(strategy.home_dir()));
    }
    Ok(base.join("snowmint"))
}
