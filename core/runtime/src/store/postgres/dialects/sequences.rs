//! Native sequences. A value stands for a block of numbers, as in Hibernate.

use snowmint_engine::{MAX_NUMBER, MAX_STEP, NumberRange};
use tokio_postgres::Row;
use tokio_postgres::error::SqlState;

use super::super::errors::sequences as errors;
use super::super::fault::Fault;
use super::super::session::{Session, Transaction};
use super::super::statement::{Statement, Value};
use crate::error::{Error, Result};
use crate::store::dialect::{Block, check_max_is_kept};
use crate::store::remote::deadline::Deadline;
use crate::store::{
    Allocation, AllocationRequest, Judged, LAST_NUMBER, RefusedRow, Tag, TagChange, TagOptions,
    TagRow, next_falls, tag_exhausted, tag_exists, unknown_tag,
};

/// The most values that are drawn for one range, which is then shorter than asked for.
const VALUES_MAX: i64 = 1000;
/// The longest name that the server does not cut, in bytes.
const NAME_MAX: usize = 63;

/// The state of a sequence at the server.
struct Sequence {
    first: i64,
    increment: i64,
    max: i64,
    cache: i64,
    cycles: bool,
    /// True if the sequence is neither temporary nor unlogged, so that it survives a crash.
    is_kept: bool,
    last: i64,
    is_called: bool,
    /// True if this user may draw from the sequence.
    is_ours: bool,
}

impl Sequence {
    fn new(row: &Row) -> Result<Sequence, Fault> {
        Ok(Sequence {
            first: row.try_get(0)?,
            increment: row.try_get(1)?,
            max: row.try_get(2)?,
            cache: row.try_get(3)?,
            cycles: row.try_get(4)?,
            is_kept: row.try_get(5)?,
            last: row.try_get(6)?,
            is_called: row.try_get(7)?,
            is_ours: row.try_get(8)?,
        })
    }

    /// Returns the first value that has not been drawn.
    fn next(&self) -> Option<i64> {
        match self.is_called {
            true => self.last.checked_add(self.increment),
            false => Some(self.last),
        }
    }

    /// Fails if the sequence gives no ranges. Drawing from it fails for the same reasons.
    fn check(&self, tag: &Tag) -> Result<()> {
        self.check_blocks(tag)?;
        if self.next().is_some_and(|next| next < 0) {
            return Err(below_zero(tag));
        }
        if !self.is_ours {
            return Err(errors::not_to_be_drawn_from(tag));
        }
        Ok(())
    }

    /// Fails if blocks of the sequence could overlap.
    fn check_blocks(&self, tag: &Tag) -> Result<()> {
        let name = quoted(tag)?;
        match self.increment {
            ..1 => return Err(errors::not_rising(tag, &name)),
            increment if increment.unsigned_abs() > MAX_STEP => {
                return Err(errors::increment_too_large(tag, &name));
            }
            _ => {}
        }
        if self.cycles {
            return Err(errors::cyclic(tag, &name));
        }
        if self.cache != 1 {
            return Err(errors::cached(tag, &name));
        }
        if !self.is_kept {
            return Err(errors::unlogged(tag, &name));
        }
        Ok(())
    }
}

fn below_zero(tag: &Tag) -> Error {
    errors::below_zero(tag, &quoted(tag).unwrap_or_default())
}

/// Returns the name in quotes for statements. The schema stands before the first dot.
pub(in crate::store::postgres) fn quoted(tag: &Tag) -> Result<String> {
    let text = tag.as_str();
    let (schema, name) = match text.split_once('.') {
        Some((schema, name)) => (Some(schema), name),
        None => (None, text),
    };
    let parts = schema.into_iter().chain([name]);
    if parts.clone().any(|part| part.is_empty() || part.len() > NAME_MAX || part.contains('.')) {
        return Err(errors::name_malformed(text, NAME_MAX));
    }
    // A tag never has a quotation mark in it.
    Ok(parts.map(|part| format!("\"{part}\"")).collect::<Vec<_>>().join("."))
}

/// Returns the numbers of consecutive values.
fn range_of(block: Block, values: (i64, i64), increment: i64, first: i64) -> Option<NumberRange> {
    let (from, to) = values;
    let (start, end) = match block {
        // Numbers below the first value belong to no block of the sequence.
        Block::EndsWith => {
            let start = from.saturating_sub(increment - 1).max(first.min(from));
            (start, to.saturating_add(1))
        }
        Block::BeginsWith => (from, to.saturating_add(increment)),
    };
    let start = u64::try_from(start).ok()?;
    NumberRange::new(start, u64::try_from(end).ok()?.min(MAX_NUMBER), 1).ok()
}

