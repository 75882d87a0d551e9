//! Native sequences of PostgreSQL, beside who draws from them as Hibernate does.

use std::collections::BTreeSet;

use snowmint::{
    AllocationRequest, Code, Dialect, Mint, RefusedRow, Store, Tag, TagChange, TagOptions, TagRow,
    open, open_store,
};

use super::asking::{examined, long, orders, refused, take};
use super::owners::{self, Owner, next, numbers};
use super::{Database, Server};

const DRAW: &str = "SELECT nextval('orders')";

/// Hibernate's pooled optimizer with `allocationSize = 10` and `initialValue = 1`.
const POOLED: Owner = Owner {
    dialect: Dialect::Sequence,
    script: "CREATE SEQUENCE orders START WITH 1 INCREMENT BY 10",
    next: |run| {
        let value = numbers(&run(DRAW))[0];
        Some(if value == 1 { vec![1] } else { (value - 9..=value).collect() })
    },
};
/// The same by the optimizer pooled-lo.
const POOLED_LO: Owner = Owner {
    dialect: Dialect::SequenceLo,
    script: POOLED.script,
    next: |run| {
        let value = numbers(&run(DRAW))[0];
        Some((value..value + 10).collect())
    },
};
/// Any column with `DEFAULT nextval('orders')`.
const PLAIN: Owner = Owner {
    dialect: Dialect::Sequence,
    script: "CREATE SEQUENCE orders",
    next: |run| Some(numbers(&run(DRAW))),
};
const PLAIN_LO: Owner = Owner { dialect: Dialect::SequenceLo, ..PLAIN };

fn url(database: &Database, dialect: Dialect) -> String {
    format!("{}&dialect={dialect}", database.url)
}

#[test]
fn hibernate_and_we_never_meet() {
    for owner in [POOLED, POOLED_LO, PLAIN, PLAIN_LO] {
        owners::stand_beside(&owner);
    }
}

#[test]
fn a_range_is_as_many_whole_blocks_as_are_asked_for() {
    let database = Server::shared().database();
    database.run("CREATE SEQUENCE orders INCREMENT BY 10; CREATE SEQUENCE \"Plain\"");
    let range = |dialect, count| {
        let range = next(&*open_store(&url(&database, dialect)).unwrap(), count);
        (range.start(), range.end())
    };
    assert_eq!(range(Dialect::Sequence, None), (1, 2)); // the first value, below which nothing is
    assert_eq!(range(Dialect::Sequence, None), (2, 12));
    assert_eq!(range(Dialect::Sequence, Some(25)), (12, 42));
    let store = open_store(&url(&database, Dialect::SequenceLo)).unwrap();
    let plain = Tag::new("Plain").unwrap();
    let request = |count| AllocationRequest::new(plain.clone(), count);
    let ask = |request| {
        let answer = store.allocate(&[request], &long()).unwrap().pop().unwrap();
        let range = answer.unwrap().range;
        (range.start(), range.end())
    };
    assert_eq!(ask(request(None)), (1, 2));
    assert_eq!(ask(request(Some(100))), (2, 102));
    assert_eq!(ask(request(Some(1_000_000))), (102, 1102)); // as many values as one call draws
}

#[test]
fn a_value_that_was_acknowledged_never_comes_again() {
    let server = &mut Server::start(&["wal_writer_delay=10000"]);
    let database = server.database();
    database.run(PLAIN.script);
    let given = {
        let store = open_store(&url(&database, Dialect::Sequence)).unwrap();
        // The record of its values is on no disk while another's transaction is open.
        let mut other = database.session();
        other.run("BEGIN; SELECT nextval('orders') FROM generate_series(1, 34)");
        let given = take(&*store).unwrap();
        server.restart();
        given
    };
    let store = open_store(&url(&database, Dialect::Sequence)).unwrap();
    let after = (0..).find_map(|_| take(&*store).ok()).unwrap();
    assert!(after > given, "{after} after {given}");
}

fn row(store: &dyn Store) -> TagRow {
    store.tag(&orders()).unwrap().unwrap()
}

