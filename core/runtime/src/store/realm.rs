//! The worker IDs of a realm as rows, for stores that keep rows and let this module change them.

use std::collections::BTreeMap;

use super::errors::leases::worker_ids_exhausted;
use super::{Call, Lease, LeaseRequest, Token, WorkerRow, lease_lost};
use crate::error::{Error, Result};

/// The token of a lease that was released or evicted; no holder has it.
const NOBODYS: Token = [0; 16];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LeaseRow {
    pub(crate) owner: String,
    pub(crate) epoch: u64,
    pub(crate) token: Token,
    pub(crate) floor_ms: i64,
    pub(crate) reserved_ms: i64,
    pub(crate) expires_ms: i64,
}

pub(crate) type Realm = BTreeMap<u32, LeaseRow>;

/// Picks a free worker ID, and returns it with the row to write. A repeat takes another worker ID.
///
/// # Errors
/// [`Code::WorkersExhausted`](crate::Code::WorkersExhausted).
pub(crate) fn acquire(
    rows: &Realm,
    request: &LeaseRequest,
    call: &Call,
    now_ms: i64,
) -> Result<(u32, LeaseRow)> {
    let Some(worker_id) = preferred(rows, request, call, now_ms) else {
        return Err(exhausted(rows, request, now_ms));
    };
    let present = rows.get(&worker_id);
    let reserved_ms = present.map_or(now_ms, |row| row.reserved_ms);
    let end_ms = now_ms.saturating_add(i64::from(request.reserve_ms));
    let row = LeaseRow {
        owner: request.owner.clone(),
        epoch: present.map_or(0, |row| row.epoch) + 1,
        token: call.attempt,
        floor_ms: reserved_ms.max(now_ms),
        reserved_ms: reserved_ms.max(end_ms),
        expires_ms: end_ms,
    };
    Ok((worker_id, row))
}

impl LeaseRow {
    pub(crate) fn lease(&self, realm: &str, worker_id: u32, now_ms: i64) -> Lease {
        Lease {
            realm: realm.to_owned(),
            worker_id,
            epoch: self.epoch,
            owner: self.owner.clone(),
            token: self.token,
            floor_ms: self.floor_ms,
            reserved_ms: self.reserved_ms,
            now_ms,
            incarnation: None,
            key_space: None,
        }
    }

    pub(crate) fn shown(&self, realm: &str, worker_id: u32, now_ms: i64) -> WorkerRow {
        WorkerRow {
            realm: realm.to_owned(),
            worker_id,
            owner: self.owner.clone(),
            epoch: self.epoch,
            reserved_ms: self.reserved_ms,
            expires_ms: self.expires_ms,
            held: self.is_held(now_ms),
        }
    }

    /// Returns the row with its reserved time and its lease extended.
    ///
    /// # Errors
    /// [`Code::LeaseLost`](crate::Code::LeaseLost).
    pub(crate) fn renewed(
        &self,
        lease: &Lease,
        reserve_ms: u32,
        call: &Call,
        now_ms: i64,
    ) -> Result<LeaseRow> {
        if !self.belongs_to(lease) || ![lease.token, call.attempt].contains(&self.token) {
            return Err(lease_lost(lease));
        }
        let end_ms = now_ms.saturating_add(i64::from(reserve_ms));
        Ok(LeaseRow {
            token: call.attempt,
            reserved_ms: self.reserved_ms.max(end_ms),
            expires_ms: self.expires_ms.max(end_ms),
            ..self.clone()
        })
    }

    /// Returns the released row, or `None` if another process holds it by now. The new token stops
    /// a renewal that is still on its way.
    pub(crate) fn released(&self, lease: &Lease, now_ms: i64) -> Option<LeaseRow> {
        (self.belongs_to(lease) && self.token == lease.token).then(|| LeaseRow {
            expires_ms: self.expires_ms.min(now_ms),
            token: NOBODYS,
            ..self.clone()
        })
    }

    /// Returns the evicted row. The new epoch stops the old holder's renewals.
    pub(crate) fn evicted(&self, now_ms: i64) -> LeaseRow {
        LeaseRow {
            expires_ms: self.expires_ms.min(now_ms),
            epoch: self.epoch + 1,
            token: NOBODYS,
            ..self.clone()
        }
    }

    /// Returns true while the lease lasts. The token counts as well as the time, because a process
    /// that released the lease may have seen a later store time than this one.
    fn is_held(&self, now_ms: i64) -> bool {
        self.token != NOBODYS && self.expires_ms > now_ms
    }

    fn belongs_to(&self, lease: &Lease) -> bool {
        self.epoch == lease.epoch && self.owner == lease.owner
    }

    /// The first millisecond at which the request could take this row, unless the lease is renewed.
    fn free_ms(&self, request: &LeaseRequest) -> i64 {
        self.expires_ms.max(self.reserved_ms.saturating_sub(request.reach_ms()))
    }
}

/// Picks a worker ID whose reserved time is over, else the first unused one from a random start,
/// else one whose reserved time is nearly over. The random start makes it unlikely that two stores
/// begun by mistake give out the same worker ID. The order keeps the number of rows down to the
/// number of concurrent holders.
fn preferred(rows: &Realm, request: &LeaseRequest, call: &Call, now_ms: i64) -> Option<u32> {
    let free = rows
        .iter()
        .filter(|&(&id, row)| request.allows(id) && row.free_ms(request) <= now_ms)
        .min_by_key(|(_, row)| row.reserved_ms);
    let rested = free.filter(|(_, row)| row.reserved_ms <= now_ms);
    let first = request.first_worker_id(call);
    let unused = || {
        let mut from_first = (first..=request.max_worker_id).chain(0..first);
        from_first.find(|id| request.allows(*id) && !rows.contains_key(id))
    };
    rested.map(|(&id, _)| id).or_else(unused).or(free.map(|(&id, _)| id))
}

/// Returns the error that no worker ID is free.
fn exhausted(rows: &Realm, request: &LeaseRequest, now_ms: i64) -> Error {
    let held = || rows.iter().filter(|(_, row)| row.is_held(now_ms));
    let oldest = held().min_by_key(|(_, row)| row.floor_ms);
    let free_ms =
        rows.iter().filter(|(id, _)| request.allows(**id)).map(|(_, row)| row.free_ms(request));
    worker_ids_exhausted(
        &request.realm,
        request.max_worker_id,
        held().count() as u64,
        oldest.map(|(&id, row)| (id, row.owner.as_str())),
        free_ms.min().map(|free_ms| free_ms.saturating_sub(now_ms)),
    )
}
