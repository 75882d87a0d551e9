//! One suite for all stores: what a caller of `WorkerStore` and `SegmentStore` may rely on.
//!
//! A store joins with a `Bench` and a line at the end of this file. Nothing here asserts how
//! long something takes: benches with a real clock only ever let more time pass than was asked.
#![allow(clippy::unwrap_used)] // helpers of tests are tests

use snowmint::{
    Call, Clock, Code, Lease, LeaseRequest, MAX_RESERVE_AHEAD_MS, MemoryStore, Result,
    SegmentAdmin, Tag, Token, WorkerAdmin, WorkerStore,
};
use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

#[cfg(all(feature = "etcd", unix))]
#[path = "etcd/server.rs"]
#[expect(dead_code, reason = "what other tests need of it")]
mod etcd_server;
#[path = "stores/histories.rs"]
mod histories;
#[path = "stores/manual.rs"]
mod manual;
#[cfg(all(feature = "mysql", unix))]
#[path = "mysql/server.rs"]
#[expect(dead_code, reason = "what other tests need of it")]
mod mysql_server;
#[cfg(all(
    any(
        feature = "etcd",
        feature = "mysql",
        feature = "postgres",
        feature = "redis",
        feature = "zookeeper"
    ),
    unix
))]
#[path = "own_server/mod.rs"]
#[allow(dead_code, reason = "what other tests need of it")]
mod own_server;
#[cfg(all(feature = "redis", unix))]
#[path = "redis/server.rs"]
#[expect(dead_code, reason = "what other tests need of it")]
mod redis_server;
#[path = "stores/rules.rs"]
mod rules;
#[path = "stores/segments.rs"]
mod segments;
#[cfg(all(feature = "postgres", unix))]
#[path = "postgres/server.rs"]
#[expect(dead_code, reason = "what other tests need of it")]
mod server;
#[path = "stores/workers.rs"]
mod workers;
#[cfg(all(feature = "zookeeper", unix))]
#[path = "zookeeper/server.rs"]
#[expect(dead_code, reason = "what other tests need of it")]
mod zookeeper_server;

const REALM: &str = "time:41,worker:10,sequence:12@2010-11-04T01:42:54.657Z";
const MINUTE_MS: u32 = 60_000;
const HOUR_MS: u32 = 3_600_000;

/// An empty store to try.
trait Bench {
    fn workers(&self) -> &dyn WorkerAdmin;
    fn segments(&self) -> &dyn SegmentAdmin;
    /// Lets at least so much of the store's time pass.
    fn pass(&self, ms: u32);
    /// Returns the number of transactions that a long test may use.
    fn patience(&self) -> u32;
}

/// A clock that stands still until told otherwise.
#[derive(Clone, Default)]
struct ManualClock(Arc<AtomicI64>);

impl ManualClock {
    fn at(ms: i64) -> ManualClock {
        ManualClock(Arc::new(AtomicI64::new(ms)))
    }

    fn step(&self, ms: i64) {
        self.0.fetch_add(ms, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn coarse_ms(&self) -> i64 {
        self.now_ms()
    }

    fn now_ns(&self) -> i64 {
        self.now_ms().saturating_mul(1_000_000)
    }

    fn now_ms(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }

    fn boot_ms(&self) -> i64 {
        self.now_ms()
    }
}

struct Memory {
    store: MemoryStore,
    clock: ManualClock,
}

impl Memory {
    fn new() -> Memory {
        let clock = ManualClock::at(1_700_000_000_123);
        Memory { store: MemoryStore::with_clock(clock.clone()), clock }
    }
}

impl Bench for Memory {
    fn workers(&self) -> &dyn WorkerAdmin {
        &self.store
    }

    fn segments(&self) -> &dyn SegmentAdmin {
        &self.store
    }

    fn pass(&self, ms: u32) {
        self.clock.step(i64::from(ms));
    }

    fn patience(&self) -> u32 {
        20_000
    }
}

/// A store whose time passes by itself, and where it is.
#[cfg(any(
    feature = "sqlite",
    all(
        any(
            feature = "etcd",
            feature = "mysql",
            feature = "postgres",
            feature = "redis",
            feature = "zookeeper"
        ),
        unix
    )
))]
struct Durable<Store, Place> {
    store: Store,
    _place: Place,
}

