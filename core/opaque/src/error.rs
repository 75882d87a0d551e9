//! What is refused, and why: of a text what everybody can see, of a key what its owner must know.

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

/// The result of this crate's calls.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a text is no public ID, or keys are none. No message shows a part of a key, and none tells
/// more about a well-formed text than whether there is an ID behind it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// No ID has that form: it was altered, made up, made for another type or realm, or under a key
    /// that is not here. Which of them is not told: it would help whoever tries.
    NotFound,
    /// The text does not begin as those of its type do.
    WrongType {
        /// What it should begin with.
        prefix: String,
    },
    /// The text is too short or too long.
    Length {
        /// Its length in bytes.
        length: usize,
        /// The only right one.
        expected: usize,
    },
    /// A symbol is none of the alphabet, or cannot stand there.
    Symbol {
        /// Its offset in bytes.
        at: usize,
    },
    /// The text means what is written otherwise: in lower case, a token without I, L and O, a number
    /// without leading zeros.
    NotCanonical,
    /// The ID, or the integer it is read from, has more bits than the form.
    TooWide {
        /// The form.
        width: NumberWidth,
    },
    /// The number that a text has is of more bits than the form.
    Overflow {
        /// The form.
        width: NumberWidth,
    },
    /// The text is no decimal number.
    Number(TextError),
    /// One of many is refused.
    Item {
        /// Its index, from 0 on.
        index: usize,
        /// Why.
        error: Box<Error>,
    },
    /// What stands in a file, or in a variable, is not taken.
    Within {
        /// Which one.
        place: String,
        /// Why.
        error: Box<Error>,
    },
    /// No form has that name.
    UnknownForm,
    /// No number has so many bits.
    UnknownWidth,
    /// Not 1 to 32 small letters, digits and underscores, the first a letter and the last none of the
    /// underscores.
    InvalidType,
    /// Longer than 64 bytes, or with other than letters, digits and the characters `_ . : -`.
    InvalidRealm,
    /// The keys are not taken.
    Keys(KeyFault),
}

/// What is wrong with keys.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum KeyFault {
    /// There are none.
    None,
    /// Not a digit or small letter but i, l, o and u.
    Symbol {
        /// What stands there, if it is one character: a longer text may be a key.
        symbol: Option<char>,
    },
    /// Less than 16 bytes, or more than 32.
    Length {
        /// The key's symbol.
        symbol: char,
        /// Its length in bytes.
        bytes: usize,
    },
    /// The key is a text: a password, or another encoding of a key.
    Text {
        /// The key's symbol.
        symbol: char,
    },
    /// The key repeats, wholly or by its halves, or counts: it is not random.
    Pattern {
        /// The key's symbol.
        symbol: char,
    },
    /// Two keys have one symbol.
    SymbolTwice {
        /// The symbol, where that is known.
        symbol: Option<char>,
    },
    /// One key has two symbols.
    KeyTwice {
        /// One of them.
        first: char,
        /// The other.
        second: char,
    },
    /// A key that is named is not there.
    Missing {
        /// What it is named for.
        role: &'static str,
        /// Its symbol.
        symbol: char,
    },
    /// Several keys, and none is named for what needs one.
    Unnamed {
        /// What needs a key.
        role: &'static str,
    },
    /// The key that makes new forms, or numbers, cannot be taken away.
    InUse {
        /// What uses it.
        role: &'static str,
        /// Its symbol.
        symbol: char,
    },
    /// All 32 symbols are taken.
    Full,
    /// A key is not written in hexadecimal digits.
    NotHexadecimal {
        /// Its symbol.
        symbol: char,
    },
    /// Neither TOML nor JSON, or with fields that keys do not have.
    Document {
        /// The line where it goes wrong, from 1 on, where that is known.
        line: Option<usize>,
    },
    /// Neither a file nor a variable is called so, and it may be the keys themselves: a document, or
    /// one key.
    Misplaced,
    /// The environment has no such variable, or one that is no text.
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
    /// Others than its owner may read or change the file.
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
    /// The system gives no random numbers for a new key.
    NoRandom,
}

impl Error {
    /// The frozen code.
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

    /// The same of what stands in a place that has a name.
    pub(crate) fn within(self, place: impl fmt::Display) -> Error {
        Error::Within { place: place.to_string(), error: Box::new(self) }
    }

    /// The same of one of many.
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
                "what is given is neither a file nor the name of a variable, and is not repeated, as \
                 it may be the keys themselves: a document is given as its bytes, or in a \
                 variable by env:NAME, or env: for {KEYS_VARIABLE}"
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
