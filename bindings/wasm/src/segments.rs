//! Ranges of numbers, and buffers of them.

use alloc::boxed::Box;

use snowmint_engine::{NumberRange, Prefetch, SegmentBuffer, StepSize};

use crate::exchange::write_row;
use crate::failure::OrFailed;

/// Writes a range to the words: start, end, stride, count. Says whether there is one.
fn write_range(range: Option<NumberRange>) -> bool {
    let Some(range) = range else { return false };
    write_row([range.start(), range.end(), range.stride(), range.count()]);
    true
}

/// Checks a range, and writes it to the words. Says whether it is one.
#[unsafe(export_name = "range")]
pub extern "C" fn range(start: u64, end: u64, stride: u64) -> bool {
    write_range(NumberRange::new(start, end, stride).map(Some).or_failed(None))
}

/// A buffer of ranges. `chain` is 0 for a double bucket.
#[unsafe(export_name = "buffer")]
pub extern "C" fn buffer(
    used_percent: u32,
    chain: u32,
    min_step: u64,
    max_step: u64,
    above: u64,
) -> Option<Box<SegmentBuffer>> {
    let prefetch = match chain {
        // At most 100.
        0 => Prefetch::DoubleBucket { used_percent: used_percent as u8 },
        distance => Prefetch::Chain { distance },
    };
    let made = StepSize::adaptive(min_step, max_step)
        .map(|step| Some(Box::new(SegmentBuffer::new(prefetch, step).above(above))));
    made.or_failed(None)
}

/// Gives a buffer back.
#[unsafe(export_name = "freeBuffer")]
pub extern "C" fn free_buffer(buffer: Box<SegmentBuffer>) {
    drop(buffer);
}

/// How many numbers should be asked for now; 0 for none.
#[unsafe(export_name = "bufferWants")]
pub extern "C" fn buffer_wants(buffer: &mut SegmentBuffer, now_ms: i64) -> u64 {
    buffer.wants(now_ms).map_or(0, |request| request.step)
}

/// Up to `n` numbers that lie together, into the words. Says whether there are any.
#[unsafe(export_name = "bufferTake")]
pub extern "C" fn buffer_take(buffer: &mut SegmentBuffer, n: u64) -> bool {
    write_range(buffer.take(n))
}

/// The numbers up to where the buffer wants to be asked, likewise.
#[unsafe(export_name = "bufferTakeUntilRequest")]
pub extern "C" fn buffer_take_until_request(buffer: &mut SegmentBuffer) -> bool {
    write_range(buffer.take_until_request())
}

/// Adds a range. Says whether it could.
#[unsafe(export_name = "bufferSupply")]
pub extern "C" fn buffer_supply(
    buffer: &mut SegmentBuffer,
    start: u64,
    end: u64,
    stride: u64,
    now_ms: i64,
) -> bool {
    let supplied =
        NumberRange::new(start, end, stride).and_then(|range| buffer.supply(range, now_ms));
    supplied.succeeded()
}

/// The request came to nothing.
#[unsafe(export_name = "bufferFailed")]
pub extern "C" fn buffer_failed(buffer: &mut SegmentBuffer) {
    buffer.failed();
}

/// Goes by another step. Says whether it could.
#[unsafe(export_name = "bufferResize")]
pub extern "C" fn buffer_resize(buffer: &mut SegmentBuffer, min_step: u64, max_step: u64) -> bool {
    StepSize::adaptive(min_step, max_step).map(|step| buffer.resize(step)).succeeded()
}

/// How many numbers are ready.
#[unsafe(export_name = "bufferRemaining")]
pub extern "C" fn buffer_remaining(buffer: &SegmentBuffer) -> u64 {
    buffer.remaining()
}

/// The lowest number a further range may begin with.
#[unsafe(export_name = "bufferFloor")]
pub extern "C" fn buffer_floor(buffer: &SegmentBuffer) -> u64 {
    buffer.floor()
}
