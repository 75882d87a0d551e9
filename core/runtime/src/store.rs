//! What a store does: reserve time for worker IDs and numbers for tags, durably, in one place.
//!
//! A store is blocking and is called from scheduler threads, or from calls that say so. Whatever it
//! returns as done is durable. Any doubt about a commit (a timeout, a lost connection, a warning)
//! is [`Code::OutcomeUnknown`](snowmint_engine::Code::OutcomeUnknown): what may have been reserved
//! is given up, never used.

use std::sync::Arc;
use std::time::Duration;

use snowmint_engine::{Code, Layout, MAX_STEP, NumberRange};

use crate::error::{Error, Result};

mod asking;
#[cfg_attr(
    not(any(feature = "mysql", feature = "postgres", feature = "sqlite")),
    allow(dead_code, reason = "of databases alone")
)]
mod column;
#[cfg(any(feature = "mysql", feature = "postgres"))]
mod dialect;
#[cfg(any(
    feature = "etcd",
    feature = "mysql",
    feature = "postgres",
    feature = "redis",
    feature = "sqlite",
    feature = "zookeeper"
))]
mod doctor;
#[cfg(feature = "etcd")]
mod etcd;
#[cfg_attr(
    not(any(
        feature = "etcd",
        feature = "mysql",
        feature = "postgres",
        feature = "redis",
        feature = "service",
        feature = "sqlite",
        feature = "zookeeper"
    )),
    allow(dead_code, reason = "of what outlives a process alone")
)]
mod identity;
mod key_space;
mod leases;
mod memory;
mod migration;
mod moves;
#[cfg(feature = "mysql")]
mod mysql;
#[cfg(any(feature = "mysql", feature = "postgres"))]
mod parameters;
#[cfg(feature = "postgres")]
mod postgres;
mod realm;
#[cfg(feature = "redis")]
mod redis;
#[cfg_attr(
    not(any(feature = "mysql", feature = "postgres")),
    allow(dead_code, reason = "of databases with tables alone")
)]
#[cfg(any(
    feature = "etcd",
    feature = "mysql",
    feature = "postgres",
    feature = "redis",
    feature = "service",
    feature = "zookeeper"
))]
pub(crate) mod remote;
mod rows;
#[cfg(feature = "service")]
mod service;
#[cfg(feature = "sqlite")]
mod sqlite;
mod tag;
mod tag_allocator;
#[cfg(any(feature = "etcd", feature = "redis", feature = "zookeeper"))]
mod values;
#[cfg(feature = "zookeeper")]
mod zookeeper;

