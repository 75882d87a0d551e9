// The facts about many IDs together.

import { layoutOf, titleOf } from './layouts.js'
import { likeliestOf } from './ranking.js'
import { isRounded } from './reading.js'
import {
  busiestTick,
  checkOrder,
  courseOf,
  decodeAll,
  histogramOf,
  marksOf,
  rangeOf,
  residuesOf,
  workersOf,
} from './statistics.js'
import { PART } from './slices.js'

/**
 * Returns the facts about IDs in the layout of a spec. If none was chosen, it takes the likeliest
 * layout, for which `beside` gives a hint. It runs in slices, because there may be many IDs.
 */
export function* factsOf(ids, { chosen, beside, nowMs }) {
  const likeliest = likeliestOf(ids, nowMs, beside)
  const spec = chosen ?? likeliest
  const layout = layoutOf(spec ?? 'twitter')
  const facts = {
    ids,
    likeliest,
    spec,
    layout,
    title: spec && titleOf(spec),
    order: yield* checkOrder(ids),
    marks: yield* marksOf(ids),
    rounded: yield* areRounded(ids),
    // Without a layout, IDs have no times.
    ...(spec ? yield* decodeAll(ids, layout) : { own: [], strangers: 0 }),
  }
  return facts.own.length > 0 ? { ...facts, ...(yield* statisticsOf(facts)) } : facts
}

function* statisticsOf({ columns, layout }) {
  return {
    range: yield* rangeOf(columns.unixMs),
    workers: yield* workersOf(columns.workerIds),
    busiest: yield* busiestTick(columns),
    histogram: yield* histogramOf(columns.unixMs, layout.tickMs),
    course: yield* courseOf(columns.unixMs),
    halves: yield* residuesOf(columns.sequences, 2),
  }
}

function* areRounded(ids) {
  for (const [index, id] of ids.entries()) {
    if (index % PART === 0) yield PART
    if (!isRounded(id)) return false
  }
  return true
}
