//! Failures of a server, and the one place where they become errors for callers.

use std::fmt;
use std::io;

use snowmint_engine::Code;
use tokio_postgres::error::{DbError, Severity, SqlState};

use super::endpoint::Endpoint;
use crate::error::{Error, is_transient};
use crate::store::remote::deadline::Late;
use crate::store::remote::pool::Busy;

/// The reason why a call failed.
#[derive(Debug)]
pub(super) enum Fault {
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
pub(super) enum Doubt {
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
        let (code, message) = (self.code(), self.message(endpoint));
        match self {
            Fault::Refused(error) if code != Code::StoreSchema => error,
            Fault::Unreachable(error) => Error::new(code, message).caused_by(error),
            Fault::Driver(error) => Error::new(code, message).caused_by(error),
            Fault::Unknown(Doubt::Warned(said)) => Error::new(code, message).caused_by(*said),
            _ => Error::new(code, message),
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

    fn message(&self, endpoint: &Endpoint) -> String {
        format!("PostgreSQL {endpoint}: {}", self.story(endpoint))
    }

    /// Returns what is wrong, and the cure.
    fn story(&self, endpoint: &Endpoint) -> String {
        match self {
            Fault::Unreachable(error) => {
                format!("cannot be reached: check host, port and network ({error})")
            }
            Fault::Late => {
                "did not answer in time; nothing was reserved: see that it runs, that PostgreSQL \
                            is at that port, and who has its tables locked"
                    .to_owned()
            }
            Fault::Closed => "ended the connection; nothing was reserved".to_owned(),
            Fault::Busy => "has no connection left for this call: others of this process have \
                            them all"
                .to_owned(),
            Fault::ReadOnly => of_state(&SqlState::READ_ONLY_SQL_TRANSACTION).1.to_owned(),
            Fault::Unsafe(setting) => setting.clone(),
            Fault::Untold => UNTOLD.to_owned(),
            Fault::Untelling => UNTELLING.to_owned(),
            Fault::NoTables => of_state(&SqlState::UNDEFINED_TABLE).1.to_owned(),
            Fault::Unknown(doubt) => {
                format!("did not confirm a commit: what it reserved is given up ({doubt})")
            }
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
            return format!("{}; nothing was reserved", whole(error));
        };
        if said.routine() == Some(ROW_SECURITY) {
            return format!("keeps a row from this user: {ROW_SECURITY_CURE} ({})", said.message());
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
                Fault::Late => f.write_str("no answer came in time"),
                Fault::Driver(error) => f.write_str(&whole(error)),
                _ => f.write_str("the connection ended"),
            },
        }
    }
}

/// Joins an error with its causes; the outermost text alone says too little.
fn whole(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

const UNTOLD: &str = "does not tell this user which server it is, without which a failover would not \
    be noticed: GRANT EXECUTE ON FUNCTION pg_control_system(), pg_current_wal_lsn(), \
    pg_walfile_name(pg_lsn) TO the user in this database";
const UNTELLING: &str = "cannot tell which server it is (pg_control_system), without which a failover \
    would not be noticed: use PostgreSQL itself, or another store";

/// The server's routine that refuses a row for its table's row-level security.
const ROW_SECURITY: &str = "ExecWithCheckOptions";
/// The cure for row-level security.
pub(super) const ROW_SECURITY_CURE: &str = "let this user see and change all rows (ALTER ROLE … \
    BYPASSRLS, or CREATE POLICY … USING (true) without a restrictive one)";

/// The class of all states that refuse a user or a password.
const LOG_IN: &str = "28";

fn of_state(state: &SqlState) -> (Code, &'static str) {
    const DENIED: (Code, &str) =
        (Code::StoreDenied, "refuses this user: check user, password and pg_hba.conf");
    match *state {
        SqlState::INVALID_PASSWORD | SqlState::INVALID_AUTHORIZATION_SPECIFICATION => DENIED,
        SqlState::INSUFFICIENT_PRIVILEGE => (
            Code::StoreDenied,
            "does not let this user do that: GRANT USAGE ON SCHEMA snowmint, and SELECT, INSERT, \
             UPDATE ON ALL TABLES IN SCHEMA snowmint (or the one that schema= names); to make them, \
             CREATE ON DATABASE",
        ),
        SqlState::INVALID_CATALOG_NAME => {
            (Code::StoreMissing, "has no such database: create it, or check its name")
        }
        SqlState::UNDEFINED_TABLE => (
            Code::StoreMissing,
            "has not the tables of snowmint: check database and schema, or say create=true to begin \
              a key space of its own, which repeats the IDs of every other",
        ),
        SqlState::UNDEFINED_COLUMN
        | SqlState::UNDEFINED_FUNCTION
        | SqlState::DATATYPE_MISMATCH
        | SqlState::WRONG_OBJECT_TYPE
        | SqlState::CHECK_VIOLATION
        | SqlState::NOT_NULL_VIOLATION => (
            Code::StoreSchema,
            "has tables that are not as they should be: put them back as they were",
        ),
        SqlState::READ_ONLY_SQL_TRANSACTION => (
            Code::StoreReadOnly,
            "takes no changes: it is a standby (name the primary, or several hosts with \
             target_session_attrs=read-write), or default_transaction_read_only is on for it, the \
             database or this user (ALTER ROLE … SET default_transaction_read_only = off)",
        ),
        SqlState::T_R_SERIALIZATION_FAILURE
        | SqlState::T_R_DEADLOCK_DETECTED
        | SqlState::LOCK_NOT_AVAILABLE => {
            (Code::StoreLocked, "has others' transactions in the way: end the one that stays open")
        }
        SqlState::QUERY_CANCELED => (
            Code::StoreLocked,
            "ended a statement, by its statement_timeout or by hand: end others' transactions that \
             stay open, or raise that setting for this user (ALTER ROLE … SET statement_timeout)",
        ),
        SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT => (
            Code::StoreUnavailable,
            "ended a transaction that this process was in, and stood still for too long: nothing \
             was reserved, ask again",
        ),
        // pgbouncer reports its own failures with this state.
        SqlState::PROTOCOL_VIOLATION => (
            Code::StoreUnavailable,
            "does not go on with this connection: behind a pooler, check that it knows the \
             database and the user, and reaches the server",
        ),
        SqlState::DISK_FULL => (Code::StoreFull, "has no room left: make room on its disk"),
        SqlState::TOO_MANY_CONNECTIONS => (
            Code::StoreUnavailable,
            "has no connection left: raise max_connections, or the limit of this user or database \
             where the server names that, or put a pooler before it",
        ),
        SqlState::ADMIN_SHUTDOWN | SqlState::CRASH_SHUTDOWN | SqlState::CANNOT_CONNECT_NOW => (
            Code::StoreUnavailable,
            "is starting or ending, or somebody ended its session: wait for it",
        ),
        SqlState::DATA_CORRUPTED | SqlState::INDEX_CORRUPTED => {
            (Code::StoreCorrupt, "has damaged tables: restore them")
        }
        _ => (Code::StoreUnavailable, "refused a statement that it should accept"),
    }
}
