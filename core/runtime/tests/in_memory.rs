//! Sources on stores in memory by their URLs, for tests of applications.

#![allow(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise, too")]

use std::collections::HashSet;

use snowmint::{Code, Mint as _, Segment, Snowflake, TagOptions, open, open_store};

#[cfg(unix)]
#[allow(dead_code, reason = "of more tests than these")]
#[path = "asking/children.rs"]
mod children;

fn code_of(url: &str) -> Code {
    open(url).map(drop).unwrap_err().code()
}

#[test]
fn segments_of_one_name_share_its_numbers() {
    let first = Segment::open("segment+memory:shared?tag=orders&step=10").unwrap();
    let second = Segment::open("segment+memory:shared?step=10&tag=orders").unwrap();
    let bills = Segment::open("segment+memory:shared?tag=bills").unwrap();
    let mut all = HashSet::new();
    for source in [&first, &second, &first, &second] {
        for _ in 0..25 {
            assert!(all.insert(source.next_id().unwrap()));
        }
    }
    assert_eq!((all.len(), all.iter().min()), (100, Some(&1)));
    assert_eq!(bills.next_id().unwrap(), 1);
}

#[test]
fn each_name_begins_at_one() {
    for name in ["test-1", "test-2", "TEST-2"] {
        let url = format!("segment+memory:{name}?tag=orders");
        assert_eq!(open(&url).unwrap().next_id().unwrap(), 1);
    }
}

#[test]
fn a_name_goes_on_after_its_last_source() {
    let open = || Segment::open("segment+memory:reopened?tag=orders").unwrap();
    let first = open();
    let before = first.next_ids(3).unwrap();
    first.close().unwrap();
    drop(first);
    assert!(open().next_id().unwrap() > before[2]);
}

#[test]
fn snowflakes_of_one_name_have_worker_ids_of_their_own() {
    let open = || Snowflake::open("snowflake+memory:flakes").unwrap();
    let flakes = [open(), open(), open()];
    let ids: HashSet<_> = flakes.iter().flat_map(|it| it.next_ids(1000).unwrap()).collect();
    let workers: HashSet<_> = flakes.iter().map(|it| it.stats().worker_id.unwrap()).collect();
    assert_eq!((ids.len(), workers.len()), (3000, 3));
}

#[test]
#[cfg(feature = "daily")]
fn daily_numbers_and_sequences_create_their_tags() {
    let daily = open("daily+memory:kinds?tag=bills&digits=4").unwrap();
    assert_eq!(daily.next_id().unwrap() % 10_000, 1);
    let chat = open("sequences+memory:kinds?tag=chat").unwrap();
    assert_eq!(chat.next_of(42).unwrap(), 1);
    let ring = open("segment+memory:kinds?tag=ring&ring=64").unwrap();
    assert_eq!(ring.next_id().unwrap(), 1);
}

#[test]
fn a_named_store_can_be_prepared_and_read() {
    let store = open_store("memory:prepared").unwrap();
    let orders = "orders".parse().unwrap();
    store.create_tag(&orders, TagOptions::default().start(1000)).unwrap();
    assert_eq!(open("segment+memory:prepared?tag=orders").unwrap().next_id().unwrap(), 1000);
    assert!(open_store("memory:prepared").unwrap().tags().unwrap()[0].next > 1000);
    assert_eq!(open_store("memory:").unwrap().tags().unwrap(), []);
}

#[test]
fn a_source_names_its_store() {
    for kind in ["snowflake+memory:", "segment+memory:?tag=a", "sequences+memory:?tag=a"] {
        let refused = open(kind).map(drop).unwrap_err();
        assert_eq!(refused.code(), Code::InvalidUrl, "{kind}");
        assert!(refused.to_string().contains("as snowflake+memory:tests"), "{refused}");
    }
    assert_eq!(code_of("snowflake+memory:a b"), Code::InvalidUrl);
    assert_eq!(code_of("snowflake+memory://a"), Code::InvalidUrl);
    // Of other stores, or of fixed worker IDs.
    for parameter in ["create=true", "state=/tmp", "worker_id=7", "key_space=0123"] {
        let url = format!("snowflake+memory:a?{parameter}");
        assert_eq!(code_of(&url), Code::UnknownParameter, "{url}");
    }
}

/// Two of them would begin with the same number.
#[test]
fn no_tag_is_created_in_one_of_several_stores() {
    assert_eq!(code_of("segment+memory:a?tag=orders&at=memory:b"), Code::UnknownTag);
}

#[cfg(unix)]
#[test]
fn a_child_has_no_store_of_its_parent() {
    if !children::is_alone("a_child_has_no_store_of_its_parent") {
        return;
    }
    let segment = "segment+memory:tests?tag=orders";
    let orders = Segment::open(segment).unwrap();
    let flake = Snowflake::open("snowflake+memory:tests").unwrap();
    let before = (orders.next_ids(3).unwrap(), flake.next_id().unwrap());
    let number = |code: Code| u64::from(code.number());
    let refused = |error: snowmint::Error| number(error.code());
    let mut child = children::forked(|| {
        vec![
            orders.next_id().map_or_else(refused, |_| 0),
            flake.next_id().map_or_else(refused, |_| 0),
            open(segment).map_or_else(refused, |_| 0),
            open_store("memory:tests").unwrap().tags().map_or_else(refused, |_| 0),
            open("segment+memory:child?tag=orders").unwrap().next_id().unwrap(),
        ]
    });
    let gone = number(Code::StoreUnavailable);
    assert_eq!(child.numbers(), [gone, gone, gone, gone, 1]);
    assert!(orders.next_id().unwrap() > before.0[2]);
    assert!(flake.next_id().unwrap() > before.1);
}
