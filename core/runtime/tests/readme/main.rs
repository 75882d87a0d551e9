//! The README's first lines run as they stand.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

include!("first_lines.rs");

/// The crate, with a new file in the place of the one that the lines name.
mod snowmint {
    pub(crate) use ::snowmint::*;

    pub(crate) fn open(url: &str) -> Result<Source> {
        ::snowmint::open(&url.replace("/var/lib/shop/ids.db", "ids.db?create=true"))
    }
}

#[test]
fn the_first_lines_run_twice() {
    let lines = include_str!("first_lines.rs");
    assert!(include_str!("../../README.md").contains(&format!("```rust,no_run\n{lines}```")));
    let place = tempfile::tempdir().unwrap();
    std::env::set_current_dir(&place).unwrap();
    for time in ["first", "second"] {
        main().expect(time);
    }
    assert!(place.path().join("ids.db").exists());
}
