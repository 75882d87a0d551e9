//! UUIDs of versions 4 and 7, from random bits that no copy of the process has.

use std::sync::atomic::{AtomicU64, Ordering};

use uuid::{Builder, Uuid};

use crate::error::Result;
use crate::host::{Clock, System};

mod bits;

/// The version of a source's UUIDs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UuidVersion {
    /// Random: 122 bits.
    V4,
    /// Unix milliseconds, a counter and random bits: rises within a process.
    V7,
}

impl UuidVersion {
    /// The version's number: 4 or 7.
    pub const fn number(self) -> u8 {
        match self {
            UuidVersion::V4 => 4,
            UuidVersion::V7 => 7,
        }
    }
}

/// Makes UUIDs of one version (RFC 9562).
///
/// The random bits come from ChaCha12, with a stream for each thread. The keys come from the system
/// and are erased as they are used, so that issued UUIDs cannot be reconstructed.
///
/// - *Unique*: by 122 random bits (version 4), or by 58 random bits and a counter of 16 bits that
///   begins at random in each millisecond (version 7). Nothing is reserved.
/// - *Order*: version 7 rises within a process, across threads; version 4 has no order.
/// - *Overflow*: a full counter carries into the milliseconds, after at least 32,768 UUIDs of
///   version 7 in one millisecond. After the year 10889 version 7 no longer rises, but stays as
///   unique.
/// - *Clock rollback*: version 7 goes on above its last UUID. A clock before 1970 counts as 1970.
/// - *Threads*: any number; no lock is taken.
/// - *Fork*: a child, and an image after [`on_restore`](crate::on_restore), takes new bits from the
///   system. Version 7 goes on above the parent's UUIDs.
#[derive(Clone, Copy, Debug)]
pub struct UuidSource {
    version: UuidVersion,
}

impl UuidSource {
    /// Creates a source of one version.
    pub const fn new(version: UuidVersion) -> UuidSource {
        UuidSource { version }
    }

    /// The version.
    pub const fn version(&self) -> UuidVersion {
        self.version
    }

    /// Returns the next UUID.
    ///
    /// # Errors
    /// [`Code::NoResource`](crate::Code::NoResource) if the system gives no random numbers.
    #[inline]
    pub fn next_uuid(&self) -> Result<Uuid> {
        let bits = bits::draw()?;
        Ok(match self.version {
            UuidVersion::V4 => Builder::from_random_bytes(bits.to_ne_bytes()).into_uuid(),
            UuidVersion::V7 => LAST.next(System.now_ms(), bits),
        })
    }
}

/// The last version 7 UUID of this process. A forked child goes on above its parent's.
static LAST: Last = Last(AtomicU64::new(0));

/// The first 64 bits of a version 7 UUID without version and variant: 48 bits of milliseconds above
/// a counter, so that one addition counts and carries into the time.
struct Last(AtomicU64);

const COUNTER_BITS: u32 = 16;
/// A counter begins in its lower half, which leaves the upper half to count, as RFC 9562 advises.
const START_MASK: u64 = (1 << (COUNTER_BITS - 1)) - 1;
const MAX_MS: u64 = (1 << 48) - 1;
/// The random bits after the counter.
const RANDOM_BITS: u32 = 58;
const RANDOM_MASK: u128 = (1 << RANDOM_BITS) - 1;

impl Last {
    /// The next version 7 UUID at a time. It uses the lower 58 random bits and, in a new
    /// millisecond, 15 others.
    fn next(&self, unix_ms: i64, bits: u128) -> Uuid {
        let head = self.rise(unix_ms, (bits >> RANDOM_BITS) as u64 & START_MASK);
        let (ms, counter) = (u128::from(head >> COUNTER_BITS), u128::from(head & 0xffff));
        let (version, variant) = (7 << 76, 0b10 << 62);
        let (high, low) = (counter >> 4, counter & 0xf);
        let counter = (high << 64) | (low << RANDOM_BITS);
        Uuid::from_u128((ms << 80) | version | counter | variant | (bits & RANDOM_MASK))
    }

