//! A state directory: the key space of fixed worker IDs, which has one layout.
//!
//! IDs of two layouts can be the same, whatever the worker IDs are called. So the first source of a
//! directory writes its layout into a file there, durably and before it reserves anything, and the
//! sources of another layout are refused.

use std::io;
use std::path::{Path, PathBuf};

use snowmint_engine::{Code, Layout};

use crate::error::{Error, Result};
use crate::host::files::Files;
use crate::host::mark::{Missing, failure};

/// The file with the layout: its canonical text, and a line feed.
const LAYOUT: &str = "layout";

/// The state file of a worker ID in a directory: an absolute path, since the process may change its
/// directory before it opens the file anew.
pub(super) fn state_file(directory: &Path, worker_id: u32) -> Result<PathBuf> {
    if directory.as_os_str().is_empty() {
        let message = "the state directory is empty: name one, or leave it out for the user's";
        return Err(Error::new(Code::InvalidParameter, message));
    }
    let path = directory.join(format!("worker-{worker_id}.mark"));
    std::path::absolute(&path).map_err(|error| {
        let path = path.display();
        let message = format!("where {path} lies cannot be told: name an absolute directory");
        Error::new(Code::StoreUnavailable, message).caused_by(error)
    })
}

/// Checks that a directory is of a layout; one without a layout becomes so, unless it is `missing`
/// that is to be refused.
///
/// # Errors
/// [`Code::RealmMismatch`] if it is of another; [`Code::StateMissing`] if it is of none and must be;
/// [`Code::StateCorrupt`] if the file holds no layout; [`Code::UnsafeSetting`] if others could change
/// it; of the system.
pub(super) fn check_layout(
    files: &dyn Files,
    directory: &Path,
    layout: &str,
    missing: Missing,
) -> Result<()> {
    let path = directory.join(LAYOUT);
    let new = format!("{layout}\n");
    let new = matches!(missing, Missing::Make).then_some(new.as_bytes());
    let found = files.read_once_written(&path, new).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound if new.is_none() => no_layout(&path).caused_by(error),
        _ => failure("open", &format_args!("the file {}", path.display()), error),
    })?;
    match String::from_utf8_lossy(&found).trim_end().parse::<Layout>() {
        Ok(theirs) if theirs.to_string() == layout => Ok(()),
        Ok(theirs) => Err(mismatch(directory, &theirs, layout)),
        Err(error) => {
            let message = format!(
                "the file {} holds no layout ({error}): restore it; if all sources of its directory \
                 have the layout {layout}, write that into it",
                path.display()
            );
            Err(Error::new(Code::StateCorrupt, message))
        }
    }
}

fn no_layout(path: &Path) -> Error {
    let message = format!(
        "there is no {}, which says the layout of this state directory: restore the directory; or, if \
         it is new, or the clock has not gone back since its last use, open it once without \
         require_state",
        path.display()
    );
    Error::new(Code::StateMissing, message)
}

fn mismatch(directory: &Path, theirs: &Layout, ours: &str) -> Error {
    let message = format!(
        "the state directory {} is of the layout {theirs}, and this source has the layout {ours}: a \
         directory has one layout, as IDs of two can be the same. Use the directory's layout. To change \
         it, stop all sources of the directory and name another one by state=, with an epoch or worker \
         IDs by which no ID can be one of before",
        directory.display()
    );
    Error::new(Code::RealmMismatch, message)
}
