//! Daily numbers: the day's change, clocks, zones, limits, and that no caller calls the store.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self};
use std::time::{Duration, Instant};

use snowmint::{
    Code, Daily, DailyBuilder, MAX_TAG_LENGTH, MemoryStore, Mint, SegmentAdmin, SegmentStore, Tag,
};

/// 2026-08-21T00:00:00Z.
const AUGUST_21_MS: i64 = 1_787_270_400_000;
const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;

mod days;
mod world;

use world::{ByHand, Watched};

fn orders() -> Tag {
    Tag::new("orders").unwrap()
}

fn builder(store: &Arc<Watched>, host: &ByHand) -> DailyBuilder {
    let store: Arc<dyn SegmentAdmin> = Arc::<Watched>::clone(store);
    Daily::builder(store, orders()).host(host.clone())
}

fn tag_names(store: &Watched) -> Vec<String> {
    let rows = store.store.tags().unwrap();
    rows.iter().map(|row| row.tag.to_string()).collect()
}

/// Waits for something that another thread does.
fn until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn numbers_begin_with_the_date() {
    let (store, host) = (Arc::default(), ByHand::at(AUGUST_21_MS));
    let daily = builder(&store, &host).open().unwrap();
    assert_eq!(tag_names(&store), ["orders:20260821"]);
    assert_eq!(daily.next_id().unwrap(), 20_260_821_000_001);
    assert_eq!(daily.next_id_within(Duration::from_secs(1)).unwrap(), 20_260_821_000_002);
    let many = daily.next_ids(3_000).unwrap();
    assert!(many.iter().copied().eq(20_260_821_000_003..=20_260_821_003_002));
    assert_eq!(daily.tag(), &orders());
    assert_eq!(daily.next_ids(0).unwrap_err().code(), Code::CountOutOfRange);
    daily.fill(&mut []).unwrap();
}

#[test]
fn a_day_begins_at_midnight_of_its_zone() {
    for (zone, midnight_ms) in [
        ("UTC", AUGUST_21_MS),
        ("utc", AUGUST_21_MS),
        ("+08:00", AUGUST_21_MS - 8 * HOUR_MS),
        ("-05:30", AUGUST_21_MS + 11 * HOUR_MS / 2),
        ("+18:00", AUGUST_21_MS - 18 * HOUR_MS),
        ("-18:00", AUGUST_21_MS + 18 * HOUR_MS),
        ("+00:00", AUGUST_21_MS),
    ] {
        let (store, host) = (Arc::default(), ByHand::at(midnight_ms - 1));
        let daily = builder(&store, &host).zone(zone).open().unwrap();
        assert_eq!(daily.next_id().unwrap(), 20_260_820_000_001, "{zone}");
        host.set(midnight_ms);
        assert_eq!(daily.next_id().unwrap(), 20_260_821_000_001, "{zone}");
        host.set(midnight_ms + DAY_MS - 1);
        assert_eq!(daily.next_id().unwrap(), 20_260_821_000_002, "{zone}");
        host.set(midnight_ms + DAY_MS);
        assert_eq!(daily.next_id().unwrap(), 20_260_822_000_001, "{zone}");
    }
}

#[test]
fn days_of_iana_zones_begin_when_their_clocks_say() {
    if cfg!(windows) || !std::path::Path::new("/usr/share/zoneinfo/America/Sao_Paulo").exists() {
        return;
    }
    for (zone, ends_ms, before, after) in [
        ("Asia/Shanghai", AUGUST_21_MS - 8 * HOUR_MS, 20_260_820, 20_260_821),
        // 2018-11-04 began at 01:00, 03:00 UTC: there was no midnight.
        ("America/Sao_Paulo", 1_541_300_400_000, 20_181_103, 20_181_104),
        // On 2018-02-17 23:00 to 24:00 came twice; midnight was at 03:00 UTC.
        ("America/Sao_Paulo", 1_518_922_800_000, 20_180_217, 20_180_218),
        // There was no 2011-12-30.
        ("Pacific/Apia", 1_325_239_200_000, 20_111_229, 20_111_231),
    ] {
        let (store, host) = (Arc::default(), ByHand::at(ends_ms - 1));
        let daily = builder(&store, &host).zone(zone).open().unwrap();
        assert_eq!(daily.next_id().unwrap() / 1_000_000, before, "{zone}");
        host.set(ends_ms);
        assert_eq!(daily.next_id().unwrap() / 1_000_000, after, "{zone}");
    }
}

