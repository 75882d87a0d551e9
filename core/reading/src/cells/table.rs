//! The columns of a table: lines of cells with a delimiter, some of them in quotes.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::{Column, NAMES_MAX, bonus, is_name};
use crate::clean::clean;
use crate::likeness::{SAMPLE, sample, share_of_ids};

const DELIMITERS: [char; 4] = ['\t', ';', ',', '|'];

/// Returns the columns of a table, or `None` for other texts.
pub(super) fn columns(text: &str, now_ms: i64) -> Option<Vec<Column<'_>>> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let lines: Vec<_> = lines.collect();
    let delimiter = delimiter_of(&lines)?;
    let mut rows = lines.iter().map(|line| Row { rest: Some(line), delimiter });
    let names: Vec<_> = rows.next()?.take(NAMES_MAX).map(clean).collect();
    let has_header = names.iter().any(|name| is_name(name));
    let first = if has_header { 1 } else { 0 };
    let name = |at: usize, name: &str| {
        if has_header { name.to_string() } else { (at + 1).to_string() }
    };
    let columns = names.iter().enumerate();
    let mut columns: Vec<_> =
        columns.map(|(at, text)| Column { name: name(at, text), cells: Vec::new() }).collect();
    for line in lines.iter().skip(first) {
        for (column, cell) in columns.iter_mut().zip(Row { rest: Some(line), delimiter }) {
            column.cells.push(cell);
        }
    }
    let is_of_ids = |column: &Column<'_>| share_of_ids(&sample(&column.cells), now_ms) > 0.8;
    // A list with several IDs on a line is no table.
    (has_header || !columns.iter().all(is_of_ids)).then_some(columns)
}

/// Returns true if a line has the names of columns, one of them of IDs.
pub fn is_header(line: &str) -> bool {
    let cells = |delimiter| Row { rest: Some(line), delimiter }.map(clean);
    DELIMITERS.into_iter().any(|delimiter| {
        cells(delimiter).all(|cell| is_name(&cell))
            && cells(delimiter).any(|cell| bonus(&cell) > 0.0)
    })
}

/// Returns the delimiter of the cells on most lines.
fn delimiter_of(lines: &[&str]) -> Option<char> {
    let lines = lines.get(..lines.len().min(SAMPLE)).filter(|lines| lines.len() > 1)?;
    DELIMITERS.into_iter().find(|&delimiter| {
        let widths = lines.iter().map(|line| Row { rest: Some(line), delimiter }.count());
        let widths: Vec<_> = widths.collect();
        let first = widths.first().copied().unwrap_or_default();
        let same = widths.iter().filter(|width| **width == first).count();
        first > 1 && same * 10 >= widths.len() * 9
    })
}

/// The cells of a line.
struct Row<'a> {
    rest: Option<&'a str>,
    delimiter: char,
}

impl<'a> Iterator for Row<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let rest = self.rest?;
        let mut is_quoted = false;
        let end = rest.find(|symbol| {
            is_quoted ^= symbol == '"';
            symbol == self.delimiter && !is_quoted
        });
        let cell = end.and_then(|end| rest.split_at_checked(end));
        let (cell, after) = cell.unwrap_or((rest, ""));
        self.rest = after.strip_prefix(self.delimiter);
        Some(cell)
    }
}
