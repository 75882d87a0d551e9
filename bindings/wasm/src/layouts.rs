//! Layouts and guesses.

use alloc::boxed::Box;
use core::fmt::Write;

use snowmint_engine::{Code, FieldKind, Fit, Layout, Parts, Preset};

use crate::exchange::{Place, with_input, with_words, words_at, write_output, write_row};
use crate::failure::{Failed, NO_ID, OrFailed};

/// IDs that [`layout_decode_many`] takes apart at a time.
const ROWS: usize = 1024;

/// The narrow columns of [`layout_decode_many`]: worker IDs, sequences, rollbacks.
static COLUMNS: Place<[[u32; ROWS]; 3]> = Place::new([[0; ROWS]; 3]);

/// Where a column of [`layout_decode_many`] is: the times, which take the IDs' place, or one of the
/// narrow ones.
#[unsafe(export_name = "columnAt")]
pub extern "C" fn column_at(column: usize) -> *const u8 {
    let narrow =
        COLUMNS.lend(|columns| columns.get(column.wrapping_sub(1)).map(|at| at.as_ptr().cast()));
    narrow.unwrap_or(words_at().cast())
}

/// A preset's layout, or that of fields written as text.
#[unsafe(export_name = "layout")]
pub extern "C" fn layout(length: usize) -> Option<Box<Layout>> {
    with_input(length, |text| named(text).map(Box::new).map(Some).or_failed(None))
}

fn named(text: &str) -> Result<Layout, Failed> {
    Layout::named(text)?.ok_or_else(|| {
        let known = Preset::ALL.iter().map(|preset| preset.name);
        Failed::unknown(Code::UnknownLayout, "layout", text, known)
    })
}

/// A layout of fields, epoch and tick.
#[unsafe(export_name = "buildLayout")]
pub extern "C" fn build_layout(length: usize, epoch_ms: i64, tick_ms: u32) -> Option<Box<Layout>> {
    with_input(length, |fields| {
        let builder = Layout::builder().fields(fields);
        let layout = builder.and_then(|fields| fields.epoch_ms(epoch_ms).tick_ms(tick_ms).build());
        layout.map(Box::new).map(Some).or_failed(None)
    })
}

/// Gives a layout back; not a preset's.
#[unsafe(export_name = "freeLayout")]
pub extern "C" fn free_layout(layout: Box<Layout>) {
    drop(layout);
}

/// What follows from a layout's fields, as JSON.
#[unsafe(export_name = "layoutFacts")]
pub extern "C" fn layout_facts(layout: &Layout) -> usize {
    write_output(|output| {
        output.text("{\"text\":\"");
        // Writing there does not fail.
        let _ = write!(output, "{layout}");
        output.text("\"").key("fields").list(layout.fields(), |output, field| {
            output.text("{").name("kind", field.kind().name());
            output.narrow("bits", field.bits()).narrow("shift", field.shift()).text("}");
        });
        output.time("epochMs", layout.epoch_ms()).narrow("tickMs", layout.tick_ms());
        output.narrow("workerBits", layout.worker_bits());
        output.narrow("maxWorkerId", layout.max_worker_id());
        output.wide("idsPerTick", layout.ids_per_tick());
        output.wide("idsPerSecond", layout.ids_per_second());
        output.wide("ticks", layout.ticks()).time("expiresMs", layout.expires_ms()).text("}");
    })
}

/// Takes an ID apart, into the words: time, worker ID, sequence, rollback. Says whether it could.
#[unsafe(export_name = "layoutDecode")]
pub extern "C" fn layout_decode(layout: &Layout, id: u64) -> bool {
    let decoded = layout.decode(id).map(|parts| {
        let Parts { unix_ms, worker_id, sequence, rollback } = parts;
        let row = [unix_ms.cast_unsigned(), worker_id.into(), sequence.into(), rollback.into()];
        write_row(row);
    });
    decoded.succeeded()
}

