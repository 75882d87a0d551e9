//! Files of keys, which are only read if no other user may access them.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use zeroize::Zeroizing;

use crate::KEYS_VARIABLE as VARIABLE;
use crate::document::MAX_BYTES;
use crate::error::{KeyFault, Result};
use crate::source::may_be_keys;

/// Reads a file after checking its owner and mode.
pub(crate) fn read(path: &Path) -> Result<Zeroizing<Vec<u8>>> {
    let unreadable = |source: io::Error| {
        if may_be_keys(&path.to_string_lossy()) && !path.exists() {
            return KeyFault::Misplaced;
        }
        KeyFault::Unreadable { path: path.into(), source: Arc::new(source) }
    };
    let file = open(path).map_err(unreadable)?;
    check(path, &file, unreadable)?;
    // One byte more than a document may have, so that a longer file is detected. Growing would
    // leave copies of keys in memory.
    let mut content = Zeroizing::new(Vec::with_capacity(MAX_BYTES + 1));
    let mut limited = file.take(MAX_BYTES as u64 + 1);
    limited.read_to_end(&mut content).map_err(unreadable)?;
    Ok(content)
}

/// Opens a regular file only: opening a pipe would wait for its writer.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;

        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    let file = options.open(path)?;
    if !file.metadata()?.is_file() {
        let message = format!("it is no regular file: name one, or put its document in {VARIABLE}");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    Ok(file)
}

/// A file of this user must be accessible to its owner only, as PostgreSQL and OpenSSH require. A
/// file of root may be readable for any group, because clusters mount volumes like that.
#[cfg(unix)]
fn check(
    path: &Path,
    file: &File,
    unreadable: impl Fn(io::Error) -> KeyFault,
) -> Result<(), KeyFault> {
    use std::os::unix::fs::MetadataExt;

    const ROOT: u32 = 0;
    // Read from the open file, because the name may lead to another one by now.
    let found = file.metadata().map_err(unreadable)?;
    let (owner, mode) = (found.uid(), found.mode());
    let user = rustix::process::geteuid().as_raw();
    if owner != user && owner != ROOT {
        return Err(KeyFault::Foreign { path: path.into(), owner });
    }
    let others = if owner == ROOT { 0o037 } else { 0o077 };
    if mode & others != 0 {
        return Err(KeyFault::Exposed { path: path.into(), mode });
    }
    Ok(())
}

/// On this system the access rights are not checked.
#[cfg(not(unix))]
fn check(_: &Path, _: &File, _: impl Fn(io::Error) -> KeyFault) -> Result<(), KeyFault> {
    Ok(())
}