#[test]
fn sequences_are_made_raised_and_listed() {
    for dialect in [Dialect::Sequence, Dialect::SequenceLo] {
        let database = Server::shared().database();
        let store = open_store(&url(&database, dialect)).unwrap();
        assert!(store.tag(&orders()).unwrap().is_none());
        refused(take(&*store), Code::UnknownTag);
        store.create_tag(&orders(), TagOptions::default().start(7).step(20)).unwrap();
        refused(store.create_tag(&orders(), TagOptions::default()), Code::TagExists);
        assert_eq!((row(&*store).next, row(&*store).step), (7, 20));
        assert_eq!(take(&*store).unwrap(), 7);
        let present = row(&*store).next;
        refused(
            store.change_tag(&orders(), TagChange::default().next(present - 1)),
            Code::RangeRegressed,
        );
        for next in [present, 500, 501] {
            let changed = store.change_tag(&orders(), TagChange::default().next(next)).unwrap();
            assert_eq!((changed.next, row(&*store).next), (next, next));
        }
        assert_eq!(take(&*store).unwrap(), 501);
        assert_eq!(row(&*store).next, 521);
        let end = TagChange::default().next(i64::MAX as u64);
        let stepped = store.change_tag(&orders(), TagChange::default().step(5));
        refused(stepped, Code::Unsupported);
        if dialect == Dialect::Sequence {
            refused(store.change_tag(&orders(), end), Code::InvalidRange);
        } else {
            assert_eq!(store.change_tag(&orders(), end).unwrap().next, i64::MAX as u64);
        }
        let none = Tag::new("none").unwrap();
        refused(store.change_tag(&none, TagChange::default().next(1)), Code::UnknownTag);
        let stride = TagOptions::default().stride(2);
        refused(store.create_tag(&none, stride), Code::Unsupported);
        database.run(
            "CREATE SCHEMA shop; CREATE SEQUENCE shop.bills; CREATE SEQUENCE down INCREMENT BY -1",
        );
        let listed: Vec<_> = store.tags().unwrap().into_iter().map(|row| row.tag).collect();
        assert_eq!(listed, [orders(), Tag::new("shop.bills").unwrap()]);
        owners::lack_what_ours_have(&url(&database, dialect));
    }
}

#[test]
fn a_sequence_never_falls_while_it_is_raised() {
    let database = Server::shared().database();
    database.run(PLAIN.script);
    let store = open_store(&url(&database, Dialect::Sequence)).unwrap();
    std::thread::scope(|scope| {
        let drawer = scope.spawn(|| {
            let draw = "SELECT nextval('orders') FROM generate_series(1, 100)";
            (0..40).flat_map(|_| numbers(&database.run(draw))).collect::<Vec<_>>()
        });
        while !drawer.is_finished() {
            let raise = TagChange::default().next(row(&*store).next + 10);
            match store.change_tag(&orders(), raise) {
                Err(error) if error.code() == Code::RangeRegressed => {}
                raised => assert!(Some(raised.unwrap().next) >= raise.next),
            }
        }
        assert!(drawer.join().unwrap().is_sorted_by(|a, b| a < b));
    });
}

#[test]
fn a_source_mints_what_a_sequence_gives() {
    let database = Server::shared().database();
    database.run("CREATE SEQUENCE orders INCREMENT BY 5");
    let source =
        open(&format!("segment+{}&tag=orders", url(&database, Dialect::Sequence))).unwrap();
    let ids: BTreeSet<_> = (0..500).map(|_| source.next_id().unwrap()).collect();
    assert_eq!(ids.len(), 500);
    source.close().unwrap();
    let value = numbers(&database.run(DRAW))[0];
    assert!(*ids.last().unwrap() <= value - 5, "{value}");
}

