//! The errors of this store, with their messages.

use std::fmt::Display;

use snowmint_engine::Code;

use crate::error::Error;

pub(super) mod server;

// Settings.

pub(super) fn address_missing() -> Error {
    let message = "mysql: names no server: write mysql://user@host/database, or \
                   mysql:///database?socket=/run/mysqld/mysqld.sock";
    Error::new(Code::InvalidUrl, message)
}

/// `note` says why the option file was not read, or is empty.
pub(super) fn server_missing(note: &str) -> Error {
    nowhere("no server", "host/database", "host", note)
}

/// `note` says why the option file was not read, or is empty.
pub(super) fn user_missing(note: &str) -> Error {
    nowhere("no user", "user@host/database", "user", note)
}

fn nowhere(what: &str, url: &str, option: &str, note: &str) -> Error {
    let message = format!(
        "MySQL: {what} is named: write mysql://{url}, or {option}= in the section [client] of \
         ~/.my.cnf{note}"
    );
    Error::new(Code::InvalidParameter, message)
}

pub(super) fn database_missing() -> Error {
    let message = "MySQL: no database is named: write mysql://user@host/database";
    Error::new(Code::InvalidParameter, message)
}

pub(super) fn socket_and_host() -> Error {
    let message = "a socket is of this machine, and a host stands in the address: say one of them";
    Error::new(Code::InvalidParameter, message)
}

pub(super) fn ssl_mode_given_twice() -> Error {
    let message = "ssl-mode and sslmode are the same: say one of them";
    Error::new(Code::InvalidParameter, message)
}

/// `right` are the modes that there are.
pub(super) fn ssl_mode_of_file_unknown(mode: &str, right: &str) -> Error {
    let message = format!("MySQL: the file of options says ssl-mode={mode}: write {right}");
    Error::new(Code::InvalidParameter, message)
}

/// `parameter` names the file of authorities.
pub(super) fn authorities_unused(parameter: &str) -> Error {
    let message = format!(
        "{parameter} names authorities that nobody would ask: say ssl-mode=verify_ca or \
         verify_identity"
    );
    Error::new(Code::InvalidParameter, message)
}

/// `parameter` names the file of authorities.
pub(super) fn authorities_missing(parameter: &str) -> Error {
    let message = format!(
        "ssl-mode=verify_ca needs the file of your own authorities, as the system's sign for \
         anybody: name it by {parameter}, or say ssl-mode=verify_identity"
    );
    Error::new(Code::InvalidParameter, message)
}

// Tables of snowmint.

/// What stands for the engine of a view.
pub(super) const NO_ENGINE: &str = "no engine, as a view,";

pub(super) fn table_without_transactions(table: &str, engine: &str, right: &str) -> Error {
    let message = format!(
        "{table} is kept by {engine}, which is not {right}: ALTER TABLE {table} ENGINE = {right}"
    );
    Error::new(Code::StoreSchema, message)
}

/// Of `all` tables, only those that were found are there.
pub(super) fn tables_incomplete(found: &[String], all: &[&str]) -> Error {
    let message = format!(
        "of the tables of snowmint, this user sees {} alone: put the others back ({}), or GRANT \
         him rights on them; nothing is made",
        found.join(" and "),
        all.join(", ")
    );
    Error::new(Code::StoreSchema, message)
}

pub(super) fn version_lost(version: i64) -> Error {
    let message = format!(
        "the table snowmint_schema has lost its row: put it back by INSERT INTO snowmint_schema \
         (version, longest_reserve_ms, key_space) VALUES ({version}, 67500, md5(uuid())), or with \
         the longest reservation that was ever asked for, and an eighth more"
    );
    Error::new(Code::StoreSchema, message)
}

// Others at the same time.

pub(super) fn tables_contended() -> Error {
    let message = "others make the tables of snowmint all the time: ask again";
    Error::new(Code::StoreLocked, message)
}

pub(super) fn realm_contended() -> Error {
    let message = "others acquire worker IDs of this realm all the time: ask again";
    Error::new(Code::StoreLocked, message)
}

// Tags after a failover. `cure` ends the refusals of a server.

pub(super) fn tag_of_another_server(tag: impl Display, cure: &str) -> Error {
    let message = format!(
        "tag {tag}: this server took the place of the one that gave the last range, and may lack \
         some: raise the tag above every number in use, or {cure}"
    );
    Error::new(Code::IncarnationChanged, message)
}

pub(super) fn tag_not_made(code: Code, tag: impl Display, cure: &str) -> Error {
    let message = format!(
        "tag {tag} is not there, and is not made: this server took the place of the one that made \
         the others, and may lack some: {cure}"
    );
    Error::new(code, message)
}
