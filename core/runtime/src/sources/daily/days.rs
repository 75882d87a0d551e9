//! The numbers of single days by themselves, for callers who name the day.

use snowmint_engine::{Code, Error as EngineError};

use super::Daily;
use super::calendar::neighbours;
use crate::error::{Error, Result};
use crate::host::Clock;
use crate::sources::segment::Segment;
use crate::waiting::open_within;

impl Daily {
    /// Yesterday, today and tomorrow in the source's zone, as `yyyymmdd`: the days that
    /// [`open_day`](Self::open_day) opens. Calls no store.
    ///
    /// # Errors
    /// [`Code::InvalidTime`] when the clock reads a year outside 1000 to 9999.
    pub fn days(&self) -> Result<[u32; 3]> {
        neighbours(self.book.host.now_ms(), &self.book.zone)
    }

    /// One of these days' numbers by themselves: 1, 2, 3, … without the date. They are of the day's
    /// tag, so that a number which is given this way is no sequence number of this source or of
    /// another one on the tag. [`digits`](super::DailyBuilder::digits) are no bound to them.
    ///
    /// Calls the store, but for the day whose numbers the source is minting: of that one it gives
    /// the same segment, which is [closed](Self::close) with the source. Others are the caller's to
    /// close.
    ///
    /// # Errors
    /// [`Code::InvalidTime`] for another day; [`Code::UnknownTag`] for yesterday, where the store lets
    /// its tag go and none is there; [`Code::Closed`]; or of the store.
    pub fn open_day(&self, date: u32) -> Result<Segment> {
        let days @ [yesterday, today, tomorrow] = self.days()?;
        if !days.contains(&date) {
            let message = format!(
                "{date:08} is not of these days: the numbers of {yesterday}, {today} and \
                 {tomorrow} can be had by their date"
            );
            return Err(Error::new(Code::InvalidTime, message));
        }
        let book = &*self.book;
        if book.station.is_closed() {
            return Err(EngineError::Closed.into());
        }
        let page = book.today.load();
        if page.date == date {
            return Ok(page.segment.with_wait(self.wait));
        }
        let open = || book.maker.open_segment(date, date != yesterday, &book.host);
        Ok(open_within(self.wait, &book.host, open)?.with_wait(self.wait))
    }
}
