//! Layouts: divisions of the 64 bits of an ID.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use snowmint::engine::Error as EngineError;
use snowmint::{FieldKind, Fit, Layout, Parts, Result};

use crate::argument::{
    Tagged, check_set_size, fixed, given, handle, keep, moment, read, room, take_back, text,
    values, write_text,
};
use crate::errors;
use crate::failure::{give, guard, guard_silently, snowmint_status};

/// A checked division of 64 bits into fields, with an epoch and a tick. It never changes: any number
/// of threads may use it at once, and so may a forked child.
pub struct snowmint_layout(Tagged<Layout>);
handle!(snowmint_layout, Layout, b"snowlayo");

/// The parts of an ID in a layout. For a layout's other fields, and for the parts of a worker ID
/// (Discord's `worker` and `process`), use `snowmint_layout_field`: `id >> shift & max`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct snowmint_parts {
    /// The start of the ID's tick in Unix milliseconds: when it was minted, as exactly as TIME
    /// says. `snowmint_layout_encode` rounds it down to its tick.
    pub unix_ms: i64,
    /// The worker ID: all worker fields side by side, the upper first. 0 if there is none.
    pub worker_id: u32,
    /// The sequence number, which tells apart the IDs of one worker ID and tick.
    pub sequence: u32,
    /// The rollback counter: how often the clock went back, cyclically. 0 if there is none.
    pub rollback: u32,
    /// Not used: the library writes 0 and does not read it.
    pub reserved: u32,
}

impl From<Parts> for snowmint_parts {
    fn from(parts: Parts) -> snowmint_parts {
        let Parts { unix_ms, worker_id, sequence, rollback } = parts;
        snowmint_parts { unix_ms, worker_id, sequence, rollback, reserved: 0 }
    }
}

/// Gets the layout with a preset's name (`twitter`), or of fields from the top bit down
/// (`time:41,worker:10,sequence:12`) with ticks of 1 ms since 1970. `layout` receives a handle,
/// which you end with `snowmint_layout_free`.
///
/// Errors: `SNOWMINT_UNKNOWN_LAYOUT`, `SNOWMINT_INVALID_LAYOUT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_layout_preset(
    name: *const c_char,
    layout: Option<&mut MaybeUninit<*mut snowmint_layout>>,
) -> snowmint_status {
    give(layout, "layout", || {
        // SAFETY: as the header asks.
        let name = unsafe { text(name, "name") }?;
        Ok(keep(snowmint::names::layout(name)?))
    })
}

/// Creates a layout of fields from the top bit down: `time`, `worker`, `datacenter`, `process`,
/// `shard`, `sequence`, `rollback` with their widths, `zero:1`, `constant:2=3`. Bits that are left
/// over become zeros at the top. The epoch is in Unix milliseconds; a tick has `tick_ms`
/// milliseconds. `layout` receives a handle, which you end with `snowmint_layout_free`.
///
/// Errors: `SNOWMINT_INVALID_LAYOUT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_layout_fields(
    fields: *const c_char,
    epoch_ms: i64,
    tick_ms: u32,
    layout: Option<&mut MaybeUninit<*mut snowmint_layout>>,
) -> snowmint_status {
    give(layout, "layout", || {
        // SAFETY: as the header asks.
        let builder = Layout::builder().fields(unsafe { text(fields, "fields") }?)?;
        Ok(keep(builder.epoch_ms(epoch_ms).tick_ms(tick_ms).build()?))
    })
}

/// Frees a layout, which must not be used any more. NULL is no error. Sources opened with it go on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_layout_free(layout: *mut snowmint_layout) {
    // SAFETY: as the header asks.
    guard_silently(|| drop(unsafe { take_back(layout) }));
}

/// The properties of a layout. Set `size` before the call.
#[repr(C)]
pub struct snowmint_layout_facts {
    /// `sizeof(snowmint_layout_facts)`.
    pub size: usize,
    /// The epoch, in Unix milliseconds.
    pub epoch_ms: i64,
    /// The first Unix millisecond that the layout cannot express.
    pub expires_ms: i64,
    /// The number of ticks that the time field counts.
    pub ticks: u64,
    /// The number of IDs that one worker can mint in a tick.
    pub ids_per_tick: u64,
    /// The number of IDs that one worker can mint in a second, on average.
    pub ids_per_second: u64,
    /// The length of a tick, in milliseconds.
    pub tick_ms: u32,
    /// The width of the worker ID, in bits.
    pub worker_bits: u32,
    /// The largest worker ID.
    pub max_worker_id: u32,
    /// The number of fields.
    pub field_count: u32,
}

