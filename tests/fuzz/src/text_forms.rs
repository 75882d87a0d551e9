//! Text forms and everything else that is known by a name: whatever parses means the number of one
//! canonical text, and every number has a text.

use snowmint::engine::Error;
use snowmint::reading::{self, One, Reading};
use snowmint::{ClockPolicy, Preset, Tag, TextForm, Timestamp, detect, guess, names};

/// Eight bytes of a number; the rest is text.
pub fn run(data: &[u8]) {
    let (number, text) = data.split_at(data.len().min(8));
    let id = number.iter().fold(0, |id, &byte| id << 8 | u64::from(byte));
    for &form in TextForm::ALL {
        let written = form.format(id);
        assert_eq!(form.parse(&written), Ok(id), "{form:?}");
        assert!(form.width().is_none_or(|width| width as usize == written.len()));
    }
    let now_ms = id.rotate_left(17) as i64;
    assert!(!Timestamp(now_ms).to_string().is_empty());
    guess(id, now_ms).for_each(|guess| assert!(guess.preset.layout.decode(id).is_ok()));

    let Ok(text) = std::str::from_utf8(text) else { return };
    for &form in TextForm::ALL {
        match form.parse(text) {
            Ok(id) => assert_eq!(form.parse(&form.format(id)), Ok(id), "{form:?}"),
            Err(error) => check_refusal(error, text),
        }
    }
    if let Some(form) = detect(text) {
        let is_canonical = form.parse(text).is_ok_and(|id| form.format(id).as_str() == text);
        assert!(form == TextForm::Decimal || is_canonical);
    }
    named(text);
    read(text, now_ms);
}

/// Whatever is pasted is read, and what is wrong with it is said.
fn read(text: &str, now_ms: i64) {
    match reading::read(text, None, now_ms) {
        Reading::One(One::Number(number)) => assert!(!number.readings.is_empty()),
        Reading::One(One::Other(other)) => assert!(other.sentence().contains(&other.name)),
        Reading::One(One::Problem(problem)) => assert!(!problem.told(now_ms, text).is_empty()),
        Reading::Many(many) => assert!(!many.ids.is_empty()),
    }
    for &form in TextForm::ALL {
        reading::read(text, Some(form), now_ms);
        let read = names::id(text, Some(form));
        assert_eq!(read.is_ok(), form.parse(text).is_ok(), "{form:?}");
    }
}

fn check_refusal(error: Error, text: &str) {
    assert!(!error.to_string().is_empty());
    if let Error::InvalidText { at, .. } = error {
        assert!((at as usize) < text.len());
    }
}

/// Names are found again as they are spelled, and in no other way.
fn named(text: &str) {
    assert!(TextForm::from_name(text).is_none_or(|form| form.name() == text));
    assert!(Preset::from_name(text).is_none_or(|preset| preset.name == text));
    let policies = ClockPolicy::ALL.iter().filter(|(name, _)| *name == text).count();
    assert_eq!(usize::from(ClockPolicy::from_name(text).is_some()), policies);
    match Tag::new(text) {
        Ok(tag) => assert_eq!(tag.as_str(), text),
        Err(error) => crate::check_error(&error),
    }
}
