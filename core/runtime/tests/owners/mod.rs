//! Other generators, by their own statements, beside a store of ours on the same table.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use snowmint::{
    AllocationRequest, Code, Dialect, LeaseRequest, NumberRange, SegmentStore, Vouch, open,
    open_store,
};

use crate::Server;
use crate::asking::{examined, long, orders, refused, refused_to_open, take, wait_until};

/// Has a database run statements, and gives what its client prints.
pub(crate) type Run<'a> = &'a dyn Fn(&str) -> String;

/// A generator that keeps its numbers in a table.
pub(crate) struct Owner {
    pub(crate) dialect: Dialect,
    /// Its script, which leaves the tag `orders` in steps of 10.
    pub(crate) script: &'static str,
    /// Takes the next range as the owner does; `None` if another process was first.
    pub(crate) next: fn(Run<'_>) -> Option<Vec<u64>>,
}

const THREADS: u64 = 2;
const RANGES: u64 = 12;

/// The numbers in what a client prints.
pub(crate) fn numbers(printed: &str) -> Vec<u64> {
    let parts = printed.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    parts.map(|part| part.parse().unwrap()).collect()
}

/// Leaf's own statements, in any database.
pub(crate) fn leaf(run: Run<'_>) -> Option<Vec<u64>> {
    let printed = run("BEGIN; \
        UPDATE leaf_alloc SET max_id = max_id + step WHERE biz_tag = 'orders'; \
        SELECT max_id, step FROM leaf_alloc WHERE biz_tag = 'orders'; \
        COMMIT");
    let [max, step] = numbers(&printed)[..] else { panic!("{printed}") };
    Some((max - step..max).collect())
}

/// NetEase's, likewise.
pub(crate) fn netease(run: Run<'_>) -> Option<Vec<u64>> {
    let printed = run("BEGIN; \
        UPDATE segment_id SET max = max + step WHERE biz_type = 'orders'; \
        SELECT max, step FROM segment_id WHERE biz_type = 'orders'; \
        COMMIT");
    let [max, step] = numbers(&printed)[..] else { panic!("{printed}") };
    Some((max - step + 1..=max).collect())
}

/// CosId's with a step of 5, where its seconds are by this expression.
pub(crate) fn cosid(run: Run<'_>, seconds: &str) -> Option<Vec<u64>> {
    let printed = run(&format!(
        "BEGIN; \
         UPDATE cosid SET last_max_id = (last_max_id + 5), last_fetch_time = {seconds} \
         WHERE name = 'orders'; \
         SELECT last_max_id FROM cosid WHERE name = 'orders'; \
         COMMIT"
    ));
    let [max] = numbers(&printed)[..] else { panic!("{printed}") };
    Some((max - 4..=max).collect())
}

/// tinyid's, which looks first, and changes what it saw by a statement that prints whether it did.
pub(crate) fn tinyid(run: Run<'_>, update: Run<'_>) -> Option<Vec<u64>> {
    let printed = run("SELECT id, max_id, step, delta, remainder, version FROM tiny_id_info \
        WHERE biz_type = 'orders'");
    let [id, max, step, delta, remainder, version] = numbers(&printed)[..] else {
        panic!("{printed}")
    };
    let end = max + step;
    let update = update(&format!(
        "UPDATE tiny_id_info SET max_id = {end}, update_time = now(), version = version + 1 \
         WHERE id = {id} AND max_id = {max} AND version = {version} AND biz_type = 'orders'"
    ));
    let is_first = numbers(&run(&update)) == [1];
    is_first.then(|| (max + 1..=end).filter(|number| number % delta == remainder).collect())
}

/// Both together give each number once. In a table, each gets the count that it asked for, and no
/// number is left out. A sequence has whole blocks, and gaps if another process drew in between.
pub(crate) fn stand_beside(owner: &Owner) {
    let database = Server::shared().database();
    database.run(owner.script);
    let url = format!("{}&dialect={}", database.url, owner.dialect);
    let (given, tried) = (Mutex::new(BTreeSet::new()), AtomicU64::new(0));
    let note = |numbers: Vec<u64>| {
        for number in numbers {
            assert!(given.lock().unwrap().insert(number), "{number} was given twice");
        }
    };
    let is_table = !matches!(owner.dialect, Dialect::Sequence | Dialect::SequenceLo);
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                for _ in 0..RANGES {
                    (owner.next)(&|statements| database.run(statements))
                        .into_iter()
                        .for_each(&note);
                    tried.fetch_add(1, Ordering::SeqCst);
                }
            });
            scope.spawn(|| {
                let store = open_store(&url).unwrap();
                for at in 0..RANGES {
                    // Or all of ours were over before a client of the owner's has begun.
                    wait_until("its owner's range", || tried.load(Ordering::SeqCst) >= at);
                    let count = (at % 2 == 1).then_some(3 * at);
                    let range = next(&*store, count);
                    let is_exact = count.is_none_or(|count| range.count() == count);
                    assert!(is_exact || !is_table, "{range:?} for {count:?}");
                    note(range.numbers().collect());
                }
            });
        }
    });
    if !is_table {
        return;
    }
    let given = given.into_inner().unwrap();
    let (first, last) = (given.first().unwrap(), given.last().unwrap());
    let stride = open_store(&url).unwrap().tag(&orders()).unwrap().unwrap().stride;
    assert!(given.iter().all(|number| number % stride == first % stride));
    assert_eq!((last - first) / stride + 1, given.len() as u64);
}