/// Takes up to 1024 IDs of the words apart: the times take their place, the rest is in the columns.
/// Says whether it could.
#[unsafe(export_name = "layoutDecodeMany")]
pub extern "C" fn layout_decode_many(layout: &Layout, count: usize) -> bool {
    let decode = |words: &mut [u64], [workers, sequences, rollbacks]: &mut [[u32; ROWS]; 3]| {
        let narrow = workers.iter_mut().zip(sequences).zip(rollbacks);
        for (word, ((worker, sequence), rollback)) in words.iter_mut().take(count).zip(narrow) {
            let parts = layout.decode(*word)?;
            *word = parts.unix_ms.cast_unsigned();
            (*worker, *sequence, *rollback) = (parts.worker_id, parts.sequence, parts.rollback);
        }
        Ok::<_, snowmint_engine::Error>(())
    };
    with_words(|words| COLUMNS.lend(|columns| decode(words, columns))).succeeded()
}

/// Puts an ID together.
#[unsafe(export_name = "layoutEncode")]
pub extern "C" fn layout_encode(
    layout: &Layout,
    unix_ms: i64,
    worker_id: u32,
    sequence: u32,
    rollback: u32,
) -> u64 {
    layout.encode(Parts { unix_ms, worker_id, sequence, rollback }).or_failed(NO_ID)
}

/// The smallest ID of a time's tick.
#[unsafe(export_name = "layoutMinId")]
pub extern "C" fn layout_min_id(layout: &Layout, unix_ms: i64) -> u64 {
    layout.min_id(unix_ms).or_failed(NO_ID)
}

/// The largest ID of a time's tick.
#[unsafe(export_name = "layoutMaxId")]
pub extern "C" fn layout_max_id(layout: &Layout, unix_ms: i64) -> u64 {
    layout.max_id(unix_ms).or_failed(NO_ID)
}

/// The tick of a time.
#[unsafe(export_name = "layoutTick")]
pub extern "C" fn layout_tick(layout: &Layout, unix_ms: i64) -> u64 {
    layout.tick_at(unix_ms).or_failed(NO_ID)
}

/// Whether the layout's IDs fit so many bits, as JSON: always, never, or until which time.
#[unsafe(export_name = "layoutFits")]
pub extern "C" fn layout_fits(layout: &Layout, bits: u32) -> usize {
    write_output(|output| {
        match layout.fits(bits) {
            Fit::Never => output.text("false"),
            Fit::Always => output.text("true"),
            Fit::Until(unix_ms) => output.signed(unix_ms),
        };
    })
}

/// The worker ID of its parts; else -1. The words have a pair for each part: the kind's place in
/// the table, and the value.
#[unsafe(export_name = "layoutWorkerId")]
pub extern "C" fn layout_worker_id(layout: &Layout, count: usize) -> f64 {
    let mut parts = [(FieldKind::Worker, 0); FieldKind::NAMED.len()];
    with_words(|words| {
        for (part, &[kind, value]) in parts.iter_mut().zip(words.as_chunks().0) {
            *part = (FieldKind::NAMED[kind as usize % FieldKind::NAMED.len()], value as u32);
        }
    });
    layout.worker_id(parts.get(..count).unwrap_or_default()).map(f64::from).or_failed(-1.0)
}

/// The presets an ID may come from, likeliest first, as JSON.
#[unsafe(export_name = "guess")]
pub extern "C" fn guess(id: u64, now_ms: i64) -> usize {
    write_output(|output| {
        output.list(snowmint_engine::guess(id, now_ms), |output, guess| {
            let Parts { unix_ms, worker_id, sequence, rollback } = guess.parts;
            output.text("{").name("preset", guess.preset.name).key("parts");
            output.text("{").time("unixMs", unix_ms).narrow("workerId", worker_id);
            output.narrow("sequence", sequence).narrow("rollback", rollback).text("}}");
        });
    })
}
