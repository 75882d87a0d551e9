//! The meaning of a single text: an ID in one of the forms, an ID of another kind, or a problem.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use snowmint_engine::{Doubt, TextForm, detect, guess};

use crate::clean::{LONGEST, clean, is_integer};
use crate::damage::{Inexact, inexact, rounded};
use crate::longs::joined;
use crate::other::{DAY_MS, Other, other, tid};
use crate::problem::{self, Problem};

/// Shorter texts without a digit are words, whatever number they would be in some base.
const WORD_MAX: usize = 13;
/// Shorter texts are IDs only in decimal and hexadecimal.
const SHORTEST: usize = 10;

/// The order in which forms are tried if the look of a text shows none: the common ones first.
const TRIED: [TextForm; 9] = [
    TextForm::Decimal,
    TextForm::Hex,
    TextForm::Base32,
    TextForm::Base32Check,
    TextForm::Base62,
    TextForm::Base58,
    TextForm::Base58Flickr,
    TextForm::Base36,
    TextForm::ZBase32,
];

/// The meaning of a single text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum One {
    /// A 64-bit ID.
    Number(Number),
    /// An ID that is no 64-bit number.
    Other(Other),
    /// No ID.
    Problem(Problem),
}

/// A 64-bit ID in the forms that can read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// The forms and what the text is in them, the likeliest first. There is at least one.
    pub readings: Vec<(TextForm, u64)>,
    /// The form that was asked for, or that the text shows by its look, and the ID in it; or `None`
    /// if the form cannot be told.
    pub certain: Option<(TextForm, u64)>,
    /// What is odd about the ID.
    pub note: Option<Problem>,
}

/// Reads a single text. `form` is the form to put first, in which words are read as well; `now_ms`
/// tells which IDs are plausible, in Unix milliseconds.
pub fn read_one(text: &str, form: Option<TextForm>, now_ms: i64) -> One {
    read_bare(&clean(&joined(text)), form, now_ms)
}

pub(crate) fn read_bare(bare: &str, form: Option<TextForm>, now_ms: i64) -> One {
    // Hashes look like IDs of several kinds, with any time.
    let latest_ms = now_ms.saturating_add(DAY_MS);
    let is_past = |other: &Other| other.unix_ms.is_none_or(|unix_ms| unix_ms <= latest_ms);
    if let Some(other) = other(bare).filter(is_past) {
        return One::Other(other);
    }
    if let Some(problem) = problem_of(bare) {
        return One::Problem(problem);
    }
    // Words are not guessed, because long texts are full of them.
    if form.is_none() && is_plain_word(bare) {
        return One::Problem(problem::word(bare));
    }
    if let Some(Inexact::Exact(id)) = inexact(bare) {
        let reading = (TextForm::Decimal, id);
        return One::Number(Number {
            readings: [reading].into(),
            certain: Some(reading),
            note: None,
        });
    }
    let mut readings: Vec<_> =
        TRIED.iter().filter_map(|&form| Some((form, read_as(bare, form)?))).collect();
    if readings.is_empty() {
        return One::Problem(unreadable(bare));
    }
    let is_chosen = readings.iter().any(|(read, _)| Some(*read) == form);
    let is_short =
        || bare.len() < SHORTEST && !readings.iter().any(|(_, id)| is_plausible(*id, now_ms));
    let is_digits = is_integer(bare) || is_hexadecimal(bare);
    if !is_chosen && !is_digits && (is_plain_word(bare) || is_short()) {
        return One::Problem(problem::word(bare));
    }
    let look = look_of(bare);
    likeliest_first(&mut readings, |&(read, id)| {
        let mut rank = 0;
        if Some(read) == form {
            rank += 8;
        }
        if Some(read) == look {
            rank += if read == TextForm::Decimal { 5 } else { 1 };
        }
        f64::from(rank + if is_plausible(id, now_ms) { 2 } else { 0 })
    });
    let told = if is_chosen { form } else { look };
    let certain = readings.iter().find(|(read, _)| Some(*read) == told).copied();
    if certain.is_none()
        && let Some(tid) = tid(bare, now_ms)
    {
        return One::Other(tid);
    }
    let note = readings.first().and_then(|&(form, id)| note_of(bare, form, id));
    One::Number(Number { readings, certain, note })
}

/// Returns true if a known system may have an ID at this time. A layout's first month does not
/// count, because words are there as numbers.
pub(crate) fn is_plausible(id: u64, now_ms: i64) -> bool {
    guess(id, now_ms).any(|guess| guess.doubt != Some(Doubt::Young))
}

/// Sorts a few items, those with the highest scores first and equal ones in their order. The sorts of
/// the library would be a tenth of the explorer's module.
pub(crate) fn likeliest_first<T: Copy>(items: &mut Vec<T>, score: impl Fn(&T) -> f64) {
    let mut sorted: Vec<(f64, T)> = Vec::new();
    for item in items.iter() {
        let score = score(item);
        let at = sorted.iter().position(|(other, _)| *other < score).unwrap_or(sorted.len());
        sorted.insert(at, (score, *item));
    }
    *items = sorted.iter().map(|(_, item)| *item).collect();
}

