//! How a file is to be opened, and made.

use std::path::Path;
use std::sync::OnceLock;

use super::{BUSY_TIMEOUT, BUSY_TIMEOUT_MAX, SqliteStore, file};
use crate::error::Result;
use crate::host::process::PerProcess;
use crate::store::{KeptIn, KeySpaceId, Known, Migration};

/// How a database is to be opened: see [`SqliteStore::builder`].
#[derive(Clone, Copy, Debug, Default)]
pub struct SqliteBuilder {
    create: bool,
    pub(super) shared_file: bool,
    pub(super) key_space: Option<KeySpaceId>,
}

impl SqliteBuilder {
    /// Whether to make the file if it is not there: a new key space. Not unless set.
    #[must_use]
    pub fn create(self, create: bool) -> SqliteBuilder {
        SqliteBuilder { create, ..self }
    }

    /// Whether to go on with a file in which an application has made tables. Not unless set: if the
    /// application opens it in this process, by whichever copy of SQLite, the system takes its locks
    /// away when a store of the file is opened or dropped; what it was about to change is undone by
    /// others then, and numbers can repeat. In other processes it may.
    #[must_use]
    pub fn shared_file(self, shared_file: bool) -> SqliteBuilder {
        SqliteBuilder { shared_file, ..self }
    }

    /// Which key space it has to be, where that is known: another one is refused. The one that is seen
    /// first unless set.
    #[must_use]
    pub fn key_space(self, id: KeySpaceId) -> Self {
        SqliteBuilder { key_space: Some(id), ..self }
    }

    /// Makes the file where there is none, or says how.
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
        Ok(Migration { place, kept_in: KeptIn::Tables, statements })
    }

    /// Opens the database.
    ///
    /// # Errors
    /// As [`SqliteStore::open`].
    pub fn open(self, path: impl AsRef<Path>) -> Result<SqliteStore> {
        let store = self.described(path.as_ref())?;
        store.look(self.create)?;
        Ok(store)
    }

    /// The store, of which nothing was looked at yet.
    pub(super) fn described(self, path: &Path) -> Result<SqliteStore> {
        Ok(SqliteStore {
            path: file::absolute(path)?,
            shared_file: self.shared_file,
            busy_timeout: BUSY_TIMEOUT,
            identity: OnceLock::new(),
            known: Known::new(self.key_space),
            connection: PerProcess::new(),
        })
    }
}
