//! The only source of chance in a history.

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). It is written here and not taken from a crate,
/// so that a seed in an old report gives the same history as long as this file does not change.
#[derive(Clone, Debug, Default)]
pub struct Random {
    state: u64,
}

impl Random {
    /// Creates the stream of a seed.
    pub fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// Returns the next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a number of `0..n`, or 0 if `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(n)) >> 64) as u64
    }

    /// Returns a number of `low..=high`.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below(high.abs_diff(low) + 1) as i64
    }

    /// Returns true with a probability of `per_million` in a million.
    pub fn chance(&mut self, per_million: u32) -> bool {
        self.below(1_000_000) < u64::from(per_million)
    }

    /// Returns a number around `mean` on average: mostly less, at most eight times as much.
    pub fn about(&mut self, mean: i64) -> i64 {
        let doublings = self.below(4) as u32;
        self.between(0, mean << doublings) * 8 / 15
    }

    /// Returns an element of a slice, which must not be empty.
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }
}
