//! Files of keys: read only if nobody else may.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use zeroize::Zeroizing;

use crate::KEYS_VARIABLE as VARIABLE;
use crate::document::MAX_BYTES;
use crate::error::{KeyFault, Result};
use crate::source::may_be_keys;

/// The content of a file that is its owner's alone.
pub(crate) fn read(path: &Path) -> Result<Zeroizing<Vec<u8>>> {
    let unreadable = |source: io::Error| {
        if may_be_keys(&path.to_string_lossy()) && !path.exists() {
            return KeyFault::Misplaced;
        }
        KeyFault::Unreadable { path: path.into(), source: Arc::new(source) }
    };
    let file = open(path).map_err(unreadable)?;
    check(path, &file, unreadable)?;
    // One byte more than a document has, so that a longer file is told; without growing, which would
    // leave copies.
    let mut content = Zeroizing::new(Vec::with_capacity(MAX_BYTES + 1));
    let mut limited = file.take(MAX_BYTES as u64 + 1);
    limited.read_to_end(&mut content).map_err(unreadable)?;
    Ok(content)
}

/// Opens a file, and nothing else: a pipe would wait for somebody who writes to it.
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

/// A file of this user's is for him alone, as PostgreSQL and OpenSSH's servers have it; one of root's
/// may be read by a group as well, whoever asks, as volumes of a cluster are given.
#[cfg(unix)]
fn check(
    path: &Path,
    file: &File,
    unreadable: impl Fn(io::Error) -> KeyFault,
) -> Result<(), KeyFault> {
    use std::os::unix::fs::MetadataExt;

    const ROOT: u32 = 0;
    // Of the open file: the name may lead to another one by now.
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

/// Who may read a file is not asked here.
#[cfg(not(unix))]
fn check(_: &Path, _: &File, _: impl Fn(io::Error) -> KeyFault) -> Result<(), KeyFault> {
    Ok(())
}
