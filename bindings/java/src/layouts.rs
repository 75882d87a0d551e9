//! The native methods of layouts and guesses.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use jni::objects::{JIntArray, JLongArray, JString};
use jni::sys::{jint, jlong};
use snowmint::{Doubt, FieldKind, Fit, Layout, Parts, Preset};

use crate::argument::{long_array, narrow, text};
use crate::errors;
use crate::exports::natives;
use crate::failure::Result;
use crate::handle::get;

/// The kinds of fields, in the order of Java's constants.
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

/// The number of IDs that are copied from Java at a time.
const CHUNK: usize = 512;

/// Every layout that Java has. Equal layouts share one handle.
static LAYOUTS: Mutex<Option<HashSet<&'static Layout>>> = Mutex::new(None);

/// Returns the handle of a layout.
pub(crate) fn intern(layout: Layout) -> jlong {
    let mut layouts = LAYOUTS.lock().unwrap_or_else(PoisonError::into_inner);
    let layouts = layouts.get_or_insert_default();
    let known = layouts.get(&layout).copied().unwrap_or_else(|| {
        let kept: &Layout = Box::leak(Box::new(layout));
        layouts.insert(kept);
        kept
    });
    std::ptr::from_ref(known) as jlong
}

/// Returns the layout of a handle.
pub(crate) fn layout(handle: jlong) -> Result<&'static Layout> {
    get(handle)
}

fn kind(number: jint) -> Result<FieldKind> {
    let kind = usize::try_from(number).ok().and_then(|at| KINDS.get(at));
    Ok(*kind.ok_or_else(|| errors::shape_unknown("a kind of field"))?)
}

fn kind_number(kind: FieldKind) -> jlong {
    KINDS.iter().position(|&known| known == kind).map_or(-1, |at| at as jlong)
}

fn parts_numbers(parts: Parts) -> [jlong; 4] {
    let Parts { unix_ms, worker_id, sequence, rollback } = parts;
    [unix_ms, worker_id.into(), sequence.into(), rollback.into()]
}

