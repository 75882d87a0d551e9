//! Layouts, guesses and text forms.

use napi::Env;
use napi::bindgen_prelude::{BigInt, External, Uint32ArraySlice, i64n};
use napi_derive::napi;
use snowmint::{Field, FieldKind, Fit, Layout, Parts, TextForm};

use crate::arrays::Numbers;
use crate::errors;
use crate::failure::guarded;

/// A field of a layout.
#[napi(object, object_from_js = false)]
pub struct FieldRow {
    /// What it holds.
    pub kind: String,
    /// Its width.
    pub bits: u32,
    /// How many bits lie below it.
    pub shift: u32,
}

/// What follows from a layout's fields.
#[napi(object, object_from_js = false)]
pub struct LayoutFacts {
    /// The fields as text.
    pub text: String,
    /// The fields, from the top bit down.
    pub fields: Vec<FieldRow>,
    /// Unix time of the epoch.
    pub epoch_ms: i64n,
    /// Length of a tick.
    pub tick_ms: u32,
    /// Width of the worker ID.
    pub worker_bits: u32,
    /// The largest worker ID.
    pub max_worker_id: u32,
    /// IDs of one worker in a tick.
    #[napi(ts_type = "bigint")]
    pub ids_per_tick: BigInt,
    /// IDs of one worker in a second.
    #[napi(ts_type = "bigint")]
    pub ids_per_second: BigInt,
    /// How many ticks the time field counts.
    #[napi(ts_type = "bigint")]
    pub ticks: BigInt,
    /// The first moment it cannot express.
    pub expires_ms: i64n,
}

/// A preset's layout, or that of fields written as text.
#[napi]
pub fn layout(env: Env, text: String) -> napi::Result<External<Layout>> {
    guarded(env, || snowmint::names::layout(&text).map(External::new))
}

/// A layout of fields, epoch and tick.
#[napi]
pub fn build_layout(
    env: Env,
    fields: String,
    epoch_ms: BigInt,
    tick_ms: u32,
) -> napi::Result<External<Layout>> {
    guarded(env, || {
        let builder = Layout::builder().fields(&fields)?;
        let layout = builder.epoch_ms(epoch_ms.get_i64().0).tick_ms(tick_ms).build()?;
        Ok(External::new(layout))
    })
}

/// What follows from a layout's fields.
#[napi]
pub fn layout_facts(layout: &External<Layout>) -> LayoutFacts {
    let row = |field: &Field| FieldRow {
        kind: field.kind().name().to_owned(),
        bits: field.bits(),
        shift: field.shift(),
    };
    LayoutFacts {
        text: layout.fields_text().to_string(),
        fields: layout.fields().iter().map(row).collect(),
        epoch_ms: i64n(layout.epoch_ms()),
        tick_ms: layout.tick_ms(),
        worker_bits: layout.worker_bits(),
        max_worker_id: layout.max_worker_id(),
        ids_per_tick: layout.ids_per_tick().into(),
        ids_per_second: layout.ids_per_second().into(),
        ticks: layout.ticks().into(),
        expires_ms: i64n(layout.expires_ms()),
    }
}

/// What an ID says.
#[napi(object, object_from_js = false)]
pub struct PartsRow {
    /// Start of the ID's tick.
    pub unix_ms: i64n,
    /// The worker ID.
    pub worker_id: u32,
    /// The sequence number.
    pub sequence: u32,
    /// The rollback counter.
    pub rollback: u32,
}

impl From<Parts> for PartsRow {
    fn from(parts: Parts) -> PartsRow {
        let Parts { unix_ms, worker_id, sequence, rollback } = parts;
        PartsRow { unix_ms: i64n(unix_ms), worker_id, sequence, rollback }
    }
}

/// Takes an ID apart.
#[napi]
pub fn layout_decode(env: Env, layout: &External<Layout>, id: BigInt) -> napi::Result<PartsRow> {
    guarded(env, || Ok(layout.decode(id.get_u64().1)?.into()))
}

/// Takes many IDs apart. The arrays have one length.
#[napi]
pub fn layout_decode_many(
    env: Env,
    layout: &External<Layout>,
    ids: Numbers,
    mut unix_ms: napi::bindgen_prelude::BigInt64ArraySlice<'_>,
    mut worker_ids: Uint32ArraySlice<'_>,
    mut sequences: Uint32ArraySlice<'_>,
    mut rollbacks: Uint32ArraySlice<'_>,
) -> napi::Result<()> {
    guarded(env, || {
        // SAFETY: JavaScript has just made the four arrays and waits for this call: nothing else
        // reads or writes them.
        let times = unsafe { unix_ms.as_mut() };
        // SAFETY: as above.
        let workers = unsafe { worker_ids.as_mut() };
        // SAFETY: as above.
        let counts = unsafe { sequences.as_mut() };
        // SAFETY: as above.
        let rolls = unsafe { rollbacks.as_mut() };
        let places = times.iter_mut().zip(workers).zip(counts.iter_mut().zip(rolls));
        for (&id, ((time, worker), (sequence, rollback))) in ids.read().iter().zip(places) {
            let parts = layout.decode(id)?;
            *time = parts.unix_ms;
            *worker = parts.worker_id;
            *sequence = parts.sequence;
            *rollback = parts.rollback;
        }
        Ok(())
    })
}

