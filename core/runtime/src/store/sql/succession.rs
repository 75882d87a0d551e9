//! Leases in a database whose server may have taken another's place.
//!
//! The leases that the former server gave last may be missing. They last at most the longest
//! reservation, counted from now or the latest time in the rows, plus [`CLOCKS_MS`]. Until then no
//! worker ID is given; a longer reservation that is requested meanwhile extends the wait.

use super::Row;

/// The difference between the clocks of two servers, in milliseconds.
const CLOCKS_MS: i64 = 2_000;

/// The part of the database's row that notes which server gave leases, and which may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Succession {
    /// The server that gave or renewed the last lease.
    pub(super) incarnation: String,
    /// The longest reservation of a lease, and an eighth more: a lost request may have been a little
    /// longer.
    pub(super) longest_reserve_ms: i64,
    /// The time until which leases that were lost may last.
    pub(super) waits_until_ms: i64,
    /// True if the clock of the former server was ahead. It is unknown which leases it took for
    /// expired, so none from before the wait is renewed.
    pub(super) is_behind: bool,
    /// False for a copy of the tables that no operator has confirmed. The original may still give
    /// worker IDs, so the copy gives and renews none.
    pub(super) is_home: bool,
}

impl Succession {
    /// Reads the part from the row's fourth column on. A file, which has no servers, has none.
    pub(super) fn of_row<R: Row>(row: &R) -> Result<Option<Succession>, R::Fault> {
        if row.len() <= 3 {
            return Ok(None);
        }
        Ok(Some(Succession {
            incarnation: row.text(3)?,
            longest_reserve_ms: row.number(4)?,
            waits_until_ms: row.number(5)?,
            is_behind: row.flag(6)?,
            is_home: row.flag(7)?,
        }))
    }

    /// Returns what is noted for a request to reserve so much.
    pub(super) fn noted_ms(reserve_ms: u32) -> i64 {
        i64::from(reserve_ms + reserve_ms / 8)
    }

    /// Returns true if the server of this name took another's place, and nothing notes that yet.
    pub(super) fn is_another(&self, present: &str) -> bool {
        self.is_home && self.incarnation != present
    }

    /// Returns the part after a request to reserve time at the present server, or `None` if it is
    /// the same. `latest` are the time when a row was last written, and the latest time in the rows.
    pub(super) fn noted(
        &self,
        present: &str,
        reserve_ms: u32,
        latest: (Option<i64>, Option<i64>),
        now_ms: i64,
    ) -> Option<Succession> {
        let noted_ms = Succession::noted_ms(reserve_ms);
        let is_another = self.is_another(present);
        if !self.is_home || !is_another && noted_ms <= self.longest_reserve_ms {
            return None;
        }
        let longest_reserve_ms = self.longest_reserve_ms.max(noted_ms);
        let (written_ms, end_ms) = latest;
        let mut next = Succession { longest_reserve_ms, ..self.clone() };
        if is_another {
            let ended_ms = now_ms.max(end_ms.unwrap_or(now_ms)) + longest_reserve_ms + CLOCKS_MS;
            next.waits_until_ms = self.waits_until_ms.max(ended_ms);
            next.is_behind = written_ms.is_some_and(|written_ms| written_ms > now_ms + CLOCKS_MS);
            present.clone_into(&mut next.incarnation);
        } else if self.waits_until_ms > now_ms {
            next.waits_until_ms += longest_reserve_ms - self.longest_reserve_ms;
        }
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW_MS: i64 = 1_000_000;

    fn of(incarnation: &str) -> Succession {
        Succession {
            incarnation: incarnation.to_owned(),
            longest_reserve_ms: 9_000,
            waits_until_ms: 0,
            is_behind: false,
            is_home: true,
        }
    }

    fn noted(before: &Succession, reserve_ms: u32, latest: (i64, i64)) -> Option<Succession> {
        before.noted("here", reserve_ms, (Some(latest.0), Some(latest.1)), NOW_MS)
    }

    #[test]
    fn a_longer_reservation_is_noted_with_an_eighth_more() {
        assert_eq!(noted(&of("here"), 8_000, (0, 0)), None);
        let longer = noted(&of("here"), 8_008, (0, 0)).unwrap();
        assert_eq!(longer, Succession { longest_reserve_ms: 9_009, ..of("here") });
        let waits = Succession { waits_until_ms: NOW_MS + 1, ..of("here") };
        let longer = noted(&waits, 8_008, (0, 0)).unwrap();
        assert_eq!(longer.waits_until_ms, NOW_MS + 1 + 9);
    }

    /// The later of the clock and the times in the rows counts.
    #[test]
    fn l1_a_server_that_took_anothers_place_waits_for_what_may_be_lost() {
        for (reserve_ms, latest, waits_until_ms, is_behind) in [
            (1, (0, 0), NOW_MS + 9_000 + 2_000, false),
            (8_008, (0, 0), NOW_MS + 9_009 + 2_000, false),
            (1, (NOW_MS + 2_000, NOW_MS + 5_000), NOW_MS + 5_000 + 9_000 + 2_000, false),
            (1, (NOW_MS + 2_001, NOW_MS + 5_000), NOW_MS + 5_000 + 9_000 + 2_000, true),
        ] {
            let next = noted(&of("there"), reserve_ms, latest).unwrap();
            assert_eq!((&*next.incarnation, next.is_behind), ("here", is_behind));
            assert_eq!(next.waits_until_ms, waits_until_ms);
        }
        let longer = Succession { waits_until_ms: i64::MAX, ..of("there") };
        assert_eq!(noted(&longer, 1, (0, 0)).unwrap().waits_until_ms, i64::MAX);
    }

    #[test]
    fn l1_a_copy_notes_nothing_before_it_is_confirmed() {
        let copy = Succession { is_home: false, ..of("there") };
        assert_eq!(noted(&copy, 8_008, (0, 0)), None);
    }
}
