//! The keys of public IDs, and the objects that use them.

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

/// The keys of a realm: one makes new forms, and all can read them.
///
/// Realms separate uses with the same types and the same keys: neither of two realms reads the
/// other's forms. The debug form shows nothing, and the keys are zeroed when this is dropped.
pub struct PublicIdKeys {
    keyring: Keyring,
    /// The format of the document that the keys were read from.
    notation: Notation,
}

impl PublicIdKeys {
    /// Returns a builder without any key.
    pub fn builder() -> PublicIdKeysBuilder {
        PublicIdKeysBuilder { parts: Parts::default(), fault: None }
    }

    /// Creates one random key of 256 bits, with the symbol 1.
    ///
    /// # Errors
    /// [`KeyFault::NoRandom`].
    pub fn generate() -> Result<PublicIdKeys> {
        PublicIdKeys::builder().random_key(Symbol::FIRST.char()).build()
    }

    /// Reads keys from the place that a setting names. `env:NAME` is an environment variable, and
    /// `env:` is [`KEYS_VARIABLE`](crate::KEYS_VARIABLE). Anything else is the path of a file;
    /// write `./env:…` for a path that begins with `env:`. A document given instead of a place is
    /// refused, and no message repeats it.
    ///
    /// # Errors
    /// The [`KeyFault`] names the reason.
    pub fn open(source: &str) -> Result<PublicIdKeys> {
        match source.strip_prefix("env:") {
            Some("") => PublicIdKeys::from_env(KEYS_VARIABLE),
            Some(name) => PublicIdKeys::from_env(name),
            None => PublicIdKeys::from_file(source),
        }
    }

    /// Reads a file of keys as [`to_toml`](PublicIdKeys::to_toml) writes it, or JSON with its
    /// fields.
    ///
    /// On Unix, the file must belong to this user or to root, and no other user may read or change
    /// it. A group may read a file of root.
    ///
    /// # Errors
    /// The [`KeyFault`] names the reason.
    pub fn from_file(path: impl AsRef<Path>) -> Result<PublicIdKeys> {
        let path = path.as_ref();
        PublicIdKeys::from_bytes(&file::read(path)?).map_err(|error| error.within(path.display()))
    }

    /// Reads the document from an environment variable, usually
    /// [`KEYS_VARIABLE`](crate::KEYS_VARIABLE). JSON fits on one line: `{"keys":{"1":"…"}}`.
    ///
    /// # Errors
    /// The [`KeyFault`] names the reason.
    pub fn from_env(name: &str) -> Result<PublicIdKeys> {
        let missing = || match may_be_keys(name) {
            true => KeyFault::Misplaced,
            false => KeyFault::NoVariable { name: name.to_owned() },
        };
        let value = Zeroizing::new(env::var(name).map_err(|_| missing())?);
        let read = PublicIdKeys::from_bytes(value.as_bytes());
        read.map_err(|error| error.within(format_args!("the environment variable {name}")))
    }

    /// Reads the document from memory, for example from a secret manager.
    ///
    /// # Errors
    /// The [`KeyFault`] names the reason.
    pub fn from_bytes(document: &[u8]) -> Result<PublicIdKeys> {
        let (keyring, notation) = document::read(document)?;
        Ok(PublicIdKeys { keyring, notation })
    }

    /// Returns the keys as a document, for a file that only its owner may read.
    pub fn to_toml(&self) -> Zeroizing<String> {
        document::write(&self.keyring, Notation::Toml)
    }

    /// Returns the keys as a document in the format in which they were read; JSON is on one line.
    pub fn to_document(&self) -> Zeroizing<String> {
        document::write(&self.keyring, self.notation)
    }

    /// Returns the public IDs of one type, such as `order`, as text in one form.
    ///
    /// This derives keys, so keep the result for as long as you read or write IDs.
    ///
    /// # Errors
    /// [`InvalidType`](crate::Error::InvalidType).
    pub fn public_ids(&self, kind: &str, form: PublicIdForm) -> Result<PublicIds> {
        Ok(PublicIds::new(self.codec(kind)?, form))
    }

