//! The settings of a generator.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

#[cfg(doc)]
use snowmint_engine::Code;
use snowmint_engine::{ClockPolicy, Layout, Pace, Preset, SequenceStart, SharedSnowflake};

use super::Snowflake;
use super::worker::LeasedWorker;
use crate::error::Result;
use crate::errors;
#[cfg(feature = "embedding")]
use crate::host::Host;
use crate::host::files::Files;
use crate::host::paths::state_directory;
use crate::host::{Clock, Platform};
use crate::store::{MAX_RESERVE_MS, WorkerStore};
use crate::worker::{FixedWorkerId, MarkTerms, StoreWorkerIds, Terms, WorkerId, WorkerIds};

/// A leased worker ID's time is reserved a minute ahead, so an outage of 40 s is bridged.
const LEASE_RESERVE_MS: u32 = 60_000;
/// A fixed worker ID's time is reserved a second ahead: if the policy does not borrow, the next
/// start after a crash waits at most that long.
const MARK_RESERVE_MS: u32 = 1_000;
/// A reservation is renewed when two thirds of it are left, and the next tick must begin within
/// those.
const MAX_TICK_MS: u32 = MAX_RESERVE_MS / 3 * 2;

/// Builds a [`Snowflake`].
#[derive(Clone)]
#[must_use]
pub struct SnowflakeBuilder {
    pub(super) layout: Layout,
    pub(super) policy: ClockPolicy,
    pub(super) start: SequenceStart,
    pub(super) worker_id: Option<WorkerId>,
    pub(super) store: Option<Arc<dyn WorkerStore>>,
    pub(super) state: Option<PathBuf>,
    pub(super) require_state: bool,
    pub(super) reserve_ms: Option<u32>,
    pub(super) wait: Duration,
    pub(super) host: Platform,
    pub(super) files: Arc<dyn Files>,
}

impl SnowflakeBuilder {
    /// Sets the layout; the default is Twitter's.
    pub fn layout(mut self, layout: Layout) -> Self {
        self.layout = layout;
        self
    }

    /// Sets a preset's layout, clock policy and sequence start: IDs are as its system mints them.
    pub fn preset(mut self, preset: &Preset) -> Self {
        (self.layout, self.policy, self.start) = (preset.layout, preset.policy, preset.start);
        self
    }

    /// Sets the clock policy; the default is [`ClockPolicy::SNOWMINT`]. It may borrow at most
    /// 3600000 ms.
    pub fn policy(mut self, policy: ClockPolicy) -> Self {
        self.policy = policy;
        self
    }

    /// Sets where a fresh tick's sequence begins; the default is [`SequenceStart::Rotate`].
    pub fn sequence_start(mut self, start: SequenceStart) -> Self {
        self.start = start;
        self
    }

    /// Sets a fixed worker ID, whose time is reserved in a state file.
    pub fn worker_id(mut self, worker_id: WorkerId) -> Self {
        self.worker_id = Some(worker_id);
        self
    }

    /// Leases a worker ID from a store.
    pub fn lease_from(mut self, store: Arc<dyn WorkerStore>) -> Self {
        self.store = Some(store);
        self
    }

    /// Sets the directory of a fixed worker ID's state file; the default is the user's state
    /// directory. A directory is a key space with one layout: a generator with another layout is
    /// refused.
    pub fn state_directory(mut self, directory: impl AsRef<Path>) -> Self {
        self.state = Some(directory.as_ref().to_owned());
        self
    }

    /// Sets whether opening fails if a fixed worker ID's state file is missing. By default, IDs
    /// then begin above all that an earlier run can have issued, provided that the clock has not
    /// gone back since and that run had no larger `max_ahead_ms`. To depend on neither, set it
    /// after the first start.
    pub fn require_state(mut self, require_state: bool) -> Self {
        self.require_state = require_state;
        self
    }

    /// Sets how much time a renewal reserves, 100 to 3600000 ms. The default is 1000 for a fixed
    /// worker ID. For a leased one it is the most, 60000 by default, which is reserved once the
    /// lease has lived as long. It is at least twice `max_ahead_ms` and at least four ticks. With a
    /// lease it is also the longest outage of the store that is bridged. With a fixed worker ID it
    /// is the longest wait after a crash.
    pub fn reserve_ms(mut self, reserve_ms: u32) -> Self {
        self.reserve_ms = Some(reserve_ms);
        self
    }

    /// Sets how long a call waits for an ID, and opening waits for a store that is down, locked or
    /// without a free worker ID. The default is [`DEFAULT_WAIT`](crate::DEFAULT_WAIT).
    pub fn wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// Sets another host than the operating system, and other files, for simulation.
    #[cfg(feature = "embedding")]
    pub fn host(mut self, host: impl Host, files: Arc<dyn Files>) -> Self {
        self.host = Platform::Brought(Arc::new(host));
        self.files = files;
        self
    }

