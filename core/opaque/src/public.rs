//! Public IDs as text in one named form, for bindings, command lines and services.

use std::fmt;
use std::str::FromStr;

use snowmint_engine::TextForm;
use uuid::Uuid;
use uuid::fmt::Hyphenated;

use crate::codec::PublicIdCodec;
use crate::error::{Error, Result};
use crate::number::NumberWidth;
use crate::token::{PublicId, TokenForm};

/// A public form, with a name that is the same in every language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PublicIdForm {
    /// `token`, or `base64url` in the shorter alphabet.
    Token(TokenForm),
    /// `uuid`: a UUID of version 8.
    Uuid,
    /// `number64`, `number63` and `number53`: not checked, so that each number decodes to an ID.
    Number(NumberWidth),
}

impl PublicIdForm {
    /// All forms, the default first.
    pub const ALL: &'static [PublicIdForm] = &[
        PublicIdForm::Token(TokenForm::Crockford),
        PublicIdForm::Token(TokenForm::Base64Url),
        PublicIdForm::Uuid,
        PublicIdForm::Number(NumberWidth::Bits64),
        PublicIdForm::Number(NumberWidth::Bits63),
        PublicIdForm::Number(NumberWidth::Bits53),
    ];

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            PublicIdForm::Token(TokenForm::Crockford) => "token",
            PublicIdForm::Token(TokenForm::Base64Url) => "base64url",
            PublicIdForm::Uuid => "uuid",
            PublicIdForm::Number(NumberWidth::Bits64) => "number64",
            PublicIdForm::Number(NumberWidth::Bits63) => "number63",
            PublicIdForm::Number(NumberWidth::Bits53) => "number53",
        }
    }
}

impl Default for PublicIdForm {
    fn default() -> PublicIdForm {
        PublicIdForm::Token(TokenForm::default())
    }
}

impl fmt::Display for PublicIdForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for PublicIdForm {
    type Err = Error;

    fn from_str(name: &str) -> Result<PublicIdForm> {
        PublicIdForm::ALL.iter().copied().find(|form| form.name() == name).ok_or(Error::UnknownForm)
    }
}

/// The public IDs of one type as text in one form. You can share it between threads and use it
/// after a fork: it never changes and takes no lock.
pub struct PublicIds {
    codec: PublicIdCodec,
    form: PublicIdForm,
}

impl PublicIds {
    pub(crate) fn new(codec: PublicIdCodec, form: PublicIdForm) -> PublicIds {
        let codec = match form {
            PublicIdForm::Token(alphabet) => codec.with_form(alphabet),
            PublicIdForm::Uuid | PublicIdForm::Number(_) => codec,
        };
        PublicIds { codec, form }
    }

    /// Returns the public form of an ID. Each ID has one, and only that spelling can be read.
    ///
    /// # Errors
    /// Only for numbers: [`Error::TooWide`], or a fault because no key is named for them.
    #[inline]
    pub fn encode(&self, id: u64) -> Result<PublicId> {
        match self.form {
            PublicIdForm::Token(_) => Ok(self.codec.encode(id)),
            PublicIdForm::Uuid => {
                let uuid = Uuid::from_bytes(self.codec.encode_uuid(id));
                let mut symbols = [0; Hyphenated::LENGTH];
                Ok(PublicId::of_text(uuid.as_hyphenated().encode_lower(&mut symbols)))
            }
            PublicIdForm::Number(width) => {
                let number = self.codec.encode_number(id, width)?;
                Ok(PublicId::of_text(TextForm::Decimal.format(number).as_str()))
            }
        }
    }

    /// Returns the ID of a public form. UUIDs must be in lower case with hyphens, and numbers in
    /// decimal digits without a sign or leading zeros.
    ///
    /// # Errors
    /// The errors of [`PublicIdCodec`]'s calls; [`Error::Symbol`], [`Error::Length`],
    /// [`Error::NotCanonical`] or [`Error::Number`] if the text is not a UUID or a number at all;
    /// [`Error::Overflow`] for a number with more bits than the form.
    #[inline]
    pub fn decode(&self, text: &str) -> Result<u64> {
        match self.form {
            PublicIdForm::Token(_) => self.codec.decode(text),
            PublicIdForm::Uuid => self.codec.decode_uuid(read_uuid(text)?),
            PublicIdForm::Number(width) => {
                self.codec.decode_number(read_number(text, width)?, width)
            }
        }
    }

    /// Returns the IDs of many public forms, or the error of the first that fails.
    ///
    /// # Errors
    /// [`Error::Item`] with its index.
    pub fn decode_many<S: AsRef<str>>(
        &self,
        texts: impl IntoIterator<Item = S>,
    ) -> Result<Vec<u64>> {
        let texts = texts.into_iter().enumerate();
        texts.map(|(at, text)| self.decode(text.as_ref()).map_err(|e| e.of_item(at))).collect()
    }

    /// Returns the public forms of many IDs.
    ///
    /// # Errors
    /// [`Error::Item`] with the index of the first ID without a public form.
    pub fn encode_many(&self, ids: impl IntoIterator<Item = u64>) -> Result<Vec<PublicId>> {
        let ids = ids.into_iter().enumerate();
        ids.map(|(at, id)| self.encode(id).map_err(|e| e.of_item(at))).collect()
    }

    /// Returns the form.
    pub fn form(&self) -> PublicIdForm {
        self.form
    }

    /// Returns the codec, which works on bytes and integers.
    pub fn codec(&self) -> &PublicIdCodec {
        &self.codec
    }
}

impl fmt::Debug for PublicIds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("PublicIds");
        shown.field("prefix", &self.codec.prefix()).field("form", &self.form.name());
        shown.finish_non_exhaustive()
    }
}

/// Reads a number in its canonical spelling only, because a link should have only one spelling.
fn read_number(text: &str, width: NumberWidth) -> Result<u64> {
    let number = TextForm::Decimal.parse(text).map_err(Error::Number)?;
    if TextForm::Decimal.format(number).as_str() != text {
        return Err(Error::NotCanonical);
    }
    if number > width.max() { Err(Error::Overflow { width }) } else { Ok(number) }
}

/// Reads a UUID in its canonical spelling only. `Uuid` reads several, but a link should have one.
fn read_uuid(text: &str) -> Result<[u8; 16]> {
    const HYPHENS: [usize; 4] = [8, 13, 18, 23];
    if text.len() != Hyphenated::LENGTH {
        return Err(Error::Length { length: text.len(), expected: Hyphenated::LENGTH });
    }
    let fits = |at: usize, byte: u8| match HYPHENS.contains(&at) {
        true => byte == b'-',
        false => byte.is_ascii_hexdigit(),
    };
    if let Some(at) = text.bytes().enumerate().position(|(at, byte)| !fits(at, byte)) {
        return Err(Error::Symbol { at });
    }
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return Err(Error::NotCanonical);
    }
    let uuid = Uuid::try_parse(text).expect("hyphens and digits where a UUID has them");
    Ok(uuid.into_bytes())
}
