// Layouts as the page names them: a preset's name, or fields with an epoch and a tick.

import { Layout } from 'snowmint'
import { grouped, isoOf, plural } from './moments.js'

const SPEC = /^([a-z0-9:=,]+)@(-?\d{1,18})\/(\d{1,10})$/
const known = new Map()

/** Returns every preset, in the engine's order. */
export function presets() {
  return Layout.presets()
}

/** Returns the preset with a name, if there is one. */
export function presetOf(spec) {
  return presets().find(preset => preset.name === spec)
}

/** Returns the spec of the user's own layout: `time:41,worker:10,sequence:12@1577836800000/1`. */
export function specOf({ fields, epochMs, tickMs }) {
  return `${fields}@${epochMs}/${tickMs}`
}

/** Returns the fields, epoch and tick of a spec, or `null` for a preset's name or nonsense. */
export function partsOfSpec(spec) {
  const match = SPEC.exec(spec)
  return match && { fields: match[1], epochMs: BigInt(match[2]), tickMs: Number(match[3]) }
}

/**
 * Returns the layout of a spec.
 *
 * @throws SnowmintError `unknown_layout`, `invalid_layout`
 */
export function layoutOf(spec) {
  if (known.has(spec)) return known.get(spec)
  const own = partsOfSpec(spec)
  const { fields, ...options } = own ?? {}
  const layout = own ? new Layout(fields, options) : (presetOf(spec)?.layout ?? Layout.of(spec))
  known.set(spec, layout)
  return layout
}

/** Returns the name of a spec for use in a sentence. */
export function titleOf(spec) {
  return presetOf(spec) ? spec : 'your layout'
}

/** Returns the bits that are the same in every ID of a layout, as a mask and a value. */
export function constantsOf(layout) {
  const texts = layout.text.split(',')
  let [mask, value] = [0n, 0n]
  layout.fields.forEach(({ kind, bits, shift }, index) => {
    if (kind !== 'constant') return
    mask |= maxOf(bits) << BigInt(shift)
    value |= BigInt(texts[index].split('=')[1] ?? 0) << BigInt(shift)
  })
  return { mask, value }
}

/** Returns true if IDs sort by time, because no variable field lies above it. */
export function sortsByTime(layout) {
  return layout.fields.find(field => field.kind !== 'constant').kind === 'time'
}

/** Returns how many worker IDs there are. */
export function workersOf(layout) {
  return layout.maxWorkerId + 1
}

/**
 * Returns the fields of an ID, from the top bit down, each with its value and the meaning of that.
 */
export function fieldsOf(layout, id) {
  const parts = layout.decode(id)
  return layout.fields.map(({ kind, bits, shift }) => {
    const value = (id >> BigInt(shift)) & maxOf(bits)
    const top = shift + bits - 1
    const place = bits === 1 ? `bit ${shift}` : `bits ${top}–${shift}`
    const meaning = MEANINGS[kind]({ value, bits, top, layout, parts })
    return { kind, bits, shift, value, place, title: fieldTitle(kind, value), meaning }
  })
}

/** Returns a field's name on the page. */
function fieldTitle(kind, value = 0n) {
  if (kind === 'constant') return value === 0n ? 'zero' : 'constant'
  return kind
}

const MEANINGS = {
  constant: ({ value, top }) => {
    if (value !== 0n) return 'The same in every ID of this layout.'
    return top === 63
      ? 'Always 0, so that a signed integer of 64 bits is never negative.'
      : 'Always 0.'
  },
  time: ({ value, layout, parts }) => {
    const ticks =
      `${grouped(value)} ${value === 1n ? 'tick' : 'ticks'} of ` + `${tickText(layout.tickMs)}`
    return `${ticks} after ${isoOf(layout.epochMs)}, the epoch: ${isoOf(parts.unixMs)}.`
  },
  datacenter: share('the datacenter, a part of the worker ID'),
  worker: share('who minted it: no two at work have the same'),
  process: share('the process, a part of the worker ID'),
  shard: share('the database shard that minted it'),
  sequence: ({ value, bits, layout }) =>
    `Number ${grouped(value)} of 0 to ${grouped(maxOf(bits))}: counts the IDs of one worker ` +
    `in the ` +
    `same ${layout.tickMs === 1 ? 'millisecond' : tickText(layout.tickMs)}.`,
  rollback: ({ value, bits }) =>
    `${value} of 0 to ${maxOf(bits)}: goes up by one, cyclically, each time the clock goes back.`,
}

function share(what) {
  return ({ value, bits, layout, parts }) => {
    const whole = layout.workerBits === bits ? '' : ` The whole worker ID is ${parts.workerId}.`
    return `${grouped(value)} of 0 to ${grouped(maxOf(bits))}: ${what}.${whole}`
  }
}

/** Returns the largest value of so many bits. */
function maxOf(bits) {
  return (1n << BigInt(bits)) - 1n
}

/** Returns a tick's length in words. */
export function tickText(tickMs) {
  if (tickMs === 1) return '1 ms'
  return tickMs % 1000 === 0 ? plural(tickMs / 1000, 'second') : `${grouped(tickMs)} ms`
}
