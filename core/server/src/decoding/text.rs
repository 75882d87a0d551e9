//! Reads IDs from a text that somebody gave.

use snowmint::reading::{
    Many, Number, One, Other, Problem, Reading, advice, read, read_one, shown,
};
use snowmint::{Code, Error, Result, TextForm};

use crate::errors;

/// An ID that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Id {
    /// One of 64 bits.
    Number(u64),
    /// One of another kind.
    Other(Other),
}

/// What a text says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The IDs, at least one.
    pub ids: Vec<Id>,
    /// The text beside them, which may name their system.
    pub beside: String,
    /// A sentence about the damage that some IDs seem to have.
    pub note: Option<String>,
}

/// Reads the IDs of a text, in the form named, or else in the form that it looks like. `naming` is
/// the option that names a form, for messages; `beside` is the text beside it.
///
/// # Errors
/// The codes of text forms; [`Code::UnknownTextForm`] if the form cannot be told.
pub fn parse(
    text: &str,
    form: Option<TextForm>,
    now_ms: i64,
    beside: &str,
    naming: &str,
) -> Result<Parsed> {
    if let Some(form) = form {
        return in_form(text, form, now_ms);
    }
    match read(text, None, now_ms) {
        Reading::One(One::Number(number)) => of_number(text, number, now_ms, beside, naming),
        Reading::One(One::Other(other)) => Ok(alone(Id::Other(other), None)),
        Reading::One(One::Problem(problem)) => Err(refused(text, &problem, now_ms, beside, naming)),
        Reading::Many(many) => Ok(of_many(many, now_ms, beside)),
    }
}

fn alone(id: Id, note: Option<String>) -> Parsed {
    Parsed { ids: vec![id], beside: String::new(), note }
}

/// Reads a text that can only be in one form.
fn in_form(text: &str, form: TextForm, now_ms: i64) -> Result<Parsed> {
    let why = match form.parse(text) {
        Ok(id) => return Ok(alone(Id::Number(id), None)),
        Err(why) => why,
    };
    match read_one(text, Some(form), now_ms) {
        One::Number(Number { certain: Some((read, id)), .. }) if read == form => {
            Ok(alone(Id::Number(id), None))
        }
        _ => Err(match advice(text) {
            Some(advice) => Error::new(why.code(), advice),
            None => errors::decoding::id_malformed(&shown(text), &why.into()),
        }),
    }
}

fn of_number(
    text: &str,
    number: Number,
    now_ms: i64,
    beside: &str,
    naming: &str,
) -> Result<Parsed> {
    match number.certain {
        Some((_, id)) => {
            let damage = number.note.filter(|note| note.damage.is_some());
            Ok(alone(Id::Number(id), damage.map(|note| note.told(now_ms, beside))))
        }
        None => Err(errors::decoding::id_malformed(&shown(text), &undecided(text, naming))),
    }
}

fn of_many(many: Many, now_ms: i64, beside: &str) -> Parsed {
    let note =
        many.problem.map(|problem| problem.told(now_ms, &format!("{beside} {}", many.beside)));
    Parsed { ids: many.ids.into_iter().map(Id::Number).collect(), beside: many.beside, note }
}

fn refused(text: &str, problem: &Problem, now_ms: i64, beside: &str, naming: &str) -> Error {
    let sentence = problem.told(now_ms, &format!("{beside} {}", start_of(text)));
    if problem.code != Code::UnknownTextForm {
        return Error::new(problem.code, sentence);
    }
    let why = undecided(text, naming);
    Error::new(problem.code, format!("{sentence} As an ID {why}"))
}

/// Returns as much of a text as may name a system.
fn start_of(text: &str) -> String {
    text.chars().take(2000).collect()
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
    match names.as_slice() {
        [] => errors::decoding::form_missing(),
        [one] => errors::decoding::form_uncertain(one, naming),
        several => errors::decoding::form_ambiguous(several, naming),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    const FORMAT: &str = "--format ";
    const VECTORS: &str = include_str!("../../../../tests/vectors/readings.json");

    fn ids(text: &str, form: Option<TextForm>) -> Vec<u64> {
        let parsed = parse(text, form, 0, "", FORMAT).unwrap();
        let number = |id| match id {
            Id::Number(number) => number,
            Id::Other(other) => panic!("{other:?}"),
        };
        parsed.ids.into_iter().map(number).collect()
    }

    #[test]
    fn reads_what_the_vectors_say() {
        let vectors: Value = serde_json::from_str(VECTORS).unwrap();
        let now_ms = vectors["now_ms"].as_str().unwrap().parse().unwrap();
        for vector in vectors["readings"].as_array().unwrap() {
            let text = vector["text"].as_str().unwrap();
            let parsed = parse(text, None, now_ms, "", FORMAT);
            let sentence = vector["sentence"].as_str().unwrap_or_default();
            match vector["kind"].as_str().unwrap() {
                "problem" => {
                    let error = parsed.unwrap_err();
                    assert_eq!(error.code().name(), vector["code"], "{text}");
                    let message = snowmint::escaped(sentence);
                    assert!(error.to_string().starts_with(&*message), "{error}");
                }
                "uncertain" => {
                    assert_eq!(parsed.unwrap_err().code(), Code::UnknownTextForm, "{text}");
                }
                "other" => {
                    let [Id::Other(other)] = &*parsed.unwrap().ids else { panic!("{text}") };
                    assert_eq!(other.kind, vector["name"], "{text}");
                }
                _ => {
                    let parsed = parsed.unwrap();
                    let expected = vector["ids"].as_array().unwrap();
                    let number = |id: &Value| Id::Number(id.as_str().unwrap().parse().unwrap());
                    assert!(parsed.ids.into_iter().eq(expected.iter().map(number)), "{text}");
                    let note = parsed.note.unwrap_or_default();
                    assert!(note.starts_with(sentence) || text.starts_with('-'), "{text}: {note}");
                }
            }
        }
    }

    #[test]
    fn reads_every_form_that_is_named() {
        const ID: u64 = 1_541_815_603_606_036_480;
        for &form in TextForm::ALL {
            let text = form.format(ID);
            assert_eq!(ids(&text, Some(form)), [ID], "{form}");
            assert_eq!(ids(&format!("\"{text}\""), Some(form)), [ID], "{form}");
        }
        let refused = parse("1.2E+18", Some(TextForm::Decimal), 0, "", FORMAT).unwrap_err();
        assert!(refused.to_string().contains("was rounded by a spreadsheet"), "{refused}");
    }

    #[test]
    fn a_text_that_several_forms_write_is_refused_by_their_names() {
        for (text, forms) in [
            ("4aaW4SzAyQK", "base58 or base58-flickr or base62"),
            ("LygHa16AHYF", "base58 or base62"),
            ("hello", "base36: add --format base36"),
        ] {
            let error = parse(text, None, 0, "", FORMAT).unwrap_err();
            assert_eq!(error.code(), Code::UnknownTextForm, "{text}");
            assert!(error.to_string().contains(forms), "{error}");
        }
    }
}
