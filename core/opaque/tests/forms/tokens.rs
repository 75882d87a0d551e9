//! Tokens, UUIDs and numbers: there and back, and every way to be refused.

use std::collections::HashSet;

use snowmint_engine::Code;
use snowmint_opaque::{Error, MAX_TYPE_LENGTH, NumberWidth, PublicIdKeys, TokenForm, check_type};

use crate::{A, B, Mixer, keys, orders};

const IDS: [u64; 6] = [0, 1, 4096, 1_541_815_603_606_036_480, 1 << 63, u64::MAX];

#[test]
fn a_token_is_read_by_its_type_alone() {
    let keys = keys();
    let (orders, users) = (keys.codec("order").unwrap(), keys.codec("user").unwrap());
    for id in IDS {
        let token = orders.encode(id);
        assert_eq!(token.len(), "order_".len() + 27, "{token}");
        assert!(token.starts_with("order_1"), "{token}");
        assert_eq!(orders.decode(&token).unwrap(), id);
        let error = users.decode(&token).unwrap_err();
        assert!(matches!(&error, Error::WrongType { prefix } if prefix == "user_"), "{error}");
        // The name is no more than a name: the key is another, too.
        let renamed = token.replace("order_", "user_");
        assert!(matches!(users.decode(&renamed), Err(Error::NotFound)));
    }
}

#[test]
fn both_alphabets_are_read_each_by_its_own() {
    let short = orders().with_form(TokenForm::Base64Url);
    for id in IDS {
        let token = short.encode(id);
        assert_eq!(token.len(), "order_".len() + 23, "{token}");
        assert_eq!(short.decode(&token).unwrap(), id);
        assert!(matches!(orders().decode(&token), Err(Error::Length { .. })), "{token}");
        assert!(matches!(short.decode(&orders().encode(id)), Err(Error::Length { .. })));
    }
}

#[test]
fn realms_types_and_keys_keep_apart() {
    let mut tokens = HashSet::new();
    let (mut uuids, mut numbers) = (HashSet::new(), HashSet::new());
    for key in [A, B] {
        for realm in ["", "shop", "shop.order"] {
            let keys = PublicIdKeys::builder().key('1', &key).realm(realm).build().unwrap();
            for kind in ["order", "user", "order_item"] {
                let codec = keys.codec(kind).unwrap();
                let token = codec.encode(7);
                assert!(tokens.insert(token.rsplit('_').next().unwrap().to_owned()));
                assert!(uuids.insert(codec.encode_uuid(7)));
                assert!(numbers.insert(codec.encode_number(7, NumberWidth::Bits64).unwrap()));
            }
        }
    }
    assert_eq!((tokens.len(), uuids.len(), numbers.len()), (18, 18, 18));
}

#[test]
fn malformed_texts_have_typed_errors() {
    let (orders, token) = (orders(), orders().encode(7));
    let with = |at: usize, symbol: &str| {
        let mut text = token.to_string();
        text.replace_range(at..=at, symbol);
        text
    };
    let cases: [(String, Code); 17] = [
        (String::new(), Code::WrongType),
        ("7".into(), Code::WrongType),
        ("order".into(), Code::WrongType),
        ("user_".to_owned() + &token[6..], Code::WrongType),
        ("order_item_".to_owned() + &token[6..], Code::WrongType),
        (token[6..].into(), Code::WrongType),
        ("order_".into(), Code::TextLength),
        (token[..token.len() - 1].into(), Code::TextLength),
        (format!("{token}0"), Code::TextLength),
        (format!("{token} "), Code::TextLength),
        (token.to_uppercase(), Code::TextNotCanonical),
        (token.replace("order", "Order"), Code::TextNotCanonical),
        (with(20, "o"), Code::TextNotCanonical),
        (with(6, "L"), Code::TextNotCanonical),
        (with(20, "u"), Code::InvalidText),
        (with(6, "-"), Code::InvalidText),
        (with(7, "8"), Code::InvalidText),
    ];
    for (text, code) in cases {
        let error = orders.decode(&text).unwrap_err();
        assert_eq!(error.code(), code, "{text:?}: {error}");
    }
    let mut text = token.to_string();
    text.truncate(token.len() - 2);
    assert_eq!(orders.decode(&(text + "é")).unwrap_err().code(), Code::InvalidText);
}

#[test]
fn malformed_base64_has_typed_errors() {
    let short = orders().with_form(TokenForm::Base64Url);
    let token = short.encode(7);
    for (at, symbol) in [(6, "u"), (6, "A"), (10, "+"), (10, "/"), (28, "="), (28, "B"), (28, "z")]
    {
        let mut text = token.to_string();
        text.replace_range(at..=at, symbol);
        let error = short.decode(&text).unwrap_err();
        assert!(matches!(error, Error::Symbol { at: told } if told == at), "{text}: {error}");
    }
}

