//! Which file it is.

use std::fs::File;
use std::io;
use std::path::Path;

/// Tells a file from all others that are open or have a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileId {
    /// The file system; on Windows the serial number of the volume.
    pub device: u64,
    /// The file's number in it: its inode, on Windows its index.
    pub inode: u64,
}

#[cfg(unix)]
impl FileId {
    /// That of an open file.
    pub(crate) fn of(file: &File) -> io::Result<FileId> {
        file.metadata().map(|it| FileId::from(&it))
    }

    /// That of the file a path leads to, which is not opened: closing it would end locks that this
    /// process has on it.
    #[cfg(feature = "sqlite")]
    pub(crate) fn at(path: &Path) -> io::Result<FileId> {
        path.metadata().map(|it| FileId::from(&it))
    }

    /// That of what has the name, be it a link.
    pub(crate) fn named(path: &Path) -> io::Result<FileId> {
        path.symlink_metadata().map(|it| FileId::from(&it))
    }
}

#[cfg(unix)]
impl From<&std::fs::Metadata> for FileId {
    fn from(metadata: &std::fs::Metadata) -> FileId {
        use std::os::unix::fs::MetadataExt as _;

        FileId { device: metadata.dev(), inode: metadata.ino() }
    }
}

#[cfg(windows)]
impl FileId {
    /// That of an open file.
    pub(crate) fn of(file: &File) -> io::Result<FileId> {
        let it = winapi_util::file::information(file)?;
        Ok(FileId { device: it.volume_serial_number(), inode: it.file_index() })
    }

    /// That of the file a path leads to, opened without the right to anything in it: locks are of
    /// handles here, and those of others stay.
    #[cfg(feature = "sqlite")]
    pub(crate) fn at(path: &Path) -> io::Result<FileId> {
        FileId::opened(path, FILE_FLAG_BACKUP_SEMANTICS)
    }

    /// That of what has the name, be it a link.
    pub(crate) fn named(path: &Path) -> io::Result<FileId> {
        FileId::opened(path, FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT)
    }

    fn opened(path: &Path, flags: u32) -> io::Result<FileId> {
        use std::os::windows::fs::OpenOptionsExt as _;

        let file = File::options().access_mode(0).custom_flags(flags).open(path)?;
        FileId::of(&file)
    }
}

/// Opens directories too: one may have the name.
#[cfg(windows)]
const FILE_FLAG_BACKUP_SEMANTICS: u32 = 0x0200_0000;
#[cfg(windows)]
const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
