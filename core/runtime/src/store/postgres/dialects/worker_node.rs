//! Worker IDs of the table `WORKER_NODE`.

use super::super::fault::Fault;
use super::super::session::{Session, Transaction};
use super::super::statement::{Statement, Value};
use super::tables::{self, QUOTE};
use crate::findings::Finding;
use crate::store::dialect::worker_node::{self, WorkerNode, host_name, port};
use crate::store::dialect::{OwnersTable, errors};
use crate::store::doctor::rows;
use crate::store::remote::deadline::Deadline;
use crate::store::{Call, Lease, LeaseRequest, lease_lost};

/// Checks the table.
pub(super) fn look(
    session: &mut Session,
    deadline: Deadline,
    table: &WorkerNode,
) -> Result<(), Fault> {
    let columns = tables::columns(session, deadline, table)?;
    Ok(table.check_columns(&columns)?)
}

fn statement(table: &WorkerNode, file: &str, values: &[(&str, Value)]) -> Statement {
    Statement::new(&table.statement(file, QUOTE), values)
}

/// Runs the statements that add and renew a row, but on no row, so that the server checks them.
pub(super) fn take_none(
    transaction: &mut Transaction<'_>,
    table: &WorkerNode,
) -> Result<(), Fault> {
    let none = || Value::Text(None);
    transaction.rows(insert(table, none(), none()))?;
    let none = [("id", 0_u32.into()), ("host", none()), ("port", none()), ("next", none())];
    transaction.rows(statement(table, include_str!("worker_node/renew.sql"), &none)).map(drop)
}

fn insert(table: &WorkerNode, host: Value, port: Value) -> Statement {
    let values = [("host", host), ("port", port)];
    statement(table, include_str!("worker_node/insert.sql"), &values)
}

/// Adds a row; its number is the worker ID.
pub(super) fn acquire(
    transaction: &mut Transaction<'_>,
    table: &WorkerNode,
    request: &LeaseRequest,
    call: &Call,
) -> Result<Lease, Fault> {
    let newest = statement(table, include_str!("worker_node/newest.sql"), &[]);
    let newest = transaction.rows(newest)?.first().map(|row| row.try_get(0)).transpose()?;
    worker_node::check_next(newest.unwrap_or_default(), request)?;
    let host = Value::from(host_name(&request.owner).as_str());
    let rows = transaction.rows(insert(table, host, port(&call.attempt).as_str().into()))?;
    let none = || errors::table_takes_no_row(table.name(), &table.columns());
    let row = rows.first().ok_or_else(none)?;
    Ok(worker_node::lease(row.try_get(0)?, row.try_get(1)?, request, call.attempt)?)
}

pub(super) fn renew(
    transaction: &mut Transaction<'_>,
    table: &WorkerNode,
    lease: &Lease,
    reserve_ms: u32,
    call: &Call,
) -> Result<Lease, Fault> {
    let next = ("next", Value::from(port(&call.attempt).as_str()));
    let [id, host, port] = of_lease(lease);
    let renew = statement(table, include_str!("worker_node/renew.sql"), &[id, host, port, next]);
    let rows = transaction.rows(renew)?;
    let row = rows.first().ok_or_else(|| lease_lost(lease))?;
    Ok(worker_node::renewed(lease, row.try_get(0)?, reserve_ms, call.attempt))
}

pub(super) fn release(
    transaction: &mut Transaction<'_>,
    table: &WorkerNode,
    lease: &Lease,
) -> Result<(), Fault> {
    let release = statement(table, include_str!("worker_node/release.sql"), &of_lease(lease));
    transaction.rows(release).map(drop)
}

pub(super) fn left(
    session: &mut Session,
    deadline: Deadline,
    table: &WorkerNode,
) -> Result<Finding, Fault> {
    let used = statement(table, include_str!("worker_node/used.sql"), &[]);
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
