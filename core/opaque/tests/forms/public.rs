//! Public IDs as text in a form that has a name, and where keys are opened from.

use std::fs;

use snowmint_engine::Code;
use snowmint_opaque::{Error, KeyFault, NumberWidth, PublicIdForm, PublicIdKeys};

use crate::{Mixer, keys};

#[test]
fn each_form_is_there_and_back_and_has_one_spelling() {
    let mut mixer = Mixer(11);
    for &form in PublicIdForm::ALL {
        assert_eq!(form.name().parse::<PublicIdForm>().unwrap(), form);
        let ids = keys().public_ids("order", form).unwrap();
        for _ in 0..50 {
            let id = mixer.next() >> 11;
            let text = ids.encode(id).unwrap();
            assert_eq!(ids.decode(&text).unwrap(), id, "{form}: {text}");
            for other in [text.to_uppercase(), format!("{text} "), format!(" {text}")] {
                if other != *text {
                    assert!(ids.decode(&other).is_err(), "{form}: {other}");
                }
            }
        }
        let shown = format!("PublicIds {{ prefix: \"order_\", form: {:?}, .. }}", form.name());
        assert_eq!(format!("{ids:?}"), shown);
    }
    let error = "crockford".parse::<PublicIdForm>().unwrap_err();
    assert_eq!(error.code(), Code::UnknownTextForm);
    assert!(error.to_string().ends_with("token, base64url, uuid, number64, number63, number53"));
}

#[test]
fn a_text_that_is_no_uuid_or_number_is_refused_by_its_code() {
    let uuids = keys().public_ids("order", PublicIdForm::Uuid).unwrap();
    let uuid = uuids.encode(7).unwrap().to_string();
    let cases = [
        (uuid.to_uppercase(), Code::TextNotCanonical),
        (uuid.replace('-', ""), Code::TextLength),
        (format!("{{{uuid}}}"), Code::TextLength),
        (uuid.replace('-', "_"), Code::InvalidText),
        (uuid.replacen(&uuid[..1], "g", 1), Code::InvalidText),
        (format!("é{}", &uuid[2..]), Code::InvalidText),
        ("00000000-0000-4000-8000-000000000000".to_owned(), Code::NotFound),
    ];
    for (text, code) in cases {
        assert_eq!(uuids.decode(&text).unwrap_err().code(), code, "{text}");
    }
    let numbers = keys().public_ids("order", "number53".parse().unwrap()).unwrap();
    let cases = [
        ("", Code::TextLength),
        ("-7", Code::InvalidText),
        ("07", Code::TextNotCanonical),
        ("18446744073709551616", Code::TextOverflow),
        ("9007199254740992", Code::TextOverflow),
    ];
    for (text, code) in cases {
        assert_eq!(numbers.decode(text).unwrap_err().code(), code, "{text:?}");
    }
    numbers.decode("9007199254740991").unwrap();
    let halves = keys().public_ids("order", "number63".parse().unwrap()).unwrap();
    let above = halves.decode("9223372036854775808").unwrap_err();
    assert_eq!(above.code(), Code::TextOverflow);
    assert!(above.to_string().contains("more than 63 bits"), "{above}");
    // An integer is no text.
    let above = halves.codec().decode_number(1 << 63, NumberWidth::Bits63).unwrap_err();
    assert_eq!(above.code(), Code::InvalidParameter);
}

#[test]
fn the_first_refused_item_of_many_is_told() {
    let ids = keys().public_ids("order", PublicIdForm::default()).unwrap();
    let mut tokens = ids.encode_many([7, 8, 9]).unwrap();
    assert_eq!(ids.decode_many(&tokens).unwrap(), [7, 8, 9]);
    tokens[1] = keys().codec("user").unwrap().encode(8);
    let error = ids.decode_many(&tokens).unwrap_err();
    assert!(matches!(error, Error::Item { index: 1, .. }), "{error:?}");
    assert_eq!(error.code(), Code::WrongType);
    assert!(error.to_string().starts_with("at index 1: it is of another type"), "{error}");
    let numbers = keys().public_ids("order", "number53".parse().unwrap()).unwrap();
    let error = numbers.encode_many([1, 1 << 53]).unwrap_err();
    assert!(matches!(error, Error::Item { index: 1, .. }), "{error:?}");
}

#[test]
fn keys_are_opened_from_a_file_or_a_variable() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("keys.toml");
    fs::write(&path, keys().to_toml().as_bytes()).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;

        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    }
    let opened = PublicIdKeys::open(path.to_str().unwrap()).unwrap().codec("order").unwrap();
    assert_eq!(opened.encode(7), crate::orders().encode(7));
    for (source, variable) in [
        ("env:SNOWMINT_PUBLIC_ID_NONE", "SNOWMINT_PUBLIC_ID_NONE"),
        ("env:", "SNOWMINT_PUBLIC_ID_KEYS"),
    ] {
        let error = PublicIdKeys::open(source).unwrap_err();
        assert!(
            matches!(&error, Error::Keys(KeyFault::NoVariable { name }) if name == variable),
            "{error}"
        );
    }
}
