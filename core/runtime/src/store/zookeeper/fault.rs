//! Turns the failures of members into our errors.

use std::io;

use super::errors;
use super::messages::Refusal;
use crate::store::remote::errors::{SILENT, unreachable_at};
use crate::store::remote::link;
use crate::store::remote::members::{Fault, Member};
use crate::store::remote::tls::{self, Words};

/// The fault of a connection that failed.
pub(super) fn unreachable(member: &Member, error: io::Error) -> Fault {
    let cure = tls::cure(&error, &WORDS);
    let what = match error.kind() {
        io::ErrorKind::TimedOut => SILENT.to_owned(),
        io::ErrorKind::UnexpectedEof => errors::CONNECTION_ENDED.to_owned(),
        _ => link::said(&error),
    };
    Fault::Passing(unreachable_at("ZooKeeper", member, &what, cure, error))
}

/// The fault of a refusal that the caller does not expect.
pub(super) fn refused(member: &Member, path: &str, refusal: Refusal) -> Fault {
    Fault::Refused(match refusal {
        Refusal::NO_RIGHTS => errors::rights_missing(member, path),
        Refusal::NO_SUCH_USER => errors::log_in_unknown(member, path),
        Refusal::SESSION_EXPIRED | Refusal::SESSION_MOVED => {
            return Fault::LoggedOut(errors::session_over(member));
        }
        Refusal::NO_NODE => errors::node_missing(member, path),
        Refusal::QUOTA => errors::quota_used_up(member, path),
        Refusal::THROTTLED => errors::member_overloaded(member, path),
        Refusal(number) => {
            return Fault::Passing(errors::refused_by_number(member, path, number));
        }
    })
}

pub(super) const WORDS: Words = Words { roots: "cafile", authority: None, plain: "zookeeper:" };
