//! `layouts.json`: every preset, layouts at the limits, their IDs, and what is no layout.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use snowmint_engine::{Error, FieldKind, Fit, Layout, Parts, Preset, Timestamp};

use crate::policies::{Policy, Start};
use crate::render::render;

mod tables;

use tables::{CUSTOM, INVALID};

#[derive(Serialize)]
struct Document {
    layouts: Vec<Case>,
    invalid: Vec<Invalid>,
}

#[derive(Serialize)]
struct Case {
    name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    preset: Option<Usage>,
    fields: String,
    epoch_ms: String,
    tick_ms: u32,
    worker_bits: u32,
    max_worker_id: u32,
    ids_per_tick: String,
    ids_per_second: String,
    ticks: String,
    expires_ms: String,
    expires: String,
    fits_53: String,
    fits_63: String,
    worker_ids: Vec<WorkerId>,
    encode: Vec<Encoded>,
    decode: Vec<Decoded>,
    bounds: Vec<Bounds>,
}

/// The use that the preset's system makes of its layout.
#[derive(Serialize)]
struct Usage {
    policy: Policy,
    start: Start,
}

#[derive(Serialize)]
struct WorkerId {
    parts: BTreeMap<&'static str, u32>,
    #[serde(flatten)]
    result: Outcome<WorkerIdIs>,
}

#[derive(Serialize)]
struct WorkerIdIs {
    worker_id: u32,
}

#[derive(Serialize)]
struct Encoded {
    #[serde(flatten)]
    parts: Fields,
    #[serde(flatten)]
    result: Outcome<IdIs>,
}

#[derive(Serialize)]
struct IdIs {
    id: String,
}

#[derive(Serialize)]
struct Decoded {
    id: String,
    #[serde(flatten)]
    result: Outcome<Fields>,
}

#[derive(Serialize)]
struct Fields {
    unix_ms: String,
    worker_id: u32,
    sequence: u32,
    rollback: u32,
}

#[derive(Serialize)]
struct Bounds {
    unix_ms: String,
    #[serde(flatten)]
    result: Outcome<BoundsAre>,
}

#[derive(Serialize)]
struct BoundsAre {
    min_id: String,
    max_id: String,
}

#[derive(Serialize)]
struct Invalid {
    why: &'static str,
    fields: &'static str,
    epoch_ms: String,
    tick_ms: u32,
    error: &'static str,
}

