//! What one event loop has done, counted without a word to the others.

use std::sync::atomic::{AtomicU64, Ordering};

use snowmint::Code;

/// Counters of one loop; others only read them.
#[derive(Debug)]
#[repr(align(128))] // Two cache lines: no loop writes into another's.
pub(crate) struct Counters {
    /// By the hundreds of their status, from 1xx on.
    http: [AtomicU64; 5],
    pub(crate) resp_commands: AtomicU64,
    pub(crate) connections: AtomicU64,
    pub(crate) refused: AtomicU64,
    /// By the place of their code in [`Code::ALL`].
    errors: Vec<AtomicU64>,
    sources: Vec<SourceCounters>,
}

/// Of one source.
#[derive(Debug)]
struct SourceCounters {
    ids: AtomicU64,
    /// [`NO_NUMBER`] before the first.
    last: AtomicU64,
}

/// In place of the last ID where there is none, as of UUIDs: no source has this number.
pub(crate) const NO_NUMBER: u64 = u64::MAX;

/// One more, by the only thread that writes: no exchange is needed.
fn add(counter: &AtomicU64, more: u64) {
    counter.store(counter.load(Ordering::Relaxed).wrapping_add(more), Ordering::Relaxed);
}

impl Counters {
    pub(crate) fn new(sources: usize) -> Counters {
        let zeros = |count| (0..count).map(|_| AtomicU64::new(0)).collect();
        let of_source =
            || SourceCounters { ids: AtomicU64::new(0), last: AtomicU64::new(NO_NUMBER) };
        Counters {
            http: Default::default(),
            resp_commands: AtomicU64::new(0),
            connections: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            errors: zeros(Code::ALL.len()),
            sources: (0..sources).map(|_| of_source()).collect(),
        }
    }

    /// An answer of HTTP.
    pub(crate) fn answered(&self, status: u16) {
        let class = usize::from(status / 100).saturating_sub(1);
        if let Some(counter) = self.http.get(class) {
            add(counter, 1);
        }
    }

    /// An error of any protocol.
    pub(crate) fn failed(&self, code: Code) {
        let place = Code::ALL.iter().position(|one| *one == code);
        if let Some(counter) = place.and_then(|place| self.errors.get(place)) {
            add(counter, 1);
        }
    }

    /// IDs of a source were given, the last of them this one.
    pub(crate) fn minted(&self, source: usize, count: u64, last: u64) {
        if let Some(counters) = self.sources.get(source) {
            add(&counters.ids, count);
            counters.last.store(last, Ordering::Relaxed);
        }
    }

    pub(crate) fn add(&self, counter: &AtomicU64, more: u64) {
        add(counter, more);
    }
}

/// What all loops have done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Totals<'a>(pub(crate) &'a [Counters]);

impl Totals<'_> {
    pub(crate) fn sum(self, counter: impl Fn(&Counters) -> &AtomicU64) -> u64 {
        self.0.iter().map(|loop_| counter(loop_).load(Ordering::Relaxed)).sum()
    }

    /// Answers by the hundreds of their status.
    pub(crate) fn answers(self) -> [(u16, u64); 5] {
        [1, 2, 3, 4, 5].map(|class: u16| {
            let place = usize::from(class - 1);
            let counts = self.0.iter().filter_map(|loop_| loop_.http.get(place));
            (class, counts.map(|counter| counter.load(Ordering::Relaxed)).sum())
        })
    }

    /// Errors by their codes, of those that there were.
    pub(crate) fn errors(self) -> impl Iterator<Item = (Code, u64)> {
        Code::ALL.iter().enumerate().filter_map(move |(place, code)| {
            let counts = self.0.iter().filter_map(|loop_| loop_.errors.get(place));
            let count = counts.map(|counter| counter.load(Ordering::Relaxed)).sum();
            (count > 0).then_some((*code, count))
        })
    }

    /// How many IDs of a source were given.
    pub(crate) fn ids(self, source: usize) -> u64 {
        let counters = self.0.iter().filter_map(|loop_| loop_.sources.get(source));
        counters.map(|counters| counters.ids.load(Ordering::Relaxed)).sum()
    }

    /// The largest of the last IDs of a source that were given; `None` before the first.
    pub(crate) fn last(self, source: usize) -> Option<u64> {
        let counters = self.0.iter().filter_map(|loop_| loop_.sources.get(source));
        let last = counters.map(|counters| counters.last.load(Ordering::Relaxed));
        last.filter(|last| *last != NO_NUMBER).max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_are_of_all_loops() {
        let loops = [Counters::new(2), Counters::new(2)];
        for (at, counters) in loops.iter().enumerate() {
            counters.answered(200);
            counters.answered(503);
            counters.failed(Code::UnknownTag);
            counters.minted(1, 10, 100 + at as u64);
            counters.add(&counters.connections, 1);
        }
        let totals = Totals(&loops);
        assert_eq!(totals.answers().map(|(_, count)| count), [0, 2, 0, 0, 2]);
        assert_eq!(totals.errors().collect::<Vec<_>>(), [(Code::UnknownTag, 2)]);
        assert_eq!((totals.ids(0), totals.last(0)), (0, None));
        assert_eq!((totals.ids(1), totals.last(1)), (20, Some(101)));
        loops[0].minted(0, 3, NO_NUMBER);
        assert_eq!((totals.ids(0), totals.last(0)), (3, None));
        assert_eq!(totals.sum(|counters| &counters.connections), 2);
    }
}
