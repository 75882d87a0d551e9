//! Tables that can be sorted and searched.

use std::borrow::Cow;
use std::cmp::Ordering;

use snowmint::escaped;

/// A table with its rows in their original order.
#[derive(Clone, Debug)]
pub(super) struct Sheet {
    pub(super) name: &'static str,
    /// The titles. One that begins with `>` is of a column of numbers, aligned to the right and
    /// sorted from the largest.
    pub(super) titles: &'static [&'static str],
    pub(super) rows: Vec<Vec<Cell>>,
}

pub(super) fn is_of_numbers(title: &str) -> bool {
    title.starts_with('>')
}

/// Returns a title as shown.
pub(super) fn shown(title: &str) -> &str {
    title.trim_start_matches('>')
}

#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) text: Cow<'static, str>,
    /// The value that a number is sorted by; `None` comes last.
    value: Option<f64>,
    pub(super) tone: Tone,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Tone {
    #[default]
    Plain,
    Faint,
    Good,
    Wrong,
}

/// Returns a cell with a text, escaped because others may have written it.
pub(super) fn word(text: &str) -> Cell {
    Cell { text: escaped(text).into_owned().into(), value: None, tone: Tone::Plain }
}

/// Returns a cell with a number and its text.
pub(super) fn figure(value: f64, text: impl Into<Cow<'static, str>>) -> Cell {
    Cell { text: text.into(), value: Some(value), tone: Tone::Plain }
}

/// Returns a cell for a value that does not apply.
pub(super) fn nothing() -> Cell {
    Cell { text: "-".into(), value: None, tone: Tone::Faint }
}

impl Cell {
    pub(super) fn toned(self, tone: Tone) -> Cell {
        Cell { tone, ..self }
    }

    pub(super) fn length(&self) -> usize {
        self.text.chars().count()
    }

    fn compare(&self, other: &Cell, is_number: bool) -> Ordering {
        match (self.value, other.value) {
            (Some(one), Some(two)) => two.total_cmp(&one),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) if is_number => Ordering::Equal,
            (None, None) => self.text.cmp(&other.text),
        }
    }
}

/// The order of the rows, and the search that selects them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) column: usize,
    pub(super) is_reversed: bool,
    /// The text that a row must contain.
    pub(super) search: String,
}

impl Sheet {
    /// Returns the indices of the selected rows in order. Equal rows keep their original order.
    pub(super) fn chosen(&self, choice: &Choice) -> Vec<usize> {
        let search = choice.search.to_lowercase();
        let has = |row: &&Vec<Cell>| {
            search.is_empty() || row.iter().any(|cell| cell.text.to_lowercase().contains(&search))
        };
        let rows = self.rows.iter().enumerate().filter(|(_, row)| has(row));
        let mut chosen: Vec<usize> = rows.map(|(index, _)| index).collect();
        let is_number = self.titles.get(choice.column).is_some_and(|title| is_of_numbers(title));
        chosen.sort_by(|one, two| {
            let cell = |index: &usize| self.rows.get(*index).and_then(|row| row.get(choice.column));
            let (Some(one), Some(two)) = (cell(one), cell(two)) else { return Ordering::Equal };
            let order = one.compare(two, is_number);
            // Rows without a value come last in either direction.
            let are_both = one.value.is_some() == two.value.is_some();
            if choice.is_reversed && are_both { order.reverse() } else { order }
        });
        chosen
    }

    pub(super) fn widths(&self) -> Vec<usize> {
        let width = |(index, title): (usize, &&str)| {
            let cells = self.rows.iter().filter_map(|row| row.get(index));
            cells.map(Cell::length).max().unwrap_or(0).max(shown(title).len())
        };
        self.titles.iter().enumerate().map(width).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TITLES: &[&str] = &["NAME", ">RATE"];

    fn sheet() -> Sheet {
        let row = |name, rate: Option<f64>| {
            vec![word(name), rate.map_or_else(nothing, |rate| figure(rate, rate.to_string()))]
        };
        let rows = vec![row("b", Some(9.0)), row("a", None), row("c", Some(10.0))];
        Sheet { name: "sources", titles: TITLES, rows }
    }

    fn chosen(column: usize, is_reversed: bool, search: &str) -> Vec<usize> {
        sheet().chosen(&Choice { column, is_reversed, search: search.to_owned() })
    }

    #[test]
    fn words_rise_and_numbers_fall() {
        assert_eq!(chosen(0, false, ""), [1, 0, 2]);
        assert_eq!(chosen(0, true, ""), [2, 0, 1]);
        // A row without a value is last in either direction.
        assert_eq!(chosen(1, false, ""), [2, 0, 1]);
        assert_eq!(chosen(1, true, ""), [0, 2, 1]);
        assert_eq!(chosen(7, false, ""), [0, 1, 2], "no such column");
    }

    #[test]
    fn a_search_looks_at_each_word() {
        assert_eq!(chosen(0, false, "B"), [0]);
        assert_eq!(chosen(0, false, "10"), [2]);
        assert!(chosen(0, false, "none").is_empty());
    }

    #[test]
    fn control_characters_in_a_cell_are_escaped() {
        assert!(!word("\u{1b}[2J").text.contains('\u{1b}'));
    }
}
