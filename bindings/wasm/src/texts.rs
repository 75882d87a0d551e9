//! Text forms and timestamps.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use snowmint_engine::{Code, Error, TextForm, Timestamp};
use wasm_bindgen::prelude::*;

use crate::failure::Failure;

/// Returns the text form with a name.
fn form(name: &str) -> Result<TextForm, Failure> {
    TextForm::from_name(name).ok_or_else(|| {
        let known: Vec<_> = TextForm::ALL.iter().map(|form| form.name()).collect();
        Failure::unknown(Code::UnknownTextForm, "text form", name, &known.join(", "))
    })
}

/// Returns an ID as text.
#[wasm_bindgen(js_name = formatText)]
pub fn format_text(id: u64, name: &str) -> Result<String, Failure> {
    Ok(form(name)?.format(id).as_str().to_string())
}

/// The characters that are shown of a text in no form.
const MAX_SHOWN: usize = 60;

/// Returns the ID that a text spells in a form, or without one in the form that it most likely has.
/// Of a text that is far too long, `text` is only the beginning, and `length` is the length of the
/// whole text in bytes.
#[wasm_bindgen(js_name = parseText)]
pub fn parse_text(text: &str, name: Option<String>, length: Option<u32>) -> Result<u64, Failure> {
    let form = match name {
        Some(name) => form(&name)?,
        None => snowmint_engine::detect(text).ok_or_else(|| undetected(text))?,
    };
    Ok(form.parse(text).map_err(|error| match (error, length) {
        (Error::TextLength { form, .. }, Some(length)) => Error::TextLength { form, length },
        (error, _) => error,
    })?)
}

fn undetected(text: &str) -> Failure {
    let start: String = text.chars().take(MAX_SHOWN).collect();
    let more = if start.len() < text.len() { "…" } else { "" };
    let message = format!("{start:?}{more} is in no form that can be told: name the form");
    Failure::new(Code::UnknownTextForm, message)
}

/// Returns the name of the form that a text most likely has, or `null`.
#[wasm_bindgen(js_name = detectText)]
pub fn detect_text(text: &str) -> JsValue {
    snowmint_engine::detect(text).map_or(JsValue::NULL, |form| form.name().into())
}

/// Returns a time as RFC 3339.
#[wasm_bindgen]
pub fn timestamp(unix_ms: i64) -> String {
    Timestamp(unix_ms).to_string()
}
