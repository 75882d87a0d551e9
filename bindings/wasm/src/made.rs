//! Objects that JavaScript makes for the engine: rows of facts, and errors of the package's class.

use js_sys::{Array, Object};
use snowmint_engine::{NumberRange, Parts};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// A plain object.
    #[wasm_bindgen(extends = Object)]
    pub type Row;

    #[wasm_bindgen(method, indexing_setter)]
    fn set(this: &Row, key: &str, value: &JsValue);
}

// These rows are made often, so each passes to JavaScript in one call.
#[wasm_bindgen(raw_module = "../made.mjs")]
extern "C" {
    #[wasm_bindgen(js_name = partsRow)]
    fn made_parts(unix_ms: i64, worker_id: u32, sequence: u32, rollback: u32) -> Row;

    #[wasm_bindgen(js_name = rangeRow)]
    fn made_range(start: u64, end: u64, stride: u64, count: u64) -> Row;

    /// Creates an error of the package's class from its code's number.
    pub(crate) fn raised(number: u32, message: &str, wait_ms: Option<f64>) -> JsValue;
}

impl Row {
    /// Creates an empty row.
    pub(crate) fn new() -> Row {
        Object::new().unchecked_into()
    }

    /// Returns the row with another fact.
    pub(crate) fn with(self, key: &str, value: impl Into<JsValue>) -> Row {
        self.set(key, &value.into());
        self
    }

    /// Returns the row with another fact if there is a value.
    pub(crate) fn with_some(self, key: &str, value: Option<impl Into<JsValue>>) -> Row {
        match value {
            Some(value) => self.with(key, value),
            None => self,
        }
    }
}

impl From<Parts> for Row {
    fn from(parts: Parts) -> Row {
        made_parts(parts.unix_ms, parts.worker_id, parts.sequence, parts.rollback)
    }
}

impl From<NumberRange> for Row {
    fn from(range: NumberRange) -> Row {
        made_range(range.start(), range.end(), range.stride(), range.count())
    }
}

/// Creates a list by calling a function for each item.
pub(crate) fn list<I: IntoIterator>(items: I, row: impl Fn(I::Item) -> Row) -> Array {
    items.into_iter().map(row).collect()
}
