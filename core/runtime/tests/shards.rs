//! One tag in several databases: unique numbers, whoever of them is down, back, added or put back.
#![cfg(all(unix, feature = "sqlite", feature = "postgres", feature = "mysql"))]
#![allow(clippy::unwrap_used)] // helpers of tests are tests

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use snowmint::{
    Allocation, AllocationRequest, Call, Code, Mint, NumberRange, Result, Segment, Source, Tag,
    TagAllocator, TagChange, TagOptions, TagRow, open, open_store,
};

#[allow(dead_code, reason = "of more tests than these")]
#[path = "asking/mod.rs"]
mod asking;
#[allow(dead_code, reason = "of more tests than these")]
#[path = "mysql/server.rs"]
mod mysql;
#[path = "own_server/mod.rs"]
#[allow(dead_code, reason = "what other tests need of it")]
mod own_server;
#[allow(dead_code, reason = "of more tests than these")]
#[path = "postgres/server.rs"]
mod postgres;

use asking::{orders, patiently, refused, wait_until};

const STRIDE: u64 = 4;

/// The URL of a database of that URL, whose tag begins with this number.
fn with_orders(url: &str, start: u64) -> String {
    let and = if url.contains('?') { '&' } else { '?' };
    let store = patiently(|| open_store(&format!("{url}{and}create=true")));
    store.create_tag(&orders(), options(start)).unwrap();
    url.to_owned()
}

fn options(start: u64) -> TagOptions {
    TagOptions::default().start(start).stride(STRIDE).step(10)
}

/// The same of a new file.
fn file(directory: &Path, start: u64) -> String {
    with_orders(&format!("sqlite:{}", directory.join(format!("{start}.db")).display()), start)
}

/// The URL of a source over all of them.
fn over(urls: &[&str]) -> String {
    let (first, further) = urls.split_first().unwrap();
    let and = if first.contains('?') { '&' } else { '?' };
    let at = further.iter().map(|url| format!("&at={}", url.replace('&', "%26")));
    format!("segment+{first}{and}tag=orders&step=10{}", at.collect::<String>())
}

fn opened(urls: &[&str]) -> Source {
    patiently(|| open(&over(urls)))
}

/// Returns the remainders of so many numbers by the stride.
fn classes(source: &Source, count: usize) -> HashSet<u64> {
    (0..count).map(|_| source.next_id().unwrap() % STRIDE).collect()
}

/// Waits until numbers of a class come.
fn wait_for_class(source: &Source, class: u64) {
    wait_until("the class", || source.next_id().is_ok_and(|id| id % STRIDE == class));
}

#[test]
fn databases_of_any_kind_share_a_tag() {
    let directory = tempfile::tempdir().unwrap();
    let (postgres, mysql) =
        (postgres::Server::shared().database(), mysql::Server::shared().database());
    let urls =
        [file(directory.path(), 1), with_orders(&postgres.url, 2), with_orders(&mysql.url, 3)];
    let [a, b, c] = urls.each_ref().map(String::as_str);
    // In whatever order they are named.
    let sources = [opened(&[a, b, c]), opened(&[c, a, b])];
    for source in &sources {
        (1..=3).for_each(|class| wait_for_class(source, class));
    }
    let mint = |source: &Source| (0..1_000).map(|_| source.next_id().unwrap()).collect::<Vec<_>>();
    let ids: Vec<u64> = thread::scope(|scope| {
        let threads: Vec<_> = sources
            .iter()
            .cycle()
            .take(4)
            .map(|source| scope.spawn(move || mint(source)))
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), 4_000);
    assert_eq!(ids.iter().map(|id| id % STRIDE).collect::<HashSet<_>>(), HashSet::from([1, 2, 3]));
    let stats = sources[0].stats();
    assert!(
        stats.kind == "segment" && stats.buckets.len() >= 3 && stats.step == Some(10),
        "{stats:?}"
    );
    let filled = sources[0].next_ids(500).unwrap();
    assert_eq!(filled.iter().chain(&ids).collect::<HashSet<_>>().len(), 4_500);
    sources[0].close().unwrap();
    refused(sources[0].next_id(), Code::Closed);
    sources[1].next_id().unwrap();
}