/// Returns the ID of a text in one form, in any of its spellings.
pub(crate) fn read_as(bare: &str, form: TextForm) -> Option<u64> {
    if bare.len() > LONGEST {
        return None;
    }
    let parse = |text: &str| form.parse(text).ok();
    match form {
        TextForm::Decimal if bare.starts_with('-') => {
            bare.parse::<i64>().ok().filter(|id| *id < 0).map(i64::cast_unsigned)
        }
        TextForm::Hex => parse(&hexadecimal_digits(bare)?),
        TextForm::Base32 | TextForm::Base32Check => parse(&without(bare, "-")),
        TextForm::ZBase32 => parse(bare).or_else(|| parse(&bare.to_ascii_lowercase())),
        _ => parse(bare),
    }
}

fn without<'a>(text: &'a str, symbols: &str) -> Cow<'a, str> {
    if text.contains(|symbol| symbols.contains(symbol)) {
        text.chars().filter(|symbol| !symbols.contains(*symbol)).collect()
    } else {
        Cow::Borrowed(text)
    }
}

fn is_hexadecimal(bare: &str) -> bool {
    bare.starts_with("0x") || bare.starts_with("0X")
}

/// Returns sixteen digits. Fewer are hexadecimal only with `0x` in front.
fn hexadecimal_digits(bare: &str) -> Option<String> {
    let marked = is_hexadecimal(bare).then(|| bare.get(2..)).flatten();
    let digits = without(marked.unwrap_or(bare), "-_: ");
    let is_read = if marked.is_some() { !digits.is_empty() } else { digits.len() == 16 };
    is_read.then(|| format!("{digits:0>16}"))
}

/// Returns the form that a text has by its look, if no other form looks so.
fn look_of(bare: &str) -> Option<TextForm> {
    let is_hex = is_hexadecimal(bare)
        || (bare.len() == 16 && bare.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let is_base32 = |form: &TextForm| matches!(form, TextForm::Base32 | TextForm::Base32Check);
    match detect(bare).or_else(|| detect(&without(bare, "-")).filter(is_base32)) {
        Some(form) => Some(form),
        None if is_integer(bare) => Some(TextForm::Decimal),
        None if is_hex => Some(TextForm::Hex),
        None => None,
    }
}

fn problem_of(bare: &str) -> Option<Problem> {
    if bare.is_empty() {
        return Some(problem::empty());
    }
    if bare.len() > LONGEST {
        return Some(if is_words(bare) { problem::words(bare) } else { problem::too_long(bare) });
    }
    if is_integer(bare) {
        return match bare.strip_prefix('-') {
            Some(_) => bare.parse::<i64>().is_err().then(|| problem::below(bare)),
            None => bare.parse::<u64>().is_err().then(|| problem::above(bare)),
        };
    }
    inexact(bare).and_then(|inexact| Problem::of_inexact(bare, inexact))
}

/// Returns true if a text consists of letters, in the case of a word, and is no longer than words
/// are.
pub(crate) fn is_plain_word(bare: &str) -> bool {
    let is_letters = !bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_capital = |byte: u8| byte.is_ascii_uppercase();
    is_letters
        && bare.len() < WORD_MAX
        && (bare.bytes().all(is_capital) || !bare.bytes().skip(1).any(is_capital))
}

fn is_words(bare: &str) -> bool {
    bare.contains(char::is_whitespace)
}

fn unreadable(bare: &str) -> Problem {
    if let Some((kind, is_base64)) = public_id(bare) {
        return problem::public_id(bare, kind, is_base64);
    }
    let overflows = is_hexadecimal(bare)
        && bare.len() > 2
        && bare.bytes().skip(2).all(|byte| byte.is_ascii_hexdigit());
    if overflows {
        return problem::above(bare);
    }
    if is_words(bare) { problem::words(bare) } else { problem::unreadable(bare) }
}

/// Returns the type of a public ID in base32 or base64, and whether it is base64: the type, the
/// symbol of the key, and 128 bits. The other forms of public IDs look like any UUID and any number.
fn public_id(bare: &str) -> Option<(&str, bool)> {
    let at = bare.len().checked_sub(24).filter(|at| bare.as_bytes().get(*at) == Some(&b'_'));
    let (kind, secret, is_base64) = match at {
        Some(at) => (bare.get(..at)?, bare.get(at + 1..)?, true),
        None => {
            let (kind, secret) = bare.rsplit_once('_')?;
            (kind, secret, false)
        }
    };
    let is_type = kind.len() <= 32
        && kind.starts_with(|first: char| first.is_ascii_lowercase())
        && !kind.ends_with('_')
        && kind
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    let (key, bits) = secret.split_at_checked(1)?;
    let is_base32 = |text: &str| {
        text.bytes().all(|byte| {
            (byte.is_ascii_lowercase() || byte.is_ascii_digit()) && !b"ilou".contains(&byte)
        })
    };
    let is_secret = if is_base64 {
        let is_symbol = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        bits.bytes().all(is_symbol) && bits.ends_with(['A', 'Q', 'g', 'w'])
    } else {
        bits.len() == 26
            && is_base32(bits)
            && bits.starts_with(|first| ('0'..='7').contains(&first))
    };
    (is_type && is_secret && is_base32(key)).then_some((kind, is_base64))
}

/// Returns what is odd about a decimal ID, if anything.
fn note_of(bare: &str, form: TextForm, id: u64) -> Option<Problem> {
    if form != TextForm::Decimal {
        return None;
    }
    if bare.starts_with('-') {
        return Some(problem::negative(bare, id));
    }
    rounded(id).map(|damage| problem::rounded(bare, damage))
}
