//! Sources that open at their first use.
#![allow(clippy::unwrap_used)] // helpers of tests are tests

use std::collections::HashSet;
use std::path::Path;
use std::thread;
use std::time::Duration;

use snowmint::{
    Attempt, Code, Error, Layout, LazySource, MAX_COUNT, Mint, Snowflake, Source, SqliteStore, Tag,
    WorkerId, lazy, lazy_as,
};

fn url(kind: &str, directory: &Path, parameters: &str) -> String {
    format!("{kind}+sqlite:{}{parameters}", directory.join("ids.db").display())
}

fn code<T: std::fmt::Debug>(refused: Result<T, Error>) -> Code {
    refused.unwrap_err().code()
}

#[test]
fn a_wrong_url_is_refused_at_once() {
    for (url, expected) in [
        ("nonsense", Code::InvalidUrl),
        ("segment+oracle:x?tag=a", Code::UnknownScheme),
        ("snowflake+sqlite:ids.db?leyout=twitter", Code::UnknownParameter),
        ("snowflake+sqlite:ids.db?wait_ms=soon", Code::InvalidParameter),
        ("snowflake:?worker_id=", Code::InvalidParameter),
        ("snowflake+sqlite:ids.db?ring=3", Code::InvalidParameter),
        ("segment+sqlite:ids.db", Code::InvalidTag),
        ("daily+sqlite:ids.db?tag=a&zone=Nowhere", Code::InvalidTime),
        ("uuid:?version=5", Code::InvalidParameter),
    ] {
        assert_eq!(code(lazy(url)), expected, "{url}");
    }
    assert_eq!(code(lazy_as("segment", "snowflake:?worker_id=7")), Code::InvalidParameter);
}

#[test]
fn what_a_url_says_is_known_before_the_source_is_open() {
    let ids = lazy("daily+sqlite:missing.db?tag=bills&namespace=shop&digits=4&wait_ms=9").unwrap();
    assert_eq!((ids.kind(), ids.tag().map(Tag::as_str)), ("daily", Some("shop/bills")));
    assert_eq!((ids.wait(), ids.day_size()), (Duration::from_millis(9), Some(10_000)));
    let ids = lazy("snowflake+sqlite:missing.db?layout=discord&ring=64").unwrap();
    let discord = snowmint::names::preset("discord").unwrap().layout;
    assert_eq!((ids.kind(), ids.layout()), ("ring", Some(&discord)));
    assert_eq!((ids.stats().kind, ids.stats().worker_id), ("snowflake", None));
    assert!(!Path::new("missing.db").exists() && ids.try_get().is_none());
}

#[test]
fn the_first_use_fails_and_a_later_one_tries_again() {
    let directory = tempfile::tempdir().unwrap();
    let ids = lazy(&url("snowflake", directory.path(), "")).unwrap();
    assert_eq!(code(ids.next_id()), Code::StoreMissing);
    assert_eq!(ids.stats().last_failure.unwrap().code, Code::StoreMissing);
    SqliteStore::create(directory.path().join("ids.db")).unwrap();
    // Until the pause after the failure is over, the failure is the same.
    while code_of_use(&ids) == Some(Code::StoreMissing) {
        thread::sleep(Duration::from_millis(20));
    }
    assert!(ids.next_ids(1_000).unwrap().is_sorted_by(|a, b| a < b));
    assert!(ids.stats().worker_id.is_some());
}

fn code_of_use(ids: &LazySource) -> Option<Code> {
    ids.get().err().map(|error| error.code())
}

#[test]
fn a_store_that_is_away_for_a_moment_is_waited_for() {
    let directory = tempfile::tempdir().unwrap();
    let fixed = || {
        let builder = Snowflake::builder().worker_id(WorkerId::Fixed(7));
        builder.state_directory(directory.path()).open().unwrap()
    };
    let state = directory.path().display();
    let ids = lazy(&format!("snowflake:?worker_id=7&state={state}")).unwrap();
    let first = fixed();
    assert_eq!(code(ids.next_id()), Code::WorkerInUse);
    assert_eq!(code(ids.next_id_within(Duration::ZERO)), Code::WorkerInUse);
    first.close().unwrap();
    while code_of_use(&ids) == Some(Code::WorkerInUse) {
        thread::sleep(Duration::from_millis(20));
    }
    ids.next_id().unwrap();
}

