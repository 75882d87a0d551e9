//! Leases of worker IDs: requests, leases, rows.

#[cfg(doc)]
use snowmint_engine::Code;

use super::{Call, Incarnation, KeySpaceId, MAX_NAME_LENGTH, MAX_RESERVE_AHEAD_MS, Token, errors};
use crate::error::{Error, Result};

/// A worker ID with the time reserved for it. Its holder may issue IDs whose time lies in
/// `[floor_ms, reserved_ms)`; no other process ever issues IDs of that time under this worker ID.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lease {
    /// The realm: the layout's canonical text.
    pub realm: String,
    /// The worker ID.
    pub worker_id: u32,
    /// A counter that rises with each acquisition or eviction of this worker ID.
    pub epoch: u64,
    /// The holder's name, for operators and for the store.
    pub owner: String,
    /// The token, which changes at every renewal: of two copies of a process only one can renew.
    pub token: Token,
    /// The first Unix millisecond that the holder may use.
    pub floor_ms: i64,
    /// The first Unix millisecond that the holder may not use.
    pub reserved_ms: i64,
    /// The store's clock when it granted the lease, in Unix milliseconds.
    pub now_ms: i64,
    /// The incarnation of the store that granted the lease; `None` if the store does not tell.
    pub incarnation: Option<Incarnation>,
    /// The key space of the lease; `None` if the store does not tell.
    pub key_space: Option<KeySpaceId>,
}

impl Lease {
    /// Creates a lease without any time, for a store to fill in: an empty interval is invalid.
    pub fn new(realm: &str, worker_id: u32, owner: &str, token: Token) -> Lease {
        Lease {
            realm: realm.to_owned(),
            worker_id,
            epoch: 0,
            owner: owner.to_owned(),
            token,
            floor_ms: 0,
            reserved_ms: 0,
            now_ms: 0,
            incarnation: None,
            key_space: None,
        }
    }
}

/// A request for a lease.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LeaseRequest {
    /// The realm: the layout's canonical text.
    pub realm: String,
    /// The largest worker ID of the layout.
    pub max_worker_id: u32,
    /// The holder's name: host, process and a random part.
    pub owner: String,
    /// The time to reserve from the store's clock on, and the life of the lease without renewal, in
    /// milliseconds: 1 to [`MAX_RESERVE_AHEAD_MS`]. More than
    /// [`MAX_RESERVE_MS`](super::MAX_RESERVE_MS) is only needed if the store's clock was set back,
    /// because the holder's time is then ahead of it.
    pub reserve_ms: u32,
    /// The longest time that the floor may be ahead of the store's clock, in milliseconds. A worker
    /// ID whose reserved time goes further is not taken.
    pub max_ahead_ms: u32,
    /// A worker ID to avoid: the one that was just left because of the clock.
    pub avoid: Option<u32>,
    /// True to take a worker ID that is not held, however far its reserved time goes: for leases
    /// that no ID's time depends on. Its holder counts `reserve_ms` from before its call.
    pub past_reserved: bool,
}

/// Later than every clock, while its sum with any clock still fits into 64 bits.
const PAST_RESERVED_MS: i64 = i64::MAX / 2;

impl LeaseRequest {
    /// Requests worker ID 0 for a minute, with a floor that is not ahead of the store's clock.
    /// Change the fields that differ.
    pub fn new(realm: &str, owner: &str) -> LeaseRequest {
        LeaseRequest {
            realm: realm.to_owned(),
            max_worker_id: 0,
            owner: owner.to_owned(),
            reserve_ms: 60_000,
            max_ahead_ms: 0,
            avoid: None,
            past_reserved: false,
        }
    }

    /// Checks each field against its limit.
    ///
    /// # Errors
    /// [`Code::InvalidParameter`].
    pub fn check(&self) -> Result<()> {
        for (what, name) in [("realm", &self.realm), ("owner", &self.owner)] {
            if name.is_empty() || name.len() > MAX_NAME_LENGTH || name.contains('\0') {
                return Err(errors::leases::name_unfit(what, name.len()));
            }
        }
        check_reserve(self.reserve_ms)
    }

    /// Returns the worker ID from which to search for an unused one, taken from the attempt's
    /// random bits. Two stores that were begun by mistake then seldom give out the same worker ID:
    /// a second line of defence, not a promise.
    pub(crate) fn first_worker_id(&self, call: &Call) -> u32 {
        let worker_ids = u128::from(self.max_worker_id) + 1;
        (u128::from_le_bytes(call.attempt) % worker_ids) as u32
    }

    /// Returns true if the worker ID may be taken.
    pub(crate) fn allows(&self, worker_id: u32) -> bool {
        worker_id <= self.max_worker_id && self.avoid != Some(worker_id)
    }

    /// Returns how far ahead of the store's clock the reserved time of a worker ID may go for the
    /// worker ID to be taken, in milliseconds. It is at most `max_ahead_ms`, and leaves at least a
    /// quarter of the reservation. With `past_reserved` there is no limit.
    pub fn reach_ms(&self) -> i64 {
        if self.past_reserved {
            return PAST_RESERVED_MS;
        }
        i64::from(self.max_ahead_ms.min(self.reserve_ms - self.reserve_ms.div_ceil(4)))
    }
}

/// Checks a reservation against its limit.
///
/// # Errors
/// [`Code::InvalidParameter`].
pub(crate) fn check_reserve(reserve_ms: u32) -> Result<()> {
    if reserve_ms == 0 || reserve_ms > MAX_RESERVE_AHEAD_MS {
        return Err(errors::leases::reservation_out_of_range(reserve_ms));
    }
    Ok(())
}

/// The error for a lease that its holder has lost.
pub(crate) fn lease_lost(lease: &Lease) -> Error {
    errors::leases::lease_lost(&lease.realm, lease.worker_id, &lease.owner, lease.epoch)
}

/// A row of the worker table, for operators.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WorkerRow {
    /// The realm.
    pub realm: String,
    /// The worker ID.
    pub worker_id: u32,
    /// The present or last holder.
    pub owner: String,
    /// A counter that rises with each acquisition or eviction.
    pub epoch: u64,
    /// The first Unix millisecond that is not reserved.
    pub reserved_ms: i64,
    /// The Unix millisecond at which the lease ends unless it is renewed.
    pub expires_ms: i64,
    /// True while the worker ID is held, by the store's clock.
    pub held: bool,
}

impl WorkerRow {
    /// Creates the row of a free worker ID with nothing reserved, for a store to fill in.
    pub fn new(realm: &str, worker_id: u32, owner: &str) -> WorkerRow {
        WorkerRow {
            realm: realm.to_owned(),
            worker_id,
            owner: owner.to_owned(),
            epoch: 0,
            reserved_ms: 0,
            expires_ms: 0,
            held: false,
        }
    }
}
