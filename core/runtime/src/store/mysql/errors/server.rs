//! Failures of a server. Its place stands before each text.

use std::fmt::Display;

// Users and their rights.

pub(in crate::store::mysql) const USER_REFUSED: &str = "refuses this user: check user and password";
pub(in crate::store::mysql) const DATABASE_DENIED: &str = "does not let this user have that \
    database: create it, check its name, or GRANT rights on it";
pub(in crate::store::mysql) const MACHINE_DENIED: &str =
    "does not let this machine connect: CREATE USER for the host it comes from";
pub(in crate::store::mysql) const MACHINE_SHUT_OUT: &str = "has shut this machine out: FLUSH HOSTS";
pub(in crate::store::mysql) const RIGHT_MISSING: &str = "does not let this user do that: GRANT \
    SELECT, INSERT, UPDATE ON its snowmint_worker and snowmint_segment, and SELECT, UPDATE ON \
    snowmint_schema; to make them, CREATE and INSERT on all three";
pub(in crate::store::mysql) const PASSWORD_OVERHEARD: &str = "wants to be shown the password, and \
    nobody vouches for who would see it: set up TLS there, and say ssl-mode=verify_identity, or \
    ssl-ca= and the file of your own authorities";

pub(in crate::store::mysql) fn proof_unknown(plugin: &str) -> String {
    format!(
        "wants the password proven by {plugin:?}: check user and password, or give the user \
         mysql_native_password or caching_sha2_password"
    )
}

// Missing or bad parts of a server.

pub(in crate::store::mysql) const TLS_MISSING: &str =
    "has no TLS: have it set up there, or say ssl-mode=disabled where the network is yours";
pub(in crate::store::mysql) const TABLES_MISSING: &str = "has no tables of snowmint that this user \
    may see: check the database and the user's rights, or say create=true to begin a key space of \
    its own";
pub(in crate::store::mysql) const CONNECTIONS_USED_UP: &str =
    "has no connection left: raise max_connections, or what the user may have";

pub(in crate::store::mysql) fn certificate_not_good(why: impl Display, cure: &str) -> String {
    format!("has a certificate that is not good: {why}: {cure}")
}

// Roles and settings that snowmint cannot or should not work with.

pub(in crate::store::mysql) const READ_ONLY: &str = "takes no changes, as a replica does: name the \
    primary, or several hosts of which one is";
pub(in crate::store::mysql) const FOLLOWER_TAKES_CHANGES: &str = "follows another server, and \
    neither knows what the other gives. SET GLOBAL read_only = 1 and name the one that it follows, \
    or, to have it take that one's place, STOP SLAVE. Or say durability=declared where nobody else \
    uses the other";
pub(in crate::store::mysql) const STATEMENTS_LOGGED: &str = "logs statements, which do not tell a \
    replica what was reserved: set binlog_format=ROW";
pub(in crate::store::mysql) const STATEMENT_UNSUPPORTED: &str = "does not support a statement, as \
    some clusters refuse GET_LOCK: take a release that has it, or, of Percona's, set \
    pxc_strict_mode=PERMISSIVE";

pub(in crate::store::mysql) fn setting_unsafe(setting: &str, value: &str) -> String {
    format!(
        "runs with {setting}={value}, which lets a crash take back what it acknowledged: SET \
         GLOBAL {setting} = 1, or say durability=declared where it cannot lose it"
    )
}

pub(in crate::store::mysql) fn flush_method_unsafe(method: &str) -> String {
    format!(
        "runs with innodb_flush_method={method}, which leaves to the system when what it \
         acknowledged is on the disk: start it with another (fsync, O_DIRECT), or say \
         durability=declared where it cannot lose it"
    )
}

// Actions of a server that ended a request.

pub(in crate::store::mysql) const STATEMENT_TIMED_OUT: &str = "ended a statement, by its \
    max_statement_time or max_execution_time: end others' transactions that stay open, or raise \
    that setting for this user";
pub(in crate::store::mysql) const STATEMENT_KILLED: &str =
    "was told to end the statement; nothing was reserved";
pub(in crate::store::mysql) const STATEMENT_REFUSED: &str =
    "refused a statement that it should accept: see its error";
pub(in crate::store::mysql) const STARTING_OR_ENDING: &str = "is starting or ending: wait for it";

pub(in crate::store::mysql) fn connection_broken(why: impl Display) -> String {
    format!("broke off: {why}; nothing was reserved")
}

// Faults of what a server sends.

pub(in crate::store::mysql) const CHALLENGE_TOO_LONG: &str = "its challenge is too long";
pub(in crate::store::mysql) const TOO_OLD: &str =
    "it is too old, or no server of MySQL's or MariaDB's";
pub(in crate::store::mysql) const SAID_BEFORE_TLS: &str = "it said something before it was secured";
pub(in crate::store::mysql) const PROOF_STRANGE: &str =
    "it wants a proof of the password that nobody knows";
pub(in crate::store::mysql) const LOG_IN_ENDLESS: &str = "its log-in has no end";
pub(in crate::store::mysql) const ANSWERS_TOO_MANY: &str = "it answers more than it was asked";
pub(in crate::store::mysql) const FILE_WANTED: &str = "it asks for a file";
pub(in crate::store::mysql) const COLUMNS_TOO_MANY: &str = "it has columns that nobody asked for";
pub(in crate::store::mysql) const ANSWER_ENDLESS: &str = "its answer has no end";
pub(in crate::store::mysql) const PACKET_CUT_SHORT: &str = "a packet is cut short";
