//! `snowmint bounds`: between which IDs those of a time lie.

use std::io::Write;

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use serde_json::json;
use snowmint::{Code, Error, Layout, Result, Timestamp};

use crate::args::BoundsArgs;
use crate::exit::Done;
use crate::named::Named;
use crate::print::{json_line, output};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Prints the smallest and the largest ID of a time.
pub(crate) fn run(args: &BoundsArgs) -> Done {
    let layout = Named::parse(&args.layout, args.fields)?.layout;
    let (from_ms, to_ms) = span(&args.time, &layout)?;
    let [first, last] =
        [layout.min_id(from_ms), layout.max_id(to_ms)].map(|id| id.map_err(Error::from));
    let (first, last) = (first?, last?);
    let mut output = output();
    if args.json {
        let [from, to] = [from_ms, to_ms].map(|ms| Timestamp(ms).to_string());
        let object = json!({
            "first": first.to_string(), "last": last.to_string(), "from": from, "to": to,
        });
        writeln!(output, "{}", json_line(&object))?;
    } else {
        writeln!(output, "{first}\n{last}")?;
    }
    Ok(output.flush()?)
}

/// The first and the last millisecond, of those that the layout has.
fn span(text: &str, layout: &Layout) -> Result<(i64, i64)> {
    let (from_ms, to_ms) = match text.split_once("..") {
        None if is_day(text) => (unix_ms(text)?, unix_ms(text)? + DAY_MS - 1),
        None => (unix_ms(text)?, unix_ms(text)?),
        Some((from, to)) => (
            if from.is_empty() { layout.tick_start_ms(0) } else { unix_ms(from)? },
            if to.is_empty() { layout.expires_ms() } else { unix_ms(to)? } - 1,
        ),
    };
    if from_ms <= to_ms {
        return Ok((from_ms, to_ms));
    }
    let message = format!("{text:?} ends before it begins: write the earlier time first");
    Err(Error::new(Code::InvalidTime, message))
}

/// Whether it is a date alone, without a time of the day.
fn is_day(text: &str) -> bool {
    text.len() == "2026-01-31".len() && text.parse::<Date>().is_ok()
}

/// A moment as people write it, in UTC where it names no other zone.
fn unix_ms(text: &str) -> Result<i64> {
    let number = || text.parse::<i64>().ok().filter(|ms| ms.unsigned_abs() <= MAX_MS);
    let instant = || text.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_millisecond);
    let local = || {
        let at = text.parse::<DateTime>().ok()?.to_zoned(TimeZone::UTC).ok()?;
        Some(at.timestamp().as_millisecond())
    };
    number().or_else(instant).or_else(local).ok_or_else(|| {
        let message = format!(
            "{text:?} is no time: write 2026-01-31, 2026-01-31T12:00:00Z or Unix milliseconds"
        );
        Error::new(Code::InvalidTime, message)
    })
}

/// Further away than any layout reaches.
const MAX_MS: u64 = 1 << 62;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_people_write_them() {
        let ms = 1_769_860_800_000; // 2026-01-31T12:00:00Z
        for text in [
            "2026-01-31T12:00",
            "2026-01-31 12:00:00",
            "2026-01-31T12:00:00.000Z",
            "2026-01-31T20:00:00+08:00",
            "1769860800000",
        ] {
            assert_eq!(unix_ms(text).unwrap(), ms, "{text}");
        }
        for text in ["", "hello", "2026-02-30", "12:00", "9999999999999999999", "2026"] {
            let read = unix_ms(text);
            assert!(read.is_err() || text == "2026", "{text}: {read:?}");
        }
    }

    #[test]
    fn a_range_has_its_beginning_and_not_its_end() {
        let layout = Layout::TWITTER;
        let (day_ms, next_ms) = (1_769_817_600_000, 1_769_904_000_000);
        assert_eq!(span("2026-01-31", &layout).unwrap(), (day_ms, next_ms - 1));
        assert_eq!(span("2026-01-31..2026-02-01", &layout).unwrap(), (day_ms, next_ms - 1));
        assert_eq!(span("2026-01-31T00:00", &layout).unwrap(), (day_ms, day_ms));
        let all = (layout.epoch_ms(), layout.expires_ms() - 1);
        assert_eq!(span("..", &layout).unwrap(), all);
        assert_eq!(span("2026-02-01..2026-02-01", &layout).unwrap_err().code(), Code::InvalidTime);
    }
}
