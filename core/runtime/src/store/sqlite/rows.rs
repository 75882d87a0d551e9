//! Converts between SQLite's rows and the types of callers.

use rusqlite::{Connection, OptionalExtension, Row, named_params};
use snowmint_engine::NumberRange;

use super::errors;
use super::fault::Fault;
use crate::error::{Error, Result};
use crate::store::{
    Allocation, AllocationRequest, Exhausted, KeySpace, LeaseRequest, MAX_NAME_LENGTH, Tag, TagRow,
    WorkerRow, check_step, tag_exhausted, tag_moved, unknown_tag,
};

/// Reads the key space of the file.
pub(super) fn key_space(connection: &Connection) -> Result<KeySpace, Fault> {
    let mut statement = connection.prepare_cached(include_str!("key_space.sql"))?;
    let parts = |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get(1)?, row.get(2)?));
    let found = statement.query_row((), parts);
    let Some((id, layout, from_ms)) = found.optional()? else {
        return Err(errors::key_space_lost().into());
    };
    Ok(KeySpace { id: id.parse()?, layout, from_ms, changes_to: None })
}

/// Writes the layout and start of the key space.
pub(super) fn keep_key_space(connection: &Connection, space: &KeySpace) -> Result<(), Fault> {
    let parameters = named_params! { ":layout": space.layout, ":from_ms": space.from_ms };
    connection.prepare_cached(include_str!("keep_key_space.sql"))?.execute(parameters)?;
    Ok(())
}

pub(super) fn exhausted(
    connection: &Connection,
    request: &LeaseRequest,
) -> Result<Exhausted, Fault> {
    let parameters = named_params! {
        ":realm": request.realm,
        ":max_worker_id": request.max_worker_id,
        ":avoid": request.avoid,
        ":reach_ms": request.reach_ms(),
    };
    let mut statement = connection.prepare_cached(include_str!("exhausted.sql"))?;
    let found = statement.query_row(parameters, |row| {
        let oldest = match row.get(1)? {
            Some(worker_id) => Some((worker_id, name(row, 2)?)),
            None => None,
        };
        Ok(Exhausted { held: unsigned(row, 0)?, oldest, free_in_ms: row.get(3)? })
    });
    Ok(found?)
}

pub(super) fn take(
    connection: &Connection,
    request: &AllocationRequest,
) -> Result<Allocation, Fault> {
    let AllocationRequest { tag, count } = request;
    count.map_or(Ok(()), check_step)?;
    let parameters = named_params! { ":tag": tag.as_str(), ":count": count.map(signed) };
    let taken = |row: &Row<'_>| {
        Ok((unsigned(row, 0)?, unsigned(row, 1)?, unsigned(row, 2)?, unsigned(row, 3)?))
    };
    let mut statement = connection.prepare_cached(include_str!("allocate.sql"))?;
    match statement.query_row(parameters, taken).optional()? {
        Some((start, end, stride, step)) => {
            let range = NumberRange::new(start, end, stride).map_err(Error::from)?;
            Ok(Allocation::new(range, step))
        }
        None => match tag_rows(connection, Some(tag))?.pop() {
            Some(row) if row.moved_to.is_some() => Err(tag_moved(&row).into()),
            Some(row) => Err(tag_exhausted(tag, row.max).into()),
            None => Err(unknown_tag(tag).into()),
        },
    }
}

/// An error in one request fails that request only; an error of the database fails all of them.
pub(super) fn refusable<T>(done: Result<T, Fault>) -> Result<Result<T>, Fault> {
    match done {
        Ok(done) => Ok(Ok(done)),
        Err(Fault::Refused(refusal)) => Ok(Err(refusal)),
        Err(fault) => Err(fault),
    }
}

pub(super) fn tag_rows(connection: &Connection, tag: Option<&Tag>) -> Result<Vec<TagRow>, Fault> {
    let mut statement = connection.prepare_cached(include_str!("tags.sql"))?;
    let rows = statement.query_map(named_params! { ":tag": tag.map(Tag::as_str) }, tag_row)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub(super) fn tag_row(row: &Row<'_>) -> rusqlite::Result<TagRow> {
    let name: String = row.get(0)?;
    Ok(TagRow {
        tag: Tag::of_row(&name).map_err(|_| rusqlite::Error::InvalidQuery)?,
        next: unsigned(row, 1)?,
        step: unsigned(row, 2)?,
        stride: unsigned(row, 3)?,
        updated_ms: row.get(4)?,
        raises: unsigned(row, 5)?,
        max: unsigned(row, 6)?.saturating_sub(1),
        moved_to: row.get(7)?,
        left_by: row.get(8)?,
        came_by: row.get(9)?,
    })
}

/// Reads the rows of one realm, or of all.
pub(super) fn worker_rows(
    connection: &Connection,
    realm: Option<&str>,
) -> Result<Vec<WorkerRow>, Fault> {
    let mut statement = connection.prepare_cached(include_str!("workers.sql"))?;
    let rows = statement.query_map(named_params! { ":realm": realm }, |row| {
        Ok(WorkerRow {
            realm: name(row, 0)?,
            worker_id: row.get(1)?,
            owner: name(row, 2)?,
            epoch: unsigned(row, 3)?,
            reserved_ms: row.get(4)?,
            expires_ms: row.get(5)?,
            held: row.get(6)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Reads a realm or an owner. A CHECK limits their length, so a longer one is damage.
pub(super) fn name(row: &Row<'_>, index: usize) -> rusqlite::Result<String> {
    let name: String = row.get(index)?;
    if name.len() > MAX_NAME_LENGTH { Err(rusqlite::Error::InvalidQuery) } else { Ok(name) }
}

/// Reads a column that a CHECK keeps from being negative.
pub(super) fn unsigned(row: &Row<'_>, index: usize) -> rusqlite::Result<u64> {
    let value: i64 = row.get(index)?;
    u64::try_from(value).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(index, value))
}

/// Converts a number to a column's type. A number above its range, which only a forged epoch can
/// be, becomes -1 and matches no row.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(-1)
}
