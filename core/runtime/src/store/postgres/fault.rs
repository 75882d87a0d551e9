//! The errors that a server or the driver reports, and their meanings.

use std::io;

use snowmint_engine::Code;
use tokio_postgres::error::{DbError, Severity, SqlState};

use super::errors::server;
use crate::store::remote::errors::sql;
use crate::store::sql::servers::fault::{self, Said};

/// The reason why a call failed.
pub(in crate::store) type Fault = fault::Fault<SqlState>;

/// The server's routine that refuses a row for its table's row-level security.
const ROW_SECURITY: &str = "ExecWithCheckOptions";

impl From<tokio_postgres::Error> for Fault {
    fn from(error: tokio_postgres::Error) -> Fault {
        if let Some(said) = error.as_db_error() {
            return said.into();
        }
        // The outermost text alone says too little.
        let causes =
            std::iter::successors(Some(&error as &dyn std::error::Error), |it| it.source());
        let whole = causes.map(ToString::to_string).collect::<Vec<_>>().join(": ");
        Fault::Broken { what: server::connection_failed(&whole), error: io::Error::other(whole) }
    }
}

impl From<&DbError> for Fault {
    fn from(said: &DbError) -> Fault {
        let (code, what) = meaning(said.code());
        let is_kept_back = said.routine() == Some(ROW_SECURITY);
        let meaning = (code, if is_kept_back { server::ROW_KEPT_BACK } else { what });
        Fault::Said(Box::new(Said {
            state: said.code().clone(),
            message: said.message().to_owned(),
            whole: said.to_string(),
            meaning,
            is_final: said.parsed_severity() != Some(Severity::Error),
        }))
    }
}

/// Returns true if a message beside a commit leaves it in doubt: the server warns that it did not
/// wait for a standby or had no transaction, or it shuts down. Notices of users' triggers do not
/// count.
pub(super) fn raises_doubt(said: &DbError) -> bool {
    let state = said.code().code();
    let warns = said.parsed_severity() != Some(Severity::Notice);
    warns && (state.starts_with("01") || state.starts_with("25"))
        || *said.code() == SqlState::ADMIN_SHUTDOWN
}

impl Fault {
    pub(super) fn no_tables() -> Fault {
        Fault::unfit(Code::StoreMissing, server::TABLES_MISSING)
    }

    pub(super) fn read_only() -> Fault {
        Fault::unfit(Code::StoreReadOnly, server::READ_ONLY)
    }

    /// The user may not read the server's incarnation.
    pub(super) fn untold() -> Fault {
        Fault::unfit(Code::StoreDenied, server::INCARNATION_UNTOLD)
    }

    /// The server has no incarnation: some that speak PostgreSQL's protocol have no log.
    pub(super) fn untelling() -> Fault {
        Fault::unfit(Code::Unsupported, server::INCARNATION_MISSING)
    }

    fn is_one_of(&self, states: &[SqlState]) -> bool {
        self.said().is_some_and(|said| states.contains(&said.state))
    }

    /// Returns true if the server denies that it made a commit: another transaction was in the way,
    /// or this one was idle for too long. The server ends an idle transaction only before its next
    /// statement, never after one.
    pub(super) fn is_refusal_to_commit(&self) -> bool {
        self.is_one_of(&[
            SqlState::T_R_SERIALIZATION_FAILURE,
            SqlState::T_R_DEADLOCK_DETECTED,
            SqlState::LOCK_NOT_AVAILABLE,
            SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
        ])
    }

    /// Returns true if a row with the same key, or a relation of the same name, exists already.
    pub(super) fn is_duplicate(&self) -> bool {
        self.is_one_of(&[SqlState::UNIQUE_VIOLATION, SqlState::DUPLICATE_TABLE])
    }

    pub(super) fn is_of_no_such_function(&self) -> bool {
        self.is_one_of(&[SqlState::UNDEFINED_FUNCTION])
    }

    /// Returns true if this user may not call a function or use a table.
    pub(super) fn is_of_no_right(&self) -> bool {
        self.is_one_of(&[SqlState::INSUFFICIENT_PRIVILEGE])
    }
}

fn meaning(state: &SqlState) -> (Code, &'static str) {
    match *state {
        SqlState::INVALID_PASSWORD | SqlState::INVALID_AUTHORIZATION_SPECIFICATION => {
            (Code::StoreDenied, server::USER_REFUSED)
        }
        SqlState::INSUFFICIENT_PRIVILEGE => (Code::StoreDenied, server::RIGHT_MISSING),
        SqlState::INVALID_CATALOG_NAME => (Code::StoreMissing, sql::DATABASE_MISSING),
        SqlState::UNDEFINED_TABLE => (Code::StoreMissing, server::TABLES_MISSING),
        SqlState::UNDEFINED_COLUMN
        | SqlState::UNDEFINED_FUNCTION
        | SqlState::DATATYPE_MISMATCH
        | SqlState::WRONG_OBJECT_TYPE
        | SqlState::CHECK_VIOLATION
        | SqlState::NOT_NULL_VIOLATION => (Code::StoreSchema, sql::TABLES_ODD),
        SqlState::READ_ONLY_SQL_TRANSACTION => (Code::StoreReadOnly, server::READ_ONLY),
        SqlState::T_R_SERIALIZATION_FAILURE
        | SqlState::T_R_DEADLOCK_DETECTED
        | SqlState::LOCK_NOT_AVAILABLE => (Code::StoreLocked, sql::TRANSACTIONS_IN_THE_WAY),
        SqlState::QUERY_CANCELED => (Code::StoreLocked, server::STATEMENT_ENDED),
        SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT => {
            (Code::StoreUnavailable, server::TRANSACTION_ENDED)
        }
        // pgbouncer reports its own failures with this state.
        SqlState::PROTOCOL_VIOLATION => {
            (Code::StoreUnavailable, server::CONNECTION_NOT_GONE_ON_WITH)
        }
        SqlState::DISK_FULL => (Code::StoreFull, sql::DISK_FULL),
        SqlState::TOO_MANY_CONNECTIONS => (Code::StoreUnavailable, server::CONNECTIONS_USED_UP),
        SqlState::ADMIN_SHUTDOWN | SqlState::CRASH_SHUTDOWN | SqlState::CANNOT_CONNECT_NOW => {
            (Code::StoreUnavailable, server::STARTING_OR_ENDING)
        }
        SqlState::DATA_CORRUPTED | SqlState::INDEX_CORRUPTED => {
            (Code::StoreCorrupt, sql::TABLES_DAMAGED)
        }
        _ => (Code::StoreUnavailable, server::STATEMENT_REFUSED),
    }
}