    /// Returns a value above all before: a new millisecond with the counter at `start`, or the last
    /// value plus one.
    fn rise(&self, unix_ms: i64, start: u64) -> u64 {
        let ms = u64::try_from(unix_ms).unwrap_or(0).min(MAX_MS);
        let mut last = self.0.load(Ordering::Relaxed);
        loop {
            let is_new = ms > last >> COUNTER_BITS;
            let next = if is_new { ms << COUNTER_BITS | start } else { last.saturating_add(1) };
            let (success, failure) = (Ordering::Relaxed, Ordering::Relaxed);
            match self.0.compare_exchange_weak(last, next, success, failure) {
                Ok(_) => return next,
                Err(seen) => last = seen,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use uuid::Variant;

    use super::*;

    const NOW_MS: i64 = 1_790_000_000_000;

    fn unix_ms(uuid: Uuid) -> u128 {
        uuid.as_u128() >> 80
    }

    #[test]
    fn version_and_variant_stand_where_the_rfc_has_them() {
        for (version, number) in [(UuidVersion::V4, 4), (UuidVersion::V7, 7)] {
            for _ in 0..1_000 {
                let uuid = UuidSource::new(version).next_uuid().unwrap();
                assert_eq!(uuid.get_version_num(), number, "{uuid}");
                assert_eq!(uuid.get_variant(), Variant::RFC4122, "{uuid}");
            }
        }
    }

    /// RFC 9562, appendix A.6, with its random bits split into counter and rest as here.
    #[test]
    fn makes_the_uuid_of_the_rfc() {
        let rand_b = 0x18c4_dc0c_0c07_398f_u128;
        let head = (0x17f_22e2_79b0 << COUNTER_BITS) | (0xcc3 << 4) | ((rand_b >> 58) as u64);
        let last = Last(AtomicU64::new(head - 1));
        let uuid = last.next(0x17f_22e2_79b0, rand_b & RANDOM_MASK);
        assert_eq!(uuid.to_string(), "017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
    }

    #[test]
    fn a_clock_before_1970_counts_as_1970() {
        for time_ms in [-1, -86_400_000, i64::MIN, 0] {
            let last = Last(AtomicU64::new(0));
            let uuids = [0, 1, 2].map(|bits| last.next(time_ms, bits));
            assert!(uuids.is_sorted_by(|a, b| a < b), "{uuids:?}");
            assert_eq!(uuids.map(unix_ms), [0; 3]);
        }
    }

    #[test]
    fn goes_on_above_the_last_while_the_clock_is_behind() {
        let last = Last(AtomicU64::new(0));
        let times = [NOW_MS, NOW_MS - 3_600_000, -1, NOW_MS, NOW_MS + 1];
        let uuids = times.map(|time_ms| last.next(time_ms, 0));
        assert!(uuids.is_sorted_by(|a, b| a < b), "{uuids:?}");
        assert_eq!(uuids.map(|uuid| unix_ms(uuid) as i64 - NOW_MS), [0, 0, 0, 0, 1]);
    }

    #[test]
    fn a_full_counter_carries_into_the_time() {
        let last = Last(AtomicU64::new(0));
        let mut before = last.next(NOW_MS, u128::MAX);
        for _ in 0..=START_MASK + 1 {
            let uuid = last.next(NOW_MS, u128::MAX);
            assert!(uuid > before, "{uuid} after {before}");
            before = uuid;
        }
        assert_eq!(unix_ms(before) as i64, NOW_MS + 1);
        assert_eq!(unix_ms(last.next(i64::MAX, 0)), u128::from(MAX_MS));
        for _ in 0..=1 << COUNTER_BITS {
            assert_eq!(unix_ms(last.next(i64::MAX, 0)), u128::from(MAX_MS));
        }
    }

    #[test]
    fn rises_in_each_thread_and_repeats_in_none() {
        // Longer than a thread keeps a core of a busy machine.
        const HEADS: usize = 1_000_000;
        let last = Last(AtomicU64::new(0));
        // All in one millisecond without pauses, so that threads interrupt each other anywhere.
        let rise = || (0..HEADS).map(|_| last.rise(NOW_MS, 0)).collect::<Vec<_>>();
        let heads = thread::scope(|scope| {
            [(); 4].map(|()| scope.spawn(rise)).map(|thread| thread.join().unwrap())
        });
        assert!(heads.iter().all(|heads| heads.is_sorted_by(|a, b| a < b)));
        let mut all = heads.concat();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 4 * HEADS);
    }
}
