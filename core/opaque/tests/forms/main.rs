//! Public IDs as a user meets them: what is read, what is refused, and what nobody can tell.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod files;
mod keys;
mod public;
mod rotation;
mod statistics;
mod tokens;

use snowmint_opaque::{PublicIdCodec, PublicIdKeys};

const A: [u8; 16] = 0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c_u128.to_be_bytes();
const B: [u8; 16] = 0xef43_59d8_d580_aa4f_7f03_6d6f_04fc_6a94_u128.to_be_bytes();

fn keys() -> PublicIdKeys {
    PublicIdKeys::builder().key('1', &A).build().unwrap()
}

fn orders() -> PublicIdCodec {
    keys().codec("order").unwrap()
}

/// SplitMix64: numbers without a pattern, the same in each run.
struct Mixer(u64);

impl Mixer {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }
}

/// Returns the count in the environment variable, or `usual` if it is not set.
fn count(variable: &str, usual: usize) -> usize {
    match std::env::var(variable) {
        Ok(count) => count.parse().expect("a number"),
        Err(_) => usual,
    }
}
