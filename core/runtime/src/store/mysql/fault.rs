//! Failures of a server, and the one place where they become errors for callers.

use std::fmt;
use std::io;

use snowmint_engine::Code;

use super::endpoint::Endpoint;
use super::errors::server;
use super::tls::WORDS;
use crate::error::{Error, is_transient};
use crate::store::remote::errors::sql;
use crate::store::remote::pool::Busy;
use crate::store::remote::tls::cure;

/// The reason why a call failed.
#[derive(Debug)]
pub(super) enum Fault {
    /// No connection: the name or the network failed, or no server listens.
    Unreachable(io::Error),
    /// The deadline passed before anything was committed.
    Late,
    /// The connection broke before anything was committed, or what came over it makes no sense.
    Broken(io::Error),
    /// The server ended the connection before anything was committed.
    Closed,
    /// The server refused, before anything was committed.
    Said(Said),
    /// The server has no TLS, but the settings require it.
    Open,
    /// The password would have to be sent to a server whose certificate is not verified.
    Overheard,
    /// The server wants a proof of the password that snowmint does not know.
    Proof(String),
    /// The server takes no changes.
    ReadOnly,
    /// The server could lose what it acknowledges. The text names the setting and the right value.
    Unsafe(String),
    /// Some of our tables are not there.
    NoTables,
    /// All connections that this process may have are in use.
    Busy,
    /// The commit was sent, and its outcome is unknown.
    Unknown(Box<Fault>),
    /// The database's content or the caller's request is wrong; the server is not.
    Refused(Error),
    /// Each host with its fault. The code is the first transient fault's, or else the last one's.
    Everywhere(Vec<(String, Fault)>),
}

/// A server's error about a statement or a user that it refused.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) number: u16,
    pub(super) message: String,
}

impl Said {
    /// Parses a packet, if it is an error. Before the log-in, an error has no SQL state.
    pub(super) fn of_packet(packet: &[u8]) -> Option<Said> {
        let [0xff, low, high, rest @ ..] = packet else { return None };
        let message = match rest {
            [b'#', _, _, _, _, _, message @ ..] => message,
            message => message,
        };
        let message = &message[..message.len().min(MESSAGE_MAX)];
        let message = String::from_utf8_lossy(message).into_owned();
        Some(Said { number: u16::from_le_bytes([*low, *high]), message })
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, error {}", self.message, self.number)
    }
}

impl std::error::Error for Said {}

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

/// The longest part of a server's message that is shown, in bytes.
const MESSAGE_MAX: usize = 1024;
/// A row with this key exists already.
const DUPLICATE: u16 = 1062;
const DEADLOCK: u16 = 1213;
/// Another transaction was in the way, for example by a lock or by a change since the row was read.
const CONFLICTS: &[u16] = &[DEADLOCK, 1205, 1020, DUPLICATE];
/// The server, or one that it depends on, takes no changes.
const READ_ONLY: &[u16] = &[1290, 1792, 1836];
/// The server or this connection is ending.
const ENDINGS: &[u16] = &[1053, 1047, 1927, 3032, 4031];
/// The user or the password is wrong.
const DENIALS: &[u16] = &[1045, 1698];
/// The database does not exist, or this user may not use it.
const NO_DATABASE: &[u16] = &[1044, 1049];
/// The server has no variable of this name.
const NO_VARIABLE: u16 = 1193;

impl Fault {
    pub(super) fn of_io(error: io::Error) -> Fault {
        match error.kind() {
            io::ErrorKind::TimedOut => Fault::Late,
            io::ErrorKind::UnexpectedEof => Fault::Closed,
            _ => Fault::Broken(error),
        }
    }

    /// Returns the server's error, if the fault is one.
    pub(super) fn said(&self) -> Option<&Said> {
        match self {
            Fault::Said(said) => Some(said),
            _ => None,
        }
    }

    fn number(&self) -> Option<u16> {
        self.said().map(|said| said.number)
    }

