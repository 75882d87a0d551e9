//! Ranges and tags, one rule at a time.

use super::*;
use snowmint::engine::{MAX_NUMBER, MAX_STEP};
use snowmint::{AllocationRequest, SegmentAdmin, TagChange, TagOptions, TagRow, allocate_one};

/// Start and end of the next range.
fn take(store: &dyn SegmentAdmin, name: &str, count: Option<u64>) -> (u64, u64) {
    let range = allocate_one(store, &tag(name), count).unwrap().range;
    (range.start(), range.end())
}

fn create(store: &dyn SegmentAdmin, name: &str, start: u64, step: u64, stride: u64) {
    store
        .create_tag(&tag(name), TagOptions::default().start(start).step(step).stride(stride))
        .unwrap();
}

pub(crate) fn create_once(bench: &dyn Bench) {
    let store = bench.segments();
    store.create_tag(&tag("orders"), TagOptions::default()).unwrap();
    let row = store.tag(&tag("orders")).unwrap().unwrap();
    assert_eq!((row.next, row.step, row.stride), (1, 1000, 1));
    assert_eq!(take(store, "orders", None), (1, 1001));
    let other = TagOptions::default().start(5).step(5).stride(5);
    let message = refused(store.create_tag(&tag("orders"), other), Code::TagExists);
    assert!(message.contains("orders"), "{message}");
    assert!(!store.ensure_tag(&tag("orders"), other).unwrap(), "left as it is");
    assert_eq!(take(store, "orders", None), (1001, 2001));
    assert!(store.ensure_tag(&tag("bills"), other).unwrap());
    assert_eq!(take(store, "bills", None), (5, 30));
    refused(store.ensure_tag(&tag("none"), other.step(0)), Code::InvalidStep);
    // Names differ in case, and have every character they may have.
    for name in ["Orders", "a", "-", "A.b:c_d-0", &"x".repeat(64)] {
        create(store, name, 0, 1, 1);
        assert_eq!(take(store, name, None), (0, 1));
    }
}

pub(crate) fn namespaces_are_separate(bench: &dyn Bench) {
    let store = bench.segments();
    let [orders, shop, mail] = [
        tag("orders"),
        Tag::within("shop", "orders").unwrap(),
        Tag::within("mail", "orders").unwrap(),
    ];
    for of in [&orders, &shop, &mail] {
        refused(allocate_one(store, of, None), Code::UnknownTag);
        store.create_tag(of, TagOptions::default()).unwrap();
        assert_eq!(allocate_one(store, of, None).unwrap().range.start(), 1, "{of}");
    }
    let rows: Vec<_> = store.tags().unwrap().into_iter().map(|row| row.tag).collect();
    assert_eq!(rows, [mail, orders, shop]);
}

pub(crate) fn unknown_tags(bench: &dyn Bench) {
    let store = bench.segments();
    let orders = tag("orders");
    assert!(refused(allocate_one(store, &orders, None), Code::UnknownTag).contains("orders"));
    refused(store.change_tag(&orders, TagChange::default()), Code::UnknownTag);
    refused(store.change_tag(&orders, TagChange::default().next(7)), Code::UnknownTag);
    assert_eq!(store.tag(&orders).unwrap(), None);
    assert_eq!(store.tags().unwrap(), []);
}

pub(crate) fn options_at_their_limits(bench: &dyn Bench) {
    let store = bench.segments();
    let ok = TagOptions::default();
    for (wrong, code) in [
        (ok.step(0), Code::InvalidStep),
        (ok.step(MAX_STEP + 1), Code::InvalidStep),
        (ok.stride(0), Code::InvalidRange),
        (ok.stride(MAX_STEP + 1), Code::InvalidRange),
        (ok.start(MAX_NUMBER), Code::InvalidRange),
        (ok.start(u64::MAX), Code::InvalidRange),
    ] {
        refused(store.create_tag(&tag("wrong"), wrong), code);
    }
    assert_eq!(store.tags().unwrap(), []);
    create(store, "least", 0, 1, 1);
    create(store, "most", MAX_NUMBER - 1, MAX_STEP, MAX_STEP);
    assert_eq!(take(store, "least", None), (0, 1));
    assert_eq!(take(store, "most", None), (MAX_NUMBER - 1, MAX_NUMBER));
}

