//! The lines of a report, and the three ways to print them.

/// One figure, what it is compared with, and what it should be.
#[derive(Clone)]
pub struct Line {
    pub group: &'static str,
    pub what: String,
    pub value: f64,
    pub unit: &'static str,
    pub against: Option<String>,
    pub ratio: Option<f64>,
    pub target: Option<Target>,
}

/// A bound on the ratio of a line, or on its value where it has none.
#[derive(Clone, Copy)]
pub enum Target {
    AtMost(f64),
    AtLeast(f64),
}

impl Line {
    pub fn new(
        group: &'static str,
        what: impl Into<String>,
        value: f64,
        unit: &'static str,
    ) -> Line {
        Line { group, what: what.into(), value, unit, against: None, ratio: None, target: None }
    }

    pub fn against(mut self, what: impl Into<String>, ratio: f64) -> Line {
        (self.against, self.ratio) = (Some(what.into()), Some(ratio));
        self
    }

    pub fn at_most(mut self, bound: f64) -> Line {
        self.target = Some(Target::AtMost(bound));
        self
    }

    pub fn at_least(mut self, bound: f64) -> Line {
        self.target = Some(Target::AtLeast(bound));
        self
    }

    /// Returns true if the target is met; `None` without one.
    pub fn is_met(&self) -> Option<bool> {
        let judged = self.ratio.unwrap_or(self.value);
        self.target.map(|target| match target {
            Target::AtMost(bound) => judged <= bound,
            Target::AtLeast(bound) => judged >= bound,
        })
    }

    fn cells(&self) -> [String; 6] {
        let ratio = self.ratio.map_or(String::new(), |ratio| format!("{ratio:.2} ×"));
        let target = self.target.map_or(String::new(), |target| {
            let unit = if self.ratio.is_some() { "×" } else { self.unit };
            match target {
                Target::AtMost(bound) => format!("≤ {} {unit}", figure(bound)),
                Target::AtLeast(bound) => format!("≥ {} {unit}", figure(bound)),
            }
        });
        let verdict = match self.is_met() {
            Some(true) => "ok",
            Some(false) => "MISSED",
            None => "",
        };
        [
            self.what.clone(),
            format!("{} {}", figure(self.value), self.unit),
            ratio,
            self.against.clone().unwrap_or_default(),
            target,
            verdict.to_owned(),
        ]
    }
}

const HEADS: [&str; 6] = ["measured", "figure", "ratio", "of", "target", ""];

/// A table for a terminal, one part a group.
pub fn plain(lines: &[Line]) -> String {
    let rows: Vec<_> = lines.iter().map(Line::cells).collect();
    let widths: Vec<_> = (0..HEADS.len())
        .map(|column| {
            let cells = rows.iter().map(|row| row[column].chars().count());
            cells.max().unwrap_or(0).max(HEADS[column].len())
        })
        .collect();
    let mut text = String::new();
    let mut group = "";
    for (line, row) in lines.iter().zip(&rows) {
        if line.group != group {
            group = line.group;
            text += &format!("\n{group}\n");
        }
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if column == 1 || column == 2 {
                format!("{cell:>width$}")
            } else {
                format!("{cell:<width$}")
            }
        });
        text += &format!("  {}\n", cells.collect::<Vec<_>>().join("  ").trim_end());
    }
    text
}

/// A table for the README.
pub fn markdown(lines: &[Line]) -> String {
    let mut text = format!("| {} |\n|---|--:|--:|---|---|---|\n", HEADS.join(" | "));
    for line in lines {
        text += &format!("| {} |\n", line.cells().join(" | "));
    }
    text
}

/// One JSON object a line.
pub fn json(lines: &[Line]) -> String {
    let number = |value: Option<f64>| value.map_or("null".to_owned(), |value| format!("{value}"));
    let mut text = String::new();
    for line in lines {
        let against = line.against.as_ref().map_or("null".to_owned(), |name| format!("{name:?}"));
        let (at_most, at_least) = match line.target {
            Some(Target::AtMost(bound)) => (Some(bound), None),
            Some(Target::AtLeast(bound)) => (None, Some(bound)),
            None => (None, None),
        };
        let ok = line.is_met().map_or("null".to_owned(), |met| met.to_string());
        text += &format!(
            "{{\"group\":{:?},\"measured\":{:?},\"value\":{},\"unit\":{:?},\"of\":{against},\
             \"ratio\":{},\"at_most\":{},\"at_least\":{},\"ok\":{ok}}}\n",
            line.group,
            line.what,
            line.value,
            line.unit,
            number(line.ratio),
            number(at_most),
            number(at_least),
        );
    }
    text
}

/// Three digits or so.
fn figure(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 || value.fract() == 0.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}
