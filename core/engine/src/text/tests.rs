//! Compares the text forms with simple implementations, and with known values.

use std::format;
use std::string::{String, ToString};

use proptest::prelude::*;

use super::*;

/// A simple implementation: repeated division, symbols put in front of a string.
fn plain_format(form: TextForm, id: u64) -> String {
    let symbols = form.alphabet().as_bytes();
    let digits = form.width().unwrap_or(1) as usize - usize::from(form == TextForm::Base32Check);
    let mut text = String::new();
    let mut rest = id;
    while rest > 0 || text.len() < digits {
        text.insert(0, symbols[(rest % symbols.len() as u64) as usize].into());
        rest /= symbols.len() as u64;
    }
    if form == TextForm::Base32Check {
        text.push(char::from(b"0123456789ABCDEFGHJKMNPQRSTVWXYZ*~$=U"[(id % 37) as usize]));
    }
    text
}

/// A simple implementation: reads the digits as 128 bits, and checks the spelling.
fn plain_parse(form: TextForm, text: &str) -> Option<u64> {
    let symbols = form.alphabet();
    if text.len() > plain_format(form, u64::MAX).len() {
        return None;
    }
    let text = plain_respell(form, text);
    let digits = if form == TextForm::Base32Check {
        text.get(..13)?
    } else {
        text.get(..20).unwrap_or(&text)
    };
    let number = digits.chars().try_fold(0_u128, |number, symbol| {
        Some(number * symbols.len() as u128 + symbols.find(symbol)? as u128)
    })?;
    u64::try_from(number).ok().filter(|&id| plain_format(form, id) == text)
}

/// A simple implementation of leniency: returns the spelling that `format` would have chosen.
fn plain_respell(form: TextForm, text: &str) -> String {
    let crockford = || text.to_uppercase().replace(['I', 'L'], "1").replace('O', "0");
    let folded = match form {
        TextForm::Hex | TextForm::Base36 => text.to_ascii_lowercase(),
        TextForm::Base32 | TextForm::Base32Check => crockford(),
        _ => text.into(),
    };
    let zero = &form.alphabet()[..1];
    match (form.width(), folded.trim_start_matches(zero)) {
        (Some(_), _) => folded,
        (None, "") if !folded.is_empty() => zero.into(),
        (None, digits) => digits.into(),
    }
}

fn form() -> impl Strategy<Value = TextForm> {
    prop::sample::select(TextForm::ALL)
}

/// IDs of every magnitude, because uniform ones nearly always have all their digits.
fn id() -> impl Strategy<Value = u64> {
    prop_oneof![
        (any::<u64>(), 0..64_u32).prop_map(|(bits, shift)| bits >> shift),
        (0..64_u32, -2..=1_i64).prop_map(|(bit, by)| (1_u64 << bit).wrapping_add_signed(by)),
        (0..20_u32, -2..=1_i64).prop_map(|(exp, by)| 10_u64.pow(exp).wrapping_add_signed(by)),
    ]
}

