//! Worker leases and segments of an ID service, `snowmint serve` with `leases.store`, by its
//! protocol: `core/service/PROTOCOL.md`.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;
use snowmint_engine::{Code, NumberRange};

use super::remote::deadline::Deadline;
use super::remote::members::Fault;
use super::{
    Allocation, AllocationRequest, Call, KeySpaceId, Known, Lease, LeaseRequest, SegmentAdmin, Tag,
    TagAllocator, TagOptions, WorkerAdmin, WorkerStore, check_reserve,
};
use crate::error::{Error, Result};
use crate::events::deliver;
use crate::host::process::PerProcess;

mod asking;
mod builder;
mod endpoint;
mod ends;
mod fault;
mod lists;
mod messages;
mod peers;
mod server;
mod session;
mod url;

use self::asking::{Asking, Verdict};
pub use self::builder::ServiceBuilder;
use self::endpoint::Endpoint;
use self::ends::Given;
pub use self::lists::ServerList;
use self::messages::{
    Acquire, Addressed, Allocate, Granted, Held, KeySpaceText, Leased, Nothing, Renew, Told, Which,
};
use self::peers::Peers;
use self::server::Server;
pub(crate) use self::url::{PARAMETERS, SECURED_PARAMETERS, builder_of};

/// So many servers are asked which key space they are of, each for so long.
const SURVEYED_MAX: usize = 16;
const SURVEY_WITHIN: Duration = Duration::from_millis(500);

/// Worker leases and segments of an ID service, for clients that mint themselves and reach no
/// database (`snowmint serve` with `leases.store`).
///
/// ```no_run
/// # fn main() -> snowmint::Result<()> {
/// let store = snowmint::ServiceStore::builder().server("a", 8064).server("b", 8064).open()?;
/// # Ok(())
/// # }
/// ```
///
/// - *Servers* of one store: the better of two that are drawn by lot is asked, by how quickly they
///   answered and how many calls are at them; one that fails is passed over for a while, and the next
///   is asked within the same call, as after half a second where one is slow. What was asked of one
///   that did not answer is asked of the next: a range more is lost so, or a worker ID is leased that
///   nobody uses, and nothing is repeated.
/// - *Lists* of servers may be in a file, in a name service or in etcd ([`ServerList`]): servers come
///   and go while the store is open.
/// - *Key spaces*: of several servers each is asked first which one it is of, and two that differ are
///   refused ([`IncarnationChanged`](crate::Code::IncarnationChanged)). From then on each question says
///   for which one it is, and a server of another gives nothing. Two processes that reach one server each can only know by a
///   [`key_space`](ServiceBuilder::key_space) that both were told.
/// - *Other stores*: a server on another one is refused by name and the others are asked
///   ([`ServerRefused`](crate::EventKind::ServerRefused)): one whose numbers of a tag lie below those
///   that another had given, that says so (PostgreSQL, MariaDB and MySQL tell which history they are
///   of, SQLite, etcd and ZooKeeper which file, cluster or key space), or that does not know what
///   another one has. Where all servers give older numbers the tag is
///   fenced ([`RangeRegressed`](crate::Code::RangeRegressed)). A second store that tells nothing, and
///   whose numbers are above, cannot be told.
/// - *Tags* are made by operators, where the store is, and raised there: a segment that was fenced is
///   opened anew then.
/// - *Opening* the store asks nobody. Opening a segment on it fetches the first range, as only that
///   tells whether the service has the tag; a server that is down is told of by the first call. Daily
///   numbers and sequences, which make tags, are refused.
/// - *Threads*: up to four connections to each server, each with one call at a time; two are kept.
/// - *Fork*: a child opens connections of its own and leaves its parent's alone.
pub struct ServiceStore {
    endpoint: Endpoint,
    peers: PerProcess<Peers>,
    given: PerProcess<Given>,
    known: Known,
    /// Whether the servers were asked which key space they are of.
    surveyed: PerProcess<AtomicBool>,
}

