// The presets that an ID may come from, with reasons.

import { guess } from 'snowmint'
import { constantsOf, presets } from './layouts.js'
import { isoOf, spanOf } from './moments.js'

/** The number of IDs of a column that are examined. */
const SAMPLE = 64

/** Each doubt of the engine's in words. */
const DOUBTS = {
  ambiguous: 'other systems fit as well',
  unlikely: 'its bits are unusual there, or another system is far likelier',
  rare: 'few have this layout',
  expired: 'no new IDs are from this layout',
  young: 'of the first month after its epoch, as many numbers are',
}

/**
 * Returns the plausible presets of an ID, likely ones first, each with its reasons. `beside` is the
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

/** Returns the name of the first preset, if it is likely. */
export function likeliestIn(ranked) {
  return ranked[0]?.doubt === null ? ranked[0].name : undefined
}

/** Returns the presets that an ID cannot come from, each with what it would say. */
export function ruledOut(id, nowMs) {
  const plausible = new Set(guess(id, { now: nowMs }).map(({ name }) => name))
  return presets()
    .filter(({ name }) => !plausible.has(name))
    .map(({ name, layout }) => ({
      name,
      reason: belongs(layout, id)
        ? `its time would be ${isoOf(layout.decode(id).unixMs)}`
        : 'bits that are constant there differ',
    }))
}

/** Returns the preset that is likely for more than half of many IDs, or `null` if there is none. */
export function likeliestOf(ids, nowMs, beside = '') {
  const step = Math.max(1, Math.floor(ids.length / SAMPLE))
  const votes = new Map()
  let asked = 0
  for (let index = 0; index < ids.length; index += step, asked++) {
    const name = likeliestIn(guess(ids[index], { now: nowMs, beside }))
    if (name) votes.set(name, (votes.get(name) ?? 0) + 1)
  }
  return [...votes.keys()].find(name => votes.get(name) > asked / 2) ?? null
}

/** Returns true if an ID has the constant bits of a layout. */
export function belongs(layout, id) {
  const { mask, value } = constantsOf(layout)
  return (id & mask) === value
}

function sameParts(a, b) {
  return a.unixMs === b.unixMs && a.workerId === b.workerId && a.sequence === b.sequence
}

function reasonsFor({ named, doubt, layout, parts }) {
  return [
    ...(named ? [{ good: true, text: 'named beside it' }] : []),
    { good: true, text: `${spanOf(parts.unixMs - layout.epochMs)} after its epoch` },
    ...(doubt ? [{ good: false, text: DOUBTS[doubt] }] : []),
  ]
}
