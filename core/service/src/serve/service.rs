//! What all event loops share, and what each has of its own.

use std::cell::{Cell, RefCell};
use std::ops::Deref;
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use arc_swap::{ArcSwap, Guard};
use rustls::ClientConfig;
use snowmint::{Code, Event, Result, Severity};
use tokio::sync::Semaphore;

use super::config::Origin;
use super::counters::{Counters, Totals};
use super::leases::Leases;
use super::listen::Protocol;
use super::order::Peers;
use super::phase::Phases;
use super::quotas::Quotas;
use super::recent::{Noted, Recent};
use super::setup::Setup;
use super::sources::{self, Named};
use super::watch::Board;

/// So many connections of operators at once, beside `limits.connections` of users.
const OPERATORS: u32 = 64;
/// So many buffers a loop keeps, of so many bytes at most.
const KEPT_BUFFERS: usize = 16;
const KEPT_BYTES: usize = 256 * 1_024;

/// The service.
#[derive(Debug)]
pub(crate) struct Service {
    setup: ArcSwap<Setup>,
    pub(crate) origin: Origin,
    /// Held by whoever reads the configuration again.
    pub(crate) reloading: Mutex<()>,
    /// Sources that are in the configuration no more, and since when.
    pub(crate) retired: Mutex<Vec<(Instant, Vec<Arc<Named>>)>>,
    pub(crate) leases: Arc<Leases>,
    pub(crate) quotas: Quotas,
    pub(crate) phases: Phases,
    pub(crate) begun: SystemTime,
    /// Of users, and of operators: neither takes a place of the others.
    users: AtomicU32,
    operators: AtomicU32,
    pub(crate) started: Instant,
    /// What no other process has.
    pub(crate) instance: Arc<str>,
    /// One operator at a time waits for a store.
    pub(crate) operating: Semaphore,
    /// What operators look at.
    pub(crate) board: Board,
    /// What happened to sources and their stores.
    pub(crate) heard: Recent,
    numbers: AtomicU64,
    broken_off: AtomicUsize,
    counters: Vec<Counters>,
}

impl Service {
    pub(crate) fn new(setup: Setup, origin: Origin) -> Service {
        let config = &setup.config;
        Service {
            counters: (0..config.loops()).map(|_| Counters::new()).collect(),
            leases: Arc::new(Leases::new(config)),
            quotas: Quotas::default(),
            phases: Phases::new(),
            begun: SystemTime::now(),
            users: AtomicU32::new(0),
            operators: AtomicU32::new(0),
            started: Instant::now(),
            instance: instance().into(),
            operating: Semaphore::new(1),
            board: Board::default(),
            heard: Recent::default(),
            numbers: AtomicU64::new(0),
            broken_off: AtomicUsize::new(0),
            setup: ArcSwap::from_pointee(setup),
            origin,
            reloading: Mutex::new(()),
            retired: Mutex::default(),
        }
    }

    /// The present configuration and its sources: to be asked for anew by each request.
    #[inline]
    pub(crate) fn setup(&self) -> Guard<Arc<Setup>> {
        self.setup.load()
    }

    /// Replaces it, while the service serves: what is under way goes on with the one it began with.
    pub(crate) fn replace(&self, setup: Setup) -> bool {
        self.phases.while_serving(|| self.setup.store(Arc::new(setup)))
    }

    /// Closes every source, and waits until their stores know, up to a bound.
    ///
    /// # Errors
    /// Of a source that had to be left to its lease's end.
    pub(crate) fn close(&self, wait: Duration) -> Result<()> {
        let retired =
            std::mem::take(&mut *self.retired.lock().unwrap_or_else(PoisonError::into_inner));
        let setup = self.setup();
        let gone = retired.iter().flat_map(|(_, gone)| gone);
        let all: Vec<_> = setup.sources.all().iter().chain(gone).cloned().collect();
        sources::close(&all, wait)
    }

