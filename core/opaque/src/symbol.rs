//! The symbols that name keys.

use crate::error::KeyFault;

/// The largest number of keys: one for each symbol.
pub const MAX_KEYS: usize = SYMBOLS.len();

/// Crockford's alphabet in lower case, without i, l, o and u.
pub(crate) const SYMBOLS: &str = "0123456789abcdefghjkmnpqrstvwxyz";

/// A key's symbol, as an index into [`SYMBOLS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Symbol(u8);

impl Symbol {
    /// The symbol of the first key: 1, because 0 looks like a letter.
    pub(crate) const FIRST: Symbol = Symbol(1);

    pub(crate) fn parse(symbol: char) -> Result<Symbol, KeyFault> {
        let place = SYMBOLS.chars().position(|one| one == symbol);
        let place = place.and_then(|place| u8::try_from(place).ok());
        place.map(Symbol).ok_or(KeyFault::Symbol { symbol: Some(symbol) })
    }

    /// Returns the index, below [`MAX_KEYS`].
    pub(crate) fn place(self) -> usize {
        self.0.into()
    }

    pub(crate) fn byte(self) -> u8 {
        SYMBOLS.as_bytes()[self.place()]
    }

    pub(crate) fn char(self) -> char {
        self.byte().into()
    }

    /// Returns all symbols, starting after this one.
    pub(crate) fn following(self) -> impl Iterator<Item = Symbol> {
        (1..=MAX_KEYS as u8).map(move |step| Symbol((self.0 + step) % MAX_KEYS as u8))
    }
}
