//! Keys given in the place of a path or of a variable's name: they are not repeated.

use std::env;
use std::path::Path;

use crate::error::{KeyFault, Result};
use crate::secret::MIN_KEY_BYTES;

/// The shortest key in hexadecimal digits.
const HEX_DIGITS: usize = 2 * MIN_KEY_BYTES;
/// The same in base 64.
const BASE64_SYMBOLS: usize = (8 * MIN_KEY_BYTES).div_ceil(6);

/// Whether a text may be a document of keys, or a key: then no message repeats it, unless a file or a
/// variable is called so.
///
/// It is where it has a line break, `{` or `=`, or as many hexadecimal digits or symbols of base 64 in
/// a row as the shortest key.
pub fn may_be_keys(text: &str) -> bool {
    text.contains(['\n', '\r', '{', '=']) || has_hexadecimal(text) || has_base64(text)
}

/// Whether a setting says where keys are, as [`PublicIdKeys::open`](crate::PublicIdKeys::open) takes
/// it, and is not the keys themselves. What is there is not read.
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

/// Also with colons or spaces between them.
fn has_hexadecimal(text: &str) -> bool {
    let mut run = 0;
    text.chars().filter(|symbol| !matches!(symbol, ':' | ' ')).any(|symbol| {
        run = if symbol.is_ascii_hexdigit() { run + 1 } else { 0 };
        run >= HEX_DIGITS
    })
}

/// Names may be as long: they seldom have letters of both sizes and digits.
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
