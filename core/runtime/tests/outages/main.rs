//! Segments whose store fails for a while, in time that tests move by hand.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

#[path = "../by_hand/mod.rs"]
mod by_hand;
mod tags;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use snowmint::engine::NumberRange;
use snowmint::{
    Allocation, AllocationRequest, Attempt, Call, Clock, Code, Daily, Error, Event, EventKind,
    Listening, MemoryStore, Mint, Result, RingSource, Segment, SegmentAdmin, SegmentStore,
    Sequences, Source, StepSize, Tag, TagAllocator, TagChange, TagOptions, TagRow, on_event,
};

use by_hand::Hands;

/// Whatever fails with these, somebody has to put right.
const LASTING: [Code; 6] = [
    Code::StoreReadOnly,
    Code::StoreDenied,
    Code::StoreMissing,
    Code::StoreFull,
    Code::StoreSchema,
    Code::IncarnationChanged,
];

type During = Box<dyn FnOnce() + Send>;

/// A store in memory that fails for as long as a test says.
#[derive(Default)]
struct Failing {
    store: MemoryStore,
    code: Mutex<Option<Code>>,
    /// The number of requests for ranges.
    asked: AtomicUsize,
    /// True if it gives no ranges, but still tells of its tags.
    tells: AtomicBool,
    /// Happens while it is asked for the next one.
    during: Mutex<Option<During>>,
}

impl Failing {
    fn with_tag(name: &str) -> Arc<Failing> {
        let store = Arc::<Failing>::default();
        store.store.create_tag(&tag(name), TagOptions::default().step(1_000)).unwrap();
        store
    }

    fn fail(&self, code: impl Into<Option<Code>>) {
        *self.code.lock().unwrap() = code.into();
        self.asked.store(0, SeqCst);
    }

    fn during(&self, happens: impl FnOnce() + Send + 'static) {
        *self.during.lock().unwrap() = Some(Box::new(happens));
    }

    fn call<T>(&self, done: impl FnOnce(&MemoryStore) -> Result<T>) -> Result<T> {
        let during = self.during.lock().unwrap().take();
        during.into_iter().for_each(|happens| happens());
        match *self.code.lock().unwrap() {
            Some(code) => Err(Error::new(code, "somebody has to put the store right")),
            None => done(&self.store),
        }
    }
}

impl SegmentStore for Failing {
    fn allocate(
        &self,
        requests: &[AllocationRequest],
        call: &Call,
    ) -> Result<Vec<Result<Allocation>>> {
        self.asked.fetch_add(1, SeqCst);
        self.call(|store| store.allocate(requests, call))
    }

    fn tag(&self, tag: &Tag) -> Result<Option<TagRow>> {
        if self.tells.load(SeqCst) {
            return self.store.tag(tag);
        }
        self.call(|store| store.tag(tag))
    }
}

impl SegmentAdmin for Failing {
    fn create_tag(&self, tag: &Tag, options: TagOptions) -> Result<()> {
        self.call(|store| store.create_tag(tag, options))
    }
}

/// Collects the events of the tags whose names begin with `name`.
fn heard_of(name: &'static str) -> (Arc<Mutex<Vec<Event>>>, Listening) {
    let heard = Arc::<Mutex<Vec<Event>>>::default();
    let listener = Arc::clone(&heard);
    let listening = on_event(move |event| {
        if event.tag.as_ref().is_some_and(|tag| tag.starts_with(name)) {
            listener.lock().unwrap().push(event.clone());
        }
    });
    (heard, listening)
}

fn tag(name: &str) -> Tag {
    Tag::new(name).unwrap()
}

fn segment(store: &Arc<Failing>, name: &str, host: &Hands) -> Segment {
    let builder = Segment::builder(Arc::<Failing>::clone(store), tag(name));
    builder.step(StepSize::fixed(1_000).unwrap()).host((**host).clone()).open().unwrap()
}

/// A function by which a caller takes so many numbers.
type Take = fn(&Segment, u64) -> Result<()>;

fn one_by_one(segment: &Segment, count: u64) -> Result<()> {
    (0..count).try_for_each(|_| segment.next_id_within(Duration::ZERO).map(drop))
}

/// Beside what it counts through itself, from all that are at hand.
fn in_ranges(segment: &Segment, _: u64) -> Result<()> {
    segment.next_range(u64::MAX, Duration::ZERO).map(drop)
}

