//! Errors of the decoding of IDs.

use snowmint::{Error, NoneLikely};

// The layout.

snowmint::errors! {
    time_base_of_preset(name: &str) => InvalidParameter:
        "epoch_ms and tick_ms belong to a layout given by its fields, and {name:?} names a preset, \
         which has its own";

    time_base_alone() => InvalidParameter:
        "epoch_ms and tick_ms belong to a layout given by its fields, and none is given";

    time_base_twice(layout: &str) => InvalidParameter:
        "the layout {layout} says its epoch and tick: leave out epoch_ms and tick_ms";

    /// `naming` is the option that names a layout.
    layout_unknown(number: u64, why: &NoneLikely, naming: &str) => UnknownLayout:
        "{number}: {why}; name its layout with {naming}";

    // The text.

    form_missing() => InvalidText: "it is no ID in any form";

    /// `naming` is the option that names a form.
    form_uncertain(form: &str, naming: &str) => UnknownTextForm:
        "it may be in the form {form}: add {naming}{form} if it is";

    form_ambiguous(forms: &[&str], naming: &str) => UnknownTextForm:
        "its form cannot be told: it may be {}; name it with {naming}FORM", forms.join(" or ");
}

/// Adds the text, as it is shown, to what is wrong with it.
pub(crate) fn id_malformed(shown: &str, why: &Error) -> Error {
    Error::new(why.code(), format!("{shown}: {why}"))
}
