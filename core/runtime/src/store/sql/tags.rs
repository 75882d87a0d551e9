//! Makes, changes and moves tags, by the rules of [`TagRow`].

use std::collections::BTreeMap;

use snowmint_engine::{Code, MAX_NUMBER, NumberRange};

use super::{Change, Row, Transaction};
use crate::error::{Error, Result};
use crate::store::parameters::Value;
use crate::store::{
    Allocation, AllocationRequest, Move, Standing, Tag, TagChange, TagOptions, TagRow, Vouch,
    check_step, moves_after, options_after, tag_contended, tag_exhausted, tag_exists, tag_moved,
    unknown_tag,
};

/// The number of rows that are written in one round trip.
const ROWS: usize = 500;

/// The row of a tag as it was read.
struct Seen {
    row: TagRow,
    /// The server's time.
    now_ms: i64,
    /// The start of the last range. It moves along when an operator raises the tag, so that the
    /// length of the last range stays known.
    previous: i64,
    /// True if this server may lack ranges of the tag.
    is_fenced: bool,
    /// The server that gave the last range or raised the tag, where there can be another.
    incarnation: Option<String>,
}

impl Seen {
    fn of_row<R: Row>(row: &R) -> Result<Seen, R::Fault> {
        let (is_fenced, incarnation) =
            if row.len() > 12 { (row.flag(12)?, row.optional_text(13)?) } else { (false, None) };
        let (now_ms, previous) = (row.number(10)?, row.number(11)?);
        Ok(Seen { row: tag_row(row)?, now_ms, previous, is_fenced, incarnation })
    }

    /// Returns how many numbers so many steps are. A last range that was longer counts as a step.
    fn numbers_of(&self, steps: u64) -> u64 {
        let last = (self.row.next as i64).saturating_sub(self.previous);
        let last = u64::try_from(last).unwrap_or_default();
        self.row.numbers_of(steps).max(last.saturating_mul(steps))
    }
}

