//! Worker leases and segments of an ID service (`snowmint serve` with `leases.store`), by the
//! protocol in `docs/reference/protocol.md`.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;
#[cfg(doc)]
use snowmint_engine::Code;
use snowmint_engine::NumberRange;

use super::remote::deadline::Deadline;
use super::remote::members::Fault;
use super::{
    Allocation, AllocationRequest, Call, KeySpaceId, KnownKeySpace, Lease, LeaseRequest,
    SegmentAdmin, Tag, TagAllocator, TagOptions, WorkerAdmin, WorkerStore, check_reserve,
};
use crate::error::Result;
use crate::events::deliver;
use crate::host::process::PerProcess;

mod asking;
mod builder;
mod endpoint;
mod ends;
mod errors;
mod fault;
mod lists;
mod messages;
mod peers;
mod server;
mod session;
mod url;

use self::asking::{CallFailures, Verdict};
pub use self::builder::ServiceBuilder;
use self::endpoint::Endpoint;
use self::ends::Given;
pub use self::lists::ServerList;
use self::messages::{
    Acknowledged, Acquire, Addressed, Allocate, Granted, Held, KeySpaceText, Leased, Nothing,
    Renew, Which,
};
use self::peers::Peers;
use self::server::Server;
pub(crate) use self::url::SCHEME;

/// The most servers that are asked for their key space, and the time for each.
const SURVEYED_MAX: usize = 16;
const SURVEY_WITHIN: Duration = Duration::from_millis(500);

/// Worker leases and segments of an ID service (`snowmint serve` with `leases.store`). For clients
/// that mint themselves and cannot reach the database.
///
/// ```no_run
/// # fn main() -> snowmint::Result<()> {
/// let store = snowmint::ServiceStore::builder().server("a", 8064).server("b", 8064).open()?;
/// # Ok(())
/// # }
/// ```
///
/// - *Servers* share one store. The client picks two at random and asks the one that answers faster
///   and has fewer calls. If it fails, or is slow for half a second, the same call goes to the
///   next. A server that failed is skipped for a while. A question may so be answered twice: that
///   costs a range, or a worker ID until its lease ends, and repeats nothing.
/// - *Lists* of servers may be in a file, in a name service or in etcd ([`ServerList`]). Servers
///   can come and go while the store is open.
/// - *Key spaces*: the client first asks several servers for their key space and refuses two that
///   differ ([`IncarnationChanged`](crate::Code::IncarnationChanged)). Each later question names
///   the key space, and a server of another one gives nothing. If two processes reach only one
///   server each, give both the same [`key_space`](ServiceBuilder::key_space).
/// - *Other stores*: a server on another store is refused by name and the others are asked
///   ([`ServerRefused`](crate::EventKind::ServerRefused)). A server is refused if its numbers of a
///   tag lie below those that another gave, if it names another store, or if it does not know what
///   another server has. PostgreSQL, MariaDB and MySQL name their history; SQLite, etcd and
///   ZooKeeper their file, cluster or key space.
/// - *Older numbers* from all servers fence the tag
///   ([`RangeRegressed`](crate::Code::RangeRegressed)). A second store that names nothing and has
///   higher numbers cannot be detected.
/// - *Tags* are made and raised by operators where the store is. Open a fenced segment anew after
///   that.
/// - *Opening* the store calls no server. Opening a segment fetches its first range, because only
///   that shows whether the service has the tag. A server that is down is reported by the first
///   call. Daily numbers and sequences are refused, because they make tags.
/// - *Threads*: up to four connections to each server, each with one call at a time; two are kept.
/// - *Fork*: a child opens its own connections and does not touch its parent's.
pub struct ServiceStore {
    endpoint: Endpoint,
    peers: PerProcess<Peers>,
    given: PerProcess<Given>,
    known: KnownKeySpace,
    /// True once the servers were asked for their key space.
    surveyed: PerProcess<AtomicBool>,
}

impl ServiceStore {
    /// Returns a builder for a store: describe the servers, then open it.
    pub fn builder() -> ServiceBuilder {
        ServiceBuilder::default()
    }

    fn open(builder: ServiceBuilder) -> Result<ServiceStore> {
        let known = KnownKeySpace::new(builder.key_space);
        let (endpoint, surveyed) = (Endpoint::new(builder)?, PerProcess::new());
        Ok(ServiceStore {
            endpoint,
            peers: PerProcess::new(),
            given: PerProcess::new(),
            known,
            surveyed,
        })
    }