/// Returns the first and last value of the longest run of consecutive values.
fn longest(values: &[i64], increment: i64) -> Option<(i64, i64)> {
    let runs = values.chunk_by(|a, b| a.checked_add(increment) == Some(*b));
    let longest = runs.max_by_key(|run| run.len())?;
    Some((*longest.first()?, *longest.last()?))
}

/// Takes the next range for each request. The requests are sorted by tag.
pub(super) fn take(
    transaction: &mut Transaction<'_>,
    block: Block,
    requests: &[&AllocationRequest],
) -> Result<Vec<Result<Allocation>>, Fault> {
    let is_checked = transaction.is_checked();
    let names: Vec<_> = requests.iter().map(|request| quoted(&request.tag)).collect();
    let named = requests.iter().zip(&names).filter_map(|(request, name)| {
        let values = [
            ("name", Value::from(name.as_ref().ok()?.as_str())),
            ("count", request.count.into()),
            ("values_max", VALUES_MAX.into()),
            ("is_checked", i64::from(is_checked).into()),
        ];
        Some(Statement::new(include_str!("sequence_next.sql"), &values))
    });
    let flush = Statement::plain(include_str!("sequence_flush.sql"));
    let asked: Vec<_> = named.chain([flush]).collect();
    let mut drawn = transaction.all(asked)?.into_iter();
    let mut answers = Vec::with_capacity(requests.len());
    for (request, name) in requests.iter().zip(names) {
        answers.push(match name {
            Err(error) => Err(error),
            Ok(name) => match drawn.next().unwrap_or_default().as_slice() {
                [] => Err(refusal(transaction, &request.tag, &name)?),
                rows => allocation(block, &request.tag, rows)?,
            },
        });
    }
    Ok(answers)
}

fn allocation(block: Block, tag: &Tag, rows: &[Row]) -> Result<Result<Allocation>, Fault> {
    let Some(row) = rows.first() else { return Ok(Err(unknown_tag(tag))) };
    let (increment, first): (i64, i64) = (row.try_get(1)?, row.try_get(2)?);
    let values = rows.iter().map(|row| row.try_get(0)).collect::<Result<Vec<i64>, _>>()?;
    let range = longest(&values, increment).and_then(|run| range_of(block, run, increment, first));
    Ok(match range {
        Some(range) => Ok(Allocation::new(range, increment.unsigned_abs())),
        None if values.iter().any(|value| *value < 0) => Err(below_zero(tag)),
        None => Err(tag_exhausted(tag, LAST_NUMBER)),
    })
}

/// Returns the reason why a sequence gave no value.
fn refusal(transaction: &mut Transaction<'_>, tag: &Tag, name: &str) -> Result<Error, Fault> {
    let Some(sequence) = state(transaction, name)? else { return Ok(unknown_tag(tag)) };
    Ok(match sequence.check(tag) {
        Err(error) => error,
        Ok(()) if sequence.max < i64::MAX => errors::used_up(tag, sequence.max, &quoted(tag)?),
        Ok(()) => tag_exhausted(tag, LAST_NUMBER),
    })
}

/// Returns the state of a sequence, if it is there.
fn state(transaction: &mut Transaction<'_>, name: &str) -> Result<Option<Sequence>, Fault> {
    let values = [("name", Value::from(name))];
    let there = Statement::new(include_str!("sequence_there.sql"), &values);
    if transaction.rows(there)?.is_empty() {
        return Ok(None);
    }
    let rows = transaction.rows(state_statement(name))?;
    rows.first().map(Sequence::new).transpose()
}

fn state_statement(name: &str) -> Statement {
    let text = include_str!("sequence_state.sql").replace("{sequence}", name);
    Statement::new(&text, &[("name", Value::from(name))])
}