#[test]
fn databases_that_can_give_the_same_number_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let [one, two] = [1, 2].map(|start| file(directory.path(), start));
    let five = file(directory.path(), 5);
    for urls in [[&*one, &*five], [&*one, &*one]] {
        let told = refused(open(&over(&urls)), Code::InvalidParameter);
        assert!(
            told.contains("can give the same numbers") && told.contains("--stride 2"),
            "{told}"
        );
        assert!(told.contains("1.db"), "{told}");
    }
    drop(open(&over(&[&one, &two])).unwrap());
    let missing = format!("sqlite:{}", directory.path().join("none.db").display());
    refused(open(&over(&[&one, &missing])), Code::StoreMissing);
    let untagged = with_orders(&missing.replace("none", "other"), 3);
    let told = over(&[&one, &untagged]).replace("tag=orders", "tag=bills");
    assert!(refused(open(&told), Code::UnknownTag).contains("1.db"));
}

#[test]
fn urls_that_are_wrong_are_told_without_their_passwords() {
    let directory = tempfile::tempdir().unwrap();
    let one = file(directory.path(), 1);
    for (at, code) in [
        ("S3CRET", Code::InvalidUrl),
        ("oracle://ann:S3CRET@db/ids", Code::UnknownScheme),
        ("postgres://ann:S3CRET@db/ids?sslmod=x", Code::UnknownParameter),
        ("postgres://ann:S3CRET@db:99999/ids", Code::InvalidUrl),
    ] {
        let told = refused(open(&over(&[&one, at])), code);
        assert!(!told.contains("S3CRET") || at == "S3CRET", "{told}");
    }
    let told = refused(open(&format!("segment+{one}?tag=orders&key=7")), Code::InvalidParameter);
    assert!(told.contains("at="), "{told}");
    for kind in ["snowflake", "daily", "sequences"] {
        refused(open(&format!("{kind}+{one}?at={one}")), Code::UnknownParameter);
    }
    let down = "postgres://ann:S3CRET@127.0.0.1:1/ids?sslmode=disable";
    let told = refused(open(&(over(&[down, down]) + "&wait_ms=0")), Code::StoreUnavailable);
    assert!(!told.contains("S3CRET"), "{told}");
}

#[test]
fn a_shard_that_is_down_is_left_out_until_it_is_back() {
    let directory = tempfile::tempdir().unwrap();
    let mut server = postgres::Server::start(&[]);
    let database = server.database();
    let (ours, theirs) = (file(directory.path(), 1), with_orders(&database.url, 2));
    let before = opened(&[&ours, &theirs]);
    // On a busy machine one has its first range later than the other.
    wait_for_class(&before, 1);
    wait_for_class(&before, 2);
    server.end();
    // Numbers at hand are given to their end.
    wait_until("the end", || (0..100).all(|_| before.next_id().unwrap() % STRIDE == 1));
    let during = opened(&[&theirs, &ours]);
    assert_eq!(classes(&during, 100), HashSet::from([1]));
    let failure = before.stats().last_failure.unwrap();
    assert!(failure.code == Code::StoreUnavailable && !failure.is_over, "{failure:?}");
    server.start_again();
    wait_for_class(&before, 2);
    wait_for_class(&during, 2);
    drop(database);
}

