//! What is wrong with a text that is no ID, in a sentence.

use alloc::format;
use alloc::string::String;

use snowmint_engine::{Code, TextForm};

use crate::damage::{Damage, Inexact};

/// The characters of a wrong text that are shown.
const MAX_SHOWN: usize = 60;
const TOO_LONG: &str = "decimal has up to 20 digits, hexadecimal 16, the other forms 11 to 14";
const AN_ID: &str = "An ID is decimal (up to 20 digits), hexadecimal with 0x in front, or 11 to 14 \
                     symbols.";
/// The check symbols that may end base32, besides its digits.
const CHECK_SYMBOLS: &str = "*~$=U";
const KEEP: &str = "Keep IDs as text: import the column as text, and write IDs as strings in JSON.";

/// What is wrong with a text, or odd about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The code of the fault.
    pub code: Code,
    /// What is wrong, and what would be right.
    pub sentence: String,
    /// The IDs that a damaged one may have been, if that is the problem and they are known.
    pub damage: Option<Damage>,
    /// True if it is known what the text is, and not only that it is no ID.
    pub(crate) is_certain: bool,
}

impl Problem {
    fn certain(code: Code, sentence: String) -> Problem {
        Problem { is_certain: true, ..Problem::new(code, sentence) }
    }

    fn new(code: Code, sentence: String) -> Problem {
        Problem { code, sentence, damage: None, is_certain: false }
    }

    pub(crate) fn of_inexact(bare: &str, inexact: Inexact) -> Option<Problem> {
        match inexact {
            Inexact::Exact(_) => None,
            Inexact::Exponent(damage) => Some(exponent(bare, damage)),
            Inexact::Point(damage) => Some(point(bare, damage)),
            Inexact::Fraction => Some(fraction(bare)),
            Inexact::Above => Some(above(bare)),
        }
    }

    /// Returns the sentence, and what is still known of a damaged ID at `now_ms`, in Unix
    /// milliseconds. `beside` is the text beside the ID, which may name its system.
    pub fn told(&self, now_ms: i64, beside: &str) -> String {
        match self.damage.and_then(|damage| damage.dating(now_ms, beside)) {
            Some(dating) => format!("{} {dating}", self.sentence),
            None => self.sentence.clone(),
        }
    }

    /// Returns true if the sentence says more than that a text is in no form.
    pub(crate) fn says_more(&self) -> bool {
        self.is_certain
    }

    /// Returns the problem of a column of a table, or of a key.
    pub(crate) fn of_column(self, name: &str) -> Problem {
        let noun =
            if name.starts_with(|first: char| first.is_ascii_digit()) { "column " } else { "" };
        Problem { sentence: format!("{noun}{name} is damaged: {}", self.sentence), ..self }
    }
}

/// Returns a text in quotes, escaped and shortened.
pub fn shown(text: &str) -> String {
    let start: String = text.chars().take(MAX_SHOWN).collect();
    let more = if start.len() < text.len() { "…" } else { "" };
    format!("{start:?}{more}")
}

pub(crate) fn empty() -> Problem {
    Problem::new(Code::TextLength, "Give an ID: its decimal digits, or any other form.".into())
}

pub(crate) fn too_long(text: &str) -> Problem {
    let length = text.chars().count();
    let sentence = format!("{} is no ID: it has {length} symbols; {TOO_LONG}.", shown(text));
    Problem::new(Code::TextLength, sentence)
}

fn exponent(text: &str, damage: Option<Damage>) -> Problem {
    let range = damage.map_or_else(String::new, |Damage { low, high }| {
        format!(" The ID was between {low} and {high}.")
    });
    let sentence = format!(
        "{} was rounded by a spreadsheet or a program: its last digits are lost.{range} {KEEP}",
        shown(text)
    );
    Problem { damage, ..Problem::certain(Code::InvalidText, sentence) }
}

