//! Texts that are no public ID of a type, and documents that have no keys.

use serde::Serialize;
use snowmint_opaque::{PublicIdKeys, TokenForm};

use super::{KEY, Keyring};

#[derive(Serialize)]
pub(super) struct Text {
    keyring: &'static str,
    r#type: &'static str,
    form: &'static str,
    text: String,
    error: &'static str,
}

#[derive(Serialize)]
pub(super) struct Keys {
    why: &'static str,
    document: String,
    error: &'static str,
}

pub(super) fn texts(ring: &Keyring) -> Vec<Text> {
    let orders = ring.open('z').codec("order").expect("a type");
    let token = orders.encode(7).to_string();
    let mut texts = Vec::new();
    let mut refuse = |form: &'static str, text: String| {
        let result = match form {
            "token" => orders.decode(&text),
            "base64url" => base64url(ring).decode(&text),
            _ => orders.decode_uuid(uuid(&text)),
        };
        let error = result.expect_err("a text that is none").code().name();
        texts.push(Text { keyring: ring.name, r#type: "order", form, text, error });
    };
    malformed(&token).into_iter().for_each(|text| refuse("token", text));
    unknown(&token).into_iter().for_each(|text| refuse("token", text));
    let short = base64url(ring).encode(7).to_string();
    for (at, symbol) in [(6, "u"), (6, "A"), (9, "+"), (9, "="), (28, "B"), (12, "é")] {
        refuse("base64url", with(&short, at, symbol));
    }
    refuse("base64url", token.clone());
    let flipped = if &short[10..11] == "A" { "B" } else { "A" };
    refuse("base64url", with(&short, 10, flipped));
    for text in ["0", "f", "0123456789abcdef0123456789abcdef", "0190163d8694739b8b4f0a1b2c3d4e5f"] {
        refuse("uuid", text.repeat(32 / text.len()));
    }
    texts
}

fn base64url(ring: &Keyring) -> snowmint_opaque::PublicIdCodec {
    ring.open('z').codec("order").expect("a type").with_form(TokenForm::Base64Url)
}

fn uuid(digits: &str) -> [u8; 16] {
    u128::from_str_radix(digits, 16).expect("32 digits").to_be_bytes()
}

/// Returns texts that anybody can see to be wrong.
fn malformed(token: &str) -> Vec<String> {
    let body = &token[6..];
    vec![
        String::new(),
        "7".into(),
        "order".into(),
        "order_".into(),
        body.into(),
        format!("user_{body}"),
        format!("order_item_{body}"),
        format!("_{body}"),
        format!("order_{token}"),
        token[..token.len() - 1].into(),
        format!("{token}0"),
        format!(" {token}"),
        format!("{token}\n"),
        token.to_uppercase(),
        token.replace("order", "Order"),
        format!("order_{}", body.to_uppercase()),
        with(token, 6, "O"),
        with(token, 20, "l"),
        with(token, 20, "i"),
        with(token, 20, "u"),
        with(token, 20, "-"),
        with(token, 20, "é"),
        with(token, 7, "8"),
        with(token, 7, "z"),
    ]
}

/// Returns texts that only the keys show to be wrong.
fn unknown(token: &str) -> Vec<String> {
    let other = |at: usize| with(token, at, if &token[at..=at] == "3" { "4" } else { "3" });
    let mut texts =
        vec![with(token, 6, "0"), with(token, 6, "7"), "order_z".to_owned() + &"0".repeat(26)];
    texts.extend((7..token.len()).map(other));
    texts
}

/// The text with another character in place of one byte.
fn with(text: &str, at: usize, symbol: &str) -> String {
    format!("{}{symbol}{}", &text[..at], &text[at + 1..])
}

pub(super) fn keys() -> Vec<Keys> {
    let password: String = b"correct horse battery".iter().map(|b| format!("{b:02x}")).collect();
    let other = "c45b0e97d2136f8ae1704bb85d29fc0d";
    let one = |key: &str| format!(r#"{{"keys":{{"1":"{key}"}}}}"#);
    let cases = [
        ("no document", String::new()),
        ("no table of keys", r#"{"current":"1"}"#.into()),
        ("no key", r#"{"keys":{}}"#.into()),
        ("120 bits", one(&KEY[..30])),
        ("264 bits", one(&format!("{KEY}{other}00"))),
        ("no digits", one("correct horse battery staple")),
        ("half a byte", one(&KEY[..31])),
        ("a password", one(&password)),
        ("one byte repeated", one(&"5a".repeat(32))),
        ("bytes that count", one("000102030405060708090a0b0c0d0e0f")),
        (
            "two keys of one symbol",
            format!(r#"{{"current":"1","keys":{{"1":"{KEY}","1":"{other}"}}}}"#),
        ),
        (
            "one key of two symbols",
            format!(r#"{{"current":"1","keys":{{"1":"{KEY}","2":"{KEY}"}}}}"#),
        ),
        ("no current key", format!(r#"{{"keys":{{"1":"{KEY}","2":"{other}"}}}}"#)),
        ("a current key that is not there", format!(r#"{{"current":"2","keys":{{"1":"{KEY}"}}}}"#)),
        ("a symbol of no alphabet", format!(r#"{{"keys":{{"u":"{KEY}"}}}}"#)),
        ("two symbols", format!(r#"{{"keys":{{"11":"{KEY}"}}}}"#)),
        ("a field too many", format!(r#"{{"kays":1,"keys":{{"1":"{KEY}"}}}}"#)),
        ("a realm of no name", format!(r#"{{"realm":"a b","keys":{{"1":"{KEY}"}}}}"#)),
    ];
    cases
        .into_iter()
        .map(|(why, document)| {
            let refused = PublicIdKeys::from_bytes(document.as_bytes());
            let error = refused.expect_err("no keys").code().name();
            Keys { why, document, error }
        })
        .collect()
}
