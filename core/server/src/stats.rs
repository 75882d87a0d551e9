//! The statistics of a source as JSON.

use serde_json::{Value, json};
use snowmint::{Failure, Stats, Timestamp};

/// Returns the statistics as JSON. 64-bit numbers are strings, as IDs are; fields that do not apply
/// are left out.
pub fn object(stats: &Stats) -> Value {
    let buckets = stats
        .buckets
        .iter()
        .map(|bucket| json!({ "left": bucket.left.to_string(), "size": bucket.size.to_string() }));
    let mut object = json!({
        "kind": stats.kind,
        "is_closed": stats.is_closed,
        "worker_id": stats.worker_id,
        "lease_age_ms": stats.lease_age_ms,
        "reserved_ms": stats.reserved_ms,
        "reserve_ms": stats.reserve_ms,
        "clock_offset_ms": stats.clock_offset_ms,
        "borrowed_ms": stats.borrowed_ms,
        "rollbacks": stats.rollbacks,
        "buckets": buckets.collect::<Vec<_>>(),
        "step": stats.step.map(|step| step.to_string()),
        "rate": stats.rate,
        "runway_ms": stats.runway_ms,
        "last_failure": stats.last_failure.as_ref().map(failure),
    });
    if let Some(fields) = object.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    object
}

fn failure(failure: &Failure) -> Value {
    json!({
        "code": failure.code.name(),
        "message": failure.message,
        "time": Timestamp(failure.unix_ms).to_string(),
        "is_over": failure.is_over,
    })
}
