//! The native floor: a free function that takes nothing, does nothing and returns a 64-bit integer.

use std::sync::atomic::{AtomicU64, Ordering};

use napi_derive::napi;

static LAST: AtomicU64 = AtomicU64::new(1 << 60);

/// The next number of a counter.
#[napi(ts_return_type = "bigint")]
pub fn floor() -> u64 {
    LAST.fetch_add(1, Ordering::Relaxed)
}