/// The fields of a result, or `error` with the name of the code.
#[derive(Serialize)]
#[serde(untagged)]
enum Outcome<T> {
    Is(T),
    Error { error: &'static str },
}

impl<T> Outcome<T> {
    fn of<U>(result: Result<U, Error>, show: impl FnOnce(U) -> T) -> Outcome<T> {
        match result {
            Ok(value) => Outcome::Is(show(value)),
            Err(error) => Outcome::Error { error: error.code().name() },
        }
    }
}

/// A custom layout of the vectors.
pub(crate) fn custom(fields: &str, epoch_ms: i64, tick_ms: u32) -> Result<Layout, Error> {
    Layout::builder().fields(fields)?.epoch_ms(epoch_ms).tick_ms(tick_ms).build()
}

pub(crate) fn document() -> String {
    let presets = Preset::ALL.iter().map(|preset| {
        let start = Start::of(preset.start);
        let usage = Usage { policy: Policy::of(preset.policy), start };
        case(preset.name, preset.layout, Some(usage))
    });
    let customs = CUSTOM.iter().map(|&(name, fields, epoch_ms, tick_ms)| {
        let layout = custom(fields, epoch_ms, tick_ms);
        case(name, layout.expect("the custom layouts are valid"), None)
    });
    let invalid = INVALID.iter().map(|&(why, fields, epoch_ms, tick_ms)| Invalid {
        why,
        fields,
        epoch_ms: epoch_ms.to_string(),
        tick_ms,
        error: match custom(fields, epoch_ms, tick_ms) {
            Ok(_) => "none",
            Err(error) => error.code().name(),
        },
    });
    let document =
        Document { layouts: presets.chain(customs).collect(), invalid: invalid.collect() };
    render(&document)
}

fn case(name: &'static str, layout: Layout, preset: Option<Usage>) -> Case {
    let encode: Vec<Encoded> = edges(&layout)
        .into_iter()
        .map(|parts| Encoded {
            parts: fields(parts),
            result: Outcome::of(layout.encode(parts), |id| IdIs { id: id.to_string() }),
        })
        .collect();
    Case {
        name,
        preset,
        fields: layout.fields_text().to_string(),
        epoch_ms: layout.epoch_ms().to_string(),
        tick_ms: layout.tick_ms(),
        worker_bits: layout.worker_bits(),
        max_worker_id: layout.max_worker_id(),
        ids_per_tick: layout.ids_per_tick().to_string(),
        ids_per_second: layout.ids_per_second().to_string(),
        ticks: layout.ticks().to_string(),
        expires_ms: layout.expires_ms().to_string(),
        expires: Timestamp(layout.expires_ms()).to_string(),
        fits_53: fit(layout.fits(53)),
        fits_63: fit(layout.fits(63)),
        worker_ids: worker_ids(&layout),
        encode,
        decode: decoded(&layout),
        bounds: bounds(&layout),
    }
}

fn fit(fit: Fit) -> String {
    match fit {
        Fit::Always => "always".into(),
        Fit::Until(unix_ms) => format!("until {unix_ms}"),
        Fit::Never => "never".into(),
    }
}

fn fields(parts: Parts) -> Fields {
    Fields {
        unix_ms: parts.unix_ms.to_string(),
        worker_id: parts.worker_id,
        sequence: parts.sequence,
        rollback: parts.rollback,
    }
}

/// Each field at its ends and one past them, beside a case with distinct values.
fn edges(layout: &Layout) -> Vec<Parts> {
    let first = Parts { unix_ms: layout.tick_start_ms(0), ..Parts::default() };
    let (worker, sequence) = (layout.max_worker_id(), layout.sequence().max() as u32);
    let (rollback, end) = (layout.rollback().max() as u32, layout.expires_ms());
    let middle = layout.tick_start_ms(layout.ticks() / 3);
    let mut edges = vec![
        first,
        Parts { unix_ms: end - 1, worker_id: worker, sequence, rollback },
        Parts { unix_ms: end - 1, ..first },
        Parts { worker_id: worker, ..first },
        Parts { sequence, ..first },
        Parts { rollback, ..first },
        Parts {
            unix_ms: middle + i64::from(layout.tick_ms() / 2),
            worker_id: worker / 3,
            sequence: sequence / 5,
            rollback: rollback / 2,
        },
        Parts { unix_ms: layout.epoch_ms(), worker_id: worker.min(1), ..first },
        Parts { unix_ms: first.unix_ms - 1, ..first },
        Parts { unix_ms: end, ..first },
        Parts { unix_ms: i64::MIN, ..first },
        Parts { unix_ms: i64::MAX, ..first },
    ];
    edges.extend(worker.checked_add(1).map(|worker_id| Parts { worker_id, ..first }));
    edges.extend(sequence.checked_add(1).map(|sequence| Parts { sequence, ..first }));
    edges.push(Parts { rollback: rollback + 1, ..first });
    edges.dedup();
    edges
}

/// The IDs of the edges, and some with other constant bits.
fn decoded(layout: &Layout) -> Vec<Decoded> {
    let encoded = edges(layout).into_iter().filter_map(|parts| layout.encode(parts).ok());
    let constants = layout.fields().iter().filter(|field| field.kind() == FieldKind::Constant);
    let other = constants.map(|field| {
        layout.min_id(layout.epoch_ms()).ok().map(|id| id ^ 1_u64.wrapping_shl(field.shift()))
    });
    let ids: BTreeSet<u64> = encoded.chain(other.flatten()).chain([0, u64::MAX]).collect();
    ids.into_iter()
        .map(|id| Decoded { id: id.to_string(), result: Outcome::of(layout.decode(id), fields) })
        .collect()
}

fn bounds(layout: &Layout) -> Vec<Bounds> {
    let (first, end) = (layout.tick_start_ms(0), layout.expires_ms());
    [first - 1, first, first + i64::from(layout.tick_ms()), end - 1, end]
        .into_iter()
        .map(|unix_ms| {
            let both = layout.min_id(unix_ms).and_then(|min| Ok((min, layout.max_id(unix_ms)?)));
            let show = |(min, max): (u64, u64)| BoundsAre {
                min_id: min.to_string(),
                max_id: max.to_string(),
            };
            Bounds { unix_ms: unix_ms.to_string(), result: Outcome::of(both, show) }
        })
        .collect()
}

/// Worker IDs from their parts: each part alone at its end, all with distinct values, and one past
/// the end.
fn worker_ids(layout: &Layout) -> Vec<WorkerId> {
    let parts: Vec<(FieldKind, u32)> = layout
        .fields()
        .iter()
        .filter(|field| field.kind().is_worker())
        .map(|field| (field.kind(), field.max() as u32))
        .collect();
    let distinct = parts.iter().zip(1_u32..).map(|(&(kind, max), value)| (kind, value.min(max)));
    let mut cases: Vec<Vec<(FieldKind, u32)>> = parts.iter().map(|&part| vec![part]).collect();
    cases.push(distinct.collect());
    for &(kind, max) in &parts {
        cases.extend(max.checked_add(1).map(|past| vec![(kind, past)]));
    }
    cases.push(vec![(FieldKind::Sequence, 1)]);
    cases.push(vec![(FieldKind::Shard, 1), (FieldKind::Process, 1)]);
    cases
        .into_iter()
        .map(|parts| WorkerId {
            parts: parts.iter().map(|&(kind, value)| (kind.name(), value)).collect(),
            result: Outcome::of(layout.worker_id(&parts), |worker_id| WorkerIdIs { worker_id }),
        })
        .collect()
}
