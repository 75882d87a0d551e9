//! Stores: they durably reserve time for worker IDs and numbers for tags, in one place.
//!
//! A store blocks its caller. Scheduler threads call it, and functions that are documented to
//! block. What a store reports as done is durable. If a commit is in doubt (a timeout, a lost
//! connection, a warning), the store returns
//! [`Code::OutcomeUnknown`](snowmint_engine::Code::OutcomeUnknown). The caller then gives up what
//! may have been reserved and never uses it.

use std::sync::Arc;
use std::time::Duration;

use snowmint_engine::{Code, Layout, MAX_NUMBER, MAX_STEP, NumberRange};

use crate::error::Result;

mod asking;
mod column;
mod config;
#[cfg(any(feature = "mysql", feature = "postgres"))]
mod dialect;
mod doctor;
mod errors;
#[cfg(feature = "etcd")]
pub(crate) mod etcd;
mod identity;
mod key_space;
mod leases;
mod memory;
mod migration;
mod moves;
#[cfg(feature = "mysql")]
pub(crate) mod mysql;
pub(crate) mod opened;
mod parameters;
#[cfg(feature = "postgres")]
pub(crate) mod postgres;
mod realm;
#[cfg(feature = "redis")]
pub(crate) mod redis;
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
pub(crate) mod scheme;
#[cfg(feature = "service")]
pub(crate) mod service;
#[cfg(feature = "sessions")]
pub mod sessions;
mod sql;
#[cfg(feature = "sqlite")]
pub(crate) mod sqlite;
mod tag;
mod tag_allocator;
#[cfg(any(feature = "etcd", feature = "redis", feature = "zookeeper"))]
mod values;
#[cfg(feature = "zookeeper")]
pub(crate) mod zookeeper;

pub use self::tag::Tag;
pub(crate) use asking::{CALL_WITHIN, acquire, allocate, ensure_tag, release, renew, tag};
pub use asking::{allocate_one, allocate_one_within};
pub use column::Column;
pub(crate) use column::{Filling, Fills, Wanted};
#[cfg(any(feature = "mysql", feature = "postgres"))]
pub use dialect::Dialect;
#[cfg(any(feature = "mysql", feature = "postgres"))]
pub(crate) use dialect::Others;
pub(crate) use errors::tags::{next_falls, tag_contended, tag_exhausted, tag_exists, unknown_tag};
#[cfg(feature = "etcd")]
pub use etcd::{EtcdBuilder, EtcdStore};
pub use identity::KeySpaceId;
pub(crate) use identity::KnownKeySpace;
pub(crate) use key_space::{KeySpace, follows};
pub use leases::{Lease, LeaseRequest, WorkerRow};
pub(crate) use leases::{check_reserve, lease_lost};
pub use memory::MemoryStore;
pub use migration::{KeptIn, Migration};
pub use moves::{Move, move_tag};
pub(crate) use moves::{moves_after, options_after};
#[cfg(feature = "mysql")]
pub use mysql::{MysqlBuilder, MysqlDialectBuilder, MysqlDialectStore, MysqlSslMode, MysqlStore};
#[cfg(feature = "postgres")]
pub use postgres::{
    PostgresBuilder, PostgresDialectBuilder, PostgresDialectStore, PostgresStore, SslMode,
};
#[cfg(feature = "redis")]
pub use redis::{RedisBuilder, RedisCounters, RedisCountersBuilder, RedisStore};
pub(crate) use rows::{Judged, can_meet, check_step, tag_moved};
pub use rows::{RefusedRow, TagChange, TagOptions, TagRow};
#[cfg(feature = "service")]
pub use service::{ServerList, ServiceBuilder, ServiceStore};
#[cfg(feature = "sqlite")]
pub use sqlite::{SqliteBuilder, SqliteStore};
pub use tag_allocator::TagAllocator;
#[cfg(feature = "zookeeper")]
pub use zookeeper::{LeafNodes, LeafNodesBuilder, ZookeeperBuilder, ZookeeperStore};

