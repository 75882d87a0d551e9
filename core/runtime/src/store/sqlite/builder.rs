//! The configuration of a store in a file.

use std::path::Path;
use std::sync::OnceLock;

use super::{BUSY_TIMEOUT, BUSY_TIMEOUT_MAX, SqliteStore, file};
use crate::error::Result;
use crate::host::process::PerProcess;
use crate::store::config::config;
use crate::store::{KeptIn, KeySpaceId, KnownKeySpace, Migration};

config! {
    /// Options for opening a database: see [`SqliteStore::builder`].
    #[derive(Clone, Copy, Debug, Default)]
    pub struct SqliteBuilder with key_space {
        /// Sets whether to open a file in which an application has created tables. Off by default.
        ///
        /// It is safe if the application runs in other processes. If it opens the file in this
        /// process, with any copy of SQLite, its locks are lost whenever a store of the file is
        /// opened or dropped. Other processes then undo the change that it was making, and numbers
        /// can repeat.
        shared_file: bool => "shared_file",
    }
}

impl SqliteBuilder {
    /// Creates the file if there is none; a dry run only returns the statements.
    pub(crate) fn migrate(self, path: &str, is_dry: bool) -> Result<Migration> {
        let store = self.described(path.as_ref())?;
        let place = format!("SQLite {}", store.path.display());
        let is_there = store.run(BUSY_TIMEOUT_MAX, |_| file::is_there(&store.path))?;
        match (is_there, is_dry) {
            (true, true) => {
                store.run(BUSY_TIMEOUT_MAX, |_| file::look(&store.path, self.shared_file))?;
            }
            (true, false) => store.look(false)?,
            (false, true) => {}
            (false, false) => store.look(true)?,
        }
        let statements = if is_there { Vec::new() } else { file::script() };
        Ok(Migration::new(place, KeptIn::Tables, statements))
    }

    /// Opens the database.
    ///
    /// # Errors
    /// The errors of [`SqliteStore::open`].
    pub fn open(self, path: impl AsRef<Path>) -> Result<SqliteStore> {
        let store = self.described(path.as_ref())?;
        store.look(self.create)?;
        Ok(store)
    }

    /// Creates the store without looking at the file.
    pub(super) fn described(self, path: &Path) -> Result<SqliteStore> {
        Ok(SqliteStore {
            path: file::absolute(path)?,
            shared_file: self.shared_file,
            busy_timeout: BUSY_TIMEOUT,
            identity: OnceLock::new(),
            known: KnownKeySpace::new(self.key_space),
            connection: PerProcess::new(),
        })
    }
}
