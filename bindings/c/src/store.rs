//! Stores: opening them, and the holders of worker IDs.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::sync::Arc;

use snowmint::{Store, WorkerRow};

use crate::argument::{Tagged, fixed, given, handle, keep, list, take_back, text};
use crate::failure::{give_waiting, guard_silently, guard_waiting, snowmint_status};

/// A store of worker IDs and numbers. Any number of threads may call any function on one store at
/// once, except `snowmint_store_free`. A store in a file survives a `fork`; a store in memory
/// belongs to the process that made it.
pub struct snowmint_store(Tagged<Arc<dyn Store>>);
handle!(snowmint_store, Arc<dyn Store>, b"snowstor");

/// A worker ID and its holder.
#[repr(C)]
pub struct snowmint_worker {
    /// The realm: the layout's canonical text.
    pub realm: [c_char; 256],
    /// Its present or last holder.
    pub owner: [c_char; 256],
    /// The number of its acquisitions.
    pub epoch: u64,
    /// The first Unix millisecond that is not reserved.
    pub reserved_ms: i64,
    /// The time when the lease ends if it is not renewed, in Unix milliseconds.
    pub expires_ms: i64,
    /// The worker ID.
    pub worker_id: u32,
    /// True if it is held, by the store's clock.
    pub held: bool,
}

/// Opens a store by its URL: `sqlite:ids.db`, `postgres://user@host/database`,
/// `mysql://user@host/database`, `redis://host:6379/0`, `etcd://host:2379`, or
/// `zookeeper://host:2181`. For tests, `memory:NAME` is the store of that name in this process, and
/// `memory:` another one each time.
/// `sqlite:ids.db?create=true` creates the file if it is missing. `store` receives a handle, which
/// you end with `snowmint_store_free`; an error leaves it unchanged.
///
/// Errors: `SNOWMINT_INVALID_URL`, `SNOWMINT_UNKNOWN_SCHEME`, `SNOWMINT_UNKNOWN_PARAMETER`; those of
/// the store: `SNOWMINT_STORE_MISSING` for a file that is not there, `SNOWMINT_STORE_UNAVAILABLE`,
/// `SNOWMINT_STORE_LOCKED`, `SNOWMINT_STORE_READ_ONLY`, `SNOWMINT_STORE_CORRUPT`,
/// `SNOWMINT_STORE_SCHEMA`, `SNOWMINT_STORE_FULL`, `SNOWMINT_UNSAFE_SETTING`,
/// `SNOWMINT_OUTCOME_UNKNOWN`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_store_open(
    url: *const c_char,
    store: Option<&mut MaybeUninit<*mut snowmint_store>>,
) -> snowmint_status {
    give_waiting(store, "store", || {
        // SAFETY: as the header asks.
        let url = unsafe { text(url, "url") }?;
        Ok(keep(snowmint::open_store(url)?))
    })
}

/// Frees the handle, which must not be used any more. NULL is no error. Sources that were opened on
/// the store go on: the store ends with the last of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_store_free(store: *mut snowmint_store) {
    // SAFETY: as the header asks.
    guard_silently(|| drop(unsafe { take_back(store) }));
}

/// Lists worker IDs by realm and number. `count` receives the number of all worker IDs. The first
/// of them, at most `capacity`, are written to `workers`, which may be NULL if `capacity` is 0.
///
/// Errors: those of the store.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_store_workers(
    store: Option<&snowmint_store>,
    workers: *mut snowmint_worker,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> snowmint_status {
    guard_waiting(|| {
        let store = given(store)?;
        // SAFETY: as the header asks.
        unsafe { list(store.workers()?.iter().map(record), workers, capacity, count) }
    })
}

fn record(row: &WorkerRow) -> snowmint_worker {
    snowmint_worker {
        realm: fixed(&row.realm),
        owner: fixed(&row.owner),
        epoch: row.epoch,
        reserved_ms: row.reserved_ms,
        expires_ms: row.expires_ms,
        worker_id: row.worker_id,
        held: row.held,
    }
}

/// Ends the lease of a worker ID, for an operator who knows that its holder is gone. Its reserved
/// time stays reserved. `evicted` receives true if there was such a row; it may be NULL.
///
/// Errors: those of the store.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_store_evict(
    store: Option<&snowmint_store>,
    realm: *const c_char,
    worker_id: u32,
    evicted: Option<&mut MaybeUninit<bool>>,
) -> snowmint_status {
    guard_waiting(|| {
        let store = given(store)?;
        // SAFETY: as the header asks.
        let was_there = store.evict(unsafe { text(realm, "realm") }?, worker_id)?;
        if let Some(evicted) = evicted {
            evicted.write(was_there);
        }
        Ok(())
    })
}
