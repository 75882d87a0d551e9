//! Tests of the places where a key space may be begun.

use snowmint::{Code, Result};

use crate::asking::refused;

/// `open` opens what lies below a key space that is there, made or not.
pub(crate) fn a_key_space_is_not_begun_among_the_rows_of_another(
    open: &dyn Fn(&str, bool) -> Result<()>,
) {
    for below in ["/tags", "/workers/realm"] {
        let message = refused(open(below, true), Code::InvalidUrl);
        assert!(message.contains("keeps its rows"), "{message}");
        refused(open(below, false), Code::StoreMissing);
    }
    open("/tagsy", true).unwrap();
}
