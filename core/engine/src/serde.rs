//! The [`serde`](https://docs.rs/serde) format of this crate's types, with the feature `serde`.
//!
//! | type | in human-readable formats (JSON, TOML) | in other formats |
//! |---|---|---|
//! | [`Id`] | text, in decimal; numbers are read as well | 64 bits |
//! | [`Layout`] | `fields`, `epoch_ms` and `tick_ms`; a preset's name or fields alone are read as well | the same three |
//! | [`ClockPolicy`] | its parts; a name of [`ClockPolicy::ALL`] is read as well | its parts |
//! | [`Parts`](crate::Parts), [`SequenceStart`](crate::SequenceStart) | as they are declared, in snake_case | the same |
//! | [`TextForm`] | its name | its name |
//! | [`Code`] | its name | its number |
//!
//! To write an ID in a field of another type as text, use [`string`]:
//!
//! ```
//! #[derive(serde::Serialize, serde::Deserialize)]
//! struct Order {
//!     id: snowmint_engine::Id,
//!     #[serde(with = "snowmint_engine::serde::string")]
//!     customer: u64,
//!     #[serde(default, with = "snowmint_engine::serde::string::option")]
//!     parent: Option<i64>,
//! }
//!
//! let text = r#"{"id":"1541815603606036480","customer":"7","parent":null}"#;
//! let order: Order = serde_json::from_str(text)?;
//! assert_eq!((order.id.0, order.customer, order.parent), (1_541_815_603_606_036_480, 7, None));
//! assert_eq!(serde_json::to_string(&order)?, text);
//! # Ok::<(), serde_json::Error>(())
//! ```

use core::fmt;
use core::marker::PhantomData;
use core::str::FromStr;

use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::error::Code;
use crate::id::Id;
use crate::layout::{Layout, LayoutBuilder};
use crate::policy::{ClockPolicy, WhenBehind, WhenFull};
use crate::text::TextForm;

pub mod string;

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match serializer.is_human_readable() {
            true => serializer.serialize_str(&self.text(TextForm::Decimal)),
            false => serializer.serialize_u64(self.0),
        }
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Id, D::Error> {
        match deserializer.is_human_readable() {
            true => deserializer.deserialize_any(AnyId),
            false => u64::deserialize(deserializer).map(Id),
        }
    }
}

struct AnyId;

impl Visitor<'_> for AnyId {
    type Value = Id;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a 64-bit ID in decimal, as text or as a number")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Id, E> {
        read(text)
    }

    fn visit_u64<E: de::Error>(self, id: u64) -> Result<Id, E> {
        Ok(Id(id))
    }

    /// TOML only has signed numbers.
    fn visit_i64<E: de::Error>(self, id: i64) -> Result<Id, E> {
        u64::try_from(id).map(Id).map_err(|_| E::invalid_value(de::Unexpected::Signed(id), &self))
    }
}

impl Serialize for Layout {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let parts = LayoutParts {
            fields: Fields(*self),
            epoch_ms: self.epoch_ms(),
            tick_ms: self.tick_ms(),
        };
        parts.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Layout {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Layout, D::Error> {
        let expecting = "a layout: a preset's name, fields as \"time:41,worker:10,sequence:12\", or a \
                         table of fields, epoch_ms and tick_ms";
        name_or_parts::<LayoutParts<LayoutBuilder>, Layout, D>(deserializer, expecting)
    }
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Layout", deny_unknown_fields)]
#[serde(bound(serialize = "Fields<F>: Serialize", deserialize = "Fields<F>: Deserialize<'de>"))]
struct LayoutParts<F> {
    fields: Fields<F>,
    #[serde(default)]
    epoch_ms: i64,
    #[serde(default = "a_millisecond")]
    tick_ms: u32,
}

const fn a_millisecond() -> u32 {
    1
}

impl TryFrom<LayoutParts<LayoutBuilder>> for Layout {
    type Error = crate::Error;

    fn try_from(parts: LayoutParts<LayoutBuilder>) -> Result<Layout, crate::Error> {
        let Fields(builder) = parts.fields;
        builder.epoch_ms(parts.epoch_ms).tick_ms(parts.tick_ms).build()
    }
}

/// A layout's fields as one text.
struct Fields<F>(F);

impl Serialize for Fields<Layout> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0.fields_text())
    }
}

