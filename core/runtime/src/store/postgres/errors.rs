//! The errors of this store, with their messages.

use std::fmt::Display;
use std::path::Path;

use snowmint_engine::Code;

use crate::error::Error;

/// The cure for row-level security.
macro_rules! row_security_cure {
    () => {
        "let this user see and change all rows (ALTER ROLE … BYPASSRLS, or CREATE POLICY … USING \
         (true) without a restrictive one)"
    };
}
const ROW_SECURITY_CURE: &str = row_security_cure!();

pub(super) mod sequences;
pub(super) mod server;

// Settings.

errors! {
    server_missing() => InvalidUrl:
        "postgres: names no server: write postgres://user@host/database, or \
         postgres:///database?host=/run/postgresql";

    host_missing() => InvalidParameter:
        "PostgreSQL on no host: name one, or the directory of its socket";

    host_name_malformed(name: &str, why: impl Display) => InvalidParameter:
        "{name:?} is no name of a host: {why}";

    ports_unlike_hosts(ports: usize, hosts: usize) => InvalidParameter:
        "{ports} ports of {hosts} hosts: name one for all, or each";

    user_missing(
        cause: impl std::error::Error + Send + Sync + 'static,
    ) => InvalidParameter caused_by cause:
        "PostgreSQL as no user, and the system has no name for this process's: write \
         postgres://user@host/database, or set PGUSER";

    schema_name_malformed(name: &str, length_max: usize) => InvalidParameter:
        "a schema named {name:?}: use 1 to {length_max} bytes, none of them 0";

    /// The system's authorities are named with a mode that compares no host name.
    system_roots_too_weak() => too_weak(): "sslrootcert=system goes with sslmode=verify-full alone";

    roots_missing(file: &Path) => too_weak(): "sslmode=verify-ca: {} is not there", file.display();

    too_weak(what: &str) => InvalidParameter:
        "{what}, as the system's authorities sign for anybody: name the file of your own by \
         sslrootcert, or say sslmode=verify-full";

    // Tables of snowmint.

    schema_closed(schema: impl Display) => StoreDenied:
        "the tables of snowmint are in a schema that this user may not use: GRANT USAGE ON SCHEMA \
         {schema} TO the user; nothing is made";

    /// The tables are `there`. `moves` are the statements that move them, each behind a semicolon.
    tables_elsewhere(schema: impl Display, there: &str, moves: &str) => StoreSchema:
        "the tables of snowmint are in the schema {there}, and are looked for in {schema}: say \
         schema={there}, or move them, as their owner, by: BEGIN; CREATE SCHEMA IF NOT EXISTS \
         {schema}{moves}; COMMIT. For a second key space, which repeats the IDs of this one, name \
         its schema";

    /// Only the tables in `found` are there, not `all` of them.
    tables_incomplete(schema: impl Display, found: &[&str], all: &[&str]) => StoreSchema:
        "of the tables of snowmint, the schema {schema} has {} alone: put the others back beside \
         them ({}); nothing is made",
        found.join(" and "), all.join(", ");

    table_unlogged(schema: impl Display, name: &str) => StoreSchema:
        "the table {schema}.{name} is unlogged or temporary: a crash empties it, and what it gave \
         is given again: ALTER TABLE {schema}.{name} SET LOGGED";

    rows_hidden(schema: impl Display, name: &str) => StoreDenied:
        "row-level security of the table {schema}.{name} can keep rows from this user, which then \
         look as if they were not there: ALTER TABLE {schema}.{name} DISABLE ROW LEVEL SECURITY, \
         as its owner, or {ROW_SECURITY_CURE}";

    /// `parts` are the statements that make the trigger.
    trigger_lost(schema: impl Display, name: &str, parts: &str) => StoreSchema:
        "the table {schema}.{name} has lost its trigger, without which a hand can lower what is \
         reserved: put it back as the table's owner, by: BEGIN; SET LOCAL search_path = {schema}; \
         {parts}; COMMIT";

    version_lost(schema: impl Display, version: i64) => StoreSchema:
        "the table snowmint_schema has lost its row. Put it back by INSERT INTO \
         {schema}.snowmint_schema (version, longest_reserve_ms) VALUES ({version}, 67500), or with \
         the longest reservation that was ever asked for, and an eighth more";

    // Tables of others.

    numbers_hidden(table: &str) => StoreDenied:
        "row-level security hides rows of {table} from this user, and their numbers with them: \
         read it as the table's owner, or as a user with BYPASSRLS";

    // Tags after a failover. `cure` ends the refusals of a server.

    tag_of_another_server(tag: impl Display, cure: &str) => IncarnationChanged:
        "tag {tag}: another server, or other tables, gave the last range, and this one may lack \
         some: {cure}";
}

pub(in crate::store) fn tag_not_made(code: Code, tag: impl Display, cure: &str) -> Error {
    let message = format!(
        "tag {tag} is not there, and is not made: another server, or other tables, had the tags, \
         and this one may lack some: {cure}"
    );
    Error::new(code, message)
}
