//! An operator's word after a failover: until then no tag is made that may have been lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use snowmint::{
    AllocationRequest, Clock, Code, Daily, Incarnation, MemoryStore, Mint, Move, Random, Result,
    SchedulerLoop, SegmentAdmin, SegmentStore, Sequences, Sleep, Spawn, Store, System, Tag,
    TagChange, TagOptions, TagRow, Vouch, move_tag,
};

use crate::asking::{long, orders, refused, take, wait_until};
use crate::failovers::Failover;
use crate::{blocked, database, other};

pub(crate) fn tag(name: &str) -> Tag {
    Tag::new(name).unwrap()
}

pub(crate) fn create(store: &dyn SegmentAdmin, name: &str) -> Result<()> {
    store.create_tag(&tag(name), TagOptions::default())
}

/// The first number of a tag's next range.
pub(crate) fn take_of(store: &dyn SegmentStore, name: &str) -> Result<u64> {
    let request = AllocationRequest::new(tag(name), None);
    Ok(store.allocate(&[request], &long())?.pop().unwrap()?.range.start())
}

pub(crate) fn tags_that_are_lost_are_not_made_again(failover: &mut Failover) -> impl Store + use<> {
    let store = failover.before();
    assert_eq!(take(&store).unwrap(), 1);
    failover.part();
    create(&store, "lost").unwrap();
    assert_eq!(take_of(&store, "lost").unwrap(), 1);
    assert_eq!(take(&store).unwrap(), 11);
    drop(store);

    let store = failover.happen();
    let cure = format!("snowmint recover --server {} URL", failover.successor());
    let message = refused(create(&store, "lost"), Code::IncarnationChanged);
    assert!(message.contains(&cure), "{message}");
    let message = refused(take(&store), Code::IncarnationChanged);
    assert!(message.contains(&cure), "{message}");
    // Whoever makes what is not there is told the same.
    let message = refused(take_of(&store, "lost"), Code::UnknownTag);
    assert!(message.contains(&cure), "{message}");
    refused(create(&store, "orders"), Code::TagExists);
    // A word for another server is none for this one.
    let mistaken = Vouch::new(0).server(Incarnation::from("another")).new_from(1);
    let message = refused(store.vouch(&mistaken), Code::IncarnationChanged);
    assert!(message.contains(&failover.successor()), "{message}");
    refused(take(&store), Code::IncarnationChanged);
    refused(create(&store, "lost"), Code::IncarnationChanged);

    let present = Incarnation::from(failover.successor());
    let vouch = Vouch::new(2).server(present).new_from(2001);
    let rows = store.vouch(&vouch).unwrap();
    let rows: Vec<_> = rows.iter().map(|row| (row.tag.as_str(), row.next, row.raises)).collect();
    assert_eq!(rows, [("orders", 31, 1)]);
    create(&store, "lost").unwrap();
    assert_eq!((take(&store).unwrap(), take_of(&store, "lost").unwrap()), (31, 2001));
    // Once is enough.
    assert_eq!(store.vouch(&vouch).unwrap(), []);
    store.vouch(&Vouch::new(9).new_from(0)).unwrap();
    create(&store, "new").unwrap();
    assert_eq!(take(&store).unwrap(), 41);
    store
}

/// A host whose wall clock is set by hand; all else is the system's.
#[derive(Clone)]
struct Wall(Arc<AtomicI64>);

impl Clock for Wall {
    fn coarse_ms(&self) -> i64 {
        self.0.load(Relaxed)
    }

    fn now_ns(&self) -> i64 {
        self.coarse_ms() * 1_000_000
    }

    fn boot_ms(&self) -> i64 {
        System.boot_ms()
    }
}

impl Sleep for Wall {
    fn sleep(&self, duration: Duration) {
        System.sleep(duration);
    }
}

impl Random for Wall {
    fn fill(&self, bytes: &mut [u8]) -> Result<()> {
        System.fill(bytes)
    }
}

