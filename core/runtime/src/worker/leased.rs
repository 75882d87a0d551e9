//! A worker ID leased from a store, and the state that proves it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use snowmint_engine::Code;

use super::host_name;
use super::reservation::Reservation;
use crate::error::Result;
use crate::errors;
use crate::host::process::PerProcess;
use crate::host::restore::Image;
use crate::host::{Clock, Platform, Random};
use crate::scheduler::Scheduler;
use crate::store::{
    self, CALL_WITHIN, Call, KnownKeySpace, Lease, LeaseRequest, MAX_RESERVE_AHEAD_MS, Token,
    WorkerStore,
};
use crate::store_handle::StoreHandle;

/// The first reservation of a lease. It is short, because the worker ID of a short-lived process
/// rests until it ends.
const FIRST_RESERVE_MS: u32 = 2_000;
/// A reservation lasts for this many answers of the store. Renewal is requested after a third of
/// it.
const TRIPS_A_RESERVATION: i64 = 4;
/// The least time of an answer if many sources share a store and take turns: a commit on a busy
/// disk.
const TURN_MS: i64 = 25;

#[derive(Clone, Debug)]
pub(crate) struct Terms {
    /// The realm: the layout's canonical text.
    pub(crate) realm: String,
    pub(crate) max_worker_id: u32,
    /// The least time that each renewal reserves.
    pub(crate) least_ms: u32,
    /// The most time that a renewal reserves, once the lease has lived as long.
    pub(crate) reserve_ms: u32,
    /// The largest lead of an ID's time over the clock, in milliseconds.
    pub(crate) max_ahead_ms: u32,
}

/// A worker ID leased from a store, with everything needed to renew the lease.
pub(crate) struct StoreWorkerIds {
    store: StoreHandle<dyn WorkerStore>,
    terms: Terms,
    host: Platform,
    state: PerProcess<Mutex<LeaseState>>,
    /// The key space of the leases, if the store tells it.
    known: KnownKeySpace,
}

/// The proof of the lease, in one process.
#[derive(Default)]
struct LeaseState {
    /// The name of this process for operators, made at first use.
    owner: Option<String>,
    lease: Option<Lease>,
    /// Since when this process has held leases, in boot time; a lost lease that is replaced does
    /// not reset it.
    since_boot_ms: Option<i64>,
    /// The time that the store took for the last answer.
    trip_ms: i64,
    /// The token of a renewal whose answer has not come, so that its repeat succeeds again.
    renewing: Option<Token>,
}

impl StoreWorkerIds {
    pub(crate) fn new(store: Arc<dyn WorkerStore>, terms: Terms, host: Platform) -> StoreWorkerIds {
        let store = StoreHandle::new(store);
        StoreWorkerIds {
            store,
            terms,
            host,
            state: PerProcess::new(),
            known: KnownKeySpace::new(None),
        }
    }

    pub(super) fn scheduler(&self) -> Arc<Scheduler> {
        self.store.scheduler(&self.host)
    }

    /// Leases a worker ID, and gives up the one before.
    pub(super) fn take(&self, avoid: Option<u32>, ahead_ms: u32) -> Result<Reservation> {
        let image = Image::present();
        let state = self.state.get_or_init(Mutex::default);
        let asked_ms = self.host.boot_ms();
        let attempt = self.host.token()?;
        let (owner, reserve_ms) = {
            let mut state = lock(&state);
            // A lease that was lost to a busy store is replaced by an equally long one, which is
            // not lost as soon.
            let lived_ms = if state.lease.is_none() { state.lived_ms(asked_ms) } else { 0 };
            (state.owner(&self.host)?, self.reserve_ms(lived_ms, state.trip_ms))
        };
        let request = LeaseRequest {
            realm: self.terms.realm.clone(),
            max_worker_id: self.terms.max_worker_id,
            owner,
            reserve_ms: above_store(reserve_ms, ahead_ms),
            max_ahead_ms: self.terms.max_ahead_ms,
            avoid,
            past_reserved: false,
        };
        let answer = store::acquire(&*self.store, &request, &Call::new(CALL_WITHIN, attempt));
        if answer.as_ref().is_err_and(|error| error.code() == Code::OutcomeUnknown) {
            // A lost answer may have taken a worker ID. The next attempt reserves little, so that
            // it costs little.
            lock(&state).since_boot_ms = None;
        }
        let lease = answer?;
        lease.key_space.map_or(Ok(()), |id| self.known.check(id))?;
        self.scheduler().note_answer();
        let answered_ms = self.host.boot_ms();
        let reservation = reservation(&lease, reserve_ms);
        let left = {
            let mut state = lock(&state);
            check_image(image)?;
            state.renewing = None;
            state.trip_ms = answered_ms.saturating_sub(asked_ms);
            let left = state.lease.replace(lease);
            if left.is_some() || state.since_boot_ms.is_none() {
                state.since_boot_ms = Some(answered_ms);
            }
            left
        };
        if let Some(left) = left {
            // Its time stays reserved whether the call succeeds or not.
            drop(self.release(&left));
        }
        Ok(reservation)
    }