#[cfg(any(
    feature = "sqlite",
    all(
        any(
            feature = "etcd",
            feature = "mysql",
            feature = "postgres",
            feature = "redis",
            feature = "zookeeper"
        ),
        unix
    )
))]
impl<Store: WorkerAdmin + SegmentAdmin, Place> Bench for Durable<Store, Place> {
    fn workers(&self) -> &dyn WorkerAdmin {
        &self.store
    }

    fn segments(&self) -> &dyn SegmentAdmin {
        &self.store
    }

    fn pass(&self, ms: u32) {
        std::thread::sleep(std::time::Duration::from_millis(ms.into()));
    }

    fn patience(&self) -> u32 {
        400
    }
}

#[cfg(feature = "sqlite")]
fn in_a_file() -> impl Bench {
    let directory = tempfile::tempdir().unwrap();
    let store = snowmint::SqliteStore::create(directory.path().join("ids.db")).unwrap();
    Durable { store, _place: directory }
}

#[cfg(all(feature = "postgres", unix))]
fn on(server: &server::Server) -> impl Bench + use<> {
    let database = server.database();
    let (host, port) = database.host_and_port();
    let builder = snowmint::PostgresStore::builder().host(host, port).user("postgres");
    let builder = builder.database(database.name()).create(true);
    Durable { store: builder.open().unwrap(), _place: database }
}

#[cfg(all(feature = "mysql", unix))]
fn on_mariadb() -> impl Bench {
    let database = mysql_server::Server::shared().database();
    let (host, port) = database.host_and_port();
    let builder = snowmint::MysqlStore::builder().host(host, port).user("root");
    let builder = builder.database(database.name()).create(true);
    Durable { store: builder.open().unwrap(), _place: database }
}

#[cfg(all(feature = "etcd", unix))]
fn on_etcd() -> impl Bench {
    let database = etcd_server::Server::shared().database();
    let builder = database.builder().create(true);
    Durable { store: builder.open().unwrap(), _place: database }
}

#[cfg(all(feature = "zookeeper", unix))]
fn on_zookeeper() -> impl Bench {
    let database = zookeeper_server::Server::shared().database();
    let builder = database.builder().create(true);
    Durable { store: builder.open().unwrap(), _place: database }
}

#[cfg(all(feature = "redis", unix))]
fn on_redis() -> impl Bench {
    let database = redis_server::Server::shared().database();
    let (host, port) = database.host_and_port();
    let number = database.url.rsplit('/').next().unwrap().parse().unwrap();
    let builder = snowmint::RedisStore::builder().host(host, port).database(number).create(true);
    Durable { store: builder.open().unwrap(), _place: database }
}

/// A request for a minute in which at most `max_worker_id + 1` worker IDs exist, and none whose
/// reserved time is not over is taken.
fn request(owner: &str, max_worker_id: u32) -> LeaseRequest {
    changed(LeaseRequest::new(REALM, owner), |it| {
        it.max_worker_id = max_worker_id;
        it.reserve_ms = MINUTE_MS;
    })
}

/// One of a realm that no ID's time rests on: a key space has many, and one layout.
fn of_no_layout(realm: &str, max_worker_id: u32) -> LeaseRequest {
    changed(request("x", max_worker_id), |it| {
        it.realm = realm.to_owned();
        it.past_reserved = true;
    })
}

/// The same but for a part.
fn changed<T>(mut it: T, change: impl FnOnce(&mut T)) -> T {
    change(&mut it);
    it
}

/// A token that draws worker ID 0 of few, or of a power of two.
fn token(n: u8) -> Token {
    ((u128::from(n) * 2520) << 64).to_le_bytes()
}

/// A call that may take long.
fn attempt(token: Token) -> Call {
    Call::new(std::time::Duration::from_secs(60), token)
}

/// The same with a token of its own, which draws worker ID 0: a multiple of all numbers of worker IDs
/// that are used here.
fn fresh() -> Call {
    static TOKENS: AtomicU64 = AtomicU64::new(1);
    let count = TOKENS.fetch_add(1, Ordering::Relaxed);
    attempt((u128::from(count) * (1 << 32) * 2_520).to_le_bytes())
}

