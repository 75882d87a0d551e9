//! The IDs of a text with one or many of them.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use snowmint_engine::TextForm;

use crate::cells::{Cells, bonus, cells_of, is_name, is_one_integer, start_of};
use crate::clean::{clean, is_digits};
use crate::damage::{inexact, is_damaged};
use crate::likeness::{likeness, sample};
use crate::longs::joined;
use crate::one::{One, is_plain_word, is_plausible, likeliest_first, read_as, read_bare};
use crate::problem::Problem;

/// The most rejected texts that are kept to be shown.
const REJECTED_MAX: usize = 20;
/// Texts with fewer symbols are not read as IDs in another form than their column's.
const SHORTEST: usize = 10;
/// Numbers of fewer digits beside a damaged one are amounts and counts.
const SHORTEST_BESIDE_DAMAGE: usize = 14;
/// The number of cells from which on texts that several forms could have written show their form.
const UNCERTAIN_FROM: usize = 8;
/// The most cells in which a single ID is taken as the only one.
const AROUND_MAX: usize = 100;
/// The length of the text around an ID that is kept.
const BESIDE_MAX: usize = 2000;

/// The IDs of a text.
#[derive(Clone, Debug, Default)]
pub struct Many {
    /// The IDs, in the order of the text.
    pub ids: Vec<u64>,
    /// The form of most IDs.
    pub form: Option<TextForm>,
    /// The forms that they may have, the likeliest first.
    pub forms: Vec<TextForm>,
    /// The place where they were found, in words, if there were others.
    pub source: Option<String>,
    /// The text beside the IDs, which may name their system; empty if there is none.
    pub beside: String,
    /// The first texts that are no IDs, with their places from 1 on.
    pub rejected: Vec<(usize, String)>,
    /// The number of texts that are no IDs.
    pub rejected_count: usize,
    /// The text of the only ID among a few other words.
    pub only: Option<String>,
    /// The damage of IDs there.
    pub problem: Option<Problem>,
}

/// Reads the IDs of a text: lines, lists, tables, JSON, logs and links. `form` is their form if it is
/// known; `now_ms` tells which IDs are plausible, in Unix milliseconds.
pub fn read_many(text: &str, form: Option<TextForm>, now_ms: i64) -> Many {
    let mut reader = ManyReader::new(text, form, now_ms);
    reader.step(usize::MAX);
    reader.finish()
}

/// Reads the IDs of a text as [`read_many`] does, in steps, for programs that have to do other things
/// in between.
#[derive(Debug)]
pub struct ManyReader {
    many: Many,
    /// The start of the text.
    around: String,
    now_ms: i64,
    cells: Vec<String>,
    /// The number of cells that were read.
    read: usize,
    /// The place of the last ID's cell.
    last: usize,
}

impl ManyReader {
    /// Finds the texts that may be IDs, and their forms.
    pub fn new(text: &str, form: Option<TextForm>, now_ms: i64) -> ManyReader {
        let text = joined(text);
        let found = if is_one_integer(&text) {
            Cells { cells: [clean(&text)].into(), ..Cells::default() }
        } else {
            cells_of(&text, now_ms)
        };
        let Cells { cells, source, beside, is_column } = found;
        let forms = forms_of(&cells, now_ms, false);
        // A few texts that several forms could have written may as well be words, unless the name
        // of their column or key says that they are IDs.
        let is_named = beside.as_deref().is_some_and(|name| bonus(name) > 0.0);
        let told = forms_of(&cells, now_ms, cells.len() < UNCERTAIN_FROM && !is_named);
        let column = beside.as_deref().filter(|name| is_column && !name.is_empty());
        let many = Many {
            form: form.or(told.first().copied()),
            forms,
            source,
            problem: damage_of(&cells, column),
            beside: beside.unwrap_or_default(),
            ..Many::default()
        };
        let around = start_of(&text, BESIDE_MAX).to_owned();
        ManyReader { many, around, now_ms, cells, read: 0, last: 0 }
    }

