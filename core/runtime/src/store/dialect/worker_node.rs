//! A table whose worker IDs are never given twice: each start takes the next number.

use snowmint_engine::Code;

use super::rows::OwnersTransaction;
use super::{OwnersTable, TableName, errors};
use crate::error::Result;
use crate::findings::Finding;
use crate::store::doctor::rows::WORKERS;
use crate::store::parameters::Value;
use crate::store::sql::Row as _;
use crate::store::{Call, Lease, LeaseRequest, Token, lease_lost};

/// The table `WORKER_NODE`, or the name it has here.
pub(in crate::store) struct WorkerNode {
    pub(super) name: TableName,
}

pub(super) const NAME: &str = "WORKER_NODE";
/// The largest worker ID of the owner's layout, which has 22 bits.
const OWNERS_MAX: i64 = (1 << 22) - 1;
/// The length of the column `HOST_NAME`.
const HOST_MAX: usize = 64;

impl OwnersTable for WorkerNode {
    fn name(&self) -> &TableName {
        &self.name
    }

    fn columns(&self) -> Vec<&'static str> {
        vec!["ID", "HOST_NAME", "PORT", "TYPE", "LAUNCH_DATE", "MODIFIED", "CREATED"]
    }

    fn rights(&self) -> String {
        format!("SELECT, INSERT, UPDATE ON {}", self.name)
    }
}

/// Returns the newest number, and how many rows were added in the last 30 days.
pub(in crate::store) const USED: &str = include_str!("worker_node/used.sql");

/// The statements that differ between servers.
pub(in crate::store) struct Statements {
    /// Insert a row. The last one returns its number and the time.
    pub(in crate::store) insert: &'static [&'static str],
    /// Renew a lease. The last one returns the time if they did.
    pub(in crate::store) renew: &'static [&'static str],
}

