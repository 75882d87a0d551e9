//! Layouts and guesses.

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use js_sys::{Array, Object};
use snowmint_engine::{Code, FieldKind, Fit, Layout, Parts, Preset};
use wasm_bindgen::prelude::*;

use crate::failure::Failure;
use crate::made::{Row, list};

/// The count of 32-bit numbers for each ID that [`layout_decode_many`] takes apart.
const COLUMNS: usize = 5;

/// A layout.
#[wasm_bindgen]
pub struct LayoutHandle(pub(crate) Layout);

/// Returns the layout of a preset's name, or of fields written as text.
#[wasm_bindgen]
pub fn layout(text: &str) -> Result<LayoutHandle, Failure> {
    let layout = Layout::named(text)?.ok_or_else(|| {
        let known: Vec<_> = Preset::ALL.iter().map(|preset| preset.name).collect();
        Failure::unknown(Code::UnknownLayout, "layout", text, &known.join(", "))
    })?;
    Ok(LayoutHandle(layout))
}

/// Creates a layout from fields, epoch and tick.
#[wasm_bindgen(js_name = buildLayout)]
pub fn build_layout(fields: &str, epoch_ms: i64, tick_ms: u32) -> Result<LayoutHandle, Failure> {
    let builder = Layout::builder().fields(fields)?;
    Ok(LayoutHandle(builder.epoch_ms(epoch_ms).tick_ms(tick_ms).build()?))
}

/// Returns the properties of a layout.
#[wasm_bindgen(js_name = layoutFacts)]
pub fn layout_facts(layout: &LayoutHandle) -> Row {
    let layout = &layout.0;
    let fields = list(layout.fields(), |field| {
        let row = Row::new().with("kind", field.kind().name());
        row.with("bits", field.bits()).with("shift", field.shift())
    });
    Row::new()
        .with("text", layout.fields_text().to_string())
        .with("fields", fields)
        .with("epochMs", layout.epoch_ms())
        .with("tickMs", layout.tick_ms())
        .with("workerBits", layout.worker_bits())
        .with("maxWorkerId", layout.max_worker_id())
        .with("idsPerTick", layout.ids_per_tick())
        .with("idsPerSecond", layout.ids_per_second())
        .with("ticks", layout.ticks())
        .with("expiresMs", layout.expires_ms())
}

/// Takes an ID apart.
#[wasm_bindgen(js_name = layoutDecode)]
pub fn layout_decode(layout: &LayoutHandle, id: u64) -> Result<Row, Failure> {
    Ok(layout.0.decode(id)?.into())
}

/// Takes many IDs apart, into columns one after the other: times, worker IDs, sequences, rollback
/// counters. A time is two numbers, the lower half first.
#[wasm_bindgen(js_name = layoutDecodeMany)]
pub fn layout_decode_many(layout: &LayoutHandle, ids: &[u64]) -> Result<Vec<u32>, Failure> {
    let mut columns = vec![0; COLUMNS * ids.len()];
    let (times, narrow) = columns.split_at_mut(2 * ids.len());
    for (row, (&id, time)) in ids.iter().zip(times.chunks_exact_mut(2)).enumerate() {
        let parts = layout.0.decode(id)?;
        time.copy_from_slice(&[parts.unix_ms as u32, (parts.unix_ms >> 32) as u32]);
        for (column, part) in narrow.chunks_exact_mut(ids.len()).zip([
            parts.worker_id,
            parts.sequence,
            parts.rollback,
        ]) {
            column[row] = part;
        }
    }
    Ok(columns)
}

/// Puts an ID together. Missing parts are 0.
#[wasm_bindgen(js_name = layoutEncode)]
pub fn layout_encode(
    layout: &LayoutHandle,
    unix_ms: i64,
    worker_id: Option<u32>,
    sequence: Option<u32>,
    rollback: Option<u32>,
) -> Result<u64, Failure> {
    Ok(layout.0.encode(Parts {
        unix_ms,
        worker_id: worker_id.unwrap_or_default(),
        sequence: sequence.unwrap_or_default(),
        rollback: rollback.unwrap_or_default(),
    })?)
}

/// Returns the smallest ID of a time's tick.
#[wasm_bindgen(js_name = layoutMinId)]
pub fn layout_min_id(layout: &LayoutHandle, unix_ms: i64) -> Result<u64, Failure> {
    Ok(layout.0.min_id(unix_ms)?)
}

/// Returns the largest ID of a time's tick.
#[wasm_bindgen(js_name = layoutMaxId)]
pub fn layout_max_id(layout: &LayoutHandle, unix_ms: i64) -> Result<u64, Failure> {
    Ok(layout.0.max_id(unix_ms)?)
}

/// Returns the tick of a time.
#[wasm_bindgen(js_name = layoutTick)]
pub fn layout_tick(layout: &LayoutHandle, unix_ms: i64) -> Result<u64, Failure> {
    Ok(layout.0.tick_at(unix_ms)?)
}

/// Returns `true` or `false`, or the time until which the layout's IDs fit into so many bits.
#[wasm_bindgen(js_name = layoutFits)]
pub fn layout_fits(layout: &LayoutHandle, bits: u32) -> JsValue {
    match layout.0.fits(bits) {
        Fit::Always => JsValue::TRUE,
        Fit::Never => JsValue::FALSE,
        Fit::Until(unix_ms) => unix_ms.into(),
    }
}

/// Joins the parts of a worker ID, each under the name of its field's kind.
#[wasm_bindgen(js_name = layoutWorkerId)]
pub fn layout_worker_id(layout: &LayoutHandle, parts: &Object) -> Result<u32, Failure> {
    let part = |entry: JsValue| {
        let entry: Array = entry.unchecked_into();
        let name = entry.get(0).as_string().unwrap_or_default();
        let kind = FieldKind::from_name(&name).ok_or_else(|| {
            let known: Vec<_> = FieldKind::NAMED.iter().map(|kind| kind.name()).collect();
            Failure::unknown(Code::InvalidParameter, "field", &name, &known.join(", "))
        })?;
        Ok((kind, entry.get(1).as_f64().unwrap_or_default() as u32))
    };
    let parts = Object::entries(parts).iter().map(part).collect::<Result<Vec<_>, Failure>>()?;
    Ok(layout.0.worker_id(&parts)?)
}

/// Splits a worker ID into its parts, the upper first.
#[wasm_bindgen(js_name = layoutWorkerParts)]
pub fn layout_worker_parts(layout: &LayoutHandle, worker_id: u32) -> Result<Array, Failure> {
    Ok(list(layout.0.worker_parts(worker_id)?, |(kind, value)| {
        Row::new().with("kind", kind.name()).with("value", value)
    }))
}

/// Returns the presets that an ID may come from, likely guesses first. `beside` is the text around
/// it.
#[wasm_bindgen]
pub fn guess(id: u64, now_ms: i64, beside: &str) -> Array {
    list(snowmint_engine::guess_beside(id, now_ms, beside), |guess| {
        let row = Row::new().with("preset", guess.preset.name).with("named", guess.named);
        let doubt = guess.doubt.map_or(JsValue::NULL, |doubt| doubt.name().into());
        row.with("parts", Row::from(guess.parts)).with("doubt", doubt)
    })
}

/// Returns the reason why no preset is likely for an ID, if none is.
#[wasm_bindgen(js_name = noneLikely)]
pub fn none_likely(id: u64, now_ms: i64, beside: &str) -> Option<String> {
    let guesses = snowmint_engine::guess_beside(id, now_ms, beside);
    guesses.none_likely().map(|why| why.to_string())
}
