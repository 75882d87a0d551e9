//! State files as a trait, so that a simulator can lose a write, and the real ones.

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

/// The most that is read of a state file: more than any has, and little enough for memory.
const MAX_STATE_BYTES: u64 = 65_536;
/// The bit of a file's mode that lets any user write it.
#[cfg(unix)]
const WRITABLE_BY_OTHERS: u32 = 0o002;

/// Opens state files.
pub trait Files: Send + Sync {
    /// Opens a file for this process alone. If it is not there and `new_length` is given, it is
    /// created, all at once and durably, as so many zeros; its directories too, for their owner
    /// only.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] if somebody else has it open; [`io::ErrorKind::NotFound`] if
    /// it is not there, and not to be created; [`io::ErrorKind::InvalidData`] if what is there
    /// could be changed by others, which the message then says; or of the system.
    fn open_exclusive(
        &self,
        path: &Path,
        new_length: Option<u64>,
    ) -> io::Result<Box<dyn StateFile>>;

    /// The content of a small file that is written once. If it is not there and `new` is given, it
    /// is created with that, all at once and durably; its directories too, for their owner only.
    ///
    /// # Errors
    /// As of [`open_exclusive`](Self::open_exclusive), but nobody has it for himself.
    fn read_once_written(&self, path: &Path, new: Option<&[u8]>) -> io::Result<Vec<u8>>;

    /// Which file whoever opens `path` now gets; `None` where it leads to none. It is another one
    /// than before once that was removed, or moved with its directory, or another moved over it.
    ///
    /// # Errors
    /// Of the system.
    fn named(&self, path: &Path) -> io::Result<Option<FileId>>;
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

    /// Which file it is.
    ///
    /// # Errors
    /// Of the system.
    fn id(&self) -> io::Result<FileId>;

    /// Lets others open the file, before it is closed: a forked child may have it open, too, and
    /// would keep the lock for as long as it lives.
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

/// Opens a file. If it is not there and `fill` is given, it is created with what that writes.
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

/// Opens a file for reading and writing, if it is one that only this user can write. What else has
/// the name is neither followed nor waited for.
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
        // The system's words for a link or a socket say little.
        Err(error) => return Err(refusal(&path.symlink_metadata()).unwrap_or(error)),
    };
    // On Windows a link was followed.
    let there = if cfg!(unix) { file.file()?.metadata() } else { path.symlink_metadata() };
    let refusal = refusal(&there);
    refusal.map_or(Ok(file), Err)
}

/// Why a file is not used, if others could change what it holds.
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

/// How others could change a regular file.
#[cfg(unix)]
fn open_to_others(metadata: &Metadata) -> Option<String> {
    let (user, owner) = (rustix::process::geteuid().as_raw(), metadata.uid());
    if owner != user {
        Some(format!(
            "it belongs to user {owner}, and this process runs as user {user}: run it as that \
             user, or give the file to this one"
        ))
    // A group may write: volumes of a cluster are often given to one, with all that they hold.
    } else if metadata.mode() & WRITABLE_BY_OTHERS != 0 {
        Some("every user of this host can write it: take that right away (chmod o-w)".to_owned())
    } else if metadata.nlink() > 1 {
        Some(format!("it has {} names (hard links): leave it one", metadata.nlink()))
    } else {
        None
    }
}

/// Its access list says so here, which nobody looks at.
#[cfg(not(unix))]
fn open_to_others(_: &Metadata) -> Option<String> {
    None
}

/// Creates a file with what `fill` writes, all at once and durably, and the directories above it:
/// for their owner only. If somebody else is first, theirs stays as it is.
///
/// # Errors
/// Of the system; [`io::ErrorKind::PermissionDenied`] if somebody put another file in its place
/// while it was made.
pub(crate) fn create_whole(
    path: &Path,
    fill: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    // Asked before they are created: their names must become durable too.
    let missing = path.ancestors().skip(1).take_while(|directory| !directory.exists()).count();
    let directory = path.parent().unwrap_or(path);
    create_private(directory)?;
    match made_in(directory, fill)?.persist_noclobber(path) {
        Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => {}
        named => named.map_err(|failed| failed.error)?,
    }
    path.ancestors().skip(1).take(missing.saturating_add(1)).try_for_each(sync_names)
}

/// Puts a file with this content in the place of the one that has the name, all at once and durably.
///
/// # Errors
/// As of [`create_whole`].
pub(crate) fn replace_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let directory = path.parent().unwrap_or(path);
    made_in(directory, |file| file.write_all(content))?.persist(path)?;
    sync_names(directory)
}

/// A file with what `fill` writes, durable but for its name.
///
/// The file is made under a name that nobody can foresee, and only by creating it: no link that
/// another user planted is followed, no file of theirs taken. It is closed before it gets its own
/// name, since closing a file ends all locks that this process has on it, those of SQLite too.
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

/// Whether a name means the file that was made: the same one, with the same owner and mode, and
/// with no other name.
#[cfg(unix)]
fn is_same_file(named: &Metadata, made: &Metadata) -> bool {
    let identity = |file: &Metadata| (file.dev(), file.ino(), file.uid(), file.mode());
    identity(named) == identity(made) && named.is_file() && named.nlink() == 1
}

/// Others cannot rename a file here without the right to.
#[cfg(not(unix))]
fn is_same_file(named: &Metadata, _: &Metadata) -> bool {
    named.is_file()
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
        // Closing does it, where nobody else has the file.
        let _ = self.file().and_then(File::unlock);
    }

    fn id(&self) -> io::Result<FileId> {
        Ok(Uninherited::id(self))
    }
}

/// Whether this process has the lock: who has it takes it once more for nothing.
#[cfg(unix)]
fn check_locked(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(io::Error::other("somebody else has locked it")),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// The system lets only who has the lock write.
#[cfg(not(unix))]
fn check_locked(_: &File) -> io::Result<()> {
    Ok(())
}

/// Whether an error says that a path leads nowhere.
fn is_nowhere(kind: io::ErrorKind) -> bool {
    matches!(kind, io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

#[cfg(all(test, unix))]
mod tests;
