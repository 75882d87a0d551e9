//! The engine's calls, each in a function that the linker keeps, and nothing beside them.
//!
//! `scripts/check-panic-free` builds this library and looks for what a panic needs. The arguments
//! come from outside, so the optimiser knows nothing of them: what it leaves out cannot happen.
//!
//! Not here, being far from issuing: `LayoutBuilder::fields` and `guess`. They cannot panic either,
//! but core's string search and sort have checks of their own that the optimiser leaves in.
#![no_std]

use core::sync::atomic::AtomicU64;

use snowmint_engine::{
    ClockPolicy, Error, Fit, Ids, Lane, Layout, LayoutBuilder, NumberRange, Numbers, Pace, Parts,
    Prefetch, Preset, Producer, RangeOwner, Request, Ring, SegmentBuffer, SharedRange,
    SharedSnowflake, Snowflake, SnowflakeOwner, Stall, StepSize, Text, TextForm,
};

/// Never linked where nothing panics.
#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    core::hint::black_box(info); // or panics of all kinds would be merged into one
    loop {
        core::hint::spin_loop();
    }
}

/// Exports functions under their own names, with the arguments of the calls they make.
macro_rules! exported {
    ($(fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)? $body:block)*) => {$(
        // SAFETY: no other symbol of the library has that name.
        #[unsafe(no_mangle)]
        pub fn $name($($argument: $type),*) $(-> $result)? $body
    )*};
}

type Slots = &'static [AtomicU64];

// The generators.
exported! {
    fn shared_new(layout: Layout, lane: Lane, pace: Pace) -> Result<SharedSnowflake, Error> {
        SharedSnowflake::new(layout, lane, pace)
    }
    fn shared_next_id(flake: &SharedSnowflake, now_ms: i64) -> Result<u64, Error> {
        flake.next_id(now_ms)
    }
    fn shared_fill(
        flake: &SharedSnowflake, now_ms: i64, n: u32, out: &mut [u64]
    ) -> Result<usize, Error> {
        Ok(flake.issue(now_ms, n)?.fill(out))
    }
    fn shared_owner(flake: &'static SharedSnowflake) -> Option<SnowflakeOwner<'static>> {
        flake.owner()
    }
    fn shared_open(flake: &mut SnowflakeOwner<'_>, lane: Lane) -> Result<(), Error> {
        flake.open(lane)
    }
    fn shared_jump(flake: &mut SnowflakeOwner<'_>, lane: Lane) -> Result<(), Error> {
        flake.jump(lane)
    }
    fn shared_extend(flake: &mut SnowflakeOwner<'_>, reserved: u64) {
        flake.extend(reserved);
    }
    fn shared_close(flake: &mut SnowflakeOwner<'_>) -> u64 {
        flake.close()
    }
    fn plain_new(layout: Layout, lane: Lane, pace: Pace) -> Result<Snowflake, Error> {
        Snowflake::new(layout, lane, pace)
    }
    fn plain_next_id(flake: &mut Snowflake, now_ms: i64) -> Result<u64, Error> {
        flake.next_id(now_ms)
    }
    fn plain_fill(
        flake: &mut Snowflake, now_ms: i64, n: u32, out: &mut [u64]
    ) -> Result<usize, Error> {
        Ok(flake.issue(now_ms, n)?.fill(out))
    }
    fn plain_open(flake: &mut Snowflake, lane: Lane) -> Result<(), Error> {
        flake.open(lane)
    }
    fn plain_jump(flake: &mut Snowflake, lane: Lane) -> Result<(), Error> {
        flake.jump(lane)
    }
    fn plain_extend(flake: &mut Snowflake, reserved: u64) {
        flake.extend(reserved);
    }
    fn ids_next(ids: &mut Ids) -> Option<u64> {
        ids.next()
    }
    fn policy_action(policy: &ClockPolicy, stall: Stall) -> snowmint_engine::Action {
        policy.action(stall)
    }
}

// Segments and the ring.
exported! {
    fn range_take_one(range: &SharedRange) -> Option<u64> {
        range.take_one()
    }
    fn range_take(range: &SharedRange, n: u64) -> Option<NumberRange> {
        range.take(n)
    }
    fn range_owner(range: &'static SharedRange) -> Option<RangeOwner<'static>> {
        range.owner()
    }
    fn range_replace(range: &mut RangeOwner<'_>, with: NumberRange) {
        range.replace(with);
    }
    fn numbers_fill(range: NumberRange, out: &mut [u64]) -> usize {
        range.numbers().fill(out)
    }
    fn numbers_next(numbers: &mut Numbers) -> Option<u64> {
        numbers.next()
    }
    fn buffer_new(prefetch: Prefetch, sizes: StepSize) -> SegmentBuffer {
        SegmentBuffer::new(prefetch, sizes)
    }
    fn buffer_wants(buffer: &mut SegmentBuffer, now_ms: i64) -> Option<Request> {
        buffer.wants(now_ms)
    }
    fn buffer_supply(buffer: &mut SegmentBuffer, range: NumberRange, now_ms: i64) -> Result<(), Error> {
        buffer.supply(range, now_ms)
    }
    fn buffer_take(buffer: &mut SegmentBuffer, n: u64) -> Option<NumberRange> {
        buffer.take(n)
    }
    fn buffer_take_until_request(buffer: &mut SegmentBuffer) -> Option<NumberRange> {
        buffer.take_until_request()
    }
    fn ring_new(slots: Slots, refill_below_percent: u32) -> Result<Ring<Slots>, Error> {
        Ring::with_threshold(slots, refill_below_percent)
    }
    fn ring_take(ring: &Ring<Slots>) -> Result<u64, Error> {
        ring.take()
    }
    fn ring_take_into(ring: &Ring<Slots>, out: &mut [u64]) -> usize {
        ring.take_into(out)
    }
    fn ring_push(producer: &mut Producer<'_, Slots>, ids: &[u64]) -> usize {
        producer.push(ids)
    }
}

// Layouts and text forms.
exported! {
    fn layout_build(builder: LayoutBuilder) -> Result<Layout, Error> {
        builder.build()
    }
    fn layout_decode(layout: &Layout, id: u64) -> Result<Parts, Error> {
        layout.decode(id)
    }
    fn layout_encode(layout: &Layout, parts: Parts) -> Result<u64, Error> {
        layout.encode(parts)
    }
    fn layout_bounds(layout: &Layout, unix_ms: i64) -> Result<(u64, u64), Error> {
        Ok((layout.min_id(unix_ms)?, layout.max_id(unix_ms)?))
    }
    fn layout_fits(layout: &Layout, bits: u32) -> Fit {
        layout.fits(bits)
    }
    fn preset_from_name(name: &str) -> Option<&'static Preset> {
        Preset::from_name(name)
    }
    fn text_format(form: TextForm, id: u64) -> Text {
        form.format(id)
    }
    fn text_as_str(text: &Text) -> &str {
        text.as_str()
    }
    fn text_parse(form: TextForm, text: &str) -> Result<u64, Error> {
        form.parse(text)
    }
    fn text_detect(text: &str) -> Option<TextForm> {
        snowmint_engine::detect(text)
    }
}

/// Panics for an index out of bounds: the check is shown to find it.
#[cfg(feature = "planted")]
mod planted {
    exported! {
        fn planted_index(numbers: &[u64], index: usize) -> u64 {
            numbers[index]
        }
    }
}
