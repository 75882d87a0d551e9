//! The README's first lines run as they stand.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

include!("first_lines.rs");

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