/// In St. John's the clock went from 00:01 back to 23:01 of the day before.
#[test]
fn numbers_rise_though_a_date_comes_twice() {
    if cfg!(windows) || !std::path::Path::new("/usr/share/zoneinfo/America/St_Johns").exists() {
        return;
    }
    let midnight_ms = 1_288_492_200_000 + 7 * DAY_MS; // 2010-11-07T02:30Z
    let (store, host) = (Arc::default(), ByHand::at(midnight_ms - 1));
    let daily = builder(&store, &host).zone("America/St_Johns").open().unwrap();
    let mut last = 0;
    for minute in 0..90 {
        host.set(midnight_ms - 1 + minute * 60_000);
        let number = daily.next_id().unwrap();
        assert!(number > last);
        last = number;
        let again = builder(&store, &host).zone("America/St_Johns").open().unwrap();
        assert!(again.next_ids(2).unwrap()[1] > 20_101_106_000_000);
    }
    assert_eq!(last / 1_000_000, 20_101_107);
}

#[test]
fn unknown_zones_are_refused_with_what_would_be_right() {
    let (store, host) = (Arc::default(), ByHand::at(AUGUST_21_MS));
    for zone in [
        "",
        "+18:01",
        "-18:01",
        "+99:99",
        "+08:60",
        "+8:00",
        "+0800",
        "08:00",
        "+08:00:00",
        "+0x:00",
        "Mars/Olympus",
        "../../etc/passwd",
        "Etc/Unknown",
        "\u{FF0B}08:00",
        "+08\u{FF1A}",
    ] {
        let error = builder(&store, &host).zone(zone).open().unwrap_err();
        assert_eq!(error.code(), Code::InvalidTime, "{zone}");
        assert!(error.to_string().contains("+08:00"), "{error}");
    }
    assert!(tag_names(&store).is_empty(), "nothing was created");
}

#[test]
fn a_clock_that_goes_back_over_midnight_does_not_take_the_numbers_back() {
    let (store, host) = (Arc::default(), ByHand::at(AUGUST_21_MS + DAY_MS));
    let daily = builder(&store, &host).open().unwrap();
    assert_eq!(daily.next_id().unwrap(), 20_260_822_000_001);
    for back_ms in [1, HOUR_MS, 400 * DAY_MS, 5_000 * 365 * DAY_MS] {
        host.set(AUGUST_21_MS + DAY_MS - back_ms);
        assert_eq!(daily.next_id().unwrap() / 1_000_000, 20_260_822);
    }
    host.set(AUGUST_21_MS + DAY_MS - 1);
    assert_eq!(daily.next_id().unwrap(), 20_260_822_000_006);
    // A restart goes on with the day that the clock says, above what that day had.
    let before = builder(&store, &host).open().unwrap();
    assert_eq!(before.next_id().unwrap(), 20_260_821_000_001);
    host.set(AUGUST_21_MS + DAY_MS);
    assert_eq!(before.next_id().unwrap(), 20_260_822_001_001, "behind the other's range");
}

#[test]
fn days_can_be_skipped() {
    let (store, host) = (Arc::default(), ByHand::at(AUGUST_21_MS - 1));
    let daily = builder(&store, &host).open().unwrap();
    // Has the 21st's tag opened ahead, which is then never turned to.
    daily.next_id().unwrap();
    until("the next day is opened", || tag_names(&store).len() == 2);
    for (days, date) in [(10, 20_260_831), (11, 20_260_901), (133, 20_270_101)] {
        host.set(AUGUST_21_MS + days * DAY_MS);
        assert_eq!(daily.next_id().unwrap(), date * 1_000_000 + 1);
    }
}

#[test]
fn no_caller_calls_the_store() {
    let (store, host) = (Arc::<Watched>::default(), ByHand::at(AUGUST_21_MS));
    let daily = builder(&store, &host).step(10).open().unwrap();
    store.callers.lock().unwrap().clear();
    for day in 0..5 {
        for ms in [0, DAY_MS / 2, DAY_MS - 59_000, DAY_MS - 1] {
            host.set(AUGUST_21_MS + day * DAY_MS + ms);
            daily.next_id().unwrap();
            daily.next_ids(25).unwrap();
        }
    }
    let callers = store.callers.lock().unwrap();
    assert!(!callers.is_empty() && !callers.contains(&thread::current().id()));
}