pub use self::tag::Tag;
pub(crate) use asking::{CALL_WITHIN, acquire, allocate, ensure_tag, release, renew, tag};
pub use asking::{allocate_one, allocate_one_within};
pub use column::Column;
pub(crate) use column::{Filling, Fills, Wanted};
#[cfg(any(feature = "mysql", feature = "postgres"))]
pub use dialect::Dialect;
#[cfg(any(feature = "mysql", feature = "postgres"))]
pub(crate) use dialect::Others;
#[cfg(feature = "etcd")]
pub use etcd::{EtcdBuilder, EtcdStore};
#[cfg(feature = "etcd")]
pub(crate) use etcd::{
    PARAMETERS as ETCD_PARAMETERS, SECURED_PARAMETERS as ETCDS_PARAMETERS,
    builder_of as etcd_builder,
};
#[cfg(feature = "sqlite")]
pub(crate) use identity::KEY_SPACE;
pub use identity::KeySpaceId;
pub(crate) use identity::Known;
#[cfg(any(feature = "mysql", feature = "postgres", feature = "sqlite"))]
pub(crate) use key_space::KeySpace;
pub(crate) use key_space::follows;
pub(crate) use leases::{Exhausted, check_reserve, lease_lost};
pub use leases::{Lease, LeaseRequest, WorkerRow};
pub use memory::MemoryStore;
pub use migration::{KeptIn, Migration};
#[cfg(any(feature = "mysql", feature = "postgres", feature = "sqlite"))]
pub(crate) use moves::{Adoption, moves_after, options_after};
pub use moves::{Move, move_tag};
#[cfg(feature = "mysql")]
pub use mysql::{MysqlBuilder, MysqlDialectBuilder, MysqlDialectStore, MysqlSslMode, MysqlStore};
#[cfg(feature = "mysql")]
pub(crate) use mysql::{PARAMETERS as MYSQL_PARAMETERS, builder_of as mysql_builder};
#[cfg(feature = "postgres")]
pub(crate) use postgres::{PARAMETERS as POSTGRES_PARAMETERS, builder_of as postgres_builder};
#[cfg(feature = "postgres")]
pub use postgres::{
    PostgresBuilder, PostgresDialectBuilder, PostgresDialectStore, PostgresStore, SslMode,
};
#[cfg(feature = "redis")]
pub(crate) use redis::{
    CLUSTER_PARAMETERS as REDIS_CLUSTER_PARAMETERS, Described as RedisDescribed,
    PARAMETERS as REDIS_PARAMETERS, SECURED_CLUSTER_PARAMETERS as REDISS_CLUSTER_PARAMETERS,
    SECURED_PARAMETERS as REDISS_PARAMETERS, builder_of as redis_builder,
    cluster_of as redis_cluster_builder, described as redis_described,
};
#[cfg(feature = "redis")]
pub use redis::{RedisBuilder, RedisCounters, RedisCountersBuilder, RedisStore};
#[cfg(any(feature = "mysql", feature = "postgres"))]
pub(crate) use rows::Judged;
#[cfg(any(feature = "mysql", feature = "postgres", feature = "sqlite"))]
pub(crate) use rows::not_changed;
#[cfg(any(feature = "mysql", feature = "postgres"))]
pub(crate) use rows::{LAST_NUMBER, next_falls};
pub use rows::{RefusedRow, TagChange, TagOptions, TagRow};
pub(crate) use rows::{can_meet, check_step, max_changes, tag_exists, unknown_tag};
#[cfg(any(feature = "mysql", feature = "postgres", feature = "redis", feature = "sqlite"))]
pub(crate) use rows::{tag_exhausted, tag_moved};
#[cfg(feature = "service")]
pub(crate) use service::{
    PARAMETERS as HTTP_PARAMETERS, SECURED_PARAMETERS as HTTPS_PARAMETERS,
    builder_of as service_builder,
};
#[cfg(feature = "service")]
pub use service::{ServerList, ServiceBuilder, ServiceStore};
#[cfg(feature = "sqlite")]
pub use sqlite::{SqliteBuilder, SqliteStore};
#[cfg(feature = "sqlite")]
pub(crate) use sqlite::{
    filling as sqlite_filling, is_of_an_application, numbers as sqlite_numbers,
};
pub use tag_allocator::TagAllocator;
#[cfg(feature = "zookeeper")]
pub(crate) use zookeeper::{
    Described as ZookeeperDescribed, PARAMETERS as ZOOKEEPER_PARAMETERS,
    SECURED_PARAMETERS as ZOOKEEPERS_PARAMETERS, described as zookeeper_described,
};
#[cfg(feature = "zookeeper")]
pub use zookeeper::{LeafNodes, LeafNodesBuilder, ZookeeperBuilder, ZookeeperStore};

/// The longest reservation of a generator: an hour, in milliseconds.
pub const MAX_RESERVE_MS: u32 = 3_600_000;
/// The most that a lease is asked to reserve, in milliseconds: a reservation, and a day by which the holder's
/// time may be ahead of its store's clock once that was set back. A jump ahead of more is not followed.
pub const MAX_RESERVE_AHEAD_MS: u32 = MAX_RESERVE_MS + 86_400_000;
/// The longest realm, and the longest owner of a lease, in bytes.
pub(crate) const MAX_NAME_LENGTH: usize = 255;

/// 128 random bits.
pub type Token = [u8; 16];

/// How a store is asked: what it is to keep to beside the request.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Call {
    /// Past this the caller no longer waits: the store gives up, and what became of the request is
    /// unknown.
    pub within: Duration,
    /// Names the attempt: of a renewal, a repeat after a lost answer has the same and succeeds again.
    pub attempt: Token,
}

impl Call {
    /// A call that may take so long.
    pub const fn new(within: Duration, attempt: Token) -> Call {
        Call { within, attempt }
    }
}

/// What a store calls the present incarnation of itself, where it can tell: one that was restored
/// or took another's place has another.
pub type Incarnation = Arc<str>;

