//! Opens sources by URL or by options, each as a promise or on the calling thread.

use std::time::Duration;

use napi::Env;
use napi::bindgen_prelude::{BigInt, External};
use napi_derive::napi;
use snowmint::{
    ClockPolicy, Daily, DailyBuilder, Layout, LazySource, Mint as _, Prefetch, Segment,
    SegmentBuilder, Sequences, SequencesBuilder, Snowflake, SnowflakeBuilder, Source, StepSize,
    Tag, UuidSource, UuidVersion, WorkerId, names,
};

use crate::failure::guarded;
use crate::machines::PolicyParts;
use crate::sources::{Opened, opened, put};
use crate::stats::StatsFacts;
use crate::stores::{Closable, Segments, Workers};
use crate::tasks::{Promised, promise};

type Opening = Promised<Source, Opened>;

/// Opens any source.
#[napi]
pub fn open(url: String) -> Opening {
    promise(opened, move || snowmint::open(&url))
}

/// Opens a source of a kind, and refuses URLs of other kinds.
#[napi]
pub fn open_as(kind: String, url: String) -> Opening {
    promise(opened, move || snowmint::open_as(&kind, &url))
}

/// Returns any source, to be opened at its first use.
#[napi]
pub fn lazy(env: Env, url: String) -> napi::Result<Opened> {
    guarded(env, || snowmint::lazy(&url).map(put))
}

/// Returns a source of a kind, to be opened at its first use, and refuses URLs of other kinds.
#[napi]
pub fn lazy_as(env: Env, kind: String, url: String) -> napi::Result<Opened> {
    guarded(env, || snowmint::lazy_as(&kind, &url).map(put))
}

/// Opens any source on this thread.
#[napi]
pub fn open_now(env: Env, url: String) -> napi::Result<Opened> {
    guarded(env, || snowmint::open(&url).map(opened))
}

/// Returns the URL that is opened if the caller names none.
#[napi]
pub fn default_url(env: Env) -> napi::Result<String> {
    guarded(env, snowmint::default_url)
}

/// Returns the file that the default URL leases worker IDs from.
#[napi]
pub fn default_database(env: Env) -> napi::Result<String> {
    guarded(env, snowmint::default_database)
}

/// Makes the sources of all threads start over, after the process was restored or cloned.
#[napi]
pub fn on_restore() {
    snowmint::on_restore();
}

/// The options of a generator.
#[napi(object, object_to_js = false)]
pub struct SnowflakeOptions {
    /// The clock policy.
    pub policy: Option<PolicyParts>,
    /// The value in milliseconds that replaces the policy's.
    pub max_ahead_ms: Option<u32>,
    /// The rule for where a tick's sequence begins.
    pub start: Option<String>,
    /// The time in milliseconds that each renewal reserves.
    pub reserve_ms: Option<u32>,
    /// The longest wait of a call in milliseconds.
    pub wait_ms: Option<f64>,
    /// The directory for the state file of a fixed worker ID.
    pub state_directory: Option<String>,
}

fn milliseconds(number: f64) -> Duration {
    Duration::from_millis(number as u64)
}

impl SnowflakeOptions {
    fn builder(self, layout: &Layout) -> snowmint::Result<SnowflakeBuilder> {
        let mut policy = match self.policy {
            Some(parts) => parts.policy()?,
            None => ClockPolicy::SNOWMINT,
        };
        policy.max_ahead_ms = self.max_ahead_ms.unwrap_or(policy.max_ahead_ms);
        let mut builder = Snowflake::builder().layout(*layout).policy(policy);
        if let Some(start) = self.start {
            builder = builder.sequence_start(names::sequence_start(&start)?);
        }
        if let Some(directory) = self.state_directory {
            builder = builder.state_directory(directory);
        }
        builder = self.reserve_ms.into_iter().fold(builder, SnowflakeBuilder::reserve_ms);
        Ok(self.wait_ms.map(milliseconds).into_iter().fold(builder, SnowflakeBuilder::wait))
    }
}

fn fixed(
    layout: &Layout,
    worker: &str,
    options: SnowflakeOptions,
) -> snowmint::Result<SnowflakeBuilder> {
    Ok(options.builder(layout)?.worker_id(worker.parse::<WorkerId>()?))
}

