//! Tests of the events that listeners hear of, and of those that they do not.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId, sleep};
use std::time::{Duration, Instant};

use snowmint::{
    Allocation, AllocationRequest, Call, Clock, Code, Error, Event, EventKind, Layout, Lease,
    LeaseRequest, Listening, MemoryStore, Mint, Result, Segment, SegmentAdmin, SegmentStore,
    Sequences, Severity, Snowflake, StepSize, System, Tag, TagChange, TagOptions, TagRow,
    WorkerAdmin, WorkerId, WorkerStore, on_event, on_event_aside,
};

const MOMENT: Duration = Duration::from_millis(1);
/// Nothing here takes so long, on any machine.
const FOREVER: Duration = Duration::from_secs(300);

/// Listeners are the process's: one test at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A store in memory that can fail and go back.
#[derive(Default)]
struct Shaky {
    store: Mutex<Arc<MemoryStore>>,
    is_down: AtomicBool,
}

impl Shaky {
    fn with_tags(names: &[&str]) -> Arc<Shaky> {
        let store = Arc::<Shaky>::default();
        for name in names {
            store.store().create_tag(&tag(name), TagOptions::default()).unwrap();
        }
        store
    }

    fn store(&self) -> Arc<MemoryStore> {
        Arc::clone(&self.store.lock().unwrap())
    }

    fn go_back(&self, name: &str) {
        let older = MemoryStore::new();
        older.create_tag(&tag(name), TagOptions::default()).unwrap();
        *self.store.lock().unwrap() = Arc::new(older);
    }

    fn call<T>(&self, done: impl FnOnce(&MemoryStore) -> Result<T>) -> Result<T> {
        if self.is_down.load(SeqCst) {
            return Err(down());
        }
        done(&self.store())
    }
}

fn down() -> Error {
    Error::new(Code::StoreUnavailable, "no route to the \u{1b}[31mstore")
}

impl WorkerStore for Shaky {
    fn acquire(&self, request: &LeaseRequest, call: &Call) -> Result<Lease> {
        self.call(|store| store.acquire(request, call))
    }

    fn renew(&self, lease: &Lease, reserve_ms: u32, call: &Call) -> Result<Lease> {
        self.call(|store| store.renew(lease, reserve_ms, call))
    }

    fn release(&self, lease: &Lease, call: &Call) -> Result<()> {
        self.call(|store| store.release(lease, call))
    }
}

impl SegmentStore for Shaky {
    fn allocate(
        &self,
        wanted: &[AllocationRequest],
        call: &Call,
    ) -> Result<Vec<Result<Allocation>>> {
        self.call(|store| store.allocate(wanted, call))
    }

    fn tag(&self, tag: &Tag) -> Result<Option<TagRow>> {
        self.call(|store| store.tag(tag))
    }
}

impl SegmentAdmin for Shaky {
    fn create_tag(&self, tag: &Tag, options: TagOptions) -> Result<()> {
        self.call(|store| store.create_tag(tag, options))
    }
}

fn tag(name: &str) -> Tag {
    Tag::new(name).unwrap()
}

fn segment(store: &Arc<Shaky>, name: &str, step: u64) -> Segment {
    let store: Arc<dyn SegmentStore> = store.clone();
    Segment::builder(store, tag(name)).step(StepSize::fixed(step).unwrap()).open().unwrap()
}

fn generator(store: &Arc<Shaky>) -> Snowflake {
    Snowflake::builder().lease_from(store.clone()).reserve_ms(100).open().unwrap()
}

fn realm() -> String {
    let layout = Layout::TWITTER;
    format!("{}@{}/{}", layout.fields_text(), layout.epoch_ms(), layout.tick_ms())
}

fn until<T>(ready: impl Fn() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(value) = ready() {
            return value;
        }
        assert!(begun.elapsed() < FOREVER, "this never happens");
        sleep(MOMENT);
    }
}

/// The events that a listener heard, with their threads.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<(Event, ThreadId)>>>);

impl Heard {
    fn listen() -> (Heard, Listening) {
        let heard = Heard::default();
        let listener = heard.clone();
        let listening = on_event(move |event| listener.note(event));
        (heard, listening)
    }

    fn note(&self, event: &Event) {
        self.0.lock().unwrap().push((event.clone(), thread::current().id()));
    }

    fn all(&self) -> Vec<Event> {
        self.0.lock().unwrap().iter().map(|(event, _)| event.clone()).collect()
    }

    fn kinds(&self) -> Vec<EventKind> {
        self.all().iter().map(|event| event.kind).collect()
    }

    /// The first event of a kind, once it is there.
    fn first(&self, kind: EventKind) -> Event {
        until(|| self.all().into_iter().find(|event| event.kind == kind))
    }
}