pub(crate) fn next(store: &dyn SegmentStore, count: Option<u64>) -> NumberRange {
    let request = AllocationRequest::new(orders(), count);
    store.allocate(&[request], &long()).unwrap().pop().unwrap().unwrap().range
}

/// A table that is called otherwise, by whose name it is found: dialect, script, what renames it, and
/// its name.
pub(crate) fn name_tables(url: &str, run: Run<'_>, tables: &[(Dialect, &str, &str, &str)]) {
    for (dialect, script, rename, name) in tables {
        run(script);
        run(rename);
        let url = format!("{url}&dialect={dialect}");
        let missing = refused_to_open(&url, Code::StoreMissing);
        assert!(missing.contains("by table="), "{missing}");
        let url = format!("{url}&table={name}");
        examined(&url).refuses(&[]);
        take(&*open_store(&url).unwrap()).unwrap();
        let wrong = open_store(&format!("{url}.x.y")).map(drop);
        refused(wrong, Code::InvalidParameter);
    }
    refused(open_store(&format!("{url}&table=a")).map(drop), Code::InvalidParameter);
    let sequence = format!("{url}&dialect=sequence&table=a");
    refused(open_store(&sequence).map(drop), Code::InvalidParameter);
}

/// Rows that minting refuses, or whose names are no tags, are named by list and doctor.
pub(crate) fn name_no_rows(url: &str, run: Run<'_>, leaf: &str) {
    run(leaf);
    run("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES \
         ('user service', 1, 10), ('', 1, 10), ('bad', 1, 0)");
    let url = format!("{url}&dialect=leaf");
    let store = open_store(&url).unwrap();
    let tags: Vec<_> = store.tags().unwrap().into_iter().map(|row| row.tag).collect();
    assert_eq!(tags, [orders()]);
    let refused = store.refused_rows().unwrap();
    let mut named: Vec<_> = refused.iter().map(|row| (&*row.name, row.error.code())).collect();
    named.sort_unstable_by_key(|(name, _)| *name);
    let (no_tag, schema) = (Code::InvalidTag, Code::StoreSchema);
    assert_eq!(named, [("", no_tag), ("bad", schema), ("user service", no_tag)]);
    examined(&url).refuses_by(schema).says("2 rows are left out, whose names are no tags");
    run("DELETE FROM leaf_alloc WHERE biz_tag = 'bad'");
    examined(&url).refuses(&[]);
}

/// Workers, tables made here, and an operator's word.
pub(crate) fn lack_what_ours_have(url: &str) {
    let told = refused(open(&format!("snowflake+{url}")), Code::InvalidParameter);
    assert!(told.contains("no worker IDs"), "{told}");
    let made = refused(open_store(&format!("{url}&create=true")).map(drop), Code::InvalidParameter);
    let pinned = format!("{url}&key_space=00112233445566778899aabbccddeeff");
    let pinned = refused(open_store(&pinned).map(drop), Code::InvalidParameter);
    assert!(pinned.contains("drop key_space"), "{pinned}");
    assert!(made.contains("owner's script"), "{made}");
    let store = open_store(url).unwrap();
    refused(store.vouch(&Vouch::new(0)), Code::Unsupported);
    let lease = store.acquire(&LeaseRequest::new("realm", "me"), &long());
    refused(lease, Code::InvalidParameter);
    let unknown = url.replace("dialect=", "dialect=un");
    refused(open_store(&unknown).map(drop), Code::InvalidParameter);
}

/// A row that no generator can use is refused, and named; so is one at its end.
pub(crate) fn refuse_rows(
    url: &str,
    run: impl Fn(&str) -> String,
    rows: &[(Dialect, &str, Code, &str)],
) {
    for (dialect, change, code, told) in rows {
        let store = open_store(&format!("{url}&dialect={dialect}")).unwrap();
        run(change);
        let shown = refused(take(&*store), *code);
        assert!(shown.contains(told), "{change}: {shown}");
        // A tag that is not there is no fault of the store's.
        if *code != Code::UnknownTag {
            examined(&format!("{url}&dialect={dialect}")).refuses_by(*code);
        }
    }
}
