//! Rules for when an ID cannot be had at once, and for the start of a fresh tick's sequence.
//!
//! A policy decides how accurate an ID's time is and how long a caller waits. No policy affects
//! uniqueness, which depends on grants alone.

use core::fmt;
use core::str::FromStr;

use crate::error::Error;
use crate::snowflake::{Stall, StallReason};

/// The reaction of a caller to a [`Stall`].
///
/// | constant | system | clock behind | tick full | increasing | true to time within |
/// |---|---|---|---|---|---|
/// | [`SNOWMINT`](Self::SNOWMINT) | this one | wait up to 5 s | borrow 1 s, then wait | yes | 1 s ahead |
/// | [`TWITTER`](Self::TWITTER) | Twitter IdWorker | fail | wait | yes | a tick |
/// | [`NETEASE`](Self::NETEASE) | NetEase | wait up to 1 s, else fail | wait | yes | 1 s |
/// | [`LEAF`](Self::LEAF) | Leaf | wait up to 10 ms, else fail | wait | yes | 10 ms |
/// | [`LEAF_STRICT`](Self::LEAF_STRICT) | a Leaf variant | wait up to 10 ms, else fail | fail | yes | 10 ms |
/// | [`SHARDINGSPHERE`](Self::SHARDINGSPHERE) | ShardingSphere | wait up to 10 ms, else fail | wait | yes | 10 ms |
/// | [`LINGDU`](Self::LINGDU) | lingdu | wait up to 15 ms, else change worker | wait | between changes | a tick |
/// | [`ROLLBACK_BITS`](Self::ROLLBACK_BITS) | rollback bits | count a rollback | wait | between rollbacks | a tick |
/// | [`BAIDU`](Self::BAIDU) | UidGenerator's cache | fail | borrow | yes | 1 h ahead |
/// | [`HAZELCAST`](Self::HAZELCAST) | Hazelcast | wait | borrow 15 s, then wait | yes | 15 s ahead |
/// | [`SEATA`](Self::SEATA) | Seata | wait | borrow 10 s, then wait | per worker | 10 s ahead |
/// | [`SONYFLAKE`](Self::SONYFLAKE) | sonyflake | wait, however long | wait | yes | the rollback |
///
/// IDs are unique under each of them, whatever the clock does: an ID's slot is above every slot
/// issued before it (with rollback bits: under the same count).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ClockPolicy {
    /// The longest time that an ID's time may be ahead of the clock, in milliseconds.
    pub max_ahead_ms: u32,
    /// The reaction to a clock that is further behind than that.
    pub when_behind: WhenBehind,
    /// The reaction to a full tick.
    pub when_full: WhenFull,
}

/// The reaction to a clock that is behind an ID already issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum WhenBehind {
    /// Fail at once.
    Fail,
    /// Wait if that takes at most `max_ms`, otherwise fail at once.
    Wait {
        /// The longest wait in milliseconds.
        max_ms: u32,
    },
    /// Count the rollback in the layout's rollback bits, and continue at the clock's time.
    CountRollback,
    /// Wait if that takes at most `max_ms`, otherwise continue as another worker.
    ChangeWorker {
        /// The longest wait in milliseconds.
        max_ms: u32,
    },
}

/// The reaction when every sequence number of the tick is issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum WhenFull {
    /// Wait for the next tick.
    Wait,
    /// Fail at once.
    Fail,
}

/// The caller's next step after a stall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Action {
    /// Return the stall to the caller.
    Fail,
    /// Ask again after this time.
    Wait {
        /// The wait in milliseconds.
        wait_ms: u64,
    },
    /// Raise the rollback counter by one, cyclically, and ask again.
    CountRollback,
    /// Take another worker ID and ask again.
    ChangeWorker,
    /// Extend the grant and ask again.
    ExtendGrant,
}