/// Leases worker IDs.
///
/// For one realm and worker ID the intervals `[floor_ms, reserved_ms)` of all leases are disjoint
/// and rise, whatever any clock does: the floor is at or above every `reserved_ms` before it. The
/// store's clock decides only who may take a worker ID that is not renewed.
pub trait WorkerStore: Send + Sync {
    /// Takes a free worker ID; the attempt becomes the lease's token. Preferred are IDs whose
    /// reserved time is over, then unused ones, then those whose reserved time leaves at least a
    /// quarter of the reservation. Each call takes a worker ID of its own: two copies of a process, which
    /// ask with the same owner and attempt, get two. One whose answer is lost is held until its lease
    /// is over.
    ///
    /// # Errors
    /// [`Code::WorkersExhausted`]; [`Code::RealmMismatch`] where the key space makes IDs of another
    /// layout; or of the store.
    fn acquire(&self, request: &LeaseRequest, call: &Call) -> Result<Lease>;

    /// Reserves `reserve_ms` from the store's clock on; the attempt replaces the lease's token. A
    /// repeat of the same attempt succeeds again: its first answer may have been lost.
    ///
    /// # Errors
    /// [`Code::LeaseLost`] if epoch, owner or token are not the row's; or of the store.
    fn renew(&self, lease: &Lease, reserve_ms: u32, call: &Call) -> Result<Lease>;

    /// The longest reservation, beside what the holder's time is ahead of the store's clock: [`MAX_RESERVE_MS`]
    /// unless the store says less.
    fn reserve_max_ms(&self) -> u32 {
        MAX_RESERVE_MS
    }

    /// Ends a lease for good: it is not renewed, and the worker ID can be taken, above its reserved
    /// time, once that is [near enough](LeaseRequest::reach_ms). A lease that is lost already is no
    /// error.
    ///
    /// # Errors
    /// Of the store.
    fn release(&self, lease: &Lease, call: &Call) -> Result<()>;
}

/// What operators ask of a store of worker IDs; generators do not. A store that was not written
/// for it refuses with [`Code::Unsupported`].
pub trait WorkerAdmin: WorkerStore {
    /// Every row, by realm and worker ID.
    ///
    /// # Errors
    /// Of the store.
    fn workers(&self) -> Result<Vec<WorkerRow>> {
        Err(unsupported("list its worker IDs"))
    }

    /// The rows of a realm, by worker ID: of none of the others.
    ///
    /// # Errors
    /// Of the store.
    fn workers_of(&self, realm: &str) -> Result<Vec<WorkerRow>> {
        let mut rows = self.workers()?;
        rows.retain(|row| row.realm == realm);
        Ok(rows)
    }

    /// Which key space this is; `None` where the store does not tell.
    ///
    /// # Errors
    /// Of the store; [`Code::IncarnationChanged`] where it is not the one that this was given of.
    fn key_space(&self) -> Result<Option<KeySpaceId>> {
        Ok(None)
    }

    /// Has the key space make IDs of another layout, once all leases of the present one are over, and
    /// ends those for good. Nothing if it has that layout.
    ///
    /// # Errors
    /// [`Code::StoreLocked`] while time is reserved that is not over; [`Code::RealmMismatch`] where an
    /// ID of the new layout need not be above all of the one before: such a layout needs a key space of
    /// its own; or of the store.
    fn change_layout(&self, layout: &Layout) -> Result<()> {
        let _ = layout;
        Err(unsupported("change its layout"))
    }

    /// Ends whatever lease a worker ID has, for an operator who knows that its holder is gone; its
    /// reserved time stays reserved. `false` if there is no such row.
    ///
    /// # Errors
    /// Of the store.
    fn evict(&self, realm: &str, worker_id: u32) -> Result<bool> {
        let _ = (realm, worker_id);
        Err(unsupported("evict"))
    }
}

/// Of a store that does not tell its incarnations apart.
pub(crate) fn nothing_to_vouch_for() -> Error {
    unsupported("tell whether it took another's place: there is nothing to vouch for")
}

fn unsupported(what: &str) -> Error {
    Error::new(Code::Unsupported, format!("this store cannot {what}"))
}

/// An operator's word after a failover: what the store has is all that was ever given, once it is
/// raised by this, and new tags begin where this says.
///
/// ```
/// let vouch = snowmint::Vouch::new(100).new_from(1_000_000);
/// # assert_eq!((vouch.raise_by_steps, vouch.new_from, vouch.all), (100, Some(1_000_000), false));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Vouch {
    /// Which server the word is for, as its refusals name it: another one refuses it. Whichever
    /// answers unless set, which may be a third one if the call is repeated.
    pub server: Option<Incarnation>,
    /// By how many steps each tag is raised first whose ranges may have been lost: [`MAX_STEP`] at
    /// most, 0 where none was. A step is as long as the tag's last range where that was longer; a
    /// range that was lost is as long as whoever took it asked for.
    pub raise_by_steps: u64,
    /// Where tags begin that are made from now on, if not above: above all that was given of any
    /// tag that was lost. The largest one holds until 0, which is safe once each lost tag is there
    /// again, or never comes; as it was unless set.
    pub new_from: Option<u64>,
    /// Whether each tag is raised, and not only those that are refused: where the store cannot see
    /// what was lost.
    pub all: bool,
}

