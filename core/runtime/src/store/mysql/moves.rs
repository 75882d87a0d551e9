//! Tags that leave for another store, and that arrive from one.

use snowmint_engine::Code;

use super::fault::Fault;
use super::session::Transaction;
use super::statement::{Statement, Value, bytes};
use super::{rows, vouching};
use crate::store::{
    AllocationRequest, Arrival, Departure, Tag, TagChange, TagRow, moves_after, options_after,
    unknown_tag,
};

/// Closes a tag, and gives its row.
pub(super) fn depart(
    transaction: &mut Transaction<'_>,
    tag: &Tag,
    departure: &Departure<'_>,
) -> Result<TagRow, Fault> {
    // A server that may lack ranges refuses this one, and one that lacks the close as well.
    let last = rows::allocate(transaction, &[AllocationRequest::new(tag.clone(), 1)])?.pop();
    if let Some(Err(error)) = last
        && error.code() != Code::TagMoved
    {
        return Err(error.into());
    }
    let parameters = [
        ("tag", Value::from(tag.as_str())),
        ("name", bytes(departure.name)),
        ("to", bytes(departure.to)),
    ];
    transaction.change(Statement::new(include_str!("depart.sql"), &parameters))?;
    let closed = row(transaction, tag)?.ok_or_else(|| unknown_tag(tag))?;
    closed.check_goes_on()?;
    Ok(closed)
}

/// Has a tag go on that was closed elsewhere, and gives its row.
pub(super) fn arrive(transaction: &mut Transaction<'_>, closed: &TagRow) -> Result<TagRow, Fault> {
    let tag = &closed.tag;
    // Whoever closes it at this moment is waited for, or waits.
    let lock = Statement::new(include_str!("arrive_lock.sql"), &[("tag", tag.as_str().into())]);
    transaction.rows(lock)?;
    let there = row(transaction, tag)?;
    let arrival = Arrival::of(there.as_ref(), closed)?;
    match (arrival, there) {
        (Arrival::Done, Some(there)) => return Ok(there),
        (Arrival::Make, _) => vouching::create(transaction, tag, options_after(closed))?,
        _ => {}
    }
    let moves = Value::from(moves_after(closed).as_deref().map(bytes));
    let parameters = [("tag", Value::from(tag.as_str())), ("moves", moves)];
    transaction.change(Statement::new(include_str!("arrive.sql"), &parameters))?;
    if let Arrival::Reopen(next) = arrival {
        let goes_on = TagChange::default().next(next).step(closed.step).max(closed.max);
        return rows::change(transaction, tag, goes_on);
    }
    row(transaction, tag)?.ok_or_else(|| unknown_tag(tag).into())
}

fn row(transaction: &mut Transaction<'_>, tag: &Tag) -> Result<Option<TagRow>, Fault> {
    transaction.rows(rows::tags(Some(tag)))?.first().map(rows::tag_row).transpose()
}
