//! Makes, changes and moves tags, and records an operator's word for them.

use std::collections::HashSet;

use snowmint_engine::Code;

use super::errors;
use super::fault::Fault;
use super::rows::{allocate, tag_row, tags};
use super::session::Transaction;
use super::statement::{Statement, Value, bytes};
use crate::store::remote::succession::{another, cure};
use crate::store::{
    Adoption, AllocationRequest, Move, Tag, TagChange, TagOptions, TagRow, Vouch, moves_after,
    not_changed, options_after, tag_exists, unknown_tag,
};

/// Makes a tag. Fails if it is there, or may have been on a server whose place this one took.
pub(super) fn create(
    transaction: &mut Transaction<'_>,
    tag: &Tag,
    options: TagOptions,
) -> Result<(), Fault> {
    let parameters = [
        ("tag", Value::from(tag.as_str())),
        ("start", options.start.into()),
        ("step", options.step.into()),
        ("stride", options.stride.into()),
        ("ends", (options.max + 1).into()),
    ];
    let make = Statement::new(include_str!("create_tag.sql"), &parameters);
    match transaction.change(make) {
        Ok(0) => {}
        Err(fault) if fault.is_duplicate() => return Err(tag_exists(tag).into()),
        made => return made.map(drop),
    }
    if transaction.rows(tags(Some(tag)))?.is_empty() {
        let cure = cure(&transaction.incarnation());
        return Err(errors::tag_not_made(Code::IncarnationChanged, tag, &cure).into());
    }
    Err(tag_exists(tag).into())
}

/// Changes a tag, and returns its row.
pub(super) fn change(
    transaction: &mut Transaction<'_>,
    tag: &Tag,
    change: TagChange,
) -> Result<TagRow, Fault> {
    let parameters = [
        ("tag", Value::from(tag.as_str())),
        ("next", change.next.into()),
        ("step", change.step.into()),
        ("ends", change.max.map(|max| max + 1).into()),
    ];
    let statement = Statement::new(include_str!("change_tag.sql"), &parameters);
    let rows = transaction.rows_after([statement], tags(Some(tag)))?;
    let row = rows.first().map(tag_row).transpose()?.ok_or_else(|| unknown_tag(tag))?;
    let is_changed = row.moved_to.is_none()
        && change.next.is_none_or(|next| next == row.next)
        && change.step.is_none_or(|step| step == row.step)
        && change.max.is_none_or(|max| max == row.max);
    if is_changed { Ok(row) } else { Err(not_changed(tag, change, &row).into()) }
}

/// Closes a tag for a move to another store, and returns its row.
pub(super) fn close_for_move(
    transaction: &mut Transaction<'_>,
    tag: &Tag,
    moving: &Move<'_>,
) -> Result<TagRow, Fault> {
    // After a failover, a server that may lack ranges or an earlier close refuses this.
    let last = allocate(transaction, &[AllocationRequest::new(tag.clone(), 1)])?.pop();
    if let Some(Err(error)) = last
        && error.code() != Code::TagMoved
    {
        return Err(error.into());
    }
    let parameters = [
        ("tag", Value::from(tag.as_str())),
        ("name", bytes(moving.name)),
        ("to", bytes(moving.to)),
    ];
    transaction.change(Statement::new(include_str!("close_for_move.sql"), &parameters))?;
    let closed = row(transaction, tag)?.ok_or_else(|| unknown_tag(tag))?;
    closed.check_goes_on()?;
    Ok(closed)
}

/// Lets a tag go on here that was closed in another store, and returns its row.
pub(super) fn adopt_moved(
    transaction: &mut Transaction<'_>,
    closed: &TagRow,
) -> Result<TagRow, Fault> {
    let tag = &closed.tag;
    // The lock waits for a call that closes the tag at this moment, or makes that call wait.
    let lock = Statement::new(include_str!("adopt_lock.sql"), &[("tag", tag.as_str().into())]);
    transaction.rows(lock)?;
    let there = row(transaction, tag)?;
    let adoption = Adoption::decide(there.as_ref(), closed)?;
    match (adoption, there) {
        (Adoption::Done, Some(there)) => return Ok(there),
        (Adoption::Make, _) => create(transaction, tag, options_after(closed))?,
        _ => {}
    }
    let moves = Value::from(moves_after(closed).as_deref().map(bytes));
    let parameters = [("tag", Value::from(tag.as_str())), ("moves", moves)];
    transaction.change(Statement::new(include_str!("adopt_moved.sql"), &parameters))?;
    if let Adoption::Reopen(next) = adoption {
        let goes_on = TagChange::default().next(next).step(closed.step).max(closed.max);
        return change(transaction, tag, goes_on);
    }
    row(transaction, tag)?.ok_or_else(|| unknown_tag(tag).into())
}

/// Lets the present server go on with the tags that it has. Returns the rows that this raised.
pub(super) fn vouch(
    transaction: &mut Transaction<'_>,
    vouch: &Vouch,
) -> Result<Vec<TagRow>, Fault> {
    let steps = ("steps", Value::from(vouch.raise_by_steps));
    let all = || ("all", Value::from(u32::from(vouch.all)));
    let new_from = ("new_from", Value::from(vouch.new_from));
    let look = Statement::new(include_str!("vouch_look.sql"), &[all()]);
    let found = transaction.rows(look)?;
    let raised = found.iter().map(|row| row.text(0)).collect::<Result<HashSet<_>, _>>()?;
    let present = transaction.incarnation();
    if vouch.server.is_some() && vouch.server != present {
        return Err(another(&vouch.server, &present).into());
    }
    let raise = Statement::new(include_str!("vouch_tags.sql"), &[steps, all()]);
    // The row that others wait for is locked last, because raising many tags takes long.
    let note = Statement::new(include_str!("vouch.sql"), &[new_from]);
    let rows = transaction.rows_after([raise, note], tags(None))?;
    let mut rows = rows.iter().map(tag_row).collect::<Result<Vec<_>, _>>()?;
    rows.retain(|row| raised.contains(row.tag.as_str()));
    Ok(rows)
}

fn row(transaction: &mut Transaction<'_>, tag: &Tag) -> Result<Option<TagRow>, Fault> {
    transaction.rows(tags(Some(tag)))?.first().map(tag_row).transpose()
}
