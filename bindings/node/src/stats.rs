//! The statistics of sources, for JavaScript.

use napi::bindgen_prelude::BigInt;
use napi_derive::napi;
use snowmint::{Bucket, Failure, Stats, TagNext};

/// The statistics of a source.
#[napi(object, object_from_js = false)]
pub struct StatsFacts {
    /// The kind of source.
    pub kind: String,
    /// True if the source was closed.
    pub is_closed: bool,
    /// The worker ID.
    pub worker_id: Option<u32>,
    /// The time in milliseconds for which this process has had the worker ID.
    pub lease_age_ms: Option<f64>,
    /// The milliseconds that are reserved ahead of the clock.
    pub reserved_ms: Option<f64>,
    /// The milliseconds that the last renewal of a lease reserved.
    pub reserve_ms: Option<u32>,
    /// The milliseconds that are added to the wall clock.
    pub clock_offset_ms: Option<f64>,
    /// The milliseconds by which the last ID's time is ahead of the clock.
    pub borrowed_ms: Option<f64>,
    /// The number of rollbacks that were counted.
    pub rollbacks: f64,
    /// The ranges at hand.
    pub buckets: Vec<BucketFacts>,
    /// The count of numbers in the next range.
    pub step: Option<BigInt>,
    /// The numbers used per second.
    pub rate: Option<f64>,
    /// The milliseconds that the numbers at hand last.
    pub runway_ms: Option<f64>,
    /// The last failure of the store.
    pub last_failure: Option<FailureFacts>,
    /// The tag's next number after the last range that this process reserved.
    pub tag_next: Option<TagNextFacts>,
}

impl From<Stats> for StatsFacts {
    fn from(stats: Stats) -> StatsFacts {
        let signed = |ms: i64| ms as f64;
        let unsigned = |ms: u64| ms as f64;
        StatsFacts {
            kind: stats.kind.to_owned(),
            is_closed: stats.is_closed,
            worker_id: stats.worker_id,
            lease_age_ms: stats.lease_age_ms.map(unsigned),
            reserved_ms: stats.reserved_ms.map(signed),
            reserve_ms: stats.reserve_ms,
            clock_offset_ms: stats.clock_offset_ms.map(signed),
            borrowed_ms: stats.borrowed_ms.map(unsigned),
            rollbacks: unsigned(stats.rollbacks),
            buckets: stats.buckets.into_iter().map(BucketFacts::from).collect(),
            step: stats.step.map(BigInt::from),
            rate: stats.rate,
            runway_ms: stats.runway_ms.map(unsigned),
            last_failure: stats.last_failure.map(FailureFacts::from),
            tag_next: stats.tag_next.map(TagNextFacts::from),
        }
    }
}

/// A range at hand.
#[napi(object, object_from_js = false)]
pub struct BucketFacts {
    /// The count of its numbers that are left.
    pub left: BigInt,
    /// The count of numbers that it had.
    pub size: BigInt,
}

impl From<Bucket> for BucketFacts {
    fn from(bucket: Bucket) -> BucketFacts {
        BucketFacts { left: bucket.left.into(), size: bucket.size.into() }
    }
}

/// A tag with the first number that no range of this process had.
#[napi(object, object_from_js = false)]
pub struct TagNextFacts {
    /// The tag.
    pub tag: String,
    /// The number.
    pub next: BigInt,
}

impl From<TagNext> for TagNextFacts {
    fn from(tag_next: TagNext) -> TagNextFacts {
        TagNextFacts { tag: tag_next.tag.to_string(), next: tag_next.next.into() }
    }
}

/// A failure of a store.
#[napi(object, object_from_js = false)]
pub struct FailureFacts {
    /// The name of its code.
    pub code: String,
    /// The error message.
    pub message: String,
    /// The time of the failure in Unix milliseconds.
    pub unix_ms: f64,
    /// True if the store has answered since.
    pub is_over: bool,
}

impl From<Failure> for FailureFacts {
    fn from(failure: Failure) -> FailureFacts {
        FailureFacts {
            code: failure.code.name().to_owned(),
            message: failure.message,
            unix_ms: failure.unix_ms as f64,
            is_over: failure.is_over,
        }
    }
}
