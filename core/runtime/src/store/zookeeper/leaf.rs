//! Existing nodes of Leaf's servers in ZooKeeper. Each address has a persistent sequential node,
//! which holds a time; its number is the worker ID.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use snowmint_engine::Code;

use super::endpoint::Endpoint;
use super::ensemble::{CLOCK, Ensemble};
use super::errors;
use super::messages::{Question, Refusal, State};
use crate::error::{Error, Result};
use crate::findings::Finding;
use crate::host::mark::{MarkFile, Missing};
use crate::host::process::PerProcess;
use crate::host::{Clock as _, System};
use crate::store::doctor::rows;
use crate::store::remote::deadline::Deadline;
use crate::store::remote::members::Fault;
use crate::store::values::errors::contended;
use crate::store::{
    Allocation, AllocationRequest, CALL_WITHIN, Call, Lease, LeaseRequest, SegmentAdmin,
    SegmentStore, Tag, TagOptions, TagRow, WorkerAdmin, WorkerRow, WorkerStore, check_reserve,
    lease_lost,
};

mod builder;
mod cache;
mod clocks;
mod endpoint;

pub use self::builder::LeafNodesBuilder;
use self::cache::Cache;
use self::endpoint::{Address, NodeTime};

/// The node above Leaf's own nodes.
const FOREVER: &str = "forever";
/// The longest reservation of a renewal in milliseconds: a process that starts again at an address
/// waits until it is over. Renewals come after a third of it, so nodes are written at least as
/// often as Leaf does.
const RESERVE_MAX_MS: u32 = 3_000;
/// A renewal begins with two thirds of a lease left. After half of that time without ZooKeeper, the
/// lease continues by the cache.
const AWAY_WITHIN: Duration = Duration::from_millis(RESERVE_MAX_MS as u64 / 3);
/// A Leaf server may have issued IDs for this long after the time in its node.
const REPORT_MS: i64 = 3_000;
/// The rounds to find a node: the first makes a missing node, the second reads it.
const MADE_AND_READ: usize = 2;

/// Worker IDs from the nodes of Leaf's servers, which can run beside snowmint. The node of
/// `host:port` keeps its number for ever. No two processes may have an address at the same time.
///
/// - *Nodes*: `/snowflake/{leaf.name}/forever/{host:port}-{number}` holds JSON that Leaf can read.
///   Its `timestamp` is the time up to which IDs may go, written before that time is used. Each
///   write names the version that was read, so of two snowmint processes with one address, one
///   loses its lease and no ID repeats. Leaf's servers do not check, so none may have that address
///   at the same time. `/snowflake/{leaf.name}/clock` is snowmint's, and tells the leader's time.
/// - *Start*: IDs begin above the time in the node, plus 3 s if Leaf wrote it. A clock is refused
///   if it is more than 5 s off the average of the servers that wrote in the last 10 s
///   ([`ClockDiffers`](crate::Code::ClockDiffers)).
/// - *Without ZooKeeper*: with a [`cache`](LeafNodesBuilder::cache), a process uses its last worker
///   ID again, above the time reserved in the cache and by this machine's clock. A process whose
///   clock was refused cannot start this way, and one whose clock is behind the reservation waits.
///   A clock that went ahead is noticed at the earliest when ZooKeeper is back. If another process
///   gets the address meanwhile, IDs repeat.
/// - *Worker IDs* are never given again: a layout of ten bits has room for 1,024 addresses.
/// - *Threads, forks*: a process has one lease. A child does not inherit it, and waits for the time
///   that its parent reserved for the address.
pub struct LeafNodes {
    ensemble: Ensemble,
    address: Address,
    cache: Option<Cache>,
    standing: PerProcess<Mutex<Option<Standing>>>,
}

/// A lease, with its node and its mark file.
struct Standing {
    lease: Lease,
    /// The moment when the lease is over unless it is renewed.
    ends: Instant,
    /// The node of the lease; `None` if ZooKeeper has not answered since the start.
    node: Option<Node>,
    mark: Option<MarkFile>,
}