/// Gets the properties of a layout.
///
/// Errors: `SNOWMINT_UNSUPPORTED` for a struct of a newer header.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_layout_describe(
    layout: Option<&snowmint_layout>,
    facts: Option<&mut snowmint_layout_facts>,
) -> snowmint_status {
    guard(|| {
        let layout = given(layout)?;
        let facts = facts.ok_or_else(|| errors::pointer_null("facts"))?;
        check_set_size::<snowmint_layout_facts>(facts.size, "snowmint_layout_facts")?;
        *facts = snowmint_layout_facts {
            size: facts.size,
            epoch_ms: layout.epoch_ms(),
            expires_ms: layout.expires_ms(),
            ticks: layout.ticks(),
            ids_per_tick: layout.ids_per_tick(),
            ids_per_second: layout.ids_per_second(),
            tick_ms: layout.tick_ms(),
            worker_bits: layout.worker_bits(),
            max_worker_id: layout.max_worker_id(),
            field_count: layout.fields().len() as u32,
        };
        Ok(())
    })
}

/// Writes the fields of a layout in the form that `snowmint_layout_fields` reads, and a zero.
/// `size` is at least `SNOWMINT_FIELDS_SIZE`.
///
/// Errors: `SNOWMINT_INVALID_PARAMETER` if `size` is too small.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_layout_text(
    layout: Option<&snowmint_layout>,
    text: *mut c_char,
    size: usize,
) -> snowmint_status {
    guard(|| {
        let fields = given(layout)?.fields_text().to_string();
        // SAFETY: as the header asks.
        unsafe { write_text(&fields, text, size, "text") }
    })
}

/// A run of bits in an ID.
#[repr(C)]
pub struct snowmint_field {
    /// The kind of its value: `time`, `worker`, `constant`, ...
    pub name: [c_char; 16],
    /// The largest value it holds.
    pub max: u64,
    /// Its width, in bits.
    pub bits: u32,
    /// The number of bits below it: its value in an ID is `id >> shift & max`.
    pub shift: u32,
}

/// Gets the field at an index, from 0 at the top bit down.
///
/// Errors: `SNOWMINT_INVALID_PARAMETER` past the last field.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_layout_field(
    layout: Option<&snowmint_layout>,
    index: u32,
    field: Option<&mut MaybeUninit<snowmint_field>>,
) -> snowmint_status {
    give(field, "field", || {
        let fields = given(layout)?.fields();
        let Some(field) = fields.get(index as usize) else {
            return Err(errors::field_missing(index, fields.len()));
        };
        Ok(snowmint_field {
            name: fixed(field.kind().name()),
            max: field.max(),
            bits: field.bits(),
            shift: field.shift(),
        })
    })
}

/// Splits an ID into its parts.
///
/// Errors: `SNOWMINT_ID_NOT_IN_LAYOUT` if constant bits differ.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_layout_decode(
    layout: Option<&snowmint_layout>,
    id: u64,
    parts: Option<&mut MaybeUninit<snowmint_parts>>,
) -> snowmint_status {
    give(parts, "parts", || Ok(given(layout)?.decode(id)?.into()))
}

/// Splits `count` IDs into their parts. It stops at the first ID that is not in the layout: `parts`
/// then holds those before it, and the message tells its index.
///
/// Errors: `SNOWMINT_ID_NOT_IN_LAYOUT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_layout_decode_many(
    layout: Option<&snowmint_layout>,
    ids: *const u64,
    count: usize,
    parts: *mut snowmint_parts,
) -> snowmint_status {
    guard(|| {
        let layout = given(layout)?;
        // SAFETY: as the header asks.
        let ids = unsafe { values(ids, count, "ids") }?;
        // SAFETY: as the header asks.
        let parts = unsafe { room(parts, count, "parts") }?;
        for (at, (id, place)) in ids.iter().zip(parts).enumerate() {
            match layout.decode(*id) {
                Ok(parts) => place.write(parts.into()),
                Err(error) => return Err(errors::id_refused(at, error)),
            };
        }
        Ok(())
    })
}

/// Builds an ID from its parts; the time is rounded down to its tick.
///
/// Errors: `SNOWMINT_TIME_OUT_OF_RANGE`, `SNOWMINT_FIELD_OUT_OF_RANGE`.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_layout_encode(
    layout: Option<&snowmint_layout>,
    parts: Option<&snowmint_parts>,
    id: Option<&mut MaybeUninit<u64>>,
) -> snowmint_status {
    give(id, "id", || {
        let layout = given(layout)?;
        let &snowmint_parts { unix_ms, worker_id, sequence, rollback, .. } = read(parts, "parts")?;
        let parts = Parts { unix_ms, worker_id, sequence, rollback };
        Ok(layout.encode(parts)?)
    })
}

