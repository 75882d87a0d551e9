//! Public forms of 64-bit IDs: they reveal neither order nor number nor time.
//!
//! **Under a key, an ID and its public form are one to one.** Nothing is stored and nothing is
//! looked up. With the key you can read a form; without it, the form looks random.
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
//! A key is 16 to 32 random bytes and never enciphers itself. Each realm, type and form has a key
//! derived from it, by HKDF-SHA-256. Several keys can read, and one makes new forms, so that you
//! can change keys without breaking links. A token names its key by a symbol.
//!
//! Limits:
//! - **A token is not a permission.** Anybody who receives a token can use it and pass it on.
//! - **Tokens are linkable.** One ID has one token for each key, type and realm, so anybody who
//!   sees a token twice knows that it is the same ID.
//! - **Numbers are not checked.** Each number decodes, even if it was made up.
//! - **The key reads every token ever made with it.** A new key only protects tokens made with the
//!   new key.
//! - The database still has the raw IDs, and their neighbours beside them.
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

/// The maximum length of a realm's name, in bytes.
pub const MAX_REALM_LENGTH: usize = 64;
/// The environment variable that holds the keys, unless you name another.
pub const KEYS_VARIABLE: &str = "SNOWMINT_PUBLIC_ID_KEYS";

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
