//! IDs as text: nine forms, each with one canonical spelling of every number.
//!
//! Formatting writes into a fixed buffer and allocates nothing, one spelling for each number, so
//! that an ID compared as text, used as a key or found in a log has one name. Parsing is lenient
//! where only one number can be meant: other programs pad with zeros, or write the other case.

use core::fmt;
use core::ops::Deref;
use core::str::{self, FromStr};

use crate::error::Error;

mod alphabet;

use alphabet::{BASE32, BASE36, BASE58, BASE58_FLICKR, BASE62, DECIMAL, HEX, Z_BASE32};
use alphabet::{read_checked, write_checked, write_decimal};

/// How an ID is written as text. Every form covers all 64-bit numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextForm {
    /// Decimal without leading zeros, 1 to 20 digits: `1541815603606036480`.
    Decimal,
    /// Lower-case hexadecimal, always 16 digits, sortable: `1565a1c2b8c02000`.
    Hex,
    /// Crockford's base 32 in upper case, always 13 symbols, sortable; no `I`, `L`, `O` or `U`.
    Base32,
    /// [`TextForm::Base32`] and Crockford's check symbol (modulo 37), always 14 symbols, sortable.
    /// Finds every single wrong symbol and every swap of two neighbouring ones of the first 13.
    Base32Check,
    /// z-base-32's alphabet over the number, as bwmarrin's `snowflake` writes `Base32`: 1 to 13
    /// symbols, without leading `y`. Not z-base-32 of the eight bytes.
    ZBase32,
    /// Digits and lower-case letters, 1 to 13 symbols, without leading zeros.
    Base36,
    /// The number in Bitcoin's alphabet, 1 to 11 symbols, without leading `1`. Not Bitcoin's
    /// encoding of the eight bytes, where each leading zero byte is a `1`.
    Base58,
    /// The number in Flickr's alphabet (lower case first), as bwmarrin's `snowflake` writes
    /// `Base58`: 1 to 11 symbols, without leading `1`.
    Base58Flickr,
    /// Digits, upper-case, then lower-case letters (ASCII order), always 11 symbols, sortable.
    Base62,
}

/// Its name.
impl fmt::Display for TextForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A form's name, spelled exactly so.
impl FromStr for TextForm {
    type Err = Error;

    fn from_str(name: &str) -> Result<TextForm, Error> {
        TextForm::from_name(name).ok_or(Error::UnknownTextForm)
    }
}

impl TextForm {
    /// Every form, in the order of their declaration.
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

    /// The stable name, the same in every language.
    pub const fn name(self) -> &'static str {
        self.facts().0
    }

    /// The form of that [`name`](TextForm::name), spelled exactly so; `None` if there is none.
    pub fn from_name(name: &str) -> Option<TextForm> {
        TextForm::ALL.iter().copied().find(|form| form.name() == name)
    }

    /// The number of symbols, where every text of the form has the same; else `None`.
    pub const fn width(self) -> Option<u32> {
        self.facts().1
    }

    /// Whether texts in byte order are IDs in numeric order: so in all forms of fixed width.
    pub const fn is_sortable(self) -> bool {
        self.width().is_some()
    }

    /// The lengths allowed, in words that follow "should have": `exactly 13`, `1 to 20`.
    pub const fn length_rule(self) -> &'static str {
        self.facts().2
    }

    /// Name, width, length rule.
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

    /// The digits' symbols, that of 0 first. A check symbol may also be one of `*~$=U`.
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

    /// Reads an ID: what [`format`](TextForm::format) writes, and other spellings that can mean
    /// only one number. Those are leading zeros in a form of variable width, up to its longest
    /// text; the other case where the alphabet has only one (hex, base36, Crockford's); and
    /// Crockford's `I`, `L` and `O` for 1, 1 and 0. So `format(id)` may be another text: compare
    /// and store what `format` gives. Any text is safe to give.
    ///
    /// # Errors
    /// The first of these that holds; for a check symbol only after the symbols before it:
    /// - [`Error::TextLength`]: a number of bytes the form never has;
    /// - [`Error::InvalidText`]: a symbol outside the alphabet (the first one, by byte offset);
    /// - [`Error::TextOverflow`]: above `u64::MAX`;
    /// - [`Error::TextCheck`]: the check symbol is that of another number.
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

