//! The token that this server sends to other servers. It has a file of its own and is the only one
//! kept as plain text.

use std::fs::Metadata;
use std::io::Read;
use std::path::Path;

use hyper::header::HeaderValue;
use snowmint::Result;

use super::secret::MAX_BYTES;
use crate::{errors, files};

/// Reads the file, and returns the header with the token.
///
/// # Errors
/// [`snowmint::Code::UnsafeSetting`] for a file that others may read or write;
/// [`snowmint::Code::InvalidParameter`] for one that cannot be read, or has no token.
pub(super) fn read(path: &Path) -> Result<HeaderValue> {
    let unreadable = |error| errors::tokens::own_unreadable(path, error);
    let file = files::open(path).map_err(unreadable)?;
    refuse_open(path, &file.metadata().map_err(unreadable)?)?;
    let mut text = String::new();
    file.take(MAX_BYTES as u64 + 2).read_to_string(&mut text).map_err(unreadable)?;
    let token = text.trim();
    let is_one =
        (1..=MAX_BYTES).contains(&token.len()) && token.bytes().all(|it| it.is_ascii_graphic());
    let header = HeaderValue::try_from(format!("Bearer {token}")).ok().filter(|_| is_one);
    let mut header = header.ok_or_else(|| errors::tokens::own_missing(path))?;
    header.set_sensitive(true);
    Ok(header)
}

/// Refuses a file that others may access: a reader can pose as this server.
#[cfg(unix)]
fn refuse_open(path: &Path, metadata: &Metadata) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = metadata.permissions().mode();
    if mode & 0o027 == 0 {
        return Ok(());
    }
    Err(errors::tokens::own_exposed(path, mode))
}

/// Other systems express permissions differently, so nothing is checked.
#[cfg(not(unix))]
fn refuse_open(_path: &Path, _metadata: &Metadata) -> Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use snowmint::Code;

    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_token_is_read_where_nobody_else_can() {
        use std::fs::{Permissions, set_permissions, write};
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("token");
        let code = || read(&path).err().map(|error| error.code());
        assert_eq!(code(), Some(Code::InvalidParameter));
        for (text, is_one) in
            [("smt_abc\n", true), ("x", true), ("", false), ("a b", false), ("a\nb", false)]
        {
            write(&path, text).unwrap();
            for (mode, is_safe) in [(0o600, true), (0o640, true), (0o644, false), (0o620, false)] {
                set_permissions(&path, Permissions::from_mode(mode)).unwrap();
                let expected = match (is_safe, is_one) {
                    (true, true) => None,
                    (true, false) => Some(Code::InvalidParameter),
                    (false, _) => Some(Code::UnsafeSetting),
                };
                assert_eq!(code(), expected, "{text:?} {mode:o}");
            }
        }
        write(&path, "x".repeat(MAX_BYTES + 1)).unwrap();
        set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        assert_eq!(code(), Some(Code::InvalidParameter));
        write(&path, "smt_abc\n").unwrap();
        let header = read(&path).unwrap();
        assert_eq!(header, "Bearer smt_abc");
        assert!(!format!("{header:?}").contains("smt_abc"));
    }
}
