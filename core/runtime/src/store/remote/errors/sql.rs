//! Messages that the stores in SQL databases share.

use std::fmt::Display;
use std::io;
use std::path::Path;

use snowmint_engine::Code;

use crate::error::Error;

// Failures of a server. Its product and its place stand before each text.

pub(in crate::store) fn failure(place: &str, code: Code, what: &str) -> Error {
    Error::new(code, format!("{place}: {what}"))
}

pub(in crate::store) const ANSWER_LATE: &str = "did not answer in time; nothing was reserved: see \
    that it runs, that it is at that port, and who has its tables locked";
pub(in crate::store) const CONNECTION_ENDED: &str = "ended the connection; nothing was reserved";
pub(in crate::store) const CONNECTIONS_IN_USE: &str =
    "has no connection left for this call: others of this process have them all";
pub(in crate::store) const DATABASE_MISSING: &str =
    "has no such database: create it, or check its name";
pub(in crate::store) const TABLES_ODD: &str =
    "has tables that are not as they should be: put them back as they were";
pub(in crate::store) const TABLES_DAMAGED: &str = "has damaged tables: restore them";
pub(in crate::store) const TRANSACTIONS_IN_THE_WAY: &str =
    "has others' transactions in the way: end the one that stays open";
pub(in crate::store) const DISK_FULL: &str = "has no room left: make room on its disk";

pub(in crate::store) fn server_unreachable(error: &io::Error) -> String {
    format!("cannot be reached: check host, port and network ({error})")
}

pub(in crate::store) fn commit_unconfirmed(doubt: impl Display) -> String {
    format!("did not confirm a commit: what it reserved is given up ({doubt})")
}

// Reasons for a commit in doubt.

pub(in crate::store) const ANSWER_MISSING: &str = "no answer came in time";
pub(in crate::store) const CONNECTION_LOST: &str = "the connection ended";

// Reasons for not reading a file of passwords. They stand behind the refusal of a user.

pub(in crate::store) fn not_a_file(path: &Path) -> String {
    format!("; {} is not read: it is no file", path.display())
}

#[cfg(unix)]
pub(in crate::store) fn file_open_to_others(path: &Path) -> String {
    let shown = path.display();
    format!("; {shown} is not read, as others can read it: chmod 600 {shown}")
}

pub(in crate::store) fn file_unreadable(path: &Path, error: &io::Error) -> String {
    format!("; {} cannot be read: {error}", path.display())
}

// Tables and their rows.

errors! {
    version_unknown(version: impl Display, known: impl Display) => StoreSchema:
        "the tables of snowmint are of version {version}, and this knows {known}: use the release \
         that made them, or a later one";

    value_excluded(column: &str) => StoreSchema:
        "the tables of snowmint have a {column} that their schema excludes: put them back as they \
         were";
}
