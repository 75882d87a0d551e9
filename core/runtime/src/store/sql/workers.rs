//! Gives, renews and ends leases of worker IDs, by the rules of [`realm`] and [`Succession`].

use snowmint_engine::Layout;

use super::succession::Succession;
use super::{Row, Transaction};
use crate::error::{Error, Result};
use crate::store::errors::leases::{leases_unknown, leases_unvouched, worker_ids_contended};
use crate::store::parameters::Value;
use crate::store::realm::{self, LeaseRow, Realm};
use crate::store::{Call, KeySpace, Lease, LeaseRequest, WorkerRow};

/// The number of tries after which a call gives up. A change is not made if the row is no longer as
/// it was read, as when its holder renewed the lease in the meantime.
const TRIES: usize = 8;

/// Locks the database's row: others who acquire, or change that row, wait. Renewals do not.
pub(in crate::store) const LOCK_DATABASE: &str = "SELECT is_only FROM snowmint_schema FOR UPDATE";

/// The database's row, and rows of worker IDs, as they are at a time of the database's clock.
struct Seen {
    space: KeySpace,
    succession: Option<Succession>,
    rows: Realm,
    now_ms: i64,
}

/// Takes a worker ID. The caller commits even a refusal: after a failover, the first call notes
/// until when no worker ID is given.
pub(in crate::store) fn acquire<T: Transaction>(
    transaction: &mut T,
    request: &LeaseRequest,
    call: &Call,
) -> Result<Result<Lease>, T::Fault> {
    for _ in 0..TRIES {
        let mut seen = lock(transaction, &request.realm, None)?;
        let claimed = seen.space.claimed(request)?;
        seen.note(transaction, claimed, request.reserve_ms)?;
        if let Some(why) = seen.refusal(transaction, &request.realm)? {
            return Ok(Err(why));
        }
        let now_ms = seen.now_ms;
        let (worker_id, row) = match realm::acquire(&seen.rows, request, call, now_ms) {
            Ok(picked) => picked,
            Err(why) => return Ok(Err(transaction.why_unseen()?.unwrap_or(why))),
        };
        let lease = row.lease(&request.realm, worker_id, now_ms);
        seen.space.check_floor(&lease)?;
        if seen.write(transaction, (&request.realm, worker_id), &row)? {
            return Ok(Ok(of_store(transaction, lease)));
        }
    }
    Err(transaction.why_unseen()?.unwrap_or_else(|| worker_ids_contended(&request.realm)).into())
}

/// Gives a lease more time. The caller commits even if the lease is lost (`None`).
pub(in crate::store) fn renew<T: Transaction>(
    transaction: &mut T,
    lease: &Lease,
    reserve_ms: u32,
    call: &Call,
) -> Result<Option<Lease>, T::Fault> {
    let of = [
        ("realm", Value::name(&lease.realm)),
        ("worker_id", lease.worker_id.into()),
        ("epoch", lease.epoch.into()),
        ("owner", Value::name(&lease.owner)),
        ("token", lease.token.as_slice().into()),
        ("next", call.attempt.as_slice().into()),
        ("reserve_ms", reserve_ms.into()),
        ("noted_ms", Succession::noted_ms(reserve_ms).into()),
    ];
    let renewed = |transaction: &mut T| {
        let row = |_, row: &T::Row<'_>| {
            let (reserved_ms, now_ms) = (row.number(0)?, row.number(1)?);
            Ok(Lease { token: call.attempt, reserved_ms, now_ms, ..lease.clone() })
        };
        let renewed = transaction.batch(transaction.statements().renew, &of, row)?.pop();
        Ok::<_, T::Fault>(renewed.map(|lease| of_store(transaction, lease)))
    };
    if let Some(renewed) = renewed(transaction)? {
        return Ok(Some(renewed));
    }
    let workers = transaction.statements().workers;
    let row = transaction.query(workers, &of, |row| lease_row(row))?.pop();
    if row.as_ref().is_some_and(|(_, row)| row.renewed(lease, reserve_ms, call, 0).is_err()) {
        return Ok(None);
    }
    // The lease is lost all the same, unless the database's row has to change first.
    let mut seen = lock(transaction, &lease.realm, Some(lease.worker_id))?;
    if seen.note(transaction, None, reserve_ms)? {
        return renewed(transaction);
    }
    match row.is_none().then(|| transaction.why_unseen()).transpose()?.flatten() {
        Some(unseen) => Err(unseen.into()),
        None => Ok(None),
    }
}

