//! Takes turns that no server has, renews its own, and finds out which server has the others.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use snowmint::{
    Call, Code, Error, Lease, LeaseRequest, Mint, Result, Source, Store, Token, open_store,
};

use super::{Owner, Turn, TurnHolder};
use crate::config::{Ordered, realm};
use crate::errors;
use crate::uptime::Uptime;

/// The timeout of a call to the store.
const CALL_WITHIN: Duration = Duration::from_secs(2);
/// The number of renewals within the length of a lease.
const ROUNDS: u32 = 4;
/// This machine's clock may be slower than the store's by at most one part in this many.
const SLOWER: u32 = 100;

/// A source whose turn a thread looks after.
pub(crate) struct OrderedSource {
    pub(crate) turn: Arc<Turn>,
    /// The URL of the source.
    pub(crate) url: String,
    /// Opens another source by that URL, for a new turn.
    pub(crate) open: Box<dyn Fn() -> Result<Source> + Send>,
}

/// Threads that look after one turn each. When this is dropped, they release the turns that they
/// hold.
#[derive(Debug, Default)]
pub(crate) struct TurnThreads {
    /// Dropping a sender ends its thread.
    keeping: Vec<Sender<()>>,
    threads: Vec<JoinHandle<()>>,
}

impl TurnThreads {
    /// Starts a thread for each ordered source.
    ///
    /// # Errors
    /// [`Code::NoResource`].
    pub(crate) fn start(
        settings: &Ordered,
        all: impl IntoIterator<Item = OrderedSource>,
    ) -> Result<TurnThreads> {
        // The address is for other servers; the number tells this process from an earlier one.
        let number = u64::from_be_bytes(random()?);
        let owner = Owner::new(&format!("{} {number:016x}", settings.address));
        let mut threads = TurnThreads::default();
        for source in all {
            threads.keep(Held::new(settings, &owner, source))?;
        }
        Ok(threads)
    }

    /// One thread for each turn, so that a source that opens slowly delays no other renewal.
    fn keep(&mut self, mut held: Held) -> Result<()> {
        let (keeping, over) = mpsc::channel::<()>();
        let pause = Duration::from_millis(held.lease_ms.into()) / ROUNDS;
        let keep = move || {
            held.round();
            while over.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                held.round();
            }
            held.give_up();
        };
        let thread = Builder::new().name("snowmint-turn".to_owned()).spawn(keep);
        self.threads.push(thread.map_err(errors::system::thread_missing)?);
        self.keeping.push(keeping);
        Ok(())
    }
}

impl Drop for TurnThreads {
    fn drop(&mut self) {
        self.keeping.clear();
        for thread in self.threads.drain(..) {
            // The thread ends within the timeouts of its calls. A lease that it cannot release
            // expires.
            let _ = thread.join();
        }
    }
}

fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(errors::system::random_numbers_missing)?;
    Ok(bytes)
}

/// A turn and its lease.
struct Held {
    source: OrderedSource,
    owner: Owner,
    realm: String,
    lease_ms: u32,
    url: String,
    store: Option<Arc<dyn Store>>,
    lease: Option<Lease>,
    /// The end of the lease.
    until: Uptime,
    /// The token of a call whose answer may be lost. The next call repeats it.
    attempt: Option<Token>,
}

impl Held {
    fn new(settings: &Ordered, owner: &Owner, source: OrderedSource) -> Held {
        Held {
            realm: realm(&source.url),
            source,
            owner: owner.clone(),
            lease_ms: settings.lease_ms,
            url: settings.store.clone(),
            store: None,
            lease: None,
            until: Uptime::now(),
            attempt: None,
        }
    }

    fn round(&mut self) {
        if let Err(why) = self.keep() {
            let goes_on = self.lease.is_some() && Uptime::now() < self.until;
            if !goes_on {
                self.end(why);
            }
        }
    }

    /// Releases the lease, so that another server may take the turn at once. If the release fails,
    /// the lease expires.
    fn give_up(mut self) {
        let lease = self.lease.take();
        self.end(errors::lifetime::service_stopping());
        if let (Some(store), Some(lease)) = (&self.store, lease) {
            release(&**store, &lease);
        }
    }

    fn keep(&mut self) -> Result<()> {
        let (store, call, began) = (self.store()?, self.call()?, Uptime::now());
        let done = match &self.lease {
            Some(lease) => store.renew(lease, self.lease_ms, &call),
            None => {
                let mut request = LeaseRequest::new(&self.realm, self.owner.as_str());
                // The order does not depend on reserved time, which a clock that was ahead may have
                // put far off.
                (request.reserve_ms, request.past_reserved) = (self.lease_ms, true);
                store.acquire(&request, &call)
            }
        };
        match done {
            Ok(lease) => {
                self.attempt = None;
                self.until = began + lasts(&lease, self.lease_ms);
                self.begin().inspect_err(|_| release(&*store, &lease))?;
                self.lease = Some(lease);
                Ok(())
            }
            Err(why) if why.code() == Code::WorkersExhausted => {
                self.attempt = None;
                self.follow(&*store)
            }
            Err(why) => {
                if why.code() == Code::LeaseLost {
                    (self.lease, self.attempt) = (None, None);
                }
                Err(why)
            }
        }
    }

    fn store(&mut self) -> Result<Arc<dyn Store>> {
        if self.store.is_none() {
            self.store = Some(open_store(&self.url)?);
        }
        self.store.clone().ok_or_else(errors::turns::store_not_open)
    }

    /// A repeated call carries the token of the call that it repeats.
    fn call(&mut self) -> Result<Call> {
        let attempt = match self.attempt {
            Some(attempt) => attempt,
            None => *self.attempt.insert(random()?),
        };
        Ok(Call::new(CALL_WITHIN, attempt))
    }

