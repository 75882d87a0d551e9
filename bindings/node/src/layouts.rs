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
    /// The kind of the field.
    pub kind: String,
    /// The width in bits.
    pub bits: u32,
    /// The number of bits below it.
    pub shift: u32,
}

/// The properties that follow from a layout's fields.
#[napi(object, object_from_js = false)]
pub struct LayoutFacts {
    /// The fields as text.
    pub text: String,
    /// The fields, from the top bit down.
    pub fields: Vec<FieldRow>,
    /// The epoch in Unix milliseconds.
    pub epoch_ms: i64n,
    /// The length of a tick in milliseconds.
    pub tick_ms: u32,
    /// The width of the worker ID in bits.
    pub worker_bits: u32,
    /// The largest worker ID.
    pub max_worker_id: u32,
    /// The number of IDs that one worker can mint in a tick.
    #[napi(ts_type = "bigint")]
    pub ids_per_tick: BigInt,
    /// The number of IDs that one worker can mint in a second.
    #[napi(ts_type = "bigint")]
    pub ids_per_second: BigInt,
    /// The number of ticks that the time field counts.
    #[napi(ts_type = "bigint")]
    pub ticks: BigInt,
    /// The first Unix millisecond that the layout cannot express.
    pub expires_ms: i64n,
}

/// Returns the layout of a preset's name, or of fields written as text.
#[napi]
pub fn layout(env: Env, text: String) -> napi::Result<External<Layout>> {
    guarded(env, || snowmint::names::layout(&text).map(External::new))
}

/// Creates a layout from fields, epoch and tick.
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

/// Returns the properties of a layout.
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

/// The parts of an ID.
#[napi(object, object_from_js = false)]
pub struct PartsRow {
    /// The start of the ID's tick in Unix milliseconds.
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

/// Takes many IDs apart, into arrays of equal length.
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

/// Returns the smallest ID of a time's tick.
#[napi(ts_return_type = "bigint")]
pub fn layout_min_id(env: Env, layout: &External<Layout>, unix_ms: BigInt) -> napi::Result<u64> {
    guarded(env, || Ok(layout.min_id(unix_ms.get_i64().0)?))
}

/// Returns the largest ID of a time's tick.
#[napi(ts_return_type = "bigint")]
pub fn layout_max_id(env: Env, layout: &External<Layout>, unix_ms: BigInt) -> napi::Result<u64> {
    guarded(env, || Ok(layout.max_id(unix_ms.get_i64().0)?))
}

/// Returns the tick of a time.
#[napi(ts_return_type = "bigint")]
pub fn layout_tick(env: Env, layout: &External<Layout>, unix_ms: BigInt) -> napi::Result<u64> {
    guarded(env, || Ok(layout.tick_at(unix_ms.get_i64().0)?))
}

/// Returns `true` or `false`, or the time until which the layout's IDs fit into so many bits.
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
    /// The kind of the field.
    pub kind: String,
    /// The value of the field.
    pub value: u32,
}

/// Joins the parts of a worker ID.
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

/// Splits a worker ID into its parts, the upper first.
#[napi]
pub fn layout_worker_parts(
    env: Env,
    layout: &External<Layout>,
    worker_id: u32,
) -> napi::Result<Vec<WorkerPart>> {
    let part = |(kind, value): (FieldKind, u32)| WorkerPart { kind: kind.name().to_owned(), value };
    guarded(env, || Ok(layout.worker_parts(worker_id)?.map(part).collect()))
}

/// A preset that an ID may come from.
#[napi(object, object_from_js = false)]
pub struct GuessRow {
    /// The preset's name.
    pub preset: String,
    /// The parts of the ID in the preset's layout.
    pub parts: PartsRow,
    /// True if the text beside the ID names the system.
    pub named: bool,
    /// The reason why the guess is not likely, if it is not.
    pub doubt: Option<String>,
}

/// Returns the presets that an ID may come from, likely guesses first. `beside` is the text around
/// it.
#[napi]
pub fn guess(id: BigInt, now_ms: BigInt, beside: String) -> Vec<GuessRow> {
    let guesses = snowmint::guess_beside(id.get_u64().1, now_ms.get_i64().0, &beside);
    let row = |guess: snowmint::Guess| GuessRow {
        preset: guess.preset.name.to_owned(),
        parts: guess.parts.into(),
        named: guess.named,
        doubt: guess.doubt.map(|doubt| doubt.name().to_owned()),
    };
    guesses.map(row).collect()
}

/// Returns the reason why no preset is likely for an ID, if none is.
#[napi]
pub fn none_likely(id: BigInt, now_ms: BigInt, beside: String) -> Option<String> {
    let guesses = snowmint::guess_beside(id.get_u64().1, now_ms.get_i64().0, &beside);
    guesses.none_likely().map(|why| why.to_string())
}

/// Returns the text form with a name.
pub(crate) fn form(name: &str) -> snowmint::Result<TextForm> {
    TextForm::from_name(name).ok_or_else(|| errors::text_form_unknown(name))
}

/// Returns an ID as text.
#[napi]
pub fn format_text(env: Env, id: BigInt, name: String) -> napi::Result<String> {
    guarded(env, || Ok(form(&name)?.format(id.get_u64().1).as_str().to_owned()))
}

/// Returns the ID that a text spells in a form, or without one in the form that it most likely has.
#[napi(ts_return_type = "bigint")]
pub fn parse_text(env: Env, text: String, name: Option<String>) -> napi::Result<u64> {
    guarded(env, || {
        let form = name.as_deref().map(form).transpose()?;
        snowmint::names::id(&text, form)
    })
}

/// Returns the name of the form that a text most likely has.
#[napi]
pub fn detect_text(text: String) -> Option<String> {
    snowmint::detect(&text).map(|form| form.name().to_owned())
}