pub(crate) fn count_limits(bench: &dyn Bench) {
    let store = bench.segments();
    create(store, "orders", 1, 10, 1);
    for count in [0, MAX_STEP + 1, u64::MAX] {
        refused(allocate_one(store, &tag("orders"), Some(count)), Code::InvalidStep);
    }
    assert_eq!(take(store, "orders", Some(1)), (1, 2));
    assert_eq!(take(store, "orders", Some(MAX_STEP)), (2, 2 + MAX_STEP));
}

pub(crate) fn several_tags_at_once(bench: &dyn Bench) {
    let store = bench.segments();
    for name in ["orders", "users"] {
        store.create_tag(&tag(name), TagOptions::default().step(10)).unwrap();
    }
    let wanted = [("orders", Some(3)), ("nobody", None), ("users", None), ("orders", Some(0))];
    let requests = wanted.map(|(name, count)| AllocationRequest::new(tag(name), count)).to_vec();
    let answers = store.allocate(&requests, &fresh()).unwrap();
    let ends = answers.iter().map(|answer| match answer {
        Ok(allocation) => Ok((allocation.range.start(), allocation.range.end())),
        Err(error) => Err(error.code()),
    });
    let expected = [Ok((1, 4)), Err(Code::UnknownTag), Ok((1, 11)), Err(Code::InvalidStep)];
    assert_eq!(ends.collect::<Vec<_>>(), expected, "one refusal is not the others'");
    assert_eq!(allocate_one(store, &tag("orders"), Some(1)).unwrap().range.start(), 4);
    assert_eq!(store.allocate(&[], &fresh()).unwrap().len(), 0);
}

pub(crate) fn ranges_follow_each_other(bench: &dyn Bench) {
    let store = bench.segments();
    create(store, "orders", 7, 10, 1);
    let allocation = allocate_one(store, &tag("orders"), None).unwrap();
    assert_eq!((allocation.step, allocation.range.count()), (10, 10));
    assert_eq!(take(store, "orders", Some(3)), (17, 20));
    assert_eq!(allocate_one(store, &tag("orders"), Some(3)).unwrap().step, 10);
    assert_eq!(take(store, "orders", None), (23, 33));
    assert_eq!(store.tag(&tag("orders")).unwrap().unwrap().next, 33);
}

pub(crate) fn stride_spreads_numbers(bench: &dyn Bench) {
    let store = bench.segments();
    create(store, "orders", 3, 4, 10);
    let range = allocate_one(store, &tag("orders"), None).unwrap().range;
    assert_eq!(Vec::from_iter(range.numbers()), [3, 13, 23, 33]);
    let range = allocate_one(store, &tag("orders"), Some(2)).unwrap().range;
    assert_eq!(Vec::from_iter(range.numbers()), [43, 53]);
    assert_eq!(store.tag(&tag("orders")).unwrap().unwrap().next, 63);
}

pub(crate) fn stores_share_a_tag_by_offset(bench: &dyn Bench) {
    let store = bench.segments();
    for offset in 0..3 {
        create(store, &format!("orders.{offset}"), offset, 5, 3);
    }
    let mut numbers: Vec<u64> = (0..6)
        .flat_map(|n| {
            let name = tag(&format!("orders.{}", n % 3));
            allocate_one(store, &name, None).unwrap().range.numbers()
        })
        .collect();
    numbers.sort_unstable();
    assert_eq!(numbers, Vec::from_iter(0..30));
}

