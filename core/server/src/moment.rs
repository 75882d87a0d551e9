//! The present time, and dates.

use std::time::{SystemTime, UNIX_EPOCH};

use snowmint::Timestamp;

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
