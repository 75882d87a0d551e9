//! The number form: FF1 of NIST SP 800-38G over binary digits, so that a number becomes a number of
//! the same width. The crate `fpe` does the rounds; this module provides its numeral operations.

use std::fmt;

use aes::Aes128Enc;
use fpe::ff1::{FF1, NumeralString, Operations};

use crate::error::{Error, Result};

/// The width of a number in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberWidth {
    /// Any unsigned 64-bit integer.
    Bits64,
    /// Integers that are not negative when signed, such as most snowflakes and database columns.
    Bits63,
    /// Integers that a JavaScript number holds exactly.
    Bits53,
}

impl NumberWidth {
    /// All widths, the widest first.
    pub const ALL: &'static [NumberWidth] =
        &[NumberWidth::Bits64, NumberWidth::Bits63, NumberWidth::Bits53];

    /// Returns the number of bits.
    pub const fn bits(self) -> u32 {
        match self {
            NumberWidth::Bits64 => 64,
            NumberWidth::Bits63 => 63,
            NumberWidth::Bits53 => 53,
        }
    }

    /// Returns the width with this number of bits.
    ///
    /// # Errors
    /// [`Error::UnknownWidth`].
    pub fn from_bits(bits: u32) -> Result<NumberWidth> {
        let mut all = NumberWidth::ALL.iter().copied();
        all.find(|width| width.bits() == bits).ok_or(Error::UnknownWidth)
    }

    /// Returns the largest number.
    pub const fn max(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }

    fn check(self, number: u64) -> Result<Digits> {
        if number > self.max() {
            return Err(Error::TooWide { width: self });
        }
        Ok(Digits { number, count: self.bits() })
    }
}

/// The cipher of numbers for one key.
pub(crate) struct Numbers(FF1<Aes128Enc>);

impl Numbers {
    pub(crate) fn new(key: &[u8; 16]) -> Numbers {
        Numbers(FF1::new(key, 2).expect("2 is a radix, and 16 bytes are a key of AES-128"))
    }

    pub(crate) fn encode(&self, id: u64, width: NumberWidth) -> Result<u64> {
        let enciphered = self.0.encrypt(&[], &width.check(id)?);
        Ok(enciphered.expect("binary digits, 20 or more of them").number)
    }

    pub(crate) fn decode(&self, number: u64, width: NumberWidth) -> Result<u64> {
        let deciphered = self.0.decrypt(&[], &width.check(number)?);
        Ok(deciphered.expect("binary digits, 20 or more of them").number)
    }
}

impl fmt::Debug for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Numbers(…)")
    }
}

/// Up to 64 binary digits; the bits above them are 0.
#[derive(Clone, Copy)]
struct Digits {
    number: u64,
    count: u32,
}

impl Digits {
    /// Returns the lowest digits of a number.
    fn lowest(number: u64, count: u32) -> Digits {
        Digits { number: number & (u64::MAX >> (64 - count)), count }
    }
}

impl NumeralString for Digits {
    type Ops = Digits;

    fn is_valid(&self, radix: u32) -> bool {
        radix == 2
    }

    fn numeral_count(&self) -> usize {
        self.count as usize
    }

    fn split(&self) -> (Digits, Digits) {
        let front = self.count / 2;
        let back = self.count - front;
        (Digits::lowest(self.number >> back, front), Digits::lowest(self.number, back))
    }

    fn concat(front: Digits, back: Digits) -> Digits {
        Digits { number: front.number << back.count | back.number, count: front.count + back.count }
    }
}

impl Operations for Digits {
    /// Either half of 53 to 64 digits fits into 4 bytes.
    type Bytes = [u8; 4];

    fn numeral_count(&self) -> usize {
        self.count as usize
    }

    fn to_be_bytes(&self, _: u32, _: usize) -> [u8; 4] {
        (self.number as u32).to_be_bytes()
    }

    fn add_mod_exp(self, other: impl Iterator<Item = u8>, _: u32, count: usize) -> Digits {
        Digits::lowest(self.number.wrapping_add(low_bits(other)), count as u32)
    }

    fn sub_mod_exp(self, other: impl Iterator<Item = u8>, _: u32, count: usize) -> Digits {
        Digits::lowest(self.number.wrapping_sub(low_bits(other)), count as u32)
    }
}

/// Returns the last 64 bits of a number, which is more than a half keeps.
fn low_bits(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0, |number, byte| number << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Enciphers with another crate, which shares no code with `fpe`.
    fn oracle(key: &[u8], id: u64, width: NumberWidth) -> u64 {
        let digits = (0..width.bits()).rev().map(|bit| (id >> bit & 1) as u16);
        let digits: Vec<u16> = digits.collect();
        let ff1 = fpr_ff1::FF1::new(key, 2).unwrap();
        let enciphered = ff1.encrypt_numerals(&digits, None).unwrap();
        enciphered.iter().fold(0, |number, &digit| number << 1 | u64::from(digit))
    }

    #[test]
    fn a_second_ff1_agrees() {
        let mut number = 0x9e37_79b9_7f4a_7c15_u64;
        for round in 0..300_u32 {
            let key = (u128::from(number) * 0x1_0000_0001_b5a3).to_be_bytes();
            let numbers = Numbers::new(&key);
            for &width in NumberWidth::ALL {
                for id in [0, 1, width.max(), number & width.max(), (number >> 40) & width.max()] {
                    let public = numbers.encode(id, width).unwrap();
                    assert_eq!(public, oracle(&key, id, width), "round {round}: {id} in {width:?}");
                    assert_eq!(numbers.decode(public, width).unwrap(), id);
                }
            }
            number = number.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
        }
    }

    #[test]
    fn a_number_with_more_bits_than_the_width_is_refused() {
        let numbers = Numbers::new(&[7; 16]);
        for &width in NumberWidth::ALL {
            assert_eq!(NumberWidth::from_bits(width.bits()).unwrap(), width);
            assert!(numbers.encode(width.max(), width).unwrap() <= width.max());
            let Some(above) = width.max().checked_add(1) else { continue };
            for refused in [numbers.encode(above, width), numbers.decode(above, width)] {
                assert!(matches!(refused, Err(Error::TooWide { width: told }) if told == width));
            }
        }
        assert!(matches!(NumberWidth::from_bits(62), Err(Error::UnknownWidth)));
    }
}
