//! The floor of a page: a method that takes a number, does nothing and returns a 64-bit integer.

use wasm_bindgen::prelude::wasm_bindgen;

/// A class of its own, as each generator has.
#[wasm_bindgen]
#[derive(Default)]
pub struct Floor(());

#[wasm_bindgen]
impl Floor {
    /// An object.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Floor {
        Floor::default()
    }

    /// Always the same number.
    pub fn empty(&mut self, _now_ms: f64) -> i64 {
        1_541_815_603_606_036_480
    }
}