/// The longest reservation of a generator, in milliseconds: one hour.
pub const MAX_RESERVE_MS: u32 = 3_600_000;
/// The longest reservation that a lease may request, in milliseconds: [`MAX_RESERVE_MS`] plus one
/// day. The extra day covers a holder whose time is ahead of its store's clock after that clock was
/// set back. A holder does not follow a larger jump ahead.
pub const MAX_RESERVE_AHEAD_MS: u32 = MAX_RESERVE_MS + 86_400_000;
/// The maximum length of a realm, and of the owner of a lease, in bytes.
pub(crate) const MAX_NAME_LENGTH: usize = 255;
/// The largest number that can be given.
pub(crate) const LAST_NUMBER: u64 = MAX_NUMBER - 1;

/// 128 random bits.
pub type Token = [u8; 16];

/// The limits and the identity of one call to a store, passed beside the request.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Call {
    /// The time that the caller waits. Then the store gives up, and the outcome is unknown.
    pub within: Duration,
    /// The identity of the attempt. A renewal repeated after a lost answer has the same token.
    pub attempt: Token,
}

impl Call {
    /// Creates a call that may take at most `within`.
    pub const fn new(within: Duration, attempt: Token) -> Call {
        Call { within, attempt }
    }
}

/// The name of a store's present incarnation. A store that was restored, or that took another's
/// place, has a new name. Not every store can tell.
pub type Incarnation = Arc<str>;

/// Leases worker IDs.
///
/// For one realm and worker ID, the intervals `[floor_ms, reserved_ms)` of all leases are disjoint
/// and rise, whatever any clock does: the floor is at or above every earlier `reserved_ms`. The
/// store's clock only decides who may take a worker ID that is not renewed.
pub trait WorkerStore: Send + Sync {
    /// Takes a free worker ID; the attempt becomes the lease's token.
    ///
    /// The store prefers worker IDs whose reserved time is over, then unused ones, then those whose
    /// reserved time leaves at least a quarter of the reservation. Each call takes a worker ID of
    /// its own, so two copies of a process that call with the same owner and attempt get two. If
    /// the answer is lost, the worker ID stays held until its lease is over.
    ///
    /// # Errors
    /// [`Code::WorkersExhausted`]; [`Code::RealmMismatch`] if the key space makes IDs of another
    /// layout; or an error of the store.
    fn acquire(&self, request: &LeaseRequest, call: &Call) -> Result<Lease>;

    /// Reserves `reserve_ms` from the store's clock on; the attempt replaces the lease's token. A
    /// repeat of the same attempt succeeds again, because the first answer may have been lost.
    ///
    /// # Errors
    /// [`Code::LeaseLost`] if epoch, owner or token differ from the row's; or an error of the
    /// store.
    fn renew(&self, lease: &Lease, reserve_ms: u32, call: &Call) -> Result<Lease>;

    /// Returns the longest reservation, in milliseconds, not counting how far the holder's time is
    /// ahead of the store's clock. The default is [`MAX_RESERVE_MS`].
    fn reserve_max_ms(&self) -> u32 {
        MAX_RESERVE_MS
    }

    /// Ends a lease for good, so that it cannot be renewed. The worker ID can then be taken above
    /// its reserved time, once that is [near enough](LeaseRequest::reach_ms). Releasing a lease
    /// that is already lost is not an error.
    ///
    /// # Errors
    /// Returns the store's error.
    fn release(&self, lease: &Lease, call: &Call) -> Result<()>;
}

/// Operations on worker IDs for operators. By default they return [`Code::Unsupported`].
pub trait WorkerAdmin: WorkerStore {
    /// Returns every row, ordered by realm and worker ID.
    ///
    /// # Errors
    /// Returns the store's error.
    fn workers(&self) -> Result<Vec<WorkerRow>> {
        Err(errors::worker_ids_not_listed())
    }

    /// Returns the rows of one realm, ordered by worker ID.
    ///
    /// # Errors
    /// Returns the store's error.
    fn workers_of(&self, realm: &str) -> Result<Vec<WorkerRow>> {
        let mut rows = self.workers()?;
        rows.retain(|row| row.realm == realm);
        Ok(rows)
    }