impl Spawn for Wall {
    fn spawn(&self, name: &str, scheduler: SchedulerLoop) -> Result<()> {
        System.spawn(name, scheduler)
    }
}

const NOON_MS: i64 = 1_787_313_600_000; // of 2026-08-21
const DAY_MS: i64 = 86_400_000;

/// Numbers of a day, and a sequence for each of many keys, over a store of their own.
fn sources(store: Arc<dyn SegmentAdmin>) -> (Daily, Sequences, Wall) {
    let wall = Wall(Arc::new(NOON_MS.into()));
    let daily = Daily::builder(Arc::clone(&store), tag("daily")).host(wall.clone());
    let chat = Sequences::builder(store, tag("chat")).keys_per_section(1);
    (daily.open().unwrap(), chat.open().unwrap(), wall)
}

/// They make their tags themselves: at midnight, and for a section's first key.
#[test]
fn sources_that_make_tags_go_on_once_an_operator_vouched() {
    let mut failover = Failover::new();
    let (daily, chat, wall) = sources(Arc::new(failover.before()));
    assert_eq!((daily.next_id().unwrap(), chat.next(0).unwrap()), (20_260_821_000_001, 1));
    failover.part();
    wall.0.store(NOON_MS + DAY_MS, Relaxed);
    assert_eq!((daily.next_id().unwrap(), chat.next(1).unwrap()), (20_260_822_000_001, 1));
    daily.close().unwrap();
    chat.close();

    let operator = Arc::new(failover.happen());
    // There is what they begin with.
    let (daily, chat, wall) = sources(Arc::clone(&operator) as Arc<dyn SegmentAdmin>);
    wall.0.store(NOON_MS + DAY_MS, Relaxed);
    for _ in 0..2 {
        let message = refused(daily.next_id(), Code::IncarnationChanged);
        assert!(message.contains("daily:20260822 is not there"), "{message}");
        let message = refused(chat.next(1), Code::IncarnationChanged);
        assert!(message.contains("chat:1 is not there"), "{message}");
    }
    operator.vouch(&Vouch::new(0).new_from(10_001)).unwrap();
    let mut next = (0, 0, 0);
    wait_until("the day's numbers", || daily.next_id().map(|it| next.0 = it).is_ok());
    wait_until("a number of key 1", || chat.next(1).map(|it| next.1 = it).is_ok());
    wait_until("a number of key 2", || chat.next(2).map(|it| next.2 = it).is_ok());
    assert_eq!(next, (20_260_822_010_001, 10_001, 10_001));
}

#[test]
fn two_who_vouch_raise_a_tag_once() {
    let database = database();
    database.run("UPDATE snowmint_segment SET incarnation = 'another'");
    let mut another = database.session();
    another.run("BEGIN; SELECT 1 FROM snowmint_segment FOR UPDATE");
    let rows = thread::scope(|scope| {
        let vouch = || other(&database).vouch(&Vouch::new(1)).unwrap();
        let waiting = [(); 2].map(|()| scope.spawn(vouch));
        wait_until("those who wait", || blocked(&database) == 2);
        another.run("COMMIT");
        waiting.map(|waiting| waiting.join().unwrap().len())
    });
    assert_eq!(rows.iter().sum::<usize>(), 1);
    assert_eq!(take(&other(&database)).unwrap(), 11);
}

#[test]
fn a_vouch_has_limits() {
    const MAX_STEP: u64 = 1 << 30;
    let database = database();
    let store = other(&database);
    let run = |statements: &str| database.run(statements);
    run("UPDATE snowmint_segment SET incarnation = 'another', step = 1073741824");
    let by = |steps| Vouch::new(steps);
    refused(store.vouch(&by(MAX_STEP + 1)), Code::InvalidParameter);
    refused(store.vouch(&Vouch::new(0).new_from(u64::MAX / 2 + 1)), Code::InvalidRange);
    assert_eq!(store.vouch(&by(MAX_STEP)).unwrap()[0].next, (1 << 60) + 1);
    run("UPDATE snowmint_segment SET incarnation = 'another', stride = 1024");
    assert_eq!(store.vouch(&by(MAX_STEP)).unwrap()[0].next, u64::MAX / 2);
    refused(MemoryStore::default().vouch(&Vouch::new(0)), Code::Unsupported);
}

