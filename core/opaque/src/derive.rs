//! The derived keys that encipher, for each key, realm, type and form: HKDF-SHA-256 (RFC 5869).

use hkdf::Hkdf;
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::secret::Secret;

/// The form for which a key is derived.
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

/// The first part of the input of every derivation: the set of forms and its version.
const LABEL: &str = "snowmint opaque 1";

/// Derives a key of AES-128. No part of the input contains a zero byte, so two different lists of
/// parts never give the same input.
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