    /// Returns the identity of the key space, or `None` if the store does not tell it.
    ///
    /// # Errors
    /// [`Code::IncarnationChanged`] if this handle is for another key space; or an error of the
    /// store.
    fn key_space(&self) -> Result<Option<KeySpaceId>> {
        Ok(None)
    }

    /// Changes the layout of the key space, once all leases of the present layout are over, and
    /// ends those leases for good. Does nothing if the key space has that layout already.
    ///
    /// # Errors
    /// [`Code::StoreLocked`] while reserved time is left, or an error of the store.
    /// [`Code::RealmMismatch`] if an ID of the new layout might not be above all IDs of the present
    /// one: such a layout needs a key space of its own.
    fn change_layout(&self, layout: &Layout) -> Result<()> {
        let _ = layout;
        Err(errors::layout_fixed())
    }

    /// Ends the lease of a worker ID, if it has one, for an operator who knows that its holder is
    /// gone. Its reserved time stays reserved. Returns `false` if there is no such row.
    ///
    /// # Errors
    /// Returns the store's error.
    fn evict(&self, realm: &str, worker_id: u32) -> Result<bool> {
        let _ = (realm, worker_id);
        Err(errors::leases_not_evicted())
    }
}

/// An operator's confirmation after a failover: once the store is raised as described here, it has
/// everything that was ever given, and new tags begin at `new_from`.
///
/// ```
/// let vouch = snowmint::Vouch::new(100).new_from(1_000_000);
/// # assert_eq!((vouch.raise_by_steps, vouch.new_from, vouch.all), (100, Some(1_000_000), false));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Vouch {
    /// The server that you confirm, as its refusals name it; any other server refuses. If unset,
    /// any server that answers accepts, which may be another one in a repeat.
    pub server: Option<Incarnation>,
    /// By how many steps to raise each tag with ranges that may be lost: at most [`MAX_STEP`], 0 if
    /// no range was lost. A step counts as the tag's last range if that was longer. A lost range is
    /// as long as its taker requested.
    pub raise_by_steps: u64,
    /// The start of tags created from now on: above every number that was given of any lost tag. A
    /// lower value than the present one changes nothing, and 0 ends it. Reset it to 0 once each
    /// lost tag is there again or is gone for good. If unset, the present value stays.
    pub new_from: Option<u64>,
    /// True to raise every tag, and not only those that are refused: for a store that cannot see
    /// what was lost.
    pub all: bool,
    /// The rows of tags as a store has them that went on for longer, such as the original of a copy.
    /// Each tag is raised above its row, and by `raise_by_steps` more, and made if it is missing.
    pub above: Vec<TagRow>,
}

impl Vouch {
    /// Creates a confirmation that raises each tag with possibly lost ranges by so many steps.
    #[must_use]
    pub fn new(raise_by_steps: u64) -> Vouch {
        Vouch { server: None, raise_by_steps, new_from: None, all: false, above: Vec::new() }
    }

    /// Limits the confirmation to this server.
    #[must_use]
    pub fn server(self, server: impl Into<Option<Incarnation>>) -> Vouch {
        Vouch { server: server.into(), ..self }
    }

    /// Sets where new tags begin.
    #[must_use]
    pub fn new_from(self, new_from: impl Into<Option<u64>>) -> Vouch {
        Vouch { new_from: new_from.into(), ..self }
    }

    /// Sets whether every tag is raised, or only those that are refused.
    #[must_use]
    pub fn all(self, all: bool) -> Vouch {
        Vouch { all, ..self }
    }

    /// Sets the rows that tags are raised above.
    #[must_use]
    pub fn above(self, above: Vec<TagRow>) -> Vouch {
        Vouch { above, ..self }
    }

    /// Checks every number against its limit.
    ///
    /// # Errors
    /// [`Code::InvalidParameter`], [`Code::InvalidRange`].
    pub fn check(&self) -> Result<()> {
        let steps = self.raise_by_steps;
        if steps > MAX_STEP {
            return Err(errors::raise_too_large(steps));
        }
        TagChange::default().next(self.new_from).check()
    }
}

