//! The days of a time zone.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::{Offset, TimeZone, TimeZoneDatabase};

use crate::error::Result;
use crate::errors;
use crate::host::process::PerProcess;

/// The largest offset from UTC.
const MAX_OFFSET_MINUTES: i32 = 18 * 60;
/// The time after which a date with an unknown end is looked at again.
const LOOK_AGAIN_MS: i64 = 1_000;

/// The system's time zones, in a database for each process. A parent's thread may hold the locks of
/// its cache at a fork, as it may those of the global database of `jiff`.
static ZONES: PerProcess<TimeZoneDatabase> = PerProcess::new();

/// Parses `UTC`, an offset or the name of a zone.
pub(super) fn parse_zone(text: &str) -> Result<TimeZone> {
    if text.eq_ignore_ascii_case("UTC") {
        return Ok(TimeZone::UTC);
    }
    if let Some(offset) = parse_offset(text) {
        return Ok(TimeZone::fixed(offset));
    }
    let found = ZONES
        .get_or_init(TimeZoneDatabase::from_env)
        .get(text)
        .ok()
        .filter(|zone| !zone.is_unknown());
    found.ok_or_else(|| errors::daily::zone_unknown(text))
}

/// Parses `+hh:mm` or `-hh:mm`.
fn parse_offset(text: &str) -> Option<Offset> {
    let &[sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] = text.as_bytes() else {
        return None;
    };
    let two = |tens: u8, ones: u8| {
        let digit = |byte: u8| char::from(byte).to_digit(10).and_then(|d| i32::try_from(d).ok());
        Some(digit(tens)? * 10 + digit(ones)?)
    };
    let minutes = two(m1, m2).filter(|minutes| *minutes < 60)?;
    let total = two(h1, h2)? * 60 + minutes;
    let seconds = if sign == b'-' { total * -60 } else { total * 60 };
    Offset::from_seconds(seconds).ok().filter(|_| total <= MAX_OFFSET_MINUTES)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// `yyyymmdd`.
    pub(super) date: u32,
    /// The first Unix millisecond after the day.
    pub(super) until_ms: i64,
}

impl Span {
    pub(super) fn at(now_ms: i64, zone: &TimeZone) -> Result<Span> {
        let date = date_at(now_ms, zone)?;
        let midnight = date.tomorrow().map(|day| zone.to_ambiguous_timestamp(day.at(0, 0, 0, 0)));
        // The first end of a day may be past already, if the zone's clock goes back over midnight.
        let ends = midnight.into_iter().flat_map(|end| [end.compatible(), end.later()]);
        let until_ms = ends
            .filter_map(|end| Some(end.ok()?.as_millisecond()))
            .find(|end_ms| *end_ms > now_ms)
            .unwrap_or(now_ms.saturating_add(LOOK_AGAIN_MS));
        Ok(Span { date: digits(date), until_ms })
    }
}

/// Returns the days before, of and after `now_ms`, as `yyyymmdd`.
pub(super) fn neighbours(now_ms: i64, zone: &TimeZone) -> Result<[u32; 3]> {
    let date = date_at(now_ms, zone)?;
    let days = [date.yesterday(), Ok(date), date.tomorrow()];
    Ok(days.map(|day| day.map_or_else(|_| digits(date), digits)))
}

fn date_at(now_ms: i64, zone: &TimeZone) -> Result<Date> {
    let date = Timestamp::from_millisecond(now_ms).ok().map(|now| zone.to_datetime(now).date());
    date.filter(|date| (1_000..=9_999).contains(&date.year()))
        .ok_or_else(|| errors::daily::year_out_of_range(now_ms))
}

fn digits(date: Date) -> u32 {
    let [year, month, day] = [i32::from(date.year()), date.month().into(), date.day().into()];
    (year * 10_000 + month * 100 + day).unsigned_abs()
}
