//! Counters as users of `INCR` have them, beside their owners.

use std::collections::HashSet;
use std::sync::Arc;
use std::thread;

use snowmint::{
    Daily, LeaseRequest, MemoryStore, Mint, RedisCounters, SegmentStore, Tag, move_tag,
};

use super::*;

/// A counter `orders`, at 10.
fn counted() -> Database {
    let database = Server::shared().database();
    database.run(&["SET", "orders", "10"]);
    database
}

fn counters(database: &Database) -> RedisCounters {
    database.builder().counters().open().unwrap()
}

fn url(database: &Database, more: &str) -> String {
    format!("segment+{}?dialect=counter&tag=orders{more}", database.url)
}

#[test]
fn numbers_follow_those_of_the_owner() {
    let database = counted();
    assert_eq!(database.run(&["INCR", "orders"]), "11");
    let orders = open(&url(&database, "&step=5")).unwrap();
    assert_eq!(orders.next_id().unwrap(), 12);
    let last: u64 = database.run(&["INCR", "orders"]).parse().unwrap();
    assert!(last > 16, "{last}");
    let row = counters(&database).tag(&Tag::new("orders").unwrap()).unwrap().unwrap();
    assert!(row.next > last && row.stride == 1, "{row:?}");
}

#[test]
fn both_side_by_side_never_meet() {
    const EACH: usize = 300;
    let database = counted();
    let own = || {
        let one = |_| database.run(&["INCR", "orders"]).parse().unwrap();
        (0..EACH / 10).map(one).collect::<Vec<u64>>()
    };
    let orders = open(&url(&database, "&step=3&wait_ms=60000")).unwrap();
    let ours = || (0..EACH).map(|_| orders.next_id().unwrap()).collect::<Vec<_>>();
    let all: Vec<u64> = thread::scope(|scope| {
        let owner = scope.spawn(own);
        let threads = [(); 3].map(|()| scope.spawn(ours));
        let mut all = owner.join().unwrap();
        all.extend(threads.into_iter().flat_map(|it| it.join().unwrap()));
        all
    });
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
    assert!(all.iter().all(|number| *number > 10));
}

/// Two servers, of which each counts by 2.
#[test]
fn several_servers_share_a_tag() {
    let [a, b] = [(); 2].map(|()| Server::shared().database());
    let tag = Tag::new("orders").unwrap();
    for (database, start) in [(&a, 1), (&b, 2)] {
        let store = database.builder().counters().stride(2).open().unwrap();
        store.create_tag(&tag, TagOptions::default().start(start).stride(2)).unwrap();
    }
    assert_eq!((a.run(&["GET", "orders"]), b.run(&["GET", "orders"])), ("-1".into(), "0".into()));
    let at = format!("{}?dialect=counter%26stride=2", b.url);
    let both = open(&url(&a, &format!("&stride=2&step=2&at={at}"))).unwrap();
    let mut ids: Vec<_> = (0..100).map(|_| both.next_id().unwrap()).collect();
    ids.extend([&a, &b].map(|one| one.run(&["INCRBY", "orders", "2"]).parse::<u64>().unwrap()));
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), 102);
    assert!(ids.contains(&1) && ids.contains(&2));
    // Counters of one class would give the same numbers.
    b.run(&["SET", "orders", "101"]);
    refused(open(&url(&a, &format!("&stride=2&at={at}"))).map(drop), Code::InvalidParameter);
}

#[test]
fn a_counter_that_is_not_there_is_not_begun() {
    let database = Server::shared().database();
    let (store, tag) = (counters(&database), orders());
    refused(take(&store), Code::UnknownTag);
    assert_eq!(database.run(&["EXISTS", "orders"]), "0");
    store.create_tag(&tag, TagOptions::default().start(100)).unwrap();
    refused(store.create_tag(&tag, TagOptions::default()), Code::TagExists);
    assert_eq!(take(&store).unwrap(), 100);
    database.run(&["DEL", "orders"]);
    refused(take(&store), Code::UnknownTag);
}

#[test]
fn a_day_has_a_counter_that_goes() {
    let database = Server::shared().database();
    let address = format!("daily+{}?dialect=counter&tag=bills&expire=345600", database.url);
    let bills = open(&address).unwrap();
    let first = bills.next_id().unwrap();
    assert_eq!(first % 1_000_000, 1);
    let keys = database.run(&["KEYS", "bills:*"]);
    assert_eq!(keys, format!("bills:{}", first / 1_000_000));
    let left: u64 = database.run(&["TTL", &keys]).parse().unwrap();
    assert!((300_000..=345_600).contains(&left), "{left}");
    for soon in ["345599", "172800", "3600"] {
        let early = open(&address.replace("345600", soon)).map(drop);
        assert!(refused(early, Code::InvalidParameter).contains("345600 s"));
    }
}