#[test]
fn the_next_day_is_ready_before_midnight() {
    let (store, host) = (Arc::<Watched>::default(), ByHand::at(AUGUST_21_MS));
    let daily = builder(&store, &host).open().unwrap();
    host.set(AUGUST_21_MS + DAY_MS - 60_001);
    daily.next_id().unwrap();
    thread::sleep(Duration::from_millis(50));
    assert_eq!(tag_names(&store), ["orders:20260821"]);
    host.set(AUGUST_21_MS + DAY_MS - 60_000);
    daily.next_id().unwrap();
    let tomorrow = Tag::new("orders:20260822").unwrap();
    until("the first range is fetched", || {
        store.store.tag(&tomorrow).unwrap().is_some_and(|row| row.next > 1)
    });
    // With the store down nobody notices midnight.
    store.down.store(true, Relaxed);
    until("the range is in place", || {
        host.set(AUGUST_21_MS + DAY_MS);
        daily.next_id_within(Duration::ZERO).is_ok()
    });
    assert_eq!(daily.next_id_within(Duration::ZERO).unwrap(), 20_260_822_000_002);
}

#[test]
fn a_store_that_is_down_at_midnight_is_waited_for_within_the_bound() {
    let (store, host) = (Arc::<Watched>::default(), ByHand::at(AUGUST_21_MS));
    let wait = Duration::from_millis(300);
    let daily = builder(&store, &host).wait(wait).open().unwrap();
    daily.next_id().unwrap();
    store.down.store(true, Relaxed);
    host.set(AUGUST_21_MS + DAY_MS);
    for _ in 0..2 {
        let begun = Instant::now();
        assert_eq!(daily.next_id().unwrap_err().code(), Code::StoreUnavailable);
        let waited = begun.elapsed();
        // Bounds are kept in whole milliseconds. That it waits no longer, the simulator shows (L11).
        assert!(waited >= wait - Duration::from_millis(1), "{waited:?}");
    }
    let code = daily.next_id_within(Duration::ZERO).unwrap_err().code();
    assert!(matches!(code, Code::WaitTimeout | Code::StoreUnavailable));
    assert_eq!(daily.next_ids(5).unwrap_err().code(), Code::StoreUnavailable);
    store.down.store(false, Relaxed);
    let wait = Duration::from_secs(5);
    assert_eq!(daily.next_id_within(wait).unwrap(), 20_260_822_000_001);
}

/// A failure that is over does not hide one that is not.
#[test]
fn the_failure_that_is_told_is_the_one_that_is_not_over() {
    let (store, host) = (Arc::<Watched>::default(), ByHand::at(AUGUST_21_MS));
    let daily = builder(&store, &host).step(1).wait(Duration::ZERO).open().unwrap();
    let told = || daily.stats().last_failure.map(|failure| failure.is_over);
    assert_eq!(told(), None);
    store.down.store(true, Relaxed);
    host.set(AUGUST_21_MS + DAY_MS);
    until("the day cannot be opened", || daily.next_id().is_err() && told() == Some(false));
    store.down.store(false, Relaxed);
    until("the day is opened", || daily.next_id().is_ok());
    until("that is over", || told() == Some(true));
    store.down.store(true, Relaxed);
    until("the day has no more ranges", || daily.next_id().is_err() && told() == Some(false));
}

/// Nothing is at hand, though the day's page is on.
#[test]
fn a_bound_of_the_callers_holds_in_every_call() {
    let (store, host) = (Arc::<Watched>::default(), ByHand::at(AUGUST_21_MS));
    let daily = builder(&store, &host).open().unwrap();
    store.down.store(true, Relaxed);
    let at_once = daily.with_wait(Duration::ZERO);
    at_once.next_id().unwrap_err();
    at_once.next_ids(5).unwrap_err();
    at_once.fill(&mut [0; 5]).unwrap_err();
    at_once.next_id_within(Duration::ZERO).unwrap_err();
    assert!(!host.has_slept.load(Relaxed), "who has no time does not wait");
    store.down.store(false, Relaxed);
    // The other way round: the builder's bound is not the caller's.
    let hasty = builder(&store, &host).wait(Duration::ZERO).open().unwrap();
    let patient = hasty.with_wait(Duration::from_secs(20));
    assert_eq!(patient.next_ids(5).unwrap().len(), 5);
}

#[test]
fn a_store_that_is_down_at_open_is_an_error() {
    let (store, host) = (Arc::<Watched>::default(), ByHand::at(AUGUST_21_MS));
    store.down.store(true, Relaxed);
    let error = builder(&store, &host).open().unwrap_err();
    assert_eq!(error.code(), Code::StoreUnavailable);
}

#[test]
fn a_tag_that_another_creates_at_the_same_time_is_fine() {
    let (store, host) = (Arc::<Watched>::default(), ByHand::at(AUGUST_21_MS));
    store.races.store(true, Relaxed);
    let daily = builder(&store, &host).open().unwrap();
    assert_eq!(daily.next_id().unwrap(), 20_260_821_000_001);
    host.set(AUGUST_21_MS + DAY_MS);
    assert_eq!(daily.next_id().unwrap(), 20_260_822_000_001);
}

