//! The keys of public IDs, and what is made of them.

use std::env;
use std::fmt;
use std::path::Path;

use zeroize::Zeroizing;

use crate::KEYS_VARIABLE;
use crate::codec::PublicIdCodec;
use crate::document::{self, Notation};
use crate::error::{KeyFault, Result};
use crate::file;
use crate::keyring::{Keyring, Parts};
use crate::public::{PublicIdForm, PublicIds};
use crate::secret::Secret;
use crate::source::may_be_keys;
use crate::symbol::Symbol;
use crate::token::Prefix;

/// A realm's keys: one makes what is new, all are read.
///
/// Realms keep apart what has the same types under the same keys: of two realms neither reads the
/// other's. The debug form shows nothing, and the keys are zeroed when this is dropped.
pub struct PublicIdKeys {
    keyring: Keyring,
    /// Of the document that they were read from.
    notation: Notation,
}

impl PublicIdKeys {
    /// Begins with no key.
    pub fn builder() -> PublicIdKeysBuilder {
        PublicIdKeysBuilder { parts: Parts::default(), fault: None }
    }

    /// One new random key of 256 bits, with the symbol 1.
    ///
    /// # Errors
    /// [`KeyFault::NoRandom`].
    pub fn generate() -> Result<PublicIdKeys> {
        PublicIdKeys::builder().random_key(Symbol::FIRST.char()).build()
    }

    /// Reads keys from where a setting says: from an environment variable by `env:NAME`, from
    /// [`KEYS_VARIABLE`](crate::KEYS_VARIABLE) by `env:`, else from the file of that path (one that
    /// begins with `env:` is `./env:…`). A document that is given in their place is refused, and no
    /// message repeats it.
    ///
    /// # Errors
    /// [`KeyFault`] says which.
    pub fn open(source: &str) -> Result<PublicIdKeys> {
        match source.strip_prefix("env:") {
            Some("") => PublicIdKeys::from_env(KEYS_VARIABLE),
            Some(name) => PublicIdKeys::from_env(name),
            None => PublicIdKeys::from_file(source),
        }
    }

    /// Reads a file of keys, as [`to_toml`](PublicIdKeys::to_toml) writes it; JSON with the same fields,
    /// too.
    ///
    /// On Unix it has to be this user's or root's, and nobody else's to read or change: a group may
    /// read one of root's.
    ///
    /// # Errors
    /// [`KeyFault`] says which.
    pub fn from_file(path: impl AsRef<Path>) -> Result<PublicIdKeys> {
        let path = path.as_ref();
        PublicIdKeys::from_bytes(&file::read(path)?).map_err(|error| error.within(path.display()))
    }

    /// Reads the same from an environment variable, of which [`KEYS_VARIABLE`](crate::KEYS_VARIABLE)
    /// is the usual one. JSON fits on a line: `{"keys":{"1":"…"}}`.
    ///
    /// # Errors
    /// [`KeyFault`] says which.
    pub fn from_env(name: &str) -> Result<PublicIdKeys> {
        let missing = || match may_be_keys(name) {
            true => KeyFault::Misplaced,
            false => KeyFault::NoVariable { name: name.to_owned() },
        };
        let value = Zeroizing::new(env::var(name).map_err(|_| missing())?);
        let read = PublicIdKeys::from_bytes(value.as_bytes());
        read.map_err(|error| error.within(format_args!("the environment variable {name}")))
    }

    /// Reads the same from memory, where another keeper of secrets put it.
    ///
    /// # Errors
    /// [`KeyFault`] says which.
    pub fn from_bytes(document: &[u8]) -> Result<PublicIdKeys> {
        let (keyring, notation) = document::read(document)?;
        Ok(PublicIdKeys { keyring, notation })
    }

    /// The document of these keys, for a file that only its owner may read. It has the keys.
    pub fn to_toml(&self) -> Zeroizing<String> {
        document::write(&self.keyring, Notation::Toml)
    }

    /// The same, as JSON on one line where these keys were read from JSON.
    pub fn to_document(&self) -> Zeroizing<String> {
        document::write(&self.keyring, self.notation)
    }

    /// The public IDs of one type, such as `order`, as text in one form.
    ///
    /// Keys are derived here: keep what is given for as long as IDs are read or written.
    ///
    /// # Errors
    /// [`InvalidType`](crate::Error::InvalidType).
    pub fn public_ids(&self, kind: &str, form: PublicIdForm) -> Result<PublicIds> {
        Ok(PublicIds::new(self.codec(kind)?, form))
    }

    /// The public IDs of one type in all forms: tokens, the bytes of UUIDs, and numbers.
    ///
    /// # Errors
    /// [`InvalidType`](crate::Error::InvalidType).
    pub fn codec(&self, kind: &str) -> Result<PublicIdCodec> {
        Ok(PublicIdCodec::new(&self.keyring, Prefix::of(kind)?, kind))
    }

