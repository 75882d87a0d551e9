//! Documents of keys: what is taken, what is refused, and that nothing of a key is ever shown.

use snowmint_engine::Code;
use snowmint_opaque::{Error, KeyFault, MAX_REALM_LENGTH, NumberWidth, PublicIdKeys};

use crate::{A, B};

const KEY_A: &str = "2b7e151628aed2a6abf7158809cf4f3c";
const KEY_B: &str = "ef4359d8d580aa4f7f036d6f04fc6a94";

fn fault(document: &str) -> KeyFault {
    match PublicIdKeys::from_bytes(document.as_bytes()) {
        Err(Error::Keys(fault)) => {
            assert!(!format!("{fault} {fault:?}").contains(&KEY_A[..8]), "{fault:?} of {document}");
            fault
        }
        other => panic!("{other:?} of {document}"),
    }
}

#[test]
fn toml_and_json_say_the_same() {
    let built =
        PublicIdKeys::builder().realm("shop").key('a', &A).key('b', &B).current('b').numbers('a');
    let built = built.build().unwrap().codec("order").unwrap();
    let toml = format!(
        "realm = 'shop'\ncurrent = 'b' # since May\nnumbers = \"a\"\n[keys]\na = '{KEY_A}'\nb = '{KEY_B}'\n"
    );
    let json = format!(
        r#" {{"realm":"shop","current":"b","numbers":"a","keys":{{"a":"{KEY_A}","b":"{KEY_B}"}}}}"#
    );
    for document in [toml, json] {
        let keys = PublicIdKeys::from_bytes(document.as_bytes()).unwrap();
        let told = (keys.realm(), keys.current(), keys.numbers());
        assert_eq!(told, ("shop", 'b', Some('a')));
        assert_eq!(keys.symbols().collect::<String>(), "ab");
        let read = keys.codec("order").unwrap();
        assert_eq!(read.encode(7), built.encode(7));
        assert_eq!(
            read.encode_number(7, NumberWidth::Bits63).unwrap(),
            built.encode_number(7, NumberWidth::Bits63).unwrap()
        );
    }
}

#[test]
fn a_document_is_written_as_it_is_read() {
    let mut keys = PublicIdKeys::generate().unwrap();
    keys.add_key().unwrap();
    let document = keys.to_toml();
    let again = PublicIdKeys::from_bytes(document.as_bytes()).unwrap();
    assert_eq!(*again.to_toml(), *document);
    assert!(
        document.contains("current = \"1\"\nnumbers = \"1\"\n\n[keys]\n1 = \""),
        "{}",
        *document
    );
    let other = PublicIdKeys::generate().unwrap();
    assert_ne!(*other.to_toml(), *PublicIdKeys::generate().unwrap().to_toml());
}

