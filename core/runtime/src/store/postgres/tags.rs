//! Makes, changes and moves tags, and records an operator's word for them.

use snowmint_engine::Code;

use super::errors;
use super::fault::Fault;
use super::rows::{allocate, tag_row, tags};
use super::session::Transaction;
use super::statement::{Statement, Value};
use super::tables;
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
    // A separate statement sees a tag that another call made first.
    let answers = transaction.all([make, tags(Some(tag))])?;
    match answers.as_slice() {
        [made, _] if !made.is_empty() => Ok(()),
        [_, there] if !there.is_empty() => Err(tag_exists(tag).into()),
        _ => Err(tables::why_unseen(transaction)?
            .unwrap_or_else(|| {
                let cure = cure(&transaction.server());
                errors::tag_not_made(Code::IncarnationChanged, tag, &cure)
            })
            .into()),
    }
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
    if let Some(row) = transaction.rows(statement)?.first() {
        return tag_row(row);
    }
    let present = transaction.rows(tags(Some(tag)))?;
    let present = present.first().map(tag_row).transpose()?.ok_or_else(|| unknown_tag(tag))?;
    Err(not_changed(tag, change, &present).into())
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
        ("name", moving.name.into()),
        ("to", moving.to.into()),
    ];
    let close_for_move = Statement::new(include_str!("close_for_move.sql"), &parameters);
    transaction.rows(close_for_move)?;
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
    let moves = ("moves", Value::Text(moves_after(closed)));
    let parameters = [("tag", Value::from(tag.as_str())), moves];
    transaction.rows(Statement::new(include_str!("adopt_moved.sql"), &parameters))?;
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
    let all = ("all", Value::from(u32::from(vouch.all)));
    let new_from = ("new_from", Value::from(vouch.new_from));
    // The row that others wait for is locked last, because raising many tags takes long.
    let answers = transaction.all([
        Statement::new(include_str!("vouch_tags.sql"), &[steps, all]),
        Statement::new(include_str!("vouch.sql"), &[new_from]),
    ])?;
    let present = transaction.server();
    if vouch.server.is_some() && vouch.server != present {
        return Err(another(&vouch.server, &present).into());
    }
    let raised = answers.first().into_iter().flatten();
    let mut raised = raised.map(tag_row).collect::<Result<Vec<_>, _>>()?;
    raised.sort_by(|a, b| a.tag.cmp(&b.tag));
    Ok(raised)
}

fn row(transaction: &mut Transaction<'_>, tag: &Tag) -> Result<Option<TagRow>, Fault> {
    transaction.rows(tags(Some(tag)))?.first().map(tag_row).transpose()
}