#[test]
fn forms_that_sort_say_so() {
    for form in TextForm::ALL {
        let digits = form.alphabet().len() as u64;
        let sorts = (0..=digits).map(|id| form.format(id).to_string()).is_sorted();
        assert_eq!(form.is_sortable(), sorts, "{form}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn formats_as_the_plain_twin_and_reads_back(form in form(), id in id()) {
        let text = form.format(id);
        prop_assert_eq!(&*text, plain_format(form, id));
        prop_assert_eq!(form.parse(&text), Ok(id));
    }

    #[test]
    fn parses_as_the_plain_twin(form in form(), text in "[0-9A-Za-z*~$=é-]{0,21}|\\PC{0,16}") {
        prop_assert_eq!(form.parse(&text).ok(), plain_parse(form, &text));
    }

    #[test]
    fn parses_near_misses_as_the_plain_twin(
        form in form(), id in id(), at in any::<prop::sample::Index>(), to in any::<char>(),
        ascii in "[ -~]", op in 0..5,
    ) {
        let mut text = form.format(id).to_string();
        let at = at.index(text.len());
        match op {
            0 => text.replace_range(at..=at, &ascii),
            1 => text.insert(at, to),
            2 => text.insert_str(at, &ascii),
            3 => text = text.to_lowercase(),
            _ => text.insert(0, char::from(form.alphabet().as_bytes()[0])),
        }
        let parsed = form.parse(&text);
        prop_assert_eq!(parsed.ok(), plain_parse(form, &text));
        if let Err(Error::InvalidText { at, .. }) = parsed {
            let wrong = text[at as usize..].chars().next().unwrap(); // on a char's boundary
            prop_assert!(!form.alphabet().contains(wrong));
        }
    }

    #[test]
    fn sortable_forms_sort(form in form(), a in id(), b in id()) {
        if form.is_sortable() {
            prop_assert_eq!(form.format(a).cmp(&form.format(b)), a.cmp(&b));
        }
    }

    #[test]
    fn the_check_symbol_finds_slips(id in id(), at in 0..12_usize, to in 0..32_usize) {
        let form = TextForm::Base32Check;
        let right = form.format(id).to_string();
        let mut wrong = right.clone();
        wrong.replace_range(at..=at, &form.alphabet()[to..=to]);
        prop_assert!(wrong == right || form.parse(&wrong).is_err());
        let mut swapped = right.clone();
        swapped.insert_str(at + 2, &right[at..=at]);
        swapped.remove(at);
        prop_assert!(swapped == right || form.parse(&swapped).is_err());
    }

    #[test]
    fn detects_what_parses(text in "\\PC{0,20}", form in form(), id in id()) {
        for text in [text.as_str(), &form.format(id)] {
            let found = detect(text);
            prop_assert!(found.is_none_or(|f| f == TextForm::Decimal
                || f.parse(text).is_ok_and(|id| &*f.format(id) == text)));
        }
    }
}

#[test]
fn known_texts() {
    use TextForm::*;
    for (form, id, text) in [
        (Decimal, u64::MAX, "18446744073709551615"),
        (Decimal, 0, "0"),
        (Hex, 0x15D4, "00000000000015d4"),
        (Hex, u64::MAX, "ffffffffffffffff"),
        (Base32, u64::MAX, "FZZZZZZZZZZZZ"),
        (Base32Check, 1234, "000000000016JD"), // 16JD, the example of Crockford's page
        (Base32Check, 36, "0000000000014U"),
        (ZBase32, 1_427_970_479_175_499_776, "b8wjm1zroyyyy"), // bwmarrin's tests
        (ZBase32, 0, "y"),
        (ZBase32, u64::MAX, "x999999999999"),
        (Base36, u64::MAX, "3w5e11264sgsf"),
        (Base58, 0, "1"),
        (Base58, u64::MAX, "jpXCZedGfVQ"),
        (Base58Flickr, 1_428_076_403_798_048_768, "4jgmnx8Js8A"), // bwmarrin's tests
        (Base62, 61, "0000000000z"),
        (Base62, u64::MAX, "LygHa16AHYF"),
    ] {
        assert_eq!((form.format(id).as_str(), form.parse(text)), (text, Ok(id)));
    }
}

/// CosId pads with zeros, and other programs write capitals.
#[test]
fn reads_other_spellings_of_one_number() {
    use TextForm::*;
    for (form, text, id) in [
        (Decimal, "01", 1),
        (Decimal, "00000000000000000000", 0),
        (Hex, "000000000000ABcd", 0xABCD),
        (Base32, "000000000000o", 0),
        (Base32, "fzzzzzzzzzzzz", u64::MAX),
        (Base32, "00000000000iL", 33),
        (Base32Check, "000000000016Jd", 1234),
        (Base32Check, "00000000ooo14u", 36),
        (ZBase32, "yb", 1),
        (Base36, "A", 10),
        (Base36, "000000000000A", 10),
        (Base36, "3W5E11264SGSF", u64::MAX),
        (Base58, "1z", 57),
        (Base58Flickr, "1Z", 57),
    ] {
        assert_eq!(form.parse(text), Ok(id), "{form:?} {text:?}");
        assert_ne!(&*form.format(id), text, "{form:?}");
    }
}

#[test]
fn refusals_say_why() {
    use TextForm::*;
    for (form, text, error) in [
        (Decimal, "", Error::TextLength { form: Decimal, length: 0 }),
        (Decimal, "184467440737095516150", Error::TextLength { form: Decimal, length: 21 }),
        (Decimal, "18446744073709551616", Error::TextOverflow { form: Decimal }),
        (Decimal, "+1", Error::InvalidText { form: Decimal, at: 0 }),
        (Hex, "00000000000ABcdg", Error::InvalidText { form: Hex, at: 15 }),
        (Base32, "G000000000000", Error::TextOverflow { form: Base32 }),
        (Base32, "000000000000U", Error::InvalidText { form: Base32, at: 12 }),
        (Base32, "0000000000é0", Error::InvalidText { form: Base32, at: 10 }),
        (Base32Check, "000000000016JE", Error::TextCheck { expected: 'D' }),
        (Base32Check, "000000000016J!", Error::InvalidText { form: Base32Check, at: 13 }),
        (Base32Check, "00000000016JU0", Error::InvalidText { form: Base32Check, at: 12 }),
        (ZBase32, "B", Error::InvalidText { form: ZBase32, at: 0 }),
        (ZBase32, "o999999999999", Error::TextOverflow { form: ZBase32 }),
        (Base36, "3w5e11264sgsg", Error::TextOverflow { form: Base36 }),
        (Base58, "zzzzzzzzzzz", Error::TextOverflow { form: Base58 }),
        (Base58Flickr, "4l", Error::InvalidText { form: Base58Flickr, at: 1 }),
        (Base62, "LygHa16AHYG", Error::TextOverflow { form: Base62 }),
    ] {
        assert_eq!(form.parse(text), Err(error), "{form:?} {text:?}");
    }
}

#[test]
fn describes_itself() {
    for &form in TextForm::ALL {
        assert_eq!(TextForm::from_name(form.name()), Some(form));
        let (least, most) = (form.format(0).len(), form.format(u64::MAX).len());
        let rule =
            if least == most { format!("exactly {most}") } else { format!("{least} to {most}") };
        assert_eq!(form.length_rule(), rule);
        assert_eq!(form.width(), (least == most).then_some(most as u32));
    }
    assert_eq!(TextForm::from_name("Hex"), None);
    let text = TextForm::Decimal.format(7);
    assert_eq!((format!("{text:>3}|{text:?}"), text), ("  7|\"7\"".into(), text));
}

#[test]
fn detects_by_its_rules() {
    for (text, form) in [
        ("0", Some(TextForm::Decimal)),
        ("1541815603606036480", Some(TextForm::Decimal)),
        ("99999999999999999999", Some(TextForm::Decimal)),
        ("1234567890123456", Some(TextForm::Decimal)),
        ("0123456789012345", Some(TextForm::Hex)),
        ("00000000000016J", None),
        ("FZZZZZZZZZZZZ", Some(TextForm::Base32)),
        ("GZZZZZZZZZZZZ", None),
        ("000000000016JD", Some(TextForm::Base32Check)),
        ("000000000016JE", None),
        ("LygHa06AHYF", Some(TextForm::Base62)),
        ("1ptWyK4WgZU", Some(TextForm::Base62)),
        // Base 58 can write these texts, in one alphabet or both.
        ("LygHa16AHYF", None),
        ("LygHa16AHYG", None),
        ("4aaW4SzAyQK", None),
        ("4zzv4rZaYpj", None),
        ("", None),
        ("01", None),
        ("abc", None),
    ] {
        assert_eq!(detect(text), form, "{text:?}");
    }
}