#[test]
fn each_altered_symbol_is_not_found() {
    let mut mixer = Mixer(1);
    let mut altered = 0;
    for form in [TokenForm::Crockford, TokenForm::Base64Url] {
        let orders = orders().with_form(form);
        let symbols: &str = match form {
            TokenForm::Crockford => "0123456789abcdefghjkmnpqrstvwxyz",
            TokenForm::Base64Url => {
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
            }
        };
        for _ in 0..40 {
            let token = orders.encode(mixer.next());
            for at in "order_".len()..token.len() {
                for symbol in symbols.chars() {
                    let mut text = token.to_string();
                    text.replace_range(at..=at, symbol.encode_utf8(&mut [0; 4]));
                    if text == *token {
                        continue;
                    }
                    match orders.decode(&text) {
                        Err(Error::NotFound) => altered += 1,
                        // At the ends a symbol has fewer bits.
                        Err(Error::Symbol { .. }) => {}
                        other => panic!("{text}: {other:?}"),
                    }
                }
            }
        }
    }
    assert!(altered > 80_000, "{altered}");
}

#[test]
fn a_refusal_does_not_tell_its_reason() {
    let orders = orders();
    let token = orders.encode(7);
    let other_key = PublicIdKeys::builder().key('1', &B).build().unwrap().codec("order").unwrap();
    let other_realm = PublicIdKeys::builder().key('1', &A).realm("b").build().unwrap();
    let reasons = [
        token.replacen("order_1", "order_2", 1),
        "order_100000000000000000000000000".to_owned(),
        other_key.encode(7).to_string(),
        other_realm.codec("order").unwrap().encode(7).to_string(),
    ];
    for text in reasons {
        let error = orders.decode(&text).unwrap_err();
        assert_eq!(format!("{error} {error:?}"), "there is no such ID NotFound", "{text}");
        assert_eq!(error.code(), Code::NotFound);
    }
}

#[test]
fn uuids_have_version_8_and_are_read_back() {
    let (orders, mut mixer) = (orders(), Mixer(2));
    let mut ids: Vec<u64> = IDS.into();
    ids.extend((0..300).map(|_| mixer.next()));
    for id in ids {
        let uuid = orders.encode_uuid(id);
        assert_eq!((uuid[6] >> 4, uuid[8] >> 6), (8, 0b10), "{uuid:02x?}");
        assert_eq!(orders.decode_uuid(uuid).unwrap(), id);
        let mut altered = uuid;
        altered[(id % 6) as usize] ^= 1 << (id % 8);
        assert!(matches!(orders.decode_uuid(altered), Err(Error::NotFound)));
        let mut version_4 = uuid;
        version_4[6] ^= 0xc0;
        assert!(matches!(orders.decode_uuid(version_4), Err(Error::NotFound)));
        let users = keys().codec("user").unwrap();
        assert!(matches!(users.decode_uuid(uuid), Err(Error::NotFound)));
    }
}

#[test]
fn numbers_keep_their_bits() {
    let (orders, mut mixer) = (orders(), Mixer(3));
    for &width in NumberWidth::ALL {
        for _ in 0..500 {
            let id = mixer.next() & width.max();
            let number = orders.encode_number(id, width).unwrap();
            assert!(number <= width.max());
            assert_eq!(orders.decode_number(number, width).unwrap(), id);
        }
    }
    assert!(matches!(
        orders.encode_number(1 << 53, NumberWidth::Bits53),
        Err(Error::TooWide { width: NumberWidth::Bits53 })
    ));
}

#[test]
fn types_have_names() {
    let longest = "t".repeat(MAX_TYPE_LENGTH);
    for kind in ["a", "order", "order_item", "v2", "a__b", &longest] {
        let codec = keys().codec(kind).unwrap();
        assert_eq!(codec.decode(&codec.encode(7)).unwrap(), 7, "{kind}");
        assert_eq!(codec.prefix(), format!("{kind}_"));
        assert_eq!(format!("{codec:?}"), format!("PublicIdCodec {{ prefix: \"{kind}_\", .. }}"));
    }
    let too_long = "t".repeat(MAX_TYPE_LENGTH + 1);
    for kind in ["", "_", "order_", "_order", "Order", "1st", "or-der", "örder", "a b", &too_long]
    {
        let error = keys().codec(kind).unwrap_err();
        assert_eq!(error.code(), Code::InvalidParameter, "{kind}: {error}");
    }
}

#[test]
fn a_token_is_a_text() {
    let token = orders().encode(7);
    assert_eq!(format!("{token:>40}|{token:?}"), format!("{:>40}|{:?}", &*token, &*token));
    assert_eq!(String::from(token), token.as_str());
    assert_eq!(token.as_bytes(), token.as_str().as_bytes());
    assert!(HashSet::from([token]).contains(token.as_str()));
    assert!(token == orders().encode(7) && token != orders().encode(8));
}

#[test]
fn types_have_short_plain_names() {
    let longest = "a".repeat(MAX_TYPE_LENGTH);
    for name in ["a", "order_2", &longest] {
        assert!(check_type(name).is_ok(), "{name}");
    }
    for name in ["", "2a", "_a", "a_", "Order", "a-b", "ä", &format!("{longest}a")] {
        assert!(check_type(name).is_err(), "{name}");
    }
}
