//! The identity of a key space.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

#[cfg(doc)]
use snowmint_engine::Code;

use super::errors;
use crate::error::{Error, Result};
use crate::host::{Random, System};

/// Tells what a URL accepts as a key space, in error messages.
pub(crate) const KEY_SPACE: &str = "the 32 hexadecimal digits of a key space";
const DIGITS: usize = 32;

/// The identity of a key space: 128 random bits, written as 32 hexadecimal digits.
///
/// A store draws it when its key space is begun, and returns it with each lease and range. A source
/// that was given something of one key space takes nothing of another.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeySpaceId(u128);

impl KeySpaceId {
    /// Draws a new identity.
    ///
    /// # Errors
    /// [`Code::NoResource`].
    pub(crate) fn drawn() -> Result<KeySpaceId> {
        System.token().map(u128::from_le_bytes).map(KeySpaceId)
    }
}

impl fmt::Display for KeySpaceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Debug for KeySpaceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeySpaceId({self})")
    }
}

impl FromStr for KeySpaceId {
    type Err = Error;

    fn from_str(text: &str) -> Result<KeySpaceId> {
        let digits = Some(text)
            .filter(|it| it.len() == DIGITS && it.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .and_then(|it| u128::from_str_radix(it, 16).ok());
        digits.map(KeySpaceId).ok_or_else(|| errors::key_spaces::no_key_space(text, DIGITS))
    }
}

/// The key space that a handle of a store is for: that of its URL, or else the first one seen.
#[derive(Debug, Default)]
pub(crate) struct KnownKeySpace {
    pinned: Option<KeySpaceId>,
    seen: OnceLock<KeySpaceId>,
}

impl KnownKeySpace {
    pub(crate) const fn new(pinned: Option<KeySpaceId>) -> KnownKeySpace {
        KnownKeySpace { pinned, seen: OnceLock::new() }
    }

    pub(crate) fn get(&self) -> Option<KeySpaceId> {
        self.pinned.or(self.seen.get().copied())
    }

    /// Checks that the key space found is the known one, before anything of it is used. The first
    /// one found becomes the known one.
    ///
    /// # Errors
    /// [`Code::IncarnationChanged`].
    pub(crate) fn check(&self, found: KeySpaceId) -> Result<()> {
        let known = self.get().unwrap_or_else(|| *self.seen.get_or_init(|| found));
        if known == found {
            return Ok(());
        }
        Err(errors::key_spaces::key_space_differs(found, known))
    }
}

#[cfg(test)]
mod tests {
    use snowmint_engine::Code;

    use super::*;

    #[test]
    fn an_identity_is_its_digits() {
        let text = "00112233445566778899aabbccddeeff";
        assert_eq!(text.parse::<KeySpaceId>().unwrap().to_string(), text);
        for wrong in [
            "",
            "0",
            &text[1..],
            "+0112233445566778899aabbccddeeff",
            "g0112233445566778899aabbccddeeff",
        ] {
            assert_eq!(wrong.parse::<KeySpaceId>().unwrap_err().code(), Code::InvalidParameter);
        }
        let drawn = [(); 2].map(|()| KeySpaceId::drawn().unwrap());
        assert_ne!(drawn[0], drawn[1]);
    }
}
