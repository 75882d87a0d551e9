//! `#[serde(with = "…::serde::string")]`: an ID in a field of `u64` or `i64`, written and read as an
//! [`Id`] is. Lists and maps take `Vec<Id>` and the like.

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use crate::id::Id;

/// Writes the ID: text where the format is for people, 64 bits elsewhere.
///
/// # Errors
/// Of the serializer.
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
/// Of the deserializer, and for what is no 64-bit ID.
pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: From<Id>,
    D: Deserializer<'de>,
{
    Id::deserialize(deserializer).map(T::from)
}

/// `#[serde(default, with = "…::serde::string::option")]`: the same of an `Option`.
pub mod option {
    use super::{Deserialize, Deserializer, Id, Serialize, Serializer};

    /// Writes the ID, if there is one.
    ///
    /// # Errors
    /// Of the serializer.
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
    /// Of the deserializer, and for what is no 64-bit ID.
    pub fn deserialize<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
    where
        T: From<Id>,
        D: Deserializer<'de>,
    {
        Ok(Option::<Id>::deserialize(deserializer)?.map(T::from))
    }
}