#[test]
fn a_database_is_added_while_numbers_are_taken() {
    let directory = tempfile::tempdir().unwrap();
    let [one, two, three] = [1, 2, 3].map(|start| file(directory.path(), start));
    let (old, new) = (opened(&[&one, &two]), opened(&[&three, &two, &one]));
    let mut ids = HashSet::new();
    for _ in 0..500 {
        for source in [&old, &new] {
            let id = source.next_id().unwrap();
            assert!(ids.insert(id), "{id} was given twice");
        }
    }
    [1, 2, 3].iter().for_each(|&class| wait_for_class(&new, class));
    [1, 2].iter().for_each(|&class| wait_for_class(&old, class));
    assert!(classes(&old, 100).is_subset(&HashSet::from([1, 2])));
}

#[test]
fn a_key_keeps_its_database() {
    let directory = tempfile::tempdir().unwrap();
    let [one, two, three] = [1, 2, 3].map(|start| file(directory.path(), start));
    let (before, again) = (opened(&[&one, &two]), opened(&[&two, &one]));
    let after = opened(&[&two, &three, &one]);
    let mut moved = 0;
    for key in 0..200 {
        let class = |source: &Source| source.next_of(key).unwrap() % STRIDE;
        let here = class(&before);
        assert_eq!((class(&before), class(&again)), (here, here));
        let there = class(&after);
        assert!(there == here || there == 3, "key {key} went from {here} to {there}");
        moved += u64::from(there != here);
    }
    assert!((30..110).contains(&moved), "{moved} of 200 keys moved to the third");
    let url = over(&[&one, &two, &three]) + "&key=42";
    let source = open(&url).unwrap();
    let class = source.next_of(42).unwrap() % STRIDE;
    assert_eq!(classes(&source, 50), HashSet::from([class]));
    let alone = open(&format!("segment+{one}?tag=orders")).unwrap();
    refused(alone.next_of(42), Code::Unsupported);
}

#[test]
fn tables_of_tinyid_share_a_tag_as_its_servers_do() {
    let databases = [0, 1].map(|remainder| {
        let database = postgres::Server::shared().database();
        database.run(&format!(
            "CREATE TABLE tiny_id_info (id bigserial PRIMARY KEY, biz_type varchar(63) UNIQUE, \
             begin_id bigint, max_id bigint, step int, delta int, remainder int, \
             create_time timestamp, update_time timestamp, version bigint); \
             INSERT INTO tiny_id_info (biz_type, begin_id, max_id, step, delta, remainder, version) \
             VALUES ('orders', 1, 0, 100, 2, {remainder}, 1)"
        ));
        database
    });
    let urls = databases.each_ref().map(|database| format!("{}&dialect=tinyid", database.url));
    let source = open(&over(&[&urls[0], &urls[1]])).unwrap();
    let mut ids = HashSet::new();
    wait_until("400 numbers, of both", || {
        for _ in 0..50 {
            let id = source.next_id().unwrap();
            assert!(ids.insert(id), "{id} was given twice");
        }
        ids.len() >= 400 && ids.iter().map(|id| id % 2).collect::<HashSet<_>>().len() == 2
    });
}

/// A database in memory, whose backup can be put back.
struct Putback {
    next: AtomicU64,
    raises: AtomicU64,
}

impl Putback {
    fn new(start: u64) -> Arc<Putback> {
        Arc::new(Putback { next: AtomicU64::new(start), raises: AtomicU64::new(0) })
    }
}

impl TagAllocator for Putback {
    fn reserve(&self, _: &AllocationRequest, _: &Call) -> Result<Allocation> {
        let start = self.next.fetch_add(10 * STRIDE, Ordering::SeqCst);
        Ok(Allocation::new(NumberRange::new(start, start + 10 * STRIDE, STRIDE)?, 10))
    }

    fn row(&self, tag: &Tag) -> Result<Option<TagRow>> {
        let mut row = TagRow::new(tag, options(self.next.load(Ordering::SeqCst)));
        row.raises = self.raises.load(Ordering::SeqCst);
        Ok(Some(row))
    }
}

