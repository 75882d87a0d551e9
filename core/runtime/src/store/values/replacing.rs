//! Compare-and-set loops over values.

use snowmint_engine::Code;

use super::{Seen, Swapped, Table, Values, errors};
use crate::error::Result;
use crate::store::remote::deadline::Deadline;

/// Returns the name of a value in messages.
pub(super) fn called(table: Table<'_>, name: &str) -> String {
    match table {
        Table::Tags => format!("tag {name}"),
        Table::Workers(realm) => format!("worker ID {name} of realm {realm}"),
    }
}

/// Replaces a value by what `work` makes of it, and repeats this while other writers are faster. If
/// `work` returns no value or an error, the value stays. Returns the result of `work` and the
/// store's time; it is replaced again if that time is over `late_ms` later than expected.
pub(super) fn replace<V: Values, T>(
    values: &V,
    (table, name): (Table<'_>, &str),
    late_ms: i64,
    deadline: Deadline,
    mut work: impl FnMut(Option<&V::Value>, i64) -> Result<(T, Option<String>)>,
) -> Result<(T, i64)> {
    let mut unknown = None;
    let recalled = values.memory().and_then(|memory| memory.recall(table, name));
    let (mut seen, mut is_recalled) = match recalled {
        Some(recalled) => (recalled, true),
        None => (values.one(table, name, deadline)?, false),
    };
    loop {
        let (done, new) = match work(seen.what.as_ref(), seen.now_ms) {
            Ok((done, Some(new))) => (done, new),
            // The remembered value may be out of date, so the present one is read.
            _ if is_recalled => {
                (seen, is_recalled) = (values.one(table, name, deadline)?, false);
                continue;
            }
            Err(why) => return Err(unknown.unwrap_or(why)),
            Ok((done, None)) => return Ok((done, seen.now_ms)),
        };
        match swap(values, (table, name), &seen, &new, is_recalled, deadline) {
            Ok(Swapped::Done(left))
                if is_recalled && left.now_ms.saturating_sub(seen.now_ms) > late_ms =>
            {
                seen = Seen { what: Some(left.what), now_ms: left.now_ms };
            }
            Ok(Swapped::Done(left)) => return Ok((done, left.now_ms)),
            Ok(Swapped::Other(present)) => seen = present,
            // A member may be silent while another answers.
            Err(error)
                if is_recalled && values.members() > 1 && error.code() == Code::OutcomeUnknown =>
            {
                seen = match values.one(table, name, deadline) {
                    Ok(present) if !deadline.left().is_zero() => present,
                    _ => return Err(error),
                };
                unknown = Some(error);
            }
            Err(error) => return Err(unknown.unwrap_or(error)),
        }
        is_recalled = false;
        if deadline.left().is_zero() {
            return Err(unknown.unwrap_or_else(|| errors::contended(called(table, name))));
        }
    }
}

/// Replaces a value, and remembers the value that is there then.
pub(super) fn swap<V: Values>(
    values: &V,
    (table, name): (Table<'_>, &str),
    known: &Seen<Option<V::Value>>,
    new: &str,
    is_recalled: bool,
    deadline: Deadline,
) -> Result<Swapped<V::Value>> {
    let within = if is_recalled { deadline.share(values.members()) } else { deadline };
    let swapped = values.swap(table, name, known, new, within);
    if let Some(memory) = values.memory() {
        match &swapped {
            Ok(Swapped::Done(Seen { what, now_ms })) => {
                let left = Seen { what: what.clone(), now_ms: *now_ms };
                memory.note(table, name, known.what.as_ref(), left);
            }
            Ok(Swapped::Other(_)) | Err(_) => memory.forget(table, name),
        }
    }
    swapped
}