/// A segment of which all that is due has been fetched, in the middle of its range.
fn begun(store: &Arc<Failing>, name: &str, host: &Hands) -> Segment {
    let segment = segment(store, name, host);
    segment.next_id().unwrap();
    one_by_one(&segment, 49).unwrap();
    segment
}

#[test]
fn a_store_that_was_put_right_is_fetched_from_ahead_again() {
    for code in LASTING.into_iter().chain([Code::StoreUnavailable]) {
        for (take, taken) in [(one_by_one as Take, 200), (in_ranges, 50)] {
            let (store, host) = (Failing::with_tag("orders"), Hands::default());
            let segment = begun(&store, "orders", &host);
            store.fail(code);
            take(&segment, taken).unwrap();
            take(&segment, 1).unwrap();
            host.pass(500);
            assert_eq!(segment.stats().last_failure.unwrap().code, code);
            store.fail(None);
            (0..8).for_each(|_| host.pass(1_000));
            assert!(segment.stats().last_failure.unwrap().is_over, "{code:?}");
            assert!(segment.stats().at_hand() >= 1_000, "{code:?}");
            store.fail(code);
            one_by_one(&segment, 1_000).unwrap();
        }
    }
}

#[test]
fn a_store_that_somebody_has_to_put_right_is_seldom_asked_ahead() {
    let minute_ms = 60_000;
    for code in LASTING {
        let (store, host) = (Failing::with_tag("orders"), Hands::default());
        let segment = begun(&store, "orders", &host);
        store.fail(code);
        one_by_one(&segment, 200).unwrap();
        (0..minute_ms).for_each(|_| host.pass(1));
        assert!((5..=7).contains(&store.asked.load(SeqCst)), "{:?} {code:?}", store.asked);
        store.asked.store(0, SeqCst);
        (0..minute_ms).for_each(|_| host.pass(1));
        assert!((1..=2).contains(&store.asked.load(SeqCst)), "{:?} {code:?}", store.asked);
        // Nor is it by who has none left, and calls no more.
        one_by_one(&segment, 750).unwrap();
        segment.next_id_within(Duration::ZERO).unwrap_err();
        host.pass(1);
        store.asked.store(0, SeqCst);
        (0..minute_ms).for_each(|_| host.pass(1));
        assert!((1..=2).contains(&store.asked.load(SeqCst)), "{:?} {code:?}", store.asked);
    }
}

/// Though it rests for half a minute by then.
#[test]
fn a_look_that_finds_the_store_well_has_it_asked_again() {
    for code in LASTING {
        let (store, host) = (Failing::with_tag("orders"), Hands::default());
        let segment = begun(&store, "orders", &host);
        store.fail(code);
        one_by_one(&segment, 200).unwrap();
        (0..40_000).for_each(|_| host.pass(1));
        store.fail(None);
        Source::Segment(segment.clone()).look_at_store();
        (0..10).for_each(|_| host.pass(100));
        assert!(segment.stats().last_failure.unwrap().is_over, "{code:?}");
        assert!(segment.stats().at_hand() >= 1_000, "{code:?}");
    }
}

/// As one that lets a user read and write nothing.
#[test]
fn a_store_that_refuses_ranges_alone_is_one_outage_however_often_it_is_looked_at() {
    let (heard, _listening) = heard_of("read");
    for used in [200, 950] {
        let (store, host) = (Failing::with_tag("read"), Hands::default());
        let segment = begun(&store, "read", &host);
        store.tells.store(true, SeqCst);
        store.fail(Code::StoreDenied);
        one_by_one(&segment, used).unwrap();
        let source = Source::Segment(segment.clone());
        for _ in 0..12 {
            if used == 950 {
                segment.next_id_within(Duration::ZERO).unwrap_err();
            }
            source.look_at_store();
            (0..50).for_each(|_| host.pass(100));
        }
        store.fail(None);
        source.look_at_store();
        (0..50).for_each(|_| host.pass(100));
        let told = std::mem::take(&mut *heard.lock().unwrap());
        let told: Vec<_> = told.iter().map(|event| event.kind).collect();
        assert_eq!(told, [EventKind::StoreDown, EventKind::StoreBack], "{used} used");
    }
}