/// A node and the version that we read or wrote.
#[derive(Clone)]
struct Node {
    path: String,
    version: i32,
}

/// The node of an address, and until when its last user may use the worker ID.
struct Found {
    node: Node,
    worker_id: i64,
    over_ms: i64,
}

impl LeafNodes {
    fn open(builder: LeafNodesBuilder) -> Result<LeafNodes> {
        let LeafNodesBuilder { zookeeper, address, cache } = builder;
        Ok(LeafNodes {
            address: Address::parse(&address)?,
            cache: cache.as_deref().map(Cache::new).transpose()?,
            ensemble: Ensemble::new(Endpoint::new(zookeeper)?),
            standing: PerProcess::new(),
        })
    }

    /// Returns how long to wait for ZooKeeper. With a cache, the wait ends before the lease does.
    fn deadline(&self, call: &Call) -> Deadline {
        let within = self.cache.as_ref().map_or(call.within, |_| call.within.min(AWAY_WITHIN));
        Deadline::after(within)
    }

    fn forever(&self) -> String {
        self.ensemble.endpoint.path(FOREVER)
    }

    fn examine(&self) -> Vec<Finding> {
        let deadline = Deadline::after(CALL_WITHIN);
        let agreed = self.now_ms(deadline).and_then(|now_ms| {
            let nodes = self.nodes(deadline)?;
            let others = nodes.iter().filter(|it| endpoint::number(&it.0, &self.address).is_none());
            let peers = others.map(|(_, data, state)| (data.as_str(), *state));
            clocks::check(System.now_ms(), now_ms, clocks::of_peers(peers, now_ms))
        });
        let clock = match agreed {
            Ok(()) => Finding::ok("clock", "it agrees with those of the others, if there are any"),
            Err(error) => Finding::failed("clock", &error),
        };
        std::iter::once(clock).chain(rows::of_workers(self.workers())).collect()
    }

    fn standing(&self) -> Arc<Mutex<Option<Standing>>> {
        self.standing.get_or_init(Mutex::default)
    }

    /// Returns the leader's time. Makes the clock's node and those above Leaf's if they are
    /// missing.
    fn now_ms(&self, deadline: Deadline) -> Result<i64> {
        let (ensemble, clock) = (&self.ensemble, self.ensemble.endpoint.path(CLOCK));
        let asked = |deadline| {
            ensemble.with_session(deadline, |session| ensemble.now_ms(session, deadline))
        };
        let mut now_ms = ensemble.endpoint.members.any(deadline, asked).map_err(Fault::error)?;
        if now_ms.is_none() {
            ensemble.create_all(&self.forever(), deadline)?;
            ensemble.create_all(&clock, deadline)?;
            now_ms = ensemble.endpoint.members.any(deadline, asked).map_err(Fault::error)?;
        }
        now_ms.ok_or_else(|| contended(&clock))
    }

    /// Returns all nodes with their names.
    fn nodes(&self, deadline: Deadline) -> Result<Vec<(String, String, State)>> {
        let (ensemble, above) = (&self.ensemble, self.forever());
        let asked = |deadline| {
            ensemble.with_session(deadline, |session| {
                let questions = [Question::Sync(&above), Question::Children(&above)];
                let [_, names] = ensemble.ask(session, &questions, deadline)?;
                let names = ensemble.names(session, &above, names)?;
                ensemble.below(session, &above, names, deadline)
            })
        };
        ensemble.endpoint.members.any(deadline, asked).map_err(Fault::error)
    }