impl ServiceStore {
    /// A store of servers that are described first.
    pub fn builder() -> ServiceBuilder {
        ServiceBuilder::default()
    }

    fn open(builder: ServiceBuilder) -> Result<ServiceStore> {
        let known = Known::new(builder.key_space);
        let (endpoint, surveyed) = (Endpoint::new(builder)?, PerProcess::new());
        Ok(ServiceStore {
            endpoint,
            peers: PerProcess::new(),
            given: PerProcess::new(),
            known,
            surveyed,
        })
    }

    /// What a server answers that `admit` takes, and which one. Whatever is asked here may be asked
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
        let mut asking = Asking::among(turn.len());
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
                    Verdict::Told(told) => return Ok((told, server)),
                    Verdict::Refused(why) => return Err(why),
                    Verdict::GoesOn if is_late => late.push(server),
                    Verdict::GoesOn => {}
                }
                left -= 1;
            }
            // Those that may only be slow are waited for now, as nobody else answers.
            if patience.take().is_none() || late.is_empty() || deadline.left().is_zero() {
                break;
            }
            turn = late;
        }
        lock(&peers.reading).hurry();
        Err(asking.failure(lock(&peers.reading).last_error()))
    }

    /// Asks several servers, once and before anything else, which key space they are of: each process
    /// settles on one of them otherwise, and others on another. What does not answer, or does not tell,
    /// is checked once it gives something.
    ///
    /// # Errors
    /// [`Code::IncarnationChanged`] where two tell different ones.
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
                Some(other) if other.1 != id => return Err(fault::apart(other, (&**server, id))),
                _ => first = Some((&**server, id)),
            }
        }
        surveyed.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Whether an answer is of the key space that is known.
    fn check_key_space(&self, told: Option<&KeySpaceText>, server: &Server) -> Result<()> {
        let checked = told.map_or(Ok(()), |KeySpaceText(id)| self.known.check(*id));
        checked.map_err(|why| fault::of_another(server, &why))
    }

    /// Reads the list of servers if it is time and nobody else does. Who has no server waits.
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
                // A connection that was kept had ended, or the token has been changed since.
                Err(Fault::LoggedOut(_)) if !is_new => {}
                asked => return asked,
            }
        }
    }

    fn given(&self) -> Arc<Given> {
        self.given.get_or_init(Given::default)
    }

    /// The lease that a server answered with; the attempt is its token now.
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
        lease.ok_or_else(|| fault::strange(&server, "a lease"))
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
        let any = |_: &Told, _: &Server| Ok(());
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
        // Known before it is asked: whatever is given from here on lies above.
        let before = given.ends.get(tag);
        let path = format!("/v1/segments/{tag}/allocate");
        let admit = |told: &Granted, server: &Server| {
            let (start, ..) = told.numbers().ok_or_else(|| fault::strange(server, "a range"))?;
            self.check_key_space(told.key_space.as_ref(), server)?;
            if let Some(before) = before.as_ref().filter(|before| start < before.end) {
                let earlier = (&*before.server, before.end);
                return Err(fault::regressed(server, tag, start, earlier));
            }
            let admitted = given.tags.admit(tag, told.incarnation.as_deref(), server);
            admitted.map_err(|earlier| told.stranger(server, &format!("tag {tag}"), &earlier))
        };
        let (told, server) = self.ask(&path, &Allocate::new(*count), call, admit)?;
        let strange = || fault::strange(&server, "a range");
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
        let message = "an ID service makes no tags for its clients, and each day, or section of \
                       keys, needs one: give the service such a source and take its numbers there, \
                       at /v1/ids/NAME or /v1/sequences/NAME/KEY, or open it on the service's store";
        Err(Error::new(Code::Unsupported, message))
    }

    fn create_tag(&self, tag: &Tag, _: TagOptions) -> Result<()> {
        let message = format!(
            "an ID service makes no tags for its clients: where its store is, `snowmint segment \
             create STORE {tag}`"
        );
        Err(Error::new(Code::Unsupported, message))
    }
}

/// Without a token.
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
