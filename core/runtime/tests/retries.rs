//! Stores that go back, panic, hang, lose answers and say what no store may say.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId, sleep, spawn};
use std::time::{Duration, Instant};

use snowmint::{
    Allocation, AllocationRequest, Call, Code, Daily, Error, Lease, LeaseRequest, MemoryStore,
    Mint, NumberRange, Result, Segment, SegmentAdmin, SegmentStore, Sequences, Snowflake, StepSize,
    Tag, TagChange, TagOptions, TagRow, WorkerAdmin, WorkerStore, allocate_one,
};

const MOMENT: Duration = Duration::from_millis(1);
/// Nothing here takes so long, on any machine.
const FOREVER: Duration = Duration::from_secs(300);

/// A store in memory, with whatever is wrong with it.
#[derive(Default)]
struct Odd {
    store: Mutex<Arc<MemoryStore>>,
    panics: AtomicBool,
    /// The number of answers that are still to be lost.
    loses_answers: AtomicUsize,
    /// The number of calls that are still to be refused, and of those that were.
    refuses: AtomicUsize,
    refused: AtomicUsize,
    hangs: AtomicBool,
    is_waited_for: AtomicBool,
    lease: Mutex<Option<fn(&mut Lease)>>,
    /// The number of tags that each call asked for.
    asked: Mutex<Vec<usize>>,
    callers: Mutex<HashSet<ThreadId>>,
    acquisitions: AtomicUsize,
}

impl Odd {
    fn new() -> Arc<Odd> {
        Arc::default()
    }

    fn with_tags(names: &[&str]) -> Arc<Odd> {
        let store = Odd::new();
        for name in names {
            store.store().create_tag(&tag(name), TagOptions::default()).unwrap();
        }
        store
    }

    fn store(&self) -> Arc<MemoryStore> {
        Arc::clone(&self.store.lock().unwrap())
    }

    /// An older copy takes its place: of each tag, the next number is as given.
    fn go_back(&self, name: &str, next: u64) {
        let older = MemoryStore::new();
        older.create_tag(&tag(name), TagOptions::default().start(next)).unwrap();
        *self.store.lock().unwrap() = Arc::new(older);
    }

    fn call<T>(&self, done: impl FnOnce(&MemoryStore) -> Result<T>) -> Result<T> {
        self.callers.lock().unwrap().insert(thread::current().id());
        let hung = Instant::now();
        while self.hangs.load(SeqCst) && hung.elapsed() < FOREVER {
            self.is_waited_for.store(true, SeqCst);
            sleep(MOMENT);
        }
        self.call_of_opening(done)
    }

    /// One that does not hang.
    fn call_of_opening<T>(&self, done: impl FnOnce(&MemoryStore) -> Result<T>) -> Result<T> {
        assert!(!self.panics.load(SeqCst), "this store has a bug");
        if self.refuses.fetch_update(SeqCst, SeqCst, one_less).is_ok() {
            self.refused.fetch_add(1, SeqCst);
            return Err(Error::new(Code::StoreUnavailable, "nobody answers"));
        }
        done(&self.store())
    }
}

fn one_less(left: usize) -> Option<usize> {
    left.checked_sub(1)
}

impl WorkerStore for Odd {
    fn acquire(&self, request: &LeaseRequest, call: &Call) -> Result<Lease> {
        self.acquisitions.fetch_add(1, SeqCst);
        let mut lease = self.call(|store| store.acquire(request, call))?;
        if self.loses_answers.fetch_update(SeqCst, SeqCst, one_less).is_ok() {
            return Err(Error::new(Code::OutcomeUnknown, "no answer came"));
        }
        if let Some(change) = *self.lease.lock().unwrap() {
            change(&mut lease);
        }
        Ok(lease)
    }

    fn renew(&self, lease: &Lease, reserve_ms: u32, call: &Call) -> Result<Lease> {
        self.call(|store| store.renew(lease, reserve_ms, call))
    }

    fn release(&self, lease: &Lease, call: &Call) -> Result<()> {
        self.call(|store| store.release(lease, call))
    }
}