impl Vouch {
    /// With each tag raised by so many steps whose ranges may have been lost.
    #[must_use]
    pub fn new(raise_by_steps: u64) -> Vouch {
        Vouch { server: None, raise_by_steps, new_from: None, all: false }
    }

    /// For this server alone.
    #[must_use]
    pub fn server(self, server: impl Into<Option<Incarnation>>) -> Vouch {
        Vouch { server: server.into(), ..self }
    }

    /// With new tags that begin there, if not above.
    #[must_use]
    pub fn new_from(self, new_from: impl Into<Option<u64>>) -> Vouch {
        Vouch { new_from: new_from.into(), ..self }
    }

    /// With each tag raised, or only those that are refused.
    #[must_use]
    pub fn all(self, all: bool) -> Vouch {
        Vouch { all, ..self }
    }

    /// Checks every number against its limit.
    ///
    /// # Errors
    /// [`Code::InvalidParameter`], [`Code::InvalidRange`].
    pub fn check(&self) -> Result<()> {
        let steps = self.raise_by_steps;
        if steps > MAX_STEP {
            let message = format!("tags are not raised by {steps} steps: use up to {MAX_STEP}");
            return Err(Error::new(Code::InvalidParameter, message));
        }
        TagChange::default().next(self.new_from).check()
    }
}

/// Asks for numbers of a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AllocationRequest {
    /// The tag.
    pub tag: Tag,
    /// How many numbers; the tag's configured step for `None`.
    pub count: Option<u64>,
}

impl AllocationRequest {
    /// So many numbers of a tag; its configured step for `None`.
    pub fn new(tag: Tag, count: impl Into<Option<u64>>) -> AllocationRequest {
        AllocationRequest { tag, count: count.into() }
    }
}

/// A range, and the step its tag has now.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Allocation {
    /// The numbers, the caller's alone.
    pub range: NumberRange,
    /// The tag's configured step.
    pub step: u64,
    /// Which incarnation of the store granted it; `None` where it does not tell.
    pub incarnation: Option<Incarnation>,
    /// The key space that it is of; `None` where the store does not tell.
    pub key_space: Option<KeySpaceId>,
}

impl Allocation {
    /// A range of a store that tells neither its incarnation nor its key space.
    pub const fn new(range: NumberRange, step: u64) -> Allocation {
        Allocation { range, step, incarnation: None, key_space: None }
    }
}

/// Reserves ranges of numbers.
///
/// The ranges of a tag are disjoint and rise. The store does the arithmetic, in one transaction. One
/// that takes a single tag at a time is a [`TagAllocator`].
pub trait SegmentStore: Send + Sync {
    /// Reserves the next numbers of several tags, in one round trip: an answer for each request, in
    /// their order. Near the largest number a range is shorter.
    ///
    /// # Errors
    /// Of the store, for all requests. For one of them [`Code::UnknownTag`], [`Code::InvalidStep`],
    /// [`Code::TagExhausted`], or [`Code::IncarnationChanged`] where the store may lack ranges that
    /// it gave: the others have theirs.
    fn allocate(
        &self,
        requests: &[AllocationRequest],
        call: &Call,
    ) -> Result<Vec<Result<Allocation>>>;

    /// The row of a tag; `None` if there is none.
    ///
    /// # Errors
    /// Of the store.
    fn tag(&self, tag: &Tag) -> Result<Option<TagRow>>;

    /// Whether [`tag`](Self::tag) tells if there is one: it does unless the store says no. Opening a
    /// segment of one that does not fetches the first range, which tells it.
    fn tells_tags(&self) -> bool {
        true
    }

    /// Whether [`tag`](Self::tag) tells that an operator raised one, so that a segment whose ranges
    /// went back goes on: it does unless the store says no.
    fn tells_raises(&self) -> bool {
        true
    }
}