#[test]
fn a_day_has_the_numbers_of_its_digits() {
    for digits in 1..=3 {
        let (store, host) = (Arc::default(), ByHand::at(AUGUST_21_MS));
        let daily = builder(&store, &host).digits(digits).open().unwrap();
        let (factor, max) = (10_u64.pow(digits), 10_u64.pow(digits) - 1);
        for n in 1..=max {
            assert_eq!(daily.next_id().unwrap(), 20_260_821 * factor + n);
        }
        let error = daily.next_id().unwrap_err();
        assert_eq!(error.code(), Code::TagExhausted);
        assert!(error.to_string().contains("more digits"), "{error}");
        assert_eq!(daily.next_ids(1).unwrap_err().code(), Code::TagExhausted);
        let other = builder(&store, &host).digits(digits).open().unwrap();
        assert_eq!(other.next_id().unwrap_err().code(), Code::TagExhausted);
        host.set(AUGUST_21_MS + DAY_MS);
        assert_eq!(daily.next_id().unwrap(), 20_260_822 * factor + 1);
        assert_eq!(other.next_id().unwrap() / factor, 20_260_822);
    }
}

#[test]
fn a_used_up_day_does_not_go_on_asking_the_store() {
    let (store, host) = (Arc::<Watched>::default(), ByHand::at(AUGUST_21_MS));
    let daily = builder(&store, &host).digits(1).open().unwrap();
    assert_eq!(daily.next_ids(9).unwrap().len(), 9);
    assert_eq!(daily.next_id().unwrap_err().code(), Code::TagExhausted);
    thread::sleep(Duration::from_millis(50));
    let next = || store.store.tag(&Tag::new("orders:20260821").unwrap()).unwrap().unwrap().next;
    let reserved = next();
    for _ in 0..1_000 {
        assert_eq!(daily.next_id().unwrap_err().code(), Code::TagExhausted);
    }
    assert_eq!(next(), reserved);
}

#[test]
fn more_numbers_than_a_day_has_are_refused_at_once() {
    let (store, host) = (Arc::default(), ByHand::at(AUGUST_21_MS));
    let daily = builder(&store, &host).digits(2).open().unwrap();
    assert_eq!(daily.next_ids(100).unwrap_err().code(), Code::CountOutOfRange);
    assert_eq!(daily.next_ids(99).unwrap().last(), Some(&2_026_082_199));
}

#[test]
fn limits_hold_at_the_limit_and_fail_one_past_it() {
    let (store, host) = (Arc::default(), ByHand::at(AUGUST_21_MS));
    let open = |digits, step| builder(&store, &host).digits(digits).step(step).open();
    assert_eq!(open(1, 1).unwrap().next_id().unwrap(), 202_608_211);
    assert_eq!(open(10, 1).unwrap().next_id().unwrap() / 10_000_000_000, 20_260_821);
    for digits in [0, 11, u32::MAX] {
        assert_eq!(open(digits, 1).unwrap_err().code(), Code::InvalidParameter);
    }
    assert!(open(3, 999).is_ok());
    for (digits, step) in [(3, 1_000), (3, 0), (10, (1 << 30) + 1)] {
        assert_eq!(open(digits, step).unwrap_err().code(), Code::InvalidStep);
    }
    assert!(open(10, 1 << 30).is_ok());

    let tagged = |length: usize| {
        let store: Arc<dyn SegmentAdmin> = Arc::new(MemoryStore::default());
        let tag = Tag::new(&"t".repeat(length)).unwrap();
        Daily::builder(store, tag).host(host.clone()).open()
    };
    assert!(tagged(MAX_TAG_LENGTH - 9).is_ok());
    let error = tagged(MAX_TAG_LENGTH - 8).unwrap_err();
    assert_eq!(error.code(), Code::InvalidTag);
    assert!(error.to_string().contains("at most 55"), "{error}");
}

