//! Removes what surrounds an ID in code, JSON and spreadsheets.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;

/// A length above any ID's, also in groups and between quotes.
pub(crate) const LONGEST: usize = 100;

/// The ends of integers in source code, such as `n` of JavaScript.
const SUFFIXES: [&str; 10] = ["n", "u", "l", "ul", "lu", "ll", "ull", "llu", "u64", "i64"];

/// Returns a text without the symbols that surround an ID.
pub(crate) fn clean(text: &str) -> String {
    let folded =
        if text.is_ascii() { Cow::Borrowed(text) } else { text.chars().filter_map(fold).collect() };
    let bare = folded
        .trim_start_matches(|symbol| is_around(symbol) || "([{<".contains(symbol))
        .trim_end_matches(|symbol| is_around(symbol) || ")]}>".contains(symbol));
    // The end of a sentence.
    let bare = bare.strip_suffix('.').filter(|rest| is_integer(rest)).unwrap_or(bare);
    if bare.len() > LONGEST {
        return bare.to_owned();
    }
    let integer = without_suffix(bare);
    ungrouped(integer).unwrap_or_else(|| integer.to_owned())
}

/// Returns true for an optional sign and digits.
pub(crate) fn is_integer(text: &str) -> bool {
    is_digits(text.strip_prefix('-').unwrap_or(text))
}

pub(crate) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_around(symbol: char) -> bool {
    symbol.is_whitespace() || "\"'`“”‘’,;".contains(symbol)
}

/// Returns the plain form of a symbol, or `None` if the symbol is invisible.
fn fold(symbol: char) -> Option<char> {
    let code = u32::from(symbol);
    match code {
        0x200b..=0x200d | 0x2060 | 0xfeff => None,
        0x2010..=0x2013 | 0x2212 => Some('-'),
        // Full-width forms, and digits of mathematics.
        0xff01..=0xff5e => char::from_u32(code - 0xfee0),
        0x1d7ce..=0x1d7ff => char::from_digit((code - 0x1d7ce) % 10, 10),
        _ if symbol.is_whitespace() && symbol != '\n' && symbol != '\t' => Some(' '),
        _ => Some(symbol),
    }
}

fn without_suffix(bare: &str) -> &str {
    let integer = bare.trim_end_matches(|symbol: char| !symbol.is_ascii_digit());
    let integer = match bare.get(integer.len()..) {
        Some("") => {
            integer.strip_suffix("64").unwrap_or(integer).trim_end_matches(['u', 'i', 'U', 'I'])
        }
        _ => integer,
    };
    let suffix = bare.get(integer.len()..).unwrap_or_default();
    let is_suffix = SUFFIXES.iter().any(|known| suffix.eq_ignore_ascii_case(known));
    if is_suffix && is_integer(integer) { integer } else { bare }
}

/// Returns the digits of an integer with separators between its thousands.
fn ungrouped(text: &str) -> Option<String> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let separator = digits.chars().find(|symbol| !symbol.is_ascii_digit())?;
    if !",_'’. ".contains(separator) {
        return None;
    }
    let mut groups = digits.split(separator);
    let first = groups.next()?;
    let is_group = |group: &str| is_digits(group) && group.len() == 3;
    let count = groups.clone().count();
    let fits = is_digits(first)
        && first.len() <= 3
        // A single point is that of a decimal fraction.
        && (separator != '.' || count > 1)
        && groups.all(is_group);
    fits.then(|| text.chars().filter(|symbol| *symbol != separator).collect())
}
