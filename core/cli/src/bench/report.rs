//! Figures as a table or as JSON.

use std::io::Write;

use serde_json::json;

use crate::exit::Done;
use crate::print::{Table, cell, output};

/// The unit of a figure.
#[derive(Clone, Copy)]
pub(super) enum Unit {
    Ns,
    PerSecond,
    Cores,
}

impl Unit {
    fn name(self) -> &'static str {
        match self {
            Unit::Ns => "ns",
            Unit::PerSecond => "IDs/s",
            Unit::Cores => "cores",
        }
    }

    /// Formats a value for people.
    fn text(self, value: f64) -> String {
        match self {
            Unit::Ns if value >= 1e6 => format!("{} ms", figure(value / 1e6)),
            Unit::Ns if value >= 1e4 => format!("{} µs", figure(value / 1e3)),
            Unit::PerSecond if value >= 1e5 => format!("{} M IDs/s", figure(value / 1e6)),
            _ => format!("{} {}", figure(value), self.name()),
        }
    }
}

/// One figure, and its ratio to another.
pub(super) struct Line {
    name: String,
    value: f64,
    unit: Unit,
    beside: Option<(&'static str, f64)>,
}

impl Line {
    pub(super) fn new(name: impl Into<String>, value: f64, unit: Unit) -> Line {
        Line { name: name.into(), value, unit, beside: None }
    }

    /// Returns the rate of an operation that takes `ns` nanoseconds.
    pub(super) fn rate(name: impl Into<String>, ns: f64) -> Line {
        Line::new(name, 1e9 / ns, Unit::PerSecond)
    }

    pub(super) fn beside(self, other: &'static str, ratio: f64) -> Line {
        Line { beside: Some((other, ratio)), ..self }
    }
}

/// Writes a table, or one JSON object a line.
pub(super) fn print(lines: &[Line], as_json: bool) -> Done {
    let mut output = output();
    let mut table = Table::new(&["MEASURED", ">FIGURE", ">RATIO", "TO"]);
    for Line { name, value, unit, beside } in lines {
        if as_json {
            let (to, ratio) = beside.unzip();
            let (unit, value) = (unit.name(), *value);
            let line =
                json!({ "name": name, "value": value, "unit": unit, "ratio": ratio, "to": to });
            writeln!(output, "{line}")?;
            continue;
        }
        let (to, ratio) = beside.unwrap_or(("", f64::NAN));
        let ratio = if to.is_empty() { String::new() } else { format!("{} ×", figure(ratio)) };
        table.row(vec![cell(name), cell(unit.text(*value)), cell(ratio), cell(to)]);
    }
    if !as_json {
        table.write(&mut output)?;
    }
    Ok(output.flush()?)
}

/// Formats about three digits.
fn figure(value: f64) -> String {
    match value {
        100.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}
