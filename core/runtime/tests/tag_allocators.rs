//! Stores of one tag at a time, and what they may answer.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::panic::panic_any;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use snowmint::engine::MAX_STEP;
use snowmint::{
    Allocation, AllocationRequest, Call, Code, Error, Mint, NumberRange, Result, Segment,
    SegmentStore, Tag, TagAllocator, TagOptions, TagRow, allocate_one,
};

/// Nothing here takes so long, on any machine.
const FOREVER: Duration = Duration::from_secs(300);
/// The time that the counter takes to answer.
const SLOWNESS: Duration = Duration::from_millis(5);

fn tag(name: &str) -> Tag {
    Tag::new(name).unwrap()
}

fn request(name: &str, count: u64) -> AllocationRequest {
    AllocationRequest::new(tag(name), count)
}

/// A slow counter that has no tag `gone`.
#[derive(Default)]
struct Counter {
    next: AtomicU64,
    calls: Mutex<Vec<Call>>,
}

impl TagAllocator for Counter {
    fn reserve(&self, request: &AllocationRequest, call: &Call) -> Result<Allocation> {
        self.calls.lock().unwrap().push(*call);
        std::thread::sleep(SLOWNESS);
        if request.tag.as_str() == "gone" {
            return Err(Error::new(Code::UnknownTag, "there is no such row"));
        }
        let count = request.count.unwrap_or(self.step());
        let start = self.next.fetch_add(count, SeqCst);
        Ok(Allocation::new(NumberRange::new(start, start + count, 1)?, self.step()))
    }
}

#[test]
fn a_tag_at_a_time_is_a_store() {
    let counter = Counter::default();
    let requests = [request("orders", 10), request("gone", 10), request("users", 5)];
    let answers = counter.allocate(&requests, &Call::new(FOREVER, [7; 16])).unwrap();
    let found: Vec<_> = answers.into_iter().map(|answer| answer.map(|a| a.range)).collect();
    let [orders, gone, users] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(orders.as_ref().unwrap().end(), 10);
    assert_eq!(gone.as_ref().unwrap_err().code(), Code::UnknownTag);
    assert_eq!(users.as_ref().unwrap().start(), 10);
    let usual = TagRow::new(&tag("orders"), TagOptions::default());
    assert_eq!(SegmentStore::tag(&counter, &tag("orders")).unwrap(), Some(usual));
    let orders = Segment::builder(Arc::new(counter), tag("orders")).open().unwrap();
    assert_eq!(orders.next_id().unwrap(), 15);
}

/// Two segments may ask for the same tag in one call: a store that gives the same attempt the same
/// range would give it to both.
#[test]
fn each_tag_of_a_call_has_an_attempt_of_its_own_and_what_is_left_of_the_time() {
    let counter = Counter::default();
    let requests = [request("orders", 1), request("orders", 1), request("users", 1)];
    for within in [FOREVER, SLOWNESS] {
        counter.allocate(&requests, &Call::new(within, [0xFF; 16])).unwrap();
    }
    let calls = counter.calls.lock().unwrap();
    let attempts: Vec<_> = calls.iter().map(|call| call.attempt).collect();
    assert_eq!(attempts[0], [0xFF; 16]);
    assert_eq!(attempts[1], [0; 16], "the next number, and one after the last is the first");
    assert_ne!(attempts[1], attempts[2]);
    assert_eq!(attempts[..3], attempts[3..], "a repeat has the same");
    assert!(calls[0].within <= FOREVER && calls[1].within <= calls[0].within - SLOWNESS);
    assert_eq!(calls[5].within, Duration::ZERO);
}

/// Answers as it is told to.
struct Told {
    allocation: Mutex<Allocation>,
    row_step: u64,
}

impl TagAllocator for Told {
    fn reserve(&self, _: &AllocationRequest, _: &Call) -> Result<Allocation> {
        Ok(self.allocation.lock().unwrap().clone())
    }

    fn step(&self) -> u64 {
        self.row_step
    }
}

fn told(start: u64, end: u64, step: u64) -> Told {
    let range = NumberRange::new(start, end, 1).unwrap();
    Told { allocation: Mutex::new(Allocation::new(range, step)), row_step: 10 }
}

#[test]
fn a_step_that_is_none_is_refused_by_name() {
    for step in [0, MAX_STEP + 1, u64::MAX] {
        let refused = allocate_one(&told(1, 11, step), &tag("orders"), None).unwrap_err();
        assert_eq!(refused.code(), Code::InvalidAnswer, "{step}");
        assert!(refused.to_string().contains(&format!("a step of {step} for tag orders")));
        let store = Told { row_step: step, ..told(1, 11, 10) };
        let refused = Segment::builder(Arc::new(store), tag("orders")).open().unwrap_err();
        assert_eq!(refused.code(), Code::InvalidAnswer, "{step}");
    }
    for step in [1, MAX_STEP] {
        assert_eq!(allocate_one(&told(1, 11, step), &tag("orders"), None).unwrap().step, step);
    }
}

