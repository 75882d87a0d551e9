//! State files: the trait, which lets a simulator lose writes, and the real files.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
#[cfg(unix)]
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

#[cfg(unix)]
use rustix::fs::OFlags;
use tempfile::TempPath;

use super::identity::FileId;
use super::uninherited::Uninherited;

/// The most bytes read of a state file: more than any has, and little enough for memory.
const MAX_STATE_BYTES: u64 = 65_536;
/// The bit of a file's mode that lets any user write it.
#[cfg(unix)]
const WRITABLE_BY_OTHERS: u32 = 0o002;

/// Opens state files.
pub trait Files: Send + Sync {
    /// Opens a file for this process alone. If the file is missing and `new_length` is given, it is
    /// created atomically and durably as that many zero bytes. Missing directories are created for
    /// their owner only.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] if the file is locked by another opener;
    /// [`io::ErrorKind::NotFound`] if it is missing and not to be created.
    /// [`io::ErrorKind::InvalidData`] if others could change the file, with the reason in the
    /// message; or an error of the system.
    fn open_exclusive(
        &self,
        path: &Path,
        new_length: Option<u64>,
    ) -> io::Result<Box<dyn StateFile>>;

    /// Reads a small file that is written once. If the file is missing and `new` is given, it is
    /// created atomically and durably with that content. Missing directories are created for their
    /// owner only.
    ///
    /// # Errors
    /// As [`open_exclusive`](Self::open_exclusive), except that the file is not locked.
    fn read_once_written(&self, path: &Path, new: Option<&[u8]>) -> io::Result<Vec<u8>>;

    /// Returns the identity of the file that `path` names now, or `None` if there is none. It
    /// changes when the file is removed, moved with its directory, or replaced by another file.
    ///
    /// # Errors
    /// An error of the system.
    fn named(&self, path: &Path) -> io::Result<Option<FileId>>;
}

/// A small file whose content survives power loss after `sync`.
pub trait StateFile: Send {
    /// Reads the content, at most 64 KiB; no state file is larger.
    ///
    /// # Errors
    /// An error of the system.
    fn read(&mut self) -> io::Result<Vec<u8>>;

    /// Writes `bytes` at `offset`.
    ///
    /// # Errors
    /// An error of the system. The file may then hold a part of `bytes`.
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Returns once everything written is durable.
    ///
    /// # Errors
    /// An error of the system. Everything written since the last success then stays in doubt.
    fn sync(&mut self) -> io::Result<()>;

    /// The identity of the file.
    ///
    /// # Errors
    /// An error of the system.
    fn id(&self) -> io::Result<FileId>;

    /// Releases the lock before the file is closed. A forked child may have inherited the file, and
    /// would otherwise keep the lock for as long as it lives.
    fn unlock(&mut self) {}
}