/// Makes a tag. Fails if it is there, or may have been on a server whose place this one took. A tag
/// begins with its first number that is not below the one that an operator named for new tags.
pub(in crate::store) fn create<T: Transaction>(
    transaction: &mut T,
    tag: &Tag,
    options: TagOptions,
) -> Result<(), T::Fault> {
    if let Some((updated_ms, from, true)) = beginning(transaction)? {
        let strides = from.saturating_sub(options.start).div_ceil(options.stride);
        let next = options.start.saturating_add(strides.saturating_mul(options.stride));
        let values = [
            named(Some(tag)),
            ("next", next.min(MAX_NUMBER).into()),
            ("step", options.step.into()),
            ("stride", options.stride.into()),
            ("ends", (options.max + 1).into()),
            ("updated_ms", updated_ms.into()),
            ("incarnation", present(transaction)),
        ];
        if transaction.change(transaction.statements().insert_tag, &values)? {
            return Ok(());
        }
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
    let Some(seen) = lock(transaction, tag)? else {
        return Err(transaction.why_unseen()?.unwrap_or_else(|| unknown_tag(tag)).into());
    };
    let row = seen.row.changed(change, seen.now_ms)?;
    write(transaction, seen, row)
}

/// Closes a tag for a move to another store, and returns its row. After a failover, a server that
/// may lack ranges or an earlier close refuses this.
pub(in crate::store) fn close_for_move<T: Transaction>(
    transaction: &mut T,
    tag: &Tag,
    moving: &Move<'_>,
) -> Result<TagRow, T::Fault> {
    match lock(transaction, tag)? {
        Some(seen) if seen.row.moved_to.is_some() || !seen.is_fenced => {
            let row = seen.row.closed_for_move(moving, seen.now_ms)?;
            write(transaction, seen, row)
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
    if let Some(seen) = lock(transaction, tag)? {
        let adopted = TagRow::adopted(Some(seen.row.clone()), closed, seen.now_ms)?;
        // This server may lack an earlier return of the tag, with the numbers given since.
        if seen.is_fenced && adopted.raises != seen.row.raises {
            return Err(transaction.tag_of_another_server(tag).into());
        }
        return write(transaction, seen, adopted);
    }
    create(transaction, tag, options_after(closed))?;
    let seen = lock(transaction, tag)?.ok_or_else(|| unknown_tag(tag))?;
    let row = TagRow { came_by: moves_after(closed), ..seen.row.clone() };
    write(transaction, seen, row)
}

/// Returns what this server gives, and what waits for an operator.
#[cfg(any(feature = "mysql", feature = "postgres"))]
pub(in crate::store) fn standing<T: Transaction>(
    transaction: &mut T,
) -> Result<Standing, T::Fault> {
    let may_be_made = matches!(beginning(transaction)?, Some((.., true)));
    let tags = transaction.statements().tags;
    let seen = transaction.query(tags, &[named(None)], |row| Seen::of_row(row))?;
    let refused: Vec<_> =
        seen.iter().filter(|it| it.is_fenced).map(|it| it.row.tag.clone()).collect();
    Ok(Standing {
        server: transaction.server().unwrap_or_default(),
        tags: seen.into_iter().map(|it| it.row).collect(),
        may_lack_tags: !may_be_made,
        is_confirmed: may_be_made && refused.is_empty(),
        refused,
    })
}

/// The tags that a confirmation raises: their rows, and by how many numbers.
pub(in crate::store) type Raised = BTreeMap<Tag, (TagRow, u64)>;

/// Raises the tags whose ranges this server may lack, or all.
pub(in crate::store) fn raise<T: Transaction>(
    transaction: &mut T,
    lock_fenced: &str,
    vouch: &Vouch,
) -> Result<Raised, T::Fault> {
    let all = [("all", u32::from(vouch.all).into())];
    let fenced = transaction.query(lock_fenced, &all, |row| Seen::of_row(row))?;
    let raised = |seen: Seen| {
        let row = seen.row.raised(seen.numbers_of(vouch.raise_by_steps), seen.now_ms);
        (seen, row)
    };
    let fenced: Vec<_> = fenced.into_iter().map(raised).collect();
    write_all(transaction, &fenced, None)?;
    let by_tag =
        |(seen, row): (Seen, TagRow)| (row.tag.clone(), (row.clone(), row.next - seen.row.next));
    Ok(fenced.into_iter().map(by_tag).collect())
}

/// Raises tags above the rows that a confirmation knows of, and makes those that are missing. The
/// steps of a tag that was raised by longer ones are as long as those.
pub(in crate::store) fn raise_above<T: Transaction>(
    transaction: &mut T,
    vouch: &Vouch,
    raised: &mut Raised,
) -> Result<(), T::Fault> {
    for known in &vouch.above {
        let tag = &known.tag;
        if lock(transaction, tag)?.is_none() {
            create(transaction, tag, options_after(known))?;
        }
        let seen = lock(transaction, tag)?.ok_or_else(|| unknown_tag(tag))?;
        let longer = raised.get(tag).map_or(0, |(_, by)| *by);
        let by = known.numbers_of(vouch.raise_by_steps).max(longer);
        let row = seen.row.above(known, by, seen.now_ms);
        raised.insert(tag.clone(), (write(transaction, seen, row)?, by));
    }
    Ok(())
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
    let Some(Seen { row, is_fenced, .. }) = seen(transaction, tag)? else {
        if let Some((.., false)) = beginning(transaction)? {
            return Ok(transaction.tag_not_made(Code::UnknownTag, tag));
        }
        return Ok(transaction.why_unseen()?.unwrap_or_else(|| unknown_tag(tag)));
    };
    if row.moved_to.is_some() {
        return Ok(tag_moved(&row));
    }
    if is_fenced {
        return Ok(transaction.tag_of_another_server(tag));
    }
    if row.next < row.ends() {
        return Ok(tag_contended(tag));
    }
    Ok(tag_exhausted(tag, row.max))
}

fn lock<T: Transaction>(transaction: &mut T, tag: &Tag) -> Result<Option<Seen>, T::Fault> {
    let lock = transaction.statements().tag_lock;
    Ok(transaction.query(lock, &[named(Some(tag))], |row| Seen::of_row(row))?.pop())
}

fn seen<T: Transaction>(transaction: &mut T, tag: &Tag) -> Result<Option<Seen>, T::Fault> {
    let tags = transaction.statements().tags;
    Ok(transaction.query(tags, &[named(Some(tag))], |row| Seen::of_row(row))?.pop())
}

/// Writes a row that is locked, and returns it.
fn write<T: Transaction>(transaction: &mut T, seen: Seen, row: TagRow) -> Result<TagRow, T::Fault> {
    let change = [(seen, row)];
    write_all(transaction, &change, Some(&change[0].1.tag))?;
    let [(_, row)] = change;
    Ok(row)
}

/// Writes rows that are locked. Fails if the table did not take them as they are, as with a trigger
/// or a policy that somebody added. `tag` is their tag, if it is one.
fn write_all<T: Transaction>(
    transaction: &mut T,
    changes: &[(Seen, TagRow)],
    tag: Option<&Tag>,
) -> Result<(), T::Fault> {
    let present = present(transaction);
    let values = |(seen, row): &(Seen, TagRow)| {
        let is_raised = row.raises != seen.row.raises;
        let is_given = row.next != seen.row.next;
        let previous = if is_given && !is_raised {
            seen.row.next.into()
        } else {
            // Both are within 63 bits.
            seen.previous.saturating_add_unsigned(row.next - seen.row.next).into()
        };
        let incarnation = Value::Name(seen.incarnation.clone());
        [
            named(Some(&row.tag)),
            ("previous", previous),
            ("next", row.next.into()),
            ("step", row.step.into()),
            ("updated_ms", row.updated_ms.into()),
            ("raises", row.raises.into()),
            ("ends", row.ends().into()),
            ("moved_to", Value::Name(row.moved_to.clone())),
            ("left_by", Value::Name(row.left_by.clone())),
            ("came_by", Value::Name(row.came_by.clone())),
            ("incarnation", if is_raised || is_given { present.clone() } else { incarnation }),
        ]
    };
    let update = Change::whole(transaction.statements().update_tag);
    for changes in changes.chunks(ROWS) {
        let values: Vec<_> = changes.iter().map(values).collect();
        transaction.each(update, &values, |_| Ok(()))?;
    }
    let tags = transaction.statements().tags;
    let there = transaction.query(tags, &[named(tag)], |row| tag_row(row))?;
    let there: BTreeMap<_, _> = there.iter().map(|row| (&row.tag, row)).collect();
    match changes.iter().find(|(_, row)| there.get(&row.tag) != Some(&row)) {
        Some((_, row)) => Err(tag_contended(&row.tag).into()),
        None => Ok(()),
    }
}

/// Returns this server as the one that gives a range or raises a tag.
fn present<T: Transaction>(transaction: &T) -> Value {
    Value::Name(transaction.incarnation().map(|it| it.to_string()))
}

/// Returns the time, where new tags begin, and whether this server may make any. `None` if the
/// database's row is hidden.
fn beginning<T: Transaction>(transaction: &mut T) -> Result<Option<(i64, u64, bool)>, T::Fault> {
    let row = |row: &T::Row<'_>| {
        let (from, may_be_made) =
            if row.len() > 8 { (row.unsigned(8)?, row.flag(9)?) } else { (0, true) };
        Ok((row.number(2)?, from, may_be_made))
    };
    Ok(transaction.query(transaction.statements().database, &[], row)?.pop())
}

/// Returns the row of a tag, if it is there.
pub(in crate::store) fn find<T: Transaction>(
    transaction: &mut T,
    tag: &Tag,
) -> Result<Option<TagRow>, T::Fault> {
    Ok(seen(transaction, tag)?.map(|seen| seen.row))
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
