//! Failures of a server. Its place stands before each text.

// Users and their rights.

pub(in crate::store::postgres) const USER_REFUSED: &str =
    "refuses this user: check user, password and pg_hba.conf";
pub(in crate::store::postgres) const RIGHT_MISSING: &str = "does not let this user do that: GRANT \
    USAGE ON SCHEMA snowmint, and SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA snowmint (or the \
    one that schema= names); to make them, CREATE ON DATABASE";

pub(in crate::store::postgres) const ROW_KEPT_BACK: &str =
    concat!("keeps a row from this user: ", row_security_cure!());

// Missing parts of a server.

pub(in crate::store::postgres) const TABLES_MISSING: &str = "has no tables of snowmint that this \
    user may see. Check the database, the schema and the user's USAGE on it. create=true would \
    begin a key space of its own, which repeats the IDs of every other";
pub(in crate::store::postgres) const CONNECTIONS_USED_UP: &str = "has no connection left: raise \
    max_connections, or the limit of this user or database where the server names that, or put a \
    pooler before it";

// Roles and settings that snowmint cannot or should not work with.

pub(in crate::store::postgres) const READ_ONLY: &str = "takes no changes: it is a standby (name \
    the primary, or several hosts with target_session_attrs=read-write), or \
    default_transaction_read_only is on for it, the database or this user (ALTER ROLE … SET \
    default_transaction_read_only = off)";
pub(in crate::store::postgres) const INCARNATION_UNTOLD: &str = "does not tell this user which \
    server it is, without which a failover would not be noticed: GRANT EXECUTE ON FUNCTION \
    pg_control_system(), pg_current_wal_lsn(), pg_walfile_name(pg_lsn) TO the user in this \
    database";
pub(in crate::store::postgres) const INCARNATION_MISSING: &str = "cannot tell which server it is \
    (pg_control_system), without which a failover would not be noticed: use PostgreSQL itself, or \
    another store";

pub(in crate::store::postgres) fn setting_unsafe(setting: &str, value: &str) -> String {
    format!(
        "runs with {setting}={value}, which lets a crash of its machine take back or damage what \
         it acknowledged: ALTER SYSTEM SET {setting} = on; SELECT pg_reload_conf(), or say \
         durability=declared where it cannot lose it"
    )
}

// Actions of a server that ended a request.

pub(in crate::store::postgres) const STATEMENT_ENDED: &str = "ended a statement, by its \
    statement_timeout or by hand: end others' transactions that stay open, or raise that setting \
    for this user (ALTER ROLE … SET statement_timeout)";
pub(in crate::store::postgres) const STATEMENT_REFUSED: &str =
    "refused a statement that it should accept";
pub(in crate::store::postgres) const TRANSACTION_ENDED: &str = "ended a transaction that this \
    process was in, and stood still for too long: nothing was reserved, ask again";
pub(in crate::store::postgres) const CONNECTION_NOT_GONE_ON_WITH: &str = "does not go on with this \
    connection: behind a pooler, check that it knows the database and the user, and reaches the \
    server";
pub(in crate::store::postgres) const STARTING_OR_ENDING: &str =
    "is starting or ending, or somebody ended its session: wait for it";

/// The driver says why.
pub(in crate::store::postgres) fn connection_failed(why: &str) -> String {
    format!("{why}; nothing was reserved")
}