/// The file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Files for Disk {
    fn open_exclusive(
        &self,
        path: &Path,
        new_length: Option<u64>,
    ) -> io::Result<Box<dyn StateFile>> {
        let file = open_or_create(
            path,
            new_length.map(|length| move |file: &mut File| file.set_len(length)),
        )?;
        match file.file()?.try_lock() {
            Ok(()) => Ok(Box::new(file)),
            Err(TryLockError::WouldBlock) => Err(io::ErrorKind::WouldBlock.into()),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    fn read_once_written(&self, path: &Path, new: Option<&[u8]>) -> io::Result<Vec<u8>> {
        open_or_create(path, new.map(|content| |file: &mut File| file.write_all(content)))?.read()
    }

    fn named(&self, path: &Path) -> io::Result<Option<FileId>> {
        match FileId::named(path) {
            Ok(named) => Ok(Some(named)),
            Err(error) if is_nowhere(error.kind()) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Opens a file. If the file is missing and `fill` is given, it is created with what `fill` writes.
fn open_or_create(
    path: &Path,
    fill: Option<impl FnOnce(&mut File) -> io::Result<()>>,
) -> io::Result<Uninherited> {
    match (open_existing(path), fill) {
        (Err(error), Some(fill)) if error.kind() == io::ErrorKind::NotFound => {
            create_whole(path, fill)?;
            open_existing(path)
        }
        (opened, _) => opened,
    }
}

/// Opens a regular file that only this user can write. Links are not followed, and pipes and
/// devices are not waited for.
fn open_existing(path: &Path) -> io::Result<Uninherited> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    #[cfg(unix)]
    {
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        options.custom_flags(flags.bits().cast_signed());
    }
    let file = match Uninherited::open(|| options.open(path)) {
        Ok(file) => file,
        // The system's error for a link or a socket says little.
        Err(error) => return Err(refusal(&path.symlink_metadata()).unwrap_or(error)),
    };
    // On Windows the link itself must be examined, because opening the file followed it.
    let there = if cfg!(unix) { file.file()?.metadata() } else { path.symlink_metadata() };
    let refusal = refusal(&there);
    refusal.map_or(Ok(file), Err)
}

/// Returns the reason not to use a file that others could change.
fn refusal(metadata: &io::Result<Metadata>) -> Option<io::Error> {
    let Ok(metadata) = metadata else { return None };
    let reason = if metadata.is_symlink() {
        "it is a symbolic link: name the file that it leads to".to_owned()
    } else if !metadata.is_file() {
        "it is no regular file: remove it, or name another path".to_owned()
    } else {
        open_to_others(metadata)?
    };
    Some(io::Error::new(io::ErrorKind::InvalidData, reason))
}

/// Returns how others could change a regular file.
#[cfg(unix)]
fn open_to_others(metadata: &Metadata) -> Option<String> {
    let (user, owner) = (rustix::process::geteuid().as_raw(), metadata.uid());
    if owner != user {
        Some(format!(
            "it belongs to user {owner}, and this process runs as user {user}: run it as that \
             user, or give the file to this one"
        ))
    // Writing by a group is allowed: clusters often give a volume with all its files to a group.
    } else if metadata.mode() & WRITABLE_BY_OTHERS != 0 {
        Some("every user of this host can write it: take that right away (chmod o-w)".to_owned())
    } else if metadata.nlink() > 1 {
        Some(format!("it has {} names (hard links): leave it one", metadata.nlink()))
    } else {
        None
    }
}

/// The access list of the file would say it here, but it is not examined.
#[cfg(not(unix))]
fn open_to_others(_: &Metadata) -> Option<String> {
    None
}

/// Creates a file with what `fill` writes, atomically and durably. Missing directories are created
/// for their owner only. If another process creates the file first, its file stays.
///
/// # Errors
/// Errors of the system; [`io::ErrorKind::PermissionDenied`] if another file was put in its place
/// while it was being made.
pub(crate) fn create_whole(
    path: &Path,
    fill: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    // Counted before the directories are created, because their names must become durable too.
    let missing = path.ancestors().skip(1).take_while(|directory| !directory.exists()).count();
    let directory = path.parent().unwrap_or(path);
    create_private(directory)?;
    match made_in(directory, fill)?.persist_noclobber(path) {
        Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => {}
        named => named.map_err(|failed| failed.error)?,
    }
    path.ancestors().skip(1).take(missing.saturating_add(1)).try_for_each(sync_names)
}

/// Replaces a file by one with this content, atomically and durably.
///
/// # Errors
/// As [`create_whole`].
pub(crate) fn replace_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let directory = path.parent().unwrap_or(path);
    made_in(directory, |file| file.write_all(content))?.persist(path)?;
    sync_names(directory)
}

/// Makes a file with what `fill` writes, durable except for its name.
///
/// The file gets an unpredictable name and is always newly created, so a link or file that another
/// user planted is never used. It is closed before it gets its final name, because closing a file
/// ends all locks that this process has on it, including those of SQLite.
fn made_in(
    directory: &Path,
    fill: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<TempPath> {
    let mut random = [0; 16];
    getrandom::fill(&mut random)?;
    let unnamed = format!(".snowmint-new-{:032x}", u128::from_ne_bytes(random));
    let mut file =
        tempfile::Builder::new().prefix(&unnamed).rand_bytes(0).tempfile_in(directory)?;
    let made = file.as_file().metadata()?;
    fill(file.as_file_mut())?;
    file.as_file().sync_all()?;
    let unnamed = file.into_temp_path();
    if !is_same_file(&fs::symlink_metadata(&unnamed)?, &made) {
        let message = "somebody else put another file in its place: use a directory of its own";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, message));
    }
    Ok(unnamed)
}

/// Returns true if the name still means the file that was made: same inode, owner and mode, and no
/// other name.
#[cfg(unix)]
fn is_same_file(named: &Metadata, made: &Metadata) -> bool {
    let identity = |file: &Metadata| (file.dev(), file.ino(), file.uid(), file.mode());
    identity(named) == identity(made) && named.is_file() && named.nlink() == 1
}

/// Other users cannot replace the file here without the right to do so.
#[cfg(not(unix))]
fn is_same_file(named: &Metadata, _: &Metadata) -> bool {
    named.is_file()
}

/// Makes the names in a directory durable, which syncing a file does not do.
#[cfg(unix)]
fn sync_names(directory: &Path) -> io::Result<()> {
    let here = directory.as_os_str().is_empty();
    let directory = if here { Path::new(".") } else { directory };
    match File::open(directory)?.sync_all() {
        // This file system has nothing to sync for a directory.
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
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)
}

impl StateFile for Uninherited {
    fn read(&mut self) -> io::Result<Vec<u8>> {
        let mut content = Vec::new();
        let mut file = self.file()?;
        file.seek(SeekFrom::Start(0))?;
        file.take(MAX_STATE_BYTES).read_to_end(&mut content)?;
        Ok(content)
    }

    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut file = self.file()?;
        check_locked(file)?;
        file.seek(SeekFrom::Start(offset))?;
        file.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file()?.sync_data()
    }

    fn unlock(&mut self) {
        // An error is ignored, because closing releases the lock too, unless a child has the file.
        let _ = self.file().and_then(File::unlock);
    }

    fn id(&self) -> io::Result<FileId> {
        Ok(Uninherited::id(self))
    }
}

/// Fails if another opener has the lock. Locking again costs its holder nothing.
#[cfg(unix)]
fn check_locked(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(io::Error::other("somebody else has locked it")),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// The system itself rejects writes of other processes while the lock is held.
#[cfg(not(unix))]
fn check_locked(_: &File) -> io::Result<()> {
    Ok(())
}

/// Returns true if the error means that the path names nothing.
fn is_nowhere(kind: io::ErrorKind) -> bool {
    matches!(kind, io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

#[cfg(all(test, unix))]
mod tests;
