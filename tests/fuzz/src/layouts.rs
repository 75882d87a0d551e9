//! Layouts from text and from fields: what is built is valid, and its IDs go there and back.

use snowmint::engine::{Error, Lane, Pace, Snowflake};
use snowmint::{FieldKind, Fit, Layout, LayoutBuilder};

use crate::input::Input;

const KINDS: [FieldKind; 8] = [
    FieldKind::Constant,
    FieldKind::Time,
    FieldKind::Datacenter,
    FieldKind::Worker,
    FieldKind::Process,
    FieldKind::Shard,
    FieldKind::Sequence,
    FieldKind::Rollback,
];

/// Epoch, tick, an ID, a time; then fields as text, or (after a byte 0) as kinds and widths.
pub fn run(data: &[u8]) {
    let mut input = Input(data);
    let (epoch_ms, tick_ms) = (input.i64(), input.u32() >> (input.byte() % 32));
    let (id, now_ms) = (input.u64(), input.i64());
    let builder = Layout::builder().epoch_ms(epoch_ms).tick_ms(tick_ms);
    let built = match input.byte() {
        0 => from_fields(builder, &mut input).build(),
        _ => match std::str::from_utf8(input.rest()) {
            Ok(text) => builder.fields(text).and_then(LayoutBuilder::build),
            Err(_) => return,
        },
    };
    match built {
        Ok(layout) => check(&layout, id, now_ms),
        Err(error) => {
            assert!(matches!(error, Error::InvalidLayout(_)), "{error:?}");
            assert!(!error.to_string().is_empty());
        }
    }
}

fn from_fields(mut builder: LayoutBuilder, input: &mut Input<'_>) -> LayoutBuilder {
    while !input.is_empty() {
        let [kind, bits] = input.bytes();
        builder = match KINDS[usize::from(kind) % KINDS.len()] {
            FieldKind::Constant => builder.constant(u32::from(bits), input.u64()),
            kind => builder.field(kind, u32::from(bits)),
        };
    }
    builder
}

fn check(layout: &Layout, id: u64, now_ms: i64) {
    let text = layout.fields_text().to_string();
    let again = Layout::builder().epoch_ms(layout.epoch_ms()).tick_ms(layout.tick_ms());
    assert_eq!(again.fields(&text).and_then(LayoutBuilder::build), Ok(*layout), "{text}");
    let bits: u32 = layout.fields().iter().map(|field| field.bits()).sum();
    assert_eq!(bits, 64, "{text}");

    // Any number decodes after the constants are put in.
    let constants = layout.fields().iter().filter(|field| field.kind() == FieldKind::Constant);
    let mask = constants.fold(0, |mask, field| mask | field.max() << field.shift());
    let min_id = layout.min_id(layout.tick_start_ms(0)).expect("the first tick is in the layout");
    let id = id & !mask | min_id & mask;
    let parts = layout.decode(id).expect("its constants are right");
    assert_eq!(layout.encode(parts), Ok(id), "{text}");
    assert_eq!(layout.decode(id ^ mask & mask.wrapping_neg()).is_ok(), mask == 0, "{text}");
    let (low, high) = (layout.min_id(parts.unix_ms), layout.max_id(parts.unix_ms));
    assert!(low.is_ok_and(|low| low <= id) && high.is_ok_and(|high| id <= high), "{text}");

    check_fits(layout);
    mint(layout, now_ms);
    mint(layout, parts.unix_ms);
}

fn check_fits(layout: &Layout) {
    let max_id = layout.max_id(layout.expires_ms() - 1).expect("the last tick is in the layout");
    for bits in [0, 31, 32, 53, 63, 64, u32::MAX] {
        let fits = |id: u64| bits >= 64 || id >> bits == 0;
        match layout.fits(bits) {
            Fit::Always => assert!(fits(max_id), "{layout} in {bits} bits"),
            Fit::Until(ms) => {
                assert!(layout.max_id(ms - 1).is_ok_and(fits), "{layout} in {bits} bits");
                assert!(!layout.max_id(ms).is_ok_and(fits), "{layout} in {bits} bits");
            }
            Fit::Never => assert!(!fits(max_id), "{layout} in {bits} bits"),
        }
    }
}

/// Three IDs at one time: each in the layout, under the worker, and above the one before.
fn mint(layout: &Layout, now_ms: i64) {
    let worker_id = layout.max_worker_id();
    let mut flake = Snowflake::new(*layout, Lane::of_worker(worker_id), Pace::default())
        .expect("the largest worker ID fits");
    let mut last = None;
    for _ in 0..3 {
        let Ok(id) = flake.next_id(now_ms) else { return };
        let parts = layout.decode(id).expect("an ID of the layout");
        assert_eq!(parts.worker_id, worker_id);
        let slot = (parts.unix_ms, parts.sequence);
        assert!(last.is_none_or(|last| last < slot), "{layout} at {now_ms}");
        last = Some(slot);
    }
}