fn point(text: &str, damage: Damage) -> Problem {
    let Damage { low, high } = damage;
    let sentence = format!(
        "{} went through floating point, which keeps 15 to 17 digits: the ID was between {low} and \
         {high}. {KEEP}",
        shown(text)
    );
    Problem { damage: Some(damage), ..Problem::certain(Code::InvalidText, sentence) }
}

fn fraction(text: &str) -> Problem {
    let sentence = format!("{} is no ID: an ID is an integer.", shown(text));
    Problem::certain(Code::InvalidText, sentence)
}

/// Returns what is odd about an ID with the digits of a rounded number.
pub(crate) fn rounded(text: &str, damage: Damage) -> Problem {
    let Damage { low, high } = damage;
    let sentence = format!(
        "{} looks rounded, as JavaScript and spreadsheets round: the ID was between {low} and \
         {high}. {KEEP}",
        shown(text)
    );
    Problem { damage: Some(damage), ..Problem::certain(Code::InvalidText, sentence) }
}

/// Returns what is odd about a negative ID.
pub(crate) fn negative(text: &str, id: u64) -> Problem {
    let sentence = format!("{text} is negative as a signed integer; unsigned it is {id}.");
    Problem::certain(Code::InvalidText, sentence)
}

pub(crate) fn above(text: &str) -> Problem {
    let (shown, most) = (shown(text), u64::MAX);
    let sentence = format!("{shown} is larger than 64 bits. The largest ID is {most}.");
    Problem::certain(Code::TextOverflow, sentence)
}

pub(crate) fn below(text: &str) -> Problem {
    let (shown, least) = (shown(text), i64::MIN);
    let sentence = format!("{shown} is below 64 bits. The smallest signed ID is {least}.");
    Problem::certain(Code::TextOverflow, sentence)
}

pub(crate) fn word(text: &str) -> Problem {
    let sentence = format!("{} looks like a word, no ID. {AN_ID}", shown(text));
    Problem::new(Code::UnknownTextForm, sentence)
}

pub(crate) fn words(text: &str) -> Problem {
    let mut joined = String::new();
    for word in text.split_whitespace().take(MAX_SHOWN) {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(word);
    }
    let sentence = format!("{} looks like several words, no ID. {AN_ID}", shown(&joined));
    Problem::new(Code::InvalidText, sentence)
}

/// Returns the sentence about an ID among other symbols.
pub(crate) fn surrounded(text: &str, id: u64) -> String {
    format!("{} is the ID {id} in another notation: give its digits alone.", shown(text))
}

/// Returns the problem of a public ID, of which a type was read.
pub(crate) fn public_id(text: &str, kind: &str, is_base64: bool) -> Problem {
    let form = if is_base64 { " --form base64url" } else { "" };
    let sentence = format!(
        "This looks like a public ID of the type {kind:?}. Only the keys that made it can read it. \
         Where the keys are, run: snowmint public-ids decode --keys keys.toml --type {kind}{form} \
         {text}"
    );
    Problem::certain(Code::InvalidText, sentence)
}

/// Returns the problem of a single text that no form reads.
pub(crate) fn unreadable(text: &str) -> Problem {
    let is_known = |symbol: char| {
        symbol == '-'
            || CHECK_SYMBOLS.contains(symbol)
            || TextForm::ALL.iter().any(|form| form.alphabet().contains(symbol))
    };
    let (code, why) = match text.chars().find(|symbol| !is_known(*symbol)) {
        Some(stray) => (Code::InvalidText, format!("{stray:?} is in no form's alphabet. {AN_ID}")),
        None if text.len() > 14 => {
            (Code::TextLength, format!("it is too long for 64 bits; {TOO_LONG}."))
        }
        None => (
            Code::InvalidText,
            "it is too large for 64 bits, or its check symbol does not match.".into(),
        ),
    };
    Problem::new(code, format!("{} is no ID: {why}", shown(text)))
}
