//! IDs as text: nine forms, each with one canonical spelling of every number.
//!
//! Formatting writes into a fixed buffer and allocates nothing. Each number has one spelling, so an
//! ID compared as text, used as a key or found in a log has one name. Parsing is lenient if only
//! one number can be meant, because other programs pad with zeros or write the other case.

use core::fmt;
use core::ops::Deref;
use core::str::{self, FromStr};

use crate::error::Error;

mod alphabet;

use alphabet::{BASE32, BASE36, BASE58, BASE58_FLICKR, BASE62, DECIMAL, HEX, Z_BASE32};
use alphabet::{read_checked, write_checked, write_decimal};

/// A text form of IDs. Every form covers all 64-bit numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextForm {
    /// Decimal without leading zeros, 1 to 20 digits: `1541815603606036480`.
    Decimal,
    /// Lower-case hexadecimal, always 16 digits, sortable: `1565a1c2b8c02000`.
    Hex,
    /// Crockford's base 32 in upper case, always 13 symbols, sortable; no `I`, `L`, `O` or `U`.
    Base32,
    /// [`TextForm::Base32`] with Crockford's check symbol (modulo 37), always 14 symbols, sortable.
    /// It detects every single wrong symbol, and every swap of two neighbours among the first 13.
    Base32Check,
    /// The number in z-base-32's alphabet, as bwmarrin's `snowflake` writes `Base32`: 1 to 13
    /// symbols, without leading `y`. It is not the z-base-32 encoding of the eight bytes.
    ZBase32,
    /// Digits and lower-case letters, 1 to 13 symbols, without leading zeros.
    Base36,
    /// The number in Bitcoin's alphabet, 1 to 11 symbols, without leading `1`. It is not Bitcoin's
    /// encoding of the eight bytes, which writes each leading zero byte as `1`.
    Base58,
    /// The number in Flickr's alphabet (lower case first), as bwmarrin's `snowflake` writes
    /// `Base58`: 1 to 11 symbols, without leading `1`.
    Base58Flickr,
    /// Digits, upper-case, then lower-case letters (ASCII order), always 11 symbols, sortable.
    Base62,
}

/// Writes the form's name.
impl fmt::Display for TextForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Parses a form's exact name.
impl FromStr for TextForm {
    type Err = Error;

    fn from_str(name: &str) -> Result<TextForm, Error> {
        TextForm::from_name(name).ok_or(Error::UnknownTextForm)
    }
}

impl TextForm {
    /// Every form, in the order of declaration.
    pub const ALL: &'static [TextForm] = &[
        TextForm::Decimal,
        TextForm::Hex,
        TextForm::Base32,
        TextForm::Base32Check,
        TextForm::ZBase32,
        TextForm::Base36,
        TextForm::Base58,
        TextForm::Base58Flickr,
        TextForm::Base62,
    ];

    /// Returns the stable name, the same in every language.
    pub const fn name(self) -> &'static str {
        self.facts().0
    }

    /// Returns the form with this exact [`name`](TextForm::name), or `None` if there is none.
    pub fn from_name(name: &str) -> Option<TextForm> {
        TextForm::ALL.iter().copied().find(|form| form.name() == name)
    }

    /// Returns the number of symbols if all texts of the form have the same, otherwise `None`.
    pub const fn width(self) -> Option<u32> {
        self.facts().1
    }

    /// Returns true if texts in byte order are IDs in numeric order, as in all forms of fixed
    /// width.
    pub const fn is_sortable(self) -> bool {
        self.width().is_some()
    }

    /// Returns the allowed lengths, in words that follow "should have": `exactly 13`, `1 to 20`.
    pub const fn length_rule(self) -> &'static str {
        self.facts().2
    }

    /// Returns the name, the width and the length rule.
    const fn facts(self) -> (&'static str, Option<u32>, &'static str) {
        match self {
            TextForm::Decimal => ("dec", None, "1 to 20"),
            TextForm::Hex => ("hex", Some(16), "exactly 16"),
            TextForm::Base32 => ("base32", Some(13), "exactly 13"),
            TextForm::Base32Check => ("base32-check", Some(14), "exactly 14"),
            TextForm::ZBase32 => ("z-base32", None, "1 to 13"),
            TextForm::Base36 => ("base36", None, "1 to 13"),
            TextForm::Base58 => ("base58", None, "1 to 11"),
            TextForm::Base58Flickr => ("base58-flickr", None, "1 to 11"),
            TextForm::Base62 => ("base62", Some(11), "exactly 11"),
        }
    }

    /// Returns the digits' symbols, from 0 on. A check symbol may also be one of `*~$=U`.
    pub const fn alphabet(self) -> &'static str {
        match self {
            TextForm::Decimal => const { DECIMAL.as_str() },
            TextForm::Hex => const { HEX.as_str() },
            TextForm::Base32 | TextForm::Base32Check => const { BASE32.as_str() },
            TextForm::ZBase32 => const { Z_BASE32.as_str() },
            TextForm::Base36 => const { BASE36.as_str() },
            TextForm::Base58 => const { BASE58.as_str() },
            TextForm::Base58Flickr => const { BASE58_FLICKR.as_str() },
            TextForm::Base62 => const { BASE62.as_str() },
        }
    }

    /// Writes an ID. Never fails and allocates nothing.
    #[inline]
    pub fn format(self, id: u64) -> Text {
        match self {
            TextForm::Decimal => write_decimal(id),
            TextForm::Hex => HEX.write::<16>(id),
            TextForm::Base32 => BASE32.write::<13>(id),
            TextForm::Base32Check => write_checked(id),
            TextForm::ZBase32 => Z_BASE32.write_short::<13>(id),
            TextForm::Base36 => BASE36.write_short::<13>(id),
            TextForm::Base58 => BASE58.write_short::<11>(id),
            TextForm::Base58Flickr => BASE58_FLICKR.write_short::<11>(id),
            TextForm::Base62 => BASE62.write::<11>(id),
        }
    }

    /// Reads an ID: the text that [`format`](TextForm::format) writes, and other spellings that can
    /// only mean one number. These are leading zeros in a form of variable width, up to its longest
    /// text, and the other case, if the alphabet has only one (hex, base36, Crockford's).
    /// Crockford's also reads `I`, `L` and `O` as 1, 1 and 0.
    ///
    /// `format(id)` may therefore differ from the text, so compare and store the result of
    /// `format`. Any input is safe.
    ///
    /// # Errors
    /// The first of these that applies; a check symbol is checked after the other symbols:
    /// - [`Error::TextLength`]: the form never has this number of bytes;
    /// - [`Error::InvalidText`]: a symbol outside the alphabet (the first one, by byte offset);
    /// - [`Error::TextOverflow`]: above `u64::MAX`;
    /// - [`Error::TextCheck`]: the check symbol belongs to another number.
    #[inline]
    pub fn parse(self, text: &str) -> Result<u64, Error> {
        match self {
            TextForm::Decimal => DECIMAL.read_short::<20>(self, text),
            TextForm::Hex => HEX.read::<16>(self, text),
            TextForm::Base32 => BASE32.read::<13>(self, text),
            TextForm::Base32Check => read_checked(text),
            TextForm::ZBase32 => Z_BASE32.read_short::<13>(self, text),
            TextForm::Base36 => BASE36.read_short::<13>(self, text),
            TextForm::Base58 => BASE58.read_short::<11>(self, text),
            TextForm::Base58Flickr => BASE58_FLICKR.read_short::<11>(self, text),
            TextForm::Base62 => BASE62.read::<11>(self, text),
        }
    }
}

