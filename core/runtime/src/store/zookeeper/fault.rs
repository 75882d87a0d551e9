//! Turns the failures of members into our errors.

use std::io;

use snowmint_engine::Code;

use super::messages::Refusal;
use crate::error::Error;
use crate::store::remote::link;
use crate::store::remote::members::{Fault, Member};
use crate::store::remote::tls::{self, Words};

/// The fault of a connection that failed.
pub(super) fn unreachable(member: &Member, error: io::Error) -> Fault {
    let cure = tls::cure(&error, &WORDS).map_or(String::new(), |cure| format!("; {cure}"));
    let what = match error.kind() {
        io::ErrorKind::TimedOut => "it does not answer in time".to_owned(),
        io::ErrorKind::UnexpectedEof => {
            "it ended the connection, as a member does without most of the others, or one that \
             wants TLS at this port (zookeepers:), or has none, or has as many clients as it may \
             (maxClientCnxns)"
                .to_owned()
        }
        _ => link::said(&error),
    };
    let message = format!("ZooKeeper at {member}: {what}{cure}");
    Fault::Passing(Error::new(Code::StoreUnavailable, message).caused_by(error))
}

/// The fault of a refusal that the caller does not expect.
pub(super) fn refused(member: &Member, path: &str, refusal: Refusal) -> Fault {
    let (code, what) = match refusal {
        Refusal::NO_RIGHTS => (
            Code::StoreDenied,
            "we may not: let this user, or all, read, write and create there, or name the user \
             whose nodes they are",
        ),
        Refusal::NO_SUCH_USER => (Code::StoreDenied, "it knows no such log-in"),
        Refusal::SESSION_EXPIRED | Refusal::SESSION_MOVED => {
            let message = format!("ZooKeeper at {member}: the session is over: ask again");
            return Fault::LoggedOut(Error::new(Code::StoreUnavailable, message));
        }
        Refusal::NO_NODE => (Code::StoreSchema, "it is not there: put it back as it was"),
        Refusal::QUOTA => (Code::StoreFull, "its quota is used up: raise it (setquota)"),
        Refusal::THROTTLED => (Code::Overloaded, "it has too much to do: ask again"),
        Refusal(number) => {
            let message = format!("ZooKeeper at {member}: {path}: error {number}; see its log");
            return Fault::Passing(Error::new(Code::StoreUnavailable, message));
        }
    };
    Fault::Refused(Error::new(code, format!("ZooKeeper at {member}: {path}: {what}")))
}

/// The error of a key space that was begun anew since this process saw it.
pub(super) fn stranger(endpoint: &str) -> Error {
    let message = format!(
        "the nodes of ZooKeeper at {endpoint} were begun anew since this process saw them: raise every \
         tag above all that was given, and open what uses it anew"
    );
    Error::new(Code::IncarnationChanged, message)
}

/// The error of an answer that does not fit its question.
pub(super) fn strange(member: &Member) -> Error {
    let message = format!("ZooKeeper at {member} answers a question with what is no such thing");
    Error::new(Code::InvalidAnswer, message)
}

pub(super) const WORDS: Words = Words { roots: "cafile", authority: None, plain: "zookeeper:" };
