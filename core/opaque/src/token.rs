//! Tokens as text: `order_`, the key's symbol, and the block.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::str;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use base64::{DecodeError, DecodeSliceError};

use crate::base32;
use crate::error::{Error, Result};
use crate::symbol::{MAX_KEYS, Symbol};

/// The maximum length of a type's name, in bytes.
pub const MAX_TYPE_LENGTH: usize = 32;

/// The length of the longest token and a few bytes more: a multiple of the size of registers.
const CAPACITY: usize = 64;
const _: () = assert!(MAX_TYPE_LENGTH + 2 + base32::WIDTH <= CAPACITY);

/// The width of a block in base64 without padding: 22 symbols, the last with two bits.
const BASE64_WIDTH: usize = 22;

/// The alphabet of a token's block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TokenForm {
    /// 26 symbols of Crockford's base 32 in lower case: no two look alike, a double click selects
    /// the whole token, and you can read it aloud.
    #[default]
    Crockford,
    /// 22 symbols of base64 for URLs: letters of both cases, digits, `-` and `_`.
    Base64Url,
}

impl TokenForm {
    /// Returns the number of symbols of a block.
    pub const fn width(self) -> usize {
        match self {
            TokenForm::Crockford => base32::WIDTH,
            TokenForm::Base64Url => BASE64_WIDTH,
        }
    }
}

/// The text of a token or of another form, stored inline without allocating.
#[derive(Clone, Copy)]
pub struct PublicId {
    /// The text is at the end, so that a block always has the same position.
    bytes: [u8; CAPACITY],
    start: u8,
}

impl PublicId {
    /// Returns the common part of the tokens of a type and a key.
    pub(crate) fn template(prefix: &Prefix, symbol: Symbol, form: TokenForm) -> PublicId {
        let mut bytes = [b'0'; CAPACITY];
        let at = CAPACITY - form.width() - 1;
        let start = at - prefix.0.len();
        bytes[start..at].copy_from_slice(prefix.0.as_bytes());
        bytes[at] = symbol.byte();
        PublicId { bytes, start: start as u8 }
    }

    /// Fills in a block.
    #[inline]
    pub(crate) fn with(mut self, block: u128, form: TokenForm) -> PublicId {
        match form {
            TokenForm::Crockford => {
                let symbols = self.bytes.last_chunk_mut().expect("shorter than a token");
                base32::write(block, symbols);
            }
            TokenForm::Base64Url => {
                let symbols = &mut self.bytes[CAPACITY - BASE64_WIDTH..];
                let written = URL_SAFE_NO_PAD.encode_slice(block.to_be_bytes(), symbols);
                written.expect("16 bytes take 22 symbols");
            }
        }
        self
    }

    /// Stores the text of another form, which is not longer than the longest token.
    pub(crate) fn of_text(text: &str) -> PublicId {
        let start = CAPACITY - text.len();
        let mut bytes = [b'0'; CAPACITY];
        bytes[start..].copy_from_slice(text.as_bytes());
        PublicId { bytes, start: start as u8 }
    }

    /// Returns the text.
    #[inline]
    pub fn as_str(&self) -> &str {
        str::from_utf8(self.as_bytes()).expect("ASCII symbols")
    }

    /// Returns the text as bytes, for callers that accept ASCII without checking it again.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[usize::from(self.start)..]
    }
}

/// Checks that a type may have this name.
///
/// # Errors
/// [`Error::InvalidType`].
pub fn check_type(kind: &str) -> Result<()> {
    Prefix::of(kind).map(drop)
}

/// The start of all tokens of a type: its name and an underscore.
pub(crate) struct Prefix(String);

