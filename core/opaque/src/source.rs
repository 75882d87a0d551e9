//! Detects keys given instead of a path or a variable's name, so that no message repeats them.

use std::env;
use std::path::Path;

use crate::error::{KeyFault, Result};
use crate::secret::MIN_KEY_BYTES;

/// The length of the shortest key in hexadecimal digits.
const HEX_DIGITS: usize = 2 * MIN_KEY_BYTES;
/// The length of the shortest key in base 64.
const BASE64_SYMBOLS: usize = (8 * MIN_KEY_BYTES).div_ceil(6);

/// Returns true if a text may be a document of keys, or a key. Messages then do not repeat it,
/// unless a file or a variable has that name.
///
/// It may be keys if it contains a line break, `{` or `=`, or a run of hexadecimal digits or base
/// 64 symbols as long as the shortest key.
pub fn may_be_keys(text: &str) -> bool {
    text.contains(['\n', '\r', '{', '=']) || has_hexadecimal(text) || has_base64(text)
}

/// Checks that a setting names a place of keys for
/// [`PublicIdKeys::open`](crate::PublicIdKeys::open), and not the keys themselves. It does not read
/// there.
///
/// # Errors
/// [`KeyFault::Misplaced`].
pub fn check_source(source: &str) -> Result<()> {
    let is_there = || match source.strip_prefix("env:") {
        Some(name) => env::var_os(name).is_some(),
        None => Path::new(source).exists(),
    };
    if may_be_keys(source) && !is_there() { Err(KeyFault::Misplaced.into()) } else { Ok(()) }
}

/// Finds hexadecimal digits, also with colons or spaces between them.
fn has_hexadecimal(text: &str) -> bool {
    let mut run = 0;
    text.chars().filter(|symbol| !matches!(symbol, ':' | ' ')).any(|symbol| {
        run = if symbol.is_ascii_hexdigit() { run + 1 } else { 0 };
        run >= HEX_DIGITS
    })
}

/// Finds base 64. Names may be as long, but seldom have letters of both cases and digits.
fn has_base64(text: &str) -> bool {
    let is_symbol = |symbol: char| symbol.is_ascii_alphanumeric() || "+-_".contains(symbol);
    text.split(|symbol| !is_symbol(symbol)).any(|run| {
        run.len() >= BASE64_SYMBOLS
            && run.bytes().any(|symbol| symbol.is_ascii_lowercase())
            && run.bytes().any(|symbol| symbol.is_ascii_uppercase())
            && run.bytes().any(|symbol| symbol.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_told_from_names() {
        let keys = [
            "2b7e151628aed2a6abf7158809cf4f3c",
            "2B7E151628AED2A6ABF7158809CF4F3C",
            "2b:7e:15:16:28:ae:d2:a6:ab:f7:15:88:09:cf:4f:3c",
            "2b7e 1516 28ae d2a6 abf7 1588 09cf 4f3c",
            "key 2b7e151628aed2a6abf7158809cf4f3c of May",
            "K34VFiiu0qar9xWICc9PPA==",
            "K34VFiiu0qar9xWICc9PPA",
            "{",
            "[keys]\n",
            "[keys]\r",
            "current='2'",
        ];
        for text in keys {
            assert!(may_be_keys(text), "{text}");
        }
        let names = [
            "",
            "keys.toml",
            "/etc/snowmint/production-keys-of-the-shop.toml",
            r"C:\Program Files (x86)\Snowmint 2\keys of the shop.toml",
            "/Users/JohnSmith/Library/Application Support/MyShop2/keys",
            "/var/lib/pods/123e4567-e89b-12d3-a456-426614174000/keys.toml",
            "SNOWMINT_PUBLIC_ID_KEYS_OF_SHOP_2",
            "2b7e151628aed2a6abf7158809cf4f3",
        ];
        for text in names {
            assert!(!may_be_keys(text), "{text}");
        }
    }
}
