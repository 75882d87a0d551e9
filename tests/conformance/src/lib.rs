//! The test vectors: what every language must compute, written down by the Rust engine.
//!
//! Each document is a pure function of the engine, and a test fails when the committed file is
//! another. `tests/reference` judges the same files by an implementation written separately, so an
//! error of the engine does not become the contract unseen. What is here is not shipped.

mod errors;
mod events;
mod guesses;
mod layouts;
mod opaque;
mod policies;
mod render;
mod segments;
mod snowflakes;
mod texts;

use std::path::PathBuf;

pub use errors::frozen_codes_kept;
pub use events::frozen_events_kept;

/// Every generated document: the file's name and its content.
pub fn documents() -> Vec<(&'static str, String)> {
    vec![
        ("errors.json", errors::document()),
        ("events.json", events::document()),
        ("guesses.json", guesses::document()),
        ("layouts.json", layouts::document()),
        ("opaque.json", opaque::document()),
        ("segments.json", segments::document()),
        ("snowflakes.json", snowflakes::document()),
        ("texts.json", texts::document()),
    ]
}

/// Returns the directory of the vectors in this repository.
pub fn directory() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../vectors"))
}