#[test]
fn a_day_that_is_over_is_not_begun_again() {
    let database = Server::shared().database();
    let expire = Duration::from_secs(345_600);
    let store = database.builder().counters().expire(expire).open().unwrap();
    let bills = Daily::builder(Arc::new(store), Tag::new("bills").unwrap()).open().unwrap();
    let [yesterday, today, _] = bills.days().unwrap();
    let tag = format!("bills:{yesterday}");
    let message = refused(bills.open_day(yesterday).map(drop), Code::UnknownTag);
    assert!(message.contains("its day is over"), "{message}");
    assert_eq!(database.run(&["EXISTS", &tag]), "0");
    database.run(&["SET", &tag, "41"]);
    assert_eq!(bills.open_day(yesterday).unwrap().next_id().unwrap(), 42);
    assert_eq!(bills.open_day(today).unwrap().next_id().unwrap(), 1);
}

/// Their sections' tags have no day.
#[test]
fn sequences_are_not_kept_in_counters_that_go() {
    let database = Server::shared().database();
    let address = format!("sequences+{}?dialect=counter&tag=chat&keys_per_section=1", database.url);
    open(&address).unwrap();
    refused(open(&format!("{address}&expire=400000")).map(drop), Code::Unsupported);
}

#[test]
fn a_counter_is_raised_and_never_lowered() {
    let database = counted();
    database.run(&["EXPIRE", "orders", "1000000"]);
    let store = counters(&database);
    let row = store.change_tag(&orders(), TagChange::default().next(101)).unwrap();
    assert_eq!((row.next, database.run(&["GET", "orders"])), (101, "100".to_owned()));
    assert_ne!(database.run(&["TTL", "orders"]), "-1");
    refused(store.change_tag(&orders(), TagChange::default().next(100)), Code::RangeRegressed);
    refused(store.change_tag(&orders(), TagChange::default().step(5)), Code::Unsupported);
    assert_eq!(database.run(&["INCR", "orders"]), "101");
}

#[test]
fn a_value_that_is_no_counter_is_refused() {
    let database = counted();
    let store = counters(&database);
    for (value, code) in [
        ("-100", Code::StoreSchema),
        ("many", Code::StoreSchema),
        ("9223372036854775807", Code::TagExhausted),
        ("9223372036854775806", Code::TagExhausted),
    ] {
        database.run(&["SET", "orders", value]);
        refused(take(&store), code);
        assert_eq!(database.run(&["GET", "orders"]), value);
    }
    database.run(&["DEL", "orders"]);
    database.run(&["LPUSH", "orders", "1"]);
    refused(take(&store), Code::StoreSchema);
    refused(store.acquire(&LeaseRequest::new("a", "b"), &long()), Code::InvalidParameter);
    for (parameters, code) in [
        ("dialect=leaf", Code::Unsupported),
        ("stride=2", Code::InvalidParameter),
        ("dialect=counter&stride=0", Code::InvalidRange),
        ("dialect=counter&create=true", Code::InvalidParameter),
        ("dialect=counter&key_space=00112233445566778899aabbccddeeff", Code::InvalidParameter),
    ] {
        refused(open_store(&format!("{}?{parameters}", database.url)).map(drop), code);
    }
}

/// Whoever still counts there stops.
#[test]
fn a_counter_moves_while_numbers_are_taken() {
    let database = counted();
    let (from, to) =
        (open_store(&format!("{}?dialect=counter", database.url)).unwrap(), MemoryStore::new());
    let orders_there = open(&url(&database, "&step=2&wait_ms=60000")).unwrap();
    let taken = thread::scope(|scope| {
        let taking = scope.spawn(|| {
            let mut taken = Vec::new();
            loop {
                match orders_there.next_id() {
                    Ok(number) => taken.push(number),
                    Err(error) => {
                        assert_eq!(error.code(), Code::TagMoved);
                        return taken;
                    }
                }
            }
        });
        asking::wait_until("numbers", || database.run(&["GET", "orders"]) != "10");
        let moved = move_tag(&*from, &orders(), &to, "elsewhere").unwrap();
        assert_eq!(move_tag(&*from, &orders(), &to, "elsewhere").unwrap().next, moved.next);
        taking.join().unwrap()
    });
    assert!(taken.iter().max() < Some(&take(&to).unwrap()));
    assert!(database.run_refused(&["INCR", "orders"]).contains("not an integer"));
    refused(open(&url(&database, "")).and_then(|it| it.next_id()), Code::TagMoved);
    refused(from.change_tag(&orders(), TagChange::default().next(10_000)), Code::TagMoved);
}

