//! Errors of the decoding of IDs.

use std::fmt::Display;

use snowmint::{Code, Error};

// The layout.

pub(crate) fn time_base_of_preset(name: &str) -> Error {
    let message = format!(
        "epoch_ms and tick_ms belong to a layout given by its fields, and {name:?} names a preset, \
         which has its own"
    );
    Error::new(Code::InvalidParameter, message)
}

pub(crate) fn time_base_alone() -> Error {
    let message = "epoch_ms and tick_ms belong to a layout given by its fields, and none is given";
    Error::new(Code::InvalidParameter, message)
}

pub(crate) fn time_base_twice(layout: &str) -> Error {
    let message =
        format!("the layout {layout} says its epoch and tick: leave out epoch_ms and tick_ms");
    Error::new(Code::InvalidParameter, message)
}

/// `naming` is the option that names a layout.
pub(crate) fn layout_unknown(number: u64, naming: &str) -> Error {
    let message = format!(
        "{number}: no preset's system has such an ID: its time would lie in the future, or in the \
         first month of the layout, where every small number is; name one with {naming}"
    );
    Error::new(Code::UnknownLayout, message)
}

// The text.

/// Adds the text, as it is shown, to what is wrong with it.
pub(crate) fn id_malformed(shown: &str, why: &Error) -> Error {
    Error::new(why.code(), format!("{shown}: {why}"))
}

pub(crate) fn uuid_malformed(shown: &str, why: impl Display) -> Error {
    Error::new(Code::InvalidText, format!("{shown}: {why}"))
}

pub(crate) fn id_empty() -> Error {
    Error::new(Code::TextLength, "no ID: it is empty")
}

pub(crate) fn id_too_wide(kind: &str) -> Error {
    Error::new(Code::TextOverflow, format!("it has 128 bits: a {kind}, and no 64-bit ID"))
}

pub(crate) fn form_missing() -> Error {
    Error::new(Code::InvalidText, "it is no ID in any form")
}

/// `naming` is the option that names a form.
pub(crate) fn form_uncertain(form: &str, naming: &str) -> Error {
    let message = format!("it may be in the form {form}: add {naming}{form} if it is");
    Error::new(Code::UnknownTextForm, message)
}

pub(crate) fn form_ambiguous(forms: &[&str], naming: &str) -> Error {
    let message = format!(
        "its form cannot be told: it may be {}; name it with {naming}FORM",
        forms.join(" or ")
    );
    Error::new(Code::UnknownTextForm, message)
}