    /// Returns the first answer that `admit` accepts, and its server. A question may be asked
    /// twice: a lost answer costs a range, or a worker ID until its lease is over.
    fn ask<T: DeserializeOwned>(
        &self,
        path: &str,
        question: &impl Serialize,
        call: &Call,
        admit: impl Fn(&T, &Server) -> Result<()>,
    ) -> Result<(T, Arc<Server>)> {
        let deadline = Deadline::after(call.within);
        let peers = self.peers.get_or_init(|| Peers::new(self.endpoint.list.first()));
        self.read_list(&peers, deadline);
        let mut turn = peers.order()?;
        self.survey(&turn, deadline)?;
        let question = Addressed::new(question, self.known.get());
        let mut asking = CallFailures::among(turn.len());
        let mut patience = (turn.len() > 1).then(|| peers.patience());
        loop {
            let mut late = Vec::new();
            let mut left = u32::try_from(turn.len()).unwrap_or(u32::MAX);
            for server in turn {
                let share = deadline.share(left);
                let share = patience.map_or(share, |patience| share.at_most(patience));
                let begun = Instant::now();
                let told = self.ask_one(&server, path, &question, share);
                let is_late = share.left().is_zero();
                let admitted = told.map(|told| admit(&told, &server).map(|()| told));
                match asking.note(&server, admitted, begun) {
                    Verdict::Acknowledged(told) => return Ok((told, server)),
                    Verdict::Refused(why) => return Err(why),
                    Verdict::GoesOn if is_late => late.push(server),
                    Verdict::GoesOn => {}
                }
                left -= 1;
            }
            // Nobody else answers, so the servers that may only be slow get the rest of the time.
            if patience.take().is_none() || late.is_empty() || deadline.left().is_zero() {
                break;
            }
            turn = late;
        }
        lock(&peers.reading).hurry();
        Err(asking.failure(lock(&peers.reading).last_error()))
    }

    /// Asks several servers for their key space, once and before anything else. Otherwise each
    /// process could settle on a different key space. A server that does not answer, or names none,
    /// is checked when it gives something.
    ///
    /// # Errors
    /// [`Code::IncarnationChanged`] if two servers name different key spaces.
    fn survey(&self, servers: &[Arc<Server>], deadline: Deadline) -> Result<()> {
        let surveyed = self.surveyed.get_or_init(AtomicBool::default);
        if servers.len() < 2 || self.known.get().is_some() || surveyed.load(Ordering::Relaxed) {
            return Ok(());
        }
        let mut first: Option<(&Server, KeySpaceId)> = None;
        for server in servers.iter().take(SURVEYED_MAX) {
            let within = deadline.at_most(SURVEY_WITHIN);
            let told = self.ask_one::<Which>(server, "/v1/key-space", &Nothing {}, within);
            let Ok(Which { key_space: Some(KeySpaceText(id)) }) = told else { continue };
            match first {
                Some(other) if other.1 != id => {
                    return Err(errors::key_spaces_differ(other, (&**server, id)));
                }
                _ => first = Some((&**server, id)),
            }
        }
        surveyed.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Refuses an answer of another key space than the known one.
    fn check_key_space(&self, told: Option<&KeySpaceText>, server: &Server) -> Result<()> {
        let checked = told.map_or(Ok(()), |KeySpaceText(id)| self.known.check(*id));
        checked.map_err(|why| errors::key_space_of_another(server, &why))
    }

    /// Reads the list of servers if it is due and no other call reads it. Without any server, waits
    /// for that other call.
    fn read_list(&self, peers: &Peers, deadline: Deadline) {
        let reading = match peers.reading.try_lock() {
            Ok(reading) => Some(reading),
            Err(_) if peers.is_empty() => Some(lock(&peers.reading)),
            Err(_) => None,
        };
        let news = reading.and_then(|mut it| it.read(&self.endpoint.list, peers, deadline));
        news.iter().for_each(deliver);
    }

    fn ask_one<T: DeserializeOwned>(
        &self,
        server: &Server,
        path: &str,
        question: &impl Serialize,
        deadline: Deadline,
    ) -> Result<T, Fault> {
        let _call = server.call();
        loop {
            let mut is_new = false;
            let connect = || {
                is_new = true;
                self.endpoint.connect_to(server, deadline)
            };
            let asked = server.connections.with(deadline, connect, |session| {
                let answer = session.ask((&self.endpoint, server), path, question, deadline);
                answer.inspect_err(|_| session.end())
            });
            match asked {
                // A kept connection had ended, or the token has changed: tries again with a new
                // connection.
                Err(Fault::LoggedOut(_)) if !is_new => {}
                asked => return asked,
            }
        }
    }

    fn given(&self) -> Arc<Given> {
        self.given.get_or_init(Given::default)
    }

    /// Returns the lease in a server's answer. The attempt becomes its token.
    fn lease(
        &self,
        path: &str,
        question: &impl Serialize,
        call: &Call,
        of: impl Fn(u32) -> Lease,
    ) -> Result<Lease> {
        let given = self.given();
        let admit = |told: &Leased, server: &Server| {
            self.check_key_space(told.key_space.as_ref(), server)?;
            let lease = of(told.worker_id);
            let what = format!("the worker IDs of {}", lease.realm);
            let admitted = given.realms.admit(&lease.realm, told.incarnation.as_deref(), server);
            admitted.map_err(|earlier| told.stranger(server, &what, &earlier))
        };
        let (told, server) = self.ask(path, question, call, admit)?;
        let lease = told.fill(of(told.worker_id));
        lease.ok_or_else(|| errors::strange_answer(&*server, "a lease"))
    }
}

impl WorkerStore for ServiceStore {
    fn acquire(&self, request: &LeaseRequest, call: &Call) -> Result<Lease> {
        request.check()?;
        let question = Acquire::new(request, call);
        let of = |id| Lease::new(&request.realm, id, &request.owner, call.attempt);
        self.lease("/v1/workers/acquire", &question, call, of)
    }