fn batch<T: OwnersTransaction, R>(
    transaction: &mut T,
    table: &WorkerNode,
    statements: &[&str],
    values: &[(&str, Value)],
    mut read: impl FnMut(&T::Row<'_>) -> Result<R, T::Fault>,
) -> Result<Option<R>, T::Fault> {
    let filled: Vec<_> = statements.iter().map(|it| T::SPELLING.filled(it, &table.name)).collect();
    let filled: Vec<_> = filled.iter().map(String::as_str).collect();
    Ok(transaction.batch(&filled, values, |_, row| read(row))?.into_iter().next())
}

/// Runs the statements that add and renew a row, but on no row, so that the server checks them.
pub(in crate::store) fn take_none<T: OwnersTransaction>(
    transaction: &mut T,
    table: &WorkerNode,
) -> Result<(), T::Fault> {
    let values = ["host", "port", "next"].map(|it| (it, Value::Text(None)));
    let values = [&values[..], &[("id", 0_u32.into())]].concat();
    for statements in [T::OWNERS.worker_node.insert, T::OWNERS.worker_node.renew] {
        batch(transaction, table, statements, &values, |_| Ok(()))?;
    }
    Ok(())
}

/// Adds a row; its number is the worker ID.
pub(in crate::store) fn acquire<T: OwnersTransaction>(
    transaction: &mut T,
    table: &WorkerNode,
    request: &LeaseRequest,
    call: &Call,
) -> Result<Lease, T::Fault> {
    let newest = [include_str!("worker_node/newest.sql")];
    let newest = batch(transaction, table, &newest, &[], |row| row.number(0))?;
    check_next(newest.unwrap_or_default(), request)?;
    let (host, port) = (host_name(&request.owner), port(&call.attempt));
    let values = [("host", host.as_str().into()), ("port", port.as_str().into())];
    let inserted = |row: &T::Row<'_>| Ok((row.number(0)?, row.number(1)?));
    let (id, now_ms) = batch(transaction, table, T::OWNERS.worker_node.insert, &values, inserted)?
        .ok_or_else(|| errors::table_takes_no_row(table.name(), &table.columns()))?;
    Ok(lease(id, now_ms, request, call.attempt)?)
}

pub(in crate::store) fn renew<T: OwnersTransaction>(
    transaction: &mut T,
    table: &WorkerNode,
    lease: &Lease,
    reserve_ms: u32,
    call: &Call,
) -> Result<Lease, T::Fault> {
    let [id, host, of_lease] = of_lease(lease);
    let values = [id, host, of_lease, ("next", port(&call.attempt).as_str().into())];
    let renew = T::OWNERS.worker_node.renew;
    let now_ms = batch(transaction, table, renew, &values, |row| row.number(0))?;
    let now_ms = now_ms.ok_or_else(|| lease_lost(lease))?;
    Ok(renewed(lease, now_ms, reserve_ms, call.attempt))
}

pub(in crate::store) fn release<T: OwnersTransaction>(
    transaction: &mut T,
    table: &WorkerNode,
    lease: &Lease,
) -> Result<(), T::Fault> {
    let release = [include_str!("worker_node/release.sql")];
    batch(transaction, table, &release, &of_lease(lease), |_| Ok(())).map(drop)
}

fn of_lease(lease: &Lease) -> [(&'static str, Value); 3] {
    [
        ("id", lease.worker_id.into()),
        ("host", host_name(&lease.owner).as_str().into()),
        ("port", port(&lease.token).as_str().into()),
    ]
}

/// Returns the last 64 characters of an owner, because the column is short and the end is the
/// unique part. Characters that are not printable ASCII become `_`.
fn host_name(owner: &str) -> String {
    let letter = |c: char| if c.is_ascii_graphic() { c } else { '_' };
    let skipped = owner.chars().count().saturating_sub(HOST_MAX);
    owner.chars().skip(skipped).map(letter).collect()
}

/// Returns the text for the column `PORT`: a token that identifies the attempt.
fn port(token: &Token) -> String {
    token.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Fails if the next number is no worker ID of the layout.
fn check_next(newest: i64, request: &LeaseRequest) -> Result<()> {
    within(newest.max(0).saturating_add(1), request).map(drop)
}

fn within(id: i64, request: &LeaseRequest) -> Result<u32> {
    let worker_id = u32::try_from(id).ok().filter(|worker_id| *worker_id <= request.max_worker_id);
    worker_id.ok_or_else(|| errors::worker_ids_used_up(id, request.max_worker_id))
}

/// Returns the lease for a row that was just added.
fn lease(id: i64, now_ms: i64, request: &LeaseRequest, token: Token) -> Result<Lease> {
    let worker_id = within(id, request)?;
    Ok(Lease {
        epoch: u64::from(worker_id),
        floor_ms: now_ms,
        reserved_ms: now_ms.saturating_add(i64::from(request.reserve_ms)),
        now_ms,
        ..Lease::new(&request.realm, worker_id, &request.owner, token)
    })
}

/// Returns the lease with more time. No other process ever gets this worker ID.
fn renewed(lease: &Lease, now_ms: i64, reserve_ms: u32, token: Token) -> Lease {
    let reserved_ms = lease.reserved_ms.max(now_ms.saturating_add(i64::from(reserve_ms)));
    Lease { token, reserved_ms, now_ms, ..lease.clone() }
}

/// Reports how many worker IDs are left, from the newest number and the numbers used per month.
pub(in crate::store) fn left(newest: i64, a_month: i64) -> Finding {
    let (newest, left) = (newest.max(0), OWNERS_MAX.saturating_sub(newest.max(0)).max(0));
    let lasts = match a_month {
        ..=0 => String::new(),
        _ => format!(": for {} years, at {a_month} a month", left / a_month.saturating_mul(12)),
    };
    let found =
        format!("{newest} of the {OWNERS_MAX} of 22 bits were given, {left} are left{lasts}");
    let cure = "take a layout with more bits for worker IDs, or lease them from a store without a \
                dialect, which gives them again";
    match left {
        0 => Finding::refused(WORKERS, Code::WorkersExhausted, found, cure),
        _ if left < OWNERS_MAX / 10 => Finding::weaker(WORKERS, found, cure),
        _ => Finding::ok(WORKERS, found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::Verdict;

    #[test]
    fn worker_ids_left_are_told_with_the_years_they_last() {
        for (newest, verdict, says) in [
            (0, Verdict::Ok, "4194303 are left"),
            (1_000, Verdict::Ok, "4193303 are left: for 34944 years, at 10 a month"),
            (3_774_874, Verdict::Weaker, "419429 are left"),
            (4_194_303, Verdict::Refused, "0 are left"),
            (i64::MAX, Verdict::Refused, "0 are left"),
        ] {
            let finding = left(newest, 10);
            assert_eq!(finding.verdict, verdict, "{finding:?}");
            assert!(finding.found.contains(says), "{finding:?}");
        }
        assert!(left(7, 0).found.ends_with("4194296 are left"));
    }

    #[test]
    fn an_owner_is_cut_to_the_column_and_its_letters() {
        assert_eq!(host_name("web-1:7:0000000a"), "web-1:7:0000000a");
        let cut = host_name(&format!("{}:7:0000000a", "ö".repeat(100)));
        assert_eq!(cut, format!("{}:7:0000000a", "_".repeat(HOST_MAX - 11)));
    }

    #[test]
    fn a_number_past_the_layouts_end_is_no_worker_id() {
        let request = LeaseRequest { max_worker_id: 7, ..LeaseRequest::new("realm", "owner") };
        let granted = lease(7, 1_000, &request, [1; 16]).unwrap();
        assert_eq!((granted.worker_id, granted.floor_ms, granted.reserved_ms), (7, 1_000, 61_000));
        for id in [8, -1, i64::MAX] {
            let refused = lease(id, 1_000, &request, [1; 16]).unwrap_err();
            assert_eq!(refused.code(), Code::WorkersExhausted);
            assert!(refused.to_string().contains(&format!("number {id}")), "{refused}");
        }
    }

    #[test]
    fn reserved_time_never_falls() {
        let request = LeaseRequest::new("realm", "owner");
        let granted = lease(0, 100_000, &request, [1; 16]).unwrap();
        let later = renewed(&granted, 50_000, 10_000, [2; 16]);
        assert_eq!((later.reserved_ms, later.now_ms), (granted.reserved_ms, 50_000));
    }
}