/// An application that sends callers elsewhere meanwhile hears that there are numbers again.
#[test]
fn a_segment_that_ran_dry_has_numbers_again_though_nobody_calls() {
    let (heard, _listening) = heard_of("dry");
    for code in LASTING.into_iter().chain([Code::StoreUnavailable]) {
        let (store, host) = (Failing::with_tag("dry"), Hands::default());
        let segment = begun(&store, "dry", &host);
        store.fail(code);
        one_by_one(&segment, 950).unwrap();
        segment.next_id_within(Duration::ZERO).unwrap_err();
        host.pass(1_000);
        store.fail(None);
        (0..31).for_each(|_| host.pass(1_000));
        assert_eq!(segment.stats().at_hand(), 1_000, "{code:?}");
        let told = std::mem::take(&mut *heard.lock().unwrap());
        let told: Vec<_> = told.iter().map(|event| event.kind).collect();
        assert_eq!(told, [EventKind::StoreDown, EventKind::StoreBack], "{code:?}");
    }
}

/// The source does not ask again after an error that is final for the tag.
#[test]
fn a_tag_that_asking_cannot_mend_is_not_asked_for_again() {
    for code in [Code::UnknownTag, Code::TagMoved, Code::TagExhausted] {
        let (store, host) = (Failing::with_tag("orders"), Hands::default());
        let segment = begun(&store, "orders", &host);
        store.fail(code);
        one_by_one(&segment, 200).unwrap();
        (0..100).for_each(|_| host.pass(1_000));
        assert_eq!(store.asked.load(SeqCst), 1, "{code:?}");
    }
}

#[test]
fn a_caller_without_numbers_is_told_at_once_and_the_store_asked_soon() {
    for code in LASTING {
        let (store, host) = (Failing::with_tag("orders"), Hands::default());
        let segment = begun(&store, "orders", &host);
        store.fail(code);
        one_by_one(&segment, 950).unwrap();
        host.pass(60_000);
        let asked_ms = host.boot_ms();
        for _ in 0..10 {
            assert_eq!(segment.next_id().unwrap_err().code(), code);
        }
        assert!(host.boot_ms() - asked_ms < 100, "in {} ms", host.boot_ms() - asked_ms);
        store.fail(None);
        host.pass(1_000);
        assert_eq!(segment.next_id().unwrap(), 1_001);
    }
}

/// There will be news, for which a failure of a while ago does not answer.
#[test]
fn a_caller_that_runs_out_waits_for_the_answer_under_way() {
    let (store, host) = (Failing::with_tag("orders"), Hands::default());
    let segment = begun(&store, "orders", &host);
    store.fail(Code::StoreReadOnly);
    one_by_one(&segment, 200).unwrap();
    host.rounds();
    store.fail(None);
    let (caller, found) = (segment.clone(), Arc::new(Mutex::new(None)));
    let finds = Arc::clone(&found);
    store.during(move || {
        one_by_one(&caller, 750).unwrap();
        *finds.lock().unwrap() = Some(caller.poll_id());
    });
    host.pass(2_000);
    let found = found.lock().unwrap().take().unwrap();
    assert!(matches!(&found, Ok(Attempt::Later { .. })), "{found:?}");
    assert_eq!(segment.next_id().unwrap(), 1_001);
}

/// The runtime may give the numbers out, or a caller may count through them itself, as Java does.
#[test]
fn an_event_mentions_the_reserve_until_a_caller_finds_none() {
    let (heard, _listening) = heard_of("reserved");
    let told = |taken: &[Take], expected: &str| {
        let (store, host) = (Failing::with_tag("reserved"), Hands::default());
        let segment = begun(&store, "reserved", &host);
        store.fail(Code::StoreDenied);
        for take in taken {
            drop(take(&segment, 950));
        }
        host.rounds();
        let event = heard.lock().unwrap().pop().unwrap();
        assert_eq!((event.kind, event.code), (EventKind::StoreDown, Some(Code::StoreDenied)));
        assert!(event.message.contains(expected), "{}", event.message);
    };
    told(&[in_ranges, in_ranges], "its sources go on with what they have reserved");
    told(&[in_ranges, in_ranges, in_ranges], "this source has nothing reserved");
    told(&[one_by_one, one_by_one], "this source has nothing reserved");
}

