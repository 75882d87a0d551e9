//! The statistics of sources, for JavaScript.

use napi::bindgen_prelude::BigInt;
use napi_derive::napi;
use snowmint::{Bucket, Failure, Stats};

/// What a source is doing.
#[napi(object, object_from_js = false)]
pub struct StatsFacts {
    /// The kind of source.
    pub kind: String,
    /// Whether it was closed.
    pub is_closed: bool,
    /// The worker ID.
    pub worker_id: Option<u32>,
    /// How long this process has had it.
    pub lease_age_ms: Option<f64>,
    /// How much time is reserved ahead of the clock.
    pub reserved_ms: Option<f64>,
    /// How much time the last renewal of a lease reserved.
    pub reserve_ms: Option<u32>,
    /// What is added to the wall clock.
    pub clock_offset_ms: Option<f64>,
    /// How far the last ID's time is ahead of the clock.
    pub borrowed_ms: Option<f64>,
    /// How often a rollback was counted.
    pub rollbacks: f64,
    /// The numbers at hand.
    pub buckets: Vec<BucketFacts>,
    /// How many numbers the next range has.
    pub step: Option<BigInt>,
    /// Numbers a second.
    pub rate: Option<f64>,
    /// How long what is at hand lasts.
    pub runway_ms: Option<f64>,
    /// What last went wrong with the store.
    pub last_failure: Option<FailureFacts>,
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
        }
    }
}

/// A range at hand.
#[napi(object, object_from_js = false)]
pub struct BucketFacts {
    /// How many of its numbers are left.
    pub left: BigInt,
    /// How many it had.
    pub size: BigInt,
}

impl From<Bucket> for BucketFacts {
    fn from(bucket: Bucket) -> BucketFacts {
        BucketFacts { left: bucket.left.into(), size: bucket.size.into() }
    }
}

/// Something that went wrong with a store.
#[napi(object, object_from_js = false)]
pub struct FailureFacts {
    /// Its code's name.
    pub code: String,
    /// What it said.
    pub message: String,
    /// When.
    pub unix_ms: f64,
    /// Whether the store has answered since.
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