/// What a store refuses until an operator confirms it by [`SegmentAdmin::vouch`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Standing {
    /// The present server, for [`Vouch::server`].
    pub server: Incarnation,
    /// The rows of all tags, also of a store that does not list them before it is confirmed.
    pub tags: Vec<TagRow>,
    /// The tags that give no range, in their order.
    pub refused: Vec<Tag>,
    /// True if the store may lack tags, so it makes none.
    pub may_lack_tags: bool,
    /// True if nothing waits for an operator.
    pub is_confirmed: bool,
}

/// A request for numbers of a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AllocationRequest {
    /// The tag.
    pub tag: Tag,
    /// The requested count, or `None` for the tag's configured step.
    pub count: Option<u64>,
}

impl AllocationRequest {
    /// Requests `count` numbers of a tag, or its configured step for `None`.
    pub fn new(tag: Tag, count: impl Into<Option<u64>>) -> AllocationRequest {
        AllocationRequest { tag, count: count.into() }
    }
}

/// A range, with the present step of its tag.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Allocation {
    /// The numbers; no other caller gets them.
    pub range: NumberRange,
    /// The tag's configured step.
    pub step: u64,
    /// The incarnation of the store that granted the range; `None` if the store does not tell.
    pub incarnation: Option<Incarnation>,
    /// The key space of the range; `None` if the store does not tell.
    pub key_space: Option<KeySpaceId>,
}

impl Allocation {
    /// Creates an allocation of a store that tells neither its incarnation nor its key space.
    pub const fn new(range: NumberRange, step: u64) -> Allocation {
        Allocation { range, step, incarnation: None, key_space: None }
    }
}

/// Reserves ranges of numbers.
///
/// The ranges of a tag are disjoint and rise. The store does the arithmetic, in one transaction. To
/// write a store that takes one tag at a time, implement [`TagAllocator`] instead.
pub trait SegmentStore: Send + Sync {
    /// Reserves the next numbers of several tags in one round trip, and returns an answer for each
    /// request, in their order. Near the largest number a range is shorter.
    ///
    /// # Errors
    /// A failure of the store fails all requests. A single request fails with [`Code::UnknownTag`],
    /// [`Code::InvalidStep`], [`Code::TagExhausted`], or [`Code::IncarnationChanged`] if the store
    /// may lack ranges that it gave; the other requests keep their ranges.
    fn allocate(
        &self,
        requests: &[AllocationRequest],
        call: &Call,
    ) -> Result<Vec<Result<Allocation>>>;

    /// Returns the row of a tag, or `None` if there is none.
    ///
    /// # Errors
    /// Returns the store's error.
    fn tag(&self, tag: &Tag) -> Result<Option<TagRow>>;

    /// Returns true if [`tag`](Self::tag) tells whether a tag exists; this is the default. If it
    /// does not, opening a segment fetches the first range to find out.
    fn tells_tags(&self) -> bool {
        true
    }

    /// Returns true if [`tag`](Self::tag) tells that an operator raised a tag; this is the default.
    /// A segment whose ranges went back then continues after such a raise.
    fn tells_raises(&self) -> bool {
        true
    }
}

/// Operations on tags for operators, and for sources that create their own tags. By default they
/// return [`Code::Unsupported`].
pub trait SegmentAdmin: SegmentStore {
    /// Adds a tag.
    ///
    /// # Errors
    /// [`Code::TagExists`], [`Code::InvalidStep`], [`Code::InvalidRange`],
    /// [`Code::IncarnationChanged`] if this very tag may be lost; or an error of the store.
    fn create_tag(&self, tag: &Tag, options: TagOptions) -> Result<()> {
        let _ = (tag, options);
        Err(errors::tags_not_created())
    }

    /// Adds a tag unless it exists, and returns true if it was added. An existing one stays as it
    /// is.
    ///
    /// # Errors
    /// The errors of [`create_tag`](Self::create_tag), except [`Code::TagExists`].
    fn ensure_tag(&self, tag: &Tag, options: TagOptions) -> Result<bool> {
        match self.create_tag(tag, options) {
            Err(error) if error.code() == Code::TagExists => Ok(false),
            created => created.map(|()| true),
        }
    }