/// Puts an ID together.
#[napi(ts_return_type = "bigint")]
pub fn layout_encode(
    env: Env,
    layout: &External<Layout>,
    unix_ms: BigInt,
    worker_id: u32,
    sequence: u32,
    rollback: u32,
) -> napi::Result<u64> {
    let unix_ms = unix_ms.get_i64().0;
    guarded(env, || Ok(layout.encode(Parts { unix_ms, worker_id, sequence, rollback })?))
}

/// The smallest ID of a time's tick.
#[napi(ts_return_type = "bigint")]
pub fn layout_min_id(env: Env, layout: &External<Layout>, unix_ms: BigInt) -> napi::Result<u64> {
    guarded(env, || Ok(layout.min_id(unix_ms.get_i64().0)?))
}

/// The largest ID of a time's tick.
#[napi(ts_return_type = "bigint")]
pub fn layout_max_id(env: Env, layout: &External<Layout>, unix_ms: BigInt) -> napi::Result<u64> {
    guarded(env, || Ok(layout.max_id(unix_ms.get_i64().0)?))
}

/// The tick of a time.
#[napi(ts_return_type = "bigint")]
pub fn layout_tick(env: Env, layout: &External<Layout>, unix_ms: BigInt) -> napi::Result<u64> {
    guarded(env, || Ok(layout.tick_at(unix_ms.get_i64().0)?))
}

/// `true`, `false`, or until when the layout's IDs fit so many bits.
#[napi(ts_return_type = "boolean | bigint")]
pub fn layout_fits(
    layout: &External<Layout>,
    bits: u32,
) -> napi::bindgen_prelude::Either<bool, i64n> {
    use napi::bindgen_prelude::Either;
    match layout.fits(bits) {
        Fit::Always => Either::A(true),
        Fit::Never => Either::A(false),
        Fit::Until(unix_ms) => Either::B(i64n(unix_ms)),
    }
}

/// A part of a worker ID.
#[napi(object)]
pub struct WorkerPart {
    /// The field's kind.
    pub kind: String,
    /// Its value.
    pub value: u32,
}

/// The worker ID of its parts.
#[napi]
pub fn layout_worker_id(
    env: Env,
    layout: &External<Layout>,
    parts: Vec<WorkerPart>,
) -> napi::Result<u32> {
    guarded(env, || {
        let known = |part: &WorkerPart| {
            let kind = FieldKind::from_name(&part.kind);
            Ok((kind.ok_or_else(|| errors::field_unknown(&part.kind))?, part.value))
        };
        let parts = parts.iter().map(known).collect::<snowmint::Result<Vec<_>>>()?;
        Ok(layout.worker_id(&parts)?)
    })
}

/// A worker ID's parts, the upper first.
#[napi]
pub fn layout_worker_parts(
    env: Env,
    layout: &External<Layout>,
    worker_id: u32,
) -> napi::Result<Vec<WorkerPart>> {
    let part = |(kind, value): (FieldKind, u32)| WorkerPart { kind: kind.name().to_owned(), value };
    guarded(env, || Ok(layout.worker_parts(worker_id)?.map(part).collect()))
}

/// A preset an ID may come from.
#[napi(object, object_from_js = false)]
pub struct GuessRow {
    /// The preset's place in the table.
    pub preset: String,
    /// What the ID says there.
    pub parts: PartsRow,
    /// Whether what stood beside the ID names the system.
    pub named: bool,
}

/// The presets an ID may come from that stood beside a text, likeliest first.
#[napi]
pub fn guess(id: BigInt, now_ms: BigInt, beside: String) -> Vec<GuessRow> {
    let guesses = snowmint::guess_beside(id.get_u64().1, now_ms.get_i64().0, &beside);
    let row = |guess: snowmint::Guess| GuessRow {
        preset: guess.preset.name.to_owned(),
        parts: guess.parts.into(),
        named: guess.named,
    };
    guesses.map(row).collect()
}

/// The form of a name.
pub(crate) fn form(name: &str) -> snowmint::Result<TextForm> {
    TextForm::from_name(name).ok_or_else(|| errors::text_form_unknown(name))
}

/// An ID as text.
#[napi]
pub fn format_text(env: Env, id: BigInt, name: String) -> napi::Result<String> {
    guarded(env, || Ok(form(&name)?.format(id.get_u64().1).as_str().to_owned()))
}

/// The ID of a text.
#[napi(ts_return_type = "bigint")]
pub fn parse_text(env: Env, text: String, name: String) -> napi::Result<u64> {
    guarded(env, || Ok(form(&name)?.parse(&text)?))
}

/// The name of the form that a text most likely has.
#[napi]
pub fn detect_text(text: String) -> Option<String> {
    snowmint::detect(&text).map(|form| form.name().to_owned())
}
