// The charts of many IDs.

import { columnChart, courseChart, rankChart } from '../charts.js'
import { h, replace, uniqueId } from '../elements.js'
import { grouped, plural, spanOf, wordsOf } from '../moments.js'
import { FEW } from './findings.js'
import { residuesOf, skewOf } from '../statistics.js'

/** The possible divisors of remainders. */
export const MODULI = [2, 4, 8, 16, 32]
const MODULUS = 4
/** The most workers with their own bar. */
const WORKERS_MAX = 12

/** Creates the charts. It calls `choose` with the user's settings. */
export function makePlots({ choose }) {
  const overTime = h('div', { class: 'card' })
  const course = h('div', { class: 'card' })
  const workers = h('div', { class: 'card' })
  const residues = h('div')
  const modulus = choiceOf('Modulo', MODULI.map(String), mod => choose({ mod }))
  const of = choiceOf('Of', ['sequence', 'ID'], name => choose({ of: name }))
  const element = h(
    'section',
    { 'class': 'plots', 'aria-label': 'Charts' },
    overTime,
    h(
      'div',
      { class: 'pair' },
      workers,
      h(
        'div',
        { class: 'card' },
        residues,
        h('div', { class: 'choices' }, modulus.element, of.element),
      ),
    ),
    course,
  )

  function show(facts, remainders) {
    element.hidden = !facts.columns || facts.ids.length - facts.strangers < FEW
    if (element.hidden) return
    replace(overTime, timeChart(facts))
    replace(course, placeChart(facts))
    replace(workers, workerChart(facts))
    showRemainders(remainders)
  }

  /** Shows only the chart of remainders. */
  function showRemainders({ mod, name, counts }) {
    modulus.set(String(mod))
    of.set(name)
    replace(residues, residueChart(counts, mod, name))
  }

  return { element, show, showRemainders }
}

/**
 * Returns the chosen remainders as `{ mod, name, counts }`, or `null` without columns. It runs in
 * slices.
 */
export function* remaindersOf({ own, columns }, values) {
  if (!columns) return null
  const mod = Number(values.mod ?? MODULUS)
  const name = values.of === 'ID' ? 'ID' : 'sequence'
  const counts = yield* residuesOf(name === 'ID' ? own : columns.sequences, mod)
  return { mod, name, counts }
}

function timeChart({ histogram: { first, last, widthMs, counts }, layout }) {
  const words = ms => wordsOf(ms, 'UTC', layout.tickMs)
  const bars = counts.map((count, index) => ({
    label: words(first + BigInt(index) * widthMs),
    count,
  }))
  const peak = counts.indexOf(Math.max(...counts))
  return columnChart({
    title: 'Over time',
    summary:
      `${spanOf(widthMs)} a column; most at ${bars[peak].label}: ` +
      `${plural(counts[peak], 'ID')}.`,
    bars,
    ends: [words(first), words(last)],
  })
}

function placeChart({ course: points, own, layout }) {
  const falls = points.reduce((sum, point) => sum + point.falls, 0)
  const summary =
    falls === 0
      ? 'It only rises: the order is that of time.'
      : `Goes back in time ${falls === 1 ? 'once' : `${grouped(falls)} times`}, where it is marked.`
  return courseChart({
    title: 'Time by place in the list',
    summary,
    points,
    ends: ['place 1', `place ${grouped(own.length)}`],
    words: ms => wordsOf(ms, 'UTC', layout.tickMs),
  })
}

function workerChart({ workers, columns, layout }) {
  if (layout.workerBits === 0) {
    return h('p', { class: 'soft' }, 'This layout has no worker ID.')
  }
  // One worker more than fits gets its own bar too, in place of “1 others”.
  const shown = workers.length === WORKERS_MAX + 1 ? workers.length : WORKERS_MAX
  const bars = workers.slice(0, shown).map(([id, count]) => ({ label: String(id), count }))
  const rest = workers.slice(shown)
  const others = rest.reduce((sum, [, count]) => sum + count, 0)
  if (rest.length > 0) bars.push({ label: `${rest.length} others`, count: others })
  const share = Math.round((workers[0][1] / columns.unixMs.length) * 100)
  return rankChart({
    title: 'By worker',
    summary:
      `${plural(workers.length, 'worker')}; worker ${workers[0][0]} minted the most, ` +
      `${share} %.`,
    bars,
  })
}

function residueChart(counts, mod, name) {
  const { skewed, fullest, share } = skewOf(counts)
  const summary = skewed
    ? `Skewed: ${Math.round(share * 100)} % leave ${fullest}, where ` +
      `${Math.round(100 / mod)} % would be even.`
    : 'Spread as chance would have it.'
  return columnChart({
    title: `By ${name} modulo ${mod}`,
    summary,
    bars: counts.map((count, index) => ({
      label: `remainder ${index}`,
      count,
      marked: skewed && index === fullest,
    })),
    ends: ['0', String(mod - 1)],
    expected: counts.reduce((sum, count) => sum + count, 0) / mod,
  })
}

function choiceOf(label, options, choose) {
  const name = uniqueId('choice')
  const radios = options.map(value =>
    h('input', { type: 'radio', name, value, on: { change: () => choose(value) } }),
  )
  const element = h(
    'fieldset',
    { class: 'choice' },
    h('legend', {}, label),
    ...radios.map(radio => h('label', {}, radio, h('span', {}, radio.value))),
  )
  return {
    element,
    set(value) {
      for (const radio of radios) radio.checked = radio.value === value
    },
  }
}
