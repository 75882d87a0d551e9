//! Sequences by key: order and uniqueness across restarts, instances and threads, and the limits.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use snowmint::{
    Allocation, AllocationRequest, Call, Code, Error, MAX_TAG_LENGTH, MemoryStore, NumberRange,
    Result, SegmentAdmin, SegmentStore, Sequences, SequencesBuilder, Tag, TagChange, TagOptions,
    TagRow,
};

/// A store that can go down or back in time, and says who called it.
#[derive(Default)]
struct Watched {
    store: MemoryStore,
    down: AtomicBool,
    /// Ranges begin with this again, if it is not 0.
    regressed_to: AtomicU64,
    /// Creates each tag just before its client does.
    races: AtomicBool,
    callers: Mutex<HashSet<ThreadId>>,
}

impl Watched {
    fn pass(&self) -> Result<&MemoryStore> {
        self.callers.lock().unwrap().insert(thread::current().id());
        if self.down.load(Relaxed) {
            return Err(Error::new(Code::StoreUnavailable, "down"));
        }
        Ok(&self.store)
    }
}

impl SegmentStore for Watched {
    fn allocate(
        &self,
        requests: &[AllocationRequest],
        call: &Call,
    ) -> Result<Vec<Result<Allocation>>> {
        let mut allocations = self.pass()?.allocate(requests, call)?;
        if let start @ 1.. = self.regressed_to.load(Relaxed) {
            for allocation in allocations.iter_mut().flatten() {
                allocation.range = NumberRange::new(start, start + 10, 1)?;
            }
        }
        Ok(allocations)
    }

    fn tag(&self, tag: &Tag) -> Result<Option<TagRow>> {
        self.pass()?.tag(tag)
    }
}

impl SegmentAdmin for Watched {
    fn create_tag(&self, tag: &Tag, options: TagOptions) -> Result<()> {
        if self.races.load(Relaxed) {
            self.store.create_tag(tag, options)?;
        }
        self.pass()?.create_tag(tag, options)
    }

    fn change_tag(&self, tag: &Tag, change: TagChange) -> Result<TagRow> {
        self.pass()?.change_tag(tag, change)
    }

    fn tags(&self) -> Result<Vec<TagRow>> {
        self.pass()?.tags()
    }
}

fn tag(name: &str) -> Tag {
    Tag::new(name).unwrap()
}

fn builder(store: &Arc<Watched>) -> SequencesBuilder {
    let store: Arc<dyn SegmentAdmin> = Arc::<Watched>::clone(store);
    Sequences::builder(store, tag("chat"))
}

fn reserved(store: &Watched, name: &str) -> u64 {
    store.store.tag(&tag(name)).unwrap().unwrap().next
}

/// The numbers that many instances gave, one key at a time.
#[derive(Default)]
struct Seen {
    all: HashSet<(u64, u64)>,
    last: HashMap<(usize, u64), u64>,
}

impl Seen {
    /// Notes a number that an instance gave a key.
    fn note(&mut self, instance: usize, key: u64, number: u64) {
        assert!(self.all.insert((key, number)), "key {key} has {number} twice");
        let last = self.last.insert((instance, key), number);
        assert!(last < Some(number), "key {key}: {number} after {last:?}");
    }
}

#[test]
fn each_key_counts_for_itself() {
    let store = Arc::default();
    let chat = builder(&store).keys_per_section(10).step(100).open().unwrap();
    for n in 1..=250 {
        for key in [0, 1, 9, 10, u64::MAX] {
            assert_eq!(chat.next(key).unwrap(), n);
        }
    }
    assert_eq!(chat.next(2).unwrap(), 1, "ranges that lie together are one");
    let names: Vec<_> = store.store.tags().unwrap().into_iter().map(|row| row.tag).collect();
    let expected = ["chat:0", "chat:1", "chat:1844674407370955161", "chat:keys"];
    assert_eq!(names, expected.map(tag));
    assert_eq!((chat.tag(), chat.keys_per_section()), (&tag("chat"), 10));
}

#[test]
fn a_restart_goes_on_at_the_maximum_of_the_section() {
    let store = Arc::default();
    let open = || builder(&store).keys_per_section(10).step(100).open().unwrap();
    let chat = open();
    (0..7).for_each(|_| assert!(chat.next(3).is_ok()));
    assert_eq!(chat.next(15).unwrap(), 1);
    drop(chat);
    let chat = open();
    assert_eq!(chat.next(3).unwrap(), 101);
    assert_eq!(chat.next(4).unwrap(), 101, "each key of the section leaps");
    assert_eq!(chat.next(3).unwrap(), 102);
    assert_eq!(chat.next(15).unwrap(), 101);
    assert_eq!(chat.next(20).unwrap(), 1, "a section never used before");
}