/// A source may ask for far more than the tag's step.
#[test]
fn a_range_longer_than_a_step_counts_as_one() {
    let database = database();
    let store = other(&database);
    let run = |statements: &str| database.run(statements);
    let asked = [AllocationRequest::new(orders(), 1_000)];
    store.allocate(&asked, &long()).unwrap().pop().unwrap().unwrap();
    for next in [3_001, 5_001] {
        run("UPDATE snowmint_segment SET incarnation = 'another'");
        assert_eq!(store.vouch(&Vouch::new(2)).unwrap()[0].next, next);
    }
    // A raise by an operator does not count as a range.
    store.change_tag(&orders(), TagChange::default().next(1_000_001)).unwrap();
    run("UPDATE snowmint_segment SET incarnation = 'another'");
    assert_eq!(store.vouch(&Vouch::new(1)).unwrap()[0].next, 1_001_001);
}

/// A close is fenced as a range is. Only a raise is an operator's word that no higher number is in use.
#[test]
fn a_tag_that_may_lack_ranges_is_not_closed() {
    let database = database();
    let store = other(&database);
    let run = |statements: &str| database.run(statements);
    let close = |name| store.close_for_move(&orders(), &Move::new(name, "there"));
    assert_eq!(take(&store).unwrap(), 1);
    run("UPDATE snowmint_segment SET incarnation = 'another'");
    for change in [TagChange::default().step(7), TagChange::default().max(1_000_000)] {
        refused(close("a-move"), Code::IncarnationChanged);
        store.change_tag(&orders(), change).unwrap();
    }
    refused(take(&store), Code::IncarnationChanged);
    store.change_tag(&orders(), TagChange::default().next(1_000)).unwrap();
    assert_eq!(take(&store).unwrap(), 1_000);
    let closed = close("a-move").unwrap();
    assert_eq!((closed.next, closed.moved_to.as_deref()), (1_008, Some("there")));
    // A tag that has left stays known as such, even if another server gave its ranges.
    run("UPDATE snowmint_segment SET incarnation = 'another'");
    let again = close("another").unwrap();
    assert_eq!((again.next, &again.moved_to), (closed.next, &closed.moved_to));
    assert!(again.updated_ms > closed.updated_ms, "a commit without a write confirms nothing");
    refused(take(&store), Code::TagMoved);
}

/// It may lack an earlier return of the tag, and the numbers that were given since.
#[test]
fn l1_a_tag_that_may_lack_ranges_is_not_opened_again() {
    let database = database();
    let store = other(&database);
    let run = |statements: &str| database.run(statements);
    let elsewhere = MemoryStore::new();
    move_tag(&store, &orders(), &elsewhere, "there").unwrap();
    let back = elsewhere.close_for_move(&orders(), &Move::new("back", "here")).unwrap();
    run("UPDATE snowmint_segment SET incarnation = 'another'");
    refused(store.adopt_moved(&back), Code::IncarnationChanged);
    let raised = store.vouch(&Vouch::new(3)).unwrap().pop().unwrap();
    let row = store.adopt_moved(&back).unwrap();
    assert_eq!((row.moved_to, row.next), (None, raised.next));
    assert!(raised.next > back.next);
}

/// As where what was lost was confirmed, as far as the store knows.
#[test]
fn every_tag_is_raised_where_an_operator_asks_for_it() {
    let database = database();
    let store = other(&database);
    let run = |statements: &str| database.run(statements);
    create(&store, "made").unwrap();
    run(
        "UPDATE snowmint_segment SET incarnation = CASE WHEN tag = 'made' THEN 'another' ELSE incarnation END",
    );
    let vouch = Vouch::new(1);
    assert_eq!(store.vouch(&vouch).unwrap().len(), 1);
    let next = |rows: Vec<TagRow>| rows.iter().map(|row| row.next).collect::<Vec<_>>();
    assert_eq!(next(store.vouch(&vouch.all(true)).unwrap()), [2_001, 11]);
}

