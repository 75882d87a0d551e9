//! An ID as a type of its own.

use core::fmt;
use core::str::FromStr;

use crate::error::Error;
use crate::layout::Layout;
use crate::text::{Text, TextForm};
use crate::timestamp::Timestamp;

/// A 64-bit ID as a type of its own, for fields, keys and signatures that must not take other
/// numbers. Sources return a `u64`, which you wrap: `Id(flake.next_id()?)`.
///
/// ```
/// use snowmint_engine::{Id, Layout};
///
/// let id: Id = "1541815603606036480".parse()?;
/// assert_eq!(id.timestamp(&Layout::TWITTER)?.to_string(), "2022-06-28T16:07:40.105Z");
/// assert_eq!((u64::from(id), i64::from(id)), (1_541_815_603_606_036_480, 1_541_815_603_606_036_480));
/// # Ok::<(), snowmint_engine::Error>(())
/// ```
///
/// `Display` writes it in decimal, and `FromStr` reads it like [`TextForm::Decimal`]; for other
/// forms use [`text`](Id::text). IDs compare as unsigned numbers. If a layout's time has the top
/// bit (Discord, Instagram), a signed column sorts the later half first.
///
/// With the feature `serde`, it is a text in human-readable formats (JSON, TOML), because
/// JavaScript's numbers hold 53 bits, and 64 bits in other formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Id(pub u64);

impl Id {
    /// Returns the time of the ID, rounded down to its tick, if it is of that layout.
    ///
    /// # Errors
    /// [`Error::IdNotInLayout`].
    pub const fn timestamp(self, layout: &Layout) -> Result<Timestamp, Error> {
        match layout.decode(self.0) {
            Ok(parts) => Ok(Timestamp(parts.unix_ms)),
            Err(error) => Err(error),
        }
    }

    /// Returns the ID as text of another form; [`TextForm::parse`] reads it.
    pub fn text(self, form: TextForm) -> Text {
        form.format(self.0)
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// Parses decimal, like [`TextForm::Decimal`].
impl FromStr for Id {
    type Err = Error;

    fn from_str(text: &str) -> Result<Id, Error> {
        TextForm::Decimal.parse(text).map(Id)
    }
}

impl From<u64> for Id {
    fn from(id: u64) -> Id {
        Id(id)
    }
}

/// Keeps the 64 bits, for signed columns and for languages without unsigned numbers.
impl From<i64> for Id {
    fn from(id: i64) -> Id {
        Id(id.cast_unsigned())
    }
}

impl From<Id> for u64 {
    fn from(id: Id) -> u64 {
        id.0
    }
}

/// Keeps the 64 bits: the number is negative from 2^63 on.
impl From<Id> for i64 {
    fn from(id: Id) -> i64 {
        id.0.cast_signed()
    }
}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;

    #[test]
    fn reads_what_it_writes() {
        for id in [0, 7, u64::MAX] {
            assert_eq!(Id(id).to_string(), id.to_string());
            assert_eq!(Id(id).to_string().parse(), Ok(Id(id)));
        }
        assert_eq!(std::format!("{:>5}|{:05}", Id(7), Id(7)), "    7|00007");
        assert!("".parse::<Id>().is_err() && "-1".parse::<Id>().is_err());
        assert!("18446744073709551616".parse::<Id>().is_err());
        assert_eq!(TextForm::Base62.parse(&Id(7).text(TextForm::Base62)), Ok(7));
    }

    #[test]
    fn a_signed_number_has_the_same_bits() {
        for (signed, id) in [(0, 0), (7, 7), (-1, u64::MAX), (i64::MIN, 1 << 63)] {
            assert_eq!((Id::from(signed), i64::from(Id(id))), (Id(id), signed));
            assert_eq!((Id::from(id), u64::from(Id(id))), (Id(id), id));
        }
        assert!(Id(1 << 63) > Id(1), "the order is that of unsigned numbers");
    }

    #[test]
    fn is_dated_by_its_layout_alone() {
        let id = Id(1_541_815_603_606_036_480);
        assert_eq!(id.timestamp(&Layout::TWITTER), Ok(Timestamp(1_656_432_460_105)));
        let negative = Id(1 << 63);
        assert_eq!(negative.timestamp(&Layout::TWITTER), Err(Error::IdNotInLayout { id: 1 << 63 }));
    }
}
