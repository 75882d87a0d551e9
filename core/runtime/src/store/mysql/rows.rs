//! Converts between rows of the database and the store's own types.

use std::collections::HashSet;
use std::sync::Arc;

use snowmint_engine::{Code, Layout, NumberRange};

use super::errors;
use super::fault::Fault;
use super::session::Transaction;
use super::statement::{Statement, Value, bytes};
use crate::error::Error;
use crate::store::remote::errors::sql::{value_excluded, worker_ids_contended};
use crate::store::remote::succession::{self, another, cure};
use crate::store::sql::tags::{self, tag_row};
use crate::store::sql::{self, Row as _, Statements};
use crate::store::{
    Allocation, AllocationRequest, Call, Exhausted, KeySpace, Lease, LeaseRequest, Tag, TagRow,
    Vouch, WorkerRow, check_step, unknown_tag,
};

/// The number of picks after which a call gives up. A pick fails if another process takes the
/// worker ID, or its holder renews it, at the same moment.
const PICKS: usize = 8;
/// The SQL expression for the current time that messages tell an operator to use.
const NOW_MS: &str = "floor(unix_timestamp(now(3)) * 1000)";

/// A row of an answer; all values are texts.
pub(super) struct Row {
    columns: Arc<[String]>,
    values: Vec<Option<Vec<u8>>>,
}

impl Row {
    pub(super) fn new(columns: Arc<[String]>, values: Vec<Option<Vec<u8>>>) -> Row {
        Row { columns, values }
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    fn value(&self, at: usize) -> Option<&[u8]> {
        self.values.get(at)?.as_deref()
    }

    pub(super) fn is_null(&self, at: usize) -> bool {
        self.value(at).is_none()
    }

    /// Returns true if the value is 1.
    pub(super) fn is_one(&self, at: usize) -> bool {
        self.value(at) == Some(b"1")
    }
}

impl sql::Row for Row {
    type Fault = Fault;

    fn optional_text(&self, at: usize) -> Result<Option<String>, Fault> {
        let text = |bytes: &[u8]| str::from_utf8(bytes).map(str::to_owned);
        self.value(at).map(text).transpose().map_err(|_| self.excluded(at))
    }

    fn optional_number(&self, at: usize) -> Result<Option<i64>, Fault> {
        let number = |text: String| text.parse();
        self.optional_text(at)?.map(number).transpose().map_err(|_| self.excluded(at))
    }

    fn flag(&self, at: usize) -> Result<bool, Fault> {
        Ok(self.is_one(at))
    }

    fn excluded(&self, at: usize) -> Fault {
        let column = self.columns.get(at).map_or("?", String::as_str);
        value_excluded(column).into()
    }
}

impl sql::Transaction for Transaction<'_> {
    type Fault = Fault;
    type Row<'r> = Row;

    const STATEMENTS: Statements = Statements {
        tags: include_str!("tags.sql"),
        tag_lock: include_str!("tag_lock.sql"),
        create_tag: include_str!("create_tag.sql"),
        write_tag: include_str!("write_tag.sql"),
        fenced: Some(include_str!("fenced.sql")),
    };

    fn query<T>(
        &mut self,
        statement: &str,
        values: &[(&str, Value)],
        read: impl FnMut(&Row) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        self.rows(Statement::new(statement, values))?.iter().map(read).collect()
    }

    fn change(&mut self, statement: &str, values: &[(&str, Value)]) -> Result<bool, Fault> {
        match self.change(Statement::new(statement, values)) {
            Err(fault) if fault.is_duplicate() => Ok(false),
            changed => Ok(changed? > 0),
        }
    }

    fn tag_of_another_server(&self, tag: &Tag) -> Error {
        errors::tag_of_another_server(tag, &cure(&self.incarnation()))
    }

    fn tag_not_made(&self, code: Code, tag: &Tag) -> Error {
        errors::tag_not_made(code, tag, &cure(&self.incarnation()))
    }
}

