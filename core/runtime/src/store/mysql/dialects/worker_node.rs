//! Worker IDs of the table `WORKER_NODE`.

use super::super::fault::Fault;
use super::super::session::{Session, Transaction};
use super::super::statement::{Statement, Value};
use super::QUOTE;
use crate::findings::Finding;
use crate::store::dialect::worker_node::{self, WorkerNode, host_name, port};
use crate::store::dialect::{OwnersTable, errors};
use crate::store::doctor::rows;
use crate::store::remote::deadline::Deadline;
use crate::store::sql::Row as _;
use crate::store::{Call, Lease, LeaseRequest, lease_lost};

fn statement(table: &WorkerNode, file: &str, values: &[(&str, Value)]) -> Statement {
    Statement::new(&table.statement(file, QUOTE), values)
}

/// Runs the statements that add and renew a row, but on no row, so that the server checks them.
pub(super) fn take_none(
    transaction: &mut Transaction<'_>,
    table: &WorkerNode,
) -> Result<(), Fault> {
    let none = || Value::Text(None);
    transaction.change(insert(table, none(), none()))?;
    let none = [("id", 0_u32.into()), ("host", none()), ("port", none()), ("next", none())];
    transaction.change(statement(table, include_str!("worker_node/renew.sql"), &none)).map(drop)
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
    let newest = transaction.rows(newest)?.first().map(|row| row.number(0)).transpose()?;
    worker_node::check_next(newest.unwrap_or_default(), request)?;
    let host = Value::from(host_name(&request.owner).as_str());
    let insert = insert(table, host, port(&call.attempt).as_str().into());
    let inserted = Statement::plain(include_str!("worker_node/inserted.sql"));
    let rows = transaction.rows_after([insert], inserted)?;
    let none = || errors::table_takes_no_row(table.name(), &table.columns());
    let row = rows.first().ok_or_else(none)?;
    Ok(worker_node::lease(row.number(0)?, row.number(1)?, request, call.attempt)?)
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
    let values = [id, host, port, next];
    let renew = statement(table, include_str!("worker_node/renew.sql"), &values);
    let renewed = statement(table, include_str!("worker_node/renewed.sql"), &values);
    // A repeat within a second changes no row, but it is a renewal all the same.
    let rows = transaction.rows_after([renew], renewed)?;
    let row = rows.first().ok_or_else(|| lease_lost(lease))?;
    Ok(worker_node::renewed(lease, row.number(0)?, reserve_ms, call.attempt))
}

pub(super) fn release(
    transaction: &mut Transaction<'_>,
    table: &WorkerNode,
    lease: &Lease,
) -> Result<(), Fault> {
    let release = statement(table, include_str!("worker_node/release.sql"), &of_lease(lease));
    transaction.change(release).map(drop)
}

pub(super) fn left(
    session: &mut Session,
    deadline: Deadline,
    table: &WorkerNode,
) -> Result<Finding, Fault> {
    let used = statement(table, include_str!("worker_node/used.sql"), &[]);
    let rows = session.read(used, deadline)?;
    let row = rows.first().ok_or_else(rows::strange)?;
    Ok(worker_node::left(row.number(0)?, row.number(1)?))
}

fn of_lease(lease: &Lease) -> [(&'static str, Value); 3] {
    [
        ("id", lease.worker_id.into()),
        ("host", host_name(&lease.owner).as_str().into()),
        ("port", port(&lease.token).as_str().into()),
    ]
}
