//! Rows of stores: their JSON, and raising a tag above given numbers.

use serde_json::{Value, json};
use snowmint::{Code, Result, Store, Tag, TagChange, TagRow, Timestamp, WorkerRow};

use super::errors;

/// Returns a tag's row as JSON, 64-bit numbers as strings.
pub fn tag(row: &TagRow) -> Value {
    json!({
        "tag": row.tag.as_str(),
        "next": row.next.to_string(),
        "step": row.step,
        "stride": row.stride,
        "max": row.max.to_string(),
        "updated": Timestamp(row.updated_ms).to_string(),
        "updated_ms": row.updated_ms,
        "moved_to": row.moved_to,
    })
}

/// Returns a worker ID's row as JSON, 64-bit numbers as strings.
pub fn worker(row: &WorkerRow) -> Value {
    json!({
        "realm": row.realm,
        "worker_id": row.worker_id,
        "held": row.held,
        "owner": row.owner,
        "epoch": row.epoch.to_string(),
        "reserved": Timestamp(row.reserved_ms).to_string(),
        "reserved_ms": row.reserved_ms,
        "expires": Timestamp(row.expires_ms).to_string(),
        "expires_ms": row.expires_ms,
    })
}

/// Raises a tag until its next number is above `largest`, with the same remainder by its stride.
/// Returns its row.
///
/// # Errors
/// [`Code::UnknownTag`]; the store's errors.
pub fn raised_above(store: &dyn Store, tag: &Tag, largest: u64) -> Result<TagRow> {
    loop {
        let row = row_of(store, tag)?;
        if row.next > largest {
            return Ok(row);
        }
        let steps = (largest - row.next) / row.stride + 1;
        let next = steps.checked_mul(row.stride).and_then(|it| it.checked_add(row.next));
        match store.change_tag(tag, TagChange::default().next(Some(next.unwrap_or(u64::MAX)))) {
            // Another client took a range meanwhile, so check again.
            Err(error) if error.code() == Code::RangeRegressed => {}
            changed => return changed,
        }
    }
}

/// Returns the row of a tag.
///
/// # Errors
/// [`Code::UnknownTag`]; the store's errors.
pub fn row_of(store: &dyn Store, tag: &Tag) -> Result<TagRow> {
    store.tag(tag)?.ok_or_else(|| errors::stores::tag_not_created(tag))
}