    /// Reads so many texts more. Returns true if there are others left.
    pub fn step(&mut self, count: usize) -> bool {
        let end = self.read.saturating_add(count).min(self.cells.len());
        let form = self.many.form.unwrap_or(TextForm::Decimal);
        for (at, cell) in self.cells.iter().enumerate().take(end).skip(self.read) {
            let is_amount = self.many.problem.is_some() && cell.len() < SHORTEST_BESIDE_DAMAGE;
            match id_of(cell, form, self.now_ms).filter(|_| !is_amount) {
                Some(id) => {
                    self.many.ids.push(id);
                    self.last = at;
                }
                None => self.many.reject(at + 1, cell),
            }
        }
        self.read = end;
        end < self.cells.len()
    }

    /// Returns the IDs that were read.
    pub fn finish(self) -> Many {
        let ManyReader { mut many, around, cells, last, .. } = self;
        many.drop_header();
        if many.ids.len() == 1 {
            let only = cells.get(last).filter(|_| cells.len() <= AROUND_MAX);
            // One ID's system may be named anywhere around it.
            let is_alone = only.is_some_and(|only| only == around.trim());
            many.beside = if is_alone { String::new() } else { around };
            many.only = only.cloned();
        }
        many
    }
}

/// Returns what is wrong with the first damaged cell.
fn damage_of(cells: &[String], column: Option<&str>) -> Option<Problem> {
    let cell = cells.iter().find(|cell| is_damaged(cell))?;
    let problem = Problem::of_inexact(cell, inexact(cell)?)?;
    Some(match column {
        Some(name) => problem.of_column(name),
        None => problem,
    })
}

impl Many {
    fn reject(&mut self, place: usize, text: &str) {
        self.rejected_count += 1;
        if self.rejected.len() < REJECTED_MAX {
            self.rejected.push((place, text.to_owned()));
        }
    }

    /// The name of a single column is no rejected ID.
    fn drop_header(&mut self) {
        let is_name = |(place, text): &(usize, String)| *place == 1 && is_name(text);
        if !self.ids.is_empty() && self.rejected.first().is_some_and(is_name) {
            self.rejected.remove(0);
            self.rejected_count -= 1;
        }
    }
}

/// Returns the forms of the cells, or of those whose form is certain, those of most cells first.
fn forms_of(cells: &[String], now_ms: i64, is_certain: bool) -> Vec<TextForm> {
    let sample = sample(cells);
    let mut votes: Vec<(TextForm, f64)> = Vec::new();
    for cell in sample.iter().filter(|cell| likeness(cell, now_ms) > 0.0) {
        let One::Number(number) = read_bare(cell, None, now_ms) else { continue };
        if is_certain && number.certain.is_none() {
            continue;
        }
        for (rank, (form, _)) in number.readings.iter().enumerate() {
            let vote = 8.0 / (8 + rank) as f64;
            match votes.iter_mut().find(|(known, _)| known == form) {
                Some((_, sum)) => *sum += vote,
                None => votes.push((*form, vote)),
            }
        }
    }
    // Texts that look like base 62 but never contain 0, O, I or l are most likely base 58.
    let is_base58 = sample.len() >= UNCERTAIN_FROM
        && !sample.iter().any(|cell| cell.contains(['0', 'O', 'I', 'l']))
        && votes.iter().any(|(form, _)| *form == TextForm::Base58);
    if is_base58
        && let Some((_, sum)) = votes.iter_mut().find(|(form, _)| *form == TextForm::Base62)
    {
        *sum = 0.0;
    }
    likeliest_first(&mut votes, |(_, sum)| *sum);
    if votes.is_empty() {
        return [TextForm::Decimal].into();
    }
    votes.into_iter().map(|(form, _)| form).collect()
}

fn id_of(cell: &str, form: TextForm, now_ms: i64) -> Option<u64> {
    let is_other = form != TextForm::Decimal && !is_plain_word(cell);
    let in_form = if is_other { read_as(cell, form) } else { None };
    let read = in_form.or_else(|| read_as(cell, TextForm::Decimal));
    read.or_else(|| if is_digits(cell) { None } else { stranger_of(cell, now_ms) })
}

/// Returns the ID of a text in another form than its column's. A short text may be a word instead.
fn stranger_of(cell: &str, now_ms: i64) -> Option<u64> {
    if cell.len() < SHORTEST {
        return None;
    }
    match read_bare(cell, None, now_ms) {
        One::Number(number) => {
            number.certain.map(|(_, id)| id).filter(|id| is_plausible(*id, now_ms))
        }
        _ => None,
    }
}