#[test]
fn keys_rise_across_restarts_and_crashes() {
    let store = Arc::default();
    let mut seen = Seen::default();
    for round in 0..30 {
        let chat = builder(&store).keys_per_section(4).step(1 + round % 7).open().unwrap();
        for n in 0..200 {
            let key = n * 7 % 13;
            // One instance after another: it is as if they were one.
            seen.note(0, key, chat.next(key).unwrap());
        }
        if round % 2 == 0 {
            std::mem::forget(chat);
        }
    }
}

#[test]
fn instances_never_give_a_key_the_same_number() {
    let store = Arc::default();
    let open = |step| builder(&store).keys_per_section(4).step(step).open().unwrap();
    let instances = [open(1), open(2), open(5), open(100)];
    let mut seen = Seen::default();
    for n in 0..3_000_u64 {
        let key = n * n % 11;
        for (nth, chat) in instances.iter().enumerate().take(1 + n as usize % 4) {
            seen.note(nth, key, chat.next(key).unwrap());
        }
    }
}

#[test]
fn a_range_taken_by_another_makes_all_keys_leap() {
    let store = Arc::<Watched>::default();
    let open = || builder(&store).step(10).open().unwrap();
    let (one, two) = (open(), open());
    assert_eq!(one.next(1).unwrap(), 1);
    assert_eq!(two.next(1).unwrap(), 11);
    for n in 2..=10 {
        assert_eq!(one.next(1).unwrap(), n);
    }
    assert_eq!(one.next(2).unwrap(), 1, "the first range goes on until a key is through");
    assert_eq!(one.next(1).unwrap(), 21);
    assert_eq!(one.next(2).unwrap(), 21);
    assert_eq!(one.next(3).unwrap(), 21);
}

#[test]
fn numbers_keep_the_tags_stride() {
    let store = Arc::<Watched>::default();
    let options = TagOptions::default().start(3).step(4).stride(5);
    store.store.create_tag(&tag("chat:0"), options).unwrap();
    let chat = builder(&store).step(4).open().unwrap();
    for n in 0..20 {
        assert_eq!(chat.next(7).unwrap(), 3 + 5 * n);
    }
    assert_eq!(chat.next(8).unwrap(), 3);
}

#[test]
fn threads_share_sections() {
    let store = Arc::default();
    let chat = builder(&store).keys_per_section(2).step(50).open().unwrap();
    let minters: Vec<_> = (0..4)
        .map(|_| {
            let chat = chat.clone();
            thread::spawn(move || {
                (0..4_000).map(|n| (n % 5, chat.next(n % 5).unwrap())).collect::<Vec<_>>()
            })
        })
        .collect();
    let mut seen = Seen::default();
    for (nth, minter) in minters.into_iter().enumerate() {
        for (key, number) in minter.join().unwrap() {
            seen.note(nth, key, number);
        }
    }
    for key in 0..5 {
        assert!((1..=3_200).all(|number| seen.all.contains(&(key, number))), "no gaps");
    }
}

#[test]
fn no_caller_calls_the_store() {
    let store = Arc::<Watched>::default();
    let chat = builder(&store).keys_per_section(3).step(8).open().unwrap();
    store.callers.lock().unwrap().clear();
    (0..1_000).for_each(|n| assert!(chat.next(n % 20).is_ok()));
    let callers = store.callers.lock().unwrap();
    assert_eq!(callers.len(), 1, "one scheduler");
    assert!(!callers.contains(&thread::current().id()));
}

#[test]
fn a_first_range_that_is_not_there_yet_says_so() {
    let chat = builder(&Arc::default()).open().unwrap();
    let error = chat.next_within(7, Duration::ZERO).unwrap_err();
    assert_eq!(error.code(), Code::WaitTimeout);
    assert!(error.to_string().contains("key 7 of \"chat\" are still being fetched"), "{error}");
}

#[test]
fn the_next_range_is_fetched_when_half_is_used() {
    let store = Arc::<Watched>::default();
    let chat = builder(&store).step(100).open().unwrap();
    (0..50).for_each(|_| assert!(chat.next(1).is_ok()));
    thread::sleep(Duration::from_millis(50));
    assert_eq!(reserved(&store, "chat:0"), 101);
    assert_eq!(chat.next(1).unwrap(), 51);
    while reserved(&store, "chat:0") != 201 {
        thread::sleep(Duration::from_millis(1));
    }
    // 149 numbers are at hand, or on their way, whatever becomes of the store.
    store.down.store(true, Relaxed);
    for n in 52..=200 {
        assert_eq!(chat.next_within(1, Duration::from_secs(20)).unwrap(), n);
    }
    let code = chat.next_within(1, Duration::ZERO).unwrap_err().code();
    assert!(matches!(code, Code::WaitTimeout | Code::StoreUnavailable));
}