#[test]
fn nothing_is_heard_of_a_calm_run() {
    let _alone = alone();
    let (heard, _listening) = Heard::listen();
    let store = Shaky::with_tags(&["calm"]);
    let (flake, numbers) = (generator(&store), segment(&store, "calm", 10));
    let begun = Instant::now();
    // Several renewals, and many ranges.
    while begun.elapsed() < Duration::from_millis(600) {
        flake.next_id().unwrap();
        numbers.next_id().unwrap();
        sleep(MOMENT);
    }
    flake.close().unwrap();
    numbers.close().unwrap();
    drop((flake, numbers));
    assert_eq!(heard.all(), []);
}

#[test]
fn a_lost_lease_is_told_once_with_its_worker_id() {
    let _alone = alone();
    let (heard, _listening) = Heard::listen();
    let store = Shaky::with_tags(&[]);
    let flake = generator(&store);
    let minted_by = || Layout::TWITTER.decode(flake.next_id().unwrap()).unwrap().worker_id;
    let worker_id = minted_by();
    assert!(store.store().evict(&realm(), worker_id).unwrap());
    let lost = heard.first(EventKind::LeaseLost);
    assert_eq!((lost.source, lost.worker_id, lost.tag), ("snowflake", Some(worker_id), None));
    assert_eq!(lost.code, Some(Code::LeaseLost));
    assert!(lost.unix_ms > 1_700_000_000_000);
    assert!(lost.message.contains("by itself"), "{}", lost.message);
    until(|| (minted_by() != worker_id).then_some(()));
    assert_eq!(heard.kinds(), [EventKind::LeaseLost]);
}

#[test]
fn a_generator_that_stops_for_good_is_told_once() {
    let _alone = alone();
    let (heard, _listening) = Heard::listen();
    let directory = tempfile::tempdir().unwrap();
    let flake =
        Snowflake::builder().worker_id(WorkerId::Fixed(7)).state_directory(directory.path());
    let flake = flake.wait(Duration::ZERO).open().unwrap();
    flake.next_id().unwrap();
    let file = directory.path().join("worker-7.mark");
    std::fs::rename(&file, file.with_extension("moved")).unwrap();
    let stopped = || flake.next_id().err().filter(|error| error.code() == Code::StateMissing);
    until(stopped);
    let lost = heard.first(EventKind::StateLost);
    assert_eq!((lost.worker_id, lost.code), (Some(7), Some(Code::StateMissing)));
    assert!(lost.message.contains("stops for good"), "{}", lost.message);
    until(stopped);
    assert_eq!(heard.kinds(), [EventKind::StateLost]);
}

/// The number of sources and of their calls makes no difference.
#[test]
fn a_store_that_fails_is_told_once_and_so_is_its_return() {
    let _alone = alone();
    let (heard, _listening) = Heard::listen();
    let names = ["down-a", "down-b", "down-c"];
    let store = Shaky::with_tags(&names);
    let flake = generator(&store);
    let segments = names.map(|name| segment(&store, name, 1));
    for round in 1..=2 {
        store.is_down.store(true, SeqCst);
        for segment in &segments {
            until(|| {
                segment.next_id_within(Duration::ZERO).err().filter(|e| e.code() == down().code())
            });
        }
        store.is_down.store(false, SeqCst);
        for segment in &segments {
            until(|| segment.next_id().ok());
        }
        until(|| (heard.all().len() >= 2 * round).then_some(()));
    }
    flake.next_id().unwrap();
    let twice = [EventKind::StoreDown, EventKind::StoreBack].repeat(2);
    assert_eq!(heard.kinds(), twice);
    let event = heard.first(EventKind::StoreDown);
    assert_eq!(event.code, Some(Code::StoreUnavailable));
    assert!(event.message.contains(r"no route to the \u{1b}[31mstore"), "{}", event.message);
    assert_eq!(heard.first(EventKind::StoreBack).kind.severity(), Severity::Info);
}

#[test]
fn a_tag_that_went_back_is_told_and_so_is_its_raise() {
    let _alone = alone();
    let (heard, _listening) = Heard::listen();
    let store = Shaky::with_tags(&["fenced"]);
    let numbers = segment(&store, "fenced", 100);
    numbers.next_ids(250).unwrap();
    store.go_back("fenced");
    until(|| numbers.next_id().err().filter(|error| error.code() == Code::RangeRegressed));
    let fenced = heard.first(EventKind::Fenced);
    assert_eq!((fenced.source, fenced.tag.as_deref()), ("segment", Some("fenced")));
    assert_eq!(fenced.code, Some(Code::RangeRegressed));
    let cure =
        "by `snowmint segment raise STORE fenced --next NUMBER` where a URL reaches the store";
    assert!(fenced.message.contains(cure), "{}", fenced.message);
    let raise = TagChange::default().next(5_000);
    store.store().change_tag(&tag("fenced"), raise).unwrap();
    // Though nobody calls.
    until(|| (numbers.stats().at_hand() > 0).then_some(()));
    heard.first(EventKind::Unfenced);
    assert_eq!(heard.kinds(), [EventKind::Fenced, EventKind::Unfenced]);
}