/// Opens a generator with a fixed worker ID.
#[napi]
pub fn open_fixed(
    env: Env,
    layout: &External<Layout>,
    worker: String,
    options: SnowflakeOptions,
) -> napi::Result<Opening> {
    let builder = guarded(env, || fixed(layout, &worker, options))?;
    Ok(promise(opened, move || builder.open().map(Source::Snowflake)))
}

/// Opens the same on this thread.
#[napi]
pub fn open_fixed_now(
    env: Env,
    layout: &External<Layout>,
    worker: String,
    options: SnowflakeOptions,
) -> napi::Result<Opened> {
    guarded(env, || Ok(opened(Source::Snowflake(fixed(layout, &worker, options)?.open()?))))
}

fn leased(
    layout: &Layout,
    store: &Closable<Workers>,
    options: SnowflakeOptions,
) -> snowmint::Result<SnowflakeBuilder> {
    Ok(options.builder(layout)?.lease_from(store.get()?))
}

/// Opens a generator with a leased worker ID.
#[napi]
pub fn open_leased(
    env: Env,
    layout: &External<Layout>,
    store: &External<Closable<Workers>>,
    options: SnowflakeOptions,
) -> napi::Result<Opening> {
    let builder = guarded(env, || leased(layout, store, options))?;
    Ok(promise(opened, move || builder.open().map(Source::Snowflake)))
}

/// Opens the same on this thread.
#[napi]
pub fn open_leased_now(
    env: Env,
    layout: &External<Layout>,
    store: &External<Closable<Workers>>,
    options: SnowflakeOptions,
) -> napi::Result<Opened> {
    guarded(env, || Ok(opened(Source::Snowflake(leased(layout, store, options)?.open()?))))
}

/// The options for fetching a tag's numbers.
#[napi(object, object_to_js = false)]
pub struct SegmentOptions {
    /// The count of numbers in a range.
    pub step: Option<BigInt>,
    /// The milliseconds that the numbers at hand should last, in place of a step.
    pub runway_ms: Option<f64>,
    /// The percentage of a range that is used when the next range is fetched.
    pub prefetch: Option<u8>,
    /// The longest wait of a call in milliseconds.
    pub wait_ms: Option<f64>,
    /// The time zone, for daily numbers.
    pub zone: Option<String>,
    /// The number of digits after the date, for daily numbers.
    pub digits: Option<u32>,
    /// The number of keys that share a maximum, for sequences.
    pub keys_per_section: Option<BigInt>,
}

fn bucket(used_percent: u8) -> Prefetch {
    Prefetch::DoubleBucket { used_percent }
}

fn wide(number: &BigInt) -> u64 {
    number.get_u64().1
}

fn segment(
    store: &Closable<Segments>,
    tag: &str,
    options: &SegmentOptions,
) -> snowmint::Result<SegmentBuilder> {
    let mut builder = Segment::builder(store.get()?, Tag::of_row(tag)?);
    if let Some(step) = &options.step {
        builder = builder.step(StepSize::fixed(wide(step))?);
    }
    builder = options.runway_ms.map(milliseconds).into_iter().fold(builder, SegmentBuilder::runway);
    builder = options.prefetch.map(bucket).into_iter().fold(builder, SegmentBuilder::prefetch);
    Ok(options.wait_ms.map(milliseconds).into_iter().fold(builder, SegmentBuilder::wait))
}

/// Opens a segment.
#[napi]
pub fn open_segment(
    env: Env,
    store: &External<Closable<Segments>>,
    tag: String,
    options: SegmentOptions,
) -> napi::Result<Opening> {
    let builder = guarded(env, || segment(store, &tag, &options))?;
    Ok(promise(opened, move || builder.open().map(Source::Segment)))
}

/// Opens the same on this thread.
#[napi]
pub fn open_segment_now(
    env: Env,
    store: &External<Closable<Segments>>,
    tag: String,
    options: SegmentOptions,
) -> napi::Result<Opened> {
    guarded(env, || Ok(opened(Source::Segment(segment(store, &tag, &options)?.open()?))))
}

