//! The alphabets of the text forms, and conversions between numbers and digits.

use core::str;

use super::{Text, TextForm};
use crate::error::Error;

pub(super) static DECIMAL: Alphabet<10> = Alphabet::new(b"0123456789", NONE);
pub(super) static HEX: Alphabet<16> = Alphabet::new(b"0123456789abcdef", (b"ABCDEF", b"abcdef"));
pub(super) static BASE32: Alphabet<32> =
    Alphabet::new(b"0123456789ABCDEFGHJKMNPQRSTVWXYZ", CROCKFORD);
static CHECK: Alphabet<37> = Alphabet::new(b"0123456789ABCDEFGHJKMNPQRSTVWXYZ*~$=U", CROCKFORD);
pub(super) static Z_BASE32: Alphabet<32> = Alphabet::new(b"ybndrfg8ejkmcpqxot1uwisza345h769", NONE);
pub(super) static BASE36: Alphabet<36> = Alphabet::new(
    b"0123456789abcdefghijklmnopqrstuvwxyz",
    (b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", b"abcdefghijklmnopqrstuvwxyz"),
);
pub(super) static BASE58: Alphabet<58> =
    Alphabet::new(b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", NONE);
pub(super) static BASE58_FLICKR: Alphabet<58> =
    Alphabet::new(b"123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ", NONE);
pub(super) static BASE62: Alphabet<62> =
    Alphabet::new(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", NONE);

/// Other spellings of symbols, and the symbol that each is read as.
type Aliases = (&'static [u8], &'static [u8]);
const NONE: Aliases = (b"", b"");
/// `u` is only a symbol in a check position; elsewhere it is invalid, in either case.
const CROCKFORD: Aliases = (b"abcdefghijklmnopqrstuvwxyzILO", b"ABCDEFGH1JK1MN0PQRSTUVWXYZ110");

/// The digits of a radix, in both directions. The radix is a constant of the type, so that the
/// compiler turns divisions by it into shifts or multiplications.
pub(super) struct Alphabet<const RADIX: usize> {
    symbols: &'static [u8; RADIX],
    /// The digit's value for each byte, including aliases, or `INVALID`.
    values: [u8; 256],
}

/// The value of a byte that is not a symbol.
const INVALID: u8 = 0x80;

impl<const RADIX: usize> Alphabet<RADIX> {
    const RADIX: u64 = RADIX as u64;

    const fn new(symbols: &'static [u8; RADIX], (aliases, meant): Aliases) -> Self {
        let mut values = [INVALID; 256];
        let mut rest: &mut [u8] = &mut values;
        let mut byte = 0_u8;
        while let [value, tail @ ..] = rest {
            let symbol = match position(aliases, byte) {
                Some(at) => symbol_at(meant, at),
                None => byte,
            };
            if let Some(digit) = position(symbols, symbol) {
                *value = digit;
            }
            byte = byte.wrapping_add(1);
            rest = tail;
        }
        Alphabet { symbols, values }
    }

    pub(super) const fn as_str(&self) -> &str {
        match str::from_utf8(self.symbols) {
            Ok(text) => text,
            Err(_) => "",
        }
    }

    fn symbol(&self, digit: u64) -> u8 {
        self.symbols.get(digit as usize).copied().unwrap_or(b'?')
    }

    fn value(&self, byte: u8) -> u8 {
        value(&self.values, byte)
    }

    /// Writes all `WIDTH` digits (9 to 16), with leading zeros.
    pub(super) fn write<const WIDTH: u8>(&self, id: u64) -> Text {
        Text::new(self.digits(id, WIDTH).0, WIDTH)
    }

    /// Writes at most `MAX` digits (9 to 16) without leading zeros, but at least one.
    pub(super) fn write_short<const MAX: u8>(&self, id: u64) -> Text {
        let (words, length) = self.digits(id, MAX);
        Text::new(words, length)
    }

    #[inline(always)]
    fn digits(&self, id: u64, count: u8) -> ([u64; 3], u8) {
        digits(self.symbols, id, count)
    }

    pub(super) fn read<const WIDTH: usize>(
        &self,
        form: TextForm,
        text: &str,
    ) -> Result<u64, Error> {
        // As an array, so that the compiler knows the number of iterations.
        match <&[u8; WIDTH]>::try_from(text.as_bytes()) {
            Ok(symbols) => self.read_digits(form, symbols),
            Err(_) => Err(length_error(form, text)),
        }
    }

    pub(super) fn read_short<const MAX: usize>(
        &self,
        form: TextForm,
        text: &str,
    ) -> Result<u64, Error> {
        let symbols = text.as_bytes();
        if symbols.is_empty() || symbols.len() > MAX {
            return Err(length_error(form, text));
        }
        self.read_digits(form, symbols)
    }

    #[inline(always)]
    fn read_digits(&self, form: TextForm, symbols: &[u8]) -> Result<u64, Error> {
        read_digits(&self.values, Self::RADIX, form, symbols)
    }
}

/// Returns the symbols of `count` digits, 9 to 16, and the number of digits without leading zeros.
///
/// The symbols are collected in registers. If they were stored one by one and then read as words,
/// as every user of the text does, the read would wait for the cache.
#[cfg_attr(not(target_family = "wasm"), inline(always))] // there one for all radices: size counts
fn digits(symbols: &[u8], id: u64, count: u8) -> ([u64; 3], u8) {
    let radix = symbols.len() as u64;
    let (mut first, mut last) = (0_u64, 0_u64);
    let mut length = 1;
    let mut rest = id;
    for at in 0..count {
        let digit = rest.checked_rem(radix).unwrap_or_default();
        length = if rest > 0 { at.wrapping_add(1) } else { length };
        rest = rest.checked_div(radix).unwrap_or_default();
        let word = if at < 8 { &mut last } else { &mut first };
        let symbol = symbols.get(digit as usize).copied().unwrap_or(b'?');
        *word = *word << 8 | u64::from(symbol);
    }
    let unused = 16_u8.saturating_sub(count).wrapping_mul(8);
    ([0, first.wrapping_shl(unused.into()), last], length)
}

/// Reads digits; all but the last are certain to fit 64 bits.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn read_digits(
    values: &[u8; 256],
    radix: u64,
    form: TextForm,
    symbols: &[u8],
) -> Result<u64, Error> {
    let Some((&last, front)) = symbols.split_last() else { return Ok(0) };
    let last = value(values, last);
    let mut id = 0_u64;
    // The high bit shows at the end if any value was invalid: one branch, not one for each symbol.
    let mut seen = last;
    for &symbol in front {
        let value = value(values, symbol);
        seen |= value;
        id = id.wrapping_mul(radix).wrapping_add(value.into());
    }
    if seen >= INVALID {
        return Err(reject(values, form, symbols));
    }
    id.checked_mul(radix)
        .and_then(|id| id.checked_add(last.into()))
        .ok_or(Error::TextOverflow { form })
}

/// Finds the invalid symbol for the error.
#[cold]
fn reject(values: &[u8; 256], form: TextForm, symbols: &[u8]) -> Error {
    let at = symbols.iter().position(|&symbol| value(values, symbol) == INVALID);
    Error::InvalidText { form, at: at.unwrap_or_default() as u32 }
}

fn value(values: &[u8; 256], byte: u8) -> u8 {
    values.get(usize::from(byte)).copied().unwrap_or(INVALID)
}

/// Returns the index of a byte in a slice, for tables built at compile time, without iterators.
const fn position(mut bytes: &[u8], wanted: u8) -> Option<u8> {
    let mut at = 0_u8;
    while let [first, rest @ ..] = bytes {
        if *first == wanted {
            return Some(at);
        }
        at = at.wrapping_add(1);
        bytes = rest;
    }
    None
}

/// Returns the byte at an index, at compile time.
const fn symbol_at(bytes: &[u8], at: u8) -> u8 {
    match bytes.split_at_checked(at as usize) {
        Some((_, [symbol, ..])) => *symbol,
        _ => b'?',
    }
}

#[cold]
fn length_error(form: TextForm, text: &str) -> Error {
    Error::TextLength { form, length: u32::try_from(text.len()).unwrap_or(u32::MAX) }
}

/// Writes decimal with eight digits for each word. The words are independent of each other, because
/// formatting would otherwise wait for a chain of divisions by 10 or 100.
pub(super) fn write_decimal(id: u64) -> Text {
    const E8: u64 = 100_000_000;
    let upper = id / E8;
    let words = [
        four_digits((upper / E8) as u32) << 32, // at most 1844: four digits
        eight_digits((upper % E8) as u32),
        eight_digits((id % E8) as u32),
    ];
    let zero_bits = match words {
        [0, 0, last] => last.trailing_zeros().min(63).wrapping_add(128), // one digit stays
        [0, middle, _] => middle.trailing_zeros().wrapping_add(64),
        [first, ..] => first.trailing_zeros(),
    };
    let length = 24_u32.wrapping_sub(zero_bits / 8);
    Text::new(words.map(|word| word | 0x3030_3030_3030_3030), length as u8)
}

/// The digit values of "00" to "99", the first in the lower byte.
static PAIRS: [u16; 100] = {
    let mut pairs = [0; 100];
    let mut rest: &mut [u16] = &mut pairs;
    let mut number = 0_u16;
    while let [pair, tail @ ..] = rest {
        *pair = (number / 10) | ((number % 10) << 8);
        number = number.wrapping_add(1);
        rest = tail;
    }
    pairs
};

/// Returns the digits of a number below 100, the first in the lowest byte. The next two functions
/// do the same for 4 and 8 digits.
fn pair(number: u32) -> u64 {
    PAIRS.get(number as usize).copied().unwrap_or_default().into()
}

fn four_digits(number: u32) -> u64 {
    pair(number / 100) | (pair(number % 100) << 16)
}

fn eight_digits(number: u32) -> u64 {
    four_digits(number / 10_000) | (four_digits(number % 10_000) << 32)
}

pub(super) fn write_checked(id: u64) -> Text {
    let ([_, first, last], _) = BASE32.digits(id, 13);
    let check = CHECK.symbol(id % 37);
    // Shifts the digits one place forward, and puts the check symbol last.
    Text::new([0, first >> 8 | last << 56, last >> 8 | u64::from(check) << 56], 14)
}

pub(super) fn read_checked(text: &str) -> Result<u64, Error> {
    let form = TextForm::Base32Check;
    let Ok([digits @ .., check]) = <&[u8; 14]>::try_from(text.as_bytes()) else {
        return Err(length_error(form, text));
    };
    let id = BASE32.read_digits(form, digits)?;
    match CHECK.value(*check) {
        INVALID => Err(Error::InvalidText { form, at: 13 }),
        value if u64::from(value) == id % 37 => Ok(id),
        _ => Err(Error::TextCheck { expected: CHECK.symbol(id % 37).into() }),
    }
}