    /// Checks the clock and returns the node of our address. Makes that node if it is missing.
    fn found(&self, now_ms: i64, deadline: Deadline) -> Result<Found> {
        let number = |name: &str| endpoint::number(name, &self.address);
        for _ in 0..MADE_AND_READ {
            let (own, peers): (Vec<_>, Vec<_>) =
                self.nodes(deadline)?.into_iter().partition(|(name, ..)| number(name).is_some());
            let peers = peers.iter().map(|(_, data, state)| (data.as_str(), *state));
            clocks::check(System.now_ms(), now_ms, clocks::of_peers(peers, now_ms))?;
            // A lost answer can leave two nodes of our address. The one that was made first counts.
            let Some((name, data, state)) = own.into_iter().min_by_key(|(name, ..)| number(name))
            else {
                self.make(now_ms, deadline)?;
                continue;
            };
            let path = format!("{}/{name}", self.forever());
            let foreign = || errors::node_foreign(&path);
            let over_ms = match endpoint::node_time(&data).ok_or_else(foreign)? {
                NodeTime::Reserved(ms) => ms,
                NodeTime::Reported(ms) => ms.saturating_add(REPORT_MS),
            };
            let worker_id = number(&name).ok_or_else(foreign)?;
            return Ok(Found { node: Node { path, version: state.version }, worker_id, over_ms });
        }
        Err(contended(self.forever()))
    }

    fn make(&self, now_ms: i64, deadline: Deadline) -> Result<()> {
        let path = format!("{}/{}", self.forever(), self.address.prefix());
        let (data, owner) =
            (&endpoint::reserved(&self.address, now_ms), self.ensemble.endpoint.owner());
        let create = Question::Create { path: &path, data, owner, is_numbered: true };
        self.ensemble.change(&path, &create, &[], deadline).map(drop)
    }

    /// Writes until when a node's worker ID may be used. Returns the new version, or `None` if
    /// somebody else changed the node.
    fn written(&self, node: &Node, until_ms: i64, deadline: Deadline) -> Result<Option<Node>> {
        let (Node { path, version }, data) = (node, &endpoint::reserved(&self.address, until_ms));
        let set = Question::Set { path, data, version: *version };
        let others = [Refusal::OTHER_VERSION, Refusal::NO_NODE];
        let refused = self.ensemble.change(path, &set, &others, deadline)?;
        Ok(refused.is_none().then(|| Node { path: path.clone(), version: version + 1 }))
    }

    fn by_node(&self, request: &LeaseRequest, call: &Call) -> Result<Standing> {
        let deadline = self.deadline(call);
        let now_ms = self.now_ms(deadline)?;
        let Found { node, worker_id, over_ms } = self.found(now_ms, deadline)?;
        let worker_id = self.within(worker_id, request)?;
        let keep = |cache: &Cache| {
            let mark = cache.mark(&request.realm, worker_id, Missing::Make)?;
            cache.note(worker_id)?;
            Ok::<_, Error>(mark)
        };
        let mark = self.cache.as_ref().map(keep).transpose()?;
        let kept_ms = mark.as_ref().and_then(MarkFile::reserved_ms).unwrap_or(over_ms);
        let lease = self.lease(request, call, worker_id, over_ms.max(kept_ms), now_ms)?;
        let node = self.written(&node, lease.reserved_ms, deadline)?;
        let node = Some(node.ok_or_else(|| contended(self.forever()))?);
        Standing::new(lease, node, mark)
    }

    /// Takes a lease by the worker ID and the reservation that this machine keeps.
    fn by_cache(&self, cache: &Cache, request: &LeaseRequest, call: &Call) -> Result<Standing> {
        let worker_id = self.within(cache.worker_id()?.into(), request)?;
        let mark = cache.mark(&request.realm, worker_id, Missing::Refuse)?;
        mark.check_used()?;
        let (over_ms, now_ms) = (mark.reserved_ms().unwrap_or(i64::MAX), System.now_ms());
        let lease = self.lease(request, call, worker_id, over_ms, now_ms)?;
        Standing::new(lease, None, Some(mark))
    }

    /// Makes a lease of a worker ID that its last user may use until `over_ms`.
    fn lease(
        &self,
        request: &LeaseRequest,
        call: &Call,
        worker_id: u32,
        over_ms: i64,
        now_ms: i64,
    ) -> Result<Lease> {
        if over_ms > now_ms.saturating_add(request.reach_ms()) {
            return Err(self.taken(request, worker_id, over_ms.saturating_sub(now_ms)));
        }
        let floor_ms = over_ms.max(now_ms);
        let reserved_ms = now_ms.saturating_add(request.reserve_ms.into()).max(floor_ms + 1);
        let lease = Lease::new(&request.realm, worker_id, &request.owner, call.attempt);
        Ok(Lease { epoch: 1, floor_ms, reserved_ms, now_ms, ..lease })
    }

