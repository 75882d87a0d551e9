//! Turns the refusals of a server into our errors.

use std::io;

use snowmint_engine::Code;

use super::endpoint::Endpoint;
use super::errors;
use crate::error::Error;
use crate::store::remote::errors::{SILENT, unreachable_at};
use crate::store::remote::link;
use crate::store::remote::tls::{self, Words};

/// The code and the cure of each refusal, by its first word.
const REFUSALS: &[(&str, Code, &str)] = &[
    ("READONLY", Code::StoreReadOnly, errors::REPLICA_ASKED),
    ("LOADING", Code::StoreUnavailable, errors::FILE_READING),
    ("BUSY", Code::StoreUnavailable, errors::SCRIPT_RUNNING),
    ("MASTERDOWN", Code::StoreUnavailable, errors::MASTER_LOST),
    ("NOAUTH", Code::StoreDenied, errors::PASSWORD_MISSING),
    ("WRONGPASS", Code::StoreDenied, errors::PASSWORD_WRONG),
    ("NOPERM", Code::StoreDenied, errors::RIGHTS_MISSING),
    ("OOM", Code::StoreFull, errors::MEMORY_FULL),
    ("MISCONF", Code::StoreReadOnly, errors::FILE_UNWRITABLE),
    ("NOREPLICAS", Code::StoreReadOnly, errors::REPLICAS_MISSING),
    ("WRONGTYPE", Code::StoreSchema, errors::KEY_FOREIGN),
    ("MOVED", Code::StoreUnavailable, errors::KEYS_ELSEWHERE),
    ("ASK", Code::StoreUnavailable, errors::KEYS_MOVING),
    ("TRYAGAIN", Code::StoreUnavailable, errors::KEYS_MOVING),
    ("CLUSTERDOWN", Code::StoreUnavailable, errors::CLUSTER_DOWN),
];

/// Returns the error for a server's refusal.
pub(super) fn said(endpoint: &Endpoint, text: &str) -> Error {
    let (code, cure) = meaning(text);
    errors::refused(code, endpoint, text, cure)
}

/// Returns an error if a sentinel denies the request for lack of the right user or password.
pub(super) fn denied_by_sentinel(
    endpoint: &Endpoint,
    sentinel: (&str, u16),
    text: &str,
) -> Option<Error> {
    let is_denied = meaning(text).0 == Code::StoreDenied;
    is_denied.then(|| errors::denied_by_sentinel(endpoint, sentinel, text))
}

fn meaning(text: &str) -> (Code, &'static str) {
    let word = text.split(' ').next().unwrap_or_default();
    let found = REFUSALS.iter().find(|(first, ..)| *first == word);
    match found {
        Some((_, code, cure)) => (*code, *cure),
        None if text.contains("max number of clients") => {
            (Code::Overloaded, errors::CONNECTIONS_USED_UP)
        }
        None if text.contains("can't run this command") => {
            (Code::StoreDenied, errors::RIGHTS_OF_SCRIPTS_MISSING)
        }
        None if text.contains("no password is set") || text.contains("without any password") => {
            (Code::StoreDenied, errors::PASSWORD_NEEDLESS)
        }
        None if text.contains("DB index is out of range") => {
            (Code::InvalidParameter, errors::DATABASE_MISSING)
        }
        None => (Code::StoreUnavailable, errors::REASON_UNKNOWN),
    }
}

/// The error of a connection that failed before any change was sent.
pub(super) fn unreachable(endpoint: &Endpoint, error: io::Error) -> Error {
    let cure = tls::cure(&error, &WORDS);
    let what = match error.kind() {
        io::ErrorKind::TimedOut => SILENT.to_owned(),
        io::ErrorKind::UnexpectedEof => errors::CONNECTION_ENDED.to_owned(),
        _ => link::said(&error),
    };
    unreachable_at("Redis", endpoint, &what, cure, error)
}

pub(super) const WORDS: Words =
    Words { roots: "ssl_ca_certs", authority: Some("ssl_check_hostname=false"), plain: "redis:" };
