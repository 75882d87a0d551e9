//! The public forms of one type's IDs, in both directions.

use std::fmt;

use subtle::{Choice, ConstantTimeEq};

use crate::derive::{Form, derive};
use crate::error::{Error, KeyFault, Result};
use crate::keyring::{Keyring, NUMBERS};
use crate::number::{NumberWidth, Numbers};
use crate::permutation::Permutation;
use crate::symbol::{MAX_KEYS, Symbol};
use crate::token::{Prefix, PublicId, TokenForm};
use crate::uuid;

/// The public IDs of one type in all forms. You can share it between threads; making and reading a
/// form takes no lock and allocates nothing.
///
/// **Secrecy**: a form reveals neither order nor number nor time. **Deterministic**: an ID has one
/// token, one UUID and one number as long as the current key stays. **Timing**: the time to read a
/// token does not reveal whether it is an ID's, if AES takes the same time for all blocks.
pub struct PublicIdCodec {
    prefix: Prefix,
    form: TokenForm,
    /// The derived keys, in the keyring's order.
    keys: Vec<Keys>,
    /// The index in `keys` for each symbol. A symbol without a key has the current key's index, so
    /// that reading it takes the same path and time.
    places: [u8; MAX_KEYS],
    /// 1 for each symbol that has a key, 0 for others.
    known: [u8; MAX_KEYS],
    current: usize,
    template: PublicId,
    numbers: Option<Numbers>,
}

/// The derived keys of one key of the keyring for this type.
struct Keys {
    symbol: Symbol,
    token: Permutation,
    uuid: Permutation,
}

impl PublicIdCodec {
    pub(crate) fn new(keyring: &Keyring, prefix: Prefix, kind: &str) -> PublicIdCodec {
        let realm = keyring.realm();
        let position = |wanted| keyring.keys().iter().position(|(symbol, _)| *symbol == wanted);
        let current = position(keyring.current()).expect("a keyring has its current key");
        let (mut places, mut known) = ([current as u8; MAX_KEYS], [0; MAX_KEYS]);
        let mut keys = Vec::with_capacity(keyring.keys().len());
        for (symbol, secret) in keyring.keys() {
            places[symbol.place()] = keys.len() as u8;
            known[symbol.place()] = 1;
            keys.push(Keys {
                symbol: *symbol,
                token: Permutation::new(&derive(secret, Form::Token, realm, kind)),
                uuid: Permutation::new(&derive(secret, Form::Uuid, realm, kind)),
            });
        }
        let numbers = keyring.numbers().and_then(|symbol| keyring.secret(symbol));
        let numbers = numbers.map(|key| Numbers::new(&derive(key, Form::Number, realm, kind)));
        let form = TokenForm::default();
        let template = PublicId::template(&prefix, keyring.current(), form);
        PublicIdCodec { prefix, form, keys, places, known, current, template, numbers }
    }

    /// Changes the alphabet of tokens. Tokens of one alphabet are not valid in the other.
    #[must_use]
    pub fn with_form(self, form: TokenForm) -> PublicIdCodec {
        let template = PublicId::template(&self.prefix, self.keys[self.current].symbol, form);
        PublicIdCodec { form, template, ..self }
    }

    /// Returns the token of an ID: the type, `_`, the current key's symbol, and the enciphered ID.
    #[inline]
    pub fn encode(&self, id: u64) -> PublicId {
        let block = self.keys[self.current].token.encipher(u128::from(id) << 64);
        self.template.with(block, self.form)
    }

    /// Returns the ID of a token.
    ///
    /// # Errors
    /// [`Error::WrongType`], [`Error::Length`], [`Error::Symbol`], [`Error::NotCanonical`] for
    /// faults that anybody can see in the text. Otherwise [`Error::NotFound`], after the same time
    /// as for an ID: the token was altered, made up, or is of another realm or a missing key.
    #[inline]
    pub fn decode(&self, token: &str) -> Result<u64> {
        let (symbol, block) = self.prefix.read(token, self.form)?;
        let keys = &self.keys[usize::from(self.places[symbol])];
        let plain = keys.token.decipher(block);
        let genuine = (plain as u64).ct_eq(&0) & Choice::from(self.known[symbol]);
        found((plain >> 64) as u64, genuine)
    }

    /// Returns the ID as a UUID of version 8, most significant byte first. The type only affects
    /// its key: another type does not know the UUID.
    pub fn encode_uuid(&self, id: u64) -> [u8; 16] {
        uuid::encode(&self.keys[self.current].uuid, id).to_be_bytes()
    }

    /// Returns the ID of such a UUID. The UUID does not name its key, so all keys are tried. Each
    /// takes a microsecond or two, and the time depends on the UUID.
    ///
    /// # Errors
    /// [`Error::NotFound`], also for UUIDs of other versions.
    pub fn decode_uuid(&self, uuid: [u8; 16]) -> Result<u64> {
        let uuid = u128::from_be_bytes(uuid);
        if !uuid::is_marked(uuid) {
            return Err(Error::NotFound);
        }
        let (id, genuine) = uuid::decode_any(self.keys.iter().map(|keys| &keys.uuid), uuid);
        found(id, genuine)
    }

    /// Returns the ID as another number of the same width, using the key for numbers.
    ///
    /// # Errors
    /// [`Error::TooWide`]; [`KeyFault::Unnamed`] if there are several keys and none is named for
    /// numbers.
    pub fn encode_number(&self, id: u64, width: NumberWidth) -> Result<u64> {
        self.numbers()?.encode(id, width)
    }

    /// Returns the ID of such a number. Every number has one, so a made-up number is not detected.
    ///
    /// # Errors
    /// The errors of [`encode_number`](Self::encode_number).
    pub fn decode_number(&self, number: u64, width: NumberWidth) -> Result<u64> {
        self.numbers()?.decode(number, width)
    }

    fn numbers(&self) -> Result<&Numbers> {
        self.numbers.as_ref().ok_or(Error::Keys(KeyFault::Unnamed { role: NUMBERS }))
    }

    /// Returns the type.
    pub fn kind(&self) -> &str {
        self.prefix.kind()
    }

    /// Returns the start of every token: the type and an underscore.
    pub fn prefix(&self) -> &str {
        self.prefix.as_str()
    }
}

fn found(id: u64, genuine: Choice) -> Result<u64> {
    if genuine.into() { Ok(id) } else { Err(Error::NotFound) }
}

impl fmt::Debug for PublicIdCodec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublicIdCodec")
            .field("prefix", &self.prefix.as_str())
            .finish_non_exhaustive()
    }
}
