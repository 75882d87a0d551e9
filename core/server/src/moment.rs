//! The present time, dates, and distances between moments.

use std::time::{SystemTime, UNIX_EPOCH};

use snowmint::Timestamp;

const DAY_MS: f64 = 24.0 * 60.0 * 60.0 * 1000.0;
const YEAR_DAYS: f64 = 365.2425;

/// Returns the system's clock in Unix milliseconds. For display only; no ID is made with it.
pub fn now_ms() -> i64 {
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
        Err(before) => -i64::try_from(before.duration().as_millis()).unwrap_or(i64::MAX),
    }
}

/// Returns a date as `2010-11-04`.
pub fn date(unix_ms: i64) -> String {
    let text = Timestamp(unix_ms).to_string();
    text.split('T').next().unwrap_or_default().to_owned()
}

/// Returns a span in years, to a tenth.
pub fn years(span_ms: i64) -> f64 {
    (span_ms as f64 / DAY_MS / YEAR_DAYS * 10.0).round() / 10.0
}

/// Returns a span as `53.6 years`, or in days below two years.
pub fn span(span_ms: i64) -> String {
    let days = span_ms as f64 / DAY_MS;
    if days < 2.0 * YEAR_DAYS {
        format!("{} days", days.floor())
    } else {
        format!("{:.1} years", years(span_ms))
    }
}
