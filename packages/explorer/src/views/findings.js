// The findings about many IDs: figures and oddities.

import { h } from '../elements.js'
import { sortsByTime } from '../layouts.js'
import { grouped, plural, spanOf, wordsOf } from '../moments.js'
import { UNLIKELY } from '../reading.js'
import { skewOf } from '../statistics.js'

/** The number of IDs from which on it is no accident that all are round. */
const ROUNDED_FROM = 5

/** The number of IDs from which on an average or a chart is meaningful. */
export const FEW = 5

/** Creates the figures. */
export function makeTiles({ ids, range, workers, columns, order, layout }) {
  const seconds = range ? Math.max(Number(range.last - range.first), layout.tickMs) / 1000 : 0
  return [
    tile('IDs', grouped(ids.length)),
    range &&
      tile(
        'Over',
        spanOf(range.last - range.first),
        `from ${wordsOf(range.first, 'UTC', layout.tickMs)}`,
      ),
    range && ids.length >= FEW && tile('On average', rateOf(columns.unixMs.length / seconds)),
    workers &&
      layout.workerBits > 0 &&
      tile('Workers', grouped(workers.length), `of ${grouped(layout.maxWorkerId + 1)}`),
    tile('Repeated', grouped(order.copies), '', order.copies > 0),
    tile(
      'Out of order',
      grouped(order.falling ? 0 : order.descents),
      order.falling ? 'newest first' : '',
      order.descents > 0 && !order.falling,
    ),
  ].filter(Boolean)
}

function tile(name, value, more, bad) {
  return h(
    'div',
    { class: bad ? 'tile is-bad' : 'tile' },
    h('dt', {}, name),
    h('dd', {}, h('b', {}, value), more && h('span', { class: 'soft' }, more)),
  )
}

function rateOf(perSecond) {
  if (perSecond >= 1) return `${grouped(Math.round(perSecond))} a second`
  if (perSecond * 3600 >= 1) return `${grouped(Math.round(perSecond * 3600))} an hour`
  return `${grouped(Math.max(1, Math.round(perSecond * 86400)))} a day`
}

/** Returns the oddities, or that there are none, as items of a list. */
export function makeFindings(facts) {
  return findingsOf(facts).map(({ kind, text }) => h('li', { class: `finding is-${kind}` }, text))
}

/** Returns the same as words, each with its kind: `good`, `plain`, `odd` or `bad`. */
export function findingsOf(facts) {
  const findings = [
    undatedFinding(facts),
    strangersFinding(facts),
    roundedFinding(facts),
    duplicateFinding(facts),
    orderFinding(facts),
    skewFinding(facts),
    workerFinding(facts),
    tickFinding(facts),
    sortFinding(facts),
  ].filter(Boolean)
  if (facts.order.copies === 0 && (facts.order.falling || facts.order.descents === 0)) {
    const order = facts.order.falling ? 'each below' : 'each above'
    findings.unshift({ kind: 'good', text: `No ID twice, and ${order} the one before it.` })
  }
  return findings
}

function undatedFinding({ title }) {
  if (title) return null
  return { kind: 'plain', text: `${UNLIKELY} Choose the layout of these, if you know it.` }
}

function strangersFinding({ strangers, title }) {
  if (strangers === 0) return null
  return {
    kind: 'bad',
    text:
      `${plural(strangers, 'ID')} cannot be of ${title}: bits that are constant there ` +
      `differ. The charts leave them out.`,
  }
}

function roundedFinding({ ids, rounded }) {
  if (ids.length < ROUNDED_FROM || !rounded) return null
  return {
    kind: 'bad',
    text:
      'All end as JavaScript prints rounded numbers: their last digits are lost. Export them as ' +
      'text or as integers.',
  }
}

function duplicateFinding({ order: { copies, duplicates } }) {
  if (copies === 0) return null
  const { id, count } = duplicates[0]
  return {
    kind: 'bad',
    text:
      `${plural(copies, 'ID')} repeated: ${id} stands here ${count} ` +
      `times${duplicates.length > 1 ? ', and others' : ''}.`,
  }
}

function orderFinding({ order: { descents, firstDescent, falling } }) {
  if (falling) return null
  if (descents === 0) return null
  const times = descents === 1 ? 'Once an ID is' : `${grouped(descents)} times an ID is`
  return {
    kind: 'bad',
    text:
      `${times} below the one before it, first at place ${grouped(firstDescent + 1)}. ` +
      `Several workers, or a clock that went back.`,
  }
}

function skewFinding({ halves, layout }) {
  if (!halves || layout.idsPerTick < 2n) return null
  const { skewed, fullest, share } = skewOf(halves)
  if (!skewed) return null
  const kind = fullest === 0 ? 'even' : 'odd'
  return {
    kind: 'odd',
    text:
      `${Math.round(share * 100)} % of the sequences are ${kind}: shards picked by ID ` +
      `modulo 2 fill unevenly. Starting a tick's sequence elsewhere than at 0 cures it.`,
  }
}

function workerFinding({ workers, columns }) {
  if (!workers || workers.length < 2) return null
  const [[busiest, count]] = workers
  const share = count / columns.unixMs.length
  if (share < 2 / workers.length || share < 0.3) return null
  return { kind: 'odd', text: `Worker ${busiest} minted ${Math.round(share * 100)} % of them.` }
}

function tickFinding({ busiest, layout }) {
  if (!busiest || busiest.count < 2) return null
  const full = BigInt(busiest.count) >= layout.idsPerTick
  return {
    kind: full ? 'odd' : 'plain',
    text:
      `The busiest tick has ${plural(busiest.count, 'ID')} of worker ` +
      `${busiest.workerId}, of ${grouped(layout.idsPerTick)} it can have.`,
  }
}

function sortFinding({ layout }) {
  if (sortsByTime(layout)) return null
  return {
    kind: 'plain',
    text: 'Time is not the top field of this layout: its IDs do not sort by time.',
  }
}
