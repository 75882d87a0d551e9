//! Other generators on their tables, beside a store of ours.

use snowmint::{
    AllocationRequest, Code, Dialect, Mint, NumberRange, Tag, TagChange, TagOptions, open,
    open_store,
};

use crate::Server;
use crate::asking::{long, orders, refused, refused_to_open, take};
use crate::dialects::{CHANGED_ROWS, CHANGED_TABLES, COSID, LEAF, NETEASE, TINYID};
use crate::owners;
use crate::proxy::{Fate, Proxy};

#[test]
fn leaf_and_we_never_meet() {
    owners::stand_beside(&LEAF);
}

#[test]
fn tinyid_and_we_never_meet() {
    owners::stand_beside(&TINYID);
}

#[test]
fn netease_and_we_never_meet() {
    owners::stand_beside(&NETEASE);
}

#[test]
fn cosid_and_we_never_meet() {
    owners::stand_beside(&COSID);
}

/// Tags are added, raised and listed as the table can keep them.
#[test]
fn tags_of_others_are_kept_as_they_keep_them() {
    for owner in [LEAF, TINYID, NETEASE, COSID] {
        let database = Server::shared().database();
        database.run(owner.script);
        let url = format!("{}&dialect={}", database.url, owner.dialect);
        let store = open_store(&url).unwrap();
        let (invoices, none) = (Tag::new("invoices").unwrap(), Tag::new("none").unwrap());
        store.create_tag(&invoices, TagOptions::default().start(7)).unwrap();
        refused(store.create_tag(&invoices, TagOptions::default()), Code::TagExists);
        let row = store.tag(&invoices).unwrap().unwrap();
        assert_eq!((row.next, row.step, row.stride, row.raises), (7, 1000, 1, 0));
        let row = store.change_tag(&invoices, TagChange::default().next(100)).unwrap();
        assert_eq!(row.next, 100);
        refused(store.change_tag(&invoices, TagChange::default().next(99)), Code::RangeRegressed);
        refused(store.change_tag(&none, TagChange::default().next(1)), Code::UnknownTag);
        assert!(store.tag(&none).unwrap().is_none());
        let stepped = store.change_tag(&invoices, TagChange::default().step(5));
        match owner.dialect {
            Dialect::Cosid => drop(refused(stepped, Code::Unsupported)),
            _ => assert_eq!(stepped.unwrap().step, 5),
        }
        let requests = [&invoices, &none].map(|tag| AllocationRequest::new(tag.clone(), 3));
        let answers = store.allocate(&requests, &long()).unwrap();
        let [range, refusal] = <[_; 2]>::try_from(answers).unwrap();
        assert_eq!(range.unwrap().range, NumberRange::new(100, 103, 1).unwrap());
        refused(refusal, Code::UnknownTag);
        let tags: Vec<_> = store.tags().unwrap().into_iter().map(|row| row.tag).collect();
        assert_eq!(tags, [invoices, orders()]);
        open_by_url(&url);
    }
}

/// A source mints from it.
fn open_by_url(url: &str) {
    let source = open(&format!("segment+{url}&tag=invoices&step=4")).unwrap();
    let ids: Vec<_> = (0..9).map(|_| source.next_id().unwrap()).collect();
    assert_eq!(ids, (103..112).collect::<Vec<_>>());
    source.close().unwrap();
    owners::lack_what_ours_have(url);
}

/// It is opened anew above all that it gave.
#[test]
fn a_source_whose_tag_went_back_stops_until_it_is_opened_anew() {
    let database = Server::shared().database();
    database.run(LEAF.script);
    let url = format!("{}&dialect=leaf", database.url);
    let (store, source) = (open_store(&url).unwrap(), format!("segment+{url}&tag=orders&step=10"));
    let stopped = open(&source).unwrap();
    let last = (0..25).fold(0, |_, _| stopped.next_id().unwrap());
    database.run("UPDATE leaf_alloc SET max_id = 1");
    let error = (last + 1..).find_map(|least| match stopped.next_id() {
        Ok(id) => {
            assert!(id >= least, "{id} after {last}");
            None
        }
        Err(error) => Some(error),
    });
    assert_eq!(error.unwrap().code(), Code::RangeRegressed);
    store.change_tag(&orders(), TagChange::default().next(1000)).unwrap();
    refused(stopped.next_id(), Code::RangeRegressed);
    stopped.close().unwrap();
    assert!(open(&source).unwrap().next_id().unwrap() >= 1000);
}

#[test]
fn a_range_whose_commit_is_unknown_is_given_up() {
    let database = Server::shared().database();
    database.run(LEAF.script);
    let proxy = Proxy::before(&database);
    let url = database.url_at(&[proxy.port]);
    let store = open_store(&format!("{url}&dialect=leaf")).unwrap();
    for (fate, next) in [(Fate::Lost, 1), (Fate::Unanswered, 11), (Fate::Unanswered, 21)] {
        proxy.next(fate);
        refused(take(&*store), Code::OutcomeUnknown);
        assert_eq!(store.tag(&orders()).unwrap().unwrap().next, next);
    }
    assert_eq!(take(&*store).unwrap(), 21);
}

#[test]
fn a_row_that_nobody_can_use_is_named() {
    let database = Server::shared().database();
    for owner in [LEAF, TINYID, NETEASE, COSID] {
        database.run(owner.script);
    }
    use Code::{StoreSchema, TagExhausted, UnknownTag};
    let run = |statements: &str| database.run(statements);
    owners::refuse_rows(&database.url, run, CHANGED_ROWS);
    owners::refuse_rows(
        &database.url,
        run,
        &[
            (Dialect::Leaf, "UPDATE leaf_alloc SET step = 0", StoreSchema, "step = 0"),
            (
                Dialect::Leaf,
                "UPDATE leaf_alloc SET step = 10, max_id = -5",
                StoreSchema,
                "max_id = -5",
            ),
            (
                Dialect::Leaf,
                "UPDATE leaf_alloc SET max_id = 9223372036854775800",
                TagExhausted,
                "orders",
            ),
            (Dialect::Leaf, "DELETE FROM leaf_alloc", UnknownTag, "orders"),
            (Dialect::Leaf, "DROP TABLE leaf_alloc", Code::StoreMissing, "leaf_alloc"),
            (Dialect::Netease, "UPDATE segment_id SET max = NULL", StoreSchema, "max = NULL"),
            (
                Dialect::Netease,
                "UPDATE segment_id SET max = 0, step = NULL",
                StoreSchema,
                "step = NULL",
            ),
            (
                Dialect::Netease,
                "UPDATE segment_id SET step = 10;
                 INSERT INTO segment_id (biz_type) VALUES ('orders')",
                StoreSchema,
                "2 rows",
            ),
            (Dialect::Netease, "ALTER TABLE segment_id DROP COLUMN step", StoreSchema, "step"),
            (Dialect::Tinyid, "UPDATE tiny_id_info SET delta = 0", StoreSchema, "delta = 0"),
            (
                Dialect::Tinyid,
                "UPDATE tiny_id_info SET delta = 2, remainder = 2",
                StoreSchema,
                "remainder = 2",
            ),
        ],
    );
    for (dialect, change, code, told) in CHANGED_TABLES {
        database.run(change);
        let url = format!("{}&dialect={dialect}", database.url);
        let shown = refused_to_open(&url, *code);
        assert!(shown.contains(told), "{shown}");
    }
}
