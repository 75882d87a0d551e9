//! A single key: random bytes, zeroed when dropped and never shown.

use std::fmt;
use std::str;

use subtle::{Choice, ConstantTimeEq};
use zeroize::Zeroizing;

use crate::error::{KeyFault, Result};
use crate::symbol::Symbol;

/// The shortest key: 128 bits, as AES-128 uses.
pub const MIN_KEY_BYTES: usize = 16;
/// The longest key: more bytes add nothing.
pub const MAX_KEY_BYTES: usize = 32;

/// The fewest different bytes of a key. In 16 random bytes 15 differ, and 8 or less once in 10¹⁰.
const MIN_DIFFERENT: usize = 9;

/// A key that was checked: not too short, not a text and not a pattern.
pub(crate) struct Secret {
    bytes: Zeroizing<[u8; MAX_KEY_BYTES]>,
    length: usize,
}

impl Secret {
    /// Checks random bytes and copies them.
    pub(crate) fn new(symbol: Symbol, key: &[u8]) -> Result<Secret, KeyFault> {
        let length = key.len();
        if !(MIN_KEY_BYTES..=MAX_KEY_BYTES).contains(&length) {
            return Err(KeyFault::Length { symbol: symbol.char(), bytes: length });
        }
        if is_text(key) {
            return Err(KeyFault::Text { symbol: symbol.char() });
        }
        if is_pattern(key) {
            return Err(KeyFault::Pattern { symbol: symbol.char() });
        }
        let mut bytes = Zeroizing::new([0; MAX_KEY_BYTES]);
        bytes[..length].copy_from_slice(key);
        Ok(Secret { bytes, length })
    }

    /// Reads hexadecimal digits of either case.
    pub(crate) fn parse(symbol: Symbol, text: &str) -> Result<Secret, KeyFault> {
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        let mut bytes = Zeroizing::new([0; MAX_KEY_BYTES]);
        for (byte, pair) in bytes.iter_mut().zip(pairs) {
            *byte = read_pair(*pair).ok_or(KeyFault::NotHexadecimal { symbol: symbol.char() })?;
        }
        match (rest, bytes.get(..pairs.len())) {
            ([], Some(key)) => Secret::new(symbol, key),
            ([], None) => Err(KeyFault::Length { symbol: symbol.char(), bytes: pairs.len() }),
            _ => Err(KeyFault::NotHexadecimal { symbol: symbol.char() }),
        }
    }

