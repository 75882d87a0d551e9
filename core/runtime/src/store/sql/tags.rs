//! Makes, changes and moves tags, by the rules of [`TagRow`].

use std::collections::BTreeMap;

use snowmint_engine::{Code, NumberRange};

use super::{Row, Transaction};
use crate::error::{Error, Result};
use crate::store::parameters::Value;
use crate::store::{
    Allocation, AllocationRequest, Move, Tag, TagChange, TagOptions, TagRow, Vouch, check_step,
    moves_after, options_after, tag_contended, tag_exhausted, tag_exists, tag_moved, unknown_tag,
};

/// The row of a tag, locked until the transaction ends.
struct Locked {
    row: TagRow,
    /// The server's time.
    now_ms: i64,
    /// True if this server may lack ranges of the tag.
    is_fenced: bool,
}

/// Makes a tag. Fails if it is there, or may have been on a server whose place this one took.
pub(in crate::store) fn create<T: Transaction>(
    transaction: &mut T,
    tag: &Tag,
    options: TagOptions,
) -> Result<(), T::Fault> {
    let values = [
        named(Some(tag)),
        ("start", options.start.into()),
        ("step", options.step.into()),
        ("stride", options.stride.into()),
        ("ends", (options.max + 1).into()),
    ];
    if transaction.change(transaction.statements().create_tag, &values)? {
        return Ok(());
    }
    if find(transaction, tag)?.is_some() {
        return Err(tag_exists(tag).into());
    }
    let unseen = transaction.why_unseen()?;
    Err(unseen.unwrap_or_else(|| transaction.tag_not_made(Code::IncarnationChanged, tag)).into())
}

/// Changes a tag, and returns its row. An operator who raises a tag confirms that no higher number
/// is in use, so this server may give ranges of it.
pub(in crate::store) fn change<T: Transaction>(
    transaction: &mut T,
    tag: &Tag,
    change: TagChange,
) -> Result<TagRow, T::Fault> {
    let Some(Locked { row, now_ms, .. }) = lock(transaction, tag)? else {
        return Err(transaction.why_unseen()?.unwrap_or_else(|| unknown_tag(tag)).into());
    };
    write(transaction, row.changed(change, now_ms)?)
}

/// Closes a tag for a move to another store, and returns its row. After a failover, a server that
/// may lack ranges or an earlier close refuses this.
pub(in crate::store) fn close_for_move<T: Transaction>(
    transaction: &mut T,
    tag: &Tag,
    moving: &Move<'_>,
) -> Result<TagRow, T::Fault> {
    match lock(transaction, tag)? {
        Some(Locked { row, now_ms, is_fenced }) if row.moved_to.is_some() || !is_fenced => {
            write(transaction, row.closed_for_move(moving, now_ms)?)
        }
        _ => Err(refusal(transaction, tag)?.into()),
    }
}

/// Continues a tag that was closed in another store, and returns its row. After a failover, a server
/// that may lack ranges of the tag does not open its row again.
pub(in crate::store) fn adopt_moved<T: Transaction>(
    transaction: &mut T,
    closed: &TagRow,
) -> Result<TagRow, T::Fault> {
    // The lock waits for a call that closes the tag at this moment, or makes that call wait.
    let tag = &closed.tag;
    if let Some(Locked { row, now_ms, is_fenced }) = lock(transaction, tag)? {
        let adopted = TagRow::adopted(Some(row.clone()), closed, now_ms)?;
        // This server may lack an earlier return of the tag, with the numbers given since.
        if is_fenced && adopted.raises != row.raises {
            return Err(transaction.tag_of_another_server(tag).into());
        }
        return write(transaction, adopted);
    }
    create(transaction, tag, options_after(closed))?;
    let Locked { row, .. } = lock(transaction, tag)?.ok_or_else(|| unknown_tag(tag))?;
    write(transaction, TagRow { came_by: moves_after(closed), ..row })
}

/// Returns the rows here of the tags that a confirmation knows rows of.
pub(in crate::store) fn known_here<T: Transaction>(
    transaction: &mut T,
    vouch: &Vouch,
) -> Result<Vec<TagRow>, T::Fault> {
    let mut rows = Vec::new();
    for known in &vouch.above {
        rows.extend(find(transaction, &known.tag)?);
    }
    Ok(rows)
}

/// Raises tags above the rows that a confirmation knows of, and makes those that are missing. `before`
/// are the rows of [`known_here`], and `raised` are all rows that the confirmation has raised since.
/// Returns all that are raised now, ordered by tag.
pub(in crate::store) fn raise_above<T: Transaction>(
    transaction: &mut T,
    vouch: &Vouch,
    before: Vec<TagRow>,
    raised: Vec<TagRow>,
) -> Result<Vec<TagRow>, T::Fault> {
    let by_tag = |row: TagRow| (row.tag.clone(), row);
    let before: BTreeMap<_, _> = before.into_iter().map(by_tag).collect();
    let mut raised: BTreeMap<_, _> = raised.into_iter().map(by_tag).collect();
    for known in &vouch.above {
        let tag = &known.tag;
        // The steps of a tag whose last range was longer are as long as that.
        let longer = raised.get(tag).zip(before.get(tag)).map(|(it, before)| it.next - before.next);
        let by = known.numbers_of(vouch.raise_by_steps).max(longer.unwrap_or(0));
        if lock(transaction, tag)?.is_none() {
            create(transaction, tag, options_after(known))?;
        }
        let here = lock(transaction, tag)?.ok_or_else(|| unknown_tag(tag))?;
        let row = write(transaction, here.row.above(known, by, here.now_ms))?;
        raised.insert(tag.clone(), row);
    }
    Ok(raised.into_values().collect())
}