/// The form a bare text most likely has, or `None`: then let the caller name it. A guess.
///
/// The rules, the first that holds wins:
/// 1. 1 to 20 digits without a leading zero: [`TextForm::Decimal`], even if it is above 64 bits,
///    for it can be nothing else;
/// 2. otherwise what a form of fixed width writes: 16 lower-case hexadecimal digits, 13 symbols of
///    Crockford's alphabet, 14 with the right check symbol, 11 letters and digits.
///
/// z-base-32, base 36 and both base 58 are never guessed: their texts are alike. One of them with
/// exactly 11 symbols is taken for base 62, so name the form where these are in use.
pub fn detect(text: &str) -> Option<TextForm> {
    let is_plain = text == "0" || !text.starts_with('0');
    if (1..=20).contains(&text.len()) && is_plain && text.bytes().all(|b| b.is_ascii_digit()) {
        return Some(TextForm::Decimal);
    }
    let writes = |form: TextForm| form.parse(text).is_ok_and(|id| form.format(id).as_str() == text);
    TextForm::ALL.iter().copied().find(|&form| form.width().is_some() && writes(form))
}

/// An ID as text, held in place: what [`TextForm::format`] gives. ASCII, 1 to 20 bytes.
#[derive(Clone, Copy)]
#[repr(align(8))]
pub struct Text {
    /// The text stands at the end; the first byte says where it begins, and zeros lie between.
    /// So the whole is ASCII in aligned words, the shape that `from_utf8` checks fastest.
    buffer: [u8; 32],
}

impl Text {
    /// The text.
    #[inline]
    pub fn as_str(&self) -> &str {
        // It cannot fail; without `unsafe` it is checked all the same.
        str::from_utf8(&self.buffer).ok().and_then(|text| text.get(self.start()..)).unwrap_or("")
    }

    /// The text's bytes, ASCII. Cheaper than `as_str`, which checks that they are.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        self.buffer.get(self.start()..).unwrap_or_default()
    }

    /// The last `length` bytes of the words, whose lower bytes come first.
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
mod tests {
    use std::format;
    use std::string::{String, ToString};

    use proptest::prelude::*;

    use super::*;

    /// The plain twin: repeated division, symbols put in front of a string.
    fn plain_format(form: TextForm, id: u64) -> String {
        let symbols = form.alphabet().as_bytes();
        let digits =
            form.width().unwrap_or(1) as usize - usize::from(form == TextForm::Base32Check);
        let mut text = String::new();
        let mut rest = id;
        while rest > 0 || text.len() < digits {
            text.insert(0, symbols[(rest % symbols.len() as u64) as usize].into());
            rest /= symbols.len() as u64;
        }
        if form == TextForm::Base32Check {
            text.push(char::from(b"0123456789ABCDEFGHJKMNPQRSTVWXYZ*~$=U"[(id % 37) as usize]));
        }
        text
    }

    /// The plain twin: whatever the digits mean in 128 bits, if that is written so.
    fn plain_parse(form: TextForm, text: &str) -> Option<u64> {
        let symbols = form.alphabet();
        if text.len() > plain_format(form, u64::MAX).len() {
            return None;
        }
        let text = plain_respell(form, text);
        let digits = if form == TextForm::Base32Check {
            text.get(..13)?
        } else {
            text.get(..20).unwrap_or(&text)
        };
        let number = digits.chars().try_fold(0_u128, |number, symbol| {
            Some(number * symbols.len() as u128 + symbols.find(symbol)? as u128)
        })?;
        u64::try_from(number).ok().filter(|&id| plain_format(form, id) == text)
    }

    /// The plain twin of leniency: the spelling that `format` would have chosen.
    fn plain_respell(form: TextForm, text: &str) -> String {
        let crockford = || text.to_uppercase().replace(['I', 'L'], "1").replace('O', "0");
        let folded = match form {
            TextForm::Hex | TextForm::Base36 => text.to_ascii_lowercase(),
            TextForm::Base32 | TextForm::Base32Check => crockford(),
            _ => text.into(),
        };
        let zero = &form.alphabet()[..1];
        match (form.width(), folded.trim_start_matches(zero)) {
            (Some(_), _) => folded,
            (None, "") if !folded.is_empty() => zero.into(),
            (None, digits) => digits.into(),
        }
    }

    fn form() -> impl Strategy<Value = TextForm> {
        prop::sample::select(TextForm::ALL)
    }

