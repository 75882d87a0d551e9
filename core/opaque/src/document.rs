//! Keys as a document: TOML in a file, or JSON on one line of an environment variable.
//!
//! ```toml
//! realm = "shop"     # optional
//! current = "2"      # the key that makes what is new; optional where there is one
//! numbers = "1"      # the key of the number form, for good; likewise
//! [keys]             # hexadecimal, 16 to 32 bytes
//! 1 = "…"
//! 2 = "…"
//! ```

use std::fmt;
use std::str;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use zeroize::Zeroizing;

use crate::error::{Error, KeyFault, Result};
use crate::keyring::{Keyring, Parts};
use crate::secret::Secret;
use crate::symbol::Symbol;

/// The most that a document has: more than 32 keys need, and little enough for memory.
pub(crate) const MAX_BYTES: usize = 65_536;

/// Reads a document. Neither parser's message is told: both quote what they could not read, and it
/// may be a key.
pub(crate) fn read(bytes: &[u8]) -> Result<Keyring> {
    let malformed = |line| Error::Keys(KeyFault::Document { line });
    if bytes.len() > MAX_BYTES {
        return Err(malformed(None));
    }
    let text = str::from_utf8(bytes)
        .map_err(|error| malformed(Some(line_of(bytes, error.valid_up_to()))))?;
    if text.trim_ascii().is_empty() {
        return Err(KeyFault::None.into());
    }
    let document: Document = if text.trim_ascii_start().starts_with('{') {
        serde_json::from_str(text).map_err(|error| match error.line() {
            0 => malformed(None),
            line => malformed(Some(line)),
        })?
    } else {
        toml::from_str(text).map_err(|error| {
            if error.message().starts_with("duplicate key") {
                return KeyFault::SymbolTwice { symbol: None }.into();
            }
            malformed(error.span().map(|span| line_of(bytes, span.start)))
        })?
    };
    Keyring::new(Parts {
        realm: document.realm.unwrap_or_default(),
        keys: document.keys.0?,
        current: document.current,
        numbers: document.numbers,
    })
}

fn line_of(bytes: &[u8], at: usize) -> usize {
    1 + bytes.iter().take(at).filter(|&&byte| byte == b'\n').count()
}

/// Writes the document of a keyring, as TOML.
pub(crate) fn write(keyring: &Keyring) -> Zeroizing<String> {
    // As long as it can get: growing would leave copies.
    let mut text = Zeroizing::new(String::with_capacity(MAX_BYTES / 8));
    text.push_str(
        "# Keys of public IDs. Who has them reads every token ever made: keep them secret, and\n",
    );
    text.push_str("# keep a copy, as without a key nobody reads its tokens.\n");
    if !keyring.realm().is_empty() {
        *text += &format!("realm = {:?}\n", keyring.realm());
    }
    *text += &format!("current = \"{}\"\n", keyring.current().char());
    if let Some(numbers) = keyring.numbers() {
        *text += &format!("numbers = \"{}\"\n", numbers.char());
    }
    text.push_str("\n[keys]\n");
    for (symbol, secret) in keyring.keys() {
        *text += &format!("{} = \"", symbol.char());
        secret.write(&mut text);
        text.push_str("\"\n");
    }
    text
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    realm: Option<String>,
    current: Option<char>,
    numbers: Option<char>,
    keys: Keys,
}

/// The keys, or what is wrong with one: said in our words, and not in the parser's.
struct Keys(Result<Vec<(Symbol, Secret)>, KeyFault>);

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Keys, D::Error> {
        deserializer.deserialize_map(Table)
    }
}

struct Table;

impl<'de> Visitor<'de> for Table {
    type Value = Keys;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("keys by their symbols")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Keys, A::Error> {
        let mut keys = Ok(Vec::new());
        while let Some(name) = entries.next_key::<String>()? {
            // Read to its end, whatever is wrong: else the parser would say something of its own.
            let text = Zeroizing::new(entries.next_value::<String>()?);
            if let Ok(taken) = &mut keys {
                match read_key(&name, &text) {
                    Ok(key) => taken.push(key),
                    Err(fault) => keys = Err(fault),
                }
            }
        }
        Ok(Keys(keys))
    }
}

fn read_key(name: &str, text: &str) -> Result<(Symbol, Secret), KeyFault> {
    let mut symbols = name.chars();
    let symbol = match (symbols.next(), symbols.next()) {
        (Some(symbol), None) => Symbol::parse(symbol)?,
        _ => return Err(KeyFault::Symbol { symbol: None }),
    };
    Ok((symbol, Secret::parse(symbol, text)?))
}
