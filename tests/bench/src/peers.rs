//! The peers, each in the configuration its documentation recommends for 41/10/12 bits.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::UNIX_EPOCH;

use ferroid::generator::AtomicSnowflakeGenerator;
use ferroid::id::SnowflakeTwitterId;
use ferroid::time::{MonotonicClock, TWITTER_EPOCH, TimeSource};
use idgenerator::{IdGeneratorOptions, IdInstance};
use snowmint::Layout;
use uuid::{Builder, Uuid};

use crate::subjects::NOW_MS;

pub type FerroidAtomic = AtomicSnowflakeGenerator<SnowflakeTwitterId, MonotonicClock<1>>;

/// ferroid's generator for many threads, its clock a thread that ticks.
pub fn ferroid_atomic() -> FerroidAtomic {
    AtomicSnowflakeGenerator::new(7, MonotonicClock::with_epoch(TWITTER_EPOCH))
}

#[inline(always)]
pub fn ferroid_next(generator: &FerroidAtomic) -> u64 {
    generator.next_id(|_| thread::yield_now()).to_raw()
}

/// A time that is given: it goes on when the generator asks to wait, so that nobody waits.
pub struct GivenTime<'a>(pub &'a AtomicU64);

impl TimeSource<u64> for GivenTime<'_> {
    #[inline(always)]
    fn current_millis(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

pub type FerroidGiven<'a> = AtomicSnowflakeGenerator<SnowflakeTwitterId, GivenTime<'a>>;

pub fn given_time() -> AtomicU64 {
    AtomicU64::new((NOW_MS - Layout::TWITTER.epoch_ms()) as u64)
}

pub fn ferroid_given(time: &AtomicU64) -> FerroidGiven<'_> {
    AtomicSnowflakeGenerator::new(7, GivenTime(time))
}

#[inline(always)]
pub fn ferroid_given_next(generator: &FerroidGiven, time: &AtomicU64) -> u64 {
    let id = generator.next_id(|_| {
        time.fetch_add(1, Ordering::Relaxed);
    });
    id.to_raw()
}

pub fn snowflaked() -> snowflaked::sync::Generator {
    snowflaked::sync::Generator::new(7)
}

/// Sets up idgenerator's instance, of which a process has one.
pub fn idgenerator_init() {
    let options = IdGeneratorOptions::new().worker_id(7).worker_id_bit_len(10).seq_bit_len(12);
    IdInstance::init(options).expect("valid options");
}

#[inline(always)]
pub fn idgenerator_next() -> i64 {
    IdInstance::next_id()
}

pub fn rs_snowflake() -> snowflake::SnowflakeIdGenerator {
    snowflake::SnowflakeIdGenerator::new(1, 7)
}

/// `uuid` without `fast-rng` asks the system for the bits of each UUID.
#[inline(always)]
pub fn uuid_v4_of_getrandom() -> Uuid {
    let mut random = [0; 16];
    getrandom::fill(&mut random).expect("random bits");
    Builder::from_random_bytes(random).into_uuid()
}

/// The same of version 7, with less than `uuid` does: it has no counter.
#[inline(always)]
pub fn uuid_v7_of_getrandom() -> Uuid {
    let mut random = [0; 10];
    getrandom::fill(&mut random).expect("random bits");
    let now = UNIX_EPOCH.elapsed().expect("a time after 1970");
    Builder::from_unix_timestamp_millis(now.as_millis() as u64, &random).into_uuid()
}
