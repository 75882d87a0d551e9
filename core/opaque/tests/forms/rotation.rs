//! Keys that come and go: what was made stays readable, for as long as its key is there.

use snowmint_engine::Code;
use snowmint_opaque::{Error, KeyFault, MAX_KEYS, NumberWidth, PublicIdKeys};

use crate::keys;

#[test]
fn old_forms_are_read_after_two_rotations_until_their_key_is_gone() {
    let mut keys = keys();
    let first = keys.codec("order").unwrap();
    let (token, uuid) = (first.encode(7), first.encode_uuid(7));
    let number = first.encode_number(7, NumberWidth::Bits53).unwrap();
    let mut tokens = vec![token.to_string()];
    for symbol in ['2', '3'] {
        assert_eq!(keys.add_key().unwrap(), symbol);
        let before = keys.codec("order").unwrap();
        assert_eq!(before.encode(7).as_str(), tokens.last().unwrap(), "not current yet");
        keys.make_current(symbol).unwrap();
        // As another process reads the keys.
        keys = PublicIdKeys::from_bytes(keys.to_toml().as_bytes()).unwrap();
        let orders = keys.codec("order").unwrap();
        tokens.push(orders.encode(7).to_string());
        assert!(tokens.last().unwrap().starts_with(&format!("order_{symbol}")));
        for token in &tokens {
            assert_eq!(orders.decode(token).unwrap(), 7, "{token}");
        }
        assert_eq!(orders.decode_uuid(uuid).unwrap(), 7);
        assert_eq!(orders.decode_number(number, NumberWidth::Bits53).unwrap(), 7);
        assert_eq!(orders.encode_number(7, NumberWidth::Bits53).unwrap(), number, "for good");
    }
    keys.remove_key('2').unwrap();
    let orders = keys.codec("order").unwrap();
    let gone = orders.decode(&tokens[1]).unwrap_err();
    assert_eq!((gone.code(), gone.to_string().as_str()), (Code::NotFound, "there is no such ID"));
    for token in [&tokens[0], &tokens[2]] {
        assert_eq!(orders.decode(token).unwrap(), 7);
    }
}

#[test]
fn keys_in_use_stay() {
    let mut keys = keys();
    keys.add_key().unwrap();
    keys.make_current('2').unwrap();
    let refused = |removed: Result<(), Error>| match removed {
        Err(Error::Keys(fault)) => fault,
        other => panic!("{other:?}"),
    };
    assert!(matches!(refused(keys.remove_key('2')), KeyFault::InUse { role: "current", .. }));
    assert!(matches!(refused(keys.remove_key('1')), KeyFault::InUse { role: "numbers", .. }));
    assert!(matches!(refused(keys.remove_key('3')), KeyFault::Missing { symbol: '3', .. }));
    assert!(matches!(refused(keys.make_current('3')), KeyFault::Missing { symbol: '3', .. }));
    assert!(matches!(refused(keys.make_current('o')), KeyFault::Symbol { .. }));
}

#[test]
fn another_key_can_have_the_numbers() {
    let mut keys = keys();
    let number = |keys: &PublicIdKeys, id| {
        let orders = keys.codec("order").unwrap();
        orders.encode_number(id, NumberWidth::Bits53).unwrap()
    };
    let before = number(&keys, 7);
    keys.add_key().unwrap();
    keys.make_current('2').unwrap();
    let refused = keys.remove_key('1').unwrap_err().to_string();
    assert!(refused.contains("`snowmint public-ids rotate FILE --numbers SYMBOL`"), "{refused}");
    let missing = keys.set_numbers('3').unwrap_err();
    assert!(
        matches!(missing, Error::Keys(KeyFault::Missing { role: "numbers", symbol: '3' })),
        "{missing}"
    );
    assert_eq!(number(&keys, 7), before);
    keys.set_numbers('2').unwrap();
    assert_ne!(number(&keys, 7), before);
    keys.remove_key('1').unwrap();
    let again = PublicIdKeys::from_bytes(keys.to_toml().as_bytes()).unwrap();
    assert_eq!((again.numbers(), number(&again, 7)), (Some('2'), number(&keys, 7)));
}

#[test]
fn the_symbol_of_a_key_that_was_taken_away_is_no_other_keys() {
    let read_again =
        |keys: &PublicIdKeys| PublicIdKeys::from_bytes(keys.to_document().as_bytes()).unwrap();
    let mut keys = keys();
    for symbols in [['2', '3'], ['4', '5']] {
        for symbol in symbols {
            assert_eq!(keys.add_key().unwrap(), symbol);
        }
        // The newest last, and first.
        let [older, newer] = if symbols[0] == '2' { symbols } else { [symbols[1], symbols[0]] };
        keys.remove_key(older).unwrap();
        keys = read_again(&keys);
        keys.remove_key(newer).unwrap();
        keys = read_again(&keys);
    }
    assert_eq!(keys.add_key().unwrap(), '6');
    assert!(!keys.to_toml().contains("last"), "the newest key says so itself");
}

#[test]
fn numbers_need_a_key_that_is_named() {
    let several = PublicIdKeys::builder().key('1', &crate::A).key('2', &crate::B).current('2');
    let orders = several.build().unwrap().codec("order").unwrap();
    let error = orders.encode_number(7, NumberWidth::Bits64).unwrap_err();
    assert!(matches!(error, Error::Keys(KeyFault::Unnamed { role: "numbers" })), "{error}");
    assert!(error.to_string().contains("rotate FILE --numbers SYMBOL"), "{error}");
    assert!(orders.decode_number(7, NumberWidth::Bits64).is_err());
}

#[test]
fn there_are_as_many_keys_as_symbols() {
    let mut keys = keys();
    let tokens: Vec<_> = (1..MAX_KEYS)
        .map(|_| {
            let symbol = keys.add_key().unwrap();
            keys.make_current(symbol).unwrap();
            keys.codec("order").unwrap().encode(7)
        })
        .collect();
    assert!(matches!(keys.add_key(), Err(Error::Keys(KeyFault::Full))));
    assert_eq!(keys.current(), '0', "the last one: it looks like a letter");
    let again =
        PublicIdKeys::from_bytes(keys.to_toml().as_bytes()).unwrap().codec("order").unwrap();
    for token in &tokens {
        assert_eq!(again.decode(token).unwrap(), 7);
    }
    keys.remove_key('9').unwrap();
    assert_eq!(keys.add_key().unwrap(), '9');
}