    pub(crate) fn totals(&self) -> Totals<'_> {
        Totals(&self.counters)
    }

    /// What went wrong lately, on each loop and with the sources.
    pub(crate) fn recents(&self) -> impl Iterator<Item = &Recent> {
        self.counters.iter().map(|counters| &counters.recent).chain([&self.heard])
    }

    /// Keeps what happened to a source or its store, if an operator should know of it.
    pub(crate) fn hear(&self, event: &Event) {
        if event.kind.severity() == Severity::Warning {
            // Several sources may have it, and another one its name.
            let tag = event.tag.as_ref().map(|tag| format!("tag {tag}"));
            self.heard.note(Noted {
                code: event.code.map(Code::name),
                event: Some(event.kind.name()),
                source: tag.as_deref(),
                detail: &event.message,
            });
        }
    }

    /// How many connections there are, operators' among them.
    pub(crate) fn connections(&self) -> u32 {
        self.users.load(Ordering::Relaxed) + self.operators.load(Ordering::Relaxed)
    }

    /// A number that no other connection has.
    pub(crate) fn number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Notes connections whose time was up before their request was answered.
    pub(crate) fn break_off(&self, count: usize) {
        self.broken_off.fetch_add(count, Ordering::Relaxed);
    }

    /// How many those were.
    pub(crate) fn broken_off(&self) -> usize {
        self.broken_off.load(Ordering::Relaxed)
    }

    /// A place for a connection, while there is one.
    pub(crate) fn admit(self: &Arc<Self>, protocol: Protocol) -> Option<Admitted> {
        let most = match protocol {
            Protocol::Http | Protocol::Resp => self.setup().config.limits.connections,
            Protocol::Admin => OPERATORS,
        };
        let before = self.taken(protocol).fetch_add(1, Ordering::Relaxed);
        let admitted = Admitted { service: Arc::clone(self), protocol };
        (before < most).then_some(admitted)
    }

    /// Places that are taken, by connections of this kind.
    fn taken(&self, protocol: Protocol) -> &AtomicU32 {
        match protocol {
            Protocol::Http | Protocol::Resp => &self.users,
            Protocol::Admin => &self.operators,
        }
    }
}

/// Where the system has no random numbers, the process's own.
fn instance() -> String {
    let number = getrandom::u64().unwrap_or_else(|_| std::process::id().into());
    format!("{number:016x}")
}

/// A connection's place: free again once this is dropped.
#[derive(Debug)]
pub(crate) struct Admitted {
    service: Arc<Service>,
    protocol: Protocol,
}

impl Drop for Admitted {
    fn drop(&mut self) {
        self.service.taken(self.protocol).fetch_sub(1, Ordering::Relaxed);
    }
}

/// One event loop's view of the service.
#[derive(Debug)]
pub(crate) struct LoopContext {
    pub(crate) service: Arc<Service>,
    /// Which loop it is.
    index: usize,
    /// Spreads what would happen to all connections at once.
    spread: Cell<u8>,
    /// Buffers that no connection uses: one that waits for its client needs none.
    buffers: RefCell<Vec<Vec<u8>>>,
    /// For sources whose turn is elsewhere.
    peers: RefCell<Option<(Arc<ClientConfig>, Peers)>>,
}

impl LoopContext {
    pub(crate) fn new(service: Arc<Service>, index: usize) -> LoopContext {
        LoopContext {
            service,
            index,
            spread: Cell::new(0),
            buffers: RefCell::default(),
            peers: RefCell::default(),
        }
    }

    /// The service's configuration and sources.
    #[inline]
    pub(crate) fn setup(&self) -> Guard<Arc<Setup>> {
        self.service.setup()
    }

    /// This loop's own counters.
    #[inline]
    pub(crate) fn count(&self, count: impl FnOnce(&Counters)) {
        if let Some(counters) = self.service.counters.get(self.index) {
            count(counters);
        }
    }

