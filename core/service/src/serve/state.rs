//! The document of `GET /admin/state` and of the events of `GET /admin/events`.

use std::net::IpAddr;
use std::sync::Arc;

use serde::{Serialize, Serializer};
use snowmint::{Bucket, Code, CodeGroup, Failure};

/// What this server is doing, at one moment: the whole of `GET /admin/state`, and the data of the
/// event `state`.
///
/// ```json
/// {
///   "atMs": 1795588800000, "version": "…", "instance": "9f86d081884c7d65",
///   "phase": "serving", "ready": true, "begunMs": 1795585200000, "uptimeMs": 3600000,
///   "connections": 3,
///   "sources": [{
///     "name": "orders",
///     "of": { "kind": "segment", "store": "sqlite:/var/lib/ids.db", "tag": "orders",
///             "ordered": false },
///     "now": { "ready": true, "required": true, "issued": "123456",
///              "buckets": [{ "left": "400", "size": "1000" }, { "left": "1000", "size": "1000" }],
///              "step": "1000", "ratePerS": 81.5, "runwayS": 17.2 }
///   }],
///   "stores": [{ "url": "sqlite:/var/lib/ids.db", "roles": ["sources", "leases"], "sources": 1,
///                "up": true }],
///   "servers": [{ "address": "http://10.0.0.7:8064", "isSelf": true, "sources": ["bills"] }],
///   "tokens": [{ "name": "shop", "of": { "sources": ["orders"], "leases": false, "reads": true },
///                "now": { "uses": "17", "lastMs": 1795588799000, "clients": ["10.0.0.9"] } }],
///   "errors": [{ "atMs": 1795588700000, "count": 1, "code": "unknown_tag", "detail": "…" }]
/// }
/// ```
///
/// What does not apply, or is not known, is left out. Numbers of 64 bits are strings, as IDs are;
/// `…Ms` at the end of a name are milliseconds, of a moment Unix milliseconds of this machine.
///
/// `GET /admin/events` sends `state` first, and again when anything but the `now` of sources and
/// tokens is another: a configuration that was read again, a source that is open by now. Twice a
/// second it sends `changes`: the same document with what has changed since the event before.
/// `sources` and `tokens` have the changed rows there, by name and without `of`, whose `now`
/// replaces the one of before; `stores`, `servers` and `errors` are there whole or not at all;
/// `version`, `instance` and `begunMs` are left out.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct State {
    #[serde(flatten)]
    pub(super) process: Process,
    #[serde(flatten)]
    pub(super) moment: Moment,
    /// In the order of their names.
    pub(super) sources: Rows<SourceOf, SourceNow>,
    /// Those of sources, of leases and of turns, each once.
    pub(super) stores: Vec<StoreState>,
    /// Those that ordered sources have shown, and this one where it has an address for them.
    pub(super) servers: Vec<ServerState>,
    /// Left out where nobody needs one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tokens: Option<Rows<TokenOf, TokenNow>>,
    /// The last ones first.
    pub(super) errors: Vec<ErrorState>,
}

/// What changes of a state from one event to the next.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
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

/// What stays as long as the process lives.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Process {
    pub(super) version: &'static str,
    /// What no other process has.
    pub(super) instance: Arc<str>,
    pub(super) begun_ms: i64,
}

/// What is another at every moment.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Moment {
    pub(super) at_ms: i64,
    /// `starting` (stores are being opened), `serving`, `draining` (readiness has fallen) or `stopping`.
    pub(super) phase: &'static str,
    /// As `/readyz` has it: it serves, and every required source is ready.
    pub(super) ready: bool,
    pub(super) uptime_ms: u64,
    pub(super) connections: u32,
}

/// One of many, with what it is and what it is doing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Row<O, N> {
    pub(crate) name: Arc<str>,
    pub(crate) of: Arc<O>,
    pub(crate) now: N,
}

/// Many, in the order of their names.
pub(crate) type Rows<O, N> = Vec<Row<O, N>>;

/// The same, of which that is known which it is.
#[derive(Debug, Serialize)]
pub(super) struct Changed<'a, N> {
    pub(super) name: &'a str,
    pub(super) now: &'a N,
}

