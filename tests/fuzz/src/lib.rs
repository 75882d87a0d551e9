//! The functions of the fuzz targets. Each takes any bytes and panics if a law breaks.
//!
//! `scripts/fuzz` lets libFuzzer look for such bytes; `tests/smoke.rs` runs the seeds, and
//! mutations of them that are the same every time.

pub mod commands;
pub mod layouts;
pub mod mark_file;
pub mod opaque;
pub mod store_rows;
pub mod text_forms;
pub mod urls;

mod input;

/// A target's name and function.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: [Target; 7] = [
    ("text_forms", text_forms::run),
    ("urls", urls::run),
    ("layouts", layouts::run),
    ("store_rows", store_rows::run),
    ("mark_file", mark_file::run),
    ("commands", commands::run),
    ("opaque", opaque::run),
];

/// An error that a caller can act on: with a code of the table, and a message.
fn check_error(error: &snowmint::Error) {
    let number = error.code().number();
    assert_eq!(snowmint::Code::from_number(number), Some(error.code()));
    assert!(!error.to_string().is_empty());
}

/// Returns a directory where nothing waits for a disk, if there is such a place.
fn temporary_directory() -> tempfile::TempDir {
    let directory = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
    directory.expect("a directory for temporary files")
}
