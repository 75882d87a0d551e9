//! The identity of a file.

use std::fs::File;
use std::io;
use std::path::Path;

/// Distinguishes a file from all others that are open or have a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileId {
    /// The file system; on Windows the serial number of the volume.
    pub device: u64,
    /// The file's number in it: its inode, on Windows its index.
    pub inode: u64,
}

#[cfg(unix)]
impl FileId {
    pub(crate) fn new(file: &File) -> io::Result<FileId> {
        file.metadata().map(|it| FileId::from(&it))
    }

    /// The identity of the file that a path leads to. The file is not opened, because closing it
    /// would end locks that this process has on it.
    pub(crate) fn at(path: &Path) -> io::Result<FileId> {
        path.metadata().map(|it| FileId::from(&it))
    }

    /// The identity of the file with this name; links are not followed.
    pub(crate) fn named(path: &Path) -> io::Result<FileId> {
        path.symlink_metadata().map(|it| FileId::from(&it))
    }

    /// The number of names of the file that a path leads to.
    pub(crate) fn names(path: &Path) -> io::Result<u64> {
        path.metadata().map(|it| std::os::unix::fs::MetadataExt::nlink(&it))
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
    pub(crate) fn new(file: &File) -> io::Result<FileId> {
        let it = winapi_util::file::information(file)?;
        Ok(FileId { device: it.volume_serial_number(), inode: it.file_index() })
    }

    /// The identity of the file that a path leads to. Locks belong to handles here, so other
    /// handles keep theirs.
    pub(crate) fn at(path: &Path) -> io::Result<FileId> {
        FileId::new(&untouched(path, FILE_FLAG_BACKUP_SEMANTICS)?)
    }

    /// The identity of the file with this name; links are not followed.
    pub(crate) fn named(path: &Path) -> io::Result<FileId> {
        FileId::new(&untouched(path, FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT)?)
    }

    pub(crate) fn names(path: &Path) -> io::Result<u64> {
        let file = untouched(path, FILE_FLAG_BACKUP_SEMANTICS)?;
        Ok(winapi_util::file::information(file)?.number_of_links())
    }
}

/// Opens a file without any access to its content.
#[cfg(windows)]
fn untouched(path: &Path, flags: u32) -> io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt as _;

    File::options().access_mode(0).custom_flags(flags).open(path)
}

/// Lets directories be opened too.
#[cfg(windows)]
const FILE_FLAG_BACKUP_SEMANTICS: u32 = 0x0200_0000;
#[cfg(windows)]
const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;

#[cfg(all(test, feature = "sqlite"))]
#[allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]
mod tests {
    use std::fs;
    use std::io::Write as _;

    use super::*;

    #[test]
    fn a_file_is_the_same_after_writes_and_by_all_its_names() {
        let directory = tempfile::tempdir().unwrap();
        let [first, second, moved] =
            ["first", "second", "moved"].map(|name| directory.path().join(name));
        let mut file = File::create(&first).unwrap();
        let id = FileId::new(&file).unwrap();
        for _ in 0..3 {
            file.write_all(b"more").unwrap();
            file.sync_all().unwrap();
            assert_eq!([FileId::at(&first).unwrap(), FileId::named(&first).unwrap()], [id; 2]);
        }
        assert_eq!(FileId::names(&first).unwrap(), 1);
        fs::hard_link(&first, &second).unwrap();
        assert_eq!((FileId::at(&second).unwrap(), FileId::names(&first).unwrap()), (id, 2));
        drop(file);
        fs::rename(&first, &moved).unwrap();
        assert_eq!(FileId::at(&moved).unwrap(), id);
        fs::copy(&moved, &first).unwrap();
        assert_ne!(FileId::at(&first).unwrap(), id);
        fs::rename(&first, &moved).unwrap();
        assert_ne!(FileId::at(&moved).unwrap(), id);
        assert_eq!(FileId::named(&first).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