/// And a store that thinks better of it is asked again.
#[test]
fn a_range_that_nobody_could_have_asked_for_is_refused() {
    let allocated = allocate_one(&told(0, MAX_STEP, 10), &tag("orders"), Some(3)).unwrap();
    assert_eq!(allocated.range.count(), MAX_STEP, "more than asked for is taken");
    let store = Arc::new(told(0, MAX_STEP + 1, 10));
    let refused = allocate_one(&*store, &tag("orders"), Some(3)).unwrap_err();
    assert_eq!(refused.code(), Code::InvalidAnswer);
    assert!(refused.to_string().contains("1073741825 numbers of tag orders, where 3"), "{refused}");
    let orders = Segment::builder(store.clone(), tag("orders")).open().unwrap();
    until(|| {
        orders
            .next_id_within(Duration::ZERO)
            .is_err_and(|error| error.code() == Code::InvalidAnswer)
    });
    let next = NumberRange::new(50, 60, 1).unwrap();
    *store.allocation.lock().unwrap() = Allocation::new(next, 10);
    until(|| orders.next_id().is_ok_and(|number| number == 50));
}

fn until(is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < FOREVER, "this never happens");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The payload of a panic, whose drop panics with another such payload. It has no size, because the
/// code that leaves it alone leaks it.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic_any(Bomb);
    }
}

#[derive(Default)]
struct Bombs(AtomicBool);

impl TagAllocator for Bombs {
    fn reserve(&self, _: &AllocationRequest, _: &Call) -> Result<Allocation> {
        if self.0.load(SeqCst) {
            panic_any(Bomb);
        }
        Ok(Allocation::new(NumberRange::new(1, 11, 1)?, 10))
    }
}

#[test]
fn a_panic_whose_payload_panics_is_the_failure_of_a_store() {
    let store = Arc::new(Bombs(AtomicBool::new(true)));
    let orders = Segment::builder(store.clone(), tag("orders")).open().unwrap();
    until(|| {
        orders
            .next_id_within(Duration::ZERO)
            .is_err_and(|error| error.code() == Code::StoreUnavailable)
    });
    store.0.store(false, SeqCst);
    until(|| orders.next_id().is_ok());
    let failure = allocate_one(&Bombs(AtomicBool::new(true)), &tag("orders"), None).unwrap_err();
    assert_eq!(failure.code(), Code::StoreUnavailable);
}

/// Goes back once.
struct Regressing(Mutex<Vec<u64>>);

impl TagAllocator for Regressing {
    fn reserve(&self, _: &AllocationRequest, _: &Call) -> Result<Allocation> {
        let start = self.0.lock().unwrap().pop().unwrap();
        Ok(Allocation::new(NumberRange::new(start, start + 10, 1)?, 10))
    }
}

/// Whoever has the store has what is known of its tags, also when nothing else is left of a segment.
#[test]
fn a_store_that_went_back_is_known_to_whoever_opens_it_later() {
    let store = Arc::new(Regressing(Mutex::new(vec![200, 105, 50, 100])));
    let open = || Segment::builder(store.clone(), tag("orders")).open().unwrap();
    let orders = open();
    assert_eq!(orders.next_id().unwrap(), 100);
    until(|| {
        orders
            .next_id_within(Duration::ZERO)
            .is_err_and(|error| error.code() == Code::RangeRegressed)
    });
    orders.close().unwrap();
    drop(orders);
    // Nothing of the first is left, its thread neither.
    until(|| Arc::strong_count(&store) == 1);
    let anew = open();
    assert_eq!(anew.next_id().unwrap_err().code(), Code::RangeRegressed);
    drop(anew);
    until(|| Arc::strong_count(&store) == 1);
    assert_eq!(open().next_id().unwrap(), 200);
}

/// A counter that an operator has to put right while it is fenced.
#[derive(Default)]
struct Fenced {
    counter: Counter,
    is_fenced: AtomicBool,
}

impl TagAllocator for Fenced {
    fn reserve(&self, request: &AllocationRequest, call: &Call) -> Result<Allocation> {
        if self.is_fenced.load(SeqCst) {
            return Err(Error::new(Code::IncarnationChanged, "find out what was lost"));
        }
        self.counter.reserve(request, call)
    }

    fn step(&self) -> u64 {
        10
    }
}

#[test]
fn l7_a_refusal_put_right_since_it_was_heard_is_no_error() {
    let fenced = Arc::new(Fenced::default());
    let segment = Segment::builder(fenced.clone(), tag("orders")).wait(FOREVER).open().unwrap();
    assert_eq!(segment.next_id().unwrap(), 0);
    // While numbers are at hand the next ones are refused, and nobody is told.
    fenced.is_fenced.store(true, SeqCst);
    assert_eq!(segment.next_id().unwrap(), 1);
    let began = Instant::now();
    while segment.stats().last_failure.is_none() {
        assert!(began.elapsed() < FOREVER);
        std::thread::sleep(SLOWNESS);
    }
    fenced.is_fenced.store(false, SeqCst);
    std::thread::sleep(Duration::from_secs(1));
    let ids: Vec<u64> = (0..20).map(|_| segment.next_id().unwrap()).collect();
    assert_eq!(ids, (2..22).collect::<Vec<_>>());
    // A lasting refusal reaches the caller.
    fenced.is_fenced.store(true, SeqCst);
    let refused = (0..10_000).find_map(|_| segment.next_id().err()).unwrap();
    assert_eq!(refused.code(), Code::IncarnationChanged);
}
