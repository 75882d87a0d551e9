//! Failures of a server, and the one place where they become errors for callers.

use std::fmt;
use std::io;

use snowmint_engine::Code;
use tokio_postgres::error::{DbError, Severity, SqlState};

use super::endpoint::Endpoint;
use super::errors::server;
use crate::error::{Error, is_transient};
use crate::store::remote::deadline::Late;
use crate::store::remote::errors::sql;
use crate::store::remote::pool::Busy;

/// The reason why a call failed.
#[derive(Debug)]
pub(in crate::store) enum Fault {
    /// No connection: the name or the network failed, or no server listens.
    Unreachable(io::Error),
    /// The deadline passed before anything was committed.
    Late,
    /// The driver or the server failed before anything was committed.
    Driver(tokio_postgres::Error),
    /// The server ended the connection before anything was committed.
    Closed,
    /// The server takes no changes, although the caller asked for one that does.
    ReadOnly,
    /// The server could lose what it acknowledges. The text names the setting and the right value.
    Unsafe(String),
    /// The user may not read the server's incarnation.
    Untold,
    /// The server has no incarnation: some that speak PostgreSQL's protocol have no log.
    Untelling,
    /// Some of our tables are not there.
    NoTables,
    /// All connections that this process may have are in use.
    Busy,
    /// The commit was sent, and its outcome is unknown.
    Unknown(Doubt),
    /// The database's content or the caller's request is wrong; the server is not.
    Refused(Error),
    /// Each host with its fault. The code is the first transient fault's, or else the last one's.
    Everywhere(Vec<(String, Fault)>),
}

/// The reason why the outcome of a commit is unknown.
#[derive(Debug)]
pub(in crate::store) enum Doubt {
    /// The server committed, with a warning.
    Warned(Box<DbError>),
    /// The server gave no answer, or none that makes sense.
    Failed(Box<Fault>),
}

impl Doubt {
    /// Returns true if a message beside a commit leaves it in doubt: the server warns that it did
    /// not wait for a standby or had no transaction, or it shuts down. Notices of users' triggers
    /// do not count.
    pub(super) fn is_raised_by(said: &DbError) -> bool {
        let state = said.code().code();
        let warns = said.parsed_severity() != Some(Severity::Notice);
        warns && (state.starts_with("01") || state.starts_with("25"))
            || *said.code() == SqlState::ADMIN_SHUTDOWN
    }
}

impl From<tokio_postgres::Error> for Fault {
    fn from(error: tokio_postgres::Error) -> Fault {
        Fault::Driver(error)
    }
}

impl From<Late> for Fault {
    fn from(_: Late) -> Fault {
        Fault::Late
    }
}

impl From<Busy> for Fault {
    fn from(_: Busy) -> Fault {
        Fault::Busy
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Refused(error)
    }
}

impl Fault {
    /// Returns the server's error, if the fault is one.
    pub(super) fn said(&self) -> Option<&DbError> {
        match self {
            Fault::Driver(error) => error.as_db_error(),
            _ => None,
        }
    }

    fn state(&self) -> Option<&SqlState> {
        self.said().map(DbError::code)
    }

    /// Returns true if another transaction was in the way, and nothing was changed.
    pub(super) fn is_conflict(&self) -> bool {
        self.state().is_some_and(|state| {
            [
                &SqlState::T_R_SERIALIZATION_FAILURE,
                &SqlState::T_R_DEADLOCK_DETECTED,
                &SqlState::LOCK_NOT_AVAILABLE,
            ]
            .contains(&state)
        })
    }

    /// Returns true if the server denies that it made a commit. The server ends an idle transaction
    /// only before its next statement, never after one.
    pub(super) fn is_refusal_to_commit(&self) -> bool {
        self.is_conflict() || self.state() == Some(&SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT)
    }

    /// Returns true if a row with the same key, or a relation of the same name, exists already.
    pub(super) fn is_duplicate(&self) -> bool {
        self.state().is_some_and(|state| {
            [&SqlState::UNIQUE_VIOLATION, &SqlState::DUPLICATE_TABLE].contains(&state)
        })
    }

    pub(super) fn is_of_no_such_function(&self) -> bool {
        self.state() == Some(&SqlState::UNDEFINED_FUNCTION)
    }

    /// Returns true if this user may not call a function or use a table.
    pub(super) fn is_of_no_right(&self) -> bool {
        self.state() == Some(&SqlState::INSUFFICIENT_PRIVILEGE)
    }

    /// Returns true if the connection must not be used again. Either it is broken or about to end,
    /// or its server takes no changes while another may.
    pub(super) fn spoils_connection(&self) -> bool {
        self.said().is_none_or(|said| {
            said.parsed_severity() != Some(Severity::Error)
                || *said.code() == SqlState::READ_ONLY_SQL_TRANSACTION
        })
    }

