//! The keys that encipher: one for each key, realm, type and form, by HKDF-SHA-256 (RFC 5869).

use hkdf::Hkdf;
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::secret::Secret;

/// What a derived key is for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form {
    Token,
    Uuid,
    Number,
}

impl Form {
    fn name(self) -> &'static str {
        match self {
            Form::Token => "token",
            Form::Uuid => "uuid",
            Form::Number => "number",
        }
    }
}

/// The first part of what every key is derived with: these forms, and their version.
const LABEL: &str = "snowmint opaque 1";

/// A key of AES-128. No part that it is derived with has a zero byte, so no two lists of parts read
/// the same.
pub(crate) fn derive(secret: &Secret, form: Form, realm: &str, kind: &str) -> Zeroizing<[u8; 16]> {
    let mut key = Zeroizing::new([0; 16]);
    Hkdf::<Sha256>::new(None, secret.bytes())
        .expand_multi_info(
            &[
                LABEL.as_bytes(),
                &[0],
                form.name().as_bytes(),
                &[0],
                realm.as_bytes(),
                &[0],
                kind.as_bytes(),
            ],
            key.as_mut(),
        )
        .expect("HKDF gives up to 8,160 bytes");
    key
}
