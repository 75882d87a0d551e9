//! The meaning of any text.

use alloc::string::String;

use snowmint_engine::TextForm;

use crate::clean::clean;
use crate::longs::joined;
use crate::many::{Many, read_many};
use crate::one::{One, read_bare, read_one};
use crate::other::{Other, other};
use crate::problem;

/// Longer texts that were to be one ID are not examined.
const LONGEST: usize = 1000;

/// What a text says that somebody pasted.
#[derive(Clone, Debug)]
pub enum Reading {
    /// The text is one ID, or one thing that is none.
    One(One),
    /// The text has IDs in it.
    Many(Many),
}

/// Reads a text with one or many IDs, of any shape. `form` is their form if it is known; `now_ms`
/// tells which IDs are plausible, in Unix milliseconds.
pub fn read(text: &str, form: Option<TextForm>, now_ms: i64) -> Reading {
    let one = read_one(text, form, now_ms);
    let One::Problem(problem) = one else { return Reading::One(one) };
    if problem.damage.is_some() {
        return Reading::One(One::Problem(problem));
    }
    let many = read_many(text, form, now_ms);
    if !many.ids.is_empty() {
        return Reading::Many(many);
    }
    if let Some(damage) = many.problem {
        return Reading::One(One::Problem(damage));
    }
    let other = if problem.says_more() { None } else { other_within(text) };
    Reading::One(other.map_or(One::Problem(problem), One::Other))
}

/// Returns the only ID of another kind with a time, in a link or among words.
fn other_within(text: &str) -> Option<Other> {
    let is_part = |symbol: char| symbol.is_ascii_alphanumeric() || symbol == '-' || symbol == '_';
    let parts = text.split(|symbol| !is_part(symbol));
    let mut found = parts.filter_map(other).filter(|other| other.unix_ms.is_some());
    found.next().filter(|_| found.next().is_none())
}

/// Explains a text that was to be an ID and has not its form, or returns `None` if there is no more
/// to say than that.
pub fn advice(text: &str) -> Option<String> {
    if text.len() > LONGEST {
        return None;
    }
    let joined = joined(text);
    let bare = clean(&joined);
    match read_bare(&bare, None, i64::MAX) {
        // What has 64 bits is told by its time, and there is no clock here.
        One::Other(other) if other.bits != 64 => Some(other.sentence()),
        One::Problem(problem) if problem.says_more() => Some(problem.sentence),
        One::Number(number) if bare != text => {
            number.certain.map(|(_, id)| problem::surrounded(text, id))
        }
        _ => None,
    }
}
