//! State files as a trait, so that a simulator can lose a write, and the real ones.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The most that is read of a state file: more than any has, and little enough for memory.
const MAX_STATE_BYTES: u64 = 65_536;

/// Opens state files.
pub trait Files: Send + Sync {
    /// Opens a file for this process alone, and creates it if it is not there; its directories
    /// too, for their owner only. An empty file's name is durable when this returns.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] if somebody else has it open; or of the system.
    fn open_exclusive(&self, path: &Path) -> io::Result<Box<dyn StateFile>>;
}

/// A small file that survives power loss where `sync` says so.
pub trait StateFile: Send {
    /// The content; of a file above 64 KiB, which no state file has, only the beginning.
    ///
    /// # Errors
    /// Of the system.
    fn read(&mut self) -> io::Result<Vec<u8>>;

    /// Writes `bytes` at `offset`.
    ///
    /// # Errors
    /// Of the system. The file may then hold part of it.
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Returns once everything written is durable.
    ///
    /// # Errors
    /// Of the system. What was written since the last success is then in doubt, for ever.
    fn sync(&mut self) -> io::Result<()>;
}

/// The file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Files for Disk {
    fn open_exclusive(&self, path: &Path) -> io::Result<Box<dyn StateFile>> {
        // Asked before they are created: their names must become durable too.
        let directories = path.ancestors().skip(1);
        let missing = directories.take_while(|directory| !directory.exists()).count();
        if let Some(directory) = path.parent() {
            create_private(directory)?;
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::WouldBlock.into()),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        // Whoever wrote to it first had its name synced here.
        if file.metadata()?.len() == 0 {
            path.ancestors().skip(1).take(missing.saturating_add(1)).try_for_each(sync_names)?;
        }
        Ok(Box::new(file))
    }
}

/// Makes the names in a directory durable: syncing a file does not do that.
#[cfg(unix)]
fn sync_names(directory: &Path) -> io::Result<()> {
    let here = directory.as_os_str().is_empty();
    let directory = if here { Path::new(".") } else { directory };
    match File::open(directory)?.sync_all() {
        // A file system that has nothing to sync there.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        synced => synced,
    }
}

/// A directory cannot be synced here.
#[cfg(not(unix))]
fn sync_names(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Creates a directory and those above it, for their owner only.
pub(crate) fn create_private(directory: &Path) -> io::Result<()> {
    if directory.as_os_str().is_empty() {
        return Ok(());
    }
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)
}

impl StateFile for File {
    fn read(&mut self) -> io::Result<Vec<u8>> {
        let mut content = Vec::new();
        self.seek(SeekFrom::Start(0))?;
        self.take(MAX_STATE_BYTES).read_to_end(&mut content)?;
        Ok(content)
    }

    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.seek(SeekFrom::Start(offset))?;
        self.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}