/// Takes the next ranges of tags, in the order of the requests. A bad request fails alone.
pub(in crate::store) fn allocate<T: Transaction>(
    transaction: &mut T,
    requests: &[AllocationRequest],
) -> Result<Vec<Result<Allocation>>, T::Fault> {
    let mut answers: Vec<Result<Option<Allocation>>> =
        requests.iter().map(|it| it.count.map_or(Ok(()), check_step).map(|()| None)).collect();
    // All callers ask in the order of tags, or two of them could deadlock.
    let mut asked: Vec<usize> = (0..requests.len()).filter(|at| answers[*at].is_ok()).collect();
    asked.sort_by_key(|at| requests[*at].tag.as_str());
    let values = |at: &usize| {
        let AllocationRequest { tag, count } = &requests[*at];
        [named(Some(tag)), ("count", (*count).into())]
    };
    let values: Vec<_> = asked.iter().map(values).collect();
    let taken =
        transaction.each(transaction.statements().allocate, &values, |row| allocation(row))?;
    for (at, mut taken) in asked.into_iter().zip(taken) {
        let (incarnation, key_space) = (transaction.incarnation(), transaction.key_space());
        answers[at] = match taken.pop() {
            Some(taken) => Ok(Some(Allocation { incarnation, key_space, ..taken })),
            None => Err(refusal(transaction, &requests[at].tag)?),
        };
    }
    let complete = |(answer, request): (Result<Option<Allocation>>, &AllocationRequest)| {
        answer.and_then(|found| found.ok_or_else(|| unknown_tag(&request.tag)))
    };
    Ok(answers.into_iter().zip(requests).map(complete).collect())
}

fn allocation<R: Row>(row: &R) -> Result<Allocation, R::Fault> {
    let range = NumberRange::new(row.unsigned(0)?, row.unsigned(1)?, row.unsigned(2)?);
    Ok(Allocation::new(range.map_err(Error::from)?, row.unsigned(3)?))
}

/// Returns the reason why a tag gave no range.
fn refusal<T: Transaction>(transaction: &mut T, tag: &Tag) -> Result<Error, T::Fault> {
    let is_fenced = match transaction.statements().fenced {
        Some(fenced) => !transaction.query(fenced, &[named(Some(tag))], |_| Ok(()))?.is_empty(),
        None => false,
    };
    let row = match (is_fenced, find(transaction, tag)?) {
        (_, Some(row)) if row.moved_to.is_some() => return Ok(tag_moved(&row)),
        (true, Some(_)) => return Ok(transaction.tag_of_another_server(tag)),
        (true, None) => return Ok(transaction.tag_not_made(Code::UnknownTag, tag)),
        (false, None) => {
            return Ok(transaction.why_unseen()?.unwrap_or_else(|| unknown_tag(tag)));
        }
        (false, Some(row)) => row,
    };
    if row.next < row.ends() {
        return Ok(tag_contended(tag));
    }
    Ok(tag_exhausted(tag, row.max))
}

fn lock<T: Transaction>(transaction: &mut T, tag: &Tag) -> Result<Option<Locked>, T::Fault> {
    let locked = |row: &T::Row<'_>| {
        Ok(Locked { row: tag_row(row)?, now_ms: row.number(10)?, is_fenced: row.flag(11)? })
    };
    Ok(transaction.query(transaction.statements().tag_lock, &[named(Some(tag))], locked)?.pop())
}

/// Writes a row that is locked. Returns it as it is then, or fails if the table did not take it, as
/// with a trigger or a policy that somebody added.
fn write<T: Transaction>(transaction: &mut T, row: TagRow) -> Result<TagRow, T::Fault> {
    let values = [
        named(Some(&row.tag)),
        ("next", row.next.into()),
        ("step", row.step.into()),
        ("updated_ms", row.updated_ms.into()),
        ("raises", row.raises.into()),
        ("ends", row.ends().into()),
        ("moved_to", Value::Name(row.moved_to.clone())),
        ("left_by", Value::Name(row.left_by.clone())),
        ("came_by", Value::Name(row.came_by.clone())),
    ];
    transaction.change(transaction.statements().write_tag, &values)?;
    if find(transaction, &row.tag)?.as_ref() == Some(&row) {
        Ok(row)
    } else {
        Err(tag_contended(&row.tag).into())
    }
}

/// Returns the row of a tag, if it is there.
pub(in crate::store) fn find<T: Transaction>(
    transaction: &mut T,
    tag: &Tag,
) -> Result<Option<TagRow>, T::Fault> {
    Ok(transaction
        .query(transaction.statements().tags, &[named(Some(tag))], |row| tag_row(row))?
        .pop())
}

pub(in crate::store) fn all<T: Transaction>(transaction: &mut T) -> Result<Vec<TagRow>, T::Fault> {
    transaction.query(transaction.statements().tags, &[named(None)], |row| tag_row(row))
}

/// Returns the value for the statement that reads the row of a tag, or all rows.
pub(in crate::store) fn named(tag: Option<&Tag>) -> (&'static str, Value) {
    ("tag", Value::Text(tag.map(|tag| tag.as_str().to_owned())))
}

pub(in crate::store) fn tag_row<R: Row>(row: &R) -> Result<TagRow, R::Fault> {
    Ok(TagRow {
        tag: Tag::of_row(&row.text(0)?).map_err(|_| row.excluded(0))?,
        next: row.unsigned(1)?,
        step: row.unsigned(2)?,
        stride: row.unsigned(3)?,
        updated_ms: row.number(4)?,
        raises: row.unsigned(5)?,
        max: row.unsigned(6)?.saturating_sub(1),
        moved_to: row.optional_text(7)?,
        left_by: row.optional_text(8)?,
        came_by: row.optional_text(9)?,
    })
}