    fn taken(&self, request: &LeaseRequest, worker_id: u32, free_in_ms: i64) -> Error {
        errors::address_in_use(&self.address, worker_id, &request.realm, free_in_ms)
    }

    /// Returns a node's number as a worker ID, if the request allows it.
    fn within(&self, number: i64, request: &LeaseRequest) -> Result<u32> {
        let known = u32::try_from(number).ok();
        if let Some(worker_id) = known.filter(|it| request.allows(*it)) {
            return Ok(worker_id);
        }
        Err(match known == request.avoid {
            true => errors::no_other_worker_id(&self.address, number),
            false => errors::number_too_large(&self.address, number, request.max_worker_id),
        })
    }

    /// Reserves more time in the node.
    fn more(&self, it: &Standing, reserve_ms: u32, call: &Call) -> Result<(Lease, Node)> {
        let deadline = self.deadline(call);
        let now_ms = self.now_ms(deadline)?;
        let node = match &it.node {
            Some(node) => node.clone(),
            None => {
                let Found { node, worker_id, over_ms } = self.found(now_ms, deadline)?;
                let is_ours = worker_id == i64::from(it.lease.worker_id);
                if !is_ours || over_ms > it.lease.reserved_ms {
                    return Err(lease_lost(&it.lease));
                }
                node
            }
        };
        let lease = extended(&it.lease, now_ms, reserve_ms, call);
        match self.written(&node, lease.reserved_ms, deadline)? {
            Some(node) => Ok((lease, node)),
            None => Err(lease_lost(&it.lease)),
        }
    }
}

impl Standing {
    /// Writes the reservation to the mark file first, if there is one.
    fn new(lease: Lease, node: Option<Node>, mut mark: Option<MarkFile>) -> Result<Standing> {
        keep(mark.as_mut(), &lease)?;
        Ok(Standing { ends: end_of(&lease), lease, node, mark })
    }

    /// Continues with a lease that has more time, after writing it to the mark file.
    fn goes_on(&mut self, lease: Lease, node: Option<Node>) -> Result<Lease> {
        self.node = node;
        keep(self.mark.as_mut(), &lease)?;
        (self.ends, self.lease) = (end_of(&lease), lease);
        Ok(self.lease.clone())
    }
}

/// Writes the reservation to the mark file: the next start knows it even without ZooKeeper.
fn keep(mark: Option<&mut MarkFile>, lease: &Lease) -> Result<()> {
    mark.map_or(Ok(()), |mark| mark.reserve(lease.reserved_ms))
}

/// Returns the end of a lease by the monotonic clock.
fn end_of(lease: &Lease) -> Instant {
    let left_ms = u64::try_from(lease.reserved_ms.saturating_sub(lease.now_ms)).unwrap_or(0);
    Instant::now() + Duration::from_millis(left_ms)
}

/// Returns the lease with more time.
fn extended(lease: &Lease, now_ms: i64, reserve_ms: u32, call: &Call) -> Lease {
    let reserved_ms = lease.reserved_ms.max(now_ms.saturating_add(reserve_ms.into()));
    Lease { token: call.attempt, reserved_ms, now_ms, ..lease.clone() }
}

/// Returns true if no answer came.
fn is_away(error: &Error) -> bool {
    matches!(error.code(), Code::StoreUnavailable | Code::OutcomeUnknown)
}

fn locked(standing: &Mutex<Option<Standing>>) -> MutexGuard<'_, Option<Standing>> {
    standing.lock().unwrap_or_else(PoisonError::into_inner)
}

