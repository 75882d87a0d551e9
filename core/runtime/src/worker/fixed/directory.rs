//! A state directory: the key space of fixed worker IDs, which has one layout.
//!
//! IDs of two layouts can be equal, whatever their worker IDs are. So the first source of a
//! directory writes its layout into a file there, durably and before it reserves anything. Sources
//! with another layout are refused.

use std::path::{Path, PathBuf};
use std::{fs, io};

use snowmint_engine::{Code, Layout};

use super::FIRST_MARK_MS;
use crate::error::Result;
use crate::errors;
use crate::host::files::{Disk, Files, replace_whole};
use crate::host::mark::{MarkFile, Missing};
use crate::host::{Clock, System};
use crate::store::follows;

/// The file with the layout: its canonical text and a line feed.
const LAYOUT: &str = "layout";

/// The state file of a worker ID in a directory. The path is absolute, because the process may
/// change its working directory before it opens the file again.
pub(super) fn state_file(directory: &Path, worker_id: u32) -> Result<PathBuf> {
    if directory.as_os_str().is_empty() {
        return Err(errors::host::directory_empty());
    }
    let path = directory.join(format!("worker-{worker_id}.mark"));
    std::path::absolute(&path)
        .map_err(|error| errors::host::working_directory_unknown(&path, error))
}

/// Checks that a directory has a layout. A directory without one gets it, unless `missing` refuses
/// that.
///
/// # Errors
/// [`Code::RealmMismatch`] if the directory has another layout, [`Code::StateMissing`] if it has
/// none and must have one. [`Code::StateCorrupt`] if the file holds no layout;
/// [`Code::UnsafeSetting`] if others could change it; an error of the system.
pub(super) fn check_layout(
    files: &dyn Files,
    directory: &Path,
    layout: &str,
    missing: Missing,
) -> Result<()> {
    let new = matches!(missing, Missing::Make).then_some(layout);
    match layout_of(files, directory, new)? {
        theirs if theirs.to_string() == layout => Ok(()),
        theirs => Err(errors::host::layout_differs(directory, theirs, layout)),
    }
}

/// Returns the layout of a directory. A directory without one gets the layout `new`.
fn layout_of(files: &dyn Files, directory: &Path, new: Option<&str>) -> Result<Layout> {
    let path = directory.join(LAYOUT);
    let new = new.map(content);
    let new = new.as_deref().map(str::as_bytes);
    let found = files.read_once_written(&path, new).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound if new.is_none() => errors::host::layout_file_missing(&path, error),
        _ => errors::host::layout_file_unusable("open", &path, error),
    })?;
    String::from_utf8_lossy(&found)
        .trim_end()
        .parse::<Layout>()
        .map_err(|error| errors::host::layout_file_without_layout(&path, error))
}

fn content(layout: &str) -> String {
    format!("{layout}\n")
}

/// Changes the layout of a state directory: from now on its fixed worker IDs make IDs of another
/// layout. All new IDs lie above those of the layout before, even above IDs of lost state files.
///
/// You have to close the sources of the directory first. If a change was interrupted, call it
/// again: until then the worker IDs that were already changed are refused under one of the two
/// layouts.
///
/// # Errors
/// - [`Code::WorkerInUse`] while a source is open, [`Code::StoreLocked`] while time is reserved by
///   sources that were killed.
/// - [`Code::RealmMismatch`] if IDs of the new layout could equal those of the one before.
/// - [`Code::StateMissing`] for a directory without a layout, and the other codes of opening a
///   source.
pub fn change_state_layout(directory: impl AsRef<Path>, layout: &Layout) -> Result<()> {
    let (directory, files) = (directory.as_ref(), Disk);
    let before = layout_of(&files, directory, None)?;
    if before == *layout {
        return Ok(());
    }
    let realms = [before.to_string(), layout.to_string()];
    let marks = worker_ids(directory)?.into_iter().map(|id| locked(&files, directory, &realms, id));
    let marks = marks.collect::<Result<Vec<_>>>()?;
    let now_ms = System.now_ms();
    let ended_ms = marks.iter().filter_map(MarkFile::reserved_ms).fold(now_ms, i64::max);
    if ended_ms > now_ms {
        let left_ms = ended_ms.saturating_sub(now_ms);
        return Err(errors::host::time_of_layout_reserved(before, directory, left_ms));
    }
    // The time of lost files ends no later than this.
    let ended_ms = ended_ms.saturating_add(FIRST_MARK_MS.into());
    let from_ms = follows(&before, layout, ended_ms, ended_ms)?;
    marks.into_iter().try_for_each(|mark| mark.change_realm(&realms[1], from_ms))?;
    let path = directory.join(LAYOUT);
    replace_whole(&path, content(&realms[1]).as_bytes())
        .map_err(|error| errors::host::layout_file_unusable("write", &path, error))
}

/// Lists the worker IDs that have a state file in a directory.
fn worker_ids(directory: &Path) -> Result<Vec<u32>> {
    let failure = |error| errors::host::directory_unreadable(directory, error);
    let mut ids = Vec::new();
    for entry in fs::read_dir(directory).map_err(failure)? {
        let name = entry.map_err(failure)?.file_name();
        let id = name.to_str().and_then(|it| it.strip_prefix("worker-")?.strip_suffix(".mark"));
        ids.extend(id.and_then(|it| it.parse::<u32>().ok()));
    }
    Ok(ids)
}

/// Opens and locks a worker ID's state file, which has the layout before, or the new layout after
/// an interrupted change.
fn locked(
    files: &Disk,
    directory: &Path,
    realms: &[String; 2],
    worker_id: u32,
) -> Result<MarkFile> {
    let path = state_file(directory, worker_id)?;
    let open = |realm: &str| MarkFile::open(files, &path, realm, worker_id, Missing::Refuse);
    match open(&realms[0]) {
        Err(error) if error.code() == Code::RealmMismatch => open(&realms[1]),
        opened => opened,
    }
}
