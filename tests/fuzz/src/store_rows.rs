//! Rows of an SQLite file that snowmint would never write: every operation of the store, and every
//! source on it, gives what its contract says or a typed error.

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::types::Value;
use snowmint::{
    Call, Daily, Error, Lease, LeaseRequest, Mint, Result, Segment, SegmentAdmin, SegmentStore,
    Sequences, Snowflake, SqliteStore, Tag, TagChange, TagOptions, WorkerAdmin, WorkerStore,
    allocate_one,
};

use crate::input::Input;

const WORKER: [&str; 8] =
    ["realm", "worker_id", "owner", "epoch", "token", "floor_ms", "reserved_ms", "expires_ms"];
const SEGMENT: [&str; 7] = ["tag", "previous", "next", "step", "stride", "updated_ms", "raises"];
/// The realm of Twitter's layout, as generators name it.
const REALM: &str = "zero:1,time:41,worker:10,sequence:12@1288834974657/1";

/// The first byte says if the tables keep their types and checks. The operations' arguments follow,
/// and then the rows.
pub fn run(data: &[u8]) {
    let mut input = Input(data);
    let is_loose = input.byte() & 1 == 1;
    let mut asked = Input(&input.bytes::<24>());
    let directory = crate::temporary_directory();
    let path = directory.path().join("ids.db");
    std::fs::write(&path, database()).expect("the directory is ours");
    // Opened before they are there: it would be refused with them.
    let store = Arc::new(SqliteStore::open(&path).expect("it is as it was made"));
    put_rows(&path, is_loose, &mut input).expect("SQLite takes any row without its checks");
    lease(&store, &mut asked);
    allocate(&store, &mut asked);
    run_sources(&store);
    if let Err(error) = SqliteStore::open(&path) {
        crate::check_error(&error);
    }
}

/// An empty database of the runtime's.
fn database() -> &'static [u8] {
    static DATABASE: OnceLock<Vec<u8>> = OnceLock::new();
    DATABASE.get_or_init(|| {
        let directory = crate::temporary_directory();
        let path = directory.path().join("ids.db");
        drop(SqliteStore::create(&path).expect("nothing is there yet"));
        std::fs::read(path).expect("it was just made")
    })
}

fn put_rows(path: &Path, is_loose: bool, input: &mut Input<'_>) -> rusqlite::Result<()> {
    let database = Connection::open(path)?;
    database.execute_batch("PRAGMA synchronous = OFF; PRAGMA ignore_check_constraints = ON")?;
    let tables = [("snowmint_worker", &WORKER[..]), ("snowmint_segment", &SEGMENT[..])];
    if is_loose {
        for (table, columns) in tables {
            let columns = columns.join(",");
            // The same columns, and nothing else.
            database
                .execute_batch(&format!("DROP TABLE {table}; CREATE TABLE {table} ({columns})"))?;
        }
    }
    for _ in 0..16 {
        if input.is_empty() {
            break;
        }
        let (table, columns) = tables[usize::from(input.byte() & 1)];
        let values: Vec<Value> = columns.iter().map(|column| value(column, input)).collect();
        let places = vec!["?"; columns.len()].join(",");
        let insert = format!("INSERT OR REPLACE INTO {table} VALUES ({places})");
        // STRICT tables refuse other types; the rest of the rows goes on.
        let _ = database.execute(&insert, rusqlite::params_from_iter(values));
    }
    Ok(())
}

/// Returns a value that is right for a column, or any value.
fn value(column: &str, input: &mut Input<'_>) -> Value {
    match input.byte() % 8 {
        0 => Value::Null,
        1 => Value::Integer(i64::from_le_bytes(input.bytes())),
        2 => Value::Text(input.text()),
        3 => Value::Blob(input.run().to_vec()),
        4 => Value::Real(f64::from_le_bytes(input.bytes())),
        _ => match column {
            "realm" => Value::Text(REALM.to_owned()),
            "owner" => Value::Text("fuzz".to_owned()),
            "tag" => Value::Text("orders".to_owned()),
            "token" => Value::Blob(vec![0; 16]),
            _ => Value::Integer(input.i64()),
        },
    }
}

/// Returns the result, or checks the error and returns `None`.
fn typed<T>(done: Result<T>) -> Option<T> {
    done.inspect_err(|error: &Error| crate::check_error(error)).ok()
}

fn lease(store: &SqliteStore, asked: &mut Input<'_>) {
    for row in typed(store.workers()).into_iter().flatten() {
        assert!(!row.realm.contains('\0') || row.realm != REALM);
    }
    let mut request = LeaseRequest::new(REALM, "fuzz");
    request.max_worker_id = asked.u32();
    request.reserve_ms = asked.u32() >> (asked.byte() % 32);
    request.max_ahead_ms = asked.u32();
    request.avoid = Some(u32::from(asked.byte())).filter(|avoid| avoid % 2 == 0);
    let mut forged = Lease::new(REALM, 0, "fuzz", [0; 16]);
    forged.epoch = asked.i64().cast_unsigned();
    typed(store.renew(&forged, 60_000, &call(2)));
    if let Some(lease) = typed(store.acquire(&request, &call(1))) {
        assert!(lease.worker_id <= request.max_worker_id);
        assert_ne!(Some(lease.worker_id), request.avoid);
        assert!(lease.floor_ms <= lease.reserved_ms, "{lease:?}");
        if let Some(renewed) = typed(store.renew(&lease, request.reserve_ms, &call(3))) {
            assert!(renewed.reserved_ms >= lease.reserved_ms, "{renewed:?} of {lease:?}");
        }
        typed(store.release(&lease, &call(4)));
    }
    typed(store.release(&forged, &call(5)));
    typed(store.evict(REALM, 0));
}

fn call(attempt: u8) -> Call {
    Call::new(Duration::from_secs(60), [attempt; 16])
}

fn allocate(store: &SqliteStore, asked: &mut Input<'_>) {
    let tag = Tag::new("orders").expect("it is a tag");
    typed(store.tags());
    let before = typed(store.tag(&tag)).flatten();
    let mut reached = 0;
    for count in [None, Some(asked.i64().cast_unsigned()), None] {
        if let Some(allocation) = typed(allocate_one(store, &tag, count)) {
            let range = allocation.range;
            assert!(range.start() >= reached, "{range:?} after {reached}");
            reached = range.end();
        }
    }
    if let Some(before) = before {
        assert!(reached == 0 || reached > before.next);
    }
    let (next, step) = (asked.i64().cast_unsigned(), asked.i64().cast_unsigned());
    typed(store.change_tag(&tag, TagChange::default().next(next).step(step)));
    typed(store.create_tag(&tag, TagOptions::default().start(next).step(step).stride(1)));
}

/// The sources read the same rows through their keepers.
fn run_sources(store: &Arc<SqliteStore>) {
    let tag = Tag::new("orders").expect("it is a tag");
    let wait = Duration::from_millis(1);
    if let Some(flake) = typed(Snowflake::builder().lease_from(store.clone()).open()) {
        typed(flake.next_id_within(wait));
        typed(flake.close());
    }
    if let Some(segment) = typed(Segment::builder(store.clone(), tag.clone()).open()) {
        typed(segment.next_id_within(wait));
    }
    if let Some(daily) = typed(Daily::builder(store.clone(), tag.clone()).open()) {
        typed(daily.next_id_within(wait));
    }
    if let Some(sequences) = typed(Sequences::builder(store.clone(), tag).open()) {
        typed(sequences.next_within(7, wait));
    }
}
