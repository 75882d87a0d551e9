//! The errors that a server reports, and their meanings.

use std::io;

use snowmint_engine::Code;

use super::errors::server;
use super::tls::WORDS;
use crate::store::remote::errors::sql;
use crate::store::remote::tls::cure;
use crate::store::sql::servers::fault;

/// The reason why a call failed. MySQL numbers its errors.
pub(super) type Fault = fault::Fault<u16>;

/// The longest part of a server's message that is shown, in bytes.
const MESSAGE_MAX: usize = 1024;
/// A row with this key exists already.
const DUPLICATE: u16 = 1062;
const DEADLOCK: u16 = 1213;
/// The server or this connection is ending.
const ENDINGS: &[u16] = &[1053, 1047, 1927, 3032, 4031];
/// The server has no variable of this name.
const NO_VARIABLE: u16 = 1193;

impl Fault {
    pub(super) fn of_io(error: io::Error) -> Fault {
        match error.kind() {
            io::ErrorKind::TimedOut => Fault::Late,
            io::ErrorKind::UnexpectedEof => Fault::Closed,
            _ => Fault::broken(error),
        }
    }

    /// The fault of a connection that failed; a bad certificate has a cure of its own.
    pub(super) fn broken(error: io::Error) -> Fault {
        let what = match cure(&error, &WORDS) {
            Some(cure) => server::certificate_not_good(&error, &cure),
            None => server::connection_broken(&error),
        };
        Fault::Broken { what, error }
    }

    /// Parses a packet, if it is an error. Before the log-in, an error has no SQL state.
    pub(super) fn of_packet(packet: &[u8]) -> Option<Fault> {
        let [0xff, low, high, rest @ ..] = packet else { return None };
        let message = match rest {
            [b'#', _, _, _, _, _, message @ ..] => message,
            message => message,
        };
        let message = &message[..message.len().min(MESSAGE_MAX)];
        let message = String::from_utf8_lossy(message);
        Some(Fault::of_number(u16::from_le_bytes([*low, *high]), &message))
    }

    fn of_number(number: u16, message: &str) -> Fault {
        let message = format!("{message}, error {number}");
        Fault::Said(Box::new(fault::Said {
            state: number,
            whole: message.clone(),
            message,
            meaning: meaning(number),
            is_final: ENDINGS.contains(&number),
        }))
    }

    pub(super) fn no_tables() -> Fault {
        Fault::unfit(Code::StoreMissing, server::TABLES_MISSING)
    }

    fn is(&self, number: u16) -> bool {
        self.said().is_some_and(|said| said.state == number)
    }

    /// Returns true if a row with the same key exists already.
    pub(super) fn is_duplicate(&self) -> bool {
        self.is(DUPLICATE)
    }

    /// Returns true if the server does not know one of its own variables.
    pub(super) fn is_unknown_variable(&self) -> bool {
        self.is(NO_VARIABLE)
    }

    /// Returns true if the server denies that a commit took place, because another server was
    /// first. After any other error the commit may have taken place, for example if it was killed
    /// while it waited for a replica.
    pub(super) fn denies_commit(&self) -> bool {
        self.is(DEADLOCK)
    }
}

fn meaning(number: u16) -> (Code, &'static str) {
    match number {
        1045 | 1698 => (Code::StoreDenied, server::USER_REFUSED),
        1044 => (Code::StoreDenied, server::DATABASE_DENIED),
        1130 => (Code::StoreDenied, server::MACHINE_DENIED),
        1142 | 1143 | 1227 | 1370 => (Code::StoreDenied, server::RIGHT_MISSING),
        1049 => (Code::StoreMissing, sql::DATABASE_MISSING),
        1146 => (Code::StoreMissing, server::TABLES_MISSING),
        1054 | 1136 | 1264 | 1265 | 1364 | 1366 | 1406 | 3819 | 4025 => {
            (Code::StoreSchema, sql::TABLES_ODD)
        }
        1290 | 1792 | 1836 => (Code::StoreReadOnly, server::READ_ONLY),
        // By a lock, or by a change since the row was read.
        DEADLOCK | DUPLICATE | 1020 | 1205 => (Code::StoreLocked, sql::TRANSACTIONS_IN_THE_WAY),
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
        let said = |packet: &[u8]| match Fault::of_packet(packet) {
            Some(Fault::Said(said)) => said,
            other => panic!("{other:?}"),
        };
        for packet in [&b"\xff\x15\x04#28000Access denied"[..], b"\xff\x15\x04Access denied"] {
            let said = said(packet);
            assert_eq!((said.state, said.message.as_str()), (1045, "Access denied, error 1045"));
        }
        let long = [&b"\xff\x15\x04"[..], &[b'a'; MESSAGE_MAX + 1]].concat();
        assert_eq!(said(&long).message.len(), MESSAGE_MAX + ", error 1045".len());
        for packet in [&b"\x00\x00"[..], b"\xff\x15", b""] {
            assert!(Fault::of_packet(packet).is_none());
        }
    }

    /// A statement that is killed while it waits for a replica has been committed all the same.
    #[test]
    fn only_a_conflict_denies_a_commit() {
        let said = |number| Fault::of_number(number, "");
        assert!(said(1213).denies_commit());
        for number in [1317, 1180, 1205, 1927, 1969, 3024, 1053] {
            assert!(!said(number).denies_commit(), "{number}");
        }
        assert!(!Fault::Late.denies_commit() && !Fault::Closed.denies_commit());
    }
}