/// The server refuses the whole statement that draws one value too many, and takes none back.
#[test]
fn the_last_values_are_given_wherever_a_sequence_begins() {
    for begun in [
        "CREATE SEQUENCE orders START 98 MAXVALUE 100",
        "CREATE SEQUENCE orders MAXVALUE 100; SELECT setval('orders', 98, false)",
        "CREATE SEQUENCE orders MAXVALUE 100; ALTER SEQUENCE orders RESTART WITH 98",
        "CREATE SEQUENCE orders MAXVALUE 100; SELECT setval('orders', 97)",
    ] {
        let database = Server::shared().database();
        database.run(begun);
        let store = open_store(&url(&database, Dialect::Sequence)).unwrap();
        let answer = || {
            let request = AllocationRequest::new(orders(), Some(30));
            store.allocate(&[request], &long()).unwrap().pop().unwrap()
        };
        let given: Vec<_> = std::iter::from_fn(|| answer().ok())
            .flat_map(|given| given.range.start()..given.range.end())
            .collect();
        assert_eq!(given, [98, 99, 100], "{begun}");
        assert_eq!(answer().unwrap_err().code(), Code::TagExhausted);
    }
}

#[test]
fn a_sequence_that_could_repeat_is_refused_with_its_cure() {
    let database = Server::shared().database();
    database.run("CREATE TABLE bills (id bigserial); CREATE SEQUENCE orders");
    let store = open_store(&url(&database, Dialect::Sequence)).unwrap();
    use Code::{StoreSchema, TagExhausted};
    for (change, refusal) in [
        ("CYCLE", Some((StoreSchema, "NO CYCLE"))),
        ("NO CYCLE CACHE 20", Some((StoreSchema, "CACHE 1"))),
        ("CACHE 1 INCREMENT BY -1 START WITH 1", Some((StoreSchema, "INCREMENT BY 1"))),
        ("INCREMENT BY 1", None),
        ("SET UNLOGGED", Some((StoreSchema, "SET LOGGED"))),
        ("SET LOGGED", None),
        ("MINVALUE -9 RESTART WITH -9", Some((StoreSchema, "RESTART WITH"))),
        ("MAXVALUE 5 RESTART WITH 5", None),
        ("MAXVALUE 5", Some((TagExhausted, "orders"))),
        ("INCREMENT BY 1073741825 NO MAXVALUE", Some((StoreSchema, "1073741824"))),
    ] {
        database.run(&format!("ALTER SEQUENCE orders {change}"));
        let found = examined(&url(&database, Dialect::Sequence));
        match refusal {
            None => {
                found.refuses(&[]);
                take(&*store).unwrap();
            }
            Some((code, told)) => {
                let shown = refused(take(&*store), code);
                assert!(shown.contains(told), "{change}: {shown}");
                found.refuses_by(code);
                let listed: Vec<_> = store.refused_rows().unwrap();
                let is_told = |row: &RefusedRow| row.error.to_string().contains(told);
                assert!(code == TagExhausted || listed.iter().any(is_told), "{listed:?}");
            }
        }
    }
    for tag in ["bills", "orders.x.y", "nowhere.orders"] {
        let request = AllocationRequest::new(Tag::new(tag).unwrap(), None);
        let answer = store.allocate(&[request], &long()).unwrap().pop().unwrap();
        let code = answer.unwrap_err().code();
        assert!([Code::UnknownTag, Code::InvalidTag].contains(&code), "{tag}: {code:?}");
    }
}

#[test]
fn a_user_that_may_not_draw_numbers_is_told_so() {
    let database = Server::shared().database();
    database.run(PLAIN.script);
    let user = format!("reader_{}", database.name());
    database.run(&format!("CREATE ROLE {user} LOGIN"));
    let address = database.url_with("//postgres@", &format!("//{user}@"));
    let store = open_store(&format!("{address}&dialect=sequence")).unwrap();
    let told = refused(take(&*store), Code::StoreDenied);
    assert!(told.contains("USAGE ON the SEQUENCE"), "{told}");
    database.run(&format!("GRANT SELECT ON orders TO {user}"));
    examined(&format!("{address}&dialect=sequence")).refuses_by(Code::StoreDenied);
    database.run(&format!("GRANT SELECT, USAGE ON orders TO {user}"));
    assert_eq!(take(&*store).unwrap(), 1);
    refused(store.change_tag(&orders(), TagChange::default().next(50)), Code::StoreDenied);
    drop(store);
    database.run(&format!("DROP OWNED BY {user}; DROP ROLE {user}"));
}
