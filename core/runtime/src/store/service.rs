//! Worker leases and segments of an ID service, `snowmint serve` with `leases.store`, by its
//! protocol: `core/service/PROTOCOL.md`.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;
use snowmint_engine::{Code, NumberRange};

use super::remote::deadline::Deadline;
use super::remote::members::Fault;
use super::{
    Allocation, AllocationRequest, Call, Lease, LeaseRequest, SegmentAdmin, Tag, TagAllocator,
    TagOptions, WorkerAdmin, WorkerStore, check_slab,
};
use crate::error::{Error, Result};
use crate::host::process::PerProcess;

mod builder;
mod ends;
mod fault;
mod messages;
mod peers;
mod place;
mod session;
mod url;

pub use self::builder::ServiceBuilder;
use self::ends::Ends;
use self::messages::{Acquire, Allocate, Given, Held, Leased, Renew, Told};
use self::peers::Peers;
use self::place::Place;
pub(crate) use self::url::{PARAMETERS, SECURED_PARAMETERS, builder_of};

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
/// - *Servers* of one store: each process has one of them, by lot, that it asks first; one that
///   fails is passed over for a while, and the next is asked within the same call. What was asked
///   of one that did not answer is asked of the next: a range more is lost so, and none repeated;
///   a lease is the same one.
/// - *Ranges* of a tag are the store's own, and rise over all servers. A server that gives numbers
///   below those that another had given is of another store, or that was put back: it is refused by
///   name, and the tag latches ([`RangeRegressed`](crate::Code::RangeRegressed)). A second store
///   whose numbers are above cannot be told.
/// - *Tags* are made by operators, where the store is, and raised there: a segment that latched is
///   opened anew then.
/// - *Opening* asks nobody: a server that is down, or a token that is wrong, is told of by the
///   first call.
/// - *Threads*: up to four connections to each server, each with one call at a time; two are kept.
/// - *Fork*: a child opens connections of its own and leaves its parent's alone.
pub struct ServiceStore {
    place: Place,
    peers: PerProcess<Peers>,
    ends: PerProcess<Ends>,
}

impl ServiceStore {
    /// A store of servers that are described first.
    pub fn builder() -> ServiceBuilder {
        ServiceBuilder::default()
    }

    fn open(builder: ServiceBuilder) -> Result<ServiceStore> {
        let place = Place::new(builder)?;
        Ok(ServiceStore { place, peers: PerProcess::new(), ends: PerProcess::new() })
    }

    /// What a server answers, and which one. Whatever is asked here may be asked twice: a lost
    /// answer costs a range, or is the same lease.
    fn ask<T: DeserializeOwned>(
        &self,
        path: &str,
        question: &impl Serialize,
        call: &Call,
    ) -> Result<(T, usize)> {
        let deadline = Deadline::after(call.within);
        let peers = self.peers.get_or_try_init(|| Peers::new(self.place.servers.count()))?;
        let order = peers.order();
        let (mut left, mut may_be_done, mut failure) = (order.len(), false, None);
        for server in order {
            let share = deadline.share(u32::try_from(left).unwrap_or(u32::MAX));
            match self.ask_one(&peers, server, path, question, share) {
                Ok(told) => {
                    peers.answered(server);
                    return Ok((told, server));
                }
                Err(fault @ (Fault::Unasked(_) | Fault::Passing(_))) => {
                    peers.failed(server);
                    may_be_done |= matches!(fault, Fault::Passing(_));
                    failure = Some(fault.error());
                }
                Err(fault) => return Err(fault.error()),
            }
            left -= 1;
        }
        let failure = failure.unwrap_or_else(fault::nobody);
        let fault = if may_be_done { Fault::Passing(failure) } else { Fault::Unasked(failure) };
        Err(fault.of_change())
    }

    fn ask_one<T: DeserializeOwned>(
        &self,
        peers: &Peers,
        server: usize,
        path: &str,
        question: &impl Serialize,
        deadline: Deadline,
    ) -> Result<T, Fault> {
        loop {
            let mut is_new = false;
            let connect = || {
                is_new = true;
                self.place.connect_to(server, deadline)
            };
            let asked = peers.connections(server).with(deadline, connect, |session| {
                let answer = session.ask(&self.place, path, question, deadline);
                answer.inspect_err(|_| session.end())
            });
            match asked {
                // A connection that was kept had ended, or the token has been changed since.
                Err(Fault::LoggedOut(_)) if !is_new => {}
                asked => return asked,
            }
        }
    }

    fn strange(&self, server: usize, what: &str) -> Error {
        fault::strange(self.place.servers.get(server), what)
    }

    /// The lease that a server answered with; the attempt is its token now.
    fn leased(&self, (told, server): (Leased, usize), lease: Lease) -> Result<Lease> {
        let filled = told.fill(lease);
        filled.ok_or_else(|| self.strange(server, "a lease"))
    }
}

impl WorkerStore for ServiceStore {
    fn acquire(&self, request: &LeaseRequest, call: &Call) -> Result<Lease> {
        request.check()?;
        let question = Acquire::new(request, call);
        let told: (Leased, usize) = self.ask("/v1/workers/acquire", &question, call)?;
        let worker_id = told.0.worker_id;
        let lease = Lease::new(&request.realm, worker_id, &request.owner, call.attempt);
        self.leased(told, lease)
    }

    fn renew(&self, lease: &Lease, slab_ms: u32, call: &Call) -> Result<Lease> {
        check_slab(slab_ms)?;
        let question = Renew::new(lease, slab_ms, call);
        let told: (Leased, usize) = self.ask("/v1/workers/renew", &question, call)?;
        let worker_id = told.0.worker_id;
        self.leased(told, Lease { token: call.attempt, worker_id, ..lease.clone() })
    }

    fn release(&self, lease: &Lease, call: &Call) -> Result<()> {
        let _: (Told, usize) = self.ask("/v1/workers/release", &Held::new(lease), call)?;
        Ok(())
    }
}

impl WorkerAdmin for ServiceStore {}

impl TagAllocator for ServiceStore {
    fn reserve(&self, request: &AllocationRequest, call: &Call) -> Result<Allocation> {
        let AllocationRequest { tag, count } = request;
        let ends = self.ends.get_or_init(Ends::default);
        // Known before it is asked: whatever is given from here on lies above.
        let before = ends.get(tag);
        let path = format!("/v1/segments/{tag}/allocate");
        let (told, server): (Given, usize) = self.ask(&path, &Allocate::new(*count), call)?;
        let (start, end, stride, step) =
            told.numbers().ok_or_else(|| self.strange(server, "a range"))?;
        if let Some(before) = before.filter(|before| start < before.end) {
            let (now, earlier) = (server, before.server);
            return Err(fault::regressed(
                &self.place.servers,
                tag,
                (now, start),
                (earlier, before.end),
            ));
        }
        let range = NumberRange::new(start, end, stride);
        let range = range.map_err(|error| self.strange(server, "a range").caused_by(error))?;
        ends.note(tag, end, server);
        Ok(Allocation::new(range, step))
    }
}

impl SegmentAdmin for ServiceStore {
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
        let place = self.place.to_string();
        f.debug_struct("ServiceStore").field("place", &place).finish_non_exhaustive()
    }
}
