//! The one source of chance in a history.

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). Our own ten lines and not a crate's: a seed in
/// an old report must give the same history for as long as this file does not change.
#[derive(Clone, Debug, Default)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number of `0..n`; 0 for none.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(n)) >> 64) as u64
    }

    /// A number of `low..=high`.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below(high.abs_diff(low) + 1) as i64
    }

    /// True so many times in a million.
    pub fn chance(&mut self, per_million: u32) -> bool {
        self.below(1_000_000) < u64::from(per_million)
    }

    /// Around `mean` on average, mostly less, at most eight times as much.
    pub fn about(&mut self, mean: i64) -> i64 {
        let doublings = self.below(4) as u32;
        self.between(0, mean << doublings) * 8 / 15
    }

    /// One of a slice; the first of an empty one is a bug.
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }
}