fn daily(
    store: &Closable<Segments>,
    tag: &str,
    options: &SegmentOptions,
) -> snowmint::Result<DailyBuilder> {
    let mut builder = Daily::builder(store.get()?, Tag::of_row(tag)?);
    if let Some(zone) = &options.zone {
        builder = builder.zone(zone);
    }
    builder = options.digits.into_iter().fold(builder, DailyBuilder::digits);
    builder = options.step.as_ref().map(wide).into_iter().fold(builder, DailyBuilder::step);
    builder = options.prefetch.map(bucket).into_iter().fold(builder, DailyBuilder::prefetch);
    Ok(options.wait_ms.map(milliseconds).into_iter().fold(builder, DailyBuilder::wait))
}

/// Opens daily numbers.
#[napi]
pub fn open_daily(
    env: Env,
    store: &External<Closable<Segments>>,
    tag: String,
    options: SegmentOptions,
) -> napi::Result<Opening> {
    let builder = guarded(env, || daily(store, &tag, &options))?;
    Ok(promise(opened, move || builder.open().map(Source::Daily)))
}

/// Opens the same on this thread.
#[napi]
pub fn open_daily_now(
    env: Env,
    store: &External<Closable<Segments>>,
    tag: String,
    options: SegmentOptions,
) -> napi::Result<Opened> {
    guarded(env, || Ok(opened(Source::Daily(daily(store, &tag, &options)?.open()?))))
}

/// Opens a source of UUIDs of version 4, or else of version 7.
#[napi]
pub fn open_uuids(version: u32) -> Opened {
    let version = if version == 4 { UuidVersion::V4 } else { UuidVersion::V7 };
    opened(Source::Uuid(UuidSource::new(version)))
}

/// Opened sequences.
#[napi(object, object_from_js = false)]
pub struct OpenedSequences {
    /// The sequences.
    #[napi(ts_type = "object")]
    pub sequences: External<LazySource>,
}

/// Opens sequences.
#[napi]
pub fn open_sequences(
    env: Env,
    store: &External<Closable<Segments>>,
    tag: String,
    options: SegmentOptions,
) -> napi::Result<Promised<Sequences, OpenedSequences>> {
    let builder = guarded(env, || {
        let builder = Sequences::builder(store.get()?, Tag::of_row(&tag)?);
        let keys = options.keys_per_section.as_ref().map(wide);
        let builder = keys.into_iter().fold(builder, SequencesBuilder::keys_per_section);
        Ok(options.step.as_ref().map(wide).into_iter().fold(builder, SequencesBuilder::step))
    })?;
    Ok(promise(shown, move || builder.open()))
}

fn shown(sequences: Sequences) -> OpenedSequences {
    OpenedSequences { sequences: External::new(Source::Sequences(sequences).into()) }
}

/// Returns the next number of a key, or fails if none is ready.
#[napi(ts_return_type = "bigint")]
pub fn sequences_next_now(
    env: Env,
    sequences: &External<LazySource>,
    key: BigInt,
) -> napi::Result<u64> {
    guarded(env, || sequences.next_of_within(wide(&key), Duration::ZERO))
}

/// Returns the next number of a key, waiting if needed.
#[napi]
pub fn sequences_next_later(
    sequences: &External<LazySource>,
    key: BigInt,
    wait_ms: f64,
) -> Promised<u64, BigInt> {
    let (sequences, key) = (LazySource::clone(sequences), wide(&key));
    promise(BigInt::from, move || sequences.next_of_within(key, milliseconds(wait_ms)))
}

/// Opens sequences if they are not open, waiting up to so many milliseconds.
#[napi]
pub fn sequences_open_late(sequences: &External<LazySource>, wait_ms: f64) -> Promised<(), ()> {
    let sequences = sequences.with_wait(milliseconds(wait_ms));
    promise(|()| (), move || sequences.get().map(drop))
}

/// Returns the statistics of sequences.
#[napi]
pub fn sequences_stats(sequences: &External<LazySource>) -> StatsFacts {
    sequences.stats().into()
}

/// Stops minting.
#[napi]
pub fn sequences_close(env: Env, sequences: &External<LazySource>) -> napi::Result<()> {
    guarded(env, || sequences.close())
}
