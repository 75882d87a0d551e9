//! Files that this machine keeps for the time without ZooKeeper: the worker ID in Leaf's own file,
//! and beside it a mark file with the reservation.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use snowmint_engine::Code;

use crate::error::Result;
use crate::host::files::Disk;
use crate::host::mark::{MarkFile, Missing};
use crate::store::zookeeper::errors;

/// The name of Leaf's file, below `leafconf/{port}`.
const WORKER: &str = "workerID.properties";
const KEY: &str = "workerID=";

pub(super) struct Cache(PathBuf);

impl Cache {
    pub(super) fn new(directory: &Path) -> Result<Cache> {
        let absolute = std::path::absolute(directory);
        absolute.map(Cache).map_err(|error| errors::no_directory(directory, error))
    }

    /// Returns true if a worker ID was ever used here.
    pub(super) fn is_there(&self) -> bool {
        self.0.join(WORKER).exists()
    }

    /// Returns the worker ID that was used last.
    pub(super) fn worker_id(&self) -> Result<u32> {
        let path = self.0.join(WORKER);
        let text = fs::read_to_string(&path);
        let text = text.map_err(|error| errors::file_unusable(&path, error))?;
        let line = text.lines().find_map(|line| line.trim().strip_prefix(KEY));
        let worker_id = line.and_then(|number| number.trim().parse().ok());
        worker_id.ok_or_else(|| errors::worker_id_missing(&path, KEY))
    }

    pub(super) fn note(&self, worker_id: u32) -> Result<()> {
        if self.worker_id().is_ok_and(|known| known == worker_id) {
            return Ok(());
        }
        let path = self.0.join(WORKER);
        let write = || {
            let mut file = tempfile::NamedTempFile::new_in(&self.0)?;
            write!(file, "{KEY}{worker_id}")?;
            file.as_file().sync_all()?;
            file.persist(&path).map_err(|error| error.error)
        };
        write().map(drop).map_err(|error| errors::file_unusable(&path, error))
    }

    /// Opens and locks the mark file of a worker ID, which holds its reservation.
    pub(super) fn mark(&self, realm: &str, worker_id: u32, missing: Missing) -> Result<MarkFile> {
        let path = self.0.join(format!("worker-{worker_id}.mark"));
        MarkFile::open(&Disk, &path, realm, worker_id, missing).map_err(|error| {
            match error.code() {
                Code::StateCorrupt => errors::mark_damaged(&error),
                _ => error,
            }
        })
    }
}
