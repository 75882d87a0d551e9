//! Commands about a counter's key besides its numbers. A source exists and never expires.

use super::mint::{self, is_known};
use super::parse::Arguments;
use super::reply::{self, Protocol};
use crate::errors;
use crate::service::RequestContext;

/// The replies for a key that never expires, and for one that does not exist.
const ENDLESS: &str = "-1";
const MISSING: &str = "-2";

/// `EXISTS`: counts the names that are sources, including repetitions.
pub(super) fn exist<'a>(
    context: &RequestContext,
    names: impl Iterator<Item = &'a [u8]>,
    output: &mut Vec<u8>,
) {
    reply::integer(output, names.filter(|name| is_known(context, name)).count() as u64);
}

/// `TYPE`: counters are strings in Redis.
pub(super) fn kind(context: &RequestContext, name: &[u8], output: &mut Vec<u8>) {
    reply::simple(output, if is_known(context, name) { "string" } else { "none" });
}

/// `TTL` and its variants.
pub(super) fn ends(context: &RequestContext, name: &[u8], output: &mut Vec<u8>) {
    reply::signed(output, if is_known(context, name) { ENDLESS } else { MISSING });
}

/// `EXPIRE` and its variants: accepted, without effect, for clients that count by the day. A
/// counter that expired would start again at numbers already given.
pub(super) fn expire(context: &RequestContext, name: &[u8], when: &[u8], output: &mut Vec<u8>) {
    if mint::number(when).is_none() {
        return reply::error(output, NO_INTEGER);
    }
    reply::integer(output, is_known(context, name).into());
}

/// `PERSIST`: there is no expiry to remove.
pub(super) fn persist(output: &mut Vec<u8>) {
    reply::integer(output, 0);
}

/// `SETNX`: sets nothing, because the source exists.
pub(super) fn set_if_missing(context: &RequestContext, name: &[u8], output: &mut Vec<u8>) {
    if is_known(context, name) { reply::integer(output, 0) } else { not_made(context, output) }
}

/// `SET`: only with `NX` it changes nothing. With `GET` it replies the last ID.
pub(super) fn set(
    context: &RequestContext,
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

/// Refuses a command that would set, lower or delete a number.
pub(super) fn rises(context: &RequestContext, output: &mut Vec<u8>) {
    mint::refused(context, &errors::resp::number_not_settable(), output);
}

fn not_made(context: &RequestContext, output: &mut Vec<u8>) {
    mint::refused(context, &errors::resp::source_not_creatable(), output);
}

pub(super) const NO_INTEGER: &str = "value is not an integer or out of range";