/// What a source is, by its URL.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SourceOf {
    /// `snowflake`, `segment`, `daily`, `sequences` or `uuid`.
    pub(super) kind: String,
    /// Its store, as `stores` has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) store: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tag: Option<String>,
    /// Whether one server at a time gives its numbers.
    pub(super) ordered: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) layout: Option<String>,
    /// When its layout has no more time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) layout_ends_ms: Option<i64>,
    /// The most that a renewal of its lease reserves, where its URL says that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reserve_ms: Option<u64>,
}

/// What a source is doing.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SourceNow {
    pub(super) ready: bool,
    /// Whether this server is ready only with it.
    pub(super) required: bool,
    /// Why it is not ready; of one at its end also where that is no reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) why: Option<String>,
    /// How many IDs were given since the start.
    #[serde(serialize_with = "digits")]
    pub(super) issued: u64,
    /// The range in use, and those after it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) buckets: Vec<BucketNow>,
    /// How many numbers the next range will have.
    #[serde(serialize_with = "some_digits", skip_serializing_if = "Option::is_none")]
    pub(super) step: Option<u64>,
    /// Numbers a second between the last two ranges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rate_per_s: Option<f64>,
    /// How many seconds it lasts without its store; left out where it needs none, or nobody can tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) runway_s: Option<f64>,
    /// Of a source that mints under one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) worker: Option<WorkerNow>,
    /// Whose turn it is, of an ordered one: the server's address; left out while it is nobody's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) owner: Option<String>,
    /// The last thing that went wrong with its store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) failure: Option<FailureState>,
}

/// A range at hand.
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
#[serde(rename_all = "camelCase")]
pub(super) struct WorkerNow {
    pub(super) worker_id: u32,
    /// How long this process has had it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) lease_age_ms: Option<u64>,
    /// Until when time is reserved: so long it mints without its store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reserved_until_ms: Option<i64>,
    /// How much time the lease's last renewal reserved; the next is due once a third of it is used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reserve_ms: Option<u32>,
    /// What is added to this machine's clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) clock_offset_ms: Option<i64>,
    /// How far the last ID is ahead of the clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) borrowed_ms: Option<u64>,
    /// How often the clock went back.
    #[serde(serialize_with = "digits")]
    pub(super) rollbacks: u64,
}

/// Something that went wrong with a store.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FailureState {
    #[serde(serialize_with = "name")]
    pub(crate) code: Code,
    pub(crate) message: String,
    pub(crate) at_ms: i64,
    /// Whether the store has answered since.
    pub(crate) over: bool,
}

impl FailureState {
    /// Whether the store fails so, and not a tag that is at its end.
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

/// A store, by what its sources see of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct StoreState {
    /// Without its passwords: what the routes below `/admin` call it by.
    pub(super) url: String,
    /// What it is for: `sources`, `leases` (to clients), `turns` (of ordered sources).
    pub(super) roles: Vec<&'static str>,
    /// How many sources are on it.
    pub(super) sources: u32,
    /// Whether it answered last; left out while nobody has asked it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) up: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) failure: Option<FailureState>,
}

/// A server of the same ordered sources.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ServerState {
    pub(super) address: String,
    pub(super) is_self: bool,
    /// The ordered sources whose turn it has.
    pub(super) sources: Vec<Arc<str>>,
    /// Why it could not be asked just now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) why: Option<String>,
}

/// What a token may do; never what it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TokenOf {
    /// `*` is all of them.
    pub(crate) sources: Vec<String>,
    pub(crate) leases: bool,
    pub(crate) reads: bool,
    /// Types whose public IDs it may make and read; `*` is all of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) public_ids: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rate: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_count: Option<u32>,
}

/// What a token was used for since the start.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TokenNow {
    /// Requests that it was shown with, and commands of those that logged in by it.
    #[serde(serialize_with = "digits")]
    pub(crate) uses: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) last_ms: Option<i64>,
    /// Where it was shown last, the latest first: a few addresses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) clients: Vec<IpAddr>,
}

/// Something that went wrong, as often as it did.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ErrorState {
    /// When, the last time.
    pub(crate) at_ms: i64,
    /// How often in all, of the same code and source.
    pub(crate) count: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) code: Option<&'static str>,
    /// What happened to a store or a lease, as the log has it: `store_down`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) event: Option<&'static str>,
    /// The source; of an event `tag orders`, where it is of one.
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
