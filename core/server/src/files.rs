//! Opens files for a reload, and explains why a file cannot be written.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

pub use crate::errors::files::unwritten;

/// Opens a file without blocking. Only a regular one, because a pipe would block the reload until it
/// is written.
///
/// # Errors
/// The system's error; [`io::ErrorKind::InvalidInput`] unless it is a regular file.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    let file = options.open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"))
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_pipe_or_a_device_is_refused_at_once() {
        let directory = tempfile::tempdir().unwrap();
        let pipe = directory.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [pipe.as_path(), Path::new("/dev/zero"), directory.path()] {
            assert_eq!(open(path).unwrap_err().kind(), io::ErrorKind::InvalidInput, "{path:?}");
        }
        let file = directory.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert!(open(&file).is_ok());
    }
}
