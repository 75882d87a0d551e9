//! Tests of remembered values, with a store whose clock is moved by hand.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::time::Duration;

use snowmint_engine::Code;

use super::*;
use crate::error::Error;

const SECOND_MS: i64 = 1_000;
const REALM: &str = "realm";

/// The rows, and a count of reads.
struct Rows {
    values: RefCell<HashMap<String, String>>,
    now_ms: Cell<i64>,
    reads: Cell<u32>,
    memory: Memory<String>,
    space: Space,
    /// The failures of the next changes, the last one first.
    failures: RefCell<Vec<Failure>>,
}

/// A change that gets no answer.
#[derive(Clone, Copy)]
enum Failure {
    /// The change was made or was not, and another process's value is there by then.
    Unknown { another: &'static str },
    /// Nothing was changed.
    Away,
}

impl Rows {
    fn with_orders() -> Rows {
        let rows = Rows {
            values: RefCell::default(),
            now_ms: Cell::new(1_000_000),
            reads: Cell::new(0),
            memory: Memory::new(),
            space: Space::new(None),
            failures: RefCell::default(),
        };
        let mark = Space::mark(&KeySpace::begun().unwrap()).unwrap();
        rows.space.note(Some(&mark)).unwrap();
        create_tag(&rows, &orders(), TagOptions::default().step(10)).unwrap();
        rows
    }

    fn take(&self) -> u64 {
        self.tried().unwrap().range.start()
    }

    fn tried(&self) -> Result<Allocation> {
        let request = AllocationRequest::new(orders(), None);
        allocate(self, &[request], &call(1)).pop().unwrap()
    }

    /// Lets another process write a part of a value.
    fn written(&self, before: &str, after: &str) {
        let mut values = self.values.borrow_mut();
        let value = values.get_mut("tag orders").unwrap();
        *value = value.replace(before, after);
    }
}

impl Values for Rows {
    type Value = String;

    fn space(&self) -> &Space {
        &self.space
    }

    fn swap_mark(&self, new: &str, _: Deadline) -> Result<()> {
        self.space.note(Some(new))
    }

    fn memory(&self) -> Option<&Memory<String>> {
        Some(&self.memory)
    }

    fn members(&self) -> u32 {
        3
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
        match self.failures.borrow_mut().pop() {
            None => {}
            Some(Failure::Unknown { another }) => {
                self.written("\"next\":31", another);
                return Err(Error::new(Code::OutcomeUnknown, "a member is silent"));
            }
            Some(Failure::Away) => {
                return Err(Error::new(Code::StoreUnavailable, "nothing was reserved"));
            }
        }
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
    rows.written("41", "51");
    assert_eq!([(); 3].map(|()| rows.take()), [51, 61, 71]);
    assert_eq!(rows.reads.get() - before, 2);
}

#[test]
fn a_tag_that_another_used_up_is_read_before_the_next_try() {
    let rows = Rows::with_orders();
    let max = TagChange::default().max(45);
    change_tag(&rows, &orders(), max).unwrap();
    assert_eq!([(); 3].map(|()| rows.take()), [1, 11, 21]);
    rows.written("31", "46");
    let before = rows.reads.get();
    for _ in 0..3 {
        assert_eq!(rows.tried().unwrap_err().code(), Code::TagExhausted);
    }
    assert_eq!(rows.reads.get() - before, 2); // of three: the first used the remembered value
}

/// A change that may have been made returns only that error, whatever happens afterwards.
#[test]
fn a_change_that_may_have_been_made_stays_unknown() {
    let unknown = |next| Failure::Unknown { another: next };
    for (failures, expected) in [
        // Another member makes the change, from the value that is there by then.
        (vec![unknown("\"next\":31")], Ok(31)),
        (vec![unknown("\"next\":41")], Ok(41)),
        // By then, no number or no member is left.
        (vec![unknown("\"next\":96")], Err(Code::OutcomeUnknown)),
        (vec![Failure::Away, unknown("\"next\":31")], Err(Code::OutcomeUnknown)),
        (vec![Failure::Away], Err(Code::StoreUnavailable)),
    ] {
        let rows = Rows::with_orders();
        change_tag(&rows, &orders(), TagChange::default().max(95)).unwrap();
        assert_eq!([(); 3].map(|()| rows.take()), [1, 11, 21]);
        rows.failures.replace(failures);
        let done = rows.tried().map(|allocation| allocation.range.start());
        assert_eq!(done.map_err(|why| why.code()), expected);
        assert!(rows.failures.borrow().is_empty());
    }
}

#[test]
fn an_eviction_raises_the_epoch_once() {
    let rows = Rows::with_orders();
    let mut lease = acquire(&rows, &LeaseRequest::new(REALM, "one"), &call(1)).unwrap();
    for attempt in 2..5 {
        lease = renew(&rows, &lease, 60_000, &call(attempt)).unwrap();
    }
    rows.now_ms.set(rows.now_ms.get() + 600 * SECOND_MS);
    assert!(evict(&rows, REALM, lease.worker_id).unwrap());
    assert_eq!(workers(&rows).unwrap().first().map(|row| row.epoch), Some(lease.epoch + 1));
}

/// Each session has its own estimate of the store's time.
#[test]
fn a_released_or_evicted_worker_id_is_held_by_no_clock() {
    for is_taken_away in [false, true] {
        let rows = Rows::with_orders();
        let held = || workers(&rows).unwrap().iter().filter(|row| row.held).count();
        let lease = acquire(&rows, &LeaseRequest::new(REALM, "one"), &call(1)).unwrap();
        assert_eq!(held(), 1);
        if is_taken_away {
            assert!(evict(&rows, REALM, lease.worker_id).unwrap());
        } else {
            release(&rows, &lease, &call(2)).unwrap();
        }
        rows.now_ms.set(rows.now_ms.get() - 1);
        assert_eq!(held(), 0);
    }
}

/// The store's clock jumps ten minutes ahead, and this machine's does not.
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