pub(crate) fn largest_number_ends_a_tag(bench: &dyn Bench) {
    let store = bench.segments();
    create(store, "orders", MAX_NUMBER - 25, 10, 1);
    assert_eq!(take(store, "orders", None), (MAX_NUMBER - 25, MAX_NUMBER - 15));
    assert_eq!(take(store, "orders", Some(MAX_STEP)), (MAX_NUMBER - 15, MAX_NUMBER));
    for count in [None, Some(1), Some(MAX_STEP)] {
        let message = refused(allocate_one(store, &tag("orders"), count), Code::TagExhausted);
        assert!(message.contains("tag orders has reached 9223372036854775807, "), "{message}");
        assert!(message.contains("a new tag begins at 1 again"), "{message}");
    }
    assert_eq!(store.tag(&tag("orders")).unwrap().unwrap().next, MAX_NUMBER);
    // A whole range that ends exactly at the largest number, and one number short of it.
    create(store, "exact", MAX_NUMBER - 20, 10, 2);
    assert_eq!(take(store, "exact", None), (MAX_NUMBER - 20, MAX_NUMBER));
    create(store, "short", MAX_NUMBER - 19, 10, 2);
    let range = allocate_one(store, &tag("short"), None).unwrap().range;
    assert_eq!((range.count(), range.end()), (10, MAX_NUMBER));
    assert_eq!(range.numbers().last(), Some(MAX_NUMBER - 1));
}

pub(crate) fn overflow_ends_a_tag(bench: &dyn Bench) {
    let store = bench.segments();
    create(store, "wide", 1, MAX_STEP, MAX_STEP);
    let mut above = 0;
    for _ in 0..8 {
        let range = allocate_one(store, &tag("wide"), None).unwrap().range;
        assert!(range.start() >= above && range.end() <= MAX_NUMBER);
        above = range.end();
    }
    assert_eq!(above, MAX_NUMBER);
    refused(allocate_one(store, &tag("wide"), None), Code::TagExhausted);
}

pub(crate) fn a_max_ends_a_tag(bench: &dyn Bench) {
    let store = bench.segments();
    let last = TagOptions::default().max;
    assert_eq!(last, MAX_NUMBER - 1);
    let narrow = TagOptions::default().start(1).step(10).max(15);
    let orders = tag("orders");
    store.create_tag(&orders, narrow).unwrap();
    assert_eq!(store.tag(&orders).unwrap().unwrap().max, 15);
    assert_eq!(take(store, "orders", None), (1, 11));
    assert_eq!(take(store, "orders", Some(MAX_STEP)), (11, 16));
    let message = refused(allocate_one(store, &orders, None), Code::TagExhausted);
    assert!(message.contains("its max, 15: if the column"), "{message}");
    assert!(message.contains("`snowmint segment set STORE orders --max NUMBER`"), "{message}");
    assert!(message.contains("a new tag begins at 1 again, and is for another"), "{message}");
    // Its column was widened.
    let to = |max| store.change_tag(&orders, TagChange::default().max(max));
    assert_eq!(to(17).unwrap().max, 17);
    assert_eq!(take(store, "orders", None), (16, 18));
    for given in [0, 16] {
        let message = refused(to(given), Code::InvalidRange);
        assert!(message.contains("orders") && message.contains("18"), "{message}");
    }
    assert_eq!((to(17).unwrap().max, to(100).unwrap().max), (17, 100));
    let above = store.change_tag(&orders, TagChange::default().next(102));
    refused(above, Code::InvalidRange);
    assert_eq!(store.change_tag(&orders, TagChange::default().step(7)).unwrap().max, 100);
    assert_eq!(to(last).unwrap().max, last);
    refused(to(MAX_NUMBER), Code::InvalidRange);
    for wrong in [narrow.max(0), narrow.max(MAX_NUMBER), narrow.start(16)] {
        refused(store.create_tag(&tag("wrong"), wrong), Code::InvalidRange);
    }
}

/// It goes on with the numbers of its class, and of no other.
pub(crate) fn l1_a_tag_past_its_max_keeps_its_class(bench: &dyn Bench) {
    let store = bench.segments();
    for (start, max) in [(1, 10), (2, 10), (3, 11), (4, 12)] {
        let name = tag(&format!("orders.{start}"));
        let options = TagOptions::default().start(start).stride(4).step(2).max(max);
        store.create_tag(&name, options).unwrap();
        let all = || allocate_one(store, &name, Some(100)).unwrap().range.numbers();
        let given: Vec<u64> = all().collect();
        assert_eq!(given, (start..=max).step_by(4).collect::<Vec<_>>());
        refused(allocate_one(store, &name, None), Code::TagExhausted);
        store.change_tag(&name, TagChange::default().step(3)).unwrap();
        store.change_tag(&name, TagChange::default().max(40)).unwrap();
        let given: Vec<u64> = given.into_iter().chain(all()).collect();
        assert_eq!(given, (start..=40).step_by(4).collect::<Vec<_>>());
    }
}