#[test]
fn l1_a_shard_that_is_put_back_stops_alone_until_it_is_raised() {
    let (steady, back) = (Putback::new(1), Putback::new(2));
    let segment = Segment::builder(steady.clone(), orders()).shard(back.clone()).open().unwrap();
    let mut ids = HashSet::new();
    let mut take = |count: usize| {
        let taken: Vec<u64> = (0..count).map(|_| segment.next_id().unwrap()).collect();
        for id in &taken {
            assert!(ids.insert(*id), "{id} was given twice");
        }
        taken.iter().any(|id| id % STRIDE == 2)
    };
    wait_until("its first range", || take(10));
    back.next.store(2, Ordering::SeqCst);
    wait_until("its stop", || !take(100));
    // It is told once its row was looked at, which is after its numbers stop.
    wait_until("its failure", || {
        segment.stats().last_failure.is_some_and(|failure| failure.code == Code::RangeRegressed)
    });
    assert!(!take(500));
    // Seen as it is, before it is raised.
    thread::sleep(Duration::from_millis(500));
    back.next.store(2 + 1_000 * STRIDE, Ordering::SeqCst);
    back.raises.fetch_add(1, Ordering::SeqCst);
    wait_until("its numbers", || take(100));
}

#[test]
fn l1_numbers_of_another_class_are_not_used() {
    let (steady, moved) = (Putback::new(1), Putback::new(2));
    let segment = Segment::builder(steady, orders()).shard(moved.clone()).open().unwrap();
    wait_until("its first range", || segment.next_id().unwrap() % STRIDE == 2);
    // Into the class of the other one.
    moved.next.store(1 + 1_000 * STRIDE, Ordering::SeqCst);
    let began = Instant::now();
    while segment.stats().last_failure.is_none_or(|failure| failure.code != Code::InvalidAnswer) {
        let id = segment.next_id().unwrap();
        assert!(id % STRIDE == 2 || id < 1_000 * STRIDE, "{id}");
        assert!(began.elapsed() < Duration::from_secs(60));
    }
    moved.next.store(2 + 2_000 * STRIDE, Ordering::SeqCst);
    wait_until("its numbers", || segment.next_id().unwrap() > 2_000 * STRIDE);
}

#[test]
fn an_exhausted_shard_leaves_the_others_alone() {
    let directory = tempfile::tempdir().unwrap();
    let [one, two] = [1, 2].map(|start| file(directory.path(), start));
    let store = open_store(&two).unwrap();
    let end = (1 << 63) - 6;
    store.change_tag(&orders(), TagChange::default().next(end)).unwrap();
    let source = opened(&[&one, &two]);
    let mut last = 0;
    wait_until("its last numbers", || {
        last += u64::from(source.next_id().unwrap() >= end);
        last == 2
    });
    assert_eq!(classes(&source, 300), HashSet::from([1]));
}

/// A database in memory that answers no more once it is told so.
struct Silent {
    putback: Arc<Putback>,
    is_silent: AtomicBool,
}

impl TagAllocator for Silent {
    fn reserve(&self, request: &AllocationRequest, call: &Call) -> Result<Allocation> {
        while self.is_silent.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(10));
        }
        self.putback.reserve(request, call)
    }

    fn row(&self, tag: &Tag) -> Result<Option<TagRow>> {
        self.putback.row(tag)
    }
}

#[test]
fn a_silent_shard_is_passed_over_by_its_keys() {
    let steady = Putback::new(1);
    let silent = Arc::new(Silent { putback: Putback::new(2), is_silent: AtomicBool::default() });
    let wait = Duration::from_secs(6);
    let builder = Segment::builder(steady, orders()).shard(silent.clone());
    let segment = builder.wait(wait).open().unwrap();
    let class = |key: u64| segment.next_id_of(key).unwrap() % STRIDE;
    let key = (0..).find(|key| class(*key) == 2).unwrap();
    silent.is_silent.store(true, Ordering::SeqCst);
    wait_until("another's number", || class(key) == 1);
    silent.is_silent.store(false, Ordering::SeqCst);
    wait_until("its own number", || class(key) == 2);
}
