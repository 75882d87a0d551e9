//! Reads the rows of worker IDs, and names their values.

use super::{Row, Transaction};
use crate::error::Result;
use crate::store::parameters::Value;
use crate::store::{Call, Exhausted, Lease, LeaseRequest, WorkerRow};

/// Returns the values for a statement that acquires a worker ID, or says why none is free.
pub(in crate::store) fn of_request(
    request: &LeaseRequest,
    call: &Call,
) -> [(&'static str, Value); 8] {
    [
        ("realm", Value::name(&request.realm)),
        ("owner", Value::name(&request.owner)),
        ("token", call.attempt.as_slice().into()),
        ("max_worker_id", request.max_worker_id.into()),
        ("first", request.first_worker_id(call).into()),
        ("avoid", request.avoid.into()),
        ("reserve_ms", request.reserve_ms.into()),
        ("reach_ms", request.reach_ms().into()),
    ]
}

fn of_lease(lease: &Lease) -> [(&'static str, Value); 5] {
    [
        ("realm", Value::name(&lease.realm)),
        ("worker_id", lease.worker_id.into()),
        ("epoch", lease.epoch.into()),
        ("owner", Value::name(&lease.owner)),
        ("token", lease.token.as_slice().into()),
    ]
}

/// Returns the values for a statement that renews a lease.
pub(in crate::store) fn of_renewal(
    lease: &Lease,
    reserve_ms: u32,
    call: &Call,
) -> [(&'static str, Value); 7] {
    let [realm, worker_id, epoch, owner, token] = of_lease(lease);
    let next = ("next", Value::from(call.attempt.as_slice()));
    [realm, worker_id, epoch, owner, token, next, ("reserve_ms", reserve_ms.into())]
}

/// Ends a lease for good, if it is not lost already.
pub(in crate::store) fn release<T: Transaction>(
    transaction: &mut T,
    lease: &Lease,
) -> Result<(), T::Fault> {
    transaction.change(transaction.statements().release, &of_lease(lease)).map(drop)
}

/// Ends the lease of a worker ID. Returns false if it has no row.
pub(in crate::store) fn evict<T: Transaction>(
    transaction: &mut T,
    realm: &str,
    worker_id: u32,
) -> Result<bool, T::Fault> {
    let values = [("realm", Value::name(realm)), ("worker_id", worker_id.into())];
    transaction.change(transaction.statements().evict, &values)
}

/// Reads the lease that a call acquired, without what the store knows besides.
pub(in crate::store) fn acquired<R: Row>(
    row: &R,
    request: &LeaseRequest,
    call: &Call,
) -> Result<Lease, R::Fault> {
    Ok(Lease {
        realm: request.realm.clone(),
        worker_id: row.narrow(0)?,
        epoch: row.unsigned(1)?,
        owner: request.owner.clone(),
        token: call.attempt,
        floor_ms: row.number(2)?,
        reserved_ms: row.number(3)?,
        now_ms: row.number(4)?,
        incarnation: None,
        key_space: None,
    })
}

/// Reads the lease that a call renewed, without what the store knows besides.
pub(in crate::store) fn renewed<R: Row>(
    row: &R,
    lease: &Lease,
    call: &Call,
) -> Result<Lease, R::Fault> {
    let (reserved_ms, now_ms) = (row.number(0)?, row.number(1)?);
    Ok(Lease { token: call.attempt, reserved_ms, now_ms, ..lease.clone() })
}

/// Adds what the store knows besides the row.
pub(in crate::store) fn of_store<T: Transaction>(transaction: &T, lease: Lease) -> Lease {
    let (incarnation, key_space) = (transaction.incarnation(), transaction.key_space());
    Lease { incarnation, key_space, ..lease }
}

/// Reads why no worker ID is free.
pub(in crate::store) fn exhausted<R: Row>(row: &R) -> Result<Exhausted, R::Fault> {
    let oldest = match row.optional_number(1)? {
        Some(_) => Some((row.narrow(1)?, row.name(2)?)),
        None => None,
    };
    let free_in_ms = row.optional_number(3)?;
    Ok(Exhausted { held: row.unsigned(0)?, oldest, free_in_ms })
}

/// Returns the value for the statement that reads the rows of a realm, or all rows.
pub(in crate::store) fn of_realm(realm: Option<&str>) -> [(&'static str, Value); 1] {
    [("realm", Value::Name(realm.map(str::to_owned)))]
}

/// Returns the rows of one realm, or of all.
pub(in crate::store) fn all<T: Transaction>(
    transaction: &mut T,
    realm: Option<&str>,
) -> Result<Vec<WorkerRow>, T::Fault> {
    transaction.query(transaction.statements().workers, &of_realm(realm), |row| worker_row(row))
}

pub(in crate::store) fn worker_row<R: Row>(row: &R) -> Result<WorkerRow, R::Fault> {
    Ok(WorkerRow {
        realm: row.name(0)?,
        worker_id: row.narrow(1)?,
        owner: row.name(2)?,
        epoch: row.unsigned(3)?,
        reserved_ms: row.number(4)?,
        expires_ms: row.number(5)?,
        held: row.flag(6)?,
    })
}