/// Gets the smallest ID with the tick of a time (`SNOWMINT_NOW`: the present), where paging by time
/// begins. An ID that is minted later can be below the smallest ID of the present: see TIME.
///
/// Errors: `SNOWMINT_TIME_OUT_OF_RANGE`.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_layout_min_id(
    layout: Option<&snowmint_layout>,
    unix_ms: i64,
    id: Option<&mut MaybeUninit<u64>>,
) -> snowmint_status {
    number_at(layout, id, |layout| layout.min_id(moment(unix_ms)))
}

/// Gets the largest ID with the tick of a time (`SNOWMINT_NOW`: the present), where paging by time
/// ends. The largest ID of the present is above all IDs dated until now, but not above all IDs
/// minted until now. IDs can be dated up to `max_ahead_ms` after their minting, and by clocks that
/// are ahead.
///
/// Errors: `SNOWMINT_TIME_OUT_OF_RANGE`.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_layout_max_id(
    layout: Option<&snowmint_layout>,
    unix_ms: i64,
    id: Option<&mut MaybeUninit<u64>>,
) -> snowmint_status {
    number_at(layout, id, |layout| layout.max_id(moment(unix_ms)))
}

/// Gets the tick of a time (`SNOWMINT_NOW`: the present), counted from the epoch's tick.
///
/// Errors: `SNOWMINT_TIME_OUT_OF_RANGE`.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_layout_tick_at(
    layout: Option<&snowmint_layout>,
    unix_ms: i64,
    tick: Option<&mut MaybeUninit<u64>>,
) -> snowmint_status {
    number_at(layout, tick, |layout| layout.tick_at(moment(unix_ms)))
}

fn number_at(
    layout: Option<&snowmint_layout>,
    place: Option<&mut MaybeUninit<u64>>,
    number: impl FnOnce(&Layout) -> Result<u64, EngineError>,
) -> snowmint_status {
    give(place, "the place of the result", || Ok(number(given(layout)?)?))
}

/// A part of a worker ID.
#[repr(C)]
pub struct snowmint_worker_part {
    /// The field: `datacenter`, `worker`, `process`, `shard`.
    pub field: *const c_char,
    /// Its value.
    pub value: u32,
}

/// Builds a worker ID from its parts: datacenter 11 and worker 26 are 378 in Twitter's layout.
/// Missing parts are 0. If a part is given twice, the last one counts.
///
/// Errors: `SNOWMINT_FIELD_OUT_OF_RANGE` for a value that does not fit, and for any value but 0 of
/// a field that the layout does not have; `SNOWMINT_INVALID_PARAMETER` for a name that no field
/// has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_layout_worker_id(
    layout: Option<&snowmint_layout>,
    parts: *const snowmint_worker_part,
    count: usize,
    worker_id: Option<&mut MaybeUninit<u32>>,
) -> snowmint_status {
    give(worker_id, "worker_id", || {
        let layout = given(layout)?;
        // SAFETY: as the header asks.
        let parts = unsafe { values(parts, count, "parts") }?;
        let mut named = Vec::with_capacity(count);
        for part in parts {
            // SAFETY: as the header asks.
            let name = unsafe { text(part.field, "field") }?;
            let kind = FieldKind::from_name(name);
            let kind = kind.ok_or_else(|| errors::field_unknown(name))?;
            named.push((kind, part.value));
        }
        Ok(layout.worker_id(&named)?)
    })
}

/// The IDs of a layout that fit a number of bits.
#[repr(u32)]
#[derive(Clone, Copy)]
pub enum snowmint_fit {
    /// All IDs fit, to the layout's end.
    Always = 1,
    /// IDs fit if they are minted before a time.
    Until = 2,
    /// No ID fits, not even in the first tick.
    Never = 3,
}

/// Gets which IDs of a layout fit `bits` bits: 63 for a signed integer, 53 for a JavaScript number.
/// `until_ms` receives the time for `SNOWMINT_FIT_UNTIL`, else 0; it may be NULL.
///
/// Errors: only for invalid arguments.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_layout_fits(
    layout: Option<&snowmint_layout>,
    bits: u32,
    fit: Option<&mut MaybeUninit<snowmint_fit>>,
    until_ms: Option<&mut MaybeUninit<i64>>,
) -> snowmint_status {
    give(fit, "fit", || {
        let (kind, time_ms) = match given(layout)?.fits(bits) {
            Fit::Always => (snowmint_fit::Always, 0),
            Fit::Until(time_ms) => (snowmint_fit::Until, time_ms),
            Fit::Never => (snowmint_fit::Never, 0),
        };
        if let Some(until_ms) = until_ms {
            until_ms.write(time_ms);
        }
        Ok(kind)
    })
}