/// Two databases that share a tag by its stride go on to do so.
#[test]
fn new_tags_begin_where_an_operator_says() {
    let database = database();
    let store = other(&database);
    let by_three = TagOptions::default().start(2).stride(3);
    let first = |start: Option<u64>, name: &str, options: TagOptions| {
        store.vouch(&Vouch::new(0).new_from(start)).unwrap();
        store.create_tag(&tag(name), options).unwrap();
        store.tag(&tag(name)).unwrap().unwrap().next
    };
    assert_eq!(first(Some(10), "a", by_three), 11);
    assert_eq!(first(None, "b", by_three), 11);
    assert_eq!(first(Some(11), "c", by_three), 11);
    // The higher of two values holds, because the lower one would repeat numbers of other tags.
    assert_eq!(first(Some(2), "d", by_three), 11);
    assert_eq!(first(Some(10), "e", by_three.start(20)), 20);
    assert_eq!(first(Some(u64::MAX / 2), "f", by_three), u64::MAX / 2);
    assert_eq!(first(Some(0), "g", by_three), 2);
}

/// Those who take several do so in the order of their tags.
#[test]
fn a_vouch_for_all_tags_locks_them_in_their_order() {
    let database = database();
    let store = other(&database);
    create(&store, "a").unwrap();
    // The row of `a` is the last one by its place in the table.
    let mut another = database.session();
    another.run("BEGIN; SELECT 1 FROM snowmint_segment WHERE tag = 'a' FOR UPDATE");
    let all = Vouch::new(1).all(true);
    thread::scope(|scope| {
        let vouching = scope.spawn(|| other(&database).vouch(&all).unwrap().len());
        wait_until("who vouches", || blocked(&database) == 1);
        another.run("SELECT 1 FROM snowmint_segment WHERE tag = 'orders' FOR UPDATE NOWAIT");
        another.run("COMMIT");
        assert_eq!(vouching.join().unwrap(), 2);
    });
}

#[test]
fn l1_tags_go_on_above_rows_of_another_store() {
    let database = database();
    let store = other(&database);
    let run = |statements: &str| database.run(statements);
    run("UPDATE snowmint_segment SET incarnation = 'another'");
    run("UPDATE snowmint_schema SET tag_incarnation = 'another'");
    let mut known = store.tag(&orders()).unwrap().unwrap();
    known.next = 1_001;
    let made = TagRow::new(&tag("made"), TagOptions::default().start(51).step(5));
    let rows = store.vouch(&Vouch::new(2).above(vec![known.clone(), made])).unwrap();
    let rows: Vec<_> = rows.iter().map(|row| (row.tag.as_str(), row.next)).collect();
    assert_eq!(rows, [("made", 61), ("orders", 1_021)]);
    assert_eq!((take_of(&store, "made").unwrap(), take(&store).unwrap()), (61, 1_021));
    // A row that is behind lowers nothing.
    store.vouch(&Vouch::new(0).above(vec![known.clone()])).unwrap();
    assert_eq!(take(&store).unwrap(), 1_031);
    // A step is as long as the last range.
    let asked = [AllocationRequest::new(orders(), 100)];
    store.allocate(&asked, &long()).unwrap().pop().unwrap().unwrap();
    known.next = 2_001;
    run("UPDATE snowmint_segment SET incarnation = 'another'");
    store.vouch(&Vouch::new(2).above(vec![known.clone()])).unwrap();
    assert_eq!(take(&store).unwrap(), 2_201);
    // A tag that has moved elsewhere since goes on there alone.
    let open = known.clone();
    known.moved_to = Some("there".to_owned());
    store.vouch(&Vouch::new(0).above(vec![known])).unwrap();
    refused(take(&store), Code::TagMoved);
    // A row of before the move opens nothing.
    store.vouch(&Vouch::new(0).above(vec![open])).unwrap();
    refused(take(&store), Code::TagMoved);
}
