// Statistics of many IDs: times, workers, sequences, duplicates and order. Functions that read all
// IDs are generators, which yield the cost of each step.

import { constantsOf } from './layouts.js'
import { PART } from './slices.js'

/** The most columns of a chart. */
const BINS_MAX = 120
const POINTS_MAX = 240
/** The most duplicated IDs that are listed. */
const DUPLICATES_MAX = 20
/** The number of IDs from which on a share is meaningful. */
const SKEW_FROM = 48

/**
 * Takes the IDs of a layout among `ids` apart: `{ own, columns, strangers }`. `strangers` is the
 * count of IDs whose constant bits differ.
 */
export function* decodeAll(ids, layout) {
  const { mask, value } = constantsOf(layout)
  const own = mask === 0n ? ids : ids.filter(id => (id & mask) === value)
  const { length } = own
  const columns = {
    unixMs: new BigInt64Array(length),
    workerIds: new Uint32Array(length),
    sequences: new Uint32Array(length),
  }
  for (let from = 0; from < own.length; from += PART) {
    const part = layout.decodeMany(own.subarray(from, from + PART))
    for (const [name, column] of Object.entries(columns)) column.set(part[name], from)
    yield PART
  }
  return { own, columns, strangers: ids.length - own.length }
}

/** Returns duplicates and breaks of order, by the position in the text. */
export function* checkOrder(ids) {
  const sorted = ids.slice().sort()
  const again = new Map()
  let copies = 0
  for (let index = 1; index < sorted.length; index++) {
    if (index % PART === 0) yield PART
    if (sorted[index] !== sorted[index - 1]) continue
    copies++
    if (again.size < DUPLICATES_MAX || again.has(sorted[index])) {
      again.set(sorted[index], (again.get(sorted[index]) ?? 1) + 1)
    }
  }
  let descents = 0
  let firstDescent = null
  for (let index = 1; index < ids.length; index++) {
    if (index % PART === 0) yield PART
    if (ids[index] >= ids[index - 1]) continue
    descents++
    firstDescent ??= index
  }
  const duplicates = [...again].map(([id, count]) => ({ id, count }))
  const falling = ids.length > 1 && descents === ids.length - 1 - copies && descents > 0
  return { copies, duplicates, descents, firstDescent, falling }
}

/**
 * Returns the oddity at each position: `again` for a repeated ID, `back` for an ID below the last
 * one.
 */
export function* marksOf(ids) {
  const seen = new Set()
  const marks = []
  for (const [index, id] of ids.entries()) {
    if (index % PART === 0) yield PART
    if (seen.has(id)) marks.push('again')
    else marks.push(index > 0 && id < ids[index - 1] ? 'back' : '')
    seen.add(id)
  }
  return marks
}

/** Returns the first and the last time, in Unix milliseconds. */
export function* rangeOf(unixMs) {
  let [first, last] = [unixMs[0], unixMs[0]]
  for (const [index, ms] of unixMs.entries()) {
    if (index % PART === 0) yield PART
    if (ms < first) first = ms
    if (ms > last) last = ms
  }
  return { first, last }
}

/** Returns the IDs over time: `{ first, last, widthMs, counts }`, in bins of whole ticks. */
export function* histogramOf(unixMs, tickMs) {
  const { first, last } = yield* rangeOf(unixMs)
  const tick = BigInt(tickMs)
  const ticks = (last - first) / tick + 1n
  const perBin = (ticks + BigInt(BINS_MAX) - 1n) / BigInt(BINS_MAX)
  const widthMs = perBin * tick
  const counts = new Array(Number((ticks + perBin - 1n) / perBin)).fill(0)
  for (const [index, ms] of unixMs.entries()) {
    if (index % PART === 0) yield PART
    counts[Number((ms - first) / widthMs)]++
  }
  return { first, last, widthMs, counts }
}

/**
 * Returns the time at each place of the text, thinned: `[{ from, low, high, falls }]`. `falls` is
 * how often an ID is older than the ID before it.
 */
export function* courseOf(unixMs) {
  const perPoint = Math.max(1, Math.ceil(unixMs.length / POINTS_MAX))
  const points = []
  for (let from = 0; from < unixMs.length; from += perPoint) {
    const part = unixMs.subarray(from, from + perPoint)
    const { first, last } = yield* rangeOf(part)
    let falls = 0
    for (let index = Math.max(1, from); index < from + part.length; index++) {
      if (index % PART === 0) yield PART
      if (unixMs[index] < unixMs[index - 1]) falls++
    }
    points.push({ from, low: first, high: last, falls })
  }
  return points
}

/** Returns how many IDs each worker minted, the busiest first: `[[workerId, count]]`. */
export function* workersOf(workerIds) {
  const counts = new Map()
  for (const [index, worker] of workerIds.entries()) {
    if (index % PART === 0) yield PART
    counts.set(worker, (counts.get(worker) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])
}

/** Returns how many values have each remainder. */
export function* residuesOf(values, modulus) {
  const counts = new Array(modulus).fill(0)
  const by = typeof values[0] === 'bigint' ? BigInt(modulus) : modulus
  for (const [index, value] of values.entries()) {
    if (index % PART === 0) yield PART
    counts[Number(value % by)]++
  }
  return counts
}

/**
 * Returns whether remainders are spread unevenly: `{ skewed, fullest, share }`. They are skewed if
 * chance can hardly explain it: by four standard deviations, and a fifth more than an equal share.
 */
export function skewOf(counts) {
  const total = counts.reduce((sum, count) => sum + count, 0)
  const expected = total / counts.length
  const fullest = counts.indexOf(Math.max(...counts))
  const excess = counts[fullest] - expected
  const deviation = Math.sqrt(expected * (1 - 1 / counts.length))
  const skewed = total >= SKEW_FROM && excess > 4 * deviation && excess > expected / 5
  return { skewed, fullest, share: counts[fullest] / total }
}

/** Returns the most IDs of one worker in one tick. */
export function* busiestTick({ unixMs, workerIds }) {
  const counts = new Map()
  let most = { count: 0 }
  for (let index = 0; index < unixMs.length; index++) {
    if (index % PART === 0) yield 2 * PART
    const key = `${unixMs[index]}/${workerIds[index]}`
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    if (count > most.count) most = { count, unixMs: unixMs[index], workerId: workerIds[index] }
  }
  return most
}
