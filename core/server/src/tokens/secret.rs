//! The text of a token, and the digest that is kept of it.

use std::fmt;

use sha2::{Digest as _, Sha256};
use snowmint::{Result, TextForm};
use subtle::ConstantTimeEq;

use crate::errors;

/// The prefix of our tokens, so that secret scanners can recognise them.
const PREFIX: &str = "smt_";
/// The most bytes of a token. Nothing longer is hashed.
pub const MAX_BYTES: usize = 256;
/// The bytes of a digest that serve as lookup key.
const START: usize = 8;

/// Creates a token: 128 random bits in 22 base-62 symbols.
///
/// # Errors
/// [`Code::NoResource`](snowmint::Code::NoResource) if the system has no random numbers.
pub fn random() -> Result<String> {
    let half = || getrandom::u64().map_err(errors::system::random_numbers_missing);
    let form = TextForm::Base62;
    Ok(format!("{PREFIX}{}{}", form.format(half()?), form.format(half()?)))
}

/// Returns true if a text is a token, which must not be repeated in messages.
pub(crate) fn is_one(text: &str) -> bool {
    text.starts_with(PREFIX)
}

/// The SHA-256 of a token. A fast hash is enough, because the token is random.
#[derive(Clone, Copy)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Returns `None` for a text that cannot be a token: empty or too long.
    pub fn new(token: &[u8]) -> Option<Digest> {
        let fits = (1..=MAX_BYTES).contains(&token.len());
        fits.then(|| Digest(Sha256::digest(token).into()))
    }

    /// Parses 64 hexadecimal digits.
    pub(crate) fn from_hex(text: &str) -> Option<Digest> {
        let digits = text.as_bytes();
        if digits.len() != 64 || !digits.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
        let mut bytes = [0; 32];
        for (place, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(text.get(2 * place..2 * place + 2)?, 16).ok()?;
        }
        Some(Digest(bytes))
    }

    /// Returns the lookup key. The time of a lookup reveals something of the digest, but nothing of
    /// the token.
    pub(crate) fn start(&self) -> [u8; START] {
        std::array::from_fn(|place| self.0.get(place).copied().unwrap_or_default())
    }

    /// Compares in constant time.
    pub(crate) fn is(&self, other: &Digest) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

/// The form of the file.
impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Digest")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_random_and_can_be_told() {
        let (first, second) = (random().unwrap(), random().unwrap());
        assert_ne!(first, second);
        for token in [first, second] {
            let symbols = token.strip_prefix(PREFIX).unwrap();
            assert_eq!(symbols.len(), 22, "{token}");
            assert!(symbols.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{token}");
        }
    }

    #[test]
    fn a_digest_is_the_one_of_the_standard() {
        let digest = Digest::new(b"abc").unwrap();
        let hex = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest.to_string(), hex);
        assert!(Digest::from_hex(&hex.to_uppercase()).unwrap().is(&digest));
        assert!(!Digest::new(b"abd").unwrap().is(&digest));
        assert!(!format!("{digest:?}").contains("ba78"));
    }

    #[test]
    fn a_malformed_token_or_digest_is_refused() {
        assert!(Digest::new(b"").is_none());
        assert!(Digest::new(&[b'x'; MAX_BYTES]).is_some());
        assert!(Digest::new(&[b'x'; MAX_BYTES + 1]).is_none());
        let hex = "0".repeat(64);
        assert!(Digest::from_hex(&hex).is_some());
        for wrong in [&hex[1..], &format!("{hex}0"), &hex.replace('0', "g"), &"é".repeat(32)] {
            assert!(Digest::from_hex(wrong).is_none(), "{wrong}");
        }
        assert!(Digest::from_hex(&format!("+{}", &hex[1..])).is_none());
    }
}
