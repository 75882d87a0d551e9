//! Failures of a server with SQL, and the one place where they become errors for callers.

use std::fmt;
use std::io;

use snowmint_engine::Code;

use crate::error::{Error, is_transient};
use crate::store::remote::deadline::Late;
use crate::store::remote::errors::sql;
use crate::store::remote::pool::Busy;

/// The reason why a call failed. `S` is the type of the states by which a product names its errors.
#[derive(Debug)]
pub(in crate::store) enum Fault<S> {
    /// No connection: the name or the network failed, or no server listens.
    Unreachable(io::Error),
    /// The deadline passed before anything was committed.
    Late,
    /// The connection broke before anything was committed, or what came over it makes no sense.
    Broken { what: String, error: io::Error },
    /// The server ended the connection before anything was committed.
    Closed,
    /// The server refused, before anything was committed.
    Said(Box<Said<S>>),
    /// The server or its tables are not as they have to be. The text says what is wrong, and the
    /// cure.
    Unfit(Code, String),
    /// All connections that this process may have are in use.
    Busy,
    /// The commit was sent, and its outcome is unknown.
    Unknown(Box<Fault<S>>),
    /// The database's content or the caller's request is wrong; the server is not.
    Refused(Error),
    /// Each host with its fault. The code is the first transient fault's, or else the last one's.
    Everywhere(Vec<(String, Fault<S>)>),
}

/// A server's error about a statement or a user that it refused.
#[derive(Debug)]
pub(in crate::store) struct Said<S> {
    pub(in crate::store) state: S,
    pub(in crate::store) message: String,
    /// All that the server said.
    pub(in crate::store) whole: String,
    /// The code of the state, what is wrong, and the cure.
    pub(in crate::store) meaning: (Code, &'static str),
    /// True if the server ends the connection.
    pub(in crate::store) is_final: bool,
}

impl<S> Fault<S> {
    pub(in crate::store) fn unfit(code: Code, what: impl Into<String>) -> Fault<S> {
        Fault::Unfit(code, what.into())
    }

    /// Returns the server's error, if the fault is one.
    pub(in crate::store) fn said(&self) -> Option<&Said<S>> {
        match self {
            Fault::Said(said) => Some(said),
            _ => None,
        }
    }

    /// Returns true if the connection must not be used again. Either it is broken or about to end,
    /// or its server takes no changes while another may.
    pub(in crate::store) fn spoils_connection(&self) -> bool {
        match self {
            Fault::Said(said) => said.is_final || self.code() == Code::StoreReadOnly,
            Fault::Refused(_) => false,
            _ => true,
        }
    }

    /// Returns true if another host may succeed. Hosts are copies, so a refused user, or a database
    /// that is missing, is the same on all. A host that starts or is full is not.
    pub(in crate::store) fn is_of_one_host(&self) -> bool {
        let is_of_all = matches!(self.code(), Code::StoreDenied | Code::StoreMissing);
        !is_of_all && !matches!(self, Fault::Refused(_))
    }

    /// Adds why no password was read to the refusal of a user.
    pub(in crate::store) fn noted(self, note: impl FnOnce() -> String) -> Fault<S> {
        match self {
            Fault::Said(mut said) if said.meaning.0 == Code::StoreDenied => {
                said.message = format!("{}{}", said.message, note());
                Fault::Said(said)
            }
            fault => fault,
        }
    }

    /// Returns the error for the caller: its code, what was wrong and where, and the cure.
    pub(in crate::store) fn explain(self, place: &str) -> Error {
        let code = self.code();
        let failure = sql::failure(place, code, &self.story());
        match self {
            Fault::Refused(error) if code != Code::StoreSchema => error,
            fault => fault.cause(failure),
        }
    }

    fn cause(self, error: Error) -> Error {
        match self {
            Fault::Unreachable(cause) | Fault::Broken { error: cause, .. } => {
                error.caused_by(cause)
            }
            Fault::Said(said) => error.caused_by(io::Error::other(said.whole)),
            Fault::Unknown(fault) => fault.cause(error),
            _ => error,
        }
    }

    fn code(&self) -> Code {
        match self {
            Fault::Unreachable(_)
            | Fault::Late
            | Fault::Broken { .. }
            | Fault::Closed
            | Fault::Busy => Code::StoreUnavailable,
            Fault::Said(said) => said.meaning.0,
            Fault::Unfit(code, _) => *code,
            Fault::Unknown(_) => Code::OutcomeUnknown,
            Fault::Refused(error) => error.code(),
            // Waiting may cure a transient fault: a standby may be about to take over.
            Fault::Everywhere(each) => {
                let codes = each.iter().map(|(_, fault)| fault.code());
                let last = codes.clone().next_back().unwrap_or(Code::StoreUnavailable);
                codes.into_iter().find(|code| is_transient(*code)).unwrap_or(last)
            }
        }
    }

    /// Returns what is wrong, and the cure.
    fn story(&self) -> String {
        match self {
            Fault::Unreachable(error) => sql::server_unreachable(error),
            Fault::Late => sql::ANSWER_LATE.to_owned(),
            Fault::Broken { what, .. } | Fault::Unfit(_, what) => what.clone(),
            Fault::Closed => sql::CONNECTION_ENDED.to_owned(),
            Fault::Said(said) => format!("{} ({})", said.meaning.1, said.message),
            Fault::Busy => sql::CONNECTIONS_IN_USE.to_owned(),
            Fault::Unknown(fault) => sql::commit_unconfirmed(&**fault),
            Fault::Refused(error) => error.to_string(),
            Fault::Everywhere(each) => {
                let each = each.iter().map(|(host, fault)| format!("{host} {}", fault.story()));
                each.collect::<Vec<_>>().join("; ")
            }
        }
    }
}

/// Shows why a commit that failed so is in doubt.
impl<S> fmt::Display for Fault<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Late => f.write_str(sql::ANSWER_MISSING),
            Fault::Said(said) => f.write_str(&said.message),
            Fault::Broken { error, .. } => error.fmt(f),
            _ => f.write_str(sql::CONNECTION_LOST),
        }
    }
}

impl<S> From<Late> for Fault<S> {
    fn from(_: Late) -> Fault<S> {
        Fault::Late
    }
}

impl<S> From<Busy> for Fault<S> {
    fn from(_: Busy) -> Fault<S> {
        Fault::Busy
    }
}

impl<S> From<Error> for Fault<S> {
    fn from(error: Error) -> Fault<S> {
        Fault::Refused(error)
    }
}
