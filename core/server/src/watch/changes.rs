//! The events from one state to the next.

use std::ptr;

use bytes::Bytes;
use snowmint::Result;

use super::event;
use crate::state::{Changed, Changes, Row, State};

/// Returns the event from one state to the next: the changes, or the whole state.
///
/// # Errors
/// [`snowmint::Code::Internal`].
pub(super) fn told(before: &State, next: &State) -> Result<Bytes> {
    match changes(before, next) {
        Some(changes) => event("changes", &changes),
        None => event("state", next),
    }
}

/// Returns `None` if the list of sources or tokens, or the description of one of them, has changed.
fn changes<'a>(before: &State, next: &'a State) -> Option<Changes<'a>> {
    Some(Changes {
        moment: &next.moment,
        sources: changed(&before.sources, &next.sources)?,
        stores: (before.stores != next.stores).then_some(&next.stores[..]),
        servers: (before.servers != next.servers).then_some(&next.servers[..]),
        tokens: match (&before.tokens, &next.tokens) {
            (Some(before), Some(next)) => changed(before, next)?,
            (None, None) => Vec::new(),
            _ => return None,
        },
        errors: (before.errors != next.errors).then_some(&next.errors[..]),
    })
}

fn changed<'a, O: PartialEq, N: PartialEq>(
    before: &[Row<O, N>],
    next: &'a [Row<O, N>],
) -> Option<Vec<Changed<'a, N>>> {
    let pairs = || before.iter().zip(next);
    // Comparing the addresses first spares most of the comparisons.
    let is_same = |(one, other): (&Row<O, N>, &Row<O, N>)| {
        one.name == other.name && (ptr::eq(&*one.of, &*other.of) || one.of == other.of)
    };
    let rows = pairs().filter(|(one, other)| one.now != other.now);
    let are_same = before.len() == next.len() && pairs().all(is_same);
    are_same.then(|| rows.map(|(_, row)| Changed { name: &row.name, now: &row.now }).collect())
}
