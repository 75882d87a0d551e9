//! The page of error codes has each code of the table, with its summary, and says truly whether a call
//! can be made again.

use std::fs;

use snowmint::{Code, Error};
use snowmint_conformance::directory;

#[test]
fn the_page_has_each_code() {
    let page = fs::read_to_string(directory().join("../../docs/reference/errors.md")).unwrap();
    let sections: Vec<_> = page.split("\n### ").skip(1).collect();
    assert_eq!(sections.len(), Code::ALL.len());
    for (code, section) in Code::ALL.iter().zip(sections) {
        let retry = if Error::new(*code, "").is_transient() { "Yes" } else { "No" };
        let head = format!("{}\n\n{} (number {})\n", code.name(), code.summary(), code.number());
        assert!(section.starts_with(&head), "{section}");
        assert!(section.contains(&format!("- **Retry.** {retry}.\n")), "{section}");
    }
}