/// What operators ask of a store of numbers, and sources that make their own tags. A store that
/// was not written for it refuses with [`Code::Unsupported`].
pub trait SegmentAdmin: SegmentStore {
    /// Adds a tag.
    ///
    /// # Errors
    /// [`Code::TagExists`], [`Code::InvalidStep`], [`Code::InvalidRange`],
    /// [`Code::IncarnationChanged`] where the store may have lost that very tag; or of the store.
    fn create_tag(&self, tag: &Tag, options: TagOptions) -> Result<()> {
        let _ = (tag, options);
        Err(unsupported("create tags"))
    }

    /// Adds a tag that may be there already, and is then left as it is, with options of its own. Whether
    /// it was added.
    ///
    /// # Errors
    /// Those of [`create_tag`](Self::create_tag), but [`Code::TagExists`].
    fn ensure_tag(&self, tag: &Tag, options: TagOptions) -> Result<bool> {
        match self.create_tag(tag, options) {
            Err(error) if error.code() == Code::TagExists => Ok(false),
            created => created.map(|()| true),
        }
    }

    /// Whether sources can make tags of their own here: asked before one is opened that does.
    ///
    /// # Errors
    /// [`Code::Unsupported`].
    fn check_creation(&self) -> Result<()> {
        Ok(())
    }

    /// Whether tags that are made here go by themselves some time later, and would then begin again.
    /// Sources make none there whose time is over.
    fn lets_tags_go(&self) -> bool {
        false
    }

    /// Changes a tag and returns its row.
    ///
    /// # Errors
    /// [`Code::UnknownTag`], [`Code::InvalidStep`], [`Code::RangeRegressed`] for a `next` below
    /// the present one, [`Code::InvalidRange`] above the largest number; or of the store.
    fn change_tag(&self, tag: &Tag, change: TagChange) -> Result<TagRow> {
        let _ = (tag, change);
        Err(unsupported("change tags"))
    }

    /// Closes a tag, as one range more would be taken, and returns its row: the first half
    /// of [`move_tag`]. Of a tag that is closed the row says by which move.
    ///
    /// # Errors
    /// Those of a range; [`Code::Unsupported`].
    fn close_for_move(&self, tag: &Tag, moving: &Move<'_>) -> Result<TagRow> {
        let _ = (tag, moving);
        Err(unsupported("have its tags go on elsewhere"))
    }

    /// Whether tags of other stores can go on here: asked before one is closed for it.
    ///
    /// # Errors
    /// [`Code::Unsupported`].
    fn check_arrival(&self) -> Result<()> {
        Err(unsupported("go on with tags of another"))
    }

    /// Has a tag go on here of which this row was closed elsewhere, and returns its row: the second
    /// half of [`move_tag`]. Done again, it changes nothing.
    ///
    /// # Errors
    /// [`Code::TagExists`] of a tag with numbers of its own, [`Code::TagMoved`] of one that has left
    /// again, those of [`create_tag`](Self::create_tag); [`Code::Unsupported`].
    fn adopt_moved(&self, closed: &TagRow) -> Result<TagRow> {
        let _ = closed;
        Err(unsupported("go on with tags of another"))
    }

    /// Every row, by tag, but those of [`refused_rows`](Self::refused_rows).
    ///
    /// # Errors
    /// Of the store.
    fn tags(&self) -> Result<Vec<TagRow>> {
        Err(unsupported("list its tags"))
    }

    /// Rows of another generator that give no range, each with why: none of snowmint's own.
    ///
    /// # Errors
    /// Of the store.
    fn refused_rows(&self) -> Result<Vec<RefusedRow>> {
        Ok(Vec::new())
    }

    /// Ends every [`Code::IncarnationChanged`] of tags and of their making, on an operator's word:
    /// in one transaction, the tags that may have lost ranges are raised, and the present
    /// incarnation of the store goes on with all it has. Returns the rows of those tags, by tag.
    /// Unless all are to be, no tag is raised that is not refused.
    ///
    /// # Errors
    /// [`Code::IncarnationChanged`] where another server answers than the one that is named, and
    /// nothing is done; [`Code::InvalidParameter`], [`Code::InvalidRange`]; [`Code::Unsupported`] by
    /// a store that does not tell its incarnations apart; or of the store.
    fn vouch(&self, vouch: &Vouch) -> Result<Vec<TagRow>> {
        let _ = vouch;
        Err(nothing_to_vouch_for())
    }
}

/// A store of both kinds, as [`open_store`](crate::open_store) gives it.
pub trait Store: WorkerAdmin + SegmentAdmin {}

impl<S: WorkerAdmin + SegmentAdmin> Store for S {}