impl ClockPolicy {
    /// Borrows up to a second from the future in a burst, then waits.
    pub const SNOWMINT: ClockPolicy = ClockPolicy::new(1_000, WhenBehind::Wait { max_ms: 5_000 });
    /// Twitter's IdWorker: fails at once if the clock goes back.
    pub const TWITTER: ClockPolicy = ClockPolicy::new(0, WhenBehind::Fail);
    /// NetEase: waits if the clock is back by up to 1 s, otherwise the service is unavailable.
    pub const NETEASE: ClockPolicy = ClockPolicy::new(0, WhenBehind::Wait { max_ms: 1_000 });
    /// Leaf: if the clock is back by up to 5 ms, waits twice as long.
    pub const LEAF: ClockPolicy = ClockPolicy::new(0, WhenBehind::Wait { max_ms: 10 });
    /// Leaf's rule, but a full tick is an error.
    pub const LEAF_STRICT: ClockPolicy = ClockPolicy { when_full: WhenFull::Fail, ..Self::LEAF };
    /// ShardingSphere with its default `max-tolerate-time-difference-milliseconds` of 10.
    pub const SHARDINGSPHERE: ClockPolicy = ClockPolicy::new(0, WhenBehind::Wait { max_ms: 10 });
    /// lingdu: waits if the clock is back by less than 15 ms, otherwise takes another worker ID.
    pub const LINGDU: ClockPolicy = ClockPolicy::new(0, WhenBehind::ChangeWorker { max_ms: 15 });
    /// Two rollback bits, counted up at each rollback.
    pub const ROLLBACK_BITS: ClockPolicy = ClockPolicy::new(0, WhenBehind::CountRollback);
    /// UidGenerator's cache, which follows its own last second; limited here to an hour.
    pub const BAIDU: ClockPolicy = ClockPolicy::new(3_600_000, WhenBehind::Fail);
    /// Hazelcast's Flake ID generator: 15 s into the future.
    pub const HAZELCAST: ClockPolicy =
        ClockPolicy::new(15_000, WhenBehind::Wait { max_ms: u32::MAX });
    /// Seata's IdWorker, which borrows without a limit; limited here to 10 s.
    pub const SEATA: ClockPolicy = ClockPolicy::new(10_000, WhenBehind::Wait { max_ms: u32::MAX });
    /// sonyflake: waits for as long as the clock went back.
    pub const SONYFLAKE: ClockPolicy = ClockPolicy::new(0, WhenBehind::Wait { max_ms: u32::MAX });

    /// Every policy with its name in URLs and test vectors.
    pub const ALL: &'static [(&'static str, ClockPolicy)] = &[
        ("snowmint", Self::SNOWMINT),
        ("twitter", Self::TWITTER),
        ("netease", Self::NETEASE),
        ("leaf", Self::LEAF),
        ("leaf-strict", Self::LEAF_STRICT),
        ("shardingsphere", Self::SHARDINGSPHERE),
        ("lingdu", Self::LINGDU),
        ("rollback-bits", Self::ROLLBACK_BITS),
        ("baidu", Self::BAIDU),
        ("hazelcast", Self::HAZELCAST),
        ("seata", Self::SEATA),
        ("sonyflake", Self::SONYFLAKE),
    ];

    /// Creates a policy that waits when a tick is full; an ID's time may run `max_ahead_ms` ahead.
    pub const fn new(max_ahead_ms: u32, when_behind: WhenBehind) -> ClockPolicy {
        ClockPolicy { max_ahead_ms, when_behind, when_full: WhenFull::Wait }
    }

    /// Changes how far an ID's time may run ahead of the clock, in milliseconds.
    #[must_use]
    pub const fn with_max_ahead_ms(self, max_ahead_ms: u32) -> ClockPolicy {
        ClockPolicy { max_ahead_ms, ..self }
    }

    /// Changes the reaction to a full tick.
    #[must_use]
    pub const fn with_when_full(self, when_full: WhenFull) -> ClockPolicy {
        ClockPolicy { when_full, ..self }
    }

    /// Returns the policy with this name.
    pub fn from_name(name: &str) -> Option<ClockPolicy> {
        ClockPolicy::ALL.iter().find(|(known, _)| *known == name).map(|(_, policy)| *policy)
    }

    /// Returns the next step after a stall.
    pub const fn action(&self, stall: Stall) -> Action {
        let wait_ms = stall.wait_ms;
        match (stall.reason, self.when_full, self.when_behind) {
            (StallReason::GrantExhausted, _, _) => Action::ExtendGrant,
            (StallReason::SequenceExhausted, WhenFull::Wait, _) => Action::Wait { wait_ms },
            (StallReason::SequenceExhausted, WhenFull::Fail, _) => Action::Fail,
            (StallReason::AheadOfClock, _, WhenBehind::Fail) => Action::Fail,
            (StallReason::AheadOfClock, _, WhenBehind::CountRollback) => Action::CountRollback,
            (StallReason::AheadOfClock, _, WhenBehind::Wait { max_ms }) => {
                if wait_ms <= max_ms as u64 { Action::Wait { wait_ms } } else { Action::Fail }
            }
            (StallReason::AheadOfClock, _, WhenBehind::ChangeWorker { max_ms }) => {
                if wait_ms <= max_ms as u64 {
                    Action::Wait { wait_ms }
                } else {
                    Action::ChangeWorker
                }
            }
        }
    }
}