    /// IDs of every magnitude: uniform ones have nearly always all their digits.
    fn id() -> impl Strategy<Value = u64> {
        prop_oneof![
            (any::<u64>(), 0..64_u32).prop_map(|(bits, shift)| bits >> shift),
            (0..64_u32, -2..=1_i64).prop_map(|(bit, by)| (1_u64 << bit).wrapping_add_signed(by)),
            (0..20_u32, -2..=1_i64).prop_map(|(exp, by)| 10_u64.pow(exp).wrapping_add_signed(by)),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn formats_as_the_plain_twin_and_reads_back(form in form(), id in id()) {
            let text = form.format(id);
            prop_assert_eq!(&*text, plain_format(form, id));
            prop_assert_eq!(form.parse(&text), Ok(id));
        }

        #[test]
        fn parses_as_the_plain_twin(form in form(), text in "[0-9A-Za-z*~$=é-]{0,21}|\\PC{0,16}") {
            prop_assert_eq!(form.parse(&text).ok(), plain_parse(form, &text));
        }

        #[test]
        fn parses_near_misses_as_the_plain_twin(
            form in form(), id in id(), at in any::<prop::sample::Index>(), to in any::<char>(),
            ascii in "[ -~]", op in 0..5,
        ) {
            let mut text = form.format(id).to_string();
            let at = at.index(text.len());
            match op {
                0 => text.replace_range(at..=at, &ascii),
                1 => text.insert(at, to),
                2 => text.insert_str(at, &ascii),
                3 => text = text.to_lowercase(),
                _ => text.insert(0, char::from(form.alphabet().as_bytes()[0])),
            }
            let parsed = form.parse(&text);
            prop_assert_eq!(parsed.ok(), plain_parse(form, &text));
            if let Err(Error::InvalidText { at, .. }) = parsed {
                let wrong = text[at as usize..].chars().next().unwrap(); // on a char's boundary
                prop_assert!(!form.alphabet().contains(wrong));
            }
        }

        #[test]
        fn sortable_forms_sort(form in form(), a in id(), b in id()) {
            if form.is_sortable() {
                prop_assert_eq!(form.format(a).cmp(&form.format(b)), a.cmp(&b));
            }
        }

        #[test]
        fn the_check_symbol_finds_slips(id in id(), at in 0..12_usize, to in 0..32_usize) {
            let form = TextForm::Base32Check;
            let right = form.format(id).to_string();
            let mut wrong = right.clone();
            wrong.replace_range(at..=at, &form.alphabet()[to..=to]);
            prop_assert!(wrong == right || form.parse(&wrong).is_err());
            let mut swapped = right.clone();
            swapped.insert_str(at + 2, &right[at..=at]);
            swapped.remove(at);
            prop_assert!(swapped == right || form.parse(&swapped).is_err());
        }

        #[test]
        fn detects_what_parses(text in "\\PC{0,20}", form in form(), id in id()) {
            for text in [text.as_str(), &form.format(id)] {
                let found = detect(text);
                prop_assert!(found.is_none_or(|f| f == TextForm::Decimal
                    || f.parse(text).is_ok_and(|id| &*f.format(id) == text)));
            }
        }
    }

    #[test]
    fn known_texts() {
        use TextForm::*;
        for (form, id, text) in [
            (Decimal, u64::MAX, "18446744073709551615"),
            (Decimal, 0, "0"),
            (Hex, 0x15D4, "00000000000015d4"),
            (Hex, u64::MAX, "ffffffffffffffff"),
            (Base32, u64::MAX, "FZZZZZZZZZZZZ"),
            (Base32Check, 1234, "000000000016JD"), // 16JD, the example of Crockford's page
            (Base32Check, 36, "0000000000014U"),
            (ZBase32, 1_427_970_479_175_499_776, "b8wjm1zroyyyy"), // bwmarrin's tests
            (ZBase32, 0, "y"),
            (ZBase32, u64::MAX, "x999999999999"),
            (Base36, u64::MAX, "3w5e11264sgsf"),
            (Base58, 0, "1"),
            (Base58, u64::MAX, "jpXCZedGfVQ"),
            (Base58Flickr, 1_428_076_403_798_048_768, "4jgmnx8Js8A"), // bwmarrin's tests
            (Base62, 61, "0000000000z"),
            (Base62, u64::MAX, "LygHa16AHYF"),
        ] {
            assert_eq!((form.format(id).as_str(), form.parse(text)), (text, Ok(id)));
        }
    }

    /// As CosId pads and capitals come of other programs.
    #[test]
    fn reads_other_spellings_of_one_number() {
        use TextForm::*;
        for (form, text, id) in [
            (Decimal, "01", 1),
            (Decimal, "00000000000000000000", 0),
            (Hex, "000000000000ABcd", 0xABCD),
            (Base32, "000000000000o", 0),
            (Base32, "fzzzzzzzzzzzz", u64::MAX),
            (Base32, "00000000000iL", 33),
            (Base32Check, "000000000016Jd", 1234),
            (Base32Check, "00000000ooo14u", 36),
            (ZBase32, "yb", 1),
            (Base36, "A", 10),
            (Base36, "000000000000A", 10),
            (Base36, "3W5E11264SGSF", u64::MAX),
            (Base58, "1z", 57),
            (Base58Flickr, "1Z", 57),
        ] {
            assert_eq!(form.parse(text), Ok(id), "{form:?} {text:?}");
            assert_ne!(&*form.format(id), text, "{form:?}");
        }
    }

    #[test]
    fn refusals_say_why() {
        use TextForm::*;
        for (form, text, error) in [
            (Decimal, "", Error::TextLength { form: Decimal, length: 0 }),
            (Decimal, "184467440737095516150", Error::TextLength { form: Decimal, length: 21 }),
            (Decimal, "18446744073709551616", Error::TextOverflow { form: Decimal }),
            (Decimal, "+1", Error::InvalidText { form: Decimal, at: 0 }),
            (Hex, "00000000000ABcdg", Error::InvalidText { form: Hex, at: 15 }),
            (Base32, "G000000000000", Error::TextOverflow { form: Base32 }),
            (Base32, "000000000000U", Error::InvalidText { form: Base32, at: 12 }),
            (Base32, "0000000000é0", Error::InvalidText { form: Base32, at: 10 }),
            (Base32Check, "000000000016JE", Error::TextCheck { expected: 'D' }),
            (Base32Check, "000000000016J!", Error::InvalidText { form: Base32Check, at: 13 }),
            (Base32Check, "00000000016JU0", Error::InvalidText { form: Base32Check, at: 12 }),
            (ZBase32, "B", Error::InvalidText { form: ZBase32, at: 0 }),
            (ZBase32, "o999999999999", Error::TextOverflow { form: ZBase32 }),
            (Base36, "3w5e11264sgsg", Error::TextOverflow { form: Base36 }),
            (Base58, "zzzzzzzzzzz", Error::TextOverflow { form: Base58 }),
            (Base58Flickr, "4l", Error::InvalidText { form: Base58Flickr, at: 1 }),
            (Base62, "LygHa16AHYG", Error::TextOverflow { form: Base62 }),
        ] {
            assert_eq!(form.parse(text), Err(error), "{form:?} {text:?}");
        }
    }

    #[test]
    fn describes_itself() {
        for &form in TextForm::ALL {
            assert_eq!(TextForm::from_name(form.name()), Some(form));
            let (least, most) = (form.format(0).len(), form.format(u64::MAX).len());
            let rule = if least == most {
                format!("exactly {most}")
            } else {
                format!("{least} to {most}")
            };
            assert_eq!(form.length_rule(), rule);
            assert_eq!(form.width(), (least == most).then_some(most as u32));
        }
        assert_eq!(TextForm::from_name("Hex"), None);
        let text = TextForm::Decimal.format(7);
        assert_eq!((format!("{text:>3}|{text:?}"), text), ("  7|\"7\"".into(), text));
    }

    #[test]
    fn detects_by_its_rules() {
        for (text, form) in [
            ("0", Some(TextForm::Decimal)),
            ("1541815603606036480", Some(TextForm::Decimal)),
            ("99999999999999999999", Some(TextForm::Decimal)),
            ("1234567890123456", Some(TextForm::Decimal)),
            ("0123456789012345", Some(TextForm::Hex)),
            ("00000000000016J", None),
            ("FZZZZZZZZZZZZ", Some(TextForm::Base32)),
            ("GZZZZZZZZZZZZ", None),
            ("000000000016JD", Some(TextForm::Base32Check)),
            ("000000000016JE", None),
            ("LygHa16AHYF", Some(TextForm::Base62)),
            ("LygHa16AHYG", None),
            ("", None),
            ("01", None),
            ("abc", None),
        ] {
            assert_eq!(detect(text), form, "{text:?}");
        }
    }
}
