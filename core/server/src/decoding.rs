//! Decodes IDs, for `/v1/decode` and for `snowmint decode`.

mod layout;
mod reading;
mod text;

pub use layout::{NamedLayout, TimeBase};
pub use reading::{Reading, Readings, readings};
pub use text::{Id, Parsed, parse};