natives! {
    fn layoutNamed(env, name: JString<'local>) -> jlong {
        Ok(intern(snowmint::names::layout(&text(env, &name)?)?))
    }

    fn layoutOf(env, fields: JString<'local>, epoch_ms: jlong, tick_ms: jlong) -> jlong {
        let builder = Layout::builder().fields(&text(env, &fields)?)?;
        Ok(intern(builder.epoch_ms(epoch_ms).tick_ms(narrow("tickMs", tick_ms)?).build()?))
    }

    fn layoutText(env, handle: jlong) -> JString<'local> {
        Ok(env.new_string(layout(handle)?.to_string())?)
    }

    /// Returns the numbers of a layout: epoch, tick, worker bits, capacities and expiry.
    fn layoutNumbers(env, handle: jlong) -> JLongArray<'local> {
        let layout = layout(handle)?;
        let numbers = [
            layout.epoch_ms(),
            layout.tick_ms().into(),
            layout.worker_bits().into(),
            layout.max_worker_id().into(),
            layout.ids_per_tick() as jlong,
            layout.ids_per_second() as jlong,
            layout.ticks() as jlong,
            layout.expires_ms(),
        ];
        long_array(env, &numbers)
    }

    /// Returns the kind, width and shift of each field.
    fn layoutFields(env, handle: jlong) -> JLongArray<'local> {
        let row = |field: &snowmint::Field| {
            [kind_number(field.kind()), field.bits().into(), field.shift().into()]
        };
        let numbers: Vec<_> = layout(handle)?.fields().iter().flat_map(row).collect();
        long_array(env, &numbers)
    }

    fn fieldName(env, number: jint) -> JString<'local> {
        Ok(env.new_string(kind(number)?.name())?)
    }

    /// Returns 0 if all IDs fit, 1 if those before the time in `out` do, and 2 if none does.
    fn layoutFits(env, handle: jlong, bits: jint, out: JLongArray<'local>) -> jint {
        match layout(handle)?.fits(narrow("bits", bits.into())?) {
            Fit::Always => Ok(0),
            Fit::Until(unix_ms) => {
                out.set_region(env, 0, &[unix_ms])?;
                Ok(1)
            }
            Fit::Never => Ok(2),
        }
    }

    fn layoutDecode(env, handle: jlong, id: jlong, out: JLongArray<'local>) {
        let parts = layout(handle)?.decode(id as u64)?;
        Ok(out.set_region(env, 0, &parts_numbers(parts))?)
    }

    fn layoutDecodeAll(
        env,
        handle: jlong,
        ids: JLongArray<'local>,
        times: JLongArray<'local>,
        workers: JLongArray<'local>,
        sequences: JLongArray<'local>,
        rollbacks: JLongArray<'local>,
    ) {
        let layout = layout(handle)?;
        let columns = [times, workers, sequences, rollbacks];
        let mut chunk = [0; CHUNK];
        let mut parts = [[0; CHUNK]; 4];
        let count = ids.len(env)?;
        for from in (0..count).step_by(CHUNK) {
            let length = CHUNK.min(count - from);
            // Java's array indices have 31 bits.
            let at = from as jint;
            ids.get_region(env, at, &mut chunk[..length])?;
            for (n, &id) in chunk[..length].iter().enumerate() {
                let numbers = parts_numbers(layout.decode(id as u64)?);
                for (column, number) in parts.iter_mut().zip(numbers) {
                    column[n] = number;
                }
            }
            for (column, numbers) in columns.iter().zip(&parts) {
                column.set_region(env, at, &numbers[..length])?;
            }
        }
        Ok(())
    }

    fn layoutEncode(
        env, handle: jlong, unix_ms: jlong, worker_id: jlong, sequence: jlong, rollback: jlong,
    ) -> jlong {
        let worker_id = narrow("worker ID", worker_id)?;
        let sequence = narrow("sequence", sequence)?;
        let rollback = narrow("rollback", rollback)?;
        Ok(layout(handle)?.encode(Parts { unix_ms, worker_id, sequence, rollback })? as jlong)
    }

    fn layoutTickAt(env, handle: jlong, unix_ms: jlong) -> jlong {
        Ok(layout(handle)?.tick_at(unix_ms)? as jlong)
    }

    fn layoutMinId(env, handle: jlong, unix_ms: jlong) -> jlong {
        Ok(layout(handle)?.min_id(unix_ms)? as jlong)
    }

    fn layoutMaxId(env, handle: jlong, unix_ms: jlong) -> jlong {
        Ok(layout(handle)?.max_id(unix_ms)? as jlong)
    }

    fn layoutWorkerId(
        env, handle: jlong, kinds: JIntArray<'local>, values: JLongArray<'local>,
    ) -> jlong {
        let mut numbers = vec![0; kinds.len(env)?];
        kinds.get_region(env, 0, &mut numbers)?;
        let mut given = vec![0; numbers.len()];
        values.get_region(env, 0, &mut given)?;
        let part = |(&number, &value)| {
            let kind = kind(number)?;
            Ok((kind, narrow(kind.title(), value)?))
        };
        let parts = numbers.iter().zip(&given).map(part).collect::<Result<Vec<_>>>()?;
        Ok(layout(handle)?.worker_id(&parts)?.into())
    }

    /// Returns pairs of a field kind's number and its value.
    fn layoutWorkerParts(env, handle: jlong, worker_id: jlong) -> JLongArray<'local> {
        let layout = layout(handle)?;
        let worker_id = narrow("worker ID", worker_id)?;
        let pair = |(kind, value): (FieldKind, u32)| [kind_number(kind), value.into()];
        let numbers: Vec<_> = layout.worker_parts(worker_id)?.flat_map(pair).collect();
        long_array(env, &numbers)
    }

    /// Returns a row for each guess: the preset's place in the table, the parts of the ID, whether
    /// the text beside the ID names the preset, and the doubt's number. The last two are 0 if not.
    fn guess(env, id: jlong, now_ms: jlong, beside: JString<'local>) -> JLongArray<'local> {
        let mut numbers = Vec::new();
        for guess in snowmint::guess_beside(id as u64, now_ms, &text(env, &beside)?) {
            let place = Preset::ALL.iter().position(|preset| preset.name == guess.preset.name);
            numbers.push(place.unwrap_or(0) as jlong);
            numbers.extend(parts_numbers(guess.parts));
            numbers.push(guess.named.into());
            let doubt = Doubt::ALL.iter().position(|&known| guess.doubt == Some(known));
            numbers.push(doubt.map_or(0, |at| at as jlong + 1));
        }
        long_array(env, &numbers)
    }
}