    /// Returns true if another host may succeed. Hosts are copies, so a refused user or a database
    /// that is missing is the same on all. A host that starts or is full is not.
    pub(super) fn is_of_one_host(&self) -> bool {
        match self {
            Fault::Refused(_) => false,
            Fault::Driver(_) => self.state().is_none_or(|state| {
                let for_all = [&SqlState::INVALID_CATALOG_NAME, &SqlState::INSUFFICIENT_PRIVILEGE];
                !state.code().starts_with(LOG_IN) && !for_all.contains(&state)
            }),
            _ => true,
        }
    }

    /// Returns the error for the caller: its code, what was wrong and where, and the cure.
    pub(super) fn explain(self, endpoint: &Endpoint) -> Error {
        let code = self.code();
        let failure = server::failure(endpoint, code, &self.story(endpoint));
        match self {
            Fault::Refused(error) if code != Code::StoreSchema => error,
            Fault::Unreachable(error) => failure.caused_by(error),
            Fault::Driver(error) => failure.caused_by(error),
            Fault::Unknown(Doubt::Warned(said)) => failure.caused_by(*said),
            _ => failure,
        }
    }

    fn code(&self) -> Code {
        match self {
            Fault::Unreachable(_) | Fault::Late | Fault::Closed | Fault::Busy => {
                Code::StoreUnavailable
            }
            Fault::ReadOnly => of_state(&SqlState::READ_ONLY_SQL_TRANSACTION).0,
            Fault::Unsafe(_) => Code::UnsafeSetting,
            Fault::Untold => Code::StoreDenied,
            Fault::Untelling => Code::Unsupported,
            Fault::NoTables => of_state(&SqlState::UNDEFINED_TABLE).0,
            Fault::Unknown(_) => Code::OutcomeUnknown,
            Fault::Refused(error) => error.code(),
            // Waiting may cure a transient fault: a standby may be about to take over.
            Fault::Everywhere(each) => {
                let codes = each.iter().map(|(_, fault)| fault.code());
                let last = codes.clone().next_back().unwrap_or(Code::StoreUnavailable);
                codes.into_iter().find(|code| is_transient(*code)).unwrap_or(last)
            }
            Fault::Driver(_) => match self.state() {
                Some(state) => of_state(state).0,
                None => Code::StoreUnavailable,
            },
        }
    }

    /// Returns what is wrong, and the cure.
    fn story(&self, endpoint: &Endpoint) -> String {
        match self {
            Fault::Unreachable(error) => sql::server_unreachable(error),
            Fault::Late => sql::answer_late(server::PRODUCT),
            Fault::Closed => sql::CONNECTION_ENDED.to_owned(),
            Fault::Busy => sql::CONNECTIONS_IN_USE.to_owned(),
            Fault::ReadOnly => of_state(&SqlState::READ_ONLY_SQL_TRANSACTION).1.to_owned(),
            Fault::Unsafe(setting) => setting.clone(),
            Fault::Untold => server::INCARNATION_UNTOLD.to_owned(),
            Fault::Untelling => server::INCARNATION_MISSING.to_owned(),
            Fault::NoTables => of_state(&SqlState::UNDEFINED_TABLE).1.to_owned(),
            Fault::Unknown(doubt) => sql::commit_unconfirmed(doubt),
            Fault::Refused(error) => error.to_string(),
            Fault::Everywhere(each) => {
                let each =
                    each.iter().map(|(host, fault)| format!("{host} {}", fault.story(endpoint)));
                each.collect::<Vec<_>>().join("; ")
            }
            Fault::Driver(error) => self.of_driver(error, endpoint),
        }
    }

    fn of_driver(&self, error: &tokio_postgres::Error, endpoint: &Endpoint) -> String {
        let Some(said) = self.said() else {
            return server::connection_failed(&whole(error));
        };
        if said.routine() == Some(ROW_SECURITY) {
            return server::row_kept_back(said.message());
        }
        let is_log_in = said.code().code().starts_with(LOG_IN);
        let note = if is_log_in { endpoint.note() } else { String::new() };
        format!("{}{note} ({})", of_state(said.code()).1, said.message())
    }
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doubt::Warned(said) => f.write_str(said.message()),
            Doubt::Failed(fault) => match fault.as_ref() {
                Fault::Late => f.write_str(sql::ANSWER_MISSING),
                Fault::Driver(error) => f.write_str(&whole(error)),
                _ => f.write_str(sql::CONNECTION_LOST),
            },
        }
    }
}

/// Joins an error with its causes; the outermost text alone says too little.
fn whole(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// The server's routine that refuses a row for its table's row-level security.
const ROW_SECURITY: &str = "ExecWithCheckOptions";

/// The class of all states that refuse a user or a password.
const LOG_IN: &str = "28";

fn of_state(state: &SqlState) -> (Code, &'static str) {
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