    /// Draws a new key of the maximum length.
    pub(crate) fn draw(symbol: Symbol) -> Result<Secret, KeyFault> {
        let mut bytes = Zeroizing::new([0; MAX_KEY_BYTES]);
        getrandom::fill(bytes.as_mut()).map_err(|_| KeyFault::NoRandom)?;
        Secret::new(symbol, bytes.as_ref())
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Appends the key in hexadecimal digits.
    pub(crate) fn write(&self, text: &mut String) {
        for byte in self.bytes() {
            for digit in [byte >> 4, byte & 15] {
                text.extend(char::from_digit(digit.into(), 16));
            }
        }
    }
}

impl ConstantTimeEq for Secret {
    fn ct_eq(&self, other: &Secret) -> Choice {
        self.bytes().ct_eq(other.bytes())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

fn read_pair(pair: [u8; 2]) -> Option<u8> {
    let [high, low] = pair.map(|digit| char::from(digit).to_digit(16));
    u8::try_from(high? << 4 | low?).ok()
}

/// Returns true if a human may have written the key: a password (also in UTF-16 or with a final
/// zero), or a key's digits. Of random keys of 16 bytes, two in a million are refused.
fn is_text(key: &[u8]) -> bool {
    let plain = |c: char| !c.is_control() || c.is_whitespace();
    let mut letters = Zeroizing::new([0; MAX_KEY_BYTES]);
    let mut length = 0;
    for &byte in key.iter().filter(|&&byte| byte != 0) {
        letters[length] = byte;
        length += 1;
    }
    length > 0 && str::from_utf8(&letters[..length]).is_ok_and(|text| text.chars().all(plain))
}

/// Returns true if the key has few different bytes or two equal halves, or if its bytes rise by a
/// constant.
fn is_pattern(key: &[u8]) -> bool {
    let mut seen = [false; 256];
    key.iter().for_each(|&byte| seen[usize::from(byte)] = true);
    let different = seen.iter().filter(|&&seen| seen).count();
    let mut steps = key.windows(2).map(|pair| pair[1].wrapping_sub(pair[0]));
    let first = steps.next();
    let (front, back) = key.split_at(key.len() / 2);
    different < MIN_DIFFERENT || front == back || steps.all(|step| Some(step) == first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(key: &[u8]) -> Result<(), KeyFault> {
        Secret::new(Symbol::FIRST, key).map(drop)
    }

    #[test]
    fn lengths_have_limits() {
        let random: Vec<u8> = (0..33_u32).map(|n| (n * n * 97 + 13 * n + 5) as u8).collect();
        for (length, taken) in [(0, false), (15, false), (16, true), (32, true), (33, false)] {
            let judged = judge(&random[..length]);
            assert_eq!(judged.is_ok(), taken, "{length}: {judged:?}");
            let mut digits = String::new();
            random[..length].iter().for_each(|byte| digits += &format!("{byte:02X}"));
            let read = Secret::parse(Symbol::FIRST, &digits);
            assert_eq!(read.is_ok(), taken, "{length}");
            if !taken {
                assert!(matches!(judged, Err(KeyFault::Length { bytes, .. }) if bytes == length));
                let fault = read.unwrap_err();
                assert!(matches!(fault, KeyFault::Length { bytes, .. } if bytes == length));
            }
        }
    }

    #[test]
    fn passwords_are_refused() {
        let texts = [
            "correct horse battery staple",
            "2b7e151628aed2a6abf7158809cf4f3c",
            "K3yw1th$pec1@lCh&r",
            "пароль-длинный",
            "with a line end\r\n\t",
        ];
        for text in texts {
            assert!(matches!(judge(text.as_bytes()), Err(KeyFault::Text { .. })), "{text}");
        }
        let wide = |to_bytes: fn(u16) -> [u8; 2]| {
            "password123".encode_utf16().flat_map(to_bytes).collect::<Vec<_>>()
        };
        let ended = b"correct horse battery\0".to_vec();
        for key in [wide(u16::to_le_bytes), wide(u16::to_be_bytes), ended] {
            assert!(matches!(judge(&key), Err(KeyFault::Text { .. })), "{key:?}");
        }
    }

    #[test]
    fn patterns_are_refused() {
        let counting: [u8; 32] = std::array::from_fn(|at| at as u8);
        let by_seven: [u8; 16] = std::array::from_fn(|at| (200 - at * 7) as u8);
        let mut nearly = [0xaa; 32];
        nearly[..8].copy_from_slice(&[1, 2, 4, 3, 9, 7, 130, 255]);
        nearly[8] = 1;
        for key in [&[0; 16][..], &[0xff; 32], &counting, &by_seven, &[0, 200].repeat(8)] {
            assert!(matches!(judge(key), Err(KeyFault::Pattern { .. })), "{key:?}");
        }
        assert!(judge(&nearly).is_ok(), "nine different bytes");
        let half = 0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c_u128.to_be_bytes();
        assert!(judge(&half).is_ok());
        let twice = judge(&half.repeat(2));
        assert!(matches!(twice, Err(KeyFault::Pattern { .. })), "{twice:?}");
    }

    #[test]
    fn digits_are_read_and_written() {
        let digits = "2b7e151628aed2a6abf7158809cf4f3c";
        let secret = Secret::parse(Symbol::FIRST, digits).unwrap();
        let mut written = String::new();
        secret.write(&mut written);
        assert_eq!(written, digits);
        assert!(bool::from(
            secret.ct_eq(&Secret::parse(Symbol::FIRST, &digits.to_uppercase()).unwrap())
        ));
        assert_eq!(format!("{secret:?}"), "Secret(…)");
        for wrong in ["2b7e151628aed2a6abf7158809cf4f3", "2b7e151628aed2a6abf7158809cf4f3g"] {
            let fault = Secret::parse(Symbol::FIRST, wrong).unwrap_err();
            assert!(matches!(fault, KeyFault::NotHexadecimal { .. }), "{wrong}");
        }
    }
}
