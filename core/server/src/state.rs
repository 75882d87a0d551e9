//! The document of `GET /admin/state` and of the events of `GET /admin/events`.

use std::net::IpAddr;
use std::sync::Arc;

use serde::{Serialize, Serializer};
use snowmint::{Bucket, Code, CodeGroup, Failure};

/// The state of this server at one moment: the body of `GET /admin/state`, and the data of the
/// event `state`.
///
/// ```json
/// {
///   "at_ms": 1795588800000, "version": "…", "instance": "9f86d081884c7d65",
///   "phase": "serving", "ready": true, "begun_ms": 1795585200000, "uptime_ms": 3600000,
///   "connections": 3,
///   "sources": [{
///     "name": "orders",
///     "of": { "kind": "segment", "store": "sqlite:/var/lib/ids.db", "tag": "orders",
///             "ordered": false },
///     "now": { "ready": true, "required": true, "issued": "123456",
///              "buckets": [{ "left": "400", "size": "1000" }, { "left": "1000", "size": "1000" }],
///              "step": "1000", "rate_per_s": 81.5, "runway_s": 17.2 }
///   }],
///   "stores": [{ "url": "sqlite:/var/lib/ids.db", "roles": ["sources", "leases"], "sources": 1,
///                "up": true }],
///   "servers": [{ "address": "http://10.0.0.7:8064", "is_self": true, "sources": ["bills"] }],
///   "tokens": [{ "name": "shop", "of": { "sources": ["orders"], "leases": false, "reads": true },
///                "now": { "uses": "17", "last_ms": 1795588799000, "clients": ["10.0.0.9"] } }],
///   "errors": [{ "at_ms": 1795588700000, "count": 1, "code": "unknown_tag", "detail": "…" }]
/// }
/// ```
///
/// Fields that do not apply, or whose value is unknown, are left out. 64-bit numbers are strings,
/// as IDs are. Names that end in `_ms` are milliseconds; a moment is Unix milliseconds by this
/// machine's clock.
///
/// `GET /admin/events` sends `state` first, and again when anything but the `now` of sources and
/// tokens changes, for example after a reload or when a source opens. Twice a second it sends
/// `changes`: the same document, with what has changed since the last event. Its `sources` and
/// `tokens` list only changed rows, by name and without `of`; their `now` replaces the previous
/// one. `stores`, `servers` and `errors` are sent whole or not at all; `version`, `instance` and
/// `begun_ms` are left out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct State {
    #[serde(flatten)]
    pub(super) process: Process,
    #[serde(flatten)]
    pub(super) moment: Moment,
    /// Sorted by name.
    pub(super) sources: Rows<SourceOf, SourceNow>,
    /// The stores of sources, leases and turns, each once.
    pub(super) stores: Vec<StoreState>,
    /// The servers that have turns of ordered sources, and this one if it has an address for them.
    pub(super) servers: Vec<ServerState>,
    /// Left out if no token is required.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tokens: Option<Rows<TokenOf, TokenNow>>,
    /// The latest first.
    pub(super) errors: Vec<ErrorState>,
}

/// The changes of a state from one event to the next.
#[derive(Debug, Serialize)]
pub(super) struct Changes<'a> {
    #[serde(flatten)]
    pub(super) moment: &'a Moment,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) sources: Vec<Changed<'a, SourceNow>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stores: Option<&'a [StoreState]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) servers: Option<&'a [ServerState]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tokens: Vec<Changed<'a, TokenNow>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) errors: Option<&'a [ErrorState]>,
}

/// The part that stays as long as the process lives.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Process {
    pub(super) version: &'static str,
    /// A number that identifies this process.
    pub(super) instance: Arc<str>,
    pub(super) begun_ms: i64,
}

/// The part that is different at every moment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Moment {
    pub(super) at_ms: i64,
    /// `starting` (stores are being opened), `serving`, `draining` (not ready any more) or
    /// `stopping`.
    pub(super) phase: &'static str,
    /// As `/readyz` answers: true if it serves and every required source is ready.
    pub(super) ready: bool,
    pub(super) uptime_ms: u64,
    pub(super) connections: u32,
}

/// A named item: what it is, and what it is doing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Row<O, N> {
    pub(crate) name: Arc<str>,
    pub(crate) of: Arc<O>,
    pub(crate) now: N,
}

/// Rows sorted by name.
pub(crate) type Rows<O, N> = Vec<Row<O, N>>;

/// A changed row, without its `of`.
#[derive(Debug, Serialize)]
pub(super) struct Changed<'a, N> {
    pub(super) name: &'a str,
    pub(super) now: &'a N,
}

