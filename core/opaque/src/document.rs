//! Keys as a document: TOML in a file, or JSON on one line of an environment variable.
//!
//! ```toml
//! realm = "shop"     # optional
//! current = "2"      # the key that makes what is new; optional where there is one
//! numbers = "1"      # the key of the number form, for good; likewise
//! last = "3"         # the symbol of the newest key, where it was taken away
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
use crate::keyring::{CURRENT, Keyring, NUMBERS, Parts};
use crate::secret::Secret;
use crate::symbol::Symbol;

/// The largest document in bytes: more than 32 keys need, and small enough for memory.
pub(crate) const MAX_BYTES: usize = 65_536;

/// The format of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Notation {
    #[default]
    Toml,
    Json,
}

/// Reads a document. Messages of the parsers are never shown, because they quote the text that
/// could not be read, which may be a key.
pub(crate) fn read(bytes: &[u8]) -> Result<(Keyring, Notation)> {
    let malformed = |line| Error::Keys(KeyFault::Document { line });
    if bytes.len() > MAX_BYTES {
        return Err(malformed(None));
    }
    let text = str::from_utf8(bytes)
        .map_err(|error| malformed(Some(line_of(bytes, error.valid_up_to()))))?;
    // Some editors start a text with a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim_ascii().is_empty() {
        return Err(KeyFault::None.into());
    }
    let notation = match text.trim_ascii_start().starts_with('{') {
        true => Notation::Json,
        false => Notation::Toml,
    };
    let document: Document = match notation {
        Notation::Json => serde_json::from_str(text).map_err(|error| match error.line() {
            0 => malformed(None),
            line => malformed(Some(line)),
        })?,
        Notation::Toml => toml::from_str(text).map_err(|error| {
            if error.message().starts_with("duplicate key") {
                return KeyFault::SymbolTwice { symbol: None }.into();
            }
            malformed(error.span().map(|span| line_of(text.as_bytes(), span.start)))
        })?,
    };
    let keyring = Keyring::new(Parts {
        realm: document.realm.unwrap_or_default(),
        keys: document.keys.0?,
        current: document.current,
        numbers: document.numbers,
        last: document.last,
    })?;
    Ok((keyring, notation))
}

fn line_of(bytes: &[u8], at: usize) -> usize {
    1 + bytes.iter().take(at).filter(|&&byte| byte == b'\n').count()
}

/// Writes a keyring as a document.
pub(crate) fn write(keyring: &Keyring, notation: Notation) -> Zeroizing<String> {
    // The full capacity at once, because growing would leave copies of keys in memory.
    let mut text = Zeroizing::new(String::with_capacity(MAX_BYTES / 8));
    match notation {
        Notation::Toml => write_toml(keyring, &mut text),
        Notation::Json => write_json(keyring, &mut text),
    }
    text
}

/// Returns the fields before the keys. No value has a character that needs escaping.
fn fields(keyring: &Keyring) -> Vec<(&'static str, String)> {
    let realm = Some(keyring.realm().to_owned()).filter(|realm| !realm.is_empty());
    let symbol = |symbol: Symbol| symbol.char().to_string();
    let all = [
        ("realm", realm),
        (CURRENT, Some(symbol(keyring.current()))),
        (NUMBERS, keyring.numbers().map(symbol)),
        ("last", keyring.last().map(symbol)),
    ];
    all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

fn write_toml(keyring: &Keyring, text: &mut String) {
    text.push_str(
        "# Keys of public IDs. Who has them reads every token ever made: keep them secret, and\n",
    );
    text.push_str("# keep a copy, as without a key nobody reads its tokens.\n");
    for (name, value) in fields(keyring) {
        *text += &format!("{name} = \"{value}\"\n");
    }
    text.push_str("\n[keys]\n");
    for (symbol, secret) in keyring.keys() {
        *text += &format!("{} = \"", symbol.char());
        secret.write(text);
        text.push_str("\"\n");
    }
}

/// Writes JSON on one line, for environment variables.
fn write_json(keyring: &Keyring, text: &mut String) {
    text.push('{');
    for (name, value) in fields(keyring) {
        *text += &format!("\"{name}\":\"{value}\",");
    }
    text.push_str("\"keys\":{");
    for (at, (symbol, secret)) in keyring.keys().iter().enumerate() {
        let comma = if at == 0 { "" } else { "," };
        *text += &format!("{comma}\"{}\":\"", symbol.char());
        secret.write(text);
        text.push('"');
    }
    text.push_str("}}\n");
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    realm: Option<String>,
    current: Option<char>,
    numbers: Option<char>,
    last: Option<char>,
    keys: Keys,
}

/// The keys, or the first fault in them: reported in our words instead of the parser's.
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
            // Entries are read despite a fault, or the parser would report its own error.
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
