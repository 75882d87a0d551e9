//! Turns the refusals of a server into our errors.

use std::io;

use snowmint_engine::Code;

use super::endpoint::Endpoint;
use crate::error::Error;
use crate::store::remote::link;
use crate::store::remote::tls::{self, Words};

/// The most characters of a server's text that a message shows.
const SAID_MAX: usize = 300;

/// The code and the cure of each refusal, by its first word.
const REFUSALS: &[(&str, Code, &str)] = &[
    ("READONLY", Code::StoreReadOnly, "this is a replica: name the server that takes changes"),
    ("LOADING", Code::StoreUnavailable, "it reads its file: ask again when that is done"),
    ("BUSY", Code::StoreUnavailable, "a script of somebody's runs on it: ask again"),
    ("MASTERDOWN", Code::StoreUnavailable, "this is a replica that has lost its master"),
    ("NOAUTH", Code::StoreDenied, "name a password, in the URL or in REDISCLI_AUTH"),
    ("WRONGPASS", Code::StoreDenied, "check the user and the password"),
    (
        "NOPERM",
        Code::StoreDenied,
        "allow this user EVAL, TIME, INFO, CONFIG|GET, PTTL and what is \
      done to hashes, on the keys snowmint:*",
    ),
    ("OOM", Code::StoreFull, "it has used up maxmemory: give it more, or take other keys away"),
    ("MISCONF", Code::StoreReadOnly, "it cannot write its file: see its log"),
    ("NOREPLICAS", Code::StoreReadOnly, "it waits for replicas (min-replicas-to-write)"),
    (
        "WRONGTYPE",
        Code::StoreSchema,
        "a key of snowmint's holds something else: name another \
      database, or move that key",
    ),
    (
        "MOVED",
        Code::StoreUnavailable,
        "another node of its cluster has the keys: ask again, or name \
      the cluster where that was one server (redis+cluster:)",
    ),
    ("ASK", Code::StoreUnavailable, "the keys go to another node at the moment: ask again"),
    ("TRYAGAIN", Code::StoreUnavailable, "the keys go to another node at the moment: ask again"),
    ("CLUSTERDOWN", Code::StoreUnavailable, "nodes of its cluster are down, or have no slots"),
];

/// Returns the error for a server's refusal.
pub(super) fn said(endpoint: &Endpoint, text: &str) -> Error {
    let (code, cure) = meaning(text);
    Error::new(code, format!("Redis at {endpoint}: {}; {cure}", shown(text)))
}

/// Returns an error if a sentinel denies the request for lack of the right user or password.
pub(super) fn denied_by_sentinel(
    endpoint: &Endpoint,
    (name, port): (&str, u16),
    text: &str,
) -> Option<Error> {
    (meaning(text).0 == Code::StoreDenied).then(|| {
        let message = format!(
            "Redis at {endpoint}: the sentinel {name}:{port} says {}; name the user and the password \
             that sentinels have, if any, by sentinel_user and sentinel_password",
            shown(text)
        );
        Error::new(Code::StoreDenied, message)
    })
}

fn shown(text: &str) -> String {
    text.chars().take(SAID_MAX).collect()
}

fn meaning(text: &str) -> (Code, &'static str) {
    let word = text.split(' ').next().unwrap_or_default();
    let found = REFUSALS.iter().find(|(first, ..)| *first == word);
    match found {
        Some((_, code, cure)) => (*code, *cure),
        None if text.contains("max number of clients") => {
            (Code::Overloaded, "it has too many connections (maxclients)")
        }
        None if text.contains("can't run this command") => (
            Code::StoreDenied,
            "allow this user what the scripts run: GET, SET, INCRBY, HGET, HLEN, HSET, PTTL",
        ),
        None if text.contains("no password is set") || text.contains("without any password") => {
            (Code::StoreDenied, "leave the password out, as it has none")
        }
        None if text.contains("DB index is out of range") => {
            (Code::InvalidParameter, "name a database that it has (databases)")
        }
        None => (Code::StoreUnavailable, "see its log"),
    }
}

/// The error of a connection that failed before any change was sent.
pub(super) fn unreachable(endpoint: &Endpoint, error: io::Error) -> Error {
    let cure = tls::cure(&error, &WORDS).map_or(String::new(), |cure| format!("; {cure}"));
    let what = match error.kind() {
        io::ErrorKind::TimedOut => "it does not answer in time".to_owned(),
        io::ErrorKind::UnexpectedEof => "it ended the connection".to_owned(),
        _ => link::said(&error),
    };
    let message = format!("Redis at {endpoint}: {what}{cure}");
    Error::new(Code::StoreUnavailable, message).caused_by(error)
}

/// The error of a change whose answer did not come.
pub(super) fn unknown(endpoint: &Endpoint, error: io::Error) -> Error {
    let message = format!(
        "Redis at {endpoint}: a change was sent, and what became of it is not known ({error}); what \
         it reserved is not used"
    );
    Error::new(Code::OutcomeUnknown, message).caused_by(error)
}

/// The error of an answer that does not fit its question.
pub(super) fn strange(endpoint: &Endpoint, what: &str) -> Error {
    let message = format!("Redis at {endpoint} answers {what} with what is no such thing");
    Error::new(Code::InvalidAnswer, message)
}

pub(super) const WORDS: Words =
    Words { roots: "ssl_ca_certs", authority: Some("ssl_check_hostname=false"), plain: "redis:" };
