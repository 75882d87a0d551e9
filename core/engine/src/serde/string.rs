//! `#[serde(with = "…::serde::string")]`: an ID in a field of `u64` or `i64`, written and read like
//! an [`Id`]. For lists and maps use `Vec<Id>` and similar types.

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use crate::id::Id;

/// Writes the ID: as text in human-readable formats, as 64 bits in others.
///
/// # Errors
/// The serializer's errors.
pub fn serialize<T, S>(id: &T, serializer: S) -> Result<S::Ok, S::Error>
where
    T: Copy + Into<Id>,
    S: Serializer,
{
    (*id).into().serialize(serializer)
}

/// Reads an ID.
///
/// # Errors
/// The deserializer's errors, also for values that are not 64-bit IDs.
pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: From<Id>,
    D: Deserializer<'de>,
{
    Id::deserialize(deserializer).map(T::from)
}

/// `#[serde(default, with = "…::serde::string::option")]`: an optional ID.
pub mod option {
    use super::{Deserialize, Deserializer, Id, Serialize, Serializer};

    /// Writes the ID, if there is one.
    ///
    /// # Errors
    /// The serializer's errors.
    pub fn serialize<T, S>(id: &Option<T>, serializer: S) -> Result<S::Ok, S::Error>
    where
        T: Copy + Into<Id>,
        S: Serializer,
    {
        id.map(Into::into).serialize(serializer)
    }

    /// Reads an ID, if there is one.
    ///
    /// # Errors
    /// The deserializer's errors, also for values that are not 64-bit IDs.
    pub fn deserialize<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
    where
        T: From<Id>,
        D: Deserializer<'de>,
    {
        Ok(Option::<Id>::deserialize(deserializer)?.map(T::from))
    }
}
