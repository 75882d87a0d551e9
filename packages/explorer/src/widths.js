// Moves bits between the fields of a layout that is being designed. There are always 64.

/** The largest width of each kind, the same as the engine's. */
const WIDTH_MAX = {
  zero: 63,
  time: 62,
  datacenter: 32,
  worker: 32,
  process: 32,
  shard: 32,
  sequence: 32,
  rollback: 2,
}
const WORKERS = ['datacenter', 'worker', 'process', 'shard']
const WORKER_BITS_MAX = 32
/** The first width of an added field. */
const WIDTH_FIRST = { rollback: 2 }

/** The kinds that a layout may have, in their usual order. */
export const KINDS = ['time', 'datacenter', 'worker', 'process', 'shard', 'rollback', 'sequence']

/**
 * Reads the fields of a text as `[{ kind, bits }]`. The unused bits on top always come first, with
 * 0 bits if there are none. Returns `null` for a text with other constants, which cannot be
 * dragged.
 */
export function readFields(text) {
  const fields = []
  for (const part of text.split(',')) {
    const match = /^([a-z]+):(\d{1,2})$/.exec(part)
    if (!match || !(match[1] in WIDTH_MAX)) return null
    fields.push({ kind: match[1], bits: Number(match[2]) })
  }
  if (fields[0].kind !== 'zero') fields.unshift({ kind: 'zero', bits: 0 })
  const kinds = fields.map(({ kind }) => kind)
  const left = 64 - fields.reduce((sum, { bits }) => sum + bits, 0)
  const valid =
    left >= 0 &&
    new Set(kinds).size === kinds.length &&
    kinds.includes('time') &&
    fields.slice(1).every(({ bits }) => bits > 0)
  fields[0].bits += left
  return valid && withinLimits(fields) ? fields : null
}

/** Returns the text of fields, as every language reads it. */
export function writeFields(fields) {
  return fields
    .filter(({ bits }) => bits > 0)
    .map(({ kind, bits }) => `${kind}:${bits}`)
    .join(',')
}

/**
 * Returns the least and most bits of the field above the border at `index`, which lies between it
 * and the next field.
 */
export function bordersOf(fields, index) {
  const both = fields[index].bits + fields[index + 1].bits
  let [min, max] = [fields[index].bits, fields[index].bits]
  while (min > 0 && withinLimits(split(fields, index, min - 1, both))) min--
  while (max < both && withinLimits(split(fields, index, max + 1, both))) max++
  return { min, max }
}

/**
 * Moves the border below the field at `index` so that the field gets `bits`, as far as possible.
 */
export function moveBorder(fields, index, bits) {
  const { min, max } = bordersOf(fields, index)
  const both = fields[index].bits + fields[index + 1].bits
  return split(fields, index, Math.min(max, Math.max(min, bits)), both)
}

/**
 * Returns the field that a field trades bits with: time with the unused bits on top, others with
 * time.
 */
function partnerOf(fields, index) {
  const time = fields.findIndex(({ kind }) => kind === 'time')
  return index === time ? 0 : time
}

/** Gives a field `bits`, or as near to that as its partner allows. */
export function setWidth(fields, index, bits) {
  const partner = partnerOf(fields, index)
  const step = bits > fields[index].bits ? 1 : -1
  let present = fields
  while (present[index].bits !== bits) {
    const next = present.map(field => ({ ...field }))
    next[index].bits += step
    next[partner].bits -= step
    if (!withinLimits(next)) break
    present = next
  }
  return present
}

/**
 * Adds a field of a kind above the sequence, with bits from time. Returns `null` if that is
 * impossible.
 */
export function addField(fields, kind) {
  const time = fields.findIndex(field => field.kind === 'time')
  const bits = WIDTH_FIRST[kind] ?? 5
  const next = fields.map(field => ({ ...field }))
  next[time].bits -= bits
  const at = next.findIndex(field => field.kind === 'sequence')
  next.splice(at < 0 || kind === 'sequence' ? next.length : at, 0, { kind, bits })
  return withinLimits(next) ? next : null
}

/**
 * Removes a field. Time gets as many of its bits as it may, and the unused bits on top get the
 * rest.
 */
export function removeField(fields, index) {
  const next = fields.filter((_, place) => place !== index).map(field => ({ ...field }))
  const time = next.find(({ kind }) => kind === 'time')
  const taken = Math.min(fields[index].bits, WIDTH_MAX.time - time.bits)
  time.bits += taken
  next[0].bits += fields[index].bits - taken
  return next
}

/** Swaps a field with the field below. The unused bits stay on top. */
export function swapWithNext(fields, index) {
  if (index < 1 || index + 1 >= fields.length) return fields
  const next = fields.slice()
  ;[next[index], next[index + 1]] = [next[index + 1], next[index]]
  return next
}

function split(fields, index, upper, both) {
  const next = fields.map(field => ({ ...field }))
  next[index].bits = upper
  next[index + 1].bits = both - upper
  return next
}

function withinLimits(fields) {
  const workers = fields.filter(({ kind }) => WORKERS.includes(kind))
  return (
    workers.reduce((sum, { bits }) => sum + bits, 0) <= WORKER_BITS_MAX &&
    fields.every(({ kind, bits }) => bits >= (kind === 'zero' ? 0 : 1) && bits <= WIDTH_MAX[kind])
  )
}
