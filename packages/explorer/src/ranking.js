// The presets that an ID may come from, with reasons.

import { guess } from 'snowmint'
import { constantsOf, presets } from './layouts.js'
import { isoOf, spanOf } from './moments.js'

/** The first month of an epoch, when systems were not busy. The engine's guess uses the same. */
const YOUNG_MS = 30n * 86_400_000n
/** The number of IDs of a column that are examined. */
const SAMPLE = 64

/**
 * Returns the plausible presets of an ID, likeliest first, each with its reasons. `beside` is the
 * text around the ID.
 */
export function rank(id, nowMs, beside = '') {
  const guesses = guess(id, { now: nowMs, beside })
  return guesses.map((candidate, index) => ({
    ...candidate,
    same: guesses.slice(0, index).find(other => sameParts(other.parts, candidate.parts))?.name,
    reasons: reasonsFor(candidate),
  }))
}

/** Returns the presets that an ID cannot come from, each with the reason. */
export function ruledOut(id, nowMs) {
  const plausible = new Set(guess(id, { now: nowMs }).map(({ name }) => name))
  return presets()
    .filter(({ name }) => !plausible.has(name))
    .map(preset => ({
      name: preset.name,
      reason: reasonAgainst(preset, id, nowMs),
    }))
}

/** Returns the preset that most of many IDs may come from, or `null` if there is none. */
export function likeliestOf(ids, nowMs, beside = '') {
  const step = Math.max(1, Math.floor(ids.length / SAMPLE))
  const scores = new Map()
  for (let index = 0; index < ids.length; index += step) {
    guess(ids[index], { now: nowMs, beside }).forEach(({ name }, place) => {
      scores.set(name, (scores.get(name) ?? 0) + 1 / (1 + place))
    })
  }
  let best = null
  for (const { name } of presets()) {
    if ((scores.get(name) ?? 0) > (best ? scores.get(best) : 0)) best = name
  }
  return best
}

/** Returns true if an ID has the constant bits of a layout. */
export function belongs(layout, id) {
  const { mask, value } = constantsOf(layout)
  return (id & mask) === value
}

function sameParts(a, b) {
  return a.unixMs === b.unixMs && a.workerId === b.workerId && a.sequence === b.sequence
}

function reasonsFor({ named, layout, parts }) {
  return [
    ...(named ? [{ good: true, text: 'named beside it' }] : []),
    { good: true, text: `${spanOf(parts.unixMs - layout.epochMs)} after its epoch` },
    ...sizeReasons('worker', parts.workerId, layout.maxWorkerId),
    ...sizeReasons('sequence', parts.sequence, Number(layout.idsPerTick) - 1),
  ]
}

/** Returns the reasons from a field's value. A field without values gives none. */
function sizeReasons(noun, value, max) {
  if (max === 0) return []
  const small = value <= max / 2
  return [{ good: small, text: `${small ? 'small' : 'large'} ${noun}` }]
}

function reasonAgainst({ layout, sinceMs }, id, nowMs) {
  if (!belongs(layout, id)) return 'bits that are constant there differ'
  const { unixMs } = layout.decode(id)
  if (unixMs > BigInt(nowMs)) return `its time would be ${isoOf(unixMs)}, in the future`
  if (unixMs < sinceMs) return `its time would be ${isoOf(unixMs)}, before it had such IDs`
  if (unixMs < layout.epochMs + YOUNG_MS) {
    return `only ${spanOf(unixMs - layout.epochMs)} after its epoch, as every small number`
  }
  return 'its time does not fit'
}