impl SegmentStore for Odd {
    fn allocate(
        &self,
        requests: &[AllocationRequest],
        call: &Call,
    ) -> Result<Vec<Result<Allocation>>> {
        self.asked.lock().unwrap().push(requests.len());
        self.call(|store| store.allocate(requests, call))
    }

    fn tag(&self, tag: &Tag) -> Result<Option<TagRow>> {
        self.call_of_opening(|store| store.tag(tag))
    }
}

impl SegmentAdmin for Odd {
    fn create_tag(&self, tag: &Tag, options: TagOptions) -> Result<()> {
        self.call_of_opening(|store| store.create_tag(tag, options))
    }

    fn change_tag(&self, tag: &Tag, change: TagChange) -> Result<TagRow> {
        self.store().change_tag(tag, change)
    }

    fn tags(&self) -> Result<Vec<TagRow>> {
        self.store().tags()
    }
}

fn tag(name: &str) -> Tag {
    Tag::new(name).unwrap()
}

fn segment(store: &Arc<Odd>, name: &str, step: u64) -> Segment {
    let store: Arc<dyn SegmentStore> = store.clone();
    Segment::builder(store, tag(name)).step(StepSize::fixed(step).unwrap()).open().unwrap()
}

fn generator(store: &Arc<Odd>) -> Result<Snowflake> {
    let store: Arc<dyn WorkerStore> = store.clone();
    Snowflake::builder().lease_from(store).open()
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

fn code_of<T>(result: Result<T>) -> Option<Code> {
    result.err().map(|error| error.code())
}

/// Once the store has caught up with its last range, it gives numbers that others had before.
#[test]
fn a_segment_whose_store_went_back_mints_no_more_until_an_operator_raises_the_tag() {
    let store = Odd::with_tags(&["orders"]);
    let orders = segment(&store, "orders", 100);
    let before = orders.next_ids(250).unwrap();
    store.go_back("orders", 1);
    until(|| code_of(orders.next_id()).filter(|code| *code == Code::RangeRegressed));
    // Other processes go on from the copy, and soon past all that this one had.
    let theirs = allocate_one(&*store.store(), &tag("orders"), Some(2_000)).unwrap().range;
    for _ in 0..50 {
        assert_eq!(code_of(orders.next_id()), Some(Code::RangeRegressed));
        assert!(orders.try_next_id().is_none());
        sleep(Duration::from_millis(10));
    }
    let next = theirs.end() + 1_000_000;
    let raise = TagChange::default().next(next);
    store.store().change_tag(&tag("orders"), raise).unwrap();
    let number = until(|| orders.next_id().ok());
    assert!(number >= next, "{number}");
    assert!(before.iter().all(|known| *known < number));
}

/// The same process does not forget what it knows of a tag when its segment is opened anew.
#[test]
fn a_segment_opened_anew_goes_on_only_above_what_is_known() {
    let store = Odd::with_tags(&["orders"]);
    let orders = segment(&store, "orders", 100);
    let known = *orders.next_ids(250).unwrap().last().unwrap();
    store.go_back("orders", 1);
    until(|| code_of(orders.next_id()).filter(|code| *code == Code::RangeRegressed));
    let anew = segment(&store, "orders", 100);
    assert_eq!(code_of(anew.next_id()), Some(Code::RangeRegressed));
    let raised = until(|| {
        // Again until it is seen: what was raised before the first look may have been too little.
        let next = store.store().tag(&tag("orders")).unwrap().unwrap().next;
        let raise = TagChange::default().next(next.max(known + 1_000));
        store.store().change_tag(&tag("orders"), raise).unwrap();
        anew.next_id().ok()
    });
    assert!(raised > known);
}

/// Each of the segments knows the ranges that the other one had.
#[test]
fn l1_no_segment_of_a_tag_takes_what_another_of_the_process_had() {
    let store = Odd::with_tags(&["orders"]);
    let [first, second] = [(); 2].map(|()| segment(&store, "orders", 100));
    first.next_id().unwrap();
    let after = store.store().tag(&tag("orders")).unwrap().unwrap().next;
    second.next_id().unwrap();
    // A copy of the moment before the second one had its range.
    store.go_back("orders", after);
    let refused = (0..500).find_map(|_| code_of(first.next_id()));
    assert_eq!(refused, Some(Code::RangeRegressed));
}

#[test]
fn a_store_that_panics_is_asked_again() {
    let store = Odd::with_tags(&["orders"]);
    let (flake, orders) = (generator(&store).unwrap(), segment(&store, "orders", 1));
    let chat: Arc<dyn SegmentAdmin> = store.clone();
    let chat = Sequences::builder(chat, tag("chat")).step(1).open().unwrap();
    orders.next_id().unwrap();
    chat.next(7).unwrap();
    flake.next_id().unwrap();
    store.panics.store(true, SeqCst);
    let said = until(|| orders.next_id_within(Duration::ZERO).err());
    until(|| {
        let failure = orders.next_id_within(Duration::from_millis(20)).err()?;
        (failure.code() == Code::StoreUnavailable).then(|| failure.to_string())
    });
    assert!(!said.to_string().is_empty());
    until(|| code_of(chat.next_within(7, Duration::ZERO)));
    assert_eq!(code_of(generator(&store)), Some(Code::StoreUnavailable));
    let anew: Arc<dyn SegmentStore> = store.clone();
    let opened = Segment::builder(anew, tag("orders")).open();
    assert_eq!(code_of(opened), Some(Code::StoreUnavailable));
    store.panics.store(false, SeqCst);
    until(|| orders.next_id().ok());
    until(|| chat.next(7).ok());
    flake.next_id().unwrap();
}

#[test]
fn closing_and_dropping_do_not_wait_for_a_store_that_hangs() {
    for drops in [false, true] {
        let store = Odd::new();
        let flake = generator(&store).unwrap();
        flake.next_id().unwrap();
        store.hangs.store(true, SeqCst);
        if drops {
            drop(flake);
        } else {
            flake.close().unwrap();
            assert_eq!(code_of(flake.next_id()), Some(Code::Closed));
        }
        // If it had waited, this would come after the end of the hanging.
        until(|| store.is_waited_for.load(SeqCst).then_some(()));
        assert!(store.hangs.load(SeqCst));
        store.hangs.store(false, SeqCst);
        until(|| store.store().workers().unwrap().iter().all(|row| !row.held).then_some(()));
    }
    let store = Odd::new();
    let flake = generator(&store).unwrap();
    store.hangs.store(true, SeqCst);
    let late = flake.close_within(Duration::from_millis(20));
    assert_eq!(code_of(late), Some(Code::WaitTimeout));
    store.hangs.store(false, SeqCst);
}

/// Each lost answer costs a worker ID, for as long as it was leased.
#[test]
fn opening_asks_again_where_an_answer_was_lost() {
    let store = Odd::new();
    store.loses_answers.store(2, SeqCst);
    let flake = generator(&store).unwrap();
    flake.next_id().unwrap();
    assert_eq!(store.store().workers().unwrap().len(), 3);
    store.loses_answers.store(usize::MAX, SeqCst);
    assert_eq!(generator(&store).unwrap_err().code(), Code::OutcomeUnknown);
}

/// A source that is opened on a store, waiting so long for it.
type Opened = fn(Arc<Odd>, Duration) -> Result<u64>;

const OPENED: [Opened; 4] = [
    |store, wait| Snowflake::builder().lease_from(store).wait(wait).open()?.next_id(),
    |store, wait| {
        Segment::builder(store, tag("orders")).wait(wait).open()?.with_wait(FOREVER).next_id()
    },
    |store, wait| {
        Daily::builder(store, tag("orders")).wait(wait).open()?.with_wait(FOREVER).next_id()
    },
    |store, wait| {
        Sequences::builder(store, tag("lines")).wait(wait).open()?.with_wait(FOREVER).next(7)
    },
];

#[test]
fn opening_waits_for_a_store_that_comes_back() {
    for open in OPENED {
        let store = Odd::with_tags(&["orders"]);
        store.refuses.store(3, SeqCst);
        open(Arc::clone(&store), FOREVER).unwrap();
        assert_eq!(store.refused.load(SeqCst), 3);
    }
}

#[test]
fn opening_without_a_wait_asks_once() {
    for open in OPENED {
        let store = Odd::with_tags(&["orders"]);
        store.refuses.store(usize::MAX, SeqCst);
        let refused = open(Arc::clone(&store), Duration::ZERO);
        assert_eq!(code_of(refused), Some(Code::StoreUnavailable));
        assert_eq!(store.refused.load(SeqCst), 1);
    }
}

#[test]
fn opening_waits_for_a_worker_id_that_is_given_up() {
    let store = Odd::new();
    let open = || {
        let layout = snowmint::names::layout("time:41,worker:1,sequence:21").unwrap();
        Snowflake::builder().layout(layout).lease_from(store.clone()).wait(FOREVER).open()
    };
    let [first, _second] = [open().unwrap(), open().unwrap()];
    let third = thread::scope(|scope| {
        let third = scope.spawn(open);
        until(|| (store.acquisitions.load(SeqCst) > 3).then_some(()));
        first.close_within(FOREVER).unwrap();
        third.join().unwrap()
    });
    third.unwrap().next_id().unwrap();
}

/// A process that lives for a moment rests its worker ID for seconds, not for a minute.
#[test]
fn a_new_lease_reserves_little_and_one_that_lives_more() {
    let store = Odd::new();
    let flake = generator(&store).unwrap();
    let reserved_ms = || store.store().workers().unwrap()[0].reserved_ms;
    let begun_ms = snowmint::Clock::now_ms(&snowmint::System);
    assert!(reserved_ms() <= begun_ms + 3_000, "{} ms", reserved_ms() - begun_ms);
    until(|| (reserved_ms() > begun_ms + 4_000).then_some(()));
    flake.next_id().unwrap();
}

#[test]
fn answers_that_no_store_may_give_are_refused_by_name() {
    type Change = fn(&mut Lease);
    let odd: [(Change, &str); 4] = [
        (|lease| lease.reserved_ms = lease.floor_ms, "without time"),
        (|lease| lease.floor_ms = lease.reserved_ms + 1, "without time"),
        (|lease| lease.worker_id = 1_024, "worker ID 1024"),
        (|lease| lease.now_ms -= 600_000, "ahead of its clock"),
    ];
    for (change, named) in odd {
        let store = Odd::new();
        *store.lease.lock().unwrap() = Some(change);
        let refused = generator(&store).unwrap_err();
        assert_eq!(refused.code(), Code::InvalidAnswer);
        assert!(refused.to_string().contains(named), "{refused}");
    }
}

/// One thread, and one call for many.
#[test]
fn the_sources_of_a_store_share_its_keeper_and_its_calls() {
    let names: Vec<String> = (0..200).map(|n| format!("tag{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let store = Odd::with_tags(&names);
    let segments: Vec<Segment> = names.iter().map(|name| segment(&store, name, 100)).collect();
    store.callers.lock().unwrap().clear();
    store.hangs.store(true, SeqCst);
    let waiting: Vec<_> = segments
        .iter()
        .map(|segment| {
            // The request is made; what comes of it is for later.
            assert_eq!(code_of(segment.next_id_within(Duration::ZERO)), Some(Code::WaitTimeout));
            segment.clone()
        })
        .collect();
    store.hangs.store(false, SeqCst);
    for segment in waiting {
        assert_eq!(segment.next_id().unwrap(), 1);
    }
    assert_eq!(store.callers.lock().unwrap().len(), 1);
    let asked = store.asked.lock().unwrap();
    assert_eq!(asked.iter().sum::<usize>(), 200);
    assert!(asked.len() <= 12, "{asked:?}");
}

/// A call that hangs holds up the sources of its own store, and no others.
#[test]
fn stores_do_not_wait_for_each_other() {
    let (slow, quick) = (Odd::with_tags(&["orders"]), Odd::with_tags(&["orders"]));
    slow.hangs.store(true, SeqCst);
    let slowed = segment(&slow, "orders", 10);
    assert_eq!(code_of(slowed.next_id_within(Duration::ZERO)), Some(Code::WaitTimeout));
    let orders = segment(&quick, "orders", 10);
    let minted = spawn(move || orders.next_ids(100).unwrap());
    let numbers: Vec<u64> = NumberRange::new(1, 101, 1).unwrap().numbers().collect();
    assert_eq!(minted.join().unwrap(), numbers);
    slow.hangs.store(false, SeqCst);
}
