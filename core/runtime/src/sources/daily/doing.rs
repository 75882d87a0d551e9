//! What a daily source is doing.

use super::Daily;
use crate::host::Clock;
use crate::station::lock;
use crate::stats::Stats;

impl Daily {
    /// What it is doing: the day's ranges at hand, how fast they are used, what is wrong.
    pub fn stats(&self) -> Stats {
        let book = &self.book;
        let is_closed = book.station.is_closed();
        let own = Stats::of("daily", is_closed, Some(&lock(&book.desk()).trouble));
        let page = book.today.load();
        let mut today = page.segment.stats();
        if book.host.now_ms() >= page.until_ms {
            // What is left of a day that is over is of no use.
            (today.buckets, today.rate, today.runway_ms) = (Vec::new(), None, None);
        }
        let failures = [own.last_failure, today.last_failure].into_iter().flatten();
        Stats {
            kind: own.kind,
            is_closed,
            last_failure: failures.max_by_key(|it| (!it.is_over, it.unix_ms)),
            ..today
        }
    }

    /// Has its store asked whether it answers.
    pub(crate) fn look(&self) {
        self.book.today.load().segment.look();
    }
}
