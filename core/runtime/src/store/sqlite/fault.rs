//! Failures of a database, and the one place where they become errors for callers.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{ErrorCode, ffi};
use snowmint_engine::Code;

use super::errors;
use crate::error::Error;
use crate::findings::places;

/// The time for which a second name may belong to a file that is being created.
const LINKED: Duration = Duration::from_millis(200);

/// The reason why an attempt failed.
#[derive(Debug)]
pub(in crate::store) enum Fault {
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
        match self {
            Fault::Refused(error) => match error.code() {
                Code::StoreSchema | Code::StoreCorrupt => errors::in_file(path, &error),
                _ => error,
            },
            Fault::ReadOnly => errors::file_read_only(path),
            Fault::Gone => errors::file_gone(path),
            Fault::Replaced => errors::file_replaced(path),
            Fault::Linked => errors::file_with_second_name(path),
            Fault::Mounted => errors::file_mounted(path),
            Fault::Held => errors::file_locked(path, waited),
            Fault::Dangling => errors::link_dangling(path),
            Fault::Left(beside) => errors::journal_left(path, &beside),
            Fault::Unlockable(error) => errors::file_not_lockable(path, error),
            Fault::Unmade(error) if error.kind() == io::ErrorKind::NotFound => {
                errors::directory_missing(path, error)
            }
            Fault::File(error) | Fault::Unmade(error) => {
                let (code, what) = of_file(error.kind());
                errors::file_failure(path, code, what, error)
            }
            Fault::Sql(error) => {
                if let Some(found) = unreadable(&error, path) {
                    return errors::file_unreadable(&found, without_statement(error));
                }
                let (code, what) = of_sqlite(&error, waited);
                errors::failure(path, code, &what, without_statement(error))
            }
            Fault::Commit(error) => {
                let (code, what) = match of_sqlite(&error, waited) {
                    // These failures come before the journal is removed, which is what commits.
                    known @ (Code::StoreLocked | Code::StoreFull, _) => known,
                    _ => (Code::OutcomeUnknown, errors::COMMIT_FAILED.to_owned()),
                };
                errors::failure(path, code, &what, without_statement(error))
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
        io::ErrorKind::NotFound => (Code::StoreMissing, errors::FILE_MISSING),
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            (Code::StoreReadOnly, errors::FILE_DENIED)
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            (Code::StoreFull, errors::FILE_WITHOUT_ROOM)
        }
        _ => (Code::StoreUnavailable, errors::FILE_NOT_CREATED),
    }
}

fn of_sqlite(error: &rusqlite::Error, waited: Duration) -> (Code, String) {
    let Some(failure) = error.sqlite_error() else {
        return (Code::StoreCorrupt, errors::VALUE_EXCLUDED.to_owned());
    };
    let (code, what) = match failure.code {
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
            return (Code::StoreLocked, errors::locked(waited));
        }
        ErrorCode::ReadOnly if is_unfinished(error) => {
            (Code::StoreUnavailable, errors::CHANGE_UNFINISHED)
        }
        ErrorCode::ReadOnly if is_moved(error) => (Code::StoreUnavailable, errors::FILE_MOVED),
        ErrorCode::ReadOnly => (Code::StoreReadOnly, errors::DIRECTORY_READ_ONLY),
        ErrorCode::CannotOpen
        | ErrorCode::PermissionDenied
        | ErrorCode::AuthorizationForStatementDenied => {
            (Code::StoreUnavailable, errors::JOURNAL_NOT_OPENED)
        }
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => {
            (Code::StoreCorrupt, errors::NO_DATABASE)
        }
        ErrorCode::DiskFull => (Code::StoreFull, errors::DISK_FULL),
        ErrorCode::SystemIoFailure if failure.extended_code == ffi::SQLITE_IOERR_DELETE => {
            (Code::StoreUnavailable, errors::JOURNAL_NOT_REMOVED)
        }
        ErrorCode::SystemIoFailure
        | ErrorCode::FileLockingProtocolFailed
        | ErrorCode::NoLargeFileSupport => (Code::StoreUnavailable, errors::DISK_FAILED),
        ErrorCode::TooBig => (Code::StoreCorrupt, errors::VALUE_TOO_LONG),
        ErrorCode::OutOfMemory => (Code::StoreUnavailable, errors::MEMORY_FULL),
        ErrorCode::SchemaChanged | ErrorCode::Unknown => (Code::StoreSchema, errors::TABLES_ODD),
        _ => (Code::Internal, errors::STATEMENT_REFUSED),
    };
    (code, what.to_owned())
}
