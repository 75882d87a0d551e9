//! The reader of what people paste, for the explorer.

use alloc::string::String;

use js_sys::{Array, BigUint64Array};
use snowmint_engine::TextForm;
use snowmint_reading::{ManyReader, Number, One, Other, Reading, read, read_one};
use wasm_bindgen::prelude::*;

use crate::made::{Row, list};

/// Longer texts with many IDs are only read in steps.
const LONGEST: usize = 20_000;

fn form(name: Option<String>) -> Option<TextForm> {
    name.and_then(|name| TextForm::from_name(&name))
}

/// Reads the text of one ID. The row has `readings`, `other` or `problem`.
#[wasm_bindgen(js_name = readOne)]
pub fn read_text(text: &str, name: Option<String>, now_ms: i64) -> Row {
    let form = form(name);
    let whole = if text.len() > LONGEST { None } else { Some(read(text, form, now_ms)) };
    let one = match whole {
        Some(Reading::One(one)) => one,
        _ => read_one(text, form, now_ms),
    };
    match one {
        One::Number(number) => number_row(number, now_ms),
        One::Other(other) => Row::new().with("other", other_row(&other)),
        One::Problem(problem) => Row::new().with("problem", problem.told(now_ms, text)),
    }
}

fn number_row(number: Number, now_ms: i64) -> Row {
    let readings =
        list(number.readings, |(form, id)| Row::new().with("form", form.name()).with("id", id));
    let note = number.note.map(|note| note.told(now_ms, ""));
    Row::new().with("readings", readings).with_some("note", note)
}

fn other_row(other: &Other) -> Row {
    let unix_ms = other.unix_ms.map_or(JsValue::NULL, JsValue::from);
    let row = Row::new().with("kind", &*other.kind).with("name", &*other.name);
    row.with("bits", other.bits).with("unixMs", unix_ms).with("note", other.note)
}

/// Reads the IDs of a text with many of them, in steps.
#[wasm_bindgen]
pub struct ManyHandle(ManyReader);

/// Finds the texts that may be IDs.
#[wasm_bindgen(js_name = readMany)]
pub fn read_many(text: &str, name: Option<String>, now_ms: i64) -> ManyHandle {
    ManyHandle(ManyReader::new(text, form(name), now_ms))
}

#[wasm_bindgen]
impl ManyHandle {
    /// Reads so many texts more. Returns true if there are others left.
    pub fn step(&mut self, count: u32) -> bool {
        self.0.step(count as usize)
    }

    /// Returns the IDs that were read, and ends the handle.
    pub fn finish(self, now_ms: i64) -> Row {
        let many = self.0.finish();
        let rejected = list(many.rejected, |(place, text)| {
            Row::new().with("place", place as u32).with("text", text)
        });
        let problem = many.problem.map(|problem| problem.told(now_ms, &many.beside));
        let forms: Array = many.forms.iter().map(|form| JsValue::from(form.name())).collect();
        Row::new()
            .with("ids", BigUint64Array::from(&*many.ids))
            .with("form", many.form.unwrap_or(TextForm::Decimal).name())
            .with("forms", forms)
            .with_some("source", many.source)
            .with("beside", many.beside)
            .with("rejected", rejected)
            .with("rejectedCount", many.rejected_count as u32)
            .with("only", many.only.map_or(JsValue::NULL, JsValue::from))
            .with_some("problem", problem)
    }
}

/// Returns true if an ID has the digits of a number that JavaScript or a spreadsheet rounded.
#[wasm_bindgen(js_name = isRounded)]
pub fn is_rounded(id: u64) -> bool {
    snowmint_reading::rounded(id).is_some()
}
