//! Errors of the state that operators watch.

snowmint::errors! {
    listeners_too_many(max: usize) => Overloaded:
        "{max} look already: close a page, or ask /admin/state";

    state_unwritable(error: serde_json::Error) => Internal caused_by error:
        "the state cannot be written";
}
