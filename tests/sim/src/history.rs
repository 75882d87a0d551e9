//! The record of a history: its hash, its figures, and its text if requested.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// The figures of one or more histories.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// The number of histories.
    pub histories: u64,
    /// Faults by kind.
    pub faults: BTreeMap<&'static str, u64>,
    /// IDs and numbers minted.
    pub ids: u64,
    /// Calls that failed, by code.
    pub errors: BTreeMap<String, u64>,
    /// IDs minted twice.
    pub duplicates: u64,
    /// The duplicates after a restore of the store, where the runtime promises only detection.
    pub owed_to_restore: u64,
    /// IDs that are not above those of calls that had returned before.
    pub order_violations: u64,
    /// All broken laws, including duplicates and violations of order.
    pub violations: u64,
    /// The furthest an ID's time was ahead of true time, and behind it, in milliseconds.
    pub ahead_ms: i64,
    /// See [`ahead_ms`](Self::ahead_ms).
    pub behind_ms: i64,
    /// The longest call in milliseconds, without the time that its node stood still.
    pub longest_call_ms: i64,
}

impl Figures {
    /// Adds the figures of another history.
    pub fn add(&mut self, other: &Figures) {
        self.histories += other.histories;
        self.ids += other.ids;
        self.duplicates += other.duplicates;
        self.owed_to_restore += other.owed_to_restore;
        self.order_violations += other.order_violations;
        self.violations += other.violations;
        self.ahead_ms = self.ahead_ms.max(other.ahead_ms);
        self.behind_ms = self.behind_ms.max(other.behind_ms);
        self.longest_call_ms = self.longest_call_ms.max(other.longest_call_ms);
        for (kind, count) in &other.faults {
            *self.faults.entry(kind).or_default() += count;
        }
        for (code, count) in &other.errors {
            *self.errors.entry(code.clone()).or_default() += count;
        }
    }

    /// Counts a fault.
    pub fn fault(&mut self, kind: &'static str) {
        *self.faults.entry(kind).or_default() += 1;
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faults: u64 = self.faults.values().sum();
        write!(
            f,
            "histories {}, ids {}, duplicates {}, order violations {}, broken laws {}, \
             time error +{} -{} ms, longest call {} ms, faults {faults}",
            self.histories,
            self.ids,
            self.duplicates,
            self.order_violations,
            self.violations,
            self.ahead_ms,
            self.behind_ms,
            self.longest_call_ms,
        )?;
        if self.owed_to_restore > 0 {
            write!(f, ", repeated after a restore {}", self.owed_to_restore)?;
        }
        write_counts(f, "faults", self.faults.iter())?;
        write_counts(f, "errors", self.errors.iter())
    }
}

fn write_counts<'a, K: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    what: &str,
    counts: impl Iterator<Item = (K, &'a u64)>,
) -> fmt::Result {
    for (index, (kind, count)) in counts.enumerate() {
        if index == 0 {
            write!(f, "; {what}: ")?;
        } else {
            f.write_str(", ")?;
        }
        write!(f, "{kind} {count}")?;
    }
    Ok(())
}

/// The record of one history.
#[derive(Debug)]
pub struct History {
    /// The hash of everything noted, in order.
    pub hash: u64,
    /// The figures of this history.
    pub figures: Figures,
    /// The broken laws, with the time of each.
    pub violations: Vec<String>,
    /// The text, if it was requested.
    pub lines: Vec<String>,
    is_told: bool,
    buffer: String,
}

/// Further broken laws are only counted.
const VIOLATIONS_MAX: usize = 20;

impl History {
    pub(crate) fn new(is_told: bool) -> History {
        History {
            hash: 0xcbf2_9ce4_8422_2325,
            figures: Figures { histories: 1, ..Figures::default() },
            violations: Vec::new(),
            lines: Vec::new(),
            is_told,
            buffer: String::new(),
        }
    }

    /// Notes an event. The hash covers the text, so that runs are compared by what a reader sees.
    pub(crate) fn note(&mut self, now_us: i64, what: fmt::Arguments<'_>) {
        self.buffer.clear();
        let written = write!(self.buffer, "{:>10.3} ms  {what}", now_us as f64 / 1_000.0);
        debug_assert!(written.is_ok(), "a string takes everything");
        for byte in self.buffer.bytes() {
            self.hash = (self.hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        if self.is_told {
            self.lines.push(self.buffer.clone());
        }
    }

    /// Notes a fault, and counts it.
    pub(crate) fn fault(&mut self, now_us: i64, kind: &'static str, what: fmt::Arguments<'_>) {
        self.figures.fault(kind);
        self.note(now_us, format_args!("{kind}: {what}"));
    }

    /// Notes a broken law.
    pub(crate) fn violation(&mut self, now_us: i64, law: &str, what: fmt::Arguments<'_>) {
        self.figures.violations += 1;
        self.note(now_us, format_args!("BROKEN {law}: {what}"));
        if self.violations.len() < VIOLATIONS_MAX {
            self.violations.push(self.buffer.clone());
        }
    }
}
