//! Errors of the operating system, and of files on this machine.

use std::fmt::Display;
use std::io;
use std::path::Path;

use etcetera::HomeDirError;
use snowmint_engine::{Code, Timestamp};

use crate::error::Error;

// The system.

errors! {
    random_numbers_missing(error: getrandom::Error) => NoResource caused_by error:
        "the system gives no random numbers";

    thread_missing(error: io::Error) => NoResource caused_by error:
        "the system gives no further thread";

    alarm_without_thread(error: io::Error) => NoResource caused_by error:
        "no thread can be started";

    // The user's state directory.

    home_missing(error: HomeDirError) => StoreUnavailable caused_by error:
        "no home directory: set HOME or XDG_STATE_HOME, or name a path";

    home_relative(home: &Path) => StoreUnavailable:
        "the home directory {home:?} is a relative path, and each working directory would have a \
         key space of its own: set HOME or XDG_STATE_HOME to an absolute one, or name a path";

    directory_unfit_for_url(directory: &Path) => StoreUnavailable:
        "the state directory {} has a name that cannot stand in a URL: set XDG_STATE_HOME to \
         another",
        directory.display();

    // The directory of fixed worker IDs, and its layout.

    directory_empty() => InvalidParameter:
        "the state directory is empty: name one, or leave it out for the user's";

    directory_with_nul(directory: &Path) => InvalidParameter:
        "{directory:?} is no state directory: a path has no character 0";

    working_directory_unknown(path: &Path, error: io::Error) => StoreUnavailable caused_by error:
        "where {} lies cannot be told: name an absolute directory", path.display();

    layout_file_missing(path: &Path, error: io::Error) => StateMissing caused_by error:
        "there is no {}, which says the layout of this state directory: restore the directory; or, \
         if it is new, or the clock has not gone back since its last use, open it once without \
         require_state",
        path.display();

    layout_file_without_layout(path: &Path, why: impl Display) => StateCorrupt:
        "the file {} holds no layout ({why}): restore it; if all sources of its directory have one \
         layout, write that into it",
        path.display();

    layout_differs(directory: &Path, theirs: impl Display, ours: &str) => RealmMismatch:
        "the state directory {} is of the layout {theirs}, and this source has the layout {ours}: \
         a directory has one layout, as IDs of two can be the same. Use the directory's layout, or \
         close its sources and change it by `snowmint layout change DIRECTORY LAYOUT`",
        directory.display();

    time_of_layout_reserved(layout: impl Display, directory: &Path, left_ms: i64) => StoreLocked:
        "time of layout {layout} is reserved in {} for {left_ms} ms more: wait until that is over",
        directory.display();
}

pub(crate) fn directory_unreadable(directory: &Path, error: io::Error) -> Error {
    file_unusable("read", directory.display(), error)
}

pub(crate) fn layout_file_unusable(action: &str, path: &Path, error: io::Error) -> Error {
    file_unusable(action, format_args!("the file {}", path.display()), error)
}

// The state file of a worker ID.

errors! {
    worker_in_use(path: &Path, worker_id: u32, error: io::Error) => WorkerInUse caused_by error:
        "a generator of another process holds worker {worker_id} (state file {}): use another \
         worker ID, or stop it",
        path.display();

    worker_in_use_here(path: &Path, worker_id: u32, since_ms: i64, error: io::Error) => WorkerInUse
        caused_by error:
        "this process itself holds worker {worker_id} since {} (state file {}): close that source \
         first. If a cell or a module ran twice, close the source at its end, or keep it in a \
         module that is loaded once",
        Timestamp(since_ms), path.display();

    state_file_missing(path: &Path, worker_id: u32) => StateMissing:
        "worker {worker_id} has no state file {} that was ever used: restore it; or, if the worker \
         ID is new, or the clock has not gone back since its last use, open it once without \
         require_state",
        path.display();

    /// The file no longer has its name.
    state_file_replaced(path: &Path, worker_id: u32) => StateMissing:
        "the state file {} of worker {worker_id} was removed, moved or replaced while it was in \
         use. Another generator may have the worker ID now, so this one stops for good. Find out \
         who did that, then open it again",
        path.display();

    state_file_of_another_version(path: &Path, version: u32, ours: u32) => StateCorrupt:
        "the state file {} has format version {version}, and this snowmint reads version {ours}: \
         use the snowmint that wrote it, or a newer one",
        path.display();

    /// `theirs` and `ours` are a worker ID and the hash of its realm; `realm` is ours.
    state_file_of_another_worker(
        path: &Path,
        theirs: (u32, u64),
        ours: (u32, u64),
        realm: &str,
    ) => RealmMismatch:
        "the state file {} belongs to worker {} of realm {:016x}, not to worker {} of realm \
         {:016x} ({realm}): use that worker ID and layout, or another state file",
        path.display(), theirs.0, theirs.1, ours.0, ours.1;

    state_file_of_wrong_length(
        path: &Path,
        worker_id: u32,
        length: usize,
        right: usize,
    ) => state_file_damaged(path, worker_id):
        "{length} bytes long instead of {right}";

    state_file_without_record(path: &Path, worker_id: u32) => state_file_damaged(path, worker_id):
        "neither of its records is intact";

    state_file_damaged(path: &Path, worker_id: u32, reason: &str) => StateCorrupt:
        "the state file {} of worker {worker_id} is damaged ({reason}), so how far its time is \
         reserved is not known. Restore it. Delete it only if you know that the clock is past the \
         time of every ID this worker has issued",
        path.display();
}

pub(crate) fn state_file_unusable(
    action: &str,
    path: &Path,
    worker_id: u32,
    error: io::Error,
) -> Error {
    let path = path.display();
    file_unusable(action, format_args!("the state file {path} of worker {worker_id}"), error)
}

/// A file or a directory that the system or its rights keep from being used.
fn file_unusable(action: &str, file: impl Display, error: io::Error) -> Error {
    use io::ErrorKind as Kind;
    let (code, advice) = match error.kind() {
        Kind::InvalidData => {
            let message = format!("{file} is not used: {error}");
            return Error::new(Code::UnsafeSetting, message).caused_by(error);
        }
        Kind::StorageFull | Kind::QuotaExceeded => {
            (Code::StoreFull, "make room, then open it again")
        }
        Kind::ReadOnlyFilesystem | Kind::PermissionDenied => (
            Code::StoreReadOnly,
            "let this process write it, or name another directory by state=, then open it again",
        ),
        _ => (Code::StoreUnavailable, "mend what the system reports, then open it again"),
    };
    let message = format!("cannot {action} {file}: {error}; {advice}");
    Error::new(code, message).caused_by(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_file_that_may_not_be_written_names_the_parameter() {
        for kind in [io::ErrorKind::PermissionDenied, io::ErrorKind::ReadOnlyFilesystem] {
            let error =
                state_file_unusable("open", Path::new("/srv/worker-7.mark"), 7, kind.into());
            assert_eq!(error.code(), Code::StoreReadOnly);
            assert!(error.to_string().contains("name another directory by state="), "{error}");
        }
    }
}