/// Guesses the form of a text. If the result is `None`, let the caller name the form.
///
/// The first rule that applies wins:
/// 1. 1 to 20 digits without a leading zero are [`TextForm::Decimal`], even above 64 bits, because
///    they cannot be anything else.
/// 2. Otherwise the text is of a form of fixed width: 16 lower-case hexadecimal digits, 13 symbols
///    of Crockford's alphabet, 14 with the right check symbol, or 11 letters and digits. The last
///    only counts if base 58 does not write such a text in either alphabet. Of today's IDs, it
///    could write half of those in base 62, and all of those in base 58.
///
/// z-base-32, base 36 and both forms of base 58 are never guessed, because their texts look alike.
/// A text of base 36 with exactly 11 symbols is taken for base 62 if it contains a symbol that base
/// 58 does not have. If you use these forms, name them.
pub fn detect(text: &str) -> Option<TextForm> {
    let is_plain = text == "0" || !text.starts_with('0');
    if (1..=20).contains(&text.len()) && is_plain && text.bytes().all(|b| b.is_ascii_digit()) {
        return Some(TextForm::Decimal);
    }
    let writes = |form: TextForm| form.parse(text).is_ok_and(|id| form.format(id).as_str() == text);
    let form =
        TextForm::ALL.iter().copied().find(|&form| form.width().is_some() && writes(form))?;
    let is_ambiguous = form == TextForm::Base62
        && [TextForm::Base58, TextForm::Base58Flickr].into_iter().any(writes);
    (!is_ambiguous).then_some(form)
}

/// An ID as text, stored inline, as [`TextForm::format`] returns it. ASCII, 1 to 20 bytes.
#[derive(Clone, Copy)]
#[repr(align(8))]
pub struct Text {
    /// The text is at the end. The first byte says where it begins, and zeros lie between. So the
    /// whole buffer is ASCII in aligned words, the shape that `from_utf8` checks fastest.
    buffer: [u8; 32],
}

impl Text {
    /// Returns the text.
    #[inline]
    pub fn as_str(&self) -> &str {
        // It cannot fail, but safe code must check it.
        str::from_utf8(&self.buffer).ok().and_then(|text| text.get(self.start()..)).unwrap_or("")
    }

    /// Returns the text's bytes, which are ASCII. Cheaper than `as_str`, which checks them.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        self.buffer.get(self.start()..).unwrap_or_default()
    }

    /// Creates a text of the last `length` bytes of the words, in little-endian order.
    fn new(words: [u64; 3], length: u8) -> Text {
        let start = 32_u8.wrapping_sub(length);
        let mut buffer = [0; 32];
        if let ([a, b, c, d], _) = buffer.as_chunks_mut::<8>() {
            *a = u64::from(start).to_le_bytes();
            [*b, *c, *d] = words.map(u64::to_le_bytes);
        }
        Text { buffer }
    }

    fn start(&self) -> usize {
        self.buffer[0].into()
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for Text {}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

#[cfg(test)]
#[allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]
mod tests;
