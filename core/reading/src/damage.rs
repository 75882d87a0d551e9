//! IDs that a spreadsheet or a program rounded: what is lost, and what can still be known.

use alloc::format;
use alloc::string::String;

use snowmint_engine::{Timestamp, detect, guess_beside};

use crate::clean::{is_digits, is_integer};

/// The integers above it are not all numbers of 64-bit floating point.
const EXACT_MAX: u64 = 1 << 53;
/// The digits that a spreadsheet keeps of a number.
const SPREADSHEET_DIGITS: u32 = 15;

/// The IDs that a rounded number may have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The lowest.
    pub low: u64,
    /// The highest.
    pub high: u64,
}

impl Damage {
    /// Returns a sentence with the time that the ID has in its layout, if one is likely.
    /// `beside` is the text beside the ID, which may name its system.
    pub fn dating(&self, now_ms: i64, beside: &str) -> Option<String> {
        let middle = self.low + (self.high - self.low) / 2;
        let likely = guess_beside(middle, now_ms, beside).next().filter(|it| it.doubt.is_none());
        let preset = likely?.preset;
        let [from, to] = [self.low, self.high].map(|id| Timestamp(preset.layout.parts(id).unix_ms));
        let name = preset.name;
        Some(if from == to {
            format!("As an ID of {name} it has the time {from} all the same.")
        } else {
            format!("As an ID of {name} it was made between {from} and {to}.")
        })
    }
}

/// What a number that is no plain integer says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inexact {
    /// It is an integer all the same.
    Exact(u64),
    /// It lost its last digits; the range is unknown where the number is negative.
    Exponent(Option<Damage>),
    /// It went through floating point.
    Point(Damage),
    /// It is no integer.
    Fraction,
    /// It is above 64 bits.
    Above,
}

/// Reads a number with an exponent or a decimal point, or returns `None` for other texts.
pub(crate) fn inexact(bare: &str) -> Option<Inexact> {
    let (mantissa, exponent) = match bare.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (bare, None),
    };
    let unsigned = mantissa.strip_prefix('-').unwrap_or(mantissa);
    let decimal = if exponent.is_some() { &['.', ','][..] } else { &['.'] };
    let (whole, fraction) = match unsigned.split_once(decimal) {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (unsigned, None),
    };
    let is_fraction = fraction.is_none_or(|digits| digits.is_empty() || is_digits(digits));
    if !is_digits(whole) || !is_fraction {
        return None;
    }
    let digits = fraction.unwrap_or_default();
    match exponent {
        Some(exponent) => {
            let power = exponent.strip_prefix('+').unwrap_or(exponent);
            // Other forms have digits and an `e` as well.
            let is_plain = power.len() == exponent.len() && fraction.is_none();
            if !is_digits(power) || (is_plain && (power.len() > 3 || detect(bare).is_some())) {
                return None;
            }
            Some(with_exponent(unsigned != mantissa, whole, digits, power))
        }
        None if fraction.is_some() => Some(with_point(unsigned != mantissa, whole, digits)),
        None => None,
    }
}

fn with_exponent(is_negative: bool, whole: &str, fraction: &str, power: &str) -> Inexact {
    if is_negative {
        return Inexact::Exponent(None);
    }
    let number = format!("{whole}{fraction}").parse::<u64>().ok();
    let zeros = power.parse::<usize>().ok().map(|power| power.checked_sub(fraction.len()));
    match (number, zeros) {
        (Some(number), Some(Some(0))) => Inexact::Exact(number),
        (Some(number), Some(Some(zeros))) => {
            let unit = u32::try_from(zeros).ok().and_then(|zeros| 10_u64.checked_pow(zeros));
            let value = unit.and_then(|unit| Some((number.checked_mul(unit)?, unit / 2)));
            value.map_or(Inexact::Above, |(value, half)| {
                let low = value.saturating_sub(half);
                Inexact::Exponent(Some(Damage { low, high: value.saturating_add(half) }))
            })
        }
        (_, Some(None)) => Inexact::Fraction,
        _ => Inexact::Above,
    }
}

fn with_point(is_negative: bool, whole: &str, fraction: &str) -> Inexact {
    if is_negative || fraction.bytes().any(|byte| byte != b'0') {
        return Inexact::Fraction;
    }
    match whole.parse::<u64>() {
        Ok(number) if number <= EXACT_MAX => Inexact::Exact(number),
        Ok(number) => Inexact::Point(same_double(number)),
        Err(_) => Inexact::Above,
    }
}

/// Returns the integers that 64-bit floating point rounds as it rounds `number`, which is above
/// 2^53.
fn same_double(number: u64) -> Damage {
    let middle = number as f64 as u64;
    let half = 1_u64 << (10_u32.saturating_sub(number.leading_zeros()));
    Damage { low: middle.saturating_sub(half), high: middle.saturating_add(half) }
}

/// Returns the IDs that `id` may have been, if it has the digits that JavaScript or a spreadsheet
/// gives a number that it rounded.
pub fn rounded(id: u64) -> Option<Damage> {
    let zeros = (1..20).take_while(|&zeros| id.is_multiple_of(power_of_ten(zeros))).count() as u32;
    if id <= EXACT_MAX || zeros < 2 {
        return None;
    }
    let lost = digits_of(id).saturating_sub(SPREADSHEET_DIGITS);
    if zeros >= lost {
        // A spreadsheet writes zeros for all digits after the fifteenth.
        return Some(Damage { low: id, high: id.saturating_add(power_of_ten(lost) - 1) });
    }
    let unit = power_of_ten(zeros);
    let double = id as f64;
    // JavaScript writes the fewest digits that are the same number, and of these the nearest.
    let fewer = id - id % (10 * unit);
    let is_shortest = fewer as f64 != double && fewer.saturating_add(10 * unit) as f64 != double;
    let is_nearest = id.abs_diff(double as u64) <= unit / 2;
    (is_shortest && is_nearest).then(|| same_double(id))
}

fn digits_of(number: u64) -> u32 {
    number.checked_ilog10().map_or(1, |log| log + 1)
}

/// Returns a power of ten, of at most 19 zeros.
fn power_of_ten(zeros: u32) -> u64 {
    10_u64.checked_pow(zeros).unwrap_or(u64::MAX)
}

/// Returns true if a text is a number that lost digits.
pub(crate) fn is_damaged(bare: &str) -> bool {
    !is_integer(bare) && matches!(inexact(bare), Some(Inexact::Exponent(_) | Inexact::Point(_)))
}
