//! Worker IDs of Baidu's table.

use super::super::fault::Fault;
use super::super::session::{Session, Transaction};
use super::super::statement::{Statement, Value};
use super::tables;
use crate::findings::Finding;
use crate::store::dialect::OwnersTable;
use crate::store::dialect::worker_node::{self, WorkerNode, host_name, port};
use crate::store::doctor::rows;
use crate::store::remote::deadline::Deadline;
use crate::store::{Call, Lease, LeaseRequest, lease_lost};

/// Finds the table as it should be.
pub(super) fn look(session: &mut Session, deadline: Deadline) -> Result<(), Fault> {
    let columns = tables::columns(session, deadline, &WorkerNode)?;
    Ok(WorkerNode.check_columns(&columns)?)
}

/// Adds a row, whose number is the worker ID.
pub(super) fn acquire(
    transaction: &mut Transaction<'_>,
    request: &LeaseRequest,
    call: &Call,
) -> Result<Lease, Fault> {
    let newest = Statement::plain(include_str!("worker_node/newest.sql"));
    let newest = transaction.rows(newest)?.first().map(|row| row.try_get(0)).transpose()?;
    worker_node::check_next(newest.unwrap_or_default(), request)?;
    let values = [
        ("host", Value::from(host_name(&request.owner).as_str())),
        ("port", Value::from(port(&call.attempt).as_str())),
    ];
    let insert = Statement::new(include_str!("worker_node/insert.sql"), &values);
    let rows = transaction.rows(insert)?;
    let row = rows.first().ok_or_else(|| WorkerNode.odd("takes no row"))?;
    Ok(worker_node::lease(row.try_get(0)?, row.try_get(1)?, request, call.attempt)?)
}

/// Gives a lease more time.
pub(super) fn renew(
    transaction: &mut Transaction<'_>,
    lease: &Lease,
    slab_ms: u32,
    call: &Call,
) -> Result<Lease, Fault> {
    let next = ("next", Value::from(port(&call.attempt).as_str()));
    let [id, host, port] = of_lease(lease);
    let renew = Statement::new(include_str!("worker_node/renew.sql"), &[id, host, port, next]);
    let rows = transaction.rows(renew)?;
    let row = rows.first().ok_or_else(|| lease_lost(lease))?;
    Ok(worker_node::renewed(lease, row.try_get(0)?, slab_ms, call.attempt))
}

/// Ends a lease.
pub(super) fn release(transaction: &mut Transaction<'_>, lease: &Lease) -> Result<(), Fault> {
    let release = Statement::new(include_str!("worker_node/release.sql"), &of_lease(lease));
    transaction.rows(release).map(drop)
}

/// How many worker IDs are left.
pub(super) fn left(session: &mut Session, deadline: Deadline) -> Result<Finding, Fault> {
    let used = Statement::plain(include_str!("worker_node/used.sql"));
    let rows = session.read(&used, deadline)?;
    let row = rows.first().ok_or_else(rows::strange)?;
    Ok(worker_node::left(row.try_get(0)?, row.try_get(1)?))
}

fn of_lease(lease: &Lease) -> [(&'static str, Value); 3] {
    [
        ("id", lease.worker_id.into()),
        ("host", host_name(&lease.owner).as_str().into()),
        ("port", port(&lease.token).as_str().into()),
    ]
}
