//! Text forms and timestamps.

use core::fmt::Write;

use snowmint_engine::{Code, TextForm, Timestamp};

use crate::exchange::{with_input, with_inputs, write_output};
use crate::failure::{Failed, NO_ID, OrFailed};

/// The form of a name.
fn form(name: &str) -> Result<TextForm, Failed> {
    TextForm::from_name(name).ok_or_else(|| {
        let known = TextForm::ALL.iter().map(|form| form.name());
        Failed::unknown(Code::UnknownTextForm, "text form", name, known)
    })
}

/// An ID as text, in the form that the input names.
#[unsafe(export_name = "formatText")]
pub extern "C" fn format_text(id: u64, length: usize) -> usize {
    let form = with_input(length, form);
    let write = |form: TextForm| {
        write_output(|output| {
            output.bytes(form.format(id).as_bytes());
        })
    };
    form.map(write).or_failed(0)
}

/// The ID of a text; the input has its form's name, a NUL and the text.
#[unsafe(export_name = "parseText")]
pub extern "C" fn parse_text(length: usize) -> u64 {
    with_inputs(length, |name, text| match form(name) {
        Ok(form) => form.parse(text).or_failed(NO_ID),
        Err(failed) => Err(failed).or_failed(NO_ID),
    })
}

/// The name of the form that a text most likely has, or nothing.
#[unsafe(export_name = "detectText")]
pub extern "C" fn detect_text(length: usize) -> usize {
    let form = with_input(length, snowmint_engine::detect);
    write_output(|output| {
        output.text(form.map_or("", TextForm::name));
    })
}

/// A moment as RFC 3339.
#[unsafe(export_name = "timestamp")]
pub extern "C" fn timestamp(unix_ms: i64) -> usize {
    write_output(|output| {
        // Writing there does not fail.
        let _ = write!(output, "{}", Timestamp(unix_ms));
    })
}
