//! What is done with what a process knows of rows, over a store whose clock is moved by hand.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::time::Duration;

use super::*;

const SECOND_MS: i64 = 1_000;
const REALM: &str = "realm";

/// Rows, and how often one was read.
struct Rows {
    values: RefCell<HashMap<String, String>>,
    now_ms: Cell<i64>,
    reads: Cell<u32>,
    memory: Memory<String>,
}

impl Rows {
    fn with_orders() -> Rows {
        let (values, memory) = (RefCell::default(), Memory::new());
        let rows = Rows { values, now_ms: Cell::new(1_000_000), reads: Cell::new(0), memory };
        create_tag(&rows, &orders(), TagOptions::default().step(10)).unwrap();
        rows
    }

    fn take(&self) -> u64 {
        let request = AllocationRequest::new(orders(), None);
        allocate(self, &[request], &call(1)).pop().unwrap().unwrap().range.start()
    }
}

impl Values for Rows {
    type Value = String;

    fn memory(&self) -> Option<&Memory<String>> {
        Some(&self.memory)
    }

    fn all(&self, table: Table<'_>, _: Deadline) -> Result<Seen<Named<String>>> {
        assert!(matches!(table, Table::Workers(REALM)));
        let found = self.values.borrow();
        let name = |called: &str| called.split(' ').nth(2).map(str::to_owned);
        let of = found.iter().filter(|(called, _)| called.starts_with("worker ID"));
        let what = of.filter_map(|(called, value)| Some((name(called)?, value.clone()))).collect();
        Ok(Seen { what, now_ms: self.now_ms.get() })
    }

    fn one(&self, table: Table<'_>, name: &str, _: Deadline) -> Result<Seen<Option<String>>> {
        self.reads.set(self.reads.get() + 1);
        let what = self.values.borrow().get(&called(table, name)).cloned();
        Ok(Seen { what, now_ms: self.now_ms.get() })
    }

    fn swap(
        &self,
        table: Table<'_>,
        name: &str,
        known: &Seen<Option<String>>,
        new: &str,
        _: Deadline,
    ) -> Result<Swapped<String>> {
        let (called, now_ms) = (called(table, name), self.now_ms.get());
        let mut values = self.values.borrow_mut();
        if values.get(&called) != known.what.as_ref() {
            return Ok(Swapped::Other(Seen { what: values.get(&called).cloned(), now_ms }));
        }
        values.insert(called, new.to_owned());
        Ok(Swapped::Done(Seen { what: new.to_owned(), now_ms }))
    }

    fn realms(&self, _: Deadline) -> Result<Vec<String>> {
        Ok(vec![REALM.to_owned()])
    }
}

fn orders() -> Tag {
    Tag::new("orders").unwrap()
}

fn call(attempt: u8) -> Call {
    Call::new(Duration::from_secs(60), [attempt; 16])
}

#[test]
fn a_row_is_read_until_it_was_left_alone_once() {
    let rows = Rows::with_orders();
    let before = rows.reads.get();
    assert_eq!([(); 4].map(|()| rows.take()), [1, 11, 21, 31]);
    assert_eq!(rows.reads.get() - before, 1);
    let by_another = rows.values.borrow()["tag orders"].replace("41", "51");
    rows.values.borrow_mut().insert("tag orders".to_owned(), by_another);
    assert_eq!([(); 3].map(|()| rows.take()), [51, 61, 71]);
    assert_eq!(rows.reads.get() - before, 2);
}

#[test]
fn what_another_has_used_up_is_read_before_it_is_tried_again() {
    let rows = Rows::with_orders();
    let max = TagChange::default().max(45);
    change_tag(&rows, &orders(), max).unwrap();
    assert_eq!([(); 3].map(|()| rows.take()), [1, 11, 21]);
    let by_another = rows.values.borrow()["tag orders"].replace("31", "46");
    rows.values.borrow_mut().insert("tag orders".to_owned(), by_another);
    let before = rows.reads.get();
    for _ in 0..3 {
        let request = AllocationRequest::new(orders(), None);
        let refused = allocate(&rows, &[request], &call(1)).pop().unwrap().unwrap_err();
        assert_eq!(refused.code(), Code::TagExhausted);
    }
    assert_eq!(rows.reads.get() - before, 2); // of three: the first went by what was known
}

#[test]
fn whoever_is_evicted_is_so_once() {
    let rows = Rows::with_orders();
    let mut lease = acquire(&rows, &LeaseRequest::new(REALM, "one"), &call(1)).unwrap();
    for attempt in 2..5 {
        lease = renew(&rows, &lease, 60_000, &call(attempt)).unwrap();
    }
    rows.now_ms.set(rows.now_ms.get() + 600 * SECOND_MS);
    assert!(evict(&rows, REALM, lease.worker_id).unwrap());
    assert_eq!(workers(&rows).unwrap().first().map(|row| row.epoch), Some(lease.epoch + 1));
}

/// The store's clock goes on by ten minutes while this machine's does not.
#[test]
fn a_lease_has_its_time_by_the_stores_clock() {
    let rows = Rows::with_orders();
    let mut lease = acquire(&rows, &LeaseRequest::new(REALM, "one"), &call(1)).unwrap();
    for attempt in 2..5 {
        lease = renew(&rows, &lease, 60_000, &call(attempt)).unwrap();
    }
    let reads = rows.reads.get();
    rows.now_ms.set(rows.now_ms.get() + 600 * SECOND_MS);
    lease = renew(&rows, &lease, 60_000, &call(5)).unwrap();
    assert_eq!(lease.now_ms, rows.now_ms.get());
    assert_eq!(lease.reserved_ms, rows.now_ms.get() + 60 * SECOND_MS);
    assert_eq!(rows.reads.get(), reads);
}