    fn is_one_of(&self, numbers: &[u16]) -> bool {
        self.number().is_some_and(|number| numbers.contains(&number))
    }

    /// Returns true if a row with the same key exists already.
    pub(super) fn is_duplicate(&self) -> bool {
        self.number() == Some(DUPLICATE)
    }

    /// Returns true if the server does not know one of its own variables.
    pub(super) fn is_unknown_variable(&self) -> bool {
        self.number() == Some(NO_VARIABLE)
    }

    /// Returns true if the server denies that a commit took place, because another server was
    /// first. After any other error the commit may have taken place, for example if it was killed
    /// while it waited for a replica.
    pub(super) fn denies_commit(&self) -> bool {
        self.number() == Some(DEADLOCK)
    }

    /// Returns true if the connection must not be used again. Either it is broken or about to end,
    /// or its server takes no changes while another may.
    pub(super) fn spoils_connection(&self) -> bool {
        match self {
            Fault::Said(_) => self.is_one_of(ENDINGS) || self.is_one_of(READ_ONLY),
            Fault::Refused(_) | Fault::NoTables => false,
            _ => true,
        }
    }

    /// Returns true if another host may succeed. A refused user, or a database that is missing, is
    /// the same on all hosts.
    pub(super) fn is_of_one_host(&self) -> bool {
        match self {
            Fault::Refused(_) | Fault::Proof(_) | Fault::Overheard => false,
            _ => !self.is_one_of(DENIALS) && !self.is_one_of(NO_DATABASE),
        }
    }

    /// Returns the error for the caller: its code, what was wrong and where, and the cure.
    pub(super) fn explain(self, endpoint: &Endpoint) -> Error {
        let code = self.code();
        let failure = server::failure(endpoint.kind(), endpoint, code, &self.story(endpoint));
        match self {
            Fault::Refused(error) if code != Code::StoreSchema => error,
            Fault::Unreachable(error) | Fault::Broken(error) => failure.caused_by(error),
            Fault::Said(said) => failure.caused_by(said),
            _ => failure,
        }
    }

