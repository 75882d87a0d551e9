//! Public forms of 64-bit IDs: what the outside sees shows neither order nor number nor time, while
//! the database keeps the raw ID.
//!
//! **An ID and its public form are one to one under a key.** Nothing is stored and nothing is looked
//! up: whoever has the key reads the form, and for everybody else it is as good as random.
//!
//! ```
//! use snowmint_opaque::{PublicIdForm, PublicIdKeys};
//!
//! # fn main() -> snowmint_opaque::Result<()> {
//! let keys = PublicIdKeys::generate()?; // or open("keys.toml"), open("env:NAME"), from_bytes(…)
//! let orders = keys.public_ids("order", PublicIdForm::default())?;
//! let token = orders.encode(1541815603606036480)?; // order_1…: 26 symbols after the key's
//! assert!(token.starts_with("order_"));
//! assert_eq!(orders.decode(&token)?, 1541815603606036480);
//! let users = keys.public_ids("user", PublicIdForm::default())?;
//! assert!(users.decode(&token).is_err());
//! # Ok(())
//! # }
//! ```
//!
//! | form | how | a made-up one decodes |
//! |---|---|---|
//! | [token](PublicIdCodec::encode) | AES-128 over the ID and 64 zero bits | once in 2⁶⁴ |
//! | [UUID](PublicIdCodec::encode_uuid) of version 8 | the same, enciphered again until version and variant are right | once in 2⁵⁸, for each key |
//! | [number](PublicIdCodec::encode_number) of 64, 63 or 53 bits | FF1 of NIST SP 800-38G | always |
//!
//! A key is 16 to 32 random bytes and never enciphers itself: each realm, type and form has one
//! derived from it, by HKDF-SHA-256. Several keys can be read and one makes what is new, so that a
//! key can be changed without breaking a link; a token names its key by a symbol.
//!
//! What it does not do:
//! - **A token is no permission.** Whoever was sent one has it, and so has everybody it was sent on to.
//! - **It is linkable.** One ID has one token for each key, type and realm: who sees it twice knows that.
//! - **A number is not checked.** Each number decodes, made-up ones too.
//! - **Who has the key reads every token ever made under it.** A new key protects what is made with it.
//! - The database still has the raw ID, and its neighbours beside it.
#![forbid(unsafe_code)]

mod base32;
mod codec;
mod derive;
mod document;
mod error;
mod file;
mod keyring;
mod keys;
mod number;
mod permutation;
mod public;
mod secret;
mod source;
mod symbol;
mod token;
mod uuid;

pub use codec::PublicIdCodec;
pub use error::{Error, KeyFault, Result};
pub use keys::{PublicIdKeys, PublicIdKeysBuilder};
pub use number::NumberWidth;
pub use public::{PublicIdForm, PublicIds};
pub use secret::{MAX_KEY_BYTES, MIN_KEY_BYTES};
pub use source::{check_source, may_be_keys};
pub use symbol::MAX_KEYS;
pub use token::{MAX_TYPE_LENGTH, PublicId, TokenForm, check_type};

/// The longest name of a realm, in bytes.
pub const MAX_REALM_LENGTH: usize = 64;
/// The environment variable that holds the keys, unless another is named.
pub const KEYS_VARIABLE: &str = "SNOWMINT_PUBLIC_ID_KEYS";

/// The lines of the README run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