fn tag(name: &str) -> Tag {
    Tag::new(name).unwrap()
}

#[track_caller]
fn refused<T: Debug>(result: Result<T>, code: Code) -> String {
    let error = result.expect_err("this should have been refused");
    assert_eq!(error.code(), code, "{error}");
    error.to_string()
}

/// The interval is above everything reserved before it, and not empty.
#[track_caller]
fn assert_above(lease: &Lease, before: &Lease) {
    assert_eq!(lease.worker_id, before.worker_id);
    assert!(lease.floor_ms >= before.reserved_ms, "{lease:?} reaches into {before:?}");
    assert!(lease.reserved_ms > lease.floor_ms, "{lease:?}");
    assert!(lease.epoch > before.epoch, "{lease:?} after {before:?}");
}

/// One module of tests for each store.
macro_rules! suite {
    ($(#[$attribute:meta])* $store:ident: $make:expr) => {
        $(#[$attribute])*
        mod $store {
            use super::*;
            suite! { @tests $make;
                workers: first_lease unused_ids_are_drawn past_what_is_reserved renewal_extends renewal_can_be_repeated twins_get_two_worker_ids
                    only_one_twin_renews strangers_cannot_renew renewal_lowers_nothing
                    expired_but_untaken_can_be_renewed taken_over_is_lost release_ends_the_lease
                    release_of_a_lost_lease_is_nothing exhaustion_says_who_and_when
                    rested_ids_are_taken_again reserved_time_is_skipped
                    too_far_ahead_is_not_taken held_is_never_taken avoided_is_never_taken
                    eviction_ends_the_lease
                    preference_order l1_a_key_space_has_one_layout
                    l1_a_layout_changes_once_its_leases_are_over l1_a_changed_layout_is_above_the_one_before tells_its_key_space realms_are_separate rows_tell_everything rows_of_a_realm request_limits
                    threads_get_different_ids;
                segments: create_once namespaces_are_separate unknown_tags options_at_their_limits count_limits
                    several_tags_at_once ranges_follow_each_other stride_spreads_numbers stores_share_a_tag_by_offset
                    largest_number_ends_a_tag overflow_ends_a_tag a_max_ends_a_tag
                    l1_a_tag_past_its_max_keeps_its_class change_rules rows_by_tag
                    tags_are_separate threads_get_disjoint_ranges;
                histories: leases_never_overlap;
            }
        }
    };
    (@tests $make:expr; $($module:ident: $($test:ident)+;)+) => {
        $($(
            #[test]
            fn $test() {
                $module::$test(&$make);
            }
        )+)+
    };
}

suite! { memory: Memory::new() }
suite! { #[cfg(feature = "sqlite")] sqlite: in_a_file() }
suite! { #[cfg(all(feature = "postgres", unix))] postgres: on(server::Server::shared()) }
suite! { #[cfg(all(feature = "postgres", unix))] pgbouncer: on(server::Server::pooled()) }
suite! { #[cfg(all(feature = "mysql", unix))] mysql: on_mariadb() }
suite! { #[cfg(all(feature = "redis", unix))] redis: on_redis() }
suite! { #[cfg(all(feature = "etcd", unix))] etcd: on_etcd() }
suite! { #[cfg(all(feature = "zookeeper", unix))] zookeeper: on_zookeeper() }

/// The tests of a store whose renewals and ranges are statements.
macro_rules! statements {
    ($(#[$attribute:meta])* $store:ident: $make:expr) => {
        $(#[$attribute])*
        mod $store {
            use super::*;
            suite! { @tests $make; rules: leases_follow_the_rule ranges_follow_the_rule; }
        }
    };
}

statements! { #[cfg(feature = "sqlite")] statements_of_sqlite: in_a_file() }
statements! { #[cfg(all(feature = "postgres", unix))] statements_of_postgres: on(server::Server::shared()) }
statements! { #[cfg(all(feature = "mysql", unix))] statements_of_mysql: on_mariadb() }
