//! The forms in which [`serde`](https://docs.rs/serde) writes and reads this crate's types, with
//! the feature `serde`.
//!
//! The engine's types are in [`engine::serde`](crate::engine::serde): IDs, layouts, parts,
//! policies, starts, text forms and codes. This crate adds [`Tag`], which is its name, and
//! [`TagOptions`] and [`TagChange`], whose missing fields have their defaults. Numbers that are IDs
//! are text in human-readable formats, and are also read as numbers.
//!
//! ```
//! #[derive(serde::Deserialize)]
//! struct Settings {
//!     layout: snowmint::Layout,
//!     policy: snowmint::ClockPolicy,
//!     tag: snowmint::Tag,
//!     options: snowmint::TagOptions,
//! }
//!
//! #[derive(serde::Serialize)]
//! struct Order {
//!     id: snowmint::Id,
//!     #[serde(with = "snowmint::serde::string")]
//!     customer: u64,
//! }
//!
//! let text = r#"{"layout": "discord", "policy": "leaf", "tag": "orders", "options": {"start": 1000}}"#;
//! let settings: Settings = serde_json::from_str(text)?;
//! assert_eq!(settings.layout, snowmint::Layout::DISCORD);
//! assert_eq!((settings.options.start, settings.options.step), (1_000, 1_000));
//!
//! let order = Order { id: snowmint::Id(1_541_815_603_606_036_480), customer: 7 };
//! assert_eq!(serde_json::to_string(&order)?, r#"{"id":"1541815603606036480","customer":"7"}"#);
//! # Ok::<(), serde_json::Error>(())
//! ```

use serde::de::{self, Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

pub use snowmint_engine::serde::string;

use crate::store::Tag;
#[cfg(doc)]
use crate::store::{TagChange, TagOptions};

impl Serialize for Tag {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Tag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tag, D::Error> {
        let name = String::deserialize(deserializer)?;
        Tag::of_row(&name).map_err(de::Error::custom)
    }
}