    /// The realm; empty if none was said.
    pub fn realm(&self) -> &str {
        self.keyring.realm()
    }

    /// The symbols of all keys.
    pub fn symbols(&self) -> impl Iterator<Item = char> {
        self.keyring.keys().iter().map(|(symbol, _)| symbol.char())
    }

    /// The symbol of the key that makes what is new.
    pub fn current(&self) -> char {
        self.keyring.current().char()
    }

    /// The symbol of the key that numbers have, for good: a number has no room to name another.
    pub fn numbers(&self) -> Option<char> {
        self.keyring.numbers().map(Symbol::char)
    }

    /// Adds a new random key, which makes nothing yet, and tells its symbol: none that another key had,
    /// until all were used. Give the keys to everybody who reads, and make it current then.
    ///
    /// # Errors
    /// [`KeyFault::Full`], [`KeyFault::NoRandom`].
    pub fn add_key(&mut self) -> Result<char> {
        Ok(self.keyring.add()?.char())
    }

    /// Has a key make what is new. All others are still read; numbers stay with theirs.
    ///
    /// # Errors
    /// [`KeyFault::Missing`], [`KeyFault::Symbol`].
    pub fn make_current(&mut self, symbol: char) -> Result<()> {
        Ok(self.keyring.make_current(symbol)?)
    }

    /// Has a key make and read numbers, where another one did or none was named.
    ///
    /// Every number that the other one made is some other ID from then on, and nothing tells: a number
    /// has no check. Where none was given out nothing is lost.
    ///
    /// # Errors
    /// [`KeyFault::Missing`], [`KeyFault::Symbol`].
    pub fn set_numbers(&mut self, symbol: char) -> Result<()> {
        Ok(self.keyring.set_numbers(symbol)?)
    }

    /// Takes a key away: nothing that it made is read any more.
    ///
    /// # Errors
    /// [`KeyFault::InUse`] of the one that is current, or that numbers have; [`KeyFault::Missing`],
    /// [`KeyFault::Symbol`].
    pub fn remove_key(&mut self, symbol: char) -> Result<()> {
        Ok(self.keyring.remove(symbol)?)
    }
}

impl fmt::Debug for PublicIdKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublicIdKeys").finish_non_exhaustive()
    }
}

/// Keys given one by one.
#[must_use]
pub struct PublicIdKeysBuilder {
    parts: Parts,
    /// What was wrong first, told at the end.
    fault: Option<KeyFault>,
}

impl PublicIdKeysBuilder {
    /// What keeps these IDs apart from others under the same keys: at most 64 letters, digits and
    /// the characters `_ . : -` [default: empty].
    pub fn realm(mut self, realm: &str) -> PublicIdKeysBuilder {
        realm.clone_into(&mut self.parts.realm);
        self
    }

    /// Adds a key: a symbol of its own (a digit or small letter but i, l, o and u), and 16 to 32
    /// random bytes that are used for nothing else. Never a password, nor an application's own
    /// secret key.
    pub fn key(self, symbol: char, key: &[u8]) -> PublicIdKeysBuilder {
        self.take(symbol, |symbol| Secret::new(symbol, key))
    }

    /// Adds a new random key of 256 bits: [`to_toml`](PublicIdKeys::to_toml) gives it to be kept.
    pub fn random_key(self, symbol: char) -> PublicIdKeysBuilder {
        self.take(symbol, Secret::draw)
    }

    fn take(
        mut self,
        symbol: char,
        make: impl FnOnce(Symbol) -> Result<Secret, KeyFault>,
    ) -> PublicIdKeysBuilder {
        let made = Symbol::parse(symbol).and_then(|symbol| Ok((symbol, make(symbol)?)));
        match made {
            Ok(key) => self.parts.keys.push(key),
            Err(fault) => self.fault = self.fault.or(Some(fault)),
        }
        self
    }

    /// The key that makes what is new [default: the only one].
    pub fn current(mut self, symbol: char) -> PublicIdKeysBuilder {
        self.parts.current = Some(symbol);
        self
    }

    /// The key of the number form, for good [default: the only one].
    pub fn numbers(mut self, symbol: char) -> PublicIdKeysBuilder {
        self.parts.numbers = Some(symbol);
        self
    }

    /// Takes the keys.
    ///
    /// # Errors
    /// [`KeyFault`] says which key is wrong, and why.
    pub fn build(self) -> Result<PublicIdKeys> {
        match self.fault {
            Some(fault) => Err(fault.into()),
            None => {
                let keyring = Keyring::new(self.parts)?;
                Ok(PublicIdKeys { keyring, notation: Notation::default() })
            }
        }
    }
}

impl fmt::Debug for PublicIdKeysBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublicIdKeysBuilder").finish_non_exhaustive()
    }
}
