//! The worker IDs of a realm as rows: who gets which, for stores that keep rows and leave it to us
//! what is done with them.

use std::collections::BTreeMap;

use super::{Call, Exhausted, Lease, LeaseRequest, Token, WorkerRow, lease_lost};
use crate::error::Result;

/// The token of a lease that was given up or taken away, which nobody has.
const NOBODYS: Token = [0; 16];

/// A row of a worker ID.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LeaseRow {
    pub(crate) owner: String,
    pub(crate) epoch: u64,
    pub(crate) token: Token,
    pub(crate) floor_ms: i64,
    pub(crate) reserved_ms: i64,
    pub(crate) expires_ms: i64,
}

/// The rows of a realm.
pub(crate) type Realm = BTreeMap<u32, LeaseRow>;

/// Takes a worker ID: which one, and its row as it has to be. Whoever asks again takes another one.
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
        return Err(exhausted(rows, request, now_ms).error(request));
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
    /// As its holder has it.
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

    /// As operators see it.
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

    /// With more time for its holder.
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

    /// Given up by its holder; `None` if that is another by now. No renewal that is still on its way
    /// can revive the lease.
    pub(crate) fn released(&self, lease: &Lease, now_ms: i64) -> Option<LeaseRow> {
        (self.belongs_to(lease) && self.token == lease.token).then(|| LeaseRow {
            expires_ms: self.expires_ms.min(now_ms),
            token: NOBODYS,
            ..self.clone()
        })
    }

    /// Taken away: the old holder's renewals no longer match.
    pub(crate) fn evicted(&self, now_ms: i64) -> LeaseRow {
        LeaseRow {
            expires_ms: self.expires_ms.min(now_ms),
            epoch: self.epoch + 1,
            token: NOBODYS,
            ..self.clone()
        }
    }

    /// Whether its time is not over. Whoever gave it up may have known the store's time better than
    /// whoever looks.
    fn is_held(&self, now_ms: i64) -> bool {
        self.token != NOBODYS && self.expires_ms > now_ms
    }

    fn belongs_to(&self, lease: &Lease) -> bool {
        self.epoch == lease.epoch && self.owner == lease.owner
    }

    /// The first millisecond at which the request could take this row, if nobody renews it.
    fn free_ms(&self, request: &LeaseRequest) -> i64 {
        self.expires_ms.max(self.reserved_ms.saturating_sub(request.reach_ms()))
    }
}

/// The worker ID to take: one whose reserved time is over, else the first unused one from a random one
/// on, else one whose reserved time is nearly over. So two stores that were begun by mistake for one
/// seldom give out the same, and one keeps no more rows than it had holders at once.
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

fn exhausted(rows: &Realm, request: &LeaseRequest, now_ms: i64) -> Exhausted {
    let held = || rows.iter().filter(|(_, row)| row.is_held(now_ms));
    let free_ms =
        rows.iter().filter(|(id, _)| request.allows(**id)).map(|(_, row)| row.free_ms(request));
    Exhausted {
        held: held().count() as u64,
        oldest: held()
            .min_by_key(|(_, row)| row.floor_ms)
            .map(|(&id, row)| (id, row.owner.clone())),
        free_in_ms: free_ms.min().map(|free_ms| free_ms.saturating_sub(now_ms)),
    }
}
