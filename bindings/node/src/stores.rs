//! Stores, which reserve worker IDs and numbers.

use std::sync::Arc;

use napi::Env;
use napi::bindgen_prelude::{BigInt, External, i64n};
use napi_derive::napi;
use snowmint::{
    Incarnation, SegmentAdmin, Store, Tag, TagChange, TagOptions, TagRow, Vouch, WorkerAdmin,
    WorkerRow,
};

use crate::errors;
use crate::failure::guarded;
use crate::tasks::{Promised, promise};

/// The part of a store that leases worker IDs.
pub(crate) type Workers = Arc<dyn WorkerAdmin>;
/// The part of a store that reserves numbers.
pub(crate) type Segments = Arc<dyn SegmentAdmin>;

/// JavaScript's reference to a store, until JavaScript closes the store. Sources that were opened
/// on the store hold references, too.
pub struct Closable<S>(Option<S>);

impl<S: Clone> Closable<S> {
    pub(crate) fn new(store: S) -> Closable<S> {
        Closable(Some(store))
    }

    pub(crate) fn get(&self) -> snowmint::Result<S> {
        self.0.clone().ok_or_else(errors::store_closed)
    }
}

/// An opened store, as both of its parts.
#[napi(object, object_from_js = false)]
pub struct OpenedStore {
    /// The part that leases worker IDs.
    #[napi(ts_type = "object")]
    pub workers: External<Closable<Workers>>,
    /// The part that reserves numbers.
    #[napi(ts_type = "object")]
    pub segments: External<Closable<Segments>>,
}

/// A store, and the memory that it takes in bytes.
type Weighed = (Arc<dyn Store>, usize);

fn weighed(url: &str) -> snowmint::Result<Weighed> {
    Ok((snowmint::open_store(url)?, bytes_of(url)))
}

/// Returns the bytes that a store takes, for the garbage collector, which sees only a handle.
pub(crate) fn bytes_of(url: &str) -> usize {
    // Measured for an SQLite connection with its schema, statements and the pages it has read.
    const SQLITE: usize = 256 * 1024;
    if url.contains("sqlite:") { SQLITE } else { 0 }
}

fn shown((store, bytes): Weighed) -> OpenedStore {
    let workers = Closable::new(Arc::clone(&store) as Workers);
    let segments = Closable::new(store as Segments);
    let workers = External::new_with_size_hint(workers, bytes);
    OpenedStore { workers, segments: External::new(segments) }
}

/// Opens a store.
#[napi]
pub fn open_store(url: String) -> Promised<Weighed, OpenedStore> {
    promise(shown, move || weighed(&url))
}

/// Opens a store on this thread.
#[napi]
pub fn open_store_now(env: Env, url: String) -> napi::Result<OpenedStore> {
    guarded(env, || weighed(&url).map(shown))
}

/// Gives up JavaScript's reference to a store. The store closes with the last source opened on it.
#[napi]
pub fn close_store(
    workers: &mut External<Closable<Workers>>,
    segments: &mut External<Closable<Segments>>,
) {
    // Dropping the last reference closes the file or connection.
    drop((workers.0.take(), segments.0.take()));
}

/// A row of the segment table.
#[napi(object, object_from_js = false)]
pub struct TagFacts {
    /// The tag.
    pub tag: String,
    /// The first number that is not yet reserved.
    pub next: BigInt,
    /// The count of numbers in a range.
    pub step: BigInt,
    /// The distance between two numbers.
    pub stride: BigInt,
    /// The largest number that may be given.
    pub max: BigInt,
    /// The time of the row's last change in Unix milliseconds.
    pub updated_ms: i64n,
}

impl From<TagRow> for TagFacts {
    fn from(row: TagRow) -> TagFacts {
        TagFacts {
            tag: row.tag.to_string(),
            next: row.next.into(),
            step: row.step.into(),
            stride: row.stride.into(),
            max: row.max.into(),
            updated_ms: i64n(row.updated_ms),
        }
    }
}