/// Ends a lease for good, if it is not lost already.
pub(in crate::store) fn release<T: Transaction>(
    transaction: &mut T,
    lease: &Lease,
) -> Result<(), T::Fault> {
    let of = (&*lease.realm, lease.worker_id);
    change(transaction, of, |row, now_ms| row.released(lease, now_ms)).map(drop)
}

/// Ends the lease of a worker ID. Returns false if it has no row.
pub(in crate::store) fn evict<T: Transaction>(
    transaction: &mut T,
    realm: &str,
    worker_id: u32,
) -> Result<bool, T::Fault> {
    change(transaction, (realm, worker_id), |row, now_ms| Some(row.evicted(now_ms)))
}

/// Changes the layout of new IDs, once all leases of the present layout are over.
pub(in crate::store) fn change_layout<T: Transaction>(
    transaction: &mut T,
    layout: &Layout,
) -> Result<(), T::Fault> {
    let Seen { space, succession, now_ms, .. } = lock(transaction, "", None)?;
    let before = space.layout.clone().unwrap_or_default();
    if before == layout.to_string() {
        return Ok(());
    }
    let asked = [include_str!("evict_all.sql"), transaction.statements().workers];
    let rows =
        transaction.batch(&asked, &of_rows(Some(&before), None), |_, row| worker_row(row))?;
    let space = space.changed(layout, &rows, now_ms)?;
    write_database(transaction, &space, succession.as_ref())
}

/// Returns the rows of one realm, or of all.
pub(in crate::store) fn all<T: Transaction>(
    transaction: &mut T,
    realm: Option<&str>,
) -> Result<Vec<WorkerRow>, T::Fault> {
    let workers = transaction.statements().workers;
    transaction.query(workers, &of_rows(realm, None), |row| worker_row(row))
}

/// Returns the values for the statement that reads the rows of a realm, one of them, or all rows.
pub(in crate::store) fn of_rows(
    realm: Option<&str>,
    worker_id: Option<u32>,
) -> [(&'static str, Value); 2] {
    [("realm", Value::Name(realm.map(str::to_owned))), ("worker_id", worker_id.into())]
}

pub(in crate::store) fn worker_row<R: Row>(row: &R) -> Result<WorkerRow, R::Fault> {
    let (worker_id, lease) = lease_row(row)?;
    Ok(lease.shown(&row.name(0)?, worker_id, row.number(8)?))
}

fn lease_row<R: Row>(row: &R) -> Result<(u32, LeaseRow), R::Fault> {
    let token = u128::from_str_radix(&row.text(7)?, 16).map_err(|_| row.excluded(7))?;
    let lease = LeaseRow {
        owner: row.name(2)?,
        epoch: row.unsigned(3)?,
        reserved_ms: row.number(4)?,
        expires_ms: row.number(5)?,
        floor_ms: row.number(6)?,
        token: token.to_be_bytes(),
    };
    Ok((row.narrow(1)?, lease))
}

/// Locks the database's row, and reads it and rows of worker IDs, in one round trip.
fn lock<T: Transaction>(
    transaction: &mut T,
    realm: &str,
    worker_id: Option<u32>,
) -> Result<Seen, T::Fault> {
    let lock = transaction.statements().lock;
    look(transaction, lock, (realm, worker_id))
}

/// Reads the database's row and rows of worker IDs, after these statements.
fn look<T: Transaction>(
    transaction: &mut T,
    after: &[&str],
    (realm, worker_id): (&str, Option<u32>),
) -> Result<Seen, T::Fault> {
    let statements = transaction.statements();
    let asked = [after, &[statements.database, statements.workers]].concat();
    let (mut database, mut rows) = (None, Realm::new());
    let read = |at, row: &T::Row<'_>| {
        match asked.len() - at {
            1 => rows.extend([lease_row(row)?]),
            2 => {
                let (layout, from_ms) = (row.optional_text(0)?, row.number(1)?);
                database = Some((layout, from_ms, row.number(2)?, Succession::of_row(row)?));
            }
            _ => {}
        }
        Ok(())
    };
    transaction.batch(&asked, &of_rows(Some(realm), worker_id), read)?;
    let (Some((layout, from_ms, now_ms, succession)), Some(id)) =
        (database, transaction.key_space())
    else {
        let unseen = transaction.why_unseen()?;
        return Err(unseen.map_or_else(|| transaction.no_tables(), T::Fault::from));
    };
    let space = KeySpace { id, layout, from_ms, changes_to: None };
    Ok(Seen { space, succession, rows, now_ms })
}

