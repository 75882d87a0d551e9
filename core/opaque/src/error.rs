//! Errors: for a text only faults that anybody can see, for keys all that their owner must know.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use snowmint_engine::{Code, Error as TextError};

use crate::keyring::NUMBERS;
use crate::secret::{MAX_KEY_BYTES, MIN_KEY_BYTES};
use crate::symbol::SYMBOLS;
use crate::token::MAX_TYPE_LENGTH;
use crate::{KEYS_VARIABLE, MAX_REALM_LENGTH, NumberWidth, PublicIdForm};

/// The result of calls of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The reason why a text is not a public ID, or why keys are refused. No message shows a part of a
/// key. For a well-formed text, a message only reveals whether it belongs to an ID.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// No ID has that form: it was altered, made up, made for another type or realm, or made with a
    /// key that is not here. The error does not say which, because that would help an attacker.
    NotFound,
    /// The text does not start like those of its type.
    WrongType {
        /// The expected start.
        prefix: String,
    },
    /// The text is too short or too long.
    Length {
        /// Its length in bytes.
        length: usize,
        /// The only valid length.
        expected: usize,
    },
    /// A symbol is not in the alphabet, or not valid at its place.
    Symbol {
        /// Its offset in bytes.
        at: usize,
    },
    /// The text has another, canonical spelling: in lower case, a token without I, L and O, a
    /// number without leading zeros.
    NotCanonical,
    /// The ID, or the integer to read, has more bits than the form.
    TooWide {
        /// The form.
        width: NumberWidth,
    },
    /// The number in the text has more bits than the form.
    Overflow {
        /// The form.
        width: NumberWidth,
    },
    /// The text is not a decimal number.
    Number(TextError),
    /// A value among several is refused.
    Item {
        /// Its index, from 0.
        index: usize,
        /// The reason.
        error: Box<Error>,
    },
    /// The content of a file or of an environment variable is refused.
    Within {
        /// The file or the variable.
        place: String,
        /// The reason.
        error: Box<Error>,
    },
    /// No form has that name.
    UnknownForm,
    /// No number form has that many bits.
    UnknownWidth,
    /// The type is not 1 to 32 lower-case letters, digits and underscores, or does not begin with a
    /// letter, or ends with an underscore.
    InvalidType,
    /// The realm is longer than 64 bytes, or has characters other than letters, digits and `_ . :
    /// -`.
    InvalidRealm,
    /// The keys are refused.
    Keys(KeyFault),
}

/// A fault in keys.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum KeyFault {
    /// There are no keys.
    None,
    /// A key's symbol is not a digit or a lower-case letter other than i, l, o and u.
    Symbol {
        /// The symbol, if it is one character: a longer text may be a key.
        symbol: Option<char>,
    },
    /// The key has less than 16 bytes, or more than 32.
    Length {
        /// The key's symbol.
        symbol: char,
        /// Its length in bytes.
        bytes: usize,
    },
    /// The key is a text, for example a password or another encoding of a key.
    Text {
        /// The key's symbol.
        symbol: char,
    },
    /// The key is not random: it repeats, as a whole or by its halves, or counts.
    Pattern {
        /// The key's symbol.
        symbol: char,
    },
    /// Two keys have the same symbol.
    SymbolTwice {
        /// The symbol, if it is known.
        symbol: Option<char>,
    },
    /// One key has two symbols.
    KeyTwice {
        /// The first symbol.
        first: char,
        /// The second symbol.
        second: char,
    },
    /// A named key is missing.
    Missing {
        /// The field or action that names the key.
        role: &'static str,
        /// Its symbol.
        symbol: char,
    },
    /// There are several keys, and none is named for a purpose that needs one.
    Unnamed {
        /// The purpose that needs a key.
        role: &'static str,
    },
    /// The key that makes new forms, or numbers, cannot be removed.
    InUse {
        /// The field that names the key.
        role: &'static str,
        /// Its symbol.
        symbol: char,
    },
    /// All 32 symbols are taken.
    Full,
    /// A key is not written in hexadecimal digits.
    NotHexadecimal {
        /// The key's symbol.
        symbol: char,
    },
    /// The document is neither TOML nor JSON, or has fields that keys do not have.
    Document {
        /// The line of the fault, from 1, if it is known.
        line: Option<usize>,
    },
    /// No file or variable has that name, and the text may be the keys: a document, or a single
    /// key.
    Misplaced,
    /// The environment has no such variable, or its value is not a text.
    NoVariable {
        /// Its name.
        name: String,
    },
    /// The file cannot be read.
    Unreadable {
        /// Its path.
        path: PathBuf,
        /// The system's reason.
        source: Arc<io::Error>,
    },
    /// Users other than the file's owner may read or change it.
    Exposed {
        /// Its path.
        path: PathBuf,
        /// Its mode.
        mode: u32,
    },
    /// The file belongs to another user, who could change it.
    Foreign {
        /// Its path.
        path: PathBuf,
        /// The user who owns it.
        owner: u32,
    },
    /// The system provides no random numbers for a new key.
    NoRandom,
}

