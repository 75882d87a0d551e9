//! Creates and changes tags, and moves them to and from other stores.

use rusqlite::{Connection, OptionalExtension, named_params};
use snowmint_engine::Code;

use super::fault::Fault;
use super::rows::{refusable, signed, tag_row, tag_rows, take};
use crate::store::{
    Adoption, AllocationRequest, Move, Tag, TagChange, TagOptions, TagRow, moves_after,
    not_changed, options_after, tag_exists, unknown_tag,
};

pub(super) fn create(connection: &Connection, tag: &Tag, options: TagOptions) -> Result<(), Fault> {
    let parameters = named_params! {
        ":tag": tag.as_str(),
        ":start": signed(options.start),
        ":ends": signed(options.max + 1),
        ":step": signed(options.step),
        ":stride": signed(options.stride),
    };
    let mut statement = connection.prepare_cached(include_str!("create_tag.sql"))?;
    match statement.execute(parameters)? {
        0 => Err(tag_exists(tag).into()),
        _ => Ok(()),
    }
}

pub(super) fn change(
    connection: &Connection,
    tag: &Tag,
    change: TagChange,
) -> Result<TagRow, Fault> {
    let parameters = named_params! {
        ":tag": tag.as_str(),
        ":next": change.next.map(signed),
        ":step": change.step.map(signed),
        ":ends": change.max.map(|max| signed(max + 1)),
    };
    let mut statement = connection.prepare_cached(include_str!("change_tag.sql"))?;
    if let Some(row) = statement.query_row(parameters, tag_row).optional()? {
        return Ok(row);
    }
    Err(not_changed(tag, change, &row(connection, tag)?).into())
}

/// Closes a tag, and returns its row. It takes one number first, so that it fails like a range.
pub(super) fn close_for_move(
    connection: &Connection,
    tag: &Tag,
    moving: &Move<'_>,
) -> Result<TagRow, Fault> {
    let last = refusable(take(connection, &AllocationRequest::new(tag.clone(), 1)))?;
    if let Some(error) = last.err().filter(|error| error.code() != Code::TagMoved) {
        return Err(error.into());
    }
    let parameters = named_params! { ":tag": tag.as_str(), ":name": moving.name, ":to": moving.to };
    connection.execute(include_str!("close_for_move.sql"), parameters)?;
    let closed = row(connection, tag)?;
    closed.check_goes_on()?;
    Ok(closed)
}

/// Continues a tag that was closed in another store, and returns its row.
pub(super) fn adopt_moved(connection: &Connection, closed: &TagRow) -> Result<TagRow, Fault> {
    let tag = &closed.tag;
    let there = tag_rows(connection, Some(tag))?.pop();
    let adoption = Adoption::decide(there.as_ref(), closed)?;
    match (adoption, there) {
        (Adoption::Done, Some(there)) => return Ok(there),
        (Adoption::Make, _) => create(connection, tag, options_after(closed))?,
        _ => {}
    }
    let parameters = named_params! { ":tag": tag.as_str(), ":moves": moves_after(closed) };
    connection.execute(include_str!("adopt_moved.sql"), parameters)?;
    if let Adoption::Reopen(next) = adoption {
        let goes_on = TagChange::default().next(next).step(closed.step).max(closed.max);
        return change(connection, tag, goes_on);
    }
    row(connection, tag)
}

fn row(connection: &Connection, tag: &Tag) -> Result<TagRow, Fault> {
    tag_rows(connection, Some(tag))?.pop().ok_or_else(|| unknown_tag(tag).into())
}
