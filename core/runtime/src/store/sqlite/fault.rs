//! What can go wrong with a database, and the one place where it becomes an error for callers.

use std::io;
use std::path::Path;
use std::time::Duration;

use rusqlite::{ErrorCode, ffi};
use snowmint_engine::Code;

use crate::error::Error;

/// Why an attempt failed.
#[derive(Debug)]
pub(super) enum Fault {
    /// SQLite, before anything was committed.
    Sql(rusqlite::Error),
    /// SQLite, while committing.
    Commit(rusqlite::Error),
    /// The file, before SQLite came to it.
    File(io::Error),
    /// The file can be read and not written.
    ReadOnly,
    /// The database's content or the caller's request: nothing is wrong with SQLite.
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
    /// Whether another process was in a transaction: a later attempt may succeed.
    pub(super) fn is_busy(&self) -> bool {
        let (Fault::Sql(error) | Fault::Commit(error)) = self else { return false };
        matches!(
            error.sqlite_error_code(),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
        )
    }

    /// Whether the connection should not be used again: after a failed sync nobody knows what the
    /// system still holds, and a damaged or replaced file is to be looked at anew.
    pub(super) fn spoils_connection(&self) -> bool {
        let (Fault::Sql(error) | Fault::Commit(error)) = self else { return false };
        !matches!(
            error.sqlite_error_code(),
            Some(
                ErrorCode::DatabaseBusy
                    | ErrorCode::DatabaseLocked
                    | ErrorCode::DiskFull
                    | ErrorCode::ConstraintViolation
            )
        )
    }

    /// The error for the caller: its code, what was wrong with which file, what would be right.
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
            Fault::File(error) => {
                let (code, message) = of_file(error.kind());
                Error::new(code, format!("{shown}: {message}")).caused_by(error)
            }
            Fault::Sql(error) => {
                let (code, message) = of_sqlite(&error, waited);
                Error::new(code, format!("{shown} {message} ({error})")).caused_by(error)
            }
            Fault::Commit(error) => {
                let (code, message) = match of_sqlite(&error, waited) {
                    // These come before the commit's one decisive step, the end of the journal.
                    known @ (Code::StoreLocked | Code::StoreFull, _) => known,
                    _ => (
                        Code::OutcomeUnknown,
                        "failed during a commit: what it reserved is given up; check the disk"
                            .to_owned(),
                    ),
                };
                Error::new(code, format!("{shown} {message} ({error})")).caused_by(error)
            }
        }
    }
}

fn of_file(kind: io::ErrorKind) -> (Code, &'static str) {
    match kind {
        io::ErrorKind::NotFound => {
            (Code::StoreUnavailable, "there is no such database: create it first")
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            (Code::StoreReadOnly, "this user may not create or reach it: allow it, or move it")
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            (Code::StoreFull, "the disk is full: make room")
        }
        _ => (Code::StoreUnavailable, "it cannot be created: name a file in a directory"),
    }
}

fn of_sqlite(error: &rusqlite::Error, waited: Duration) -> (Code, String) {
    let Some(failure) = error.sqlite_error() else {
        let message = "has a value that its schema excludes: restore it";
        return (Code::StoreCorrupt, message.to_owned());
    };
    let (code, message) = match failure.code {
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
            let message = format!(
                "was locked by another process for {} ms: end the one that keeps a transaction \
                 open",
                waited.as_millis()
            );
            return (Code::StoreLocked, message);
        }
        ErrorCode::ReadOnly if failure.extended_code == ffi::SQLITE_READONLY_DBMOVED => {
            (Code::StoreUnavailable, "was moved or deleted while in use: put it back")
        }
        ErrorCode::ReadOnly => {
            (Code::StoreReadOnly, "or its directory is read-only: allow this user to write both")
        }
        ErrorCode::CannotOpen
        | ErrorCode::PermissionDenied
        | ErrorCode::AuthorizationForStatementDenied => (
            Code::StoreUnavailable,
            "or its journal cannot be opened: check that it is a file, and who may write its \
             directory",
        ),
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => {
            (Code::StoreCorrupt, "is no database, or a damaged one: restore it or use another file")
        }
        ErrorCode::DiskFull => (Code::StoreFull, "has no room left: make room on its disk"),
        ErrorCode::SystemIoFailure
        | ErrorCode::FileLockingProtocolFailed
        | ErrorCode::NoLargeFileSupport => (
            Code::StoreUnavailable,
            "cannot be read or written: check its disk, and that its file system has locks",
        ),
        ErrorCode::OutOfMemory => (Code::StoreUnavailable, "needs more memory than there is"),
        ErrorCode::SchemaChanged | ErrorCode::Unknown => {
            (Code::StoreSchema, "does not have the tables it should have: restore it")
        }
        _ => (Code::Internal, "refused a statement that it should accept"),
    };
    (code, message.to_owned())
}
