//! A point in time, and its RFC 3339 text.

use core::fmt;
#[cfg(feature = "std")]
use core::time::Duration;
#[cfg(feature = "std")]
use std::time::SystemTime;

#[cfg(feature = "std")]
use crate::error::Error;

/// A moment in Unix milliseconds (UTC, leap seconds not counted), printed as RFC 3339.
///
/// `Display` writes `2022-06-28T16:07:40.105Z`: always milliseconds, always `Z`. RFC 3339 cannot
/// express years outside 0000 to 9999: they have ISO 8601's expanded form, with a sign and at least
/// four digits (`+292278994-08-17T07:12:55.807Z`, `-0001-12-31T23:59:59.999Z`). The calendar is
/// always the Gregorian one, with a year 0. Every `i64` has a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp(pub i64);

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = civil_from_days(self.0.div_euclid(DAY_MS));
        let ms_of_day = self.0.rem_euclid(DAY_MS);

        if (0..=9999).contains(&year) {
            write!(f, "{year:04}")?;
        } else {
            write!(f, "{year:+05}")?;
        }
        write!(
            f,
            "-{month:02}-{day:02}T{:02}:{:02}:{:02}.{:03}Z",
            ms_of_day / 3_600_000,
            ms_of_day / 60_000 % 60,
            ms_of_day / 1_000 % 60,
            ms_of_day % 1_000
        )
    }
}

#[cfg(feature = "std")]
impl Timestamp {
    /// Returns the moment as the standard library's type, or `None` if that cannot express it, as
    /// on some systems far from the present.
    pub fn to_system_time(self) -> Option<SystemTime> {
        let distance = Duration::from_millis(self.0.unsigned_abs());
        match self.0 {
            0.. => SystemTime::UNIX_EPOCH.checked_add(distance),
            _ => SystemTime::UNIX_EPOCH.checked_sub(distance),
        }
    }
}

/// Returns the millisecond that contains the moment; beyond an `i64` its first or last one.
#[cfg(feature = "std")]
impl From<SystemTime> for Timestamp {
    fn from(moment: SystemTime) -> Timestamp {
        Timestamp(match moment.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
            Err(before) => {
                let before_ms = before.duration().as_nanos().div_ceil(1_000_000);
                i64::try_from(before_ms).map_or(i64::MIN, i64::wrapping_neg)
            }
        })
    }
}

/// Works like [`Timestamp::to_system_time`], which fails on some systems far from the present.
#[cfg(feature = "std")]
impl TryFrom<Timestamp> for SystemTime {
    type Error = Error;

    fn try_from(moment: Timestamp) -> Result<SystemTime, Error> {
        moment.to_system_time().ok_or(Error::NoSystemTime { unix_ms: moment.0 })
    }
}

const DAY_MS: i64 = 86_400_000;

/// Returns the Gregorian year, month (1 to 12) and day (1 to 31) of a day counted from 1970-01-01.
///
/// The algorithm is `civil_from_days` of Howard Hinnant, "chrono-Compatible Low-Level Date
/// Algorithms". Its years begin on 1 March, which puts the leap day last, and 400 years make an
/// era. The wrapping operations never wrap: milliseconds in an `i64` reach at most 1.07e11 days.
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    const DAYS_PER_ERA: i64 = 146_097;
    const FROM_0000_03_01_TO_1970: i64 = 719_468;

    let days = days.wrapping_add(FROM_0000_03_01_TO_1970);
    let era = days.div_euclid(DAYS_PER_ERA);
    let day_of_era = days.rem_euclid(DAYS_PER_ERA);
    let year_of_era = day_of_era
        .wrapping_sub(day_of_era / 1_460)
        .wrapping_add(day_of_era / 36_524)
        .wrapping_sub(day_of_era / 146_096)
        / 365;
    let days_before_year =
        year_of_era.wrapping_mul(365).wrapping_add(year_of_era / 4).wrapping_sub(year_of_era / 100);
    let day_of_year = day_of_era.wrapping_sub(days_before_year);

    // Months from March, 0 to 11; their lengths repeat every five months, which have 153 days.
    let month_from_march = day_of_year.wrapping_mul(5).wrapping_add(2) / 153;
    let days_before_month = month_from_march.wrapping_mul(153).wrapping_add(2) / 5;
    let day = day_of_year.wrapping_sub(days_before_month).wrapping_add(1);
    let (month, years_on) = if month_from_march < 10 {
        (month_from_march.wrapping_add(3), 0)
    } else {
        (month_from_march.wrapping_sub(9), 1)
    };
    let year = era.wrapping_mul(400).wrapping_add(year_of_era).wrapping_add(years_on);
    (year, month, day)
}