/// Takes a worker ID. The caller commits even a refusal: after a failover, the first call notes
/// until when no worker ID is given.
pub(super) fn acquire(
    transaction: &mut Transaction<'_>,
    request: &LeaseRequest,
    call: &Call,
) -> Result<Result<Lease, Error>, Fault> {
    let claim = Statement::new(include_str!("claim.sql"), &[("realm", bytes(&request.realm))]);
    let claim = (!request.past_reserved).then_some(claim);
    let layout = Statement::plain(include_str!("layout.sql"));
    let asked = [succeed(request.reserve_ms)].into_iter().chain(claim).chain([layout]);
    let layout = transaction.rows_of_realm(bytes(&request.realm), asked)?;
    let space = layout.first().map(|row| key_space(transaction, row)).transpose()?.flatten();
    if let Some(space) = &space {
        space.claimed(request)?;
    }
    let parameters = [
        ("realm", bytes(&request.realm)),
        ("owner", bytes(&request.owner)),
        ("token", Value::from(call.attempt.as_slice())),
        ("max_worker_id", request.max_worker_id.into()),
        ("first", request.first_worker_id(call).into()),
        ("avoid", request.avoid.into()),
        ("reserve_ms", request.reserve_ms.into()),
        ("reach_ms", request.reach_ms().into()),
    ];
    for _ in 0..PICKS {
        let pick = Statement::new(include_str!("acquire_pick.sql"), &parameters);
        let picked = transaction.rows(pick)?;
        let Some(picked) = picked.first() else {
            return exhausted(transaction, request).map(Err);
        };
        let worker_id = [("worker_id", picked.number(0)?.into())];
        let with_id: Vec<_> = parameters.iter().cloned().chain(worker_id).collect();
        let take = match picked.is_one(1) {
            true => include_str!("acquire_again.sql"),
            false => include_str!("acquire_new.sql"),
        };
        let taken = Statement::new(include_str!("taken.sql"), &with_id);
        match transaction.changed(Statement::new(take, &with_id), taken) {
            Ok(rows) => {
                if let Some(row) = rows.first() {
                    let lease = lease(transaction, row, request, call)?;
                    space.map_or(Ok(()), |space| space.check_floor(&lease))?;
                    return Ok(Ok(lease));
                }
            } // its holder was faster
            Err(fault) if fault.is_duplicate() => {}
            Err(fault) => return Err(fault),
        }
    }
    Err(worker_ids_contended().into())
}

/// Returns the key space that this transaction read, with its layout.
fn key_space(transaction: &Transaction<'_>, row: &Row) -> Result<Option<KeySpace>, Fault> {
    let (layout, from_ms) = (row.optional_text(0)?, row.number(1)?);
    let changes_to = None;
    Ok(transaction.key_space().map(|id| KeySpace { id, layout, from_ms, changes_to }))
}

/// Changes the layout of new IDs, once all leases of the present layout are over.
pub(super) fn change_layout(
    transaction: &mut Transaction<'_>,
    layout: &Layout,
) -> Result<(), Fault> {
    let locked = transaction.rows(Statement::plain(include_str!("layout_lock.sql")))?;
    let Some(row) = locked.first() else { return Err(Fault::NoTables) };
    let Some(space) = key_space(transaction, row)? else { return Err(Fault::NoTables) };
    let before = space.layout.clone().unwrap_or_default();
    if before == layout.to_string() {
        return Ok(());
    }
    let evict = Statement::new(include_str!("evict_all.sql"), &[("realm", bytes(&before))]);
    let rows = transaction.rows_after([evict], workers(Some(&before)))?;
    let rows = rows.iter().map(worker_row).collect::<Result<Vec<_>, _>>()?;
    let KeySpace { from_ms, .. } = space.changed(layout, &rows, row.number(2)?)?;
    let values = [("layout", bytes(&layout.to_string())), ("from_ms", from_ms.into())];
    transaction.change(Statement::new(include_str!("change_layout.sql"), &values)).map(drop)
}

fn lease(
    transaction: &Transaction<'_>,
    row: &Row,
    request: &LeaseRequest,
    call: &Call,
) -> Result<Lease, Fault> {
    Ok(Lease {
        realm: request.realm.clone(),
        worker_id: row.narrow(0)?,
        epoch: row.unsigned(1)?,
        owner: request.owner.clone(),
        token: call.attempt,
        floor_ms: row.number(2)?,
        reserved_ms: row.number(3)?,
        now_ms: row.number(4)?,
        incarnation: transaction.incarnation(),
        key_space: transaction.key_space(),
    })
}

/// Notes whether the server took another's place.
fn succeed(reserve_ms: u32) -> Statement {
    Statement::new(include_str!("succeed.sql"), &[("reserve_ms", reserve_ms.into())])
}

/// Returns the reason why no worker ID is given.
fn exhausted(transaction: &mut Transaction<'_>, request: &LeaseRequest) -> Result<Error, Fault> {
    let parameters = [
        ("realm", bytes(&request.realm)),
        ("max_worker_id", request.max_worker_id.into()),
        ("avoid", request.avoid.into()),
        ("reach_ms", request.reach_ms().into()),
    ];
    let rows = transaction.rows(Statement::new(include_str!("exhausted.sql"), &parameters))?;
    let Some(row) = rows.first() else { return Ok(Exhausted::default().error(request)) };
    if let Some(wait_ms) = row.optional_number(4)? {
        let names = ["snowmint_schema", NOW_MS];
        return Ok(succession::waits(request, wait_ms, row.number(5)?, names));
    }
    let oldest = match row.optional_number(1)? {
        Some(_) => Some((row.narrow(1)?, row.name(2)?)),
        None => None,
    };
    let free_in_ms = row.optional_number(3)?;
    Ok(Exhausted { held: row.unsigned(0)?, oldest, free_in_ms }.error(request))
}