#[test]
fn a_server_that_could_lose_numbers_is_refused() {
    let server = Server::start(&["appendfsync=everysec"]);
    let database = server.database();
    database.run(&["SET", "orders", "10"]);
    refused(database.builder().counters().open(), Code::UnsafeSetting);
    let declared = database.builder().durability_declared(true).counters().open().unwrap();
    assert_eq!(take(&declared).unwrap(), 11);
    asking::examined(&format!("{}?dialect=counter", database.url)).has(
        "durability",
        Verdict::Refused,
        "appendfsync",
    );
}

/// Beyond what a number of the script's language holds.
#[test]
fn numbers_are_exact_up_to_the_last() {
    let tag = Tag::new("orders").unwrap();
    for begin in [(1_u64 << 53) - 2, 20_261_124_000_000_000, 1_000_000_000_000_000_000] {
        let database = Server::shared().database();
        database.run(&["SET", "orders", &begin.to_string()]);
        let store = counters(&database);
        for number in 1..=6 {
            let taken = snowmint::allocate_one(&store, &tag, Some(1)).unwrap();
            assert_eq!(taken.range.start(), begin + number);
        }
        assert_eq!(database.run(&["INCR", "orders"]), (begin + 7).to_string());
    }
    let database = Server::shared().database();
    let end = u64::try_from(i64::MAX).unwrap();
    database.run(&["SET", "orders", &(end - 3).to_string()]);
    let store = counters(&database);
    let mut last = end - 3;
    loop {
        match snowmint::allocate_one(&store, &tag, Some(1)) {
            Ok(taken) => {
                assert_eq!(taken.range.start(), last + 1);
                last += 1;
            }
            Err(error) => break assert_eq!(error.code(), Code::TagExhausted, "{error}"),
        }
    }
    // Others count on to the last, and beyond.
    while database.asked(&["INCR", "orders"]).1 {}
    refused(snowmint::allocate_one(&store, &tag, Some(1)), Code::TagExhausted);
}

#[test]
fn a_text_that_incr_does_not_count_is_refused() {
    let database = Server::shared().database();
    for wrong in ["+5", "007", "3.5", "", "orders", "9223372036854775808"] {
        database.run(&["SET", "orders", wrong]);
        let message = refused(take(&counters(&database)), Code::StoreSchema);
        assert!(message.contains("no number as INCR writes it"), "{message}");
    }
}

/// The server evicts keys that expire when it needs the room, and counters can expire.
#[test]
fn a_server_that_evicts_what_expires_is_refused() {
    let server = Server::start(&["maxmemory=100mb", "maxmemory-policy=volatile-lru"]);
    let database = server.database();
    database.run(&["SET", "orders", "10"]);
    let address = url(&database, "");
    let message = refused(open(&address).map(drop), Code::UnsafeSetting);
    assert!(message.contains("as counters can have"), "{message}");
    let doctor = asking::examined(&format!("{}?dialect=counter", database.url));
    doctor.has("durability", Verdict::Refused, "volatile-lru");
    database.builder().create(true).open().unwrap();
}

#[test]
fn a_counter_that_moved_stays_closed_when_its_day_is_over() {
    let database = counted();
    database.run(&["EXPIRE", "orders", "172800"]);
    move_tag(&counters(&database), &Tag::new("orders").unwrap(), &MemoryStore::new(), "there")
        .unwrap();
    assert_eq!(database.run(&["TTL", "orders"]), "-1");
}

/// A tag that could not arrive is not closed.
#[test]
fn a_tag_does_not_move_to_a_counter() {
    let (from, database) = (MemoryStore::new(), Server::shared().database());
    from.create_tag(&orders(), TagOptions::default()).unwrap();
    refused(move_tag(&from, &orders(), &counters(&database), "there"), Code::Unsupported);
    assert_eq!(take(&from).unwrap(), 1);
}