    fn code(&self) -> Code {
        match self {
            Fault::Unreachable(_)
            | Fault::Late
            | Fault::Broken(_)
            | Fault::Closed
            | Fault::Busy
            | Fault::Open => Code::StoreUnavailable,
            Fault::Overheard | Fault::Proof(_) => Code::StoreDenied,
            Fault::Said(said) => of_number(said.number).0,
            Fault::ReadOnly => Code::StoreReadOnly,
            Fault::Unsafe(_) => Code::UnsafeSetting,
            Fault::NoTables => Code::StoreMissing,
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
    fn story(&self, endpoint: &Endpoint) -> String {
        match self {
            Fault::Unreachable(error) => sql::server_unreachable(error),
            Fault::Late => sql::answer_late(server::PRODUCTS),
            Fault::Broken(error) => of_connection(error),
            Fault::Closed => sql::CONNECTION_ENDED.to_owned(),
            Fault::Said(said) => {
                let note = if self.is_one_of(DENIALS) { endpoint.note() } else { String::new() };
                format!("{}{note} ({said})", of_number(said.number).1)
            }
            Fault::Open => server::TLS_MISSING.to_owned(),
            Fault::Overheard => server::PASSWORD_OVERHEARD.to_owned(),
            Fault::Proof(plugin) => server::proof_unknown(plugin),
            Fault::ReadOnly => server::READ_ONLY.to_owned(),
            Fault::Unsafe(setting) => setting.clone(),
            Fault::NoTables => server::TABLES_MISSING.to_owned(),
            Fault::Busy => sql::CONNECTIONS_IN_USE.to_owned(),
            Fault::Unknown(fault) => sql::commit_unconfirmed(match fault.as_ref() {
                Fault::Late => sql::ANSWER_MISSING.to_owned(),
                Fault::Said(said) => said.to_string(),
                Fault::Broken(error) => error.to_string(),
                _ => sql::CONNECTION_LOST.to_owned(),
            }),
            Fault::Refused(error) => error.to_string(),
            Fault::Everywhere(each) => {
                let each =
                    each.iter().map(|(host, fault)| format!("{host} {}", fault.story(endpoint)));
                each.collect::<Vec<_>>().join("; ")
            }
        }
    }
}

/// Describes a connection that failed; a bad certificate has a cure of its own.
fn of_connection(error: &io::Error) -> String {
    match cure(error, &WORDS) {
        Some(cure) => server::certificate_not_good(error, &cure),
        None => server::connection_broken(error),
    }
}

fn of_number(number: u16) -> (Code, &'static str) {
    match number {
        _ if DENIALS.contains(&number) => (Code::StoreDenied, server::USER_REFUSED),
        1044 => (Code::StoreDenied, server::DATABASE_DENIED),
        1130 => (Code::StoreDenied, server::MACHINE_DENIED),
        1142 | 1143 | 1227 | 1370 => (Code::StoreDenied, server::RIGHT_MISSING),
        1049 => (Code::StoreMissing, sql::DATABASE_MISSING),
        1146 => (Code::StoreMissing, server::TABLES_MISSING),
        1054 | 1136 | 1264 | 1265 | 1364 | 1366 | 1406 | 3819 | 4025 => {
            (Code::StoreSchema, sql::TABLES_ODD)
        }
        _ if READ_ONLY.contains(&number) => (Code::StoreReadOnly, server::READ_ONLY),
        _ if CONFLICTS.contains(&number) => (Code::StoreLocked, sql::TRANSACTIONS_IN_THE_WAY),
        1969 | 3024 => (Code::StoreLocked, server::STATEMENT_TIMED_OUT),
        1021 | 1114 => (Code::StoreFull, sql::DISK_FULL),
        1034 | 1194 | 1195 | 1712 => (Code::StoreCorrupt, sql::TABLES_DAMAGED),
        1665 => (Code::UnsafeSetting, server::STATEMENTS_LOGGED),
        1040 | 1203 | 1226 => (Code::StoreUnavailable, server::CONNECTIONS_USED_UP),
        1105 | 1235 => (Code::StoreUnavailable, server::STATEMENT_UNSUPPORTED),
        1129 => (Code::StoreUnavailable, server::MACHINE_SHUT_OUT),
        1317 => (Code::StoreUnavailable, server::STATEMENT_KILLED),
        _ if ENDINGS.contains(&number) => (Code::StoreUnavailable, server::STARTING_OR_ENDING),
        _ => (Code::StoreUnavailable, server::STATEMENT_REFUSED),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_read_with_its_state_and_without() {
        for packet in [&b"\xff\x15\x04#28000Access denied"[..], b"\xff\x15\x04Access denied"] {
            let said = Said::of_packet(packet).unwrap();
            assert_eq!((said.number, said.message.as_str()), (1045, "Access denied"));
        }
        let long = [&b"\xff\x15\x04"[..], &[b'a'; MESSAGE_MAX + 1]].concat();
        assert_eq!(Said::of_packet(&long).unwrap().message.len(), MESSAGE_MAX);
        for packet in [&b"\x00\x00"[..], b"\xff\x15", b""] {
            assert!(Said::of_packet(packet).is_none());
        }
    }

    /// A statement that is killed while it waits for a replica has been committed all the same.
    #[test]
    fn only_a_conflict_denies_a_commit() {
        let said = |number| Fault::Said(Said { number, message: String::new() });
        assert!(said(1213).denies_commit());
        for number in [1317, 1180, 1205, 1927, 1969, 3024, 1053] {
            assert!(!said(number).denies_commit(), "{number}");
        }
        assert!(!Fault::Late.denies_commit() && !Fault::Closed.denies_commit());
    }
}