/// Nobody would ever hear that it is over.
#[test]
fn nothing_is_told_of_a_source_that_ended_while_its_store_failed() {
    let (heard, _listening) = heard_of("ended");
    for is_dropped in [false, true] {
        let (store, host) = (Failing::with_tag("ended"), Hands::default());
        let segment = segment(&store, "ended", &host);
        assert_eq!(segment.next_id_within(Duration::ZERO).unwrap_err().code(), Code::WaitTimeout);
        let _closed = ends_during(&store, Source::Segment(segment), is_dropped);
        host.rounds();
        assert_eq!(store.asked.load(SeqCst), 1);

        let (store, host) = (Failing::with_tag("ended"), Hands::default());
        let source = Source::Segment(begun(&store, "ended", &host));
        source.look_at_store();
        let _closed = ends_during(&store, source, is_dropped);
        host.rounds();
        assert!(store.during.lock().unwrap().is_none());

        // While it is asked for a range, to make a section's tag, and whether it answers.
        for rounds in 0..3 {
            let (store, host) = (Arc::<Failing>::default(), Hands::default());
            let builder = Sequences::builder(Arc::<Failing>::clone(&store), tag("ended"));
            let chat = builder.host((*host).clone()).open().unwrap();
            for _ in 0..rounds {
                chat.next_within(7, Duration::ZERO).unwrap_err();
                host.rounds();
            }
            let source = Source::Sequences(chat);
            match rounds {
                2 => source.look_at_store(),
                _ => drop(source.next_of_within(7, Duration::ZERO).unwrap_err()),
            }
            let _closed = ends_during(&store, source, is_dropped);
            host.rounds();
            assert!(store.during.lock().unwrap().is_none());
        }

        let (store, host) = (Arc::<Failing>::default(), Hands::default());
        let builder = Daily::builder(Arc::<Failing>::clone(&store), tag("ended"));
        let daily = builder.host((*host).clone()).open().unwrap();
        daily.next_id().unwrap();
        host.passed_ms.fetch_add(24 * 60 * 60 * 1_000, SeqCst);
        assert!(daily.next_id_within(Duration::ZERO).is_err());
        let _closed = ends_during(&store, Source::Daily(daily), is_dropped);
        host.rounds();
        assert!(store.during.lock().unwrap().is_none());
    }
    assert_eq!(*heard.lock().unwrap(), []);
}

/// The next call finds no store, and nobody who would have asked for it: of a source that is only
/// closed, what is left.
fn ends_during(store: &Arc<Failing>, source: Source, is_dropped: bool) -> Option<Arc<Source>> {
    store.fail(Code::StoreUnavailable);
    let source = Arc::new(source);
    let closed = (!is_dropped).then(|| Arc::clone(&source));
    store.during(move || match is_dropped {
        true => drop(source),
        false => source.close_within(Duration::ZERO).unwrap(),
    });
    closed
}

/// The segment that is left reports the failure.
#[test]
fn a_store_that_fails_is_told_of_by_those_that_go_on() {
    let (heard, _listening) = heard_of("left");
    let (store, host) = (Failing::with_tag("left"), Hands::default());
    let (ended, left) = (segment(&store, "left", &host), segment(&store, "left", &host));
    for segment in [&ended, &left] {
        assert!(segment.next_id_within(Duration::ZERO).is_err());
    }
    ends_during(&store, Source::Segment(ended), true);
    host.rounds();
    store.fail(None);
    host.pass(1_000);
    left.next_id().unwrap();
    host.rounds();
    let kinds: Vec<_> = heard.lock().unwrap().iter().map(|event| event.kind).collect();
    assert_eq!(kinds, [EventKind::StoreDown, EventKind::StoreBack]);
}

/// Gives the same numbers again and again.
struct Again;

impl TagAllocator for Again {
    fn reserve(&self, _: &AllocationRequest, _: &Call) -> Result<Allocation> {
        Ok(Allocation::new(NumberRange::new(1, 11, 1)?, 10))
    }
}

/// Nobody could follow the advice to raise its tag.
#[test]
fn a_store_that_nobody_can_raise_is_told_to_be_opened_anew() {
    let (heard, _listening) = heard_of("again");
    let host = Hands::default();
    let builder = Segment::builder(Arc::new(Again), tag("again")).host((*host).clone());
    let segment = builder.open().unwrap();
    let refused = std::iter::repeat_with(|| segment.next_id()).find_map(Result::err).unwrap();
    assert_eq!(refused.code(), Code::RangeRegressed);
    let cure = "raise the tag's next number above everything issued, or open the segment anew";
    assert!(refused.to_string().contains(cure), "{refused}");
    host.rounds();
    let event = heard.lock().unwrap().pop().unwrap();
    assert_eq!(event.kind, EventKind::Fenced);
    let cure = "raise what is next where the tag is kept, above all that were";
    assert!(event.message.contains(cure), "{}", event.message);
    assert!(!event.message.contains("change_tag"), "{}", event.message);
}