impl Error {
    /// Returns the frozen code.
    pub fn code(&self) -> Code {
        match self {
            Error::NotFound => Code::NotFound,
            Error::WrongType { .. } => Code::WrongType,
            Error::Length { .. } => Code::TextLength,
            Error::Symbol { .. } => Code::InvalidText,
            Error::NotCanonical => Code::TextNotCanonical,
            Error::Number(error) => error.code(),
            Error::Item { error, .. } | Error::Within { error, .. } => error.code(),
            Error::Overflow { .. } => Code::TextOverflow,
            Error::UnknownForm => Code::UnknownTextForm,
            Error::TooWide { .. }
            | Error::UnknownWidth
            | Error::InvalidType
            | Error::InvalidRealm => Code::InvalidParameter,
            Error::Keys(KeyFault::Exposed { .. } | KeyFault::Foreign { .. }) => Code::KeysExposed,
            Error::Keys(KeyFault::NoRandom) => Code::NoResource,
            Error::Keys(_) => Code::InvalidKeys,
        }
    }

    /// Adds the name of the place where the error was found.
    pub(crate) fn within(self, place: impl fmt::Display) -> Error {
        Error::Within { place: place.to_string(), error: Box::new(self) }
    }

    /// Adds the index of the value that was refused.
    #[must_use]
    pub fn of_item(self, index: usize) -> Error {
        Error::Item { index, error: Box::new(self) }
    }
}

impl From<KeyFault> for Error {
    fn from(fault: KeyFault) -> Error {
        Error::Keys(fault)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Error::Keys(KeyFault::Unreadable { source, .. }) => Some(source.as_ref()),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotFound => f.write_str("there is no such ID"),
            Error::WrongType { prefix } => {
                write!(f, "it is of another type: those of this one begin with {prefix}")
            }
            Error::Length { length, expected } => {
                write!(f, "it has {length} bytes, and each of its type has {expected}")
            }
            Error::Symbol { at } => write!(f, "the symbol at byte {at} cannot stand there"),
            Error::NotCanonical => f.write_str(
                "it is written otherwise: in lower case, with 0 for o and 1 for i and l, and a number \
                 without leading zeros",
            ),
            Error::TooWide { width } | Error::Overflow { width } => {
                write!(
                    f,
                    "it has more than {} bits: the form takes 0 to {}",
                    width.bits(),
                    width.max()
                )
            }
            Error::Number(error) => error.fmt(f),
            Error::Item { index, error } => write!(f, "at index {index}: {error}"),
            Error::Within { place, error } => write!(f, "{place}: {error}"),
            Error::UnknownForm => {
                let names: Vec<_> = PublicIdForm::ALL.iter().map(|form| form.name()).collect();
                write!(f, "no public form has that name: there are {}", names.join(", "))
            }
            Error::UnknownWidth => f.write_str("numbers have 64, 63 or 53 bits"),
            Error::InvalidType => write!(
                f,
                "a type is 1 to {MAX_TYPE_LENGTH} small letters, digits and underscores; the first is \
                 a letter, the last no underscore"
            ),
            Error::InvalidRealm => write!(
                f,
                "a realm is at most {MAX_REALM_LENGTH} letters, digits and the characters _ . : -"
            ),
            Error::Keys(fault) => fault.fmt(f),
        }
    }
}