fn tag_row(block: Block, tag: &Tag, sequence: &Sequence) -> TagRow {
    let next = sequence.next().map(|next| next.max(1));
    let next = next
        .and_then(|next| range_of(block, (next, next), sequence.increment, sequence.first))
        .map_or(MAX_NUMBER, |range| range.start());
    let last = match block {
        Block::EndsWith => sequence.max,
        Block::BeginsWith => sequence.max.saturating_add(sequence.increment - 1),
    };
    let max = u64::try_from(last).unwrap_or_default().min(LAST_NUMBER);
    let step = u64::try_from(sequence.increment).unwrap_or(1).clamp(1, MAX_STEP);
    TagRow::new(tag, TagOptions::default().start(next).step(step).max(max))
}

/// Returns the row of a sequence, and fails if minting from it would fail.
pub(super) fn tag(
    session: &mut Session,
    deadline: Deadline,
    block: Block,
    tag: &Tag,
) -> Result<Option<TagRow>, Fault> {
    let name = quoted(tag)?;
    session.look(deadline, |transaction| {
        let Some(sequence) = state(transaction, &name)? else { return Ok(None) };
        sequence.check(tag)?;
        Ok(Some(tag_row(block, tag, &sequence)))
    })
}

/// Returns the sequences that this user may look at or draw from, or why they give no ranges.
pub(super) fn judged(
    session: &mut Session,
    deadline: Deadline,
    block: Block,
) -> Result<Vec<Judged>, Fault> {
    session.look(deadline, |transaction| {
        let list = Statement::plain(include_str!("sequence_list.sql"));
        let mut judged = Vec::new();
        let mut named = Vec::new();
        for row in transaction.rows(list)? {
            match listed(&row)? {
                Ok(tag) => named.push((state_statement(&quoted(&tag)?), tag)),
                Err(refused) => judged.push(Err(refused)),
            }
        }
        let (states, tags): (Vec<_>, Vec<_>) = named.into_iter().unzip();
        for (tag, rows) in tags.into_iter().zip(transaction.all(states)?) {
            let Some(sequence) = rows.first().map(Sequence::new).transpose()? else { continue };
            let name = tag.as_str().to_owned();
            let row = sequence.check(&tag).map(|()| tag_row(block, &tag, &sequence));
            judged.push(row.map_err(|error| RefusedRow { name, error }));
        }
        Ok(judged)
    })
}

/// Returns the tag of a sequence, unless its name is no tag or this user may not look at it.
fn listed(row: &Row) -> Result<Result<Tag, RefusedRow>, Fault> {
    let (schema, name): (Option<String>, String) = (row.try_get(0)?, row.try_get(1)?);
    let has_dot = [schema.as_deref(), Some(&*name)].iter().flatten().any(|it| it.contains('.'));
    let name = schema.map_or(name.clone(), |schema| format!("{schema}.{name}"));
    let tag = Tag::new(&name).and_then(|tag| quoted(&tag).map(|_| tag));
    let tag = tag.and_then(|tag| match (has_dot, row.try_get(2)) {
        (true, _) => Err(errors::name_with_dot(&name)),
        (false, Ok(true)) => Ok(tag),
        (false, _) => Err(errors::not_to_be_looked_at(&tag)),
    });
    Ok(tag.map_err(|error| RefusedRow { name, error }))
}

/// Makes a sequence whose first value is `start`.
pub(super) fn create(
    transaction: &mut Transaction<'_>,
    tag: &Tag,
    options: TagOptions,
) -> Result<(), Fault> {
    let TagOptions { start, step, stride, max } = options;
    check_max_is_kept("a sequence", Some(max))?;
    let name = quoted(tag)?;
    if stride != 1 {
        return Err(errors::stride_not_kept().into());
    }
    // A first value of 0 needs a smaller MINVALUE than 1, the server's default.
    let create = format!(
        "CREATE SEQUENCE {name} INCREMENT BY {step} MINVALUE {} START WITH {start}",
        start.min(1)
    );
    match transaction.rows(Statement::plain(&create)) {
        Err(fault) if fault.is_duplicate() => Err(tag_exists(tag).into()),
        made => made.map(drop),
    }
}

