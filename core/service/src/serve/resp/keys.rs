//! What clients of counters ask of a key beside its numbers: a source is there, and does not end.

use snowmint::{Code, Error};

use super::mint::{self, is_known};
use super::parse::Arguments;
use super::reply::{self, Protocol};
use crate::serve::service::LoopContext;

/// Of a key that does not end, and of one that is not there.
const ENDLESS: &str = "-1";
const MISSING: &str = "-2";

/// `EXISTS`: how many of the names are sources, each as often as it stands there.
pub(super) fn exist<'a>(
    context: &LoopContext,
    names: impl Iterator<Item = &'a [u8]>,
    output: &mut Vec<u8>,
) {
    reply::integer(output, names.filter(|name| is_known(context, name)).count() as u64);
}

/// `TYPE`: counters are strings to Redis.
pub(super) fn kind(context: &LoopContext, name: &[u8], output: &mut Vec<u8>) {
    reply::simple(output, if is_known(context, name) { "string" } else { "none" });
}

/// `TTL` and its like.
pub(super) fn ends(context: &LoopContext, name: &[u8], output: &mut Vec<u8>) {
    reply::signed(output, if is_known(context, name) { ENDLESS } else { MISSING });
}

/// `EXPIRE` and its like: taken from clients that count by the day, and without effect. A counter
/// that ended would begin again at numbers that were given.
pub(super) fn expire(context: &LoopContext, name: &[u8], when: &[u8], output: &mut Vec<u8>) {
    if mint::number(when).is_none() {
        return reply::error(output, NO_INTEGER);
    }
    reply::integer(output, is_known(context, name).into());
}

/// `PERSIST`: there is no end to take away.
pub(super) fn persist(output: &mut Vec<u8>) {
    reply::integer(output, 0);
}

/// `SETNX`: of a source that is there already, nothing is set.
pub(super) fn set_if_missing(context: &LoopContext, name: &[u8], output: &mut Vec<u8>) {
    if is_known(context, name) { reply::integer(output, 0) } else { not_made(context, output) }
}

/// `SET`, of which `NX` alone changes nothing; with `GET` it replies what is there.
pub(super) fn set(
    context: &LoopContext,
    arguments: Arguments<'_>,
    protocol: Protocol,
    output: &mut Vec<u8>,
) {
    let name = arguments.get(1);
    let has = |wanted: &[u8]| arguments.from(3).any(|it| it.eq_ignore_ascii_case(wanted));
    match (has(b"NX"), is_known(context, name)) {
        (true, true) if has(b"GET") => mint::last(context, name, protocol, output),
        (true, true) => reply::null(output, protocol),
        (true, false) => not_made(context, output),
        (false, _) => rises(context, output),
    }
}

/// What sets, lowers or deletes.
pub(super) fn rises(context: &LoopContext, output: &mut Vec<u8>) {
    let message = "numbers are minted and only rise: nothing sets, lowers or deletes them here";
    mint::refused(context, &Error::new(Code::Unsupported, message), output);
}

fn not_made(context: &LoopContext, output: &mut Vec<u8>) {
    let message =
        "no source has this name, and none is made by asking: name it among the service's sources";
    mint::refused(context, &Error::new(Code::UnknownTag, message), output);
}

pub(super) const NO_INTEGER: &str = "value is not an integer or out of range";