#[cfg(test)]
#[allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]
mod tests {
    use std::string::ToString;
    use std::vec::Vec;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn known_moments() {
        for (ms, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (1_656_432_460_105, "2022-06-28T16:07:40.105Z"),
            (1_288_834_974_657, "2010-11-04T01:42:54.657Z"), // Twitter's epoch
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),   // leap: divisible by 400
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), // not leap: divisible by 100
            (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (253_402_300_800_000, "+10000-01-01T00:00:00.000Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
            (-62_167_219_200_001, "-0001-12-31T23:59:59.999Z"),
            (i64::MAX, "+292278994-08-17T07:12:55.807Z"),
            (i64::MIN, "-292275055-05-16T16:47:04.192Z"),
        ] {
            assert_eq!(Timestamp(ms).to_string(), text);
        }
    }

    /// The inverse, from the definition: counts the days of every year and month before. It takes
    /// off whole 400-year cycles first, so that the loops stay short.
    fn days_from_civil(year: i64, month: usize, day: i64) -> i64 {
        let is_leap = |y: i64| y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);
        let cycles = (year - 1970).div_euclid(400);
        let year = year - cycles * 400;
        let years: i64 = (1970..year).map(|y| if is_leap(y) { 366 } else { 365 }).sum();
        let february = if is_leap(year) { 29 } else { 28 };
        let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        assert!((1..=lengths[month - 1]).contains(&day));
        cycles * 146_097 + years + lengths[..month - 1].iter().sum::<i64>() + day - 1
    }

    fn read_back(text: &str) -> i64 {
        let (date, time) = text.strip_suffix('Z').unwrap().split_once('T').unwrap();
        let parts: Vec<&str> = date.rsplitn(3, '-').collect();
        let [day, month, year] = parts[..] else { panic!("{text}") };
        let days =
            days_from_civil(year.parse().unwrap(), month.parse().unwrap(), day.parse().unwrap());
        let times: Vec<i64> = time.split([':', '.']).map(|part| part.parse().unwrap()).collect();
        let [hour, minute, second, ms] = times[..] else { panic!("{text}") };
        assert!(hour < 24 && minute < 60 && second < 60);
        let of_day = ((hour * 60 + minute) * 60 + second) * 1_000 + ms;
        // The first day of all begins before i64::MIN milliseconds: the sum needs more bits.
        i64::try_from(i128::from(days) * i128::from(DAY_MS) + i128::from(of_day)).unwrap()
    }

    proptest! {
        #[test]
        fn reads_back(ms in any::<i64>()) {
            prop_assert_eq!(read_back(&Timestamp(ms).to_string()), ms);
        }

        #[test]
        fn reads_back_in_common_years(ms in -100_000_000_000_000..300_000_000_000_000_i64) {
            prop_assert_eq!(read_back(&Timestamp(ms).to_string()), ms);
        }

        #[test]
        fn text_order_is_time_order(
            a in -62_167_219_200_000..253_402_300_800_000_i64,
            b in -62_167_219_200_000..253_402_300_800_000_i64,
        ) {
            prop_assert_eq!(Timestamp(a).to_string().cmp(&Timestamp(b).to_string()), a.cmp(&b));
        }
    }

    #[cfg(feature = "std")]
    #[test]
    fn moments_of_the_standard_library_are_the_same() {
        for ms in [0, 1, -1, 1_656_432_460_105, -62_167_219_200_000] {
            let moment = Timestamp(ms).to_system_time().unwrap();
            assert_eq!(Timestamp::from(moment), Timestamp(ms));
            assert_eq!(SystemTime::try_from(Timestamp(ms)), Ok(moment));
            // Within its millisecond.
            assert_eq!(Timestamp::from(moment + Duration::from_nanos(999_999)), Timestamp(ms));
        }
    }

    #[test]
    fn every_day_of_eight_centuries() {
        for days in -150_000..150_000 {
            let (year, month, day) = civil_from_days(days);
            assert_eq!(days_from_civil(year, usize::try_from(month).unwrap(), day), days);
        }
    }
}