#[test]
fn dates_have_eight_digits() {
    let year_1000_ms = -30_610_224_000_000;
    let (store, host) = (Arc::default(), ByHand::at(year_1000_ms));
    let daily = builder(&store, &host).digits(10).open().unwrap();
    assert_eq!(daily.next_id().unwrap(), 100_001_010_000_000_001);
    let refused = |ms| {
        host.set(ms);
        builder(&store, &host).open().unwrap_err().code()
    };
    assert_eq!(refused(year_1000_ms - 1), Code::InvalidTime);
    assert_eq!(refused(253_402_300_800_000), Code::InvalidTime); // the year 10000
    assert_eq!(refused(i64::MIN), Code::InvalidTime);
    assert_eq!(refused(i64::MAX), Code::InvalidTime);
    assert_eq!(daily.next_id().unwrap_err().code(), Code::InvalidTime);
    host.set(253_402_214_400_000 - DAY_MS); // 9999-12-30, the last day that jiff knows whole
    assert_eq!(daily.next_id().unwrap() / 10_000_000_000, 99_991_230);
}

#[test]
fn threads_share_a_source_over_several_midnights() {
    let (store, host) = (Arc::<Watched>::default(), ByHand::at(AUGUST_21_MS));
    let daily = builder(&store, &host).step(100).open().unwrap();
    let done = Arc::new(AtomicBool::new(false));
    let minters: Vec<_> = (0..4)
        .map(|nth| {
            let (daily, done) = (daily.clone(), Arc::clone(&done));
            thread::spawn(move || {
                let mut mine = Vec::new();
                while !done.load(Relaxed) {
                    if nth == 0 {
                        mine.extend(daily.next_ids(7).unwrap());
                    } else {
                        mine.push(daily.next_id().unwrap());
                    }
                }
                mine
            })
        })
        .collect();
    for half_day in 1..=20 {
        thread::sleep(Duration::from_millis(5));
        let back_ms = if half_day % 3 == 0 { DAY_MS } else { 0 };
        host.set(AUGUST_21_MS + half_day * DAY_MS / 2 - 1 - back_ms);
        thread::sleep(Duration::from_millis(5));
        host.set(AUGUST_21_MS + half_day * DAY_MS / 2);
    }
    done.store(true, Relaxed);
    let mut all = HashSet::new();
    for minter in minters {
        let mine = minter.join().unwrap();
        assert!(mine.is_sorted_by(|a, b| a < b), "numbers of a thread rise");
        for number in mine {
            assert!(all.insert(number), "{number} twice");
        }
    }
    assert_eq!(daily.next_id().unwrap() / 1_000_000, 20_260_831);
}

#[test]
fn restarts_and_instances_never_repeat_a_number() {
    let (store, host) = (Arc::<Watched>::default(), ByHand::at(AUGUST_21_MS));
    let mut all = HashSet::new();
    for round in 0..10 {
        host.set(AUGUST_21_MS + round / 4 * DAY_MS);
        let (one, two) = (builder(&store, &host).step(50), builder(&store, &host).step(70));
        let (one, two) = (one.open().unwrap(), two.zone("+08:00").open().unwrap());
        let mut last = (0, 0);
        for _ in 0..200 {
            let next = (one.next_id().unwrap(), two.next_id().unwrap());
            assert!(next.0 > last.0 && next.1 > last.1);
            assert!(all.insert(next.0) && all.insert(next.1));
            last = next;
        }
    }
}

#[test]
fn a_closed_source_says_so() {
    let (store, host) = (Arc::default(), ByHand::at(AUGUST_21_MS));
    let daily = builder(&store, &host).open().unwrap();
    daily.next_id().unwrap();
    let other = daily.clone();
    daily.close().unwrap();
    daily.close().unwrap();
    assert_eq!(other.next_id().unwrap_err().code(), Code::Closed);
    host.set(AUGUST_21_MS + DAY_MS);
    assert_eq!(other.next_id().unwrap_err().code(), Code::Closed);
    assert_eq!(other.next_ids(3).unwrap_err().code(), Code::Closed);
    let never_used = builder(&store, &host).open().unwrap();
    never_used.close().unwrap();
    assert_eq!(never_used.next_id().unwrap_err().code(), Code::Closed);
}

#[cfg(feature = "sqlite")]
#[test]
fn a_day_goes_on_in_a_file() {
    let directory = tempfile::tempdir().unwrap();
    let host = ByHand::at(AUGUST_21_MS);
    let open = || {
        let store = snowmint::SqliteStore::create(directory.path().join("ids.db")).unwrap();
        Daily::builder(Arc::new(store), orders()).host(host.clone()).step(10).open().unwrap()
    };
    let daily = open();
    assert_eq!(daily.next_id().unwrap(), 20_260_821_000_001);
    drop(daily);
    let daily = open();
    assert_eq!(daily.next_id().unwrap(), 20_260_821_000_011);
    host.set(AUGUST_21_MS + DAY_MS);
    assert_eq!(daily.next_id().unwrap(), 20_260_822_000_001);
}