impl fmt::Display for KeyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyFault::None => f.write_str("there is no key: `snowmint public-ids keygen` makes one"),
            KeyFault::Symbol { symbol: Some(symbol) } => {
                write!(f, "a key's symbol is one of {SYMBOLS}, and not {symbol:?}")
            }
            KeyFault::Symbol { symbol: None } => write!(
                f,
                "a key's symbol is one of {SYMBOLS}: what stands in its place is none, and may be the \
                 key"
            ),
            KeyFault::Length { symbol, bytes } => write!(
                f,
                "key {symbol} has {} bits: it takes {MIN_KEY_BYTES} to {MAX_KEY_BYTES} random bytes",
                bytes * 8
            ),
            KeyFault::Text { symbol } => write!(
                f,
                "key {symbol} is a text: a password is no key, and one that is written in digits has \
                 to be read first; `snowmint public-ids keygen` makes a random one"
            ),
            KeyFault::Pattern { symbol } => {
                write!(
                    f,
                    "key {symbol} repeats or counts: `snowmint public-ids keygen` makes a random one"
                )
            }
            KeyFault::SymbolTwice { symbol: Some(symbol) } => {
                write!(f, "two keys have the symbol {symbol}: give the second another")
            }
            KeyFault::SymbolTwice { symbol: None } => {
                f.write_str("a field, or the symbol of a key, stands twice")
            }
            KeyFault::KeyTwice { first, second } => {
                write!(f, "{first} and {second} are the same key: take one away")
            }
            KeyFault::Missing { role, symbol } => {
                write!(f, "{role} is {symbol:?}, and no key has that symbol")
            }
            KeyFault::Unnamed { role: NUMBERS } => write!(
                f,
                "there are several keys: say by `{NUMBERS}` which one is meant, as `snowmint public-ids \
                 rotate FILE --numbers SYMBOL` does"
            ),
            KeyFault::Unnamed { role } => {
                write!(f, "there are several keys: say by `{role}` which one is meant")
            }
            KeyFault::InUse { role: NUMBERS, symbol } => write!(
                f,
                "key {symbol} is in use: {NUMBERS} names it; name another first, by `snowmint public-ids \
                 rotate FILE --numbers SYMBOL`: all numbers that were made are other IDs then"
            ),
            KeyFault::InUse { role, symbol } => write!(
                f,
                "key {symbol} is in use: {role} names it; name another first, by `snowmint public-ids \
                 rotate FILE --{role} SYMBOL`"
            ),
            KeyFault::Full => f.write_str("all 32 symbols have a key: take an old one away first"),
            KeyFault::NotHexadecimal { symbol } => {
                write!(f, "key {symbol} is not written in hexadecimal digits, two a byte")
            }
            KeyFault::Document { line: Some(line) } => {
                write!(
                    f,
                    "the keys cannot be read: line {line} is not of a document of keys, as \
                     `snowmint public-ids keygen` writes one"
                )
            }
            KeyFault::Document { line: None } => f.write_str(
                "the keys cannot be read: they are a table `keys`, and the fields `current`, \
                 `numbers` and `realm`, in TOML or JSON, as `snowmint public-ids keygen` writes one",
            ),
            KeyFault::Misplaced => write!(
                f,
                "what is given is neither a file nor the name of a variable. It is not repeated, as \
                 it may be the keys themselves. A document is given as its bytes, or in a variable \
                 by env:NAME, or env: for {KEYS_VARIABLE}"
            ),
            KeyFault::NoVariable { name } => {
                write!(
                    f,
                    "the environment variable {name} has no keys: put a document of keys there"
                )
            }
            KeyFault::Unreadable { path, .. } if path.as_os_str().is_empty() => f.write_str(
                "the path of the keys is empty: name their file, or a variable by env:NAME",
            ),
            KeyFault::Unreadable { path, source } => {
                write!(f, "{}: cannot be read: {source}", path.display())
            }
            KeyFault::Exposed { path, mode } => write!(
                f,
                "{}: others than its owner may read or change it (mode {:04o}): chmod 600",
                path.display(),
                mode & 0o7777
            ),
            KeyFault::Foreign { path, owner } => write!(
                f,
                "{}: it belongs to user {owner}, who could change it: give it to this user, or root",
                path.display()
            ),
            KeyFault::NoRandom => f.write_str("the system gives no random numbers"),
        }
    }
}