impl Prefix {
    pub(crate) fn of(kind: &str) -> Result<Prefix> {
        let plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_');
        let is_name = kind.len() <= MAX_TYPE_LENGTH
            && kind.starts_with(|first: char| first.is_ascii_lowercase())
            && !kind.ends_with('_')
            && kind.bytes().all(plain);
        if is_name { Ok(Prefix(format!("{kind}_"))) } else { Err(Error::InvalidType) }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn kind(&self) -> &str {
        self.0.strip_suffix('_').unwrap_or(&self.0)
    }

    /// Reads a token, and returns the index of the key's symbol, and the block.
    #[inline]
    pub(crate) fn read(&self, text: &str, form: TokenForm) -> Result<(usize, u128)> {
        match form {
            TokenForm::Crockford => self.read_base32(text),
            TokenForm::Base64Url => self.read_base64(text),
        }
    }

    #[inline]
    fn read_base32(&self, text: &str) -> Result<(usize, u128)> {
        let [key, symbols @ ..] = self.body::<{ base32::WIDTH + 1 }>(text)?;
        let (block, seen) = base32::read(symbols);
        let place = base32::value(*key);
        if !base32::is_valid(seen | place) {
            return Err(base32::refuse(*key, symbols, self.0.len()));
        }
        Ok((place.into(), block))
    }

    fn read_base64(&self, text: &str) -> Result<(usize, u128)> {
        let [key, symbols @ ..] = self.body::<{ BASE64_WIDTH + 1 }>(text)?;
        let place = usize::from(base32::value(*key));
        if place >= MAX_KEYS {
            return Err(Error::Symbol { at: self.0.len() });
        }
        let mut block = [0; 16];
        match URL_SAFE_NO_PAD.decode_slice(symbols, &mut block) {
            Ok(_) => Ok((place, u128::from_be_bytes(block))),
            Err(error) => Err(Error::Symbol { at: self.0.len() + 1 + wrong_symbol(&error) }),
        }
    }

    /// Returns the text after the prefix.
    #[inline]
    fn body<'a, const WIDTH: usize>(&self, text: &'a str) -> Result<&'a [u8; WIDTH]> {
        match text.as_bytes().split_last_chunk::<WIDTH>() {
            Some((prefix, body)) if prefix == self.0.as_bytes() => Ok(body),
            _ => Err(self.refuse(text, WIDTH)),
        }
    }

    /// Returns the error of a text that does not consist of the prefix and `width` bytes.
    #[cold]
    fn refuse(&self, text: &str, width: usize) -> Error {
        let expected = self.0.len() + width;
        let begins = |text: &str| text.starts_with(&self.0);
        let other_type = || {
            let name = text.len().checked_sub(width).and_then(|at| text.get(..at));
            name.and_then(|name| name.strip_suffix('_'))
                .is_some_and(|name| Prefix::of(name).is_ok())
        };
        if begins(text) && !other_type() {
            Error::Length { length: text.len(), expected }
        } else if text.len() == expected && begins(&text.to_ascii_lowercase()) {
            Error::NotCanonical
        } else {
            Error::WrongType { prefix: self.0.clone() }
        }
    }
}

/// Returns the index of the wrong symbol, which is the last one if padding or the length is wrong.
fn wrong_symbol(error: &DecodeSliceError) -> usize {
    match error {
        DecodeSliceError::DecodeError(
            DecodeError::InvalidByte(at, _) | DecodeError::InvalidLastSymbol { offset: at, .. },
        ) => *at,
        _ => BASE64_WIDTH - 1,
    }
}

impl Deref for PublicId {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for PublicId {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl Borrow<str> for PublicId {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl From<PublicId> for String {
    fn from(token: PublicId) -> String {
        token.as_str().to_owned()
    }
}

impl fmt::Display for PublicId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for PublicId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl PartialEq for PublicId {
    fn eq(&self, other: &PublicId) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for PublicId {}

impl PartialOrd for PublicId {
    fn partial_cmp(&self, other: &PublicId) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for PublicId {
    fn cmp(&self, other: &PublicId) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

/// Hashes like the text, as [`Borrow`] requires.
impl Hash for PublicId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}
