//! Failures of a database, and the one place where they become errors for callers.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{ErrorCode, ffi};
use snowmint_engine::Code;

use crate::error::Error;
use crate::findings::places;

const MOVED: &str = "was moved or deleted while in use: put it back";
const UNFINISHED: &str = "has a change beside it, in its journal, that a process left unfinished: whoever \
                          opens it next to write takes that back; open it once by its own program, as a \
                          user who may write both";
/// How long a second name may belong to a file that is being created.
const LINKED: Duration = Duration::from_millis(200);

/// The reason why an attempt failed.
#[derive(Debug)]
pub(super) enum Fault {
    /// An error of SQLite before anything was committed.
    Sql(rusqlite::Error),
    /// An error of SQLite during the commit.
    Commit(rusqlite::Error),
    /// An error of the file before SQLite opened it.
    File(io::Error),
    /// An error while creating the file.
    Unmade(io::Error),
    /// The file was to be created, but its name is a link to a missing file.
    Dangling,
    /// The file can be read but not written.
    ReadOnly,
    /// The file was to be created, but an earlier file of that name left this one beside it.
    Left(PathBuf),
    /// The file cannot be locked.
    Unlockable(io::Error),
    /// The file was opened, and its name no longer exists.
    Gone,
    /// The file was opened, and its name now belongs to another file.
    Replaced,
    /// The file has a second name.
    Linked,
    /// The file is mounted by itself.
    Mounted,
    /// Another call or program uses the file.
    Held,
    /// An error in the database's content or the caller's request; SQLite itself works.
    Refused(Error),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Fault {
        Fault::Sql(error)
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Refused(error)
    }
}

impl Fault {
    /// Returns how long to retry: `busy_timeout` while another process is in a transaction.
    pub(super) fn patience(&self, busy_timeout: Duration) -> Duration {
        match self {
            Fault::Sql(error) | Fault::Commit(error) => match error.sqlite_error_code() {
                Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => busy_timeout,
                _ => Duration::ZERO,
            },
            Fault::Held => busy_timeout,
            // Some file systems create a new file's name as a link, and then remove the first name.
            Fault::Linked => busy_timeout.min(LINKED),
            _ => Duration::ZERO,
        }
    }

    /// Returns true if the connection must not be used again. After a failed sync it is unknown
    /// what the system still holds, and a damaged or replaced file must be checked anew.
    pub(super) fn spoils_connection(&self) -> bool {
        let (Fault::Sql(error) | Fault::Commit(error)) = self else {
            // The user's rights may have changed by the next call.
            return matches!(self, Fault::ReadOnly);
        };
        // While a moved file stays open, no other file can have its identity.
        !is_moved(error)
            && !matches!(
                error.sqlite_error_code(),
                Some(
                    ErrorCode::DatabaseBusy
                        | ErrorCode::DatabaseLocked
                        | ErrorCode::DiskFull
                        | ErrorCode::ConstraintViolation
                )
            )
    }

    /// Builds the caller's error, with its code, the problem, the file and the remedy.
    pub(super) fn explain(self, path: &Path, waited: Duration) -> Error {
        let shown = path.display();
        match self {
            Fault::Refused(error) => match error.code() {
                Code::StoreSchema | Code::StoreCorrupt => {
                    Error::new(error.code(), format!("{shown}: {error}"))
                }
                _ => error,
            },
            Fault::ReadOnly => Error::new(
                Code::StoreReadOnly,
                format!("{shown} is read-only: allow this user to write it"),
            ),
            Fault::Gone => Error::new(Code::StoreUnavailable, format!("{shown} {MOVED}")),
            Fault::Replaced => Error::new(
                Code::IncarnationChanged,
                format!(
                    "{shown} is another file than the one that was opened, and does not know what \
                     that one reserved: put that one back; where it is gone, raise each tag above all \
                     that was given of it (`snowmint segment raise FILE TAG --next NUMBER`), and then open the source anew"
                ),
            ),
            Fault::Linked => Error::new(
                Code::UnsafeSetting,
                format!(
                    "{shown} has a second name, by a hard link: what a crash leaves beside one \
                     name is not found beside the other, and numbers would repeat. Remove the \
                     other name; for containers mount the directory, not the file"
                ),
            ),
            Fault::Mounted => Error::new(
                Code::UnsafeSetting,
                format!(
                    "{shown} is mounted by itself, and has another name where it came from: what a \
                     crash leaves beside one name is not found beside the other, and numbers would \
                     repeat. Mount its directory"
                ),
            ),
            Fault::Held => Error::new(Code::StoreLocked, format!("{shown} {}", locked(waited))),
            Fault::Dangling => Error::new(
                Code::StoreMissing,
                format!(
                    "{shown} is a link to a file that is not there: put that file back, or remove \
                     the link, and a new file is made"
                ),
            ),
            Fault::Left(beside) => Error::new(
                Code::StoreMissing,
                format!(
                    "{shown} is not there, and {} is, which a file of that name left, and a new one \
                     would take for its own: put that file back, or move what it left away",
                    beside.display()
                ),
            ),
            Fault::Unlockable(error) => Error::new(
                Code::StoreUnavailable,
                format!("{shown} cannot be locked: check that its file system has locks ({error})"),
            )
            .caused_by(error),
            Fault::Unmade(error) if error.kind() == io::ErrorKind::NotFound => Error::new(
                Code::StoreUnavailable,
                format!(
                    "{shown}: its directory is not there: it cannot be made, or went away meanwhile \
                     ({error}); name one that is there"
                ),
            )
            .caused_by(error),
            Fault::File(error) | Fault::Unmade(error) => {
                let (code, message) = of_file(error.kind());
                Error::new(code, format!("{shown}: {message} ({error})")).caused_by(error)
            }
            Fault::Sql(error) => {
                let (code, message) = match unreadable(&error, path) {
                    Some(found) => {
                        let message = format!("{found}: allow this user to read and write it");
                        return Error::new(Code::StoreReadOnly, message)
                            .caused_by(without_statement(error));
                    }
                    None => of_sqlite(&error, waited),
                };
                let error = without_statement(error);
                Error::new(code, format!("{shown} {message} ({error})")).caused_by(error)
            }
            Fault::Commit(error) => {
                let (code, message) = match of_sqlite(&error, waited) {
                    // These failures come before the journal is removed, which is what commits.
                    known @ (Code::StoreLocked | Code::StoreFull, _) => known,
                    _ => (
                        Code::OutcomeUnknown,
                        "failed during a commit: what it reserved is given up; check the disk"
                            .to_owned(),
                    ),
                };
                let error = without_statement(error);
                Error::new(code, format!("{shown} {message} ({error})")).caused_by(error)
            }
        }
    }
}

