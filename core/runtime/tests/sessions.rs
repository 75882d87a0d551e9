//! Stores on transactions that the caller of the library runs: here in an SQLite database.
#![cfg(feature = "sessions")]
#![allow(clippy::unwrap_used)] // helpers of tests are tests

use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, ToSql, params_from_iter};
use snowmint::sessions::{
    Database, Ended, Failed, Row, Session, SessionStore, Sessions, Terms, Value,
};
use snowmint::{Call, Code, LeaseRequest, Result, WorkerAdmin, WorkerRow, WorkerStore};

/// Another process's renewal, which comes while a call changes the row that it has read.
const RENEWED: &str = "UPDATE snowmint_worker SET token = x'000102030405060708090a0b0c0d0e0f', \
                       reserved_ms = reserved_ms + 60000, expires_ms = expires_ms + 60000";

struct Transactions<'a> {
    connection: &'a Mutex<Connection>,
    /// Statements that others run before the next change of a worker ID's row.
    others: &'a Mutex<Vec<&'static str>>,
}

struct Transaction<'a> {
    connection: &'a Connection,
    others: &'a Mutex<Vec<&'static str>>,
}

impl Sessions for Transactions<'_> {
    fn transact(&self, work: &mut dyn FnMut(&mut dyn Session) -> Ended) -> Result<()> {
        let connection = self.connection.lock().unwrap();
        connection.execute_batch("BEGIN IMMEDIATE").unwrap();
        let ended = work(&mut Transaction { connection: &connection, others: self.others });
        assert_ne!(ended, Ended::Failed);
        let end = if ended == Ended::Commit { "COMMIT" } else { "ROLLBACK" };
        connection.execute_batch(end).unwrap();
        Ok(())
    }
}

impl Session for Transaction<'_> {
    fn database(&self) -> Database {
        Database::Sqlite
    }

    fn rows(&mut self, statement: &str, values: &[Value]) -> Result<Vec<Row>, Failed> {
        let mut prepared = self.connection.prepare(statement).unwrap();
        let count = prepared.column_count();
        let mut rows = prepared.query(params_from_iter(values.iter().map(bound))).unwrap();
        let mut found = Vec::new();
        while let Some(row) = rows.next().unwrap() {
            found.push((0..count).map(|at| shown(row.get_ref(at).unwrap())).collect());
        }
        Ok(found)
    }

    fn change(&mut self, statement: &str, values: &[Value]) -> Result<u64, Failed> {
        if statement.contains("UPDATE snowmint_worker") {
            for other in self.others.lock().unwrap().drain(..) {
                self.connection.execute(other, ()).unwrap();
            }
        }
        let values = params_from_iter(values.iter().map(bound));
        Ok(self.connection.execute(statement, values).unwrap() as u64)
    }

    fn at_end(&mut self, _: &str) -> Result<(), Failed> {
        Ok(())
    }

    fn without_tables(&mut self) -> Failed {
        Failed
    }
}

fn bound(value: &Value) -> Box<dyn ToSql> {
    match value.clone() {
        Value::Null => Box::new(rusqlite::types::Null),
        Value::Text(text) => Box::new(text),
        Value::Number(number) => Box::new(number),
        Value::Bytes(bytes) => Box::new(bytes),
    }
}

fn shown(value: ValueRef<'_>) -> Option<String> {
    match value {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Text(text) => Some(String::from_utf8(text.to_owned()).unwrap()),
        other => panic!("{other:?}"),
    }
}

fn call(attempt: u8) -> Call {
    Call::new(Duration::from_secs(60), [attempt; 16])
}

/// Returns what a call that changes the row of an expired lease does with this row, which another
/// process renews after the call has read it; and the row afterwards.
fn renewed_meanwhile<T>(
    work: impl FnOnce(&dyn WorkerAdmin, &snowmint::Lease) -> T,
) -> (T, WorkerRow) {
    let connection = Mutex::new(Connection::open_in_memory().unwrap());
    let others = Mutex::default();
    let sessions = Transactions { connection: &connection, others: &others };
    let store = SessionStore::new(sessions, Terms::new(None, None, false, 5_000).unwrap());
    store.create_tables().unwrap();
    let mut request = LeaseRequest::new("realm", "first");
    request.reserve_ms = 1;
    let lease = store.acquire(&request, &call(1)).unwrap();
    thread::sleep(Duration::from_millis(3));
    others.lock().unwrap().push(RENEWED);
    let done = work(&store, &lease);
    assert!(others.lock().unwrap().is_empty(), "the call has changed the row");
    (done, store.workers().unwrap().remove(0))
}

#[test]
fn l1_a_worker_id_is_not_taken_from_a_holder_that_renews_it_meanwhile() {
    let request = LeaseRequest::new("realm", "second");
    let (taken, row) = renewed_meanwhile(|store, _| store.acquire(&request, &call(2)));
    assert_eq!(taken.unwrap_err().code(), Code::WorkersExhausted);
    assert_eq!((&*row.owner, row.epoch, row.held), ("first", 1, true));
}

#[test]
fn a_lease_that_is_renewed_meanwhile_is_not_released() {
    let (released, row) = renewed_meanwhile(|store, lease| store.release(lease, &call(2)));
    released.unwrap();
    assert!(row.held);
}

#[test]
fn a_lease_that_is_renewed_meanwhile_is_evicted() {
    let (evicted, row) = renewed_meanwhile(|store, lease| store.evict("realm", lease.worker_id));
    assert!(evicted.unwrap());
    assert_eq!((row.epoch, row.held), (2, false));
}