    /// Takes the worker ID and opens the generator. Calls the store. If the last holder of a fixed
    /// worker ID was killed and the policy does not borrow, opening waits for the time which that
    /// holder had reserved, up to a reservation: a second by default. Without a state file it waits
    /// as long.
    ///
    /// # Errors
    /// [`Code::InvalidParameter`] without a worker ID or with two, for a reservation or a
    /// `max_ahead_ms` out of range, or for a layout whose ticks are longer than 40 minutes.
    /// [`Code::EpochInFuture`], [`Code::LayoutExpired`], [`Code::WorkerInUse`],
    /// [`Code::MarkAhead`], [`Code::StateMissing`], [`Code::UnsafeSetting`] for a state file that
    /// others could change, [`Code::WorkersExhausted`], or an error of the store.
    pub fn open(self) -> Result<Snowflake> {
        let Reserve { least_ms, reserve_ms } = self.check_time()?;
        let realm = realm(&self.layout);
        let max_ahead_ms = self.policy.max_ahead_ms;
        let worker_ids = match (&self.worker_id, &self.store) {
            (Some(worker), None) => self.marked(worker, realm, reserve_ms)?,
            (None, Some(store)) => {
                let max_worker_id = self.layout.max_worker_id();
                let terms = Terms { realm, max_worker_id, least_ms, reserve_ms, max_ahead_ms };
                let (store, host) = (Arc::clone(store), self.host.clone());
                WorkerIds::Store(Box::new(StoreWorkerIds::new(store, terms, host)))
            }
            (Some(_), Some(_)) => return Err(errors::snowflake::worker_id_given_twice()),
            (None, None) => return Err(errors::snowflake::worker_id_missing()),
        };
        let pace = Pace { max_ahead_ms, start: self.start };
        let flake = SharedSnowflake::closed(self.layout, pace);
        let worker =
            Arc::new(LeasedWorker::open(flake, worker_ids, max_ahead_ms, self.wait, self.host)?);
        // Starts the scheduler, because a clock that stands still would never lead to the slow
        // path.
        worker.prepare()?;
        worker.tell_end();
        Ok(Snowflake { worker, policy: self.policy, wait: self.wait })
    }

    fn marked(&self, worker: &WorkerId, realm: String, reserve_ms: u32) -> Result<WorkerIds> {
        let terms = MarkTerms {
            realm,
            worker_id: worker.resolve(&self.layout)?,
            reserve_ms,
            tick_ms: self.layout.tick_ms(),
            max_ahead_ms: self.policy.max_ahead_ms,
            require_state: self.require_state,
        };
        let directory = self.state.clone().map_or_else(state_directory, Ok)?;
        if directory.as_os_str().as_encoded_bytes().contains(&0) {
            return Err(errors::host::directory_with_nul(&directory));
        }
        let worker = FixedWorkerId::open(Arc::clone(&self.files), &directory, terms)?;
        Ok(WorkerIds::Fixed(Box::new(worker)))
    }

    /// Checks the layout against the clock, and returns the reservation.
    pub(crate) fn check_time(&self) -> Result<Reserve> {
        self.layout.check_mints_at(self.host.now_ms())?;
        let default_ms = if self.worker_id.is_some() { MARK_RESERVE_MS } else { LEASE_RESERVE_MS };
        let reserve_ms = self.reserve_ms.unwrap_or(default_ms);
        if !(100..=MAX_RESERVE_MS).contains(&reserve_ms) {
            return Err(errors::snowflake::reservation_out_of_range(reserve_ms, MAX_RESERVE_MS));
        }
        let tick_ms = self.layout.tick_ms();
        if tick_ms > MAX_TICK_MS {
            return Err(errors::snowflake::tick_too_long(tick_ms, MAX_RESERVE_MS, MAX_TICK_MS));
        }
        let max_ahead_ms = self.policy.max_ahead_ms;
        if max_ahead_ms > MAX_RESERVE_MS {
            return Err(errors::snowflake::max_ahead_too_large(max_ahead_ms, MAX_RESERVE_MS));
        }
        let ticks_ms = tick_ms.saturating_mul(4);
        let least_ms = max_ahead_ms.saturating_mul(2).max(ticks_ms).min(MAX_RESERVE_MS);
        Ok(Reserve { least_ms, reserve_ms: reserve_ms.max(least_ms) })
    }
}

/// The time that is reserved at once.
pub(crate) struct Reserve {
    /// The least reservation: it covers the borrowing of two bursts, and at least four ticks.
    least_ms: u32,
    reserve_ms: u32,
}

/// Names a layout for stores. Generators with the same name share worker IDs.
fn realm(layout: &Layout) -> String {
    layout.to_string()
}