#[test]
fn a_document_keeps_its_notation() {
    let json = format!(
        r#"{{"realm":"shop","current":"b","numbers":"a","last":"c","keys":{{"a":"{KEY_A}","b":"{KEY_B}"}}}}"#
    );
    let keys = PublicIdKeys::from_bytes(json.as_bytes()).unwrap();
    assert_eq!(*keys.to_document(), format!("{json}\n"));
    let toml = keys.to_toml();
    assert!(toml.contains("\nrealm = \"shop\"\ncurrent = \"b\"\nnumbers = \"a\"\nlast = \"c\"\n"));
    let keys = PublicIdKeys::from_bytes(toml.as_bytes()).unwrap();
    assert_eq!(*keys.to_document(), *toml);
    let one = format!(r#"{{"current":"1","numbers":"1","keys":{{"1":"{KEY_A}"}}}}"#);
    let keys = PublicIdKeys::from_bytes(one.as_bytes()).unwrap();
    assert_eq!(*keys.to_document(), format!("{one}\n"));
    let made = PublicIdKeys::generate().unwrap();
    assert_eq!(*made.to_document(), *made.to_toml());
}

#[test]
fn a_mark_of_the_byte_order_is_passed_over() {
    let toml = format!("\u{feff}[keys]\n1 = '{KEY_A}'\n");
    let json = format!("\u{feff}{{\"keys\":{{\"1\":\"{KEY_A}\"}}}}");
    for document in [toml, json] {
        assert_eq!(PublicIdKeys::from_bytes(document.as_bytes()).unwrap().current(), '1');
    }
    let wrong = format!("\u{feff}\n[keys]\n1 = {KEY_A}\n");
    assert!(matches!(fault(&wrong), KeyFault::Document { line: Some(3) }));
}

#[test]
fn weak_keys_are_refused() {
    let with = |key: &str| fault(&format!("keys = {{ a = '{key}' }}"));
    assert!(matches!(with(&KEY_A[..30]), KeyFault::Length { symbol: 'a', bytes: 15 }));
    assert!(matches!(with(&KEY_A.repeat(3)[..66]), KeyFault::Length { bytes: 33, .. }));
    assert!(matches!(with(&KEY_A.repeat(9)), KeyFault::Length { bytes: 144, .. }));
    assert!(matches!(with(""), KeyFault::Length { bytes: 0, .. }));
    assert!(matches!(with(&"00".repeat(32)), KeyFault::Pattern { .. }));
    let password: String = b"correct horse battery".iter().map(|b| format!("{b:02x}")).collect();
    assert!(matches!(with(&password), KeyFault::Text { symbol: 'a' }));
    assert!(matches!(with("correct horse battery staple"), KeyFault::NotHexadecimal { .. }));
    let built = PublicIdKeys::builder().key('1', b"correct horse battery staple").build();
    assert!(matches!(built, Err(Error::Keys(KeyFault::Text { symbol: '1' }))));
    let built = PublicIdKeys::builder().key('1', KEY_A.as_bytes()).build();
    assert!(matches!(built, Err(Error::Keys(KeyFault::Text { .. }))), "digits, and not the key");
}

#[test]
fn keys_are_told_apart() {
    let twice = format!("[keys]\na = '{KEY_A}'\na = '{KEY_B}'\n");
    assert!(matches!(fault(&twice), KeyFault::SymbolTwice { symbol: None }));
    let twice = format!(r#"{{"current":"a","keys":{{"a":"{KEY_A}","a":"{KEY_B}"}}}}"#);
    assert!(matches!(fault(&twice), KeyFault::SymbolTwice { symbol: Some('a') }));
    let same = format!("current = 'a'\n[keys]\na = '{KEY_A}'\nb = '{KEY_A}'\n");
    assert!(matches!(fault(&same), KeyFault::KeyTwice { first: 'a', second: 'b' }));
    let unnamed = format!("[keys]\na = '{KEY_A}'\nb = '{KEY_B}'\n");
    assert!(matches!(fault(&unnamed), KeyFault::Unnamed { role: "current" }));
    let missing = format!("current = 'c'\n[keys]\na = '{KEY_A}'\n");
    assert!(matches!(fault(&missing), KeyFault::Missing { role: "current", symbol: 'c' }));
    let missing = format!("numbers = 'c'\n[keys]\na = '{KEY_A}'\n");
    assert!(matches!(fault(&missing), KeyFault::Missing { role: "numbers", symbol: 'c' }));
    for symbol in ["A", "u", "ab", "é", "''"] {
        let name = if symbol == "''" { "" } else { symbol };
        let named = fault(&format!("[keys]\n'{name}' = '{KEY_A}'\n"));
        let alone = name.chars().next().filter(|_| name.chars().count() == 1);
        assert!(matches!(&named, KeyFault::Symbol { symbol } if *symbol == alone), "{named:?}");
    }
    let swapped = fault(&format!(r#"{{"keys":{{"{KEY_A}":"1"}}}}"#));
    assert!(matches!(swapped, KeyFault::Symbol { .. }), "{swapped}");
    assert!(!format!("{swapped} {swapped:?}").contains(KEY_A), "{swapped}");
    let same = PublicIdKeys::builder().key('a', &A).key('a', &B).current('a').build();
    assert!(matches!(same, Err(Error::Keys(KeyFault::SymbolTwice { symbol: Some('a') }))));
}

#[test]
fn a_malformed_document_is_refused_without_being_quoted() {
    let lines = [
        (format!("[keys]\na = {KEY_A}\n"), Some(2)),
        (format!("keys = '{KEY_A}'\n"), Some(1)),
        (format!("current = '{KEY_A}'\n[keys]\na = '{KEY_A}'\n"), Some(1)),
        (format!("[keys]\na = '{KEY_A}'\n[more]\n"), Some(3)),
        (format!("{{\"keys\": {{\n\"a\": \"{KEY_A}\", }}}}"), Some(2)),
        (format!("{{\"keys\": \"{KEY_A}\"}}"), Some(1)),
    ];
    for (document, line) in lines {
        match fault(&document) {
            KeyFault::Document { line: told } => assert_eq!(told, line, "{document}"),
            other => panic!("{other:?} of {document}"),
        }
    }
    assert!(matches!(fault(" \n"), KeyFault::None));
    assert!(matches!(fault("[keys]\n"), KeyFault::None));
    assert!(matches!(fault("{\"keys\":{}}"), KeyFault::None));
    assert!(matches!(fault(&"#".repeat(70_000)), KeyFault::Document { .. }));
    let raw = fault("\u{7f}raw key").to_string();
    assert!(
        raw.contains("line 1 is not of a document of keys, as `snowmint public-ids keygen`"),
        "{raw}"
    );
    let not_text = PublicIdKeys::from_bytes(b"[keys]\n\xff");
    assert!(matches!(not_text, Err(Error::Keys(KeyFault::Document { line: Some(2) }))));
}

#[test]
fn realms_have_names() {
    let longest = "r".repeat(MAX_REALM_LENGTH);
    for (realm, taken) in [("", true), (&*longest, true), ("shop-2:a.b_C", true), ("a b", false)] {
        assert_eq!(
            PublicIdKeys::builder().key('1', &A).realm(realm).build().is_ok(),
            taken,
            "{realm}"
        );
    }
    for realm in [format!("{longest}r"), "ü".into(), "a\0b".into()] {
        let error = PublicIdKeys::builder().key('1', &A).realm(&realm).build().unwrap_err();
        assert_eq!(error.code(), Code::InvalidParameter, "{realm}");
    }
}

#[test]
fn nothing_is_shown() {
    let builder = PublicIdKeys::builder().key('1', &A).realm("shop");
    assert_eq!(format!("{builder:?}"), "PublicIdKeysBuilder { .. }");
    assert_eq!(format!("{:?}", builder.build().unwrap()), "PublicIdKeys { .. }");
}
