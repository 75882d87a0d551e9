//! Finds the texts that may be IDs in what was pasted: lists, tables, JSON, logs and links.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use crate::clean::{clean, is_digits, is_integer};
use crate::likeness::{sample, share_of_ids};

mod json;
mod table;

pub use table::is_header;

/// The length of a link's start that surely includes its host.
const HOST_MAX: usize = 300;
/// The fewest digits of a number in a link that can stand beside smaller ones.
const LONG_IN_LINK: usize = 11;
/// The most keys of JSON that are examined.
const NAMES_MAX: usize = 250;
/// The lengths of numbers that are IDs within any text.
const LONG: core::ops::RangeInclusive<usize> = 15..=20;

/// Texts that may be IDs.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    /// The texts, in order.
    pub(crate) cells: Vec<String>,
    /// The place where they were found, in words.
    pub(crate) source: Option<String>,
    /// The name of their column or key, or the start of their link.
    pub(crate) beside: Option<String>,
    /// True if `beside` is the name of a column or key.
    pub(crate) is_column: bool,
}

/// A column of a table, or the values of a key.
struct Column<'a> {
    name: String,
    cells: Vec<&'a str>,
}

pub(crate) fn cells_of(text: &str, now_ms: i64) -> Cells {
    let trimmed = text.trim();
    if trimmed.starts_with("https://") || trimmed.starts_with("http://") {
        return of_link(trimmed);
    }
    if trimmed.starts_with(['[', '{'])
        && let Some(found) = likeliest(json::columns(trimmed), "key", now_ms)
    {
        return found;
    }
    if let Some(columns) = table::columns(trimmed, now_ms)
        && let Some(found) = likeliest(columns, "column", now_ms)
    {
        return found;
    }
    of_words(trimmed, now_ms)
}

fn of_words(text: &str, now_ms: i64) -> Cells {
    let is_glue = |symbol: char| symbol.is_whitespace() || ",;|[]".contains(symbol);
    let words = text.split(is_glue).map(clean);
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    if share_of_ids(&sample(&words), now_ms) >= 0.5 {
        return Cells { cells: words, ..Cells::default() };
    }
    let long = long_numbers(text);
    if long.is_empty() {
        return Cells { cells: words, ..Cells::default() };
    }
    let source = "the numbers of 15 to 20 digits in the text".to_owned();
    Cells { cells: long, source: Some(source), ..Cells::default() }
}

/// Returns the numbers of 15 to 20 digits that are no parts of words or decimal fractions.
fn long_numbers(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    // True unless the symbol before is part of a word or of a fraction.
    let mut is_bound = true;
    let mut rest = text;
    while !rest.is_empty() {
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        let mut next = after.chars();
        let symbol = next.next();
        if LONG.contains(&length) && is_bound && is_end(symbol, next.clone().next()) {
            found.push(digits.to_owned());
        }
        is_bound = symbol
            .is_none_or(|symbol| !symbol.is_ascii_alphanumeric() && (symbol != '.' || length == 0));
        rest = next.as_str();
    }
    found
}

fn is_end(symbol: Option<char>, next: Option<char>) -> bool {
    match symbol {
        Some('.') => !next.is_some_and(|next| next.is_ascii_digit()),
        Some(symbol) => !symbol.is_ascii_alphanumeric(),
        None => true,
    }
}

fn of_link(text: &str) -> Cells {
    let link = decoded(text);
    let parts: Vec<_> =
        link.split(|symbol: char| symbol.is_whitespace() || "/?&=#".contains(symbol)).collect();
    let numbers = parts.iter().filter(|part| is_digits(part) && part.len() <= *LONG.end());
    // Links also contain the place where they were shared: `?s=20`.
    let long: Vec<_> = numbers.clone().filter(|part| part.len() >= LONG_IN_LINK).collect();
    let cells = if long.is_empty() {
        let within = long_numbers(&link);
        if within.is_empty() { numbers.map(ToString::to_string).collect() } else { within }
    } else {
        long.into_iter().map(ToString::to_string).collect()
    };
    Cells {
        cells,
        source: Some("the numbers of the link".to_owned()),
        beside: Some(start_of(text, HOST_MAX).to_owned()),
        is_column: false,
    }
}

/// Returns a link with its percent signs decoded, as far as they are ASCII.
fn decoded(link: &str) -> String {
    let mut made = String::with_capacity(link.len());
    let mut rest = link;
    while let Some((before, after)) = rest.split_once('%') {
        made.push_str(before);
        let byte = after.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match byte.filter(u8::is_ascii) {
            Some(byte) => {
                made.push(char::from(byte));
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                made.push('%');
                rest = after;
            }
        }
    }
    made.push_str(rest);
    made
}

/// Returns at most so many bytes of a text's start.
pub(crate) fn start_of(text: &str, most: usize) -> &str {
    let end = text.char_indices().map(|(at, _)| at).take_while(|at| *at <= most).last();
    if text.len() <= most { text } else { text.get(..end.unwrap_or_default()).unwrap_or(text) }
}

/// Returns the cells of the column that has most IDs.
fn likeliest(columns: Vec<Column<'_>>, noun: &str, now_ms: i64) -> Option<Cells> {
    let count = columns.len();
    let mut best: Option<(f64, Column<'_>)> = None;
    for column in columns {
        let score = share_of_ids(&sample(&column.cells), now_ms) + bonus(&column.name);
        if best.as_ref().is_none_or(|(most, _)| score > *most) {
            best = Some((score, column));
        }
    }
    let (_, column) = best.filter(|(score, _)| *score >= 0.5)?;
    Some(Cells {
        cells: column.cells.iter().map(|cell| clean(cell)).collect(),
        source: (count > 1).then(|| format!("the {noun} “{}”", column.name)),
        beside: Some(column.name),
        is_column: true,
    })
}

/// Returns what the name of a column adds to its score, if it is that of IDs.
pub(crate) fn bonus(name: &str) -> f64 {
    let singular = name.strip_suffix(['s', 'S']).unwrap_or(name);
    if singular.eq_ignore_ascii_case("id") {
        return 0.2;
    }
    let Some(at) = singular.len().checked_sub(2) else { return 0.0 };
    let (before, end) = singular.split_at_checked(at).unwrap_or_default();
    let is_word = !before.ends_with(|last: char| last.is_ascii_alphabetic());
    let is_named = (end.eq_ignore_ascii_case("id") && is_word) || end == "Id" || end == "ID";
    if is_named { 0.1 } else { 0.0 }
}

/// Returns true if a cell is the name of a column.
pub(crate) fn is_name(cell: &str) -> bool {
    let is_name = |symbol: char| symbol.is_ascii_alphanumeric() || "_ .-".contains(symbol);
    let digits = cell.as_bytes().windows(4).any(|four| four.iter().all(u8::is_ascii_digit));
    cell.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && cell.len() <= 41
        && cell.chars().all(is_name)
        && !digits
}

/// Groups values by their names, in the order of the names' first places. Values of more names than
/// a table has columns are left out.
fn grouped<'a>(values: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<Column<'a>> {
    let mut columns: Vec<Column<'a>> = vec![];
    for (name, cell) in values {
        let is_full = columns.len() >= NAMES_MAX;
        match columns.iter_mut().find(|column| column.name == name) {
            Some(column) => column.cells.push(cell),
            None if is_full => {}
            None => columns.push(Column { name: name.to_owned(), cells: vec![cell] }),
        }
    }
    columns
}

/// Returns true if a text is one integer, whatever surrounds it.
pub(crate) fn is_one_integer(text: &str) -> bool {
    is_integer(&clean(text))
}
