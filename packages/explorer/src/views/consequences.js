// The consequences of a layout: its lifetime, its numbers of workers and IDs, the types that hold
// it.

import { makeBits } from '../bits.js'
import { h, replace } from '../elements.js'
import { sortsByTime, tickText, workersOf } from '../layouts.js'
import { dayOf, grouped, isoOf, plural, relativeOf, roughly, spanOf } from '../moments.js'
import { formsOf } from '../reading.js'

const YEAR_MS = 365.2425 * 86_400_000

/** Creates the cards. */
export function makeConsequences(app) {
  const tiles = h('dl', { class: 'tiles' })
  const findings = h('ul', { class: 'findings' })
  const bits = makeBits()
  const sample = h('p', { class: 'soft' })
  const sampleBox = h(
    'div',
    { class: 'sample' },
    h('h3', {}, 'An ID minted now'),
    sample,
    bits.element,
  )
  const element = h(
    'section',
    { 'class': 'card', 'aria-label': 'What follows' },
    h('h2', {}, 'What follows'),
    tiles,
    findings,
    sampleBox,
  )

  function show(layout, spec) {
    const nowMs = app.nowMs()
    const facts = tileFacts(layout, nowMs)
    replace(
      tiles,
      ...facts.map(({ name, value, more, bad }) =>
        h(
          'div',
          { class: bad ? 'tile is-bad' : 'tile' },
          h('dt', {}, name),
          h('dd', {}, h('b', {}, value), more && h('span', { class: 'soft' }, more)),
        ),
      ),
    )
    replace(
      findings,
      ...judgementsOf(layout, nowMs).map(({ kind, text }) =>
        h('li', { class: `finding is-${kind}` }, text),
      ),
    )
    sampleBox.hidden = !mintsAt(layout, nowMs)
    if (!sampleBox.hidden) showSample(layout, spec, nowMs)
    app.announce(
      facts
        .slice(0, 4)
        .map(({ name, value }) => `${name} ${value}`)
        .join(', '),
    )
  }

  function showSample(layout, spec, nowMs) {
    const id = layout.encode({ time: nowMs, workerId: Math.min(7, layout.maxWorkerId) })
    const base32 = formsOf(id).find(({ title }) => title.startsWith('base32 (')).text
    replace(
      sample,
      h('code', {}, String(id)),
      ` · ${String(id).length} digits · in base32 `,
      h('code', {}, base32),
      ' · ',
      h('a', { href: `#decode?id=${id}&layout=${spec}` }, 'decode'),
    )
    bits.show(layout, id)
  }

  return { element, show }
}

function mintsAt(layout, nowMs) {
  return BigInt(nowMs) >= layout.epochMs && BigInt(nowMs) < layout.expiresMs
}

function tileFacts(layout, nowMs) {
  const lasts = layout.expiresMs - layout.epochMs
  const years = Number(lasts) / YEAR_MS
  const all = layout.idsPerSecond * BigInt(workersOf(layout))
  return [
    {
      name: 'Lasts',
      value:
        years >= 1
          ? `${grouped(years < 10 ? years.toFixed(1) : Math.floor(years))} years`
          : spanOf(lasts),
      more: `until ${dayOf(layout.expiresMs)}, ${relativeOf(layout.expiresMs, nowMs)}`,
      bad: layout.expiresMs <= BigInt(nowMs),
    },
    { name: 'Workers', value: roughly(workersOf(layout)), more: plural(layout.workerBits, 'bit') },
    {
      name: 'One worker mints',
      value: roughly(layout.idsPerSecond),
      more: `a second; ${grouped(layout.idsPerTick)} in ${tickText(layout.tickMs)}`,
      bad: layout.idsPerSecond === 0n,
    },
    { name: 'All of them', value: roughly(all), more: 'a second' },
    { name: '53 bits', value: fitWords(layout.fits(53)), more: 'exact as a JavaScript number' },
    { name: '63 bits', value: fitWords(layout.fits(63)), more: 'never negative in BIGINT, long' },
  ]
}

function fitWords(fit) {
  if (typeof fit === 'boolean') return fit ? 'always' : 'never'
  // These hyphens do not break a line.
  return `until ${dayOf(fit.untilMs).replaceAll('-', '\u2011')}`
}

/** Returns what is good or bad about a layout. */
export function judgementsOf(layout, nowMs) {
  const years = (Number(layout.expiresMs) - nowMs) / YEAR_MS
  const judgements = []
  if (layout.epochMs > BigInt(nowMs)) {
    judgements.push({
      kind: 'bad',
      text: `The epoch lies ahead: nothing can be minted before ${isoOf(layout.epochMs)}.`,
    })
  } else if (years <= 0) {
    judgements.push({
      kind: 'bad',
      text:
        'It has expired: it decodes, but mints no more. Take a later epoch, more bits ' +
        'for time, or a longer tick.',
    })
  } else if (years < 20) {
    judgements.push({
      kind: 'odd',
      text:
        `It ends in ${spanOf(years * YEAR_MS)}: more bits for time, a later epoch or a ` +
        `longer tick make it last.`,
    })
  } else {
    judgements.push({ kind: 'good', text: `It has ${grouped(Math.floor(years))} years to go.` })
  }
  if (!sortsByTime(layout)) {
    judgements.push({
      kind: 'odd',
      text: 'Something lies above the time: IDs do not sort by it, and cannot be queried by it.',
    })
  }
  if (layout.workerBits === 0) {
    judgements.push({ kind: 'odd', text: 'Without worker bits only one process may mint.' })
  }
  if (layout.idsPerTick === 1n) {
    judgements.push({ kind: 'odd', text: 'Without a sequence a worker mints one ID a tick.' })
  }
  if (layout.fits(63) === false) {
    judgements.push({
      kind: 'odd',
      text: 'The top bit is used: in signed columns IDs are negative and sort wrongly.',
    })
  } else if (layout.fits(63) === true) {
    judgements.push({
      kind: 'good',
      text: 'The sign bit stays 0: signed and unsigned columns hold and sort it alike.',
    })
  } else {
    judgements.push({
      kind: 'odd',
      text: `In signed columns its IDs turn negative on ${dayOf(layout.fits(63).untilMs)}.`,
    })
  }
  if (layout.fits(53) === true) {
    judgements.push({ kind: 'good', text: 'Every ID is exact as a JavaScript number and in JSON.' })
  } else {
    judgements.push({
      kind: 'plain',
      text: 'Send IDs as strings in JSON: as numbers JavaScript rounds them.',
    })
  }
  return judgements
}
