//! Reads an ID from its text.

use snowmint::{Error, Result, TextForm, Uuid, detect};

use crate::errors;

/// The characters of a wrong text that are shown.
const MAX_SHOWN: usize = 60;

/// An ID that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Id {
    /// One of 64 bits.
    Number(u64),
    /// One of 128 bits.
    Uuid(Uuid),
}

/// Parses an ID in the form named, or else in the form that it looks like. `naming` is the option
/// that names a form, for messages.
///
/// # Errors
/// The codes of text forms; [`Code::UnknownTextForm`](snowmint::Code::UnknownTextForm) if the form
/// cannot be told.
pub fn parse(text: &str, form: Option<TextForm>, naming: &str) -> Result<Id> {
    let number = match form {
        Some(form) => form.parse(text).map_err(Error::from),
        None => match detect(text) {
            Some(form) => form.parse(text).map_err(Error::from),
            None if is_hyphenated(text) => return parse_uuid(text),
            None => parse_undetected(text, naming),
        },
    };
    number.map(Id::Number).map_err(|why| errors::decoding::id_malformed(&shown(text), &why))
}

fn is_hyphenated(text: &str) -> bool {
    text.len() == 36 && text.bytes().filter(|byte| *byte == b'-').count() == 4
}

fn parse_uuid(text: &str) -> Result<Id> {
    Uuid::try_parse(text)
        .map(Id::Uuid)
        .map_err(|error| errors::decoding::uuid_malformed(&shown(text), error))
}

fn parse_undetected(text: &str, naming: &str) -> Result<u64> {
    let digits = text.strip_prefix("0x").or(text.strip_prefix("0X"));
    if let Some(digits) = digits.filter(|digits| !digits.is_empty()) {
        return Ok(TextForm::Hex.parse(&format!("{:0>16}", digits.to_ascii_lowercase()))?);
    }
    if text.is_empty() {
        return Err(errors::decoding::id_empty());
    }
    // A negative number: another program showed the 64 bits as a signed integer.
    match text.parse::<i64>() {
        Ok(signed) if signed < 0 => Ok(signed.cast_unsigned()),
        _ => Err(undecided(text, naming)),
    }
}

/// Builds the error for a text whose form is unclear, with the forms that could read it.
fn undecided(text: &str, naming: &str) -> Error {
    let readable = TextForm::ALL.iter().filter(|form| form.parse(text).is_ok());
    let mut names: Vec<_> = readable.map(|form| form.name()).collect();
    let has = |is_of: fn(&u8) -> bool| text.bytes().any(|byte| is_of(&byte));
    if names.len() > 1 && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) {
        // Base 36 can be written in either case, but hardly in both at once.
        names.retain(|name| *name != TextForm::Base36.name());
    }
    match (names.as_slice(), wider(text)) {
        ([], Some(kind)) => errors::decoding::id_too_wide(kind),
        ([], None) => match TextForm::Decimal.parse(text) {
            // Digits are meant as a decimal number, whose own error says what is wrong.
            Err(error) if text.bytes().all(|byte| byte.is_ascii_digit()) => error.into(),
            _ => errors::decoding::form_missing(),
        },
        ([one], _) => errors::decoding::form_uncertain(one, naming),
        (several, _) => errors::decoding::form_ambiguous(several, naming),
    }
}

/// Returns the name of a 128-bit ID that the text looks like. Numbers have at most 20 symbols.
fn wider(text: &str) -> Option<&'static str> {
    let is_crockford = |byte: u8| byte.is_ascii_alphanumeric() && !b"iloUuILO".contains(&byte);
    match text.len() {
        26 if text.starts_with(|first| ('0'..='7').contains(&first))
            && text.bytes().all(is_crockford) =>
        {
            Some("ULID")
        }
        32 if text.bytes().all(|byte| byte.is_ascii_hexdigit()) => Some("UUID"),
        _ => None,
    }
}

/// Returns a text in quotes, escaped and shortened.
pub fn shown(text: &str) -> String {
    let start: String = text.chars().take(MAX_SHOWN).collect();
    let more = if start.len() < text.len() { "…" } else { "" };
    format!("{start:?}{more}")
}

#[cfg(test)]
mod tests {
    use snowmint::Code;

    use super::*;

    const FORMAT: &str = "--format ";
    const ID: u64 = 1_541_815_603_606_036_480;

    #[test]
    fn reads_every_form_told_by_its_looks() {
        let texts =
            ["1541815603606036480", "1565a1bd5b97a000", "0x1565A1BD5B97A000"].map(str::to_owned);
        let fixed = TextForm::ALL.iter().filter(|form| form.width().is_some());
        for text in texts.into_iter().chain(fixed.map(|form| form.format(ID).to_string())) {
            assert!(matches!(parse(&text, None, FORMAT), Ok(Id::Number(_))), "{text}");
        }
        assert_eq!(parse("0xff", None, FORMAT).unwrap(), Id::Number(255));
        assert_eq!(parse("0", None, FORMAT).unwrap(), Id::Number(0));
    }

    #[test]
    fn refuses_with_the_code_of_the_fault() {
        let cases = [
            ("", Code::TextLength),
            ("0x", Code::UnknownTextForm),
            ("0x11112222333344445", Code::TextLength),
            ("18446744073709551616", Code::TextOverflow),
            ("-9223372036854775809", Code::InvalidText),
            ("hello", Code::UnknownTextForm),
            ("né à Paris", Code::InvalidText),
            ("007", Code::UnknownTextForm),
            ("111112222233333444445", Code::TextLength),
            ("123e4567-e89b-12d3-a456-42661417400z", Code::InvalidText),
        ];
        for (text, code) in cases {
            assert_eq!(parse(text, None, FORMAT).unwrap_err().code(), code, "{text}");
        }
    }

    #[test]
    fn a_text_that_several_forms_write_is_refused_by_their_names() {
        for (text, forms) in [
            ("4aaW4SzAyQK", "base58 or base58-flickr or base62"),
            ("LygHa16AHYF", "base58 or base62"),
        ] {
            let error = parse(text, None, FORMAT).unwrap_err();
            assert_eq!(error.code(), Code::UnknownTextForm, "{text}");
            assert!(error.to_string().contains(forms), "{error}");
        }
    }

    #[test]
    fn a_negative_number_is_the_64_bits_that_it_is() {
        for (text, id) in [("-1", u64::MAX), ("-9223372036854775808", 1 << 63)] {
            assert_eq!(parse(text, None, FORMAT).unwrap(), Id::Number(id), "{text}");
        }
    }
}