/// Adds a tag. Returns true if it was added. With `may_be_there`, an existing tag stays as it is.
#[napi]
pub fn create_tag(
    store: &External<Closable<Segments>>,
    tag: String,
    start: Option<BigInt>,
    step: Option<BigInt>,
    stride: Option<BigInt>,
    max: Option<BigInt>,
    may_be_there: bool,
) -> Promised<bool, bool> {
    let store = store.get();
    let usual = TagOptions::default();
    let or = |given: Option<BigInt>, usual| given.map_or(usual, |given| given.get_u64().1);
    let options = usual
        .start(or(start, usual.start))
        .step(or(step, usual.step))
        .stride(or(stride, usual.stride))
        .max(or(max, usual.max));
    promise(
        |added| added,
        move || {
            let (store, tag) = (store?, Tag::of_row(&tag)?);
            match may_be_there {
                true => store.ensure_tag(&tag, options),
                false => store.create_tag(&tag, options).map(|()| true),
            }
        },
    )
}

/// Changes a tag.
#[napi]
pub fn change_tag(
    store: &External<Closable<Segments>>,
    tag: String,
    next: Option<BigInt>,
    step: Option<BigInt>,
    max: Option<BigInt>,
) -> Promised<TagRow, TagFacts> {
    let store = store.get();
    let [next, step, max] = [next, step, max].map(|it| it.map(|given| given.get_u64().1));
    let change = TagChange::default().next(next).step(step).max(max);
    promise(TagFacts::from, move || store?.change_tag(&Tag::of_row(&tag)?, change))
}

/// Confirms a server that took another server's place, so that it goes on.
#[napi]
pub fn vouch(
    store: &External<Closable<Segments>>,
    server: String,
    raise_by_steps: BigInt,
    new_from: Option<BigInt>,
) -> Promised<Vec<TagRow>, Vec<TagFacts>> {
    let store = store.get();
    let show = |rows: Vec<TagRow>| rows.into_iter().map(TagFacts::from).collect();
    let new_from = new_from.map(|from| from.get_u64().1);
    let vouch = Vouch::new(raise_by_steps.get_u64().1).server(Incarnation::from(server));
    promise(show, move || store?.vouch(&vouch.new_from(new_from)))
}

/// Returns one tag, or every tag.
#[napi]
pub fn tags(
    store: &External<Closable<Segments>>,
    tag: Option<String>,
) -> Promised<Vec<TagRow>, Vec<TagFacts>> {
    let store = store.get();
    let show = |rows: Vec<TagRow>| rows.into_iter().map(TagFacts::from).collect();
    promise(show, move || match tag {
        Some(tag) => Ok(store?.tag(&Tag::of_row(&tag)?)?.into_iter().collect()),
        None => store?.tags(),
    })
}

/// A row of the worker table.
#[napi(object, object_from_js = false)]
pub struct WorkerFacts {
    /// The realm.
    pub realm: String,
    /// The worker ID.
    pub worker_id: u32,
    /// The current or last holder.
    pub owner: String,
    /// The number of times that the worker ID was acquired.
    pub epoch: BigInt,
    /// The first Unix millisecond that is not reserved.
    pub reserved_ms: i64n,
    /// The end of the lease in Unix milliseconds.
    pub expires_ms: i64n,
    /// True if the worker ID is held.
    pub held: bool,
}

impl From<WorkerRow> for WorkerFacts {
    fn from(row: WorkerRow) -> WorkerFacts {
        WorkerFacts {
            realm: row.realm,
            worker_id: row.worker_id,
            owner: row.owner,
            epoch: row.epoch.into(),
            reserved_ms: i64n(row.reserved_ms),
            expires_ms: i64n(row.expires_ms),
            held: row.held,
        }
    }
}

/// Returns every worker ID.
#[napi]
pub fn workers(store: &External<Closable<Workers>>) -> Promised<Vec<WorkerRow>, Vec<WorkerFacts>> {
    let store = store.get();
    let show = |rows: Vec<WorkerRow>| rows.into_iter().map(WorkerFacts::from).collect();
    promise(show, move || store?.workers())
}

/// Ends the lease of a worker ID.
#[napi]
pub fn evict(
    store: &External<Closable<Workers>>,
    realm: String,
    worker_id: u32,
) -> Promised<bool, bool> {
    let store = store.get();
    promise(|evicted| evicted, move || store?.evict(&realm, worker_id))
}
