//! The UUID form: a UUID of version 8 whose other bits are the enciphered ID.
//!
//! AES permutes all 128-bit numbers, of which one in 64 has a UUID's version and variant. It is
//! applied until it reaches such a number. This walks along a cycle, returns to its start at the
//! latest, and is a permutation of the UUIDs (cycle walking, Black and Rogaway 2002).

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use crate::permutation::Permutation;

/// Version 8, variant 10 in binary, RFC 9562.
const MARKS: u128 = 0x0000_0000_0000_8000_8000_0000_0000_0000;
const MASK: u128 = 0x0000_0000_0000_f000_c000_0000_0000_0000;
/// The number of bits of a UUID that an ID does not fill.
const SPARE_BITS: u32 = 58;

/// Returns the UUID of an ID: after 64 steps on average, and more than 700 once in 60,000.
pub(crate) fn encode(permutation: &Permutation, id: u64) -> u128 {
    let mut block = permutation.encipher(spread(u128::from(id) << SPARE_BITS));
    while !is_marked(block) {
        block = permutation.encipher(block);
    }
    block
}

/// Returns the ID, and true if it is genuine: the bits that no ID fills are 0.
pub(crate) fn decode(permutation: &Permutation, uuid: u128) -> (u64, Choice) {
    let mut block = permutation.decipher(uuid);
    while !is_marked(block) {
        block = permutation.decipher(block);
    }
    let bits = gather(block);
    let spare = bits as u64 & ((1 << SPARE_BITS) - 1);
    ((bits >> SPARE_BITS) as u64, spare.ct_eq(&0))
}

/// Returns true if the block has the version and variant.
pub(crate) fn is_marked(block: u128) -> bool {
    block & MASK == MARKS
}

/// Returns the ID from the permutation that made the UUID, if one did. All are tried, so that the
/// time does not reveal which.
pub(crate) fn decode_any<'a>(
    permutations: impl Iterator<Item = &'a Permutation>,
    uuid: u128,
) -> (u64, Choice) {
    permutations.fold((0, Choice::from(0)), |(found, any), permutation| {
        let (id, genuine) = decode(permutation, uuid);
        (u64::conditional_select(&found, &id, genuine), any | genuine)
    })
}

/// Spreads 122 bits around the version and variant.
fn spread(bits: u128) -> u128 {
    let (high, middle, low) = (bits >> 74, bits >> 62 & 0xfff, bits & ((1 << 62) - 1));
    high << 80 | middle << 64 | low | MARKS
}

/// Returns the 122 bits of a UUID.
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
