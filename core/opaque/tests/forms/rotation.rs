//! Keys that come and go: what was made stays readable, for as long as its key is there.

use snowmint_engine::Code;
use snowmint_opaque::{Error, KeyFault, MAX_KEYS, NumberWidth, Opaque};

use crate::opaque;

#[test]
fn old_forms_are_read_after_two_rotations_until_their_key_is_gone() {
    let mut opaque = opaque();
    let first = opaque.typed("order").unwrap();
    let (token, uuid) = (first.encode(7), first.encode_uuid(7));
    let number = first.encode_number(7, NumberWidth::Bits53).unwrap();
    let mut tokens = vec![token.to_string()];
    for symbol in ['2', '3'] {
        assert_eq!(opaque.add_key().unwrap(), symbol);
        let before = opaque.typed("order").unwrap();
        assert_eq!(before.encode(7).as_str(), tokens.last().unwrap(), "not current yet");
        opaque.make_current(symbol).unwrap();
        // As another process reads the keys.
        opaque = Opaque::from_bytes(opaque.to_toml().as_bytes()).unwrap();
        let orders = opaque.typed("order").unwrap();
        tokens.push(orders.encode(7).to_string());
        assert!(tokens.last().unwrap().starts_with(&format!("order_{symbol}")));
        for token in &tokens {
            assert_eq!(orders.decode(token).unwrap(), 7, "{token}");
        }
        assert_eq!(orders.decode_uuid(uuid).unwrap(), 7);
        assert_eq!(orders.decode_number(number, NumberWidth::Bits53).unwrap(), 7);
        assert_eq!(orders.encode_number(7, NumberWidth::Bits53).unwrap(), number, "for good");
    }
    opaque.remove_key('2').unwrap();
    let orders = opaque.typed("order").unwrap();
    let gone = orders.decode(&tokens[1]).unwrap_err();
    assert_eq!((gone.code(), gone.to_string().as_str()), (Code::NotFound, "there is no such ID"));
    for token in [&tokens[0], &tokens[2]] {
        assert_eq!(orders.decode(token).unwrap(), 7);
    }
}

#[test]
fn keys_in_use_stay() {
    let mut opaque = opaque();
    opaque.add_key().unwrap();
    opaque.make_current('2').unwrap();
    let refused = |removed: Result<(), Error>| match removed {
        Err(Error::Keys(fault)) => fault,
        other => panic!("{other:?}"),
    };
    assert!(matches!(refused(opaque.remove_key('2')), KeyFault::InUse { role: "current", .. }));
    assert!(matches!(refused(opaque.remove_key('1')), KeyFault::InUse { role: "numbers", .. }));
    assert!(matches!(refused(opaque.remove_key('3')), KeyFault::Missing { symbol: '3', .. }));
    assert!(matches!(refused(opaque.make_current('3')), KeyFault::Missing { symbol: '3', .. }));
    assert!(matches!(refused(opaque.make_current('o')), KeyFault::Symbol { .. }));
}

#[test]
fn another_key_can_have_the_numbers() {
    let mut opaque = opaque();
    let number = |opaque: &Opaque, id| {
        let orders = opaque.typed("order").unwrap();
        orders.encode_number(id, NumberWidth::Bits53).unwrap()
    };
    let before = number(&opaque, 7);
    opaque.add_key().unwrap();
    opaque.make_current('2').unwrap();
    let refused = opaque.remove_key('1').unwrap_err().to_string();
    assert!(refused.contains("`snowmint opaque rotate FILE --numbers SYMBOL`"), "{refused}");
    let missing = opaque.set_numbers('3').unwrap_err();
    assert!(
        matches!(missing, Error::Keys(KeyFault::Missing { role: "numbers", symbol: '3' })),
        "{missing}"
    );
    assert_eq!(number(&opaque, 7), before);
    opaque.set_numbers('2').unwrap();
    assert_ne!(number(&opaque, 7), before);
    opaque.remove_key('1').unwrap();
    let again = Opaque::from_bytes(opaque.to_toml().as_bytes()).unwrap();
    assert_eq!((again.numbers(), number(&again, 7)), (Some('2'), number(&opaque, 7)));
}

#[test]
fn the_symbol_of_a_key_that_was_taken_away_is_no_other_keys() {
    let read_again = |opaque: &Opaque| Opaque::from_bytes(opaque.to_document().as_bytes()).unwrap();
    let mut opaque = opaque();
    for symbols in [['2', '3'], ['4', '5']] {
        for symbol in symbols {
            assert_eq!(opaque.add_key().unwrap(), symbol);
        }
        // The newest last, and first.
        let [older, newer] = if symbols[0] == '2' { symbols } else { [symbols[1], symbols[0]] };
        opaque.remove_key(older).unwrap();
        opaque = read_again(&opaque);
        opaque.remove_key(newer).unwrap();
        opaque = read_again(&opaque);
    }
    assert_eq!(opaque.add_key().unwrap(), '6');
    assert!(!opaque.to_toml().contains("last"), "the newest key says so itself");
}

#[test]
fn numbers_need_a_key_that_is_named() {
    let several = Opaque::builder().key('1', &crate::A).key('2', &crate::B).current('2');
    let orders = several.build().unwrap().typed("order").unwrap();
    let error = orders.encode_number(7, NumberWidth::Bits64).unwrap_err();
    assert!(matches!(error, Error::Keys(KeyFault::Unnamed { role: "numbers" })), "{error}");
    assert!(error.to_string().contains("rotate FILE --numbers SYMBOL"), "{error}");
    assert!(orders.decode_number(7, NumberWidth::Bits64).is_err());
}

#[test]
fn there_are_as_many_keys_as_symbols() {
    let mut opaque = opaque();
    let tokens: Vec<_> = (1..MAX_KEYS)
        .map(|_| {
            let symbol = opaque.add_key().unwrap();
            opaque.make_current(symbol).unwrap();
            opaque.typed("order").unwrap().encode(7)
        })
        .collect();
    assert!(matches!(opaque.add_key(), Err(Error::Keys(KeyFault::Full))));
    assert_eq!(opaque.current(), '0', "the last one: it looks like a letter");
    let again = Opaque::from_bytes(opaque.to_toml().as_bytes()).unwrap().typed("order").unwrap();
    for token in &tokens {
        assert_eq!(again.decode(token).unwrap(), 7);
    }
    opaque.remove_key('9').unwrap();
    assert_eq!(opaque.add_key().unwrap(), '9');
}
