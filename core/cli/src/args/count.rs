//! A count as people write it: `1000000`, or `1e6`.

/// The most IDs of one command.
pub(crate) const MAX_IDS: u64 = 1_000_000_000_000;

/// Reads a count of IDs, whole and of 64 bits: whether it is one that may be is for others to say.
pub(super) fn parse(text: &str) -> Result<u64, String> {
    read(text).ok_or_else(|| within(1, MAX_IDS))
}

/// Reads a number that may be 0, likewise.
pub(super) fn number(text: &str) -> Result<u64, String> {
    read(text).ok_or_else(|| within(0, u64::MAX))
}

/// Reads a worker ID.
pub(super) fn worker_id(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("a worker ID is a whole number from 0 to {}", u32::MAX))
}

fn within(least: u64, most: u64) -> String {
    format!("a whole number from {least} to {most}, as 1500, or 1e6 for 1000000")
}

fn read(text: &str) -> Option<u64> {
    let (digits, zeros) = match text.split_once(['e', 'E']) {
        Some((digits, zeros)) => (digits, zeros.parse().ok()?),
        None => (text, 0),
    };
    let digits: u64 = digits.parse().ok()?;
    10_u64.checked_pow(zeros).and_then(|power| digits.checked_mul(power))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_whole_numbers_with_or_without_a_power() {
        for (text, count) in [("0", 0), ("7", 7), ("1e6", 1_000_000), ("25E1", 250), ("3e0", 3)] {
            assert_eq!(parse(text), Ok(count), "{text}");
        }
        for text in ["", "-1", "1.5", "1.5e6", "e6", "1e", "1e-6", "1e20", "99999999999e10", "x"] {
            assert!(parse(text).is_err() && number(text).is_err(), "{text}");
        }
    }
}