/// Gives a lease more time. The caller commits even if the lease is lost (`None`).
pub(super) fn renew(
    transaction: &mut Transaction<'_>,
    lease: &Lease,
    reserve_ms: u32,
    call: &Call,
) -> Result<Option<Lease>, Fault> {
    let [realm, worker_id, epoch, owner, token] = of_lease(lease);
    let next = ("next", Value::from(call.attempt.as_slice()));
    let parameters =
        [realm, worker_id, epoch, owner, token, next, ("reserve_ms", reserve_ms.into())];
    let renew = Statement::new(include_str!("renew.sql"), &parameters);
    let renewed = Statement::new(include_str!("renewed.sql"), &parameters);
    // A repeat within a millisecond changes no row, but it is a renewal all the same.
    let rows = transaction.rows_after([succeed(reserve_ms), renew], renewed)?;
    let Some(row) = rows.first() else { return Ok(None) };
    Ok(Some(Lease {
        token: call.attempt,
        reserved_ms: row.number(0)?,
        now_ms: row.number(1)?,
        incarnation: transaction.incarnation(),
        key_space: transaction.key_space(),
        ..lease.clone()
    }))
}

pub(super) fn of_lease(lease: &Lease) -> [(&'static str, Value); 5] {
    [
        ("realm", bytes(&lease.realm)),
        ("worker_id", lease.worker_id.into()),
        ("epoch", lease.epoch.into()),
        ("owner", bytes(&lease.owner)),
        ("token", lease.token.as_slice().into()),
    ]
}

/// Takes the next ranges of tags, in the order of the requests. A bad request fails alone.
pub(super) fn allocate(
    transaction: &mut Transaction<'_>,
    requests: &[AllocationRequest],
) -> Result<Vec<Result<Allocation, Error>>, Fault> {
    let mut answers: Vec<Result<Option<Allocation>, Error>> =
        requests.iter().map(|it| it.count.map_or(Ok(()), check_step).map(|()| None)).collect();
    // All callers ask in the order of tags, or two of them could deadlock.
    let mut asked: Vec<usize> = (0..requests.len()).filter(|at| answers[*at].is_ok()).collect();
    asked.sort_by_key(|at| requests[*at].tag.as_str());
    let statements = asked.iter().map(|at| take(&requests[*at]));
    let taken = transaction.each_changed(statements)?;
    for (at, rows) in asked.into_iter().zip(taken) {
        answers[at] = match rows.first() {
            Some(row) => Ok(Some(allocation(row, transaction)?)),
            None => Err(tags::refusal(transaction, &requests[at].tag)?),
        };
    }
    let complete = |(answer, request): (Result<Option<Allocation>, Error>, &AllocationRequest)| {
        answer.and_then(|found| found.ok_or_else(|| unknown_tag(&request.tag)))
    };
    Ok(answers.into_iter().zip(requests).map(complete).collect())
}

fn take(request: &AllocationRequest) -> (Statement, Statement) {
    let parameters = [("tag", request.tag.as_str().into()), ("count", request.count.into())];
    let take = Statement::new(include_str!("allocate.sql"), &parameters);
    (take, Statement::new(include_str!("allocated.sql"), &parameters))
}

fn allocation(row: &Row, transaction: &Transaction<'_>) -> Result<Allocation, Fault> {
    let range = NumberRange::new(row.unsigned(0)?, row.unsigned(1)?, row.unsigned(2)?);
    let range = range.map_err(Error::from)?;
    let (incarnation, key_space) = (transaction.incarnation(), transaction.key_space());
    Ok(Allocation { range, step: row.unsigned(3)?, incarnation, key_space })
}

/// Returns the query for the row of a tag, or for all rows.
pub(super) fn tag_rows(tag: Option<&Tag>) -> Statement {
    Statement::new(include_str!("tags.sql"), &[tags::named(tag)])
}

/// Returns the query for the rows of a realm, or for all rows.
pub(super) fn workers(realm: Option<&str>) -> Statement {
    let realm = realm.map_or(Value::Text(None), bytes);
    Statement::new(include_str!("workers.sql"), &[("realm", realm)])
}

pub(super) fn worker_row(row: &Row) -> Result<WorkerRow, Fault> {
    Ok(WorkerRow {
        realm: row.name(0)?,
        worker_id: row.narrow(1)?,
        owner: row.name(2)?,
        epoch: row.unsigned(3)?,
        reserved_ms: row.number(4)?,
        expires_ms: row.number(5)?,
        held: row.is_one(6),
    })
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
    let rows = transaction.rows_after([raise, note], tag_rows(None))?;
    let mut rows = rows.iter().map(tag_row).collect::<Result<Vec<_>, _>>()?;
    rows.retain(|row| raised.contains(row.tag.as_str()));
    Ok(rows)
}
