//! The errors of stores in etcd, with their messages.

use std::fmt::Display;

use snowmint_engine::Code;

use crate::error::Error;

// URLs.

errors! {
    address_missing() => InvalidUrl:
        "etcd: names no server: write etcd://host:2379,host:2379/prefix";

    // Connections and answers.

    /// The answer does not fit its question, which is `what`.
    strange_answer(member: impl Display, what: &str) => InvalidAnswer:
        "etcd at {member} answers {what} with what is no such thing";

    /// The member is of another cluster than the one that answered first.
    cluster_differs(member: impl Display) => IncarnationChanged:
        "etcd at {member} is of another cluster than the one that answered before, or that one was \
         put back. Name members of one cluster, raise every tag above all that was given, and open \
         what uses it anew";
}

// Refusals of a member. What helps stands behind what it says.

pub(super) const USER_MISSING: &str = "name a user, and his password";
pub(super) const PASSWORD_WRONG: &str = "check the user and the password";
pub(super) const USER_NEEDLESS: &str = "leave out the user, as there is none";
pub(super) const RIGHTS_MISSING: &str =
    "let a role of this user read and write the keys below the prefix";
pub(super) const LOG_IN_OVER: &str = "the user was changed, or has been silent for long: ask again";
pub(super) const SPACE_USED_UP: &str =
    "compact and defragment it, or raise its quota, and disarm the alarm";
pub(super) const OVERLOADED: &str = "ask again";
pub(super) const REQUEST_NOT_UNDERSTOOD: &str = "it is not what etcd 3.4 and later understand";
pub(super) const VERSION_TOO_OLD: &str = "etcd 3.4 or later is needed";
pub(super) const GATEWAY_MISSING: &str = "the JSON gateway of etcd 3.4 or later is needed there";
pub(super) const NO_ETCD: &str = "is it etcd, and is it etcds: where it wants TLS?";
pub(super) const REASON_UNKNOWN: &str = "see its log, and whether most members are up";

pub(super) fn refused(
    code: Code,
    member: impl Display,
    said: &str,
    status: u16,
    cure: &str,
) -> Error {
    Error::new(code, format!("etcd at {member}: {said} (HTTP {status}); {cure}"))
}