/// The description of a source, from its URL.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct SourceOf {
    /// `snowflake`, `segment`, `daily`, `sequences` or `uuid`.
    pub(super) kind: String,
    /// The store's URL, as `stores` lists it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) store: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tag: Option<String>,
    /// True if one server at a time gives its numbers.
    pub(super) ordered: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) layout: Option<String>,
    /// The end of the time that its layout can hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) layout_ends_ms: Option<i64>,
    /// The most time that a lease renewal reserves, if its URL says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reserve_ms: Option<u64>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct SourceNow {
    pub(super) ready: bool,
    /// True if this server is ready only when this source is.
    pub(super) required: bool,
    /// The reason why it is not ready. At the end of a tag it is set even if the source is ready.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) why: Option<String>,
    /// The number of IDs given since the start.
    #[serde(serialize_with = "digits")]
    pub(super) issued: u64,
    /// The range in use, and those after it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) buckets: Vec<BucketNow>,
    /// The size of the next range.
    #[serde(serialize_with = "some_digits", skip_serializing_if = "Option::is_none")]
    pub(super) step: Option<u64>,
    /// Numbers a second between the last two ranges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rate_per_s: Option<f64>,
    /// Seconds that it lasts without its store; left out if it needs no store, or the time is
    /// unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) runway_s: Option<f64>,
    /// The worker ID that it mints under, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) worker: Option<WorkerNow>,
    /// The address of the server that has the turn, for an ordered source; left out if none has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) owner: Option<String>,
    /// The last failure of its store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) failure: Option<FailureState>,
}

/// A range that was reserved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct BucketNow {
    #[serde(serialize_with = "digits")]
    left: u64,
    #[serde(serialize_with = "digits")]
    size: u64,
}

impl From<&Bucket> for BucketNow {
    fn from(bucket: &Bucket) -> BucketNow {
        BucketNow { left: bucket.left, size: bucket.size }
    }
}

/// A worker ID and its lease.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct WorkerNow {
    pub(super) worker_id: u32,
    /// The time for which this process has had the lease.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) lease_age_ms: Option<u64>,
    /// The end of the reserved time: until then it mints without its store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reserved_until_ms: Option<i64>,
    /// The time that the lease's last renewal reserved. The next renewal is due when a third is
    /// used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reserve_ms: Option<u32>,
    /// The offset that is added to this machine's clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) clock_offset_ms: Option<i64>,
    /// The time that the last ID is ahead of the clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) borrowed_ms: Option<u64>,
    /// The number of times that the clock went back.
    #[serde(serialize_with = "digits")]
    pub(super) rollbacks: u64,
}

/// A failure of a store.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct FailureState {
    #[serde(serialize_with = "name")]
    pub(crate) code: Code,
    pub(crate) message: String,
    pub(crate) at_ms: i64,
    /// True if the store has answered since.
    pub(crate) over: bool,
}

impl FailureState {
    /// Returns true if the store failed, rather than a tag that is at its end.
    pub(super) fn is_of_store(&self) -> bool {
        self.code.group() == CodeGroup::Store
    }
}

impl From<&Failure> for FailureState {
    fn from(failure: &Failure) -> FailureState {
        FailureState {
            code: failure.code,
            message: failure.message.clone(),
            at_ms: failure.unix_ms,
            over: failure.is_over,
        }
    }
}

/// A store, as its sources see it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct StoreState {
    /// The URL without passwords; the routes below `/admin` name the store by it.
    pub(super) url: String,
    /// The uses of the store: `sources`, `leases` (to clients), `turns` (of ordered sources).
    pub(super) roles: Vec<&'static str>,
    /// The number of sources on it.
    pub(super) sources: u32,
    /// True if the last call succeeded; left out before the first call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) up: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) failure: Option<FailureState>,
}

/// A server of the same ordered sources.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct ServerState {
    pub(super) address: String,
    pub(super) is_self: bool,
    /// The ordered sources whose turn it has.
    pub(super) sources: Vec<Arc<str>>,
    /// The reason why it could not be asked just now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) why: Option<String>,
}

/// The permissions of a token, never the token itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct TokenOf {
    /// `*` stands for all sources.
    pub(crate) sources: Vec<String>,
    pub(crate) leases: bool,
    pub(crate) reads: bool,
    /// The types whose public IDs it may make and read; `*` stands for all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) public_ids: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rate: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_count: Option<u32>,
}

/// The use of a token since the start.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct TokenNow {
    /// The number of requests with it, and of commands in sessions that logged in with it.
    #[serde(serialize_with = "digits")]
    pub(crate) uses: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) last_ms: Option<i64>,
    /// A few addresses that used it lately; the latest is first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) clients: Vec<IpAddr>,
}

/// An error, with how often it happened.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ErrorState {
    /// The last time it happened.
    pub(crate) at_ms: i64,
    /// The total count, for the same code and source.
    pub(crate) count: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) code: Option<&'static str>,
    /// The event of a store or a lease, as the log names it, for example `store_down`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) event: Option<&'static str>,
    /// The source. For an event, a tag is written `tag orders`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<String>,
    pub(crate) detail: String,
}

fn name<S: Serializer>(code: &Code, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(code.name())
}

fn digits<S: Serializer>(number: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(number)
}

fn some_digits<S: Serializer>(number: &Option<u64>, serializer: S) -> Result<S::Ok, S::Error> {
    match number {
        Some(number) => digits(number, serializer),
        None => serializer.serialize_none(),
    }
}
