//! Ranges of numbers, and buffers of them.

use snowmint_engine::{NumberRange, Prefetch, SegmentBuffer, StepSize};
use wasm_bindgen::prelude::*;

use crate::failure::Failure;
use crate::lent::Lent;
use crate::made::Row;

/// A buffer of ranges.
#[wasm_bindgen]
pub struct BufferHandle(Lent<SegmentBuffer>);

/// Checks a range and returns it.
#[wasm_bindgen]
pub fn range(start: u64, end: u64, stride: u64) -> Result<Row, Failure> {
    Ok(NumberRange::new(start, end, stride)?.into())
}

/// Creates a buffer of ranges. `chain` is 0 for a double bucket.
#[wasm_bindgen]
pub fn buffer(
    used_percent: u8,
    chain: u32,
    min_step: u64,
    max_step: u64,
    above: u64,
) -> Result<BufferHandle, Failure> {
    let prefetch = match chain {
        0 => Prefetch::DoubleBucket { used_percent },
        distance => Prefetch::Chain { distance },
    };
    let step = StepSize::adaptive(min_step, max_step)?;
    Ok(BufferHandle(Lent::new(SegmentBuffer::new(prefetch, step).above(above))))
}

/// Returns the range as a row, or `null`.
fn or_null(range: Option<NumberRange>) -> JsValue {
    range.map_or(JsValue::NULL, |range| Row::from(range).into())
}

/// Returns the count of numbers to ask for now, or `null` for none.
#[wasm_bindgen(js_name = bufferWants)]
pub fn buffer_wants(buffer: &BufferHandle, now_ms: i64) -> JsValue {
    let request = buffer.0.to(|buffer| buffer.wants(now_ms));
    request.map_or(JsValue::NULL, |request| request.step.into())
}

/// Takes up to `n` consecutive numbers.
#[wasm_bindgen(js_name = bufferTake)]
pub fn buffer_take(buffer: &BufferHandle, n: u64) -> JsValue {
    or_null(buffer.0.to(|buffer| buffer.take(n)))
}

/// Takes the numbers up to the point where the buffer next wants to be asked.
#[wasm_bindgen(js_name = bufferTakeUntilRequest)]
pub fn buffer_take_until_request(buffer: &BufferHandle) -> JsValue {
    or_null(buffer.0.to(SegmentBuffer::take_until_request))
}

/// Adds a range.
#[wasm_bindgen(js_name = bufferSupply)]
pub fn buffer_supply(
    buffer: &BufferHandle,
    start: u64,
    end: u64,
    stride: u64,
    now_ms: i64,
) -> Result<(), Failure> {
    let range = NumberRange::new(start, end, stride)?;
    Ok(buffer.0.to(|buffer| buffer.supply(range, now_ms))?)
}

/// Notes that the request failed.
#[wasm_bindgen(js_name = bufferFailed)]
pub fn buffer_failed(buffer: &BufferHandle) {
    buffer.0.to(SegmentBuffer::failed);
}

/// Changes the step.
#[wasm_bindgen(js_name = bufferResize)]
pub fn buffer_resize(buffer: &BufferHandle, min_step: u64, max_step: u64) -> Result<(), Failure> {
    let step = StepSize::adaptive(min_step, max_step)?;
    buffer.0.to(|buffer| buffer.resize(step));
    Ok(())
}

/// Returns the count of numbers that are ready.
#[wasm_bindgen(js_name = bufferRemaining)]
pub fn buffer_remaining(buffer: &BufferHandle) -> u64 {
    buffer.0.to(|buffer| buffer.remaining())
}

/// Returns the lowest number that a further range may begin with.
#[wasm_bindgen(js_name = bufferFloor)]
pub fn buffer_floor(buffer: &BufferHandle) -> u64 {
    buffer.0.to(|buffer| buffer.floor())
}
