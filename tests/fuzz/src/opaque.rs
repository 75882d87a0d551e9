//! Public IDs and documents of keys: whatever decodes is what its ID encodes to, whatever is refused is
//! refused by an error, and keys that are read are written as they are read.

use std::sync::LazyLock;

use snowmint::public_ids::{NumberWidth, PublicIdForm, PublicIdKeys, PublicIds};

use crate::input::Input;

/// Two keys, so that a text can be of the one that is current or of the other.
const KEYS: &[u8] = b"current = '2'\nnumbers = '1'\n[keys]\n\
    1 = '2b7e151628aed2a6abf7158809cf4f3c'\n2 = 'ef4359d8d580aa4f7f036d6f04fc6a94'\n";

/// The IDs of a type in each form, with the second key current and with the first.
static IDS: LazyLock<Vec<[PublicIds; 2]>> = LazyLock::new(|| {
    let both = PublicIdKeys::from_bytes(KEYS).expect("keys");
    let mut first = PublicIdKeys::from_bytes(KEYS).expect("keys");
    first.make_current('1').expect("the first key");
    let of = |keys: &PublicIdKeys, form| keys.public_ids("order", form).expect("a type");
    PublicIdForm::ALL.iter().map(|&form| [of(&both, form), of(&first, form)]).collect()
});

/// A byte for the form, eight of a number; the rest is a text, a document or a type.
pub fn run(data: &[u8]) {
    let mut input = Input(data);
    let (choice, number, rest) = (usize::from(input.byte()), input.u64(), input.rest());
    let Some(both) = IDS.get(choice) else { return document(rest) };
    for ids in both {
        written(ids, number);
        if let Ok(text) = std::str::from_utf8(rest) {
            read(ids, both, text);
        }
    }
    let name = String::from_utf8_lossy(rest);
    assert!(name.parse::<PublicIdForm>().is_ok_and(|form| form.name() == name) || !is_form(&name));
}

fn is_form(name: &str) -> bool {
    PublicIdForm::ALL.iter().any(|form| form.name() == name)
}

/// Each ID that fits has a form, and is read back.
fn written(ids: &PublicIds, id: u64) {
    match ids.encode(id) {
        Ok(text) => assert_eq!(ids.decode(&text).expect("its own"), id, "{text}"),
        Err(error) => {
            crate::check_error(&error.into());
            let PublicIdForm::Number(width) = ids.form() else {
                panic!("{id} has no {}", ids.form())
            };
            assert!(id > width.max() && width != NumberWidth::Bits64, "{id}");
        }
    }
}

/// One of the two keys made what is read, in this spelling.
fn read(ids: &PublicIds, both: &[PublicIds; 2], text: &str) {
    match ids.decode(text) {
        Ok(id) => {
            let made = |ids: &PublicIds| ids.encode(id).is_ok_and(|made| *made == *text);
            assert!(both.iter().any(made), "{text} is read as {id}");
        }
        Err(error) => crate::check_error(&error.into()),
    }
}

fn document(bytes: &[u8]) {
    match PublicIdKeys::from_bytes(bytes) {
        Ok(keys) => {
            let written = keys.to_document();
            let again = PublicIdKeys::from_bytes(written.as_bytes()).expect("what it wrote itself");
            assert_eq!(*again.to_document(), *written);
            let written = keys.to_toml();
            let again = PublicIdKeys::from_bytes(written.as_bytes()).expect("what it wrote itself");
            assert_eq!(*again.to_toml(), *written);
            let ids = keys.public_ids("order", PublicIdForm::default()).expect("a type");
            let token = ids.encode(7).expect("tokens take any ID");
            assert_eq!(again.codec("order").expect("a type").encode(7), token);
        }
        Err(error) => crate::check_error(&error.into()),
    }
}
