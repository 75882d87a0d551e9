//! State files as a trait, so that a simulator can lose a write, and the real ones.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The most that is read of a state file: more than any has, and little enough for memory.
const MAX_STATE_BYTES: u64 = 65_536;

/// Opens state files.
pub trait Files: Send + Sync {
    /// Opens a file for this process alone. If it is not there, it is created, all at once and
    /// durably, as `length` zeros; its directories too, for their owner only.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] if somebody else has it open; or of the system.
    fn open_exclusive(&self, path: &Path, length: u64) -> io::Result<Box<dyn StateFile>>;
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
    fn open_exclusive(&self, path: &Path, length: u64) -> io::Result<Box<dyn StateFile>> {
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        let file = match options.open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                create_zeros(path, length)?;
                options.open(path)?
            }
            opened => opened?,
        };
        match file.try_lock() {
            Ok(()) => Ok(Box::new(file)),
            Err(TryLockError::WouldBlock) => Err(io::ErrorKind::WouldBlock.into()),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

/// Creates a file that gets its name once it is whole, so that an empty one is never a beginning.
fn create_zeros(path: &Path, length: u64) -> io::Result<()> {
    // Asked before they are created: their names must become durable too.
    let missing = path.ancestors().skip(1).take_while(|directory| !directory.exists()).count();
    if let Some(directory) = path.parent() {
        create_private(directory)?;
    }
    let unnamed = unnamed(path);
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let made = options.open(&unnamed).and_then(|file| {
        file.set_len(length)?;
        file.sync_all()
    });
    let named = made.and_then(|()| match std::fs::hard_link(&unnamed, path) {
        // Another process was first.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        linked => linked,
    });
    // What cannot be removed is litter and no more.
    let _ = std::fs::remove_file(&unnamed);
    named?;
    path.ancestors().skip(1).take(missing.saturating_add(1)).try_for_each(sync_names)
}

/// A name beside a file's, for the time of its making: this process's and thread's own.
pub(crate) fn unnamed(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    let thread = format!("{:?}", std::thread::current().id());
    let thread: String = thread.chars().filter(char::is_ascii_digit).collect();
    name.push(format!(".new-{}-{thread}", std::process::id()));
    path.with_file_name(name)
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
