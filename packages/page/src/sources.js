// Every source: a table to search and sort, and a detailed view of one source.

import { h, replace, whenPaused } from '../../explorer/src/elements.js'
import { plural } from '../../explorer/src/moments.js'
import { changing, raising, rowsOf } from './actions.js'
import { closer, confirm, open } from './dialogs.js'
import { mayBeId, placeOfId } from './explorer.js'
import { moment, plain, rate, span, whole } from './figures.js'
import { givenPerS } from './model.js'
import { arranged, isLive, leftOf } from './sorted.js'
import { makeWindowed, put } from './windowed.js'

/** A runway below this many seconds is marked for the operator. */
const SHORT_S = 10

export function makeSources({ announce }) {
  let state = null
  let order = { text: '', key: 'name', down: false }
  let found = []
  let names = 0

  const search = h('input', {
    type: 'search',
    id: 'search',
    class: 'id-line',
    placeholder: 'Name, tag, store, kind, not-ready',
    autocomplete: 'off',
    spellcheck: 'false',
    on: {
      input: whenPaused(() => {
        order = { ...order, text: search.value }
        arrange()
        announce(plural(found.length, 'source'))
      }),
    },
  })
  const count = h('p', { class: 'hint' })
  const table = makeWindowed({
    label: 'Sources',
    sort: by,
    empty,
    columns: [
      { key: 'name', title: 'Name', class: 'name', cell: nameCell },
      { key: 'kind', title: 'Kind', class: 'wide kind', cell: ({ of }, td) => put(td, of.kind) },
      { key: 'ready', title: 'Ready', class: 'wide', cell: readyCell },
      { key: 'left', title: 'At hand', class: 'fill', cell: fillCell },
      { key: 'step', title: 'Step', class: 'wide number', cell: ({ now }, td) => put(td, whole(now.step)) },
      { key: 'rate', title: 'Rate/s', class: 'wide number', cell: rateCell },
      { key: 'runway', title: 'Runway', class: 'runway number', cell: runwayCell },
      { key: 'issued', title: 'Given', class: 'wide number', cell: ({ now }, td) => put(td, whole(now.issued)) },
    ],
  })
  const element = h(
    'div',
    {},
    h('h2', { class: 'unseen' }, 'Sources'),
    h(
      'div',
      { class: 'search-row' },
      h('p', { class: 'field' }, h('label', { for: 'search' }, 'Search'), search),
      count,
    ),
    table.element,
  )

  function empty() {
    if (state.sources.size === 0) {
      return 'This server has no source: add one to its configuration, and reload.'
    }
    const text = order.text.trim()
    const link = mayBeId(text) && h('a', { href: placeOfId(text) }, `What ${text} says as an ID`)
    return [
      'No source fits: search for a part of its name, tag, store or kind.',
      ...(link ? [' ', link, '.'] : []),
    ]
  }

  function by(key) {
    const down = order.key === key ? !order.down : !['name', 'kind', 'ready', 'runway'].includes(key)
    order = { ...order, key, down }
    arrange()
  }

  function arrange() {
    found = arranged(state.sources.values(), order)
    names = state.sources.size
    put(count, `${plural(found.length, 'source')}${found.length < names ? ` of ${whole(names)}` : ''}`)
    table.show(found, order)
  }

  function nameCell({ name, now }, td) {
    let button = td.firstChild
    if (!button) {
      button = h('button', { type: 'button', class: 'row-name', on: { click: () => details(name) } })
      td.append(button)
    }
    put(button, name)
    td.classList.toggle('is-bad', !now.ready)
  }

  function readyCell({ now }, td) {
    put(td, now.ready ? 'yes' : 'no')
    td.classList.toggle('is-bad', !now.ready)
    td.title = now.why ? plain(now.why) : ''
  }

  function rateCell(row, td) {
    put(td, rate(givenPerS(row, state.at_ms)))
  }

  function runwayCell({ now }, td) {
    put(td, span(now.runway_s))
    td.classList.toggle('is-odd', now.runway_s < SHORT_S)
  }

  function details(name) {
    const row = state.sources.get(name)
    const { of, now } = row
    const actions = h('p', { class: 'buttons' })
    const problem = h('p', { class: 'problem', role: 'alert' })
    const dialog = open(name, h('dl', { class: 'pairs' }, facts(row)), problem, actions)
    replace(actions, closer('Close'))
    if (of.store && of.tag && now.step !== undefined) {
      const act = make => async () => {
        try {
          const [found] = await rowsOf('tags', of.store, of.tag)
          if (!found) throw new Error(`There is no tag ${of.tag} in ${of.store}.`)
          dialog.close()
          confirm(make(of.store, found), announce)
        } catch (failure) {
          replace(problem, failure.message)
        }
      }
      const button = (title, make) =>
        h('button', { type: 'button', class: 'quiet', on: { click: act(make) } }, title)
      actions.append(button('Change…', changing), button('Raise…', raising))
    }
  }

  function facts({ of, now, seen }) {
    const worker = now.worker
    const pairs = [
      ['Kind', of.kind],
      ['Tag', of.tag],
      ['Store', of.store],
      ['Ready', now.ready ? 'yes' : 'no'],
      ['Why', now.why && plain(now.why)],
      ['Needed for readiness', now.required ? 'yes' : 'no'],
      ['Ranges at hand', now.buckets?.map(({ left, size }) => `${whole(left)} of ${whole(size)}`).join(', ')],
      ['Step', now.step && whole(now.step)],
      ['Given since the start', whole(now.issued)],
      ['Given a second', rate(givenPerS({ now, seen }, state.at_ms))],
      ['Used a second between ranges', now.rate_per_s !== undefined && rate(now.rate_per_s)],
      ['Runway without the store', now.runway_s === undefined ? null : span(now.runway_s)],
      ['Whose turn', of.ordered && (now.owner ?? 'nobody’s')],
      ['Worker ID', worker && String(worker.worker_id)],
      ['Time reserved until', worker?.reserved_until_ms && moment(worker.reserved_until_ms)],
      ['Clock offset', worker && worker.clock_offset_ms !== undefined && `${worker.clock_offset_ms} ms`],
      ['Layout', of.layout],
      ['Layout ends', of.layout_ends_ms && moment(of.layout_ends_ms)],
      ['Last failure of the store', now.failure && failureOf(now.failure)],
    ]
    return pairs
      .filter(([, value]) => value)
      .flatMap(([title, value]) => [h('dt', {}, title), h('dd', {}, value)])
  }

  function show(next) {
    const isOther = state?.sources !== next.sources || names !== next.sources.size
    state = next
    if (isOther || (isLive(order.key) && !table.isHeld())) arrange()
    else table.draw()
  }

  return { element, show }
}

/** Returns a failure as one line. */
export function failureOf({ code, message, at_ms: atMs, over }) {
  return `${over ? 'over: ' : ''}${plain(message)} (${code}, ${moment(atMs)})`
}

/** Draws how much is left of each range at hand. */
function fillCell({ now }, td) {
  const buckets = now.buckets ?? []
  const bars = [...td.querySelectorAll('progress')]
  while (bars.length < Math.min(2, buckets.length)) {
    const bar = h('progress', {})
    td.insertBefore(bar, td.querySelector('.left'))
    bars.push(bar)
  }
  bars.forEach((bar, at) => {
    bar.hidden = at >= buckets.length
    if (bar.hidden) return
    const { left, size } = buckets[at]
    bar.max = Math.max(1, Number(size))
    bar.value = Number(left)
    const label = `${at === 0 ? 'in use' : 'next'}: ${whole(left)} of ${whole(size)}`
    if (bar.getAttribute('aria-label') !== label) bar.setAttribute('aria-label', label)
  })
  let text = td.querySelector('.left')
  if (!text) {
    text = h('span', { class: 'left' })
    td.append(text)
  }
  put(text, whole(leftOf(now)))
}