    /// Extends the turn, or opens the source for a new one.
    fn begin(&mut self) -> Result<()> {
        let turn = &self.source.turn;
        let (until, owner) = (self.until, self.owner.clone());
        match &*turn.holder() {
            TurnHolder::ThisServer { source, .. } => {
                turn.settle(TurnHolder::ThisServer { source: Arc::clone(source), until, owner });
            }
            _ => {
                let source = Arc::new((self.source.open)()?);
                self.holder(TurnHolder::ThisServer { source, until, owner });
            }
        }
        Ok(())
    }

    /// Finds the server that holds the lease, so that requests are sent there.
    fn follow(&self, store: &dyn Store) -> Result<()> {
        // Reads this realm alone: the store may have thousands of other leases.
        let rows = store.workers_of(&self.realm)?;
        let row = rows.into_iter().find(|row| row.held);
        let owner = row.map(|row| Owner::new(&row.owner));
        let owner = owner.ok_or_else(errors::turns::turn_vacant)?;
        if owner.address() == self.owner.address() {
            return Err(errors::turns::address_shared(owner));
        }
        self.holder(TurnHolder::OtherServer(owner));
        Ok(())
    }

    /// Ends the turn. Any server may take a lease that has expired, so it is acquired anew, not
    /// renewed.
    fn end(&mut self, why: Error) {
        (self.lease, self.attempt) = (None, None);
        close(&self.source.turn.unsettle(why));
    }

    fn holder(&self, holder: TurnHolder) {
        close(&self.source.turn.settle(holder));
    }
}

/// Closes the source of a turn that was here. Numbers it still has would be below those of the next
/// turn.
fn close(before: &TurnHolder) {
    if let TurnHolder::ThisServer { source, .. } = before {
        let _ = source.close();
    }
}

fn release(store: &dyn Store, lease: &Lease) {
    // If this fails, the lease expires.
    let _ = store.release(lease, &Call::new(CALL_WITHIN, lease.token));
}

/// Returns how long a lease lasts, counted from the start of its call: the store read its clock
/// later. Reserved time beyond `lease_ms` does not keep other servers away, so it does not count.
fn lasts(lease: &Lease, lease_ms: u32) -> Duration {
    let ms = u64::try_from(lease.reserved_ms.saturating_sub(lease.now_ms)).unwrap_or(0);
    let lasts = Duration::from_millis(ms.min(lease_ms.into()));
    lasts - lasts / SLOWER
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use snowmint::{
        Allocation, AllocationRequest, SegmentAdmin, SegmentStore, Tag, TagRow, WorkerAdmin,
        WorkerRow, WorkerStore,
    };

    use super::*;
    use crate::config::Config;
    use crate::sources::Sources;

    /// A store in which another server holds the lease. It fails if rows of other realms are read.
    struct Shared;

    fn nothing<T>() -> Result<T> {
        Err(Error::new(Code::StoreSchema, "nobody should have asked for that"))
    }

    impl WorkerStore for Shared {
        fn acquire(&self, _: &LeaseRequest, _: &Call) -> Result<Lease> {
            nothing()
        }

        fn renew(&self, _: &Lease, _: u32, _: &Call) -> Result<Lease> {
            nothing()
        }

        fn release(&self, _: &Lease, _: &Call) -> Result<()> {
            nothing()
        }
    }

    impl WorkerAdmin for Shared {
        fn workers(&self) -> Result<Vec<WorkerRow>> {
            nothing()
        }

        fn workers_of(&self, realm: &str) -> Result<Vec<WorkerRow>> {
            let mut row = WorkerRow::new(realm, 0, "http://other:1 7");
            row.held = true;
            Ok(vec![row])
        }
    }

    impl SegmentStore for Shared {
        fn allocate(&self, _: &[AllocationRequest], _: &Call) -> Result<Vec<Result<Allocation>>> {
            nothing()
        }

        fn tag(&self, _: &Tag) -> Result<Option<TagRow>> {
            nothing()
        }
    }

    impl SegmentAdmin for Shared {}

    #[test]
    fn the_holder_of_a_turn_is_read_from_the_rows_of_its_tag_alone() {
        let mut config = Config::default();
        let url = "segment+redis://127.0.0.1:1?tag=orders".to_owned();
        config.sources.insert("orders".to_owned(), url);
        config.ordered.sources.push("orders".to_owned());
        let sources = Sources::new(&config, None);
        let named = sources.all().first().unwrap();
        let held = Held::new(
            &config.ordered,
            &Owner::new("http://own:1 7"),
            named.ordered_source().unwrap(),
        );
        held.follow(&Shared).unwrap();
        match &*named.turn().unwrap().holder() {
            TurnHolder::OtherServer(owner) => assert_eq!(owner.as_str(), "http://other:1 7"),
            other => panic!("{other:?}"),
        };
    }

    #[test]
    fn a_lease_lasts_less_than_by_the_clock_of_its_store() {
        let mut lease = Lease::new("turns of orders", 0, "http://a:1 7", [0; 16]);
        (lease.now_ms, lease.reserved_ms) = (1_000, 4_000);
        assert_eq!(lasts(&lease, 3_000), Duration::from_millis(2_970));
        // Reserved by a clock that was once an hour ahead.
        lease.reserved_ms = 3_601_000;
        assert_eq!(lasts(&lease, 3_000), Duration::from_millis(2_970));
        (lease.now_ms, lease.reserved_ms) = (4_000, 1_000);
        assert_eq!(lasts(&lease, 3_000), Duration::ZERO);
    }
}