    /// Renews the lease. The longer it has lived, the more time is reserved.
    pub(super) fn extend(&self, ahead_ms: u32) -> Result<Reservation> {
        let image = Image::present();
        let state = self.state.get_or_init(Mutex::default);
        let asked_ms = self.host.boot_ms();
        let (lease, attempt, reserve_ms) = {
            let mut state = lock(&state);
            let lease = state.lease.clone().ok_or_else(errors::workers::lease_missing)?;
            let reserve_ms = self.reserve_ms(state.lived_ms(asked_ms), state.trip_ms);
            (lease, state.next_token(&self.host)?, reserve_ms)
        };
        let call = Call::new(CALL_WITHIN, attempt);
        let renewed = store::renew(&*self.store, &lease, above_store(reserve_ms, ahead_ms), &call);
        let answered_ms = self.host.boot_ms();
        let mut state = lock(&state);
        check_image(image)?;
        match renewed {
            Ok(renewed) => {
                self.scheduler().note_answer();
                let reservation = reservation(&renewed, reserve_ms);
                (state.lease, state.renewing) = (Some(renewed), None);
                state.trip_ms = answered_ms.saturating_sub(asked_ms);
                Ok(reservation)
            }
            Err(error) => {
                if error.code() == Code::LeaseLost {
                    (state.lease, state.renewing) = (None, None);
                }
                Err(error)
            }
        }
    }

    pub(super) fn give_up(&self) -> Result<()> {
        let Some(state) = self.state.get() else { return Ok(()) };
        let lease = lock(&state).lease.take();
        lease.map_or(Ok(()), |lease| self.release(&lease))
    }

    pub(super) fn forget(&self) {
        if let Some(state) = self.state.get() {
            *lock(&state) = LeaseState::default();
        }
    }

    fn release(&self, lease: &Lease) -> Result<()> {
        let call = Call::new(CALL_WITHIN, self.host.token()?);
        store::release(&*self.store, lease, &call)
    }

    /// Returns true if the store answers so slowly that a first reservation may end before the
    /// answer to its renewal comes.
    pub(super) fn is_slow(&self) -> bool {
        let trip_ms = self.state.get().map_or(0, |state| lock(&state).trip_ms);
        trip_ms.saturating_mul(TRIPS_A_RESERVATION) > i64::from(FIRST_RESERVE_MS)
    }

    /// Returns the milliseconds that a lease of this age reserves. The store took `trip_ms` for its
    /// last answer, and its sources take turns.
    fn reserve_ms(&self, lived_ms: i64, trip_ms: i64) -> u32 {
        let Terms { least_ms, reserve_ms, .. } = self.terms;
        let sources = i64::try_from(self.scheduler().sources()).unwrap_or(i64::MAX).max(1);
        let round_ms = trip_ms.max(TURN_MS).saturating_mul(sources);
        let wanted_ms = lived_ms.max(round_ms.saturating_mul(TRIPS_A_RESERVATION)).max(0);
        let wanted_ms = u32::try_from(wanted_ms).unwrap_or(u32::MAX);
        let reserve_max_ms = self.store.reserve_max_ms().max(least_ms);
        wanted_ms.max(FIRST_RESERVE_MS).max(least_ms).min(reserve_ms).min(reserve_max_ms)
    }
}

impl LeaseState {
    fn lived_ms(&self, boot_ms: i64) -> i64 {
        self.since_boot_ms.map_or(0, |since_boot_ms| boot_ms.saturating_sub(since_boot_ms))
    }

    fn owner(&mut self, random: &impl Random) -> Result<String> {
        if let Some(owner) = &self.owner {
            return Ok(owner.clone());
        }
        let mut bytes = [0; 4];
        random.fill(&mut bytes)?;
        let (host, process) = (host_name(), std::process::id());
        let owner = format!("{host}:{process}:{:08x}", u32::from_le_bytes(bytes));
        Ok(self.owner.insert(owner).clone())
    }

    /// Returns the token of the renewal under way, or of a new one.
    fn next_token(&mut self, random: &impl Random) -> Result<Token> {
        let token = self.renewing.map_or_else(|| random.token(), Ok)?;
        Ok(*self.renewing.insert(token))
    }
}

/// The reservation to request from the store, for a time that is ahead of the store's clock.
fn above_store(reserve_ms: u32, ahead_ms: u32) -> u32 {
    reserve_ms.saturating_add(ahead_ms).min(MAX_RESERVE_AHEAD_MS)
}

fn reservation(lease: &Lease, reserve_ms: u32) -> Reservation {
    Reservation {
        worker_id: lease.worker_id,
        floor_ms: lease.floor_ms,
        reserved_ms: lease.reserved_ms,
        reserve_ms,
        store_ms: Some(lease.now_ms),
    }
}

/// Fails if another image may have got the same answer.
fn check_image(image: Image) -> Result<()> {
    if image.is_present() {
        return Ok(());
    }
    Err(errors::workers::process_restored_meanwhile())
}

fn lock(state: &Mutex<LeaseState>) -> MutexGuard<'_, LeaseState> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