    fn renew(&self, lease: &Lease, reserve_ms: u32, call: &Call) -> Result<Lease> {
        check_reserve(reserve_ms)?;
        let question = Renew::new(lease, reserve_ms, call);
        let of = |worker_id| Lease { token: call.attempt, worker_id, ..lease.clone() };
        self.lease("/v1/workers/renew", &question, call, of)
    }

    fn release(&self, lease: &Lease, call: &Call) -> Result<()> {
        let any = |_: &Acknowledged, _: &Server| Ok(());
        self.ask("/v1/workers/release", &Held::new(lease), call, any)?;
        Ok(())
    }
}

impl WorkerAdmin for ServiceStore {}

impl TagAllocator for ServiceStore {
    fn knows_tags(&self) -> bool {
        false
    }

    fn reserve(&self, request: &AllocationRequest, call: &Call) -> Result<Allocation> {
        let AllocationRequest { tag, count } = request;
        let given = self.given();
        // Read before the request is sent: everything that is given afterwards lies above.
        let before = given.ends.get(tag);
        let path = format!("/v1/segments/{tag}/allocate");
        let admit = |told: &Granted, server: &Server| {
            let strange = || errors::strange_answer(server, "a range");
            let (start, ..) = told.numbers().ok_or_else(strange)?;
            self.check_key_space(told.key_space.as_ref(), server)?;
            if let Some(before) = before.as_ref().filter(|before| start < before.end) {
                let earlier = (&*before.server, before.end);
                return Err(errors::range_regressed(server, tag, start, earlier));
            }
            let admitted = given.tags.admit(tag, told.incarnation.as_deref(), server);
            admitted.map_err(|earlier| told.stranger(server, &format!("tag {tag}"), &earlier))
        };
        let (told, server) = self.ask(&path, &Allocate::new(*count), call, admit)?;
        let strange = || errors::strange_answer(&*server, "a range");
        let (start, end, stride, step) = told.numbers().ok_or_else(strange)?;
        let range = NumberRange::new(start, end, stride);
        let range = range.map_err(|error| strange().caused_by(error))?;
        given.ends.raise(tag, end, &server);
        let incarnation = told.incarnation.map(Into::into);
        let key_space = told.key_space.map(|KeySpaceText(id)| id);
        Ok(Allocation { incarnation, key_space, ..Allocation::new(range, step) })
    }
}

impl SegmentAdmin for ServiceStore {
    fn check_creation(&self) -> Result<()> {
        Err(errors::tags_of_days_not_created())
    }

    fn create_tag(&self, tag: &Tag, _: TagOptions) -> Result<()> {
        Err(errors::tag_not_created(tag))
    }
}

/// Shows no token.
impl fmt::Debug for ServiceStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let endpoint = self.endpoint.to_string();
        f.debug_struct("ServiceStore").field("place", &endpoint).finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
