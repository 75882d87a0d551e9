//! Reads the vectors as any other language does, and holds the engine to them.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod guesses;
mod layouts;
mod opaque;
mod reading;
mod segments;
mod snowflakes;
mod texts;