impl WorkerStore for LeafNodes {
    fn acquire(&self, request: &LeaseRequest, call: &Call) -> Result<Lease> {
        request.check()?;
        let standing = self.standing();
        let mut standing = locked(&standing);
        if let Some(Standing { lease, ends, .. }) = &*standing {
            let left_ms = ends.saturating_duration_since(Instant::now()).as_millis();
            self.within(lease.worker_id.into(), request)?;
            if left_ms > 0 {
                let left_ms = i64::try_from(left_ms).unwrap_or(i64::MAX);
                return Err(self.taken(request, lease.worker_id, left_ms));
            }
        }
        // Closed first, because this process still locks its mark file.
        drop(standing.take());
        let new = match (self.by_node(request, call), &self.cache) {
            (Err(error), Some(cache)) if is_away(&error) && cache.is_there() => {
                self.by_cache(cache, request, call)
            }
            (done, _) => done,
        };
        Ok(standing.insert(new?).lease.clone())
    }

    fn renew(&self, lease: &Lease, reserve_ms: u32, call: &Call) -> Result<Lease> {
        check_reserve(reserve_ms)?;
        let standing = self.standing();
        let mut standing = locked(&standing);
        let Some(it) = standing.as_mut().filter(|it| it.lease.owner == lease.owner) else {
            return Err(lease_lost(lease));
        };
        if it.lease.token == call.attempt {
            return Ok(it.lease.clone());
        }
        if it.lease.token != lease.token {
            return Err(lease_lost(lease));
        }
        match self.more(it, reserve_ms, call) {
            Ok((more, node)) => it.goes_on(more, Some(node)),
            Err(error) if is_away(&error) && it.mark.is_some() => {
                let (more, node) =
                    (extended(&it.lease, System.now_ms(), reserve_ms, call), it.node.take());
                it.goes_on(more, node)
            }
            Err(error) => {
                if error.code() == Code::LeaseLost {
                    *standing = None;
                }
                Err(error)
            }
        }
    }

    fn release(&self, lease: &Lease, _: &Call) -> Result<()> {
        let standing = self.standing();
        let mut standing = locked(&standing);
        standing.take_if(|it| it.lease.token == lease.token);
        Ok(())
    }

    fn reserve_max_ms(&self) -> u32 {
        RESERVE_MAX_MS
    }
}

impl WorkerAdmin for LeafNodes {
    fn workers(&self) -> Result<Vec<WorkerRow>> {
        let deadline = Deadline::after(CALL_WITHIN);
        let now_ms = self.now_ms(deadline)?;
        let realm = self.ensemble.endpoint.root.trim_start_matches('/');
        let row = |(name, data, _): &(String, String, State)| {
            let (address, number) = name.rsplit_once('-')?;
            let (NodeTime::Reserved(ms) | NodeTime::Reported(ms)) = endpoint::node_time(data)?;
            let row = WorkerRow::new(realm, number.parse().ok()?, address);
            Some(WorkerRow { reserved_ms: ms, expires_ms: ms, held: ms > now_ms, ..row })
        };
        let mut rows: Vec<_> = self.nodes(deadline)?.iter().filter_map(row).collect();
        rows.sort_by_key(|row| row.worker_id);
        Ok(rows)
    }
}

impl SegmentStore for LeafNodes {
    fn allocate(&self, _: &[AllocationRequest], _: &Call) -> Result<Vec<Result<Allocation>>> {
        Err(errors::leaf_without_numbers())
    }

    fn tag(&self, _: &Tag) -> Result<Option<TagRow>> {
        Err(errors::leaf_without_numbers())
    }
}

impl SegmentAdmin for LeafNodes {
    fn create_tag(&self, _: &Tag, _: TagOptions) -> Result<()> {
        Err(errors::leaf_without_numbers())
    }
}

/// Shows no password.
impl fmt::Debug for LeafNodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (endpoint, address) = (self.ensemble.endpoint.to_string(), self.address.to_string());
        f.debug_struct("LeafNodes")
            .field("place", &endpoint)
            .field("address", &address)
            .finish_non_exhaustive()
    }
}