    /// Returns the public IDs of one type in all forms: tokens, the bytes of UUIDs, and numbers.
    ///
    /// # Errors
    /// [`InvalidType`](crate::Error::InvalidType).
    pub fn codec(&self, kind: &str) -> Result<PublicIdCodec> {
        Ok(PublicIdCodec::new(&self.keyring, Prefix::of(kind)?, kind))
    }

    /// Returns the realm, which is empty by default.
    pub fn realm(&self) -> &str {
        self.keyring.realm()
    }

    /// Returns the symbols of all keys.
    pub fn symbols(&self) -> impl Iterator<Item = char> {
        self.keyring.keys().iter().map(|(symbol, _)| symbol.char())
    }

    /// Returns the symbol of the key that makes new forms.
    pub fn current(&self) -> char {
        self.keyring.current().char()
    }

    /// Returns the symbol of the key for numbers. It must stay: a number does not name its key.
    pub fn numbers(&self) -> Option<char> {
        self.keyring.numbers().map(Symbol::char)
    }

    /// Adds a random key, which makes nothing yet, and returns its symbol. No earlier key had that
    /// symbol, unless all were used. Distribute the keys, then make it current.
    ///
    /// # Errors
    /// [`KeyFault::Full`], [`KeyFault::NoRandom`].
    pub fn add_key(&mut self) -> Result<char> {
        Ok(self.keyring.add()?.char())
    }

    /// Chooses the key that makes new forms. All other keys still read; numbers keep their key.
    ///
    /// # Errors
    /// [`KeyFault::Missing`], [`KeyFault::Symbol`].
    pub fn make_current(&mut self, symbol: char) -> Result<()> {
        Ok(self.keyring.make_current(symbol)?)
    }

    /// Changes the key that makes and reads numbers, or sets it if none is named.
    ///
    /// Every number that another key made then decodes to a different ID without an error, because
    /// numbers have no check. It is only safe if no number was given out.
    ///
    /// # Errors
    /// [`KeyFault::Missing`], [`KeyFault::Symbol`].
    pub fn set_numbers(&mut self, symbol: char) -> Result<()> {
        Ok(self.keyring.set_numbers(symbol)?)
    }

    /// Removes a key. Forms that it made cannot be read any more.
    ///
    /// # Errors
    /// [`KeyFault::InUse`] for the current key and for the key of numbers; [`KeyFault::Missing`],
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

/// Builds a set of keys one by one.
#[must_use]
pub struct PublicIdKeysBuilder {
    parts: Parts,
    /// The first fault, which `build` returns.
    fault: Option<KeyFault>,
}

impl PublicIdKeysBuilder {
    /// Sets the realm, which separates these IDs from others under the same keys: at most 64
    /// letters, digits and the characters `_ . : -`. Empty by default.
    pub fn realm(mut self, realm: &str) -> PublicIdKeysBuilder {
        realm.clone_into(&mut self.parts.realm);
        self
    }

    /// Adds a key: a unique symbol (a digit, or a lower-case letter other than i, l, o and u), and
    /// 16 to 32 random bytes that are used for nothing else. Never use a password or an
    /// application's own secret key.
    pub fn key(self, symbol: char, key: &[u8]) -> PublicIdKeysBuilder {
        self.take(symbol, |symbol| Secret::new(symbol, key))
    }

    /// Adds a random key of 256 bits. Store it with [`to_toml`](PublicIdKeys::to_toml).
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

    /// Sets the key that makes new forms. By default it is the only key.
    pub fn current(mut self, symbol: char) -> PublicIdKeysBuilder {
        self.parts.current = Some(symbol);
        self
    }

    /// Sets the key for numbers, which must stay. By default it is the only key.
    pub fn numbers(mut self, symbol: char) -> PublicIdKeysBuilder {
        self.parts.numbers = Some(symbol);
        self
    }

    /// Checks the keys and returns them.
    ///
    /// # Errors
    /// The [`KeyFault`] names the wrong key and the reason.
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