/// Writes the policy's name, the first one if several are equal. A policy without a name is written
/// as `custom`, which cannot be parsed.
impl fmt::Display for ClockPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = ClockPolicy::ALL.iter().find(|(_, policy)| policy == self);
        f.pad(named.map_or("custom", |(name, _)| name))
    }
}

/// Parses a policy's name: see [`ClockPolicy::ALL`].
impl FromStr for ClockPolicy {
    type Err = Error;

    fn from_str(name: &str) -> Result<ClockPolicy, Error> {
        ClockPolicy::from_name(name).ok_or(Error::UnknownPolicy)
    }
}

/// The first sequence number of a fresh tick.
///
/// It applies whenever a call's first slot is at the start of a tick, whether the clock or an
/// overflow led there. Within a block of several IDs, the sequence of the next tick starts at 0.
/// The sequence numbers below the start are skipped, unless a block needs their room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum SequenceStart {
    /// At 0. With one ID a tick, all IDs are even, and shards are uneven.
    #[default]
    Zero,
    /// One above the last sequence number, modulo `max_offset + 1`. With one ID a tick, this is
    /// ShardingSphere's `max-vibration-offset`.
    Vibrate {
        /// The largest start.
        max_offset: u32,
    },
    /// Pseudo-random below a bound, different for each tick. Leaf uses 100.
    Random {
        /// One above the largest start.
        below: u32,
        /// A seed that makes the starts of one generator differ from another's.
        seed: u64,
    },
    /// One above the last sequence number, and 0 from half of the sequence on: CosId's rule.
    Rotate,
}

/// Writes the start as in URLs; a random start without its seed.
impl fmt::Display for SequenceStart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SequenceStart::Zero => f.write_str("zero"),
            SequenceStart::Vibrate { max_offset } => write!(f, "vibrate:{max_offset}"),
            SequenceStart::Random { below, .. } => write!(f, "random:{below}"),
            SequenceStart::Rotate => f.write_str("rotate"),
        }
    }
}

/// Parses a start as in URLs. A random start gets the seed 0: set one for each generator.
impl FromStr for SequenceStart {
    type Err = Error;

    fn from_str(text: &str) -> Result<SequenceStart, Error> {
        let number = |digits: &str| digits.parse().map_err(|_| Error::UnknownStart);
        match text.split_once(':') {
            None if text == "zero" => Ok(SequenceStart::Zero),
            None if text == "rotate" => Ok(SequenceStart::Rotate),
            Some(("vibrate", max)) => Ok(SequenceStart::Vibrate { max_offset: number(max)? }),
            Some(("random", below)) => match number(below)? {
                0 => Err(Error::UnknownStart),
                below => Ok(SequenceStart::Random { below, seed: 0 }),
            },
            _ => Err(Error::UnknownStart),
        }
    }
}

impl SequenceStart {
    /// Returns the start in tick `tick`; `last` is the last sequence number issued.
    #[inline]
    pub(crate) const fn offset(self, tick: u64, last: u64, mask: u64) -> u64 {
        let following = (last & mask).wrapping_add(1);
        let start = match self {
            SequenceStart::Zero => 0,
            SequenceStart::Vibrate { max_offset } => {
                modulo(following, (max_offset as u64).wrapping_add(1))
            }
            SequenceStart::Random { below, seed } => modulo(mix(seed, tick), below as u64),
            SequenceStart::Rotate => {
                if following > mask / 2 {
                    0
                } else {
                    following
                }
            }
        };
        if start < mask { start } else { mask }
    }
}

/// Returns `value % divisor`, or 0 for a divisor of 0.
const fn modulo(value: u64, divisor: u64) -> u64 {
    match value.checked_rem(divisor) {
        Some(rest) => rest,
        None => 0,
    }
}

/// SplitMix64's output function (Steele, Lea and Flood, OOPSLA 2014), of `seed` and a counter.
const fn mix(seed: u64, counter: u64) -> u64 {
    let z = seed.wrapping_add(counter.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