#[test]
fn a_store_that_is_down_is_waited_for_within_the_bound() {
    let store = Arc::<Watched>::default();
    let wait = Duration::from_millis(300);
    let chat = builder(&store).step(1).wait(wait).open().unwrap();
    store.down.store(true, Relaxed);
    let begun = Instant::now();
    assert_eq!(chat.next(1).unwrap_err().code(), Code::StoreUnavailable);
    let waited = begun.elapsed();
    // Bounds are kept in whole milliseconds. That it waits no longer, the simulator shows (L11).
    assert!(waited >= wait - Duration::from_millis(1), "{waited:?}");
    store.down.store(false, Relaxed);
    assert_eq!(chat.next_within(1, Duration::from_secs(5)).unwrap(), 1);
}

#[test]
fn a_failure_is_told_until_any_section_has_a_range() {
    let store = Arc::<Watched>::default();
    let chat = builder(&store).keys_per_section(1).wait(Duration::ZERO).open().unwrap();
    let told = || chat.stats().last_failure.map(|failure| (failure.code, failure.is_over));
    let until = |is_so: &dyn Fn() -> bool| {
        while !is_so() {
            thread::sleep(Duration::from_millis(1));
        }
    };
    until(&|| chat.next(1).is_ok());
    assert_eq!(told(), None);
    store.down.store(true, Relaxed);
    until(&|| chat.next(2).is_err() && told() == Some((Code::StoreUnavailable, false)));
    assert!(chat.next(1).is_ok(), "what is at hand");
    assert_eq!(told(), Some((Code::StoreUnavailable, false)));
    store.down.store(false, Relaxed);
    until(&|| chat.next(3).is_ok());
    assert_eq!(told(), Some((Code::StoreUnavailable, true)));
    // Nobody mints any more, and somebody looks.
    store.down.store(true, Relaxed);
    until(&|| chat.next(4).is_err() && told() == Some((Code::StoreUnavailable, false)));
    chat.ask_again();
    store.down.store(false, Relaxed);
    until(&|| {
        chat.ask_again();
        told() == Some((Code::StoreUnavailable, true))
    });
}

#[test]
fn a_store_that_is_down_at_open_is_an_error() {
    let store = Arc::<Watched>::default();
    store.down.store(true, Relaxed);
    assert_eq!(builder(&store).open().unwrap_err().code(), Code::StoreUnavailable);
}

#[test]
fn a_store_that_went_back_in_time_is_not_believed() {
    let store = Arc::<Watched>::default();
    let chat = builder(&store).step(10).open().unwrap();
    assert_eq!(chat.next(1).unwrap(), 1);
    store.regressed_to.store(5, Relaxed);
    let refused = loop {
        if let Err(error) = chat.next(1) {
            break error;
        }
    };
    assert_eq!(refused.code(), Code::RangeRegressed);
    // Once the store has caught up, it gives numbers that others may have had before.
    store.regressed_to.store(0, Relaxed);
    for _ in 0..30 {
        thread::sleep(Duration::from_millis(10));
        assert_eq!(chat.next(1).unwrap_err().code(), Code::RangeRegressed);
    }
    let anew = builder(&store).step(10).open().unwrap();
    assert!(anew.next(1).unwrap() > 10);
}

#[test]
fn a_tag_that_another_creates_at_the_same_time_is_fine() {
    let store = Arc::<Watched>::default();
    store.races.store(true, Relaxed);
    let chat = builder(&store).open().unwrap();
    assert_eq!(chat.next(1).unwrap(), 1);
}

#[test]
fn a_sections_size_cannot_be_changed() {
    let store = Arc::<Watched>::default();
    builder(&store).keys_per_section(10).open().unwrap();
    builder(&store).keys_per_section(10).step(7).open().unwrap();
    let error = builder(&store).keys_per_section(11).open().unwrap_err();
    assert_eq!(error.code(), Code::InvalidParameter);
    assert!(error.to_string().contains("use 10"), "{error}");
    assert_eq!(builder(&store).open().unwrap_err().code(), Code::InvalidParameter);
}

/// An operator raises all tags after a restore, or sets their steps; or somebody mints from them.
#[test]
fn l1_a_sections_size_is_known_however_tags_were_changed() {
    let store = Arc::<Watched>::default();
    let mint = || builder(&store).keys_per_section(10).open().unwrap().next(7).unwrap();
    let first = mint();
    for row in store.tags().unwrap() {
        let change = TagChange::default().next(row.next + 50).step(1_000);
        store.change_tag(&row.tag, change).unwrap();
    }
    snowmint::allocate_one(&*store, &tag("chat:keys"), Some(5)).unwrap();
    assert!(mint() > first);
    for other in [65, 1_000] {
        let error = builder(&store).keys_per_section(other).open().unwrap_err();
        assert!(error.to_string().contains("use 10"), "{error}");
    }
}