/// Raises a sequence. Others who draw from it wait meanwhile, so that it never falls.
pub(super) fn change(
    transaction: &mut Transaction<'_>,
    block: Block,
    tag: &Tag,
    change: TagChange,
) -> Result<TagRow, Fault> {
    check_max_is_kept("a sequence", change.max)?;
    if change.step.is_some() {
        return Err(errors::increment_of_owner().into());
    }
    let name = quoted(tag)?;
    if state(transaction, &name)?.is_none() {
        return Err(unknown_tag(tag).into());
    }
    // A good sequence has NO CYCLE already. The statement takes a lock, which keeps others out.
    transaction.rows(Statement::plain(&format!("ALTER SEQUENCE {name} NO CYCLE")))?;
    let Some(sequence) = state(transaction, &name)? else { return Err(unknown_tag(tag).into()) };
    sequence.check(tag)?;
    let present = tag_row(block, tag, &sequence);
    let Some(next) = change.next.filter(|next| *next != present.next) else { return Ok(present) };
    if next < present.next {
        return Err(next_falls(tag, next, present.next).into());
    }
    let value = match block {
        Block::EndsWith => next + sequence.increment.unsigned_abs() - 1,
        Block::BeginsWith => next,
    };
    if value > sequence.max.unsigned_abs() {
        return Err(errors::value_beyond_end(tag, sequence.max, value).into());
    }
    transaction.rows(Statement::plain(&format!("ALTER SEQUENCE {name} RESTART WITH {value}")))?;
    let sequence = state(transaction, &name)?;
    Ok(sequence.map_or(present, |sequence| tag_row(block, tag, &sequence)))
}

/// Returns the cure for a sequence near its end.
pub(super) fn cure(row: &TagRow) -> &'static str {
    match row.max < LAST_NUMBER {
        true => {
            "ALTER SEQUENCE with a larger MAXVALUE if the column takes more; or a new sequence, for \
             another column"
        }
        false => "a new sequence, for another column",
    }
}

/// Turns a server's error about a sequence into one with a cure.
pub(super) fn of_sequence(fault: Fault) -> Fault {
    let Some(said) = fault.said() else { return fault };
    let error = match said.state {
        SqlState::INSUFFICIENT_PRIVILEGE => errors::right_missing(&said.message),
        SqlState::SEQUENCE_GENERATOR_LIMIT_EXCEEDED => errors::limit_exceeded(&said.message),
        SqlState::INVALID_PARAMETER_VALUE => errors::bounds_out_of_range(&said.message),
        SqlState::INVALID_SCHEMA_NAME => errors::schema_missing(&said.message),
        _ => return fault,
    };
    error.into()
}

#[cfg(test)]
mod tests {
    use snowmint_engine::Code;

    use super::*;

    #[test]
    fn a_value_stands_for_the_block_that_its_owner_has() {
        let range = |block, values, increment, first| {
            let range = range_of(block, values, increment, first)?;
            Some((range.start(), range.end()))
        };
        use Block::{BeginsWith, EndsWith};
        // START WITH 1 INCREMENT BY 50: the first value is a block of its own.
        assert_eq!(range(EndsWith, (1, 1), 50, 1), Some((1, 2)));
        assert_eq!(range(EndsWith, (51, 51), 50, 1), Some((2, 52)));
        assert_eq!(range(EndsWith, (101, 151), 50, 1), Some((52, 152)));
        assert_eq!(range(EndsWith, (1000, 1000), 50, 1000), Some((1000, 1001)));
        assert_eq!(range(EndsWith, (7, 7), 1, 1000), Some((7, 8)));
        assert_eq!(range(BeginsWith, (1, 1), 50, 1), Some((1, 51)));
        assert_eq!(range(BeginsWith, (51, 101), 50, 1), Some((51, 151)));
        for block in [EndsWith, BeginsWith] {
            assert_eq!(range(block, (7, 7), 1, 1), Some((7, 8)));
            assert_eq!(range(block, (-3, -3), 1, -9), None);
            assert_eq!(range(block, (i64::MAX, i64::MAX), 1, 1), None);
        }
        assert_eq!(longest(&[1, 2, 4, 5, 6, 9], 1), Some((4, 6)));
        assert_eq!(longest(&[], 1), None);
    }

    #[test]
    fn a_name_is_in_quotes_and_no_longer_than_the_server_keeps() {
        let name = |tag: &str| quoted(&Tag::new(tag).unwrap()).map_err(|error| error.code());
        assert_eq!(name("orders_SEQ"), Ok("\"orders_SEQ\"".into()));
        assert_eq!(name("shop.orders"), Ok("\"shop\".\"orders\"".into()));
        for wrong in [".a", "a.", "a.b.c", &"a".repeat(64)] {
            assert_eq!(name(wrong), Err(Code::InvalidTag), "{wrong}");
        }
    }
}
