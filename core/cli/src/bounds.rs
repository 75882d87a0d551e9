//! `snowmint bounds`: the smallest and the largest ID of a time.

use std::io::Write;

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::{AmbiguousOffset, TimeZone};
use serde_json::json;
use snowmint::{Error, Layout, Result, Timestamp};
use snowmint_server::decoding::NamedLayout;

use crate::args::BoundsArgs;
use crate::errors;
use crate::exit::Done;
use crate::print::{eprintln, json_line, output};

/// Prints the smallest and the largest ID of a time.
pub(crate) fn run(args: &BoundsArgs) -> Done {
    let layout = NamedLayout::parse(&args.layout, args.base.into())?.layout;
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

/// Returns the first and the last millisecond of a time or a range of times.
fn span(text: &str, layout: &Layout) -> Result<(i64, i64)> {
    let (from_ms, to_ms) = match text.split_once("..") {
        None => named(text)?,
        Some((from, to)) => (
            if from.is_empty() { layout.tick_start_ms(0) } else { named(from)?.0 },
            if to.is_empty() { layout.expires_ms() } else { named(to)?.0 } - 1,
        ),
    };
    if from_ms <= to_ms {
        return Ok((from_ms, to_ms));
    }
    Err(match to_ms + 1 == from_ms {
        true => errors::span_empty(text),
        false => errors::span_reversed(text),
    })
}

/// Returns the first and the last millisecond of a day or a moment, in UTC unless the text names a
/// zone.
fn named(text: &str) -> Result<(i64, i64)> {
    let number = || text.parse::<i64>().ok().filter(|ms| ms.unsigned_abs() <= MAX_MS);
    let instant = || text.parse::<jiff::Timestamp>().ok().filter(|_| !text.contains('['));
    let moment = number().or_else(|| instant().map(jiff::Timestamp::as_millisecond));
    let time = moment.map(|ms| (ms, ms)).or_else(|| local(text));
    time.ok_or_else(|| errors::time_unreadable(text))
}

/// Parses a day, or a time of day, in a zone.
fn local(text: &str) -> Option<(i64, i64)> {
    let (local, zone) = match text.split_once('[') {
        Some((local, zone)) => (local, TimeZone::get(zone.strip_suffix(']')?).ok()?),
        None => (text, TimeZone::UTC),
    };
    let ms = |at: DateTime| Some(at.to_zoned(zone.clone()).ok()?.timestamp().as_millisecond());
    let moment = |at: DateTime| {
        let why = match zone.to_ambiguous_zoned(at).offset() {
            AmbiguousOffset::Unambiguous { .. } => return ms(at),
            AmbiguousOffset::Gap { .. } => "is left out when the clocks are put forward",
            AmbiguousOffset::Fold { .. } => "is there twice when the clocks are put back",
        };
        let taken = ms(at)?;
        eprintln!("snowmint: {text} {why}: {} is taken", Timestamp(taken));
        Some(taken)
    };
    match local.parse::<Date>() {
        Ok(day) if local.len() == DAY.len() => {
            let next = day.tomorrow().ok()?;
            Some((
                ms(day.to_datetime(Time::midnight()))?,
                ms(next.to_datetime(Time::midnight()))? - 1,
            ))
        }
        // An offset and a zone could contradict each other.
        _ if local.parse::<jiff::Timestamp>().is_ok() => None,
        _ => moment(local.parse().ok()?).map(|ms| (ms, ms)),
    }
}

/// The length of a written day.
const DAY: &str = "2026-01-31";
/// A limit beyond every layout.
const MAX_MS: u64 = 1 << 62;

#[cfg(test)]
mod tests {
    use snowmint::Code;

    use super::*;

    #[test]
    fn times_are_read_as_people_write_them() {
        let ms = 1_769_860_800_000; // 2026-01-31T12:00:00Z
        for text in [
            "2026-01-31T12:00",
            "2026-01-31 12:00:00",
            "2026-01-31T12:00:00.000Z",
            "2026-01-31T20:00:00+08:00",
            "2026-01-31T20:00[Asia/Shanghai]",
            "1769860800000",
        ] {
            assert_eq!(named(text).unwrap(), (ms, ms), "{text}");
        }
        for text in [
            "",
            "hello",
            "2026-02-30",
            "12:00",
            "9999999999999999999",
            "2026-01-31T12:00[Nowhere/X]",
            "2026-01-31T12:00[u-ca=hebrew]",
            "2026-01-31T12:00+08:00[Asia/Shanghai]",
        ] {
            assert_eq!(named(text).unwrap_err().code(), Code::InvalidTime, "{text}");
        }
    }

    #[test]
    fn a_day_is_one_of_its_zone() {
        let (from_ms, to_ms) = named("2026-03-01[Asia/Shanghai]").unwrap();
        assert_eq!(Timestamp(from_ms).to_string(), "2026-02-28T16:00:00.000Z");
        assert_eq!(to_ms - from_ms, 24 * 60 * 60 * 1000 - 1);
        // On this day, clocks are set forward by an hour.
        let (from_ms, to_ms) = named("2026-03-29[Europe/Berlin]").unwrap();
        assert_eq!(to_ms - from_ms, 23 * 60 * 60 * 1000 - 1);
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
        let epoch = format!("..{}", layout.epoch_ms());
        for (text, why) in [
            ("2026-02-01..2026-02-01", "is empty, as its end is not in it"),
            (&epoch, "is empty"),
            ("2026-02-02..2026-02-01", "write the earlier time first"),
        ] {
            let error = span(text, &layout).unwrap_err();
            assert_eq!(error.code(), Code::InvalidTime, "{text}");
            assert!(error.to_string().contains(why), "{error}");
        }
    }
}