impl<'de> Deserialize<'de> for Fields<LayoutBuilder> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Named::new("fields as \"time:41,worker:10,sequence:12\""))
    }
}

impl FromStr for Fields<LayoutBuilder> {
    type Err = crate::Error;

    fn from_str(text: &str) -> Result<Self, crate::Error> {
        Layout::builder().fields(text).map(Fields)
    }
}

impl<'de> Deserialize<'de> for ClockPolicy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ClockPolicy, D::Error> {
        let expecting =
            "a clock policy: its name, or a table of max_ahead_ms, when_behind and when_full";
        name_or_parts::<PolicyParts, ClockPolicy, D>(deserializer, expecting)
    }
}

#[derive(serde::Deserialize)]
#[serde(rename = "ClockPolicy", deny_unknown_fields)]
struct PolicyParts {
    max_ahead_ms: u32,
    when_behind: WhenBehind,
    when_full: WhenFull,
}

impl From<PolicyParts> for ClockPolicy {
    fn from(parts: PolicyParts) -> ClockPolicy {
        let PolicyParts { max_ahead_ms, when_behind, when_full } = parts;
        ClockPolicy { max_ahead_ms, when_behind, when_full }
    }
}

impl Serialize for TextForm {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for TextForm {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TextForm, D::Error> {
        deserializer.deserialize_str(Named::new("the name of a text form, as base32"))
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match serializer.is_human_readable() {
            true => serializer.serialize_str(self.name()),
            false => serializer.serialize_u32(self.number()),
        }
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Code, D::Error> {
        if deserializer.is_human_readable() {
            return deserializer.deserialize_str(Named::new("the name of a code, as clock_behind"));
        }
        let number = u32::deserialize(deserializer)?;
        let found = Code::from_number(number);
        found.ok_or_else(|| de::Error::custom(format_args!("no code has the number {number}")))
    }
}

/// Parses a text, and quotes it in the error if that fails.
fn read<T: FromStr<Err = crate::Error>, E: de::Error>(text: &str) -> Result<T, E> {
    text.parse().map_err(|error| E::custom(format_args!("{text:?}: {error}")))
}

/// Visits a value that is written as text.
struct Named<T> {
    expecting: &'static str,
    value: PhantomData<T>,
}

impl<T> Named<T> {
    fn new(expecting: &'static str) -> Named<T> {
        Named { expecting, value: PhantomData }
    }
}

impl<T: FromStr<Err = crate::Error>> Visitor<'_> for Named<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expecting)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        read(text)
    }
}

/// Reads a value from its parts, or, in human-readable formats, from its name.
fn name_or_parts<'de, P, T, D>(deserializer: D, expecting: &'static str) -> Result<T, D::Error>
where
    P: Deserialize<'de>,
    T: TryFrom<P, Error: fmt::Display> + FromStr<Err = crate::Error>,
    D: Deserializer<'de>,
{
    match deserializer.is_human_readable() {
        true => {
            deserializer.deserialize_any(NameOrParts { expecting, value: PhantomData::<(P, T)> })
        }
        false => P::deserialize(deserializer)?.try_into().map_err(de::Error::custom),
    }
}

struct NameOrParts<P, T> {
    expecting: &'static str,
    value: PhantomData<(P, T)>,
}

impl<'de, P, T> Visitor<'de> for NameOrParts<P, T>
where
    P: Deserialize<'de>,
    T: TryFrom<P, Error: fmt::Display> + FromStr<Err = crate::Error>,
{
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expecting)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        read(text)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        let parts = P::deserialize(de::value::MapAccessDeserializer::new(map))?;
        parts.try_into().map_err(de::Error::custom)
    }
}