#[test]
fn sequences_that_went_back_are_told_once() {
    let _alone = alone();
    let (heard, _listening) = Heard::listen();
    let store = Shaky::with_tags(&[]);
    let chat = Sequences::builder(store.clone(), tag("chat")).step(1).open().unwrap();
    for _ in 0..3 {
        chat.next(7).unwrap();
    }
    store.go_back("chat:0");
    until(|| chat.next(7).err().filter(|error| error.code() == Code::RangeRegressed));
    let fenced = heard.first(EventKind::Fenced);
    assert_eq!((fenced.source, fenced.tag.as_deref()), ("sequences", Some("chat:0")));
    assert_eq!(heard.kinds(), [EventKind::Fenced]);
}

/// By the thread that opens, before it has the generator.
#[test]
fn a_layout_that_ends_within_a_year_is_told_at_once() {
    let _alone = alone();
    let (heard, _listening) = Heard::listen();
    let ends_in = |days: i64| {
        let epoch_ms = System.now_ms() + days * 86_400_000 - (1 << 34);
        let layout = Layout::builder().time(34).worker(10).sequence(12).epoch_ms(epoch_ms);
        let store: Arc<dyn WorkerStore> = Arc::new(MemoryStore::new());
        let builder = Snowflake::builder().layout(layout.build().unwrap()).lease_from(store);
        builder.open().unwrap()
    };
    let soon = ends_in(30);
    let (event, thread) = heard.0.lock().unwrap().last().unwrap().clone();
    assert_eq!((event.kind, thread), (EventKind::ExpiresSoon, thread::current().id()));
    assert!(event.worker_id.is_some());
    drop(soon);
    heard.0.lock().unwrap().clear();
    let store: Arc<dyn WorkerStore> = Arc::new(MemoryStore::new());
    Snowflake::builder().lease_from(store).open().unwrap();
    assert_eq!(heard.all(), []);
}

#[test]
fn a_listener_may_panic_close_its_source_and_remove_itself() {
    let _alone = alone();
    let (heard, _listening) = Heard::listen();
    let store = Shaky::with_tags(&["reentrant"]);
    let flake = generator(&store);
    let closing: Arc<Mutex<Option<(Snowflake, Listening)>>> = Arc::default();
    let slot = Arc::clone(&closing);
    let listening = on_event(move |_| {
        let Some((flake, listening)) = slot.lock().unwrap().take() else { return };
        flake.close().unwrap();
        drop(listening);
        panic!("and more");
    });
    // After it: hears what it left.
    let (later, _after) = Heard::listen();
    *closing.lock().unwrap() = Some((flake.clone(), listening));
    store.is_down.store(true, SeqCst);
    until(|| flake.next_id().err().filter(|error| error.code() == Code::Closed));
    until(|| (heard.all().len() == 1 && later.all().len() == 1).then_some(()));
    store.is_down.store(false, SeqCst);
    generator(&store).next_id().unwrap();
}

#[test]
fn a_listener_that_was_removed_hears_nothing() {
    let _alone = alone();
    let (heard, listening) = Heard::listen();
    let (other, _listening) = Heard::listen();
    drop(listening);
    let store = Shaky::with_tags(&[]);
    let _flake = generator(&store);
    store.is_down.store(true, SeqCst);
    other.first(EventKind::StoreDown);
    assert_eq!(heard.all(), []);
}

/// The scheduler goes on; what waits for it is bounded, and told in order once it goes on, too.
#[test]
fn a_listener_aside_may_hang() {
    let _alone = alone();
    let heard = Heard::default();
    let gate = Arc::new((Mutex::new(false), Condvar::new()));
    let (listener, entrance) = (heard.clone(), Arc::clone(&gate));
    let _listening = on_event_aside(move |event| {
        let (is_open, opened) = &*entrance;
        let open = opened.wait_while(is_open.lock().unwrap(), |is_open| !*is_open).unwrap();
        drop(open);
        listener.note(event);
    });
    let (direct, _direct) = Heard::listen();
    let store = Shaky::with_tags(&["aside"]);
    let numbers = segment(&store, "aside", 1);
    for _ in 0..3 {
        store.is_down.store(true, SeqCst);
        until(|| {
            numbers.next_id_within(Duration::ZERO).err().filter(|e| e.code() == down().code())
        });
        store.is_down.store(false, SeqCst);
        until(|| numbers.next_id().ok());
    }
    until(|| (direct.all().len() == 6).then_some(()));
    assert_eq!(heard.all(), []);
    *gate.0.lock().unwrap() = true;
    gate.1.notify_all();
    until(|| (heard.all().len() == 6).then_some(()));
    assert_eq!(heard.all(), direct.all());
}