/// A step can be anybody's: it says nothing, and none is advised.
#[test]
fn a_tag_that_records_nothing_is_no_section_size() {
    let store = Arc::<Watched>::default();
    store.create_tag(&tag("chat:keys"), TagOptions::default().step(10)).unwrap();
    let error = builder(&store).keys_per_section(10).open().unwrap_err();
    assert_eq!(error.code(), Code::InvalidParameter);
    assert!(error.to_string().ends_with("use another tag"), "{error}");
}

#[test]
fn limits_hold_at_the_limit_and_fail_one_past_it() {
    let open = |keys, step| {
        builder(&Arc::default()).keys_per_section(keys).step(step).open().map_err(|e| e.code())
    };
    let max = 1 << 30;
    assert_eq!(open(1, 1).unwrap().next(u64::MAX).unwrap(), 1);
    assert_eq!(open(max, max).unwrap().next(u64::MAX).unwrap(), 1);
    for keys in [0, max + 1, u64::MAX] {
        assert_eq!(open(keys, 1).unwrap_err(), Code::InvalidParameter);
    }
    for step in [0, (1 << 30) + 1] {
        assert_eq!(open(1, step).unwrap_err(), Code::InvalidStep);
    }
}

#[test]
fn tags_leave_room_for_sections() {
    let open = |length: usize| {
        let store: Arc<dyn SegmentAdmin> = Arc::new(MemoryStore::default());
        Sequences::builder(store, tag(&"t".repeat(length))).keys_per_section(1).open()
    };
    let chat = open(MAX_TAG_LENGTH - 5).unwrap();
    assert_eq!(chat.next(9_999).unwrap(), 1);
    let error = chat.next(10_000).unwrap_err();
    assert_eq!(error.code(), Code::InvalidKey);
    assert!(error.to_string().contains("shorter tag"), "{error}");
    assert_eq!(open(MAX_TAG_LENGTH - 4).unwrap_err().code(), Code::InvalidTag);
}

#[test]
fn the_last_numbers_are_minted() {
    let store = Arc::<Watched>::default();
    let end = i64::MAX as u64;
    let options = TagOptions::default().start(end - 15);
    store.store.create_tag(&tag("chat:0"), options).unwrap();
    let chat = builder(&store).step(10).open().unwrap();
    for number in end - 15..end {
        assert_eq!(chat.next(1).unwrap(), number);
    }
    for _ in 0..3 {
        assert_eq!(chat.next(1).unwrap_err().code(), Code::TagExhausted);
    }
    assert_eq!(chat.next(2).unwrap(), end - 15, "another key has its own");
    assert_eq!(chat.next(100_000).unwrap(), 1, "so has another section");
}

/// One key more than are remembered: all of them go on above the largest number that any had.
#[test]
fn a_section_forgets_its_keys_when_they_are_too_many() {
    const MAX_KEYS: u64 = 1 << 20;
    let store = Arc::<Watched>::default();
    let chat = builder(&store).keys_per_section(1 << 30).open().unwrap();
    assert!((0..MAX_KEYS).all(|key| chat.next(key).unwrap() == 1));
    assert_eq!(chat.next(0).unwrap(), 2);
    assert_eq!(chat.next(0).unwrap(), 3);
    assert_eq!(chat.next(MAX_KEYS - 1).unwrap(), 2);
    assert_eq!(chat.next(MAX_KEYS).unwrap(), 4);
    assert_eq!(chat.next(0).unwrap(), 4);
    assert_eq!(chat.next(1).unwrap(), 4);
    assert_eq!(chat.next(0).unwrap(), 5);
}

#[test]
fn closed_sequences_say_so() {
    let chat = builder(&Arc::default()).open().unwrap();
    chat.next(1).unwrap();
    let other = chat.clone();
    chat.close();
    chat.close();
    assert_eq!(other.next(1).unwrap_err().code(), Code::Closed);
    assert_eq!(other.next(1_000_000).unwrap_err().code(), Code::Closed);
}

#[cfg(feature = "sqlite")]
#[test]
fn keys_rise_across_restarts_in_a_file() {
    let directory = tempfile::tempdir().unwrap();
    let mut seen = Seen::default();
    for _ in 0..4 {
        let store = snowmint::SqliteStore::create(directory.path().join("ids.db")).unwrap();
        let chat = Sequences::builder(Arc::new(store), tag("chat")).keys_per_section(4).step(20);
        let chat = chat.open().unwrap();
        for n in 0..300 {
            let key = n * 7 % 13;
            seen.note(0, key, chat.next(key).unwrap());
        }
    }
}
