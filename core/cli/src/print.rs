//! Text on a terminal: colours, aligned tables, and numbers with separators.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};

use anstream::{AutoStream, ColorChoice, StripStream};
use anstyle::{AnsiColor, Style};
use snowmint::{FieldKind, escaped};

pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
pub(crate) const HINT: Style = AnsiColor::Cyan.on_default().bold();
pub(crate) const STRONG: Style = Style::new().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const PLAIN: Style = Style::new();

/// The colour of a field, in drawings and lists alike.
pub(crate) const fn field_style(kind: FieldKind) -> Style {
    match kind {
        FieldKind::Time => AnsiColor::Cyan.on_default(),
        FieldKind::Datacenter => AnsiColor::Blue.on_default(),
        FieldKind::Worker | FieldKind::Shard => AnsiColor::Green.on_default(),
        FieldKind::Process => AnsiColor::BrightGreen.on_default(),
        FieldKind::Sequence => AnsiColor::Magenta.on_default(),
        FieldKind::Rollback => AnsiColor::Red.on_default(),
        _ => FAINT,
    }
}

/// Writes a line to standard error, and ignores a failure, which could not be reported.
macro_rules! eprintln {
    ($($text:tt)*) => {
        drop(std::io::Write::write_fmt(
            &mut anstream::stderr(),
            format_args!("{}\n", format_args!($($text)*)),
        ))
    };
}
pub(crate) use eprintln;

/// Standard output: buffered, and without colour unless it is a terminal.
pub(crate) type Output = Box<dyn Write>;

const BUFFER: usize = 1 << 16;

/// Locks standard output.
pub(crate) fn output() -> Output {
    let locked = io::stdout().lock();
    match AutoStream::choice(&locked) {
        // The buffer is behind the filter of colours, because that writes the text between two
        // colours separately.
        ColorChoice::Never => {
            let buffered: Output = Box::new(BufWriter::with_capacity(BUFFER, locked));
            Box::new(StripStream::new(buffered))
        }
        _ => Box::new(BufWriter::with_capacity(BUFFER, AutoStream::auto(locked))),
    }
}

/// Formats a number as `4,096,000`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a count with its noun, in the plural unless it is 1.
pub(crate) fn plural(count: u64, one: &str) -> String {
    format!("{} {one}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// Formats JSON on one line. Also escapes control characters from U+007F on, which JSON leaves
/// alone but a terminal could obey.
pub(crate) fn json_line(value: &serde_json::Value) -> String {
    let mut line = String::new();
    for c in value.to_string().chars() {
        if matches!(escaped(c.encode_utf8(&mut [0; 4])), Cow::Borrowed(_)) {
            line.push(c);
        } else {
            // Only strings can contain such a character.
            for unit in c.encode_utf16(&mut [0; 2]) {
                line += &format!("\\u{unit:04x}");
            }
        }
    }
    line
}

#[derive(Clone, Debug)]
pub(crate) struct Cell {
    text: String,
    style: Style,
}

impl Cell {
    fn length(&self) -> usize {
        self.text.chars().count()
    }
}

/// Returns a cell in the terminal's own colour.
pub(crate) fn cell(text: impl ToString) -> Cell {
    styled(text, PLAIN)
}

/// Returns a coloured cell. Its text is escaped, because others may have written it.
#[expect(clippy::needless_pass_by_value, reason = "cells are made of texts and numbers alike")]
pub(crate) fn styled(text: impl ToString, style: Style) -> Cell {
    Cell { text: escaped(&text.to_string()).into_owned(), style }
}

/// A table with aligned columns.
#[derive(Debug)]
pub(crate) struct Table {
    /// The titles. One that begins with `>` aligns its column to the right.
    titles: Vec<&'static str>,
    rows: Vec<Vec<Cell>>,
    indent: usize,
}

impl Table {
    pub(crate) fn new(titles: &[&'static str]) -> Table {
        Table { titles: titles.to_vec(), rows: Vec::new(), indent: 0 }
    }

    pub(crate) fn indented(self, indent: usize) -> Table {
        Table { indent, ..self }
    }

    pub(crate) fn row(&mut self, cells: Vec<Cell>) {
        self.rows.push(cells);
    }

    /// Writes the table. On a terminal, the last columns are left out if lines would be too long.
    pub(crate) fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let widths: Vec<usize> = (0..self.titles.len()).map(|column| self.width(column)).collect();
        let shown = self.columns_that_fit(&widths);
        let heading: Vec<Cell> =
            self.titles.iter().map(|title| styled(title.trim_start_matches('>'), STRONG)).collect();
        for row in std::iter::once(&heading).chain(&self.rows) {
            self.write_row(output, row.get(..shown).unwrap_or(row), &widths)?;
        }
        Ok(())
    }

    fn write_row(&self, output: &mut impl Write, row: &[Cell], widths: &[usize]) -> io::Result<()> {
        let mut line = " ".repeat(self.indent);
        // Lines end at their last text, without spaces.
        let end = row.iter().rposition(|cell| !cell.text.is_empty()).map_or(0, |last| last + 1);
        for (index, cell) in row.iter().take(end).enumerate() {
            let missing = widths.get(index).map_or(0, |width| width - cell.length());
            let is_right = self.titles.get(index).is_some_and(|title| title.starts_with('>'));
            let (before, after) = match (is_right, index + 1 == end) {
                (true, _) => (missing, 0),
                (false, false) => (0, missing),
                (false, true) => (0, 0),
            };
            let (style, text) = (cell.style, &cell.text);
            let gap = if index == 0 { "" } else { "  " };
            line += &format!("{gap}{:before$}{style}{text}{style:#}{:after$}", "", "");
        }
        writeln!(output, "{line}")
    }

    fn width(&self, column: usize) -> usize {
        let title = self.titles.get(column).map_or(0, |title| title.trim_start_matches('>').len());
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        cells.map(Cell::length).max().unwrap_or(0).max(title)
    }

    fn columns_that_fit(&self, widths: &[usize]) -> usize {
        let Some((room, _)) = terminal_size::terminal_size_of(io::stdout()) else {
            return widths.len();
        };
        let mut end = self.indent;
        let fits = |width: &&usize| {
            end += **width + 2;
            end <= usize::from(room.0) + 2
        };
        widths.iter().take_while(fits).count().max(1)
    }
}
