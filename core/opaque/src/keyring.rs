//! Keys by their symbols, and the keys that make new forms and numbers.

use subtle::ConstantTimeEq;

use crate::MAX_REALM_LENGTH;
use crate::error::{Error, KeyFault, Result};
use crate::secret::Secret;
use crate::symbol::Symbol;

/// The names of the fields that name a key.
pub(crate) const CURRENT: &str = "current";
pub(crate) const NUMBERS: &str = "numbers";

/// One or more keys with different symbols, checked when created.
pub(crate) struct Keyring {
    realm: String,
    keys: Vec<(Symbol, Secret)>,
    current: Symbol,
    /// `None` if several keys could be meant.
    numbers: Option<Symbol>,
    /// The symbol of the newest key, if that key was removed.
    last: Option<Symbol>,
}

/// The unchecked content of a keyring.
#[derive(Default)]
pub(crate) struct Parts {
    pub(crate) realm: String,
    pub(crate) keys: Vec<(Symbol, Secret)>,
    pub(crate) current: Option<char>,
    pub(crate) numbers: Option<char>,
    pub(crate) last: Option<char>,
}

impl Keyring {
    pub(crate) fn new(parts: Parts) -> Result<Keyring> {
        let Parts { realm, keys, current, numbers, last } = parts;
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_.:-".contains(&byte);
        if realm.len() > MAX_REALM_LENGTH || !realm.bytes().all(plain) {
            return Err(Error::InvalidRealm);
        }
        refuse_doubles(&keys)?;
        let named = |role: &'static str, symbol: Option<char>| match (symbol, &keys[..]) {
            (Some(symbol), _) => {
                let known = Symbol::parse(symbol)?;
                let found = keys.iter().any(|(one, _)| *one == known);
                if found { Ok(Some(known)) } else { Err(KeyFault::Missing { role, symbol }) }
            }
            (None, []) => Err(KeyFault::None),
            (None, [(only, _)]) => Ok(Some(*only)),
            (None, _) => Ok(None),
        };
        let current = named(CURRENT, current)?.ok_or(KeyFault::Unnamed { role: CURRENT })?;
        let numbers = named(NUMBERS, numbers)?;
        let last = last.map(Symbol::parse).transpose()?;
        Ok(Keyring { realm, keys, current, numbers, last })
    }

    pub(crate) fn realm(&self) -> &str {
        &self.realm
    }

    /// Returns the keys in the order in which they were given.
    pub(crate) fn keys(&self) -> &[(Symbol, Secret)] {
        &self.keys
    }

    pub(crate) fn current(&self) -> Symbol {
        self.current
    }

    pub(crate) fn numbers(&self) -> Option<Symbol> {
        self.numbers
    }

    pub(crate) fn last(&self) -> Option<Symbol> {
        self.last
    }

    pub(crate) fn secret(&self, symbol: Symbol) -> Option<&Secret> {
        self.keys.iter().find(|(one, _)| *one == symbol).map(|(_, secret)| secret)
    }

    /// Adds a new key, which does not make anything yet; numbers keep their key. While unused
    /// symbols are left, it takes none of a removed key, which someone may still hold.
    pub(crate) fn add(&mut self) -> Result<Symbol, KeyFault> {
        let newest = self.keys.last().map_or(self.current, |(symbol, _)| *symbol);
        let last = self.last.unwrap_or(newest);
        let mut free = last.following().filter(|symbol| self.secret(*symbol).is_none());
        let symbol = free.next().ok_or(KeyFault::Full)?;
        let secret = Secret::draw(symbol)?;
        self.keys.push((symbol, secret));
        self.last = None;
        Ok(symbol)
    }

    /// Chooses the key that makes new forms.
    pub(crate) fn make_current(&mut self, symbol: char) -> Result<(), KeyFault> {
        self.current = self.known(CURRENT, symbol)?;
        Ok(())
    }

    /// Chooses the key that makes and reads numbers. Those of another key then decode to other IDs.
    pub(crate) fn set_numbers(&mut self, symbol: char) -> Result<(), KeyFault> {
        self.numbers = Some(self.known(NUMBERS, symbol)?);
        Ok(())
    }

    fn known(&self, role: &'static str, symbol: char) -> Result<Symbol, KeyFault> {
        let known = Symbol::parse(symbol)?;
        let found = self.secret(known).map(|_| known);
        found.ok_or(KeyFault::Missing { role, symbol })
    }

    /// Removes a key. Forms that it made cannot be read any more.
    pub(crate) fn remove(&mut self, symbol: char) -> Result<(), KeyFault> {
        let known = Symbol::parse(symbol)?;
        for (role, named) in [(CURRENT, Some(self.current)), (NUMBERS, self.numbers)] {
            if named == Some(known) {
                return Err(KeyFault::InUse { role, symbol });
            }
        }
        let at = self.keys.iter().position(|(one, _)| *one == known);
        let at = at.ok_or(KeyFault::Missing { role: "the key to remove", symbol })?;
        self.keys.remove(at);
        if at == self.keys.len() {
            self.last.get_or_insert(known);
        }
        Ok(())
    }
}

fn refuse_doubles(keys: &[(Symbol, Secret)]) -> Result<(), KeyFault> {
    for (at, (second, secret)) in keys.iter().enumerate() {
        for (first, earlier) in &keys[..at] {
            if first == second {
                return Err(KeyFault::SymbolTwice { symbol: Some(first.char()) });
            }
            if secret.ct_eq(earlier).into() {
                return Err(KeyFault::KeyTwice { first: first.char(), second: second.char() });
            }
        }
    }
    Ok(())
}