#[test]
fn threads_that_use_it_first_at_the_same_time_open_it_once() {
    let directory = tempfile::tempdir().unwrap();
    let state = directory.path().display();
    // A second generator with this worker ID would be refused.
    let ids = &lazy(&format!("snowflake:?worker_id=7&state={state}")).unwrap();
    let minted: Vec<_> = thread::scope(|scope| {
        let threads = [(); 8].map(|()| scope.spawn(|| ids.next_ids(500).unwrap()));
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(minted.iter().collect::<HashSet<_>>().len(), 4_000);
}

#[test]
fn a_call_that_does_not_wait_begins_to_open_the_source() {
    let directory = tempfile::tempdir().unwrap();
    let ids = lazy(&url("snowflake", directory.path(), "?create=true")).unwrap();
    assert_eq!(ids.try_next_id(), None);
    assert!(ids.try_get().is_none(), "that alone opens nothing");
    assert_eq!(code(ids.next_id_within(Duration::ZERO)), Code::WaitTimeout);
    while let Attempt::Later { pause, .. } = ids.poll_id().unwrap() {
        thread::sleep(pause);
    }
    assert!(ids.try_next_id().is_some());
}

#[test]
fn every_kind_can_be_opened_late() {
    let directory = tempfile::tempdir().unwrap();
    let of = |kind: &str, parameters: &str| lazy(&url(kind, directory.path(), parameters)).unwrap();
    let store = SqliteStore::create(directory.path().join("ids.db")).unwrap();
    let tag = Tag::new("orders").unwrap();
    snowmint::SegmentAdmin::create_tag(&store, &tag, snowmint::TagOptions::default()).unwrap();
    assert_eq!(of("segment", "?tag=orders").next_ids(3).unwrap(), [1, 2, 3]);
    assert_eq!(code(of("segment", "?tag=bills").next_id()), Code::UnknownTag);
    assert!(of("daily", "?tag=bills").next_id().unwrap() > 20_260_000_000_000);
    let chat = of("sequences", "?tag=chat");
    assert!(chat.get().unwrap().next_of(7).unwrap() < chat.get().unwrap().next_of(7).unwrap());
    assert_eq!(code(chat.next_id()), Code::Unsupported);
    let ring = of("snowflake", "?ring=64");
    assert!(matches!(ring.get(), Ok(Source::Ring(_))));
    ring.next_id().unwrap();
    assert!(lazy("uuid:").unwrap().get().unwrap().next_uuid().is_ok());
}

#[test]
fn a_source_closed_before_its_first_use_is_never_opened() {
    let directory = tempfile::tempdir().unwrap();
    let ids = lazy(&url("snowflake", directory.path(), "?create=true")).unwrap();
    ids.close().unwrap();
    assert_eq!((code(ids.next_id()), ids.try_next_id()), (Code::Closed, None));
    assert!(ids.stats().is_closed && !directory.path().join("ids.db").exists());
}

#[test]
fn a_wait_bound_of_its_own_holds_for_every_call() {
    let directory = tempfile::tempdir().unwrap();
    let ids = lazy(&url("snowflake", directory.path(), "?create=true")).unwrap();
    let impatient = ids.with_wait(Duration::ZERO);
    assert_eq!(code(impatient.next_id()), Code::WaitTimeout);
    ids.get().unwrap();
    impatient.next_id().unwrap();
    assert_eq!(code(impatient.next_ids(MAX_COUNT)), Code::CountOutOfRange);
    assert_eq!(impatient.layout(), Some(&Layout::TWITTER));
    let clone = ids.clone();
    clone.close().unwrap();
    assert_eq!(code(ids.next_id()), Code::Closed);
}

#[test]
fn an_open_source_is_one_that_was_used() {
    let directory = tempfile::tempdir().unwrap();
    let source = snowmint::open(&url("snowflake", directory.path(), "?create=true")).unwrap();
    let ids = LazySource::from(source);
    assert!(ids.try_next_id().is_some());
    assert_eq!((ids.kind(), ids.layout()), ("snowflake", Some(&Layout::TWITTER)));
}