    /// What addresses have used up.
    #[inline]
    pub(crate) fn quotas(&self) -> &Quotas {
        &self.service.quotas
    }

    /// IDs of a source are given, the last of them this one.
    #[inline]
    pub(crate) fn minted(&self, named: &Named, count: u64, last: u64) {
        named.issued.add(self.index, count, last);
        if let Some(whole) = &named.whole {
            whole.add_of_part(self.index, count);
        }
    }

    /// Other servers of the same sources, asked by what the present configuration trusts.
    pub(crate) fn peers(&self) -> Peers {
        let setup = self.setup();
        let mut present = self.peers.borrow_mut();
        let peers = match present.take() {
            Some((client, peers)) if Arc::ptr_eq(&client, &setup.client) => peers,
            _ => Peers::new(&setup.client),
        };
        let shown = peers.showing(setup.tokens.shown());
        *present = Some((Arc::clone(&setup.client), peers));
        shown.by_tls_alone(!setup.config.ordered.ca.as_os_str().is_empty())
    }

    /// An empty buffer.
    pub(crate) fn lend(&self) -> Vec<u8> {
        self.buffers.borrow_mut().pop().unwrap_or_default()
    }

    /// Takes a buffer back, unless it is large or there are many.
    pub(crate) fn give_back(&self, mut buffer: Vec<u8>) {
        buffer.clear();
        let mut buffers = self.buffers.borrow_mut();
        if buffers.len() < KEPT_BUFFERS && buffer.capacity() <= KEPT_BYTES {
            buffers.push(buffer);
        }
    }

    /// From 0 to 255, another one each time.
    pub(crate) fn spread(&self) -> u8 {
        // An odd step visits every value before it repeats one.
        self.spread.set(self.spread.get().wrapping_add(97));
        self.spread.get()
    }
}

/// A request's view of the service: it has one configuration to its end, however often that is replaced
/// meanwhile.
#[derive(Debug)]
pub(crate) struct RequestContext {
    of_loop: Rc<LoopContext>,
    setup: Arc<Setup>,
}

impl RequestContext {
    pub(crate) fn new(of_loop: &Rc<LoopContext>) -> RequestContext {
        RequestContext { of_loop: Rc::clone(of_loop), setup: of_loop.service.setup.load_full() }
    }

    /// The configuration and sources of this request.
    pub(crate) fn setup(&self) -> &Setup {
        &self.setup
    }
}

impl Deref for RequestContext {
    type Target = LoopContext;

    fn deref(&self) -> &LoopContext {
        &self.of_loop
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::config::Config;

    fn service_of(connections: u32) -> Arc<Service> {
        let mut config = Config::default();
        config.limits.connections = connections;
        Arc::new(Service::new(Setup::first(config).unwrap(), Origin::default()))
    }

    #[test]
    fn connections_are_admitted_up_to_the_limit_and_again_once_they_end() {
        let service = service_of(2);
        let (first, second) = (service.admit(Protocol::Http), service.admit(Protocol::Resp));
        assert!(first.is_some() && second.is_some());
        assert!(service.admit(Protocol::Http).is_none());
        drop(first);
        assert!(service.admit(Protocol::Http).is_some());
        assert_eq!(service.connections(), 1);
    }

    #[test]
    fn operators_take_no_place_of_users_and_users_none_of_theirs() {
        let service = service_of(1);
        let operator = || service.admit(Protocol::Admin);
        let mut operators: Vec<_> = (0..OPERATORS).map_while(|_| operator()).collect();
        assert_eq!(operators.len() as u32, OPERATORS);
        assert!(operator().is_none());
        let user = service.admit(Protocol::Http);
        assert!(user.is_some() && service.admit(Protocol::Resp).is_none());
        assert_eq!(service.connections(), OPERATORS + 1);
        operators.pop();
        assert!(operator().is_some());
    }
}
