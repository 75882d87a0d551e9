//! `opaque.json`.

use std::num::ParseIntError;

use aes::cipher::{BlockCipherEncrypt, KeyInit};
use aes::{Aes128, Aes192, Aes256};
use fpe::ff1::{FF1, FlexibleNumeralString};
use serde_json::Value;
use snowmint_opaque::{NumberWidth, PublicIdCodec, PublicIdKeys, TokenForm};

use crate::reading::{document, list, narrow, text, wide};

fn bytes(digits: &str) -> Vec<u8> {
    let read = |at| u8::from_str_radix(&digits[at..at + 2], 16);
    let read: Result<Vec<u8>, ParseIntError> = (0..digits.len()).step_by(2).map(read).collect();
    read.unwrap()
}

/// The keys of a name, as a document has them.
fn keyring(document: &Value, name: &str) -> PublicIdKeys {
    let rings = list(document, "keyrings");
    let mut ring = rings.iter().find(|ring| text(ring, "name") == name).unwrap().clone();
    ring.as_object_mut().unwrap().remove("name");
    PublicIdKeys::from_bytes(ring.to_string().as_bytes()).unwrap()
}

#[test]
fn aes_is_nists() {
    for row in list(&document("opaque.json"), "aes") {
        let mut block = <[u8; 16]>::try_from(bytes(text(row, "plain"))).unwrap().into();
        Aes128::new_from_slice(&bytes(text(row, "key"))).unwrap().encrypt_block(&mut block);
        assert_eq!(block.as_slice(), bytes(text(row, "enciphered")), "{row}");
    }
}

#[test]
fn both_ff1_are_nists() {
    for row in list(&document("opaque.json"), "ff1") {
        let (key, tweak, radix) =
            (bytes(text(row, "key")), bytes(text(row, "tweak")), narrow(row, "radix"));
        let numerals = |text: &str| -> Vec<u16> {
            text.chars().map(|digit| digit.to_digit(radix).unwrap() as u16).collect()
        };
        let (plain, expected) = (numerals(text(row, "plain")), numerals(text(row, "enciphered")));
        let string = FlexibleNumeralString::from(plain.clone());
        let enciphered = match key.len() {
            16 => FF1::<Aes128>::new(&key, radix).unwrap().encrypt(&tweak, &string),
            24 => FF1::<Aes192>::new(&key, radix).unwrap().encrypt(&tweak, &string),
            _ => FF1::<Aes256>::new(&key, radix).unwrap().encrypt(&tweak, &string),
        };
        assert_eq!(Vec::from(enciphered.unwrap()), expected, "{row}");
        let second = fpr_ff1::FF1::builder(&key, radix).build().unwrap();
        assert_eq!(second.encrypt_numerals(&plain, Some(&tweak)).unwrap(), expected, "{row}");
    }
}

#[test]
fn ids() {
    let document = document("opaque.json");
    let rows = list(&document, "ids");
    assert_eq!(rows.len(), 500);
    for row in rows {
        let mut keys = keyring(&document, text(row, "keyring"));
        // Read under the keyring's own current key, whichever made it.
        reads(row, &keys.codec(text(row, "type")).unwrap());
        keys.make_current(text(row, "key").parse().unwrap()).unwrap();
        let codec = keys.codec(text(row, "type")).unwrap();
        let id = wide(row, "id");
        assert_eq!(codec.encode(id).as_str(), text(row, "token"));
        assert_eq!(codec.encode_uuid(id).as_slice(), bytes(text(row, "uuid")));
        for (name, width) in widths() {
            let number = codec.encode_number(id, width).ok().map(|number| number.to_string());
            assert_eq!(number.as_deref(), row[name].as_str(), "{row}");
        }
        let short = codec.with_form(TokenForm::Base64Url);
        assert_eq!(short.encode(id).as_str(), text(row, "base64url"));
        assert_eq!(short.decode(text(row, "base64url")).unwrap(), id);
    }
}

fn widths() -> impl Iterator<Item = (&'static str, NumberWidth)> {
    ["number_64", "number_63", "number_53"].into_iter().zip(NumberWidth::ALL.iter().copied())
}

fn reads(row: &Value, codec: &PublicIdCodec) {
    let id: u64 = wide(row, "id");
    assert_eq!(codec.decode(text(row, "token")).unwrap(), id, "{row}");
    let uuid = bytes(text(row, "uuid")).try_into().unwrap();
    assert_eq!(codec.decode_uuid(uuid).unwrap(), id, "{row}");
    for (name, width) in widths().filter(|(name, _)| row[name].is_string()) {
        assert_eq!(codec.decode_number(wide(row, name), width).unwrap(), id, "{row}");
    }
}

#[test]
fn refused() {
    let document = document("opaque.json");
    for row in list(&document, "refused") {
        let codec = keyring(&document, text(row, "keyring")).codec(text(row, "type")).unwrap();
        let result = match text(row, "form") {
            "token" => codec.decode(text(row, "text")),
            "base64url" => codec.with_form(TokenForm::Base64Url).decode(text(row, "text")),
            "uuid" => codec.decode_uuid(bytes(text(row, "text")).try_into().unwrap()),
            form => panic!("{form}: no such form"),
        };
        assert_eq!(result.unwrap_err().code().name(), text(row, "error"), "{row}");
    }
    for row in list(&document, "refused_keys") {
        let error = PublicIdKeys::from_bytes(text(row, "document").as_bytes()).unwrap_err();
        assert_eq!(error.code().name(), text(row, "error"), "{row}");
    }
}
