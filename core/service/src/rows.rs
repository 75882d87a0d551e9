//! Rows of stores: how they are told in JSON, and a tag's raised above what tables have already.

use serde_json::{Value, json};
use snowmint::{
    Code, Error, RefusedRow, Result, Store, Tag, TagChange, TagRow, Timestamp, WorkerRow, escaped,
};

use crate::print::eprintln;

/// A tag as JSON.
pub(crate) fn tag(row: &TagRow) -> Value {
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

/// Says which row is left out, and why.
pub(crate) fn tell_left_out(RefusedRow { name, error, .. }: &RefusedRow) {
    eprintln!("snowmint: {:?} is left out: {error}", escaped(name));
}

/// A worker ID as JSON.
pub(crate) fn worker(row: &WorkerRow) -> Value {
    json!({
        "realm": row.realm,
        "worker": row.worker_id,
        "held": row.held,
        "owner": row.owner,
        "epoch": row.epoch.to_string(),
        "reserved": Timestamp(row.reserved_ms).to_string(),
        "reserved_ms": row.reserved_ms,
        "expires": Timestamp(row.expires_ms).to_string(),
        "expires_ms": row.expires_ms,
    })
}

/// The row of a tag whose next number is above that one, in its class.
pub(crate) fn raised_above(store: &dyn Store, tag: &Tag, largest: u64) -> Result<TagRow> {
    loop {
        let row = row_of(store, tag)?;
        if row.next > largest {
            return Ok(row);
        }
        let steps = (largest - row.next) / row.stride + 1;
        let next = steps.checked_mul(row.stride).and_then(|it| it.checked_add(row.next));
        match store.change_tag(tag, TagChange::default().next(Some(next.unwrap_or(u64::MAX)))) {
            // Others took a range in between: it is above, or is raised now.
            Err(error) if error.code() == Code::RangeRegressed => {}
            changed => return changed,
        }
    }
}

/// The row of a tag.
///
/// # Errors
/// [`Code::UnknownTag`]; of the store.
pub(crate) fn row_of(store: &dyn Store, tag: &Tag) -> Result<TagRow> {
    let unknown = || {
        let message = format!("there is no tag {tag}: `snowmint segment create` adds it");
        Error::new(Code::UnknownTag, message)
    };
    store.tag(tag)?.ok_or_else(unknown)
}