pub(crate) fn change_rules(bench: &dyn Bench) {
    let store = bench.segments();
    create(store, "orders", 100, 10, 2);
    let orders = tag("orders");
    let change = |next, step| store.change_tag(&orders, TagChange::default().next(next).step(step));
    let shape = |row: TagRow| (row.next, row.step, row.stride);
    assert_eq!(shape(change(None, None).unwrap()), (100, 10, 2));
    assert_eq!(shape(change(None, Some(20)).unwrap()), (100, 20, 2));
    assert_eq!(shape(change(Some(100), None).unwrap()), (100, 20, 2));
    assert_eq!(shape(change(Some(101), Some(MAX_STEP)).unwrap()), (101, MAX_STEP, 2));
    let message = refused(change(Some(100), Some(7)), Code::RangeRegressed);
    assert!(message.contains("101"), "{message}");
    refused(change(Some(MAX_NUMBER + 1), None), Code::InvalidRange);
    refused(change(Some(u64::MAX), None), Code::InvalidRange);
    refused(change(None, Some(0)), Code::InvalidStep);
    refused(change(Some(200), Some(MAX_STEP + 1)), Code::InvalidStep);
    // The refused changes changed nothing, not even in part.
    assert_eq!(shape(store.tag(&orders).unwrap().unwrap()), (101, MAX_STEP, 2));
    assert_eq!(take(store, "orders", Some(1)), (101, 103));
    assert_eq!(shape(change(Some(MAX_NUMBER), None).unwrap()), (MAX_NUMBER, MAX_STEP, 2));
    refused(allocate_one(store, &orders, Some(1)), Code::TagExhausted);
}

pub(crate) fn rows_by_tag(bench: &dyn Bench) {
    let store = bench.segments();
    for name in ["b", "a", "a.1", "Z", "_"] {
        create(store, name, 1, 10, 1);
    }
    let rows = store.tags().unwrap();
    let names: Vec<&str> = rows.iter().map(|row| row.tag.as_str()).collect();
    assert_eq!(names, ["Z", "_", "a", "a.1", "b"]);
    for row in &rows {
        assert_eq!(store.tag(&row.tag).unwrap().as_ref(), Some(row));
    }
    bench.pass(2);
    take(store, "a", None);
    let updated = |name| store.tag(&tag(name)).unwrap().unwrap().updated_ms;
    assert!(updated("a") > rows[2].updated_ms);
    assert_eq!(updated("b"), rows[4].updated_ms);
    store.change_tag(&tag("b"), TagChange::default().step(5)).unwrap();
    assert!(updated("b") > rows[4].updated_ms);
}

pub(crate) fn tags_are_separate(bench: &dyn Bench) {
    let store = bench.segments();
    create(store, "a", 1, 10, 1);
    create(store, "b", 1, 20, 1);
    assert_eq!(take(store, "a", None), (1, 11));
    assert_eq!(take(store, "b", None), (1, 21));
    assert_eq!(take(store, "a", None), (11, 21));
}

pub(crate) fn threads_get_disjoint_ranges(bench: &dyn Bench) {
    let store = bench.segments();
    create(store, "orders", 0, 10, 1);
    let rounds = u64::from(bench.patience() / 20);
    let mut ranges: Vec<(u64, u64)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|n| {
                scope.spawn(move || {
                    let counts = (0..rounds).map(|round| (round % 3 != 0).then_some(n + 1));
                    Vec::from_iter(counts.map(|count| take(store, "orders", count)))
                })
            })
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| {
                let ranges = thread.join().unwrap();
                assert!(ranges.is_sorted(), "the ranges of a thread rise");
                ranges
            })
            .collect()
    });
    ranges.sort_unstable();
    assert_eq!(ranges.len() as u64, 8 * rounds);
    assert_eq!(ranges[0].0, 0);
    assert!(ranges.windows(2).all(|pair| pair[0].1 == pair[1].0), "overlap, or a gap");
}
