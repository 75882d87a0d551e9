//! The counters of each event loop, which no other loop writes.

use std::sync::atomic::{AtomicU64, Ordering};

use snowmint::Code;

use super::recent::{Noted, Recent};

/// The counters of one loop.
#[derive(Debug)]
#[repr(align(128))] // Two cache lines: no loop writes into another's.
pub(crate) struct Counters {
    /// HTTP answers by class of status, from 1xx on.
    http: [AtomicU64; 5],
    pub(crate) resp_commands: AtomicU64,
    pub(crate) connections: AtomicU64,
    pub(crate) refused: AtomicU64,
    pub(crate) handshakes_failed: AtomicU64,
    /// Refusals of clients, for their tokens or the place they ask from.
    pub(crate) denied: AtomicU64,
    /// Errors by the position of their code in [`Code::ALL`].
    errors: Vec<AtomicU64>,
    /// The latest errors.
    pub(crate) recent: Recent,
}

/// The IDs that one loop gave from one source.
#[derive(Debug)]
#[repr(align(128))]
struct Given {
    ids: AtomicU64,
    /// The last ID; [`NO_NUMBER`] before the first.
    last: AtomicU64,
}

/// Stands for the last ID if there is none, as with UUIDs. No source gives this number.
pub(crate) const NO_NUMBER: u64 = u64::MAX;

/// Adds to a counter without an atomic exchange, because only one thread writes it.
fn add(counter: &AtomicU64, more: u64) {
    counter.store(counter.load(Ordering::Relaxed).wrapping_add(more), Ordering::Relaxed);
}

impl Counters {
    pub(crate) fn new() -> Counters {
        Counters {
            http: Default::default(),
            resp_commands: AtomicU64::new(0),
            connections: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            handshakes_failed: AtomicU64::new(0),
            denied: AtomicU64::new(0),
            errors: Code::ALL.iter().map(|_| AtomicU64::new(0)).collect(),
            recent: Recent::default(),
        }
    }

    /// Counts an HTTP answer.
    pub(crate) fn answered(&self, status: u16) {
        let class = usize::from(status / 100).saturating_sub(1);
        if let Some(counter) = self.http.get(class) {
            add(counter, 1);
        }
    }

    /// Counts an error of any protocol, and notes it for operators with its source.
    pub(crate) fn failed(&self, code: Code, source: Option<&str>, detail: &str) {
        self.note(code, source, detail);
        let place = Code::ALL.iter().position(|one| *one == code);
        if let Some(counter) = place.and_then(|place| self.errors.get(place)) {
            add(counter, 1);
        }
    }

    /// Counts the refusal of a client. It is not counted by its code, `store_denied`, because that
    /// is counted for stores that refuse the service.
    pub(crate) fn denied(&self, source: Option<&str>, detail: &str) {
        self.note(Code::StoreDenied, source, detail);
        add(&self.denied, 1);
    }

    fn note(&self, code: Code, source: Option<&str>, detail: &str) {
        self.recent.note(Noted { code: Some(code.name()), event: None, source, detail });
    }

    pub(crate) fn add(&self, counter: &AtomicU64, more: u64) {
        add(counter, more);
    }
}

/// The sums over all loops.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Totals<'a>(pub(crate) &'a [Counters]);

impl Totals<'_> {
    pub(crate) fn sum(self, counter: impl Fn(&Counters) -> &AtomicU64) -> u64 {
        self.0.iter().map(|loop_| counter(loop_).load(Ordering::Relaxed)).sum()
    }

    /// Returns the count of HTTP answers for each class of status.
    pub(crate) fn answers(self) -> [(u16, u64); 5] {
        [1, 2, 3, 4, 5].map(|class: u16| {
            let place = usize::from(class - 1);
            let counts = self.0.iter().filter_map(|loop_| loop_.http.get(place));
            (class, counts.map(|counter| counter.load(Ordering::Relaxed)).sum())
        })
    }

    /// Returns the codes of the errors that occurred, with their counts.
    pub(crate) fn errors(self) -> impl Iterator<Item = (Code, u64)> {
        Code::ALL.iter().enumerate().filter_map(move |(place, code)| {
            let counts = self.0.iter().filter_map(|loop_| loop_.errors.get(place));
            let count = counts.map(|counter| counter.load(Ordering::Relaxed)).sum();
            (count > 0).then_some((*code, count))
        })
    }
}

/// The IDs given from one source, counted by each loop separately.
#[derive(Debug)]
pub(crate) struct Issued(Vec<Given>);

impl Issued {
    pub(crate) fn new(loops: usize) -> Issued {
        let given = || Given { ids: AtomicU64::new(0), last: AtomicU64::new(NO_NUMBER) };
        Issued((0..loops).map(|_| given()).collect())
    }

    /// Counts IDs that a loop gave; `last` is the last of them.
    pub(crate) fn add(&self, index: usize, count: u64, last: u64) {
        if let Some(given) = self.0.get(index) {
            add(&given.ids, count);
            given.last.store(last, Ordering::Relaxed);
        }
    }

    /// Counts IDs of one day of a daily source, whose last ID is kept with the day.
    pub(crate) fn add_of_part(&self, index: usize, count: u64) {
        if let Some(given) = self.0.get(index) {
            add(&given.ids, count);
        }
    }

    /// Returns empty counters for as many loops.
    pub(crate) fn anew(&self) -> Issued {
        Issued::new(self.0.len())
    }

    pub(crate) fn count(&self) -> u64 {
        self.0.iter().map(|given| given.ids.load(Ordering::Relaxed)).sum()
    }

    /// Returns the largest of the loops' last IDs; `None` before the first.
    pub(crate) fn last(&self) -> Option<u64> {
        let last = self.0.iter().map(|given| given.last.load(Ordering::Relaxed));
        last.filter(|last| *last != NO_NUMBER).max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_are_of_all_loops() {
        let loops = [Counters::new(), Counters::new()];
        for counters in &loops {
            counters.answered(200);
            counters.answered(503);
            counters.failed(Code::UnknownTag, None, "no source is called that");
            counters.denied(None, "a token is needed");
            counters.add(&counters.connections, 1);
        }
        let totals = Totals(&loops);
        assert_eq!(totals.answers().map(|(_, count)| count), [0, 2, 0, 0, 2]);
        assert_eq!(totals.errors().collect::<Vec<_>>(), [(Code::UnknownTag, 2)]);
        assert_eq!(totals.sum(|counters| &counters.denied), 2);
        assert_eq!(totals.sum(|counters| &counters.connections), 2);
    }

    #[test]
    fn issued_numbers_are_counted_over_all_loops() {
        let issued = Issued::new(2);
        assert_eq!((issued.count(), issued.last()), (0, None));
        issued.add(0, 3, NO_NUMBER);
        assert_eq!((issued.count(), issued.last()), (3, None));
        issued.add(0, 10, 101);
        issued.add(1, 10, 100);
        issued.add_of_part(1, 5);
        assert_eq!((issued.count(), issued.last()), (28, Some(101)));
        assert_eq!(issued.anew().count(), 0);
    }
}
