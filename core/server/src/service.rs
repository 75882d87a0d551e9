//! The state that all event loops share, and the state of each loop.

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
use super::phase::Phases;
use super::quotas::Quotas;
use super::recent::{Noted, Recent};
use super::setup::Setup;
use super::sources::{self, NamedSource};
use super::turns::Peers;
use super::watch::Board;

/// The limit of operators' connections, beside `limits.connections` for users.
const OPERATORS: u32 = 64;
/// The number of buffers that a loop keeps, and their largest size in bytes.
const KEPT_BUFFERS: usize = 16;
const KEPT_BYTES: usize = 256 * 1_024;

#[derive(Debug)]
pub(crate) struct Service {
    setup: ArcSwap<Setup>,
    pub(crate) origin: Origin,
    /// Held while the configuration is read again.
    pub(crate) reloading: Mutex<()>,
    /// Sources that a reload removed, with the time of the removal.
    pub(crate) retired: Mutex<Vec<(Instant, Vec<Arc<NamedSource>>)>>,
    pub(crate) leases: Arc<Leases>,
    pub(crate) quotas: Quotas,
    pub(crate) phases: Phases,
    pub(crate) begun: SystemTime,
    /// Open connections of users and of operators, counted apart: neither can use up the other's
    /// limit.
    users: AtomicU32,
    operators: AtomicU32,
    pub(crate) started: Instant,
    /// A number that identifies this process.
    pub(crate) instance: Arc<str>,
    /// Only one operator's request waits for a store at a time.
    pub(crate) operating: Semaphore,
    /// The state as operators see it.
    pub(crate) board: Board,
    /// Recent warnings of sources and their stores.
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

    /// Returns the present configuration and its sources. A request loads it once: see
    /// [`RequestContext`].
    #[inline]
    pub(crate) fn setup(&self) -> Guard<Arc<Setup>> {
        self.setup.load()
    }

    /// Replaces the setup while the service serves. Requests that have begun keep the old one.
    /// Returns false if the service stops.
    pub(crate) fn replace(&self, setup: Setup) -> bool {
        self.phases.while_serving(|| self.setup.store(Arc::new(setup)))
    }

    /// Closes every source, and waits for their stores to release the leases, at most `wait`.
    ///
    /// # Errors
    /// The error of a source whose lease could not be released in time; it expires.
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

    /// Returns the recent errors of each loop and of the sources.
    pub(crate) fn recents(&self) -> impl Iterator<Item = &Recent> {
        self.counters.iter().map(|counters| &counters.recent).chain([&self.heard])
    }

    /// Keeps a warning of a source or its store for operators.
    pub(crate) fn hear(&self, event: &Event) {
        if event.kind.severity() == Severity::Warning {
            // Several sources may share a tag, and another source may have the tag's name.
            let tag = event.tag.as_ref().map(|tag| format!("tag {tag}"));
            self.heard.note(Noted {
                code: event.code.map(Code::name),
                event: Some(event.kind.name()),
                source: tag.as_deref(),
                detail: &event.message,
            });
        }
    }

    /// Returns the number of connections, including operators'.
    pub(crate) fn connections(&self) -> u32 {
        self.users.load(Ordering::Relaxed) + self.operators.load(Ordering::Relaxed)
    }

    /// Returns a number that no other connection has.
    pub(crate) fn number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Counts connections that were cut before their request was answered.
    pub(crate) fn break_off(&self, count: usize) {
        self.broken_off.fetch_add(count, Ordering::Relaxed);
    }

    pub(crate) fn broken_off(&self) -> usize {
        self.broken_off.load(Ordering::Relaxed)
    }

    /// Admits a connection, unless the limit is reached.
    pub(crate) fn admit(self: &Arc<Self>, protocol: Protocol) -> Option<Admitted> {
        let most = match protocol {
            Protocol::Http | Protocol::Resp => self.setup().config.limits.connections,
            Protocol::Admin => OPERATORS,
        };
        let before = self.taken(protocol).fetch_add(1, Ordering::Relaxed);
        let admitted = Admitted { service: Arc::clone(self), protocol };
        (before < most).then_some(admitted)
    }