    /// Checks that sources can create their own tags here. Called before such a source is opened.
    ///
    /// # Errors
    /// [`Code::Unsupported`].
    fn check_creation(&self) -> Result<()> {
        Ok(())
    }

    /// Returns true if tags that are created here expire, and would then begin again. Sources do
    /// not create a tag there whose time is over.
    fn lets_tags_go(&self) -> bool {
        false
    }

    /// Changes a tag and returns its row.
    ///
    /// # Errors
    /// [`Code::UnknownTag`], [`Code::InvalidStep`], [`Code::RangeRegressed`] for a `next` below the
    /// present one, [`Code::InvalidRange`] above the largest number; or an error of the store.
    fn change_tag(&self, tag: &Tag, change: TagChange) -> Result<TagRow> {
        let _ = (tag, change);
        Err(errors::tags_not_changed())
    }

    /// Closes a tag, with the same fencing as a range, and returns its row: the first half of
    /// [`move_tag`]. If the tag is already closed, the row names the move that closed it.
    ///
    /// # Errors
    /// The errors of taking a range; [`Code::Unsupported`].
    fn close_for_move(&self, tag: &Tag, moving: &Move<'_>) -> Result<TagRow> {
        let _ = (tag, moving);
        Err(errors::tags_cannot_leave())
    }

    /// Checks that tags of other stores can move here. Called before a tag is closed.
    ///
    /// # Errors
    /// [`Code::Unsupported`].
    fn check_arrival(&self) -> Result<()> {
        Err(errors::tags_cannot_arrive())
    }

    /// Continues a tag here whose row was closed in another store, and returns the row here: the
    /// second half of [`move_tag`]. A repeat changes nothing.
    ///
    /// # Errors
    /// [`Code::TagExists`] if the tag has numbers of its own here, [`Code::TagMoved`] if it has
    /// left again, those of [`create_tag`](Self::create_tag); [`Code::Unsupported`].
    fn adopt_moved(&self, closed: &TagRow) -> Result<TagRow> {
        let _ = closed;
        Err(errors::tags_cannot_arrive())
    }

    /// Returns every row, ordered by tag, except those of [`refused_rows`](Self::refused_rows).
    ///
    /// # Errors
    /// Returns the store's error.
    fn tags(&self) -> Result<Vec<TagRow>> {
        Err(errors::tags_not_listed())
    }

    /// Returns another generator's rows that give no range, each with the reason.
    ///
    /// # Errors
    /// Returns the store's error.
    fn refused_rows(&self) -> Result<Vec<RefusedRow>> {
        Ok(Vec::new())
    }

    /// Ends every [`Code::IncarnationChanged`] on an operator's confirmation. In one transaction,
    /// the store raises the tags that may have lost ranges, and its present incarnation continues
    /// with all rows. Returns the raised rows, ordered by tag. Unless `all` is set, it raises only
    /// tags that are refused.
    ///
    /// # Errors
    /// [`Code::IncarnationChanged`] if another server answers than the one that is named; nothing
    /// is changed then. [`Code::InvalidParameter`], [`Code::InvalidRange`]; [`Code::Unsupported`]
    /// from a store that cannot tell its incarnations apart; or an error of the store.
    fn vouch(&self, vouch: &Vouch) -> Result<Vec<TagRow>> {
        let _ = vouch;
        Err(errors::nothing_to_vouch_for())
    }

    /// Returns what the store refuses until an operator confirms it.
    ///
    /// # Errors
    /// [`Code::Unsupported`] from a store that cannot tell its incarnations apart; or an error of
    /// the store.
    fn standing(&self) -> Result<Standing> {
        Err(errors::nothing_to_vouch_for())
    }
}

/// A store of worker IDs and numbers, as [`open_store`](crate::open_store) returns it.
pub trait Store: WorkerAdmin + SegmentAdmin {}

impl<S: WorkerAdmin + SegmentAdmin> Store for S {}