impl Seen {
    /// Notes a layout that claims the key space, and a request to reserve time. Returns false if
    /// there is nothing to note.
    fn note<T: Transaction>(
        &mut self,
        transaction: &mut T,
        claimed: Option<KeySpace>,
        reserve_ms: u32,
    ) -> Result<bool, T::Fault> {
        let present = transaction.incarnation().unwrap_or_default();
        let latest = match &self.succession {
            Some(it) if it.is_another(&present) => {
                let latest =
                    |row: &T::Row<'_>| Ok((row.optional_number(0)?, row.optional_number(1)?));
                transaction
                    .query(include_str!("latest.sql"), &[], latest)?
                    .pop()
                    .unwrap_or_default()
            }
            _ => (None, None),
        };
        let noted = self.succession.as_ref();
        let noted = noted.and_then(|it| it.noted(&present, reserve_ms, latest, self.now_ms));
        if claimed.is_none() && noted.is_none() {
            return Ok(false);
        }
        self.space = claimed.unwrap_or_else(|| self.space.clone());
        self.succession = noted.or(self.succession.take());
        write_database(transaction, &self.space, self.succession.as_ref())?;
        Ok(true)
    }

    /// Returns the reason why this server gives no worker ID at all.
    fn refusal<T: Transaction>(
        &self,
        transaction: &T,
        realm: &str,
    ) -> Result<Option<Error>, T::Fault> {
        let Some(succession) = &self.succession else { return Ok(None) };
        if !succession.is_home {
            let server = transaction.server().unwrap_or_default();
            return Ok(Some(leases_unvouched(realm, &server)));
        }
        let wait_ms = succession.waits_until_ms.saturating_sub(self.now_ms);
        let [table, now] = transaction.terms()?;
        let waits =
            || leases_unknown(realm, wait_ms, succession.longest_reserve_ms, [&table, &now]);
        Ok((wait_ms > 0).then(waits))
    }

    /// Writes the row of a worker ID. Returns false if the present row is not as it was read.
    fn write<T: Transaction>(
        &self,
        transaction: &mut T,
        (realm, worker_id): (&str, u32),
        row: &LeaseRow,
    ) -> Result<bool, T::Fault> {
        let mut values = vec![
            ("realm", Value::name(realm)),
            ("worker_id", worker_id.into()),
            ("owner", Value::name(&row.owner)),
            ("epoch", row.epoch.into()),
            ("token", row.token.as_slice().into()),
            ("floor_ms", row.floor_ms.into()),
            ("reserved_ms", row.reserved_ms.into()),
            ("expires_ms", row.expires_ms.into()),
            ("now_ms", self.now_ms.into()),
        ];
        let Some(known) = self.rows.get(&worker_id) else {
            return transaction.change(transaction.statements().insert_lease, &values);
        };
        values.extend([
            ("known_epoch", known.epoch.into()),
            ("known_token", known.token.as_slice().into()),
            ("known_reserved_ms", known.reserved_ms.into()),
            ("known_expires_ms", known.expires_ms.into()),
        ]);
        transaction.change(transaction.statements().update_lease, &values)
    }
}

/// Writes the database's row.
fn write_database<T: Transaction>(
    transaction: &mut T,
    space: &KeySpace,
    succession: Option<&Succession>,
) -> Result<(), T::Fault> {
    let mut values =
        vec![("layout", Value::Name(space.layout.clone())), ("from_ms", space.from_ms.into())];
    if let Some(it) = succession {
        values.extend([
            ("incarnation", Value::name(&it.incarnation)),
            ("longest_reserve_ms", it.longest_reserve_ms.into()),
            ("waits_until_ms", it.waits_until_ms.into()),
            ("is_behind", u32::from(it.is_behind).into()),
        ]);
    }
    transaction.change(transaction.statements().write_database, &values).map(drop)
}

/// Changes the row of a worker ID, unless `work` returns `None`. Returns false if it has no row.
fn change<T: Transaction>(
    transaction: &mut T,
    of: (&str, u32),
    work: impl Fn(&LeaseRow, i64) -> Option<LeaseRow>,
) -> Result<bool, T::Fault> {
    for _ in 0..TRIES {
        let seen = look(transaction, &[], (of.0, Some(of.1)))?;
        let Some(row) = seen.rows.get(&of.1) else { return Ok(false) };
        let Some(row) = work(row, seen.now_ms) else { return Ok(true) };
        if seen.write(transaction, of, &row)? {
            return Ok(true);
        }
    }
    Err(worker_ids_contended(of.0).into())
}

/// Adds what the store knows besides the row.
fn of_store<T: Transaction>(transaction: &T, lease: Lease) -> Lease {
    let (incarnation, key_space) = (transaction.incarnation(), transaction.key_space());
    Lease { incarnation, key_space, ..lease }
}
