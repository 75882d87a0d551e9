//! The errors of this store, with their messages.

use std::fmt::Display;

use snowmint_engine::Code;

use crate::error::Error;

pub(super) mod server;

// Settings.

errors! {
    address_missing() => InvalidUrl:
        "mysql: names no server: write mysql://user@host/database, or \
         mysql:///database?socket=/run/mysqld/mysqld.sock";

    nowhere(what: &str, url: &str, option: &str, note: &str) => InvalidParameter:
        "MySQL: {what} is named: write mysql://{url}, or {option}= in the section [client] of \
         ~/.my.cnf{note}";

    database_missing() => InvalidParameter:
        "MySQL: no database is named: write mysql://user@host/database";

    socket_and_host() => InvalidParameter:
        "a socket is of this machine, and a host stands in the address: say one of them";

    ssl_mode_given_twice() => InvalidParameter:
        "ssl-mode and sslmode are the same: say one of them";

    /// `right` are the modes that there are.
    ssl_mode_of_file_unknown(mode: &str, right: &str) => InvalidParameter:
        "MySQL: the file of options says ssl-mode={mode}: write {right}";

    /// `parameter` names the file of authorities.
    authorities_unused(parameter: &str) => InvalidParameter:
        "{parameter} names authorities that nobody would ask: say ssl-mode=verify_ca or \
         verify_identity";

    /// `parameter` names the file of authorities.
    authorities_missing(parameter: &str) => InvalidParameter:
        "ssl-mode=verify_ca needs the file of your own authorities, as the system's sign for \
         anybody: name it by {parameter}, or say ssl-mode=verify_identity";
}

/// `note` says why the option file was not read, or is empty.
pub(super) fn server_missing(note: &str) -> Error {
    nowhere("no server", "host/database", "host", note)
}

/// `note` says why the option file was not read, or is empty.
pub(super) fn user_missing(note: &str) -> Error {
    nowhere("no user", "user@host/database", "user", note)
}

// Tables of snowmint.

/// The words in place of the engine of a view, which has none.
pub(super) const NO_ENGINE: &str = "no engine, as a view,";

errors! {
    table_without_transactions(table: &str, engine: &str, right: &str) => StoreSchema:
        "{table} is kept by {engine}, which is not {right}: ALTER TABLE {table} ENGINE = {right}";

    /// Only the tables in `found` are there, not `all` of them.
    tables_incomplete(found: &[String], all: &[&str]) => StoreSchema:
        "of the tables of snowmint, this user sees {} alone: put the others back ({}), or GRANT \
         him rights on them; nothing is made",
        found.join(" and "), all.join(", ");

    version_lost(version: i64) => StoreSchema:
        "the table snowmint_schema has lost its row. Put it back by INSERT INTO snowmint_schema \
         (version, longest_reserve_ms, key_space) VALUES ({version}, 67500, left(sha2(uuid(), 256), \
         32)), or with the longest reservation that was ever asked for, and an eighth more";

    // Others at the same time.

    tables_contended() => StoreLocked: "others make the tables of snowmint all the time: ask again";

    // Tags after a failover. `cure` ends the refusals of a server.

    tag_of_another_server(tag: impl Display, cure: &str) => IncarnationChanged:
        "tag {tag}: this server took the place of the one that gave the last range, and may lack \
         some: {cure}";
}

pub(in crate::store) fn tag_not_made(code: Code, tag: impl Display, cure: &str) -> Error {
    let message = format!(
        "tag {tag} is not there, and is not made: this server took the place of the one that made \
         the others, and may lack some: {cure}"
    );
    Error::new(code, message)
}