/// Drops our SQL statement from the error, because it does not help the reader.
fn without_statement(error: rusqlite::Error) -> rusqlite::Error {
    match error {
        rusqlite::Error::SqlInputError { error, msg, .. } => {
            rusqlite::Error::SqliteFailure(error, Some(msg))
        }
        other => other,
    }
}

/// Describes the file's owner and mode, if SQLite could not open it for lack of rights.
fn unreadable(error: &rusqlite::Error, path: &Path) -> Option<String> {
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied))
        .then(|| places::unreadable(path))
        .flatten()
}

/// Returns true if SQLite found that the file was moved, which it checks if the locks are its own.
fn is_moved(error: &rusqlite::Error) -> bool {
    error.sqlite_error().is_some_and(|it| it.extended_code == ffi::SQLITE_READONLY_DBMOVED)
}

/// Returns true if an unfinished change lies beside the file, which a reader cannot roll back.
pub(super) fn is_unfinished(error: &rusqlite::Error) -> bool {
    error.sqlite_error().is_some_and(|it| it.extended_code == ffi::SQLITE_READONLY_ROLLBACK)
}

fn of_file(kind: io::ErrorKind) -> (Code, &'static str) {
    match kind {
        io::ErrorKind::NotFound => (
            Code::StoreMissing,
            "there is no such database, and a new one would be a key space of its own, which \
             repeats the IDs of every other: check the path, or say create=true to begin one",
        ),
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            (Code::StoreReadOnly, "this user may not create or reach it: allow it, or move it")
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            (Code::StoreFull, "the disk is full: make room")
        }
        _ => (Code::StoreUnavailable, "it cannot be created: name a file in a directory"),
    }
}

fn locked(waited: Duration) -> String {
    let waited = waited.as_millis();
    format!(
        "was locked by another program for {waited} ms: end the one that keeps a transaction open, or \
         has the file open with a write-ahead log"
    )
}

fn of_sqlite(error: &rusqlite::Error, waited: Duration) -> (Code, String) {
    let Some(failure) = error.sqlite_error() else {
        let message = "has a value that its schema excludes: restore it";
        return (Code::StoreCorrupt, message.to_owned());
    };
    let (code, message) = match failure.code {
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
            return (Code::StoreLocked, locked(waited));
        }
        ErrorCode::ReadOnly if is_unfinished(error) => (Code::StoreUnavailable, UNFINISHED),
        ErrorCode::ReadOnly if is_moved(error) => (Code::StoreUnavailable, MOVED),
        ErrorCode::ReadOnly => {
            (Code::StoreReadOnly, "or its directory is read-only: allow this user to write both")
        }
        ErrorCode::CannotOpen
        | ErrorCode::PermissionDenied
        | ErrorCode::AuthorizationForStatementDenied => (
            Code::StoreUnavailable,
            "or its journal cannot be opened: check that it is a file, who may write its directory, \
             and how many files this process may have open",
        ),
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => {
            (Code::StoreCorrupt, "is no database, or a damaged one: restore it or use another file")
        }
        ErrorCode::DiskFull => (Code::StoreFull, "has no room left: make room on its disk"),
        ErrorCode::SystemIoFailure if failure.extended_code == ffi::SQLITE_IOERR_DELETE => (
            Code::StoreUnavailable,
            "has a journal that cannot be removed: allow this user to write its directory",
        ),
        ErrorCode::SystemIoFailure
        | ErrorCode::FileLockingProtocolFailed
        | ErrorCode::NoLargeFileSupport => (
            Code::StoreUnavailable,
            "cannot be read or written: check its disk, and that its file system has locks",
        ),
        ErrorCode::TooBig => {
            (Code::StoreCorrupt, "has a value that is longer than any of ours: restore it")
        }
        ErrorCode::OutOfMemory => (Code::StoreUnavailable, "needs more memory than there is"),
        ErrorCode::SchemaChanged | ErrorCode::Unknown => {
            (Code::StoreSchema, "does not have the tables it should have: restore it")
        }
        _ => (Code::Internal, "refused a statement that it should accept"),
    };
    (code, message.to_owned())
}