    /// Returns the count of open connections of this kind.
    fn taken(&self, protocol: Protocol) -> &AtomicU32 {
        match protocol {
            Protocol::Http | Protocol::Resp => &self.users,
            Protocol::Admin => &self.operators,
        }
    }
}

/// Without random numbers from the system, the process ID stands in.
fn instance() -> String {
    let number = getrandom::u64().unwrap_or_else(|_| std::process::id().into());
    format!("{number:016x}")
}

/// A counted connection. Dropping it frees its place.
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
    index: usize,
    /// The counter behind [`LoopContext::spread`].
    spread: Cell<u8>,
    /// Spare buffers. A connection that waits for its client holds none.
    buffers: RefCell<Vec<Vec<u8>>>,
    /// The client for ordered sources whose turn another server has.
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

    #[inline]
    pub(crate) fn setup(&self) -> Guard<Arc<Setup>> {
        self.service.setup()
    }

    /// Calls `count` with this loop's own counters.
    #[inline]
    pub(crate) fn count(&self, count: impl FnOnce(&Counters)) {
        if let Some(counters) = self.service.counters.get(self.index) {
            count(counters);
        }
    }

    #[inline]
    pub(crate) fn quotas(&self) -> &Quotas {
        &self.service.quotas
    }

    /// Counts IDs that a source gave; `last` is the last of them.
    #[inline]
    pub(crate) fn minted(&self, named: &NamedSource, count: u64, last: u64) {
        named.issued.add(self.index, count, last);
        if let Some(whole) = &named.whole {
            whole.add_of_part(self.index, count);
        }
    }

    /// Returns a client for other servers, with the TLS settings and token of a configuration.
    fn peers(&self, setup: &Setup) -> Peers {
        let mut present = self.peers.borrow_mut();
        let peers = match present.take() {
            Some((client, peers)) if Arc::ptr_eq(&client, &setup.client) => peers,
            _ => Peers::new(&setup.client),
        };
        let shown = peers.showing(setup.tokens.shown());
        *present = Some((Arc::clone(&setup.client), peers));
        shown.by_tls_alone(!setup.config.ordered.ca.as_os_str().is_empty())
    }

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

    /// Returns a number from 0 to 255, a different one each time. It spreads out what would happen
    /// to all connections at once.
    pub(crate) fn spread(&self) -> u8 {
        // An odd step visits every value before it repeats one.
        self.spread.set(self.spread.get().wrapping_add(97));
        self.spread.get()
    }
}

/// The view of the service that a request of HTTP or a command of Redis' protocol has. It keeps one
/// setup to its end, even if a reload replaces it.
#[derive(Debug)]
pub(crate) struct RequestContext {
    of_loop: Rc<LoopContext>,
    setup: Guard<Arc<Setup>>,
}

impl RequestContext {
    /// Creates the view of an HTTP request. It counts the setup's users, because a body may take
    /// long to arrive and a thread has few places for loads that count nothing.
    pub(crate) fn of_request(of_loop: &Rc<LoopContext>) -> RequestContext {
        let setup = Guard::from_inner(of_loop.service.setup.load_full());
        RequestContext { of_loop: Rc::clone(of_loop), setup }
    }

    /// Creates the view of a command of Redis' protocol.
    #[inline]
    pub(crate) fn of_command(of_loop: &Rc<LoopContext>) -> RequestContext {
        RequestContext { of_loop: Rc::clone(of_loop), setup: of_loop.setup() }
    }

    #[inline]
    pub(crate) fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Returns a client for other servers.
    pub(crate) fn peers(&self) -> Peers {
        self.of_loop.peers(&self.setup)
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
    use crate::config::Config;

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
