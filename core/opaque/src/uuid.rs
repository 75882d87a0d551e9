//! The UUID form: a UUID of version 8 whose other bits are the ID's, enciphered.
//!
//! AES permutes all 128-bit numbers, of which one in 64 has a UUID's version and variant. It is
//! applied until it comes to such a one: a walk along a cycle, which is a permutation of the UUIDs
//! alone (cycle walking, Black and Rogaway 2002), and comes back to where it began at the latest.

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use crate::permutation::Permutation;

/// Version 8, variant 10 in binary, RFC 9562.
const MARKS: u128 = 0x0000_0000_0000_8000_8000_0000_0000_0000;
const MASK: u128 = 0x0000_0000_0000_f000_c000_0000_0000_0000;
/// The bits of a UUID that an ID does not fill.
const SPARE_BITS: u32 = 58;

/// The UUID of an ID: 64 steps on average, and more than 700 once in 60,000.
pub(crate) fn encode(permutation: &Permutation, id: u64) -> u128 {
    let mut block = permutation.encipher(spread(u128::from(id) << SPARE_BITS));
    while !is_marked(block) {
        block = permutation.encipher(block);
    }
    block
}

/// The ID, and whether it is one: whether the bits that no ID fills are 0.
pub(crate) fn decode(permutation: &Permutation, uuid: u128) -> (u64, Choice) {
    let mut block = permutation.decipher(uuid);
    while !is_marked(block) {
        block = permutation.decipher(block);
    }
    let bits = gather(block);
    let spare = bits as u64 & ((1 << SPARE_BITS) - 1);
    ((bits >> SPARE_BITS) as u64, spare.ct_eq(&0))
}

/// Whether it has the version and variant.
pub(crate) fn is_marked(block: u128) -> bool {
    block & MASK == MARKS
}

/// The ID of the one permutation that knows the UUID, if one does. All are asked, so that the time
/// does not tell which.
pub(crate) fn decode_any<'a>(
    permutations: impl Iterator<Item = &'a Permutation>,
    uuid: u128,
) -> (u64, Choice) {
    permutations.fold((0, Choice::from(0)), |(found, any), permutation| {
        let (id, genuine) = decode(permutation, uuid);
        (u64::conditional_select(&found, &id, genuine), any | genuine)
    })
}

/// 122 bits, with version and variant between them.
fn spread(bits: u128) -> u128 {
    let (high, middle, low) = (bits >> 74, bits >> 62 & 0xfff, bits & ((1 << 62) - 1));
    high << 80 | middle << 64 | low | MARKS
}

/// The 122 bits again.
fn gather(block: u128) -> u128 {
    let (high, middle, low) = (block >> 80, block >> 64 & 0xfff, block & ((1 << 62) - 1));
    high << 74 | middle << 62 | low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_spread_around_the_marks() {
        for bits in [0, 1, u128::MAX >> 6, 0x0234_5678_9abc_def0_0fed_cba9_8765_4321] {
            let block = spread(bits);
            assert!(is_marked(block), "{block:032x}");
            assert_eq!(gather(block), bits);
        }
        assert!(!is_marked(0) && !is_marked(u128::MAX));
    }

    #[test]
    fn every_bit_of_a_uuid_counts() {
        let permutation = Permutation::new(&[7; 16]);
        let uuid = encode(&permutation, 42);
        assert_eq!(decode(&permutation, uuid).0, 42);
        for bit in (0..128).map(|bit| 1_u128 << bit).filter(|bit| bit & MASK == 0) {
            assert!(!bool::from(decode(&permutation, uuid ^ bit).1), "{bit:032x}");
        }
    }
}
