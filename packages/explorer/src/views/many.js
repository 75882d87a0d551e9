// Examines many IDs together.

import { copyButton } from '../clipboard.js'
import { readMany } from '../columns.js'
import { h, replace, SHOWN_MAX, takeLongTexts, uniqueId, whenPaused } from '../elements.js'
import { factsOf } from '../facts.js'
import { constantsOf, layoutOf } from '../layouts.js'
import { grouped, isoOf, plural } from '../moments.js'
import { makeFormSelect } from '../forms.js'
import { makePicker } from '../picker.js'
import { makeSlices } from '../slices.js'
import { packIds, unpackIds, writeHash } from '../state.js'
import { isLayout } from './decode.js'
import { exampleColumn } from './examples.js'
import { makeFindings, makeTiles } from './findings.js'
import { makePlots, MODULI, remaindersOf } from './plots.js'

const ROWS_FIRST = 25
const ROWS = 100

/** Creates the view. */
export function makeMany(app) {
  const input = h('textarea', {
    class: 'many-input',
    id: uniqueId('ids'),
    rows: 5,
    spellcheck: 'false',
    wrap: 'off',
    on: { input: () => typed() },
  })
  const file = h('input', {
    type: 'file',
    id: uniqueId('file'),
    accept: '.txt,.csv,.tsv,.json,.log,text/*',
    on: { change: open },
  })
  const read = h('p', { class: 'hint' })
  const form = makeFormSelect(name => take({ text, form: name }))
  const rejects = h('details', { class: 'rejects', hidden: true })
  const picker = makePicker({ label: 'Layout', choose: setLayout })
  const plots = makePlots({ choose: setRemainder })
  const tiles = h('dl', { class: 'tiles' })
  const findings = h('ul', { class: 'findings' })
  const table = makeTable(app)
  const result = h(
    'div',
    { class: 'result' },
    h(
      'section',
      { 'class': 'card', 'aria-label': 'Summary' },
      h('div', { class: 'answer-row' }, h('h2', {}, 'Together'), picker.element),
      tiles,
      findings,
    ),
    plots.element,
    table.element,
  )
  const element = h(
    'div',
    {},
    h('h1', {}, 'Many IDs'),
    h(
      'p',
      { class: 'lead' },
      'Paste a column, a CSV or JSON file, or a log: their times, their workers, and ' +
        'whether something is odd.',
    ),
    h(
      'label',
      { class: 'field-label', for: input.id },
      'IDs, in any form, in the order they were made',
    ),
    input,
    h(
      'p',
      { class: 'examples' },
      h('label', { class: 'file', for: file.id }, 'Open a file', file),
      h(
        'button',
        { type: 'button', class: 'example', on: { click: takeExample } },
        'Example',
      ),
      h('button', { type: 'button', class: 'example', on: { click: clear } }, 'Clear'),
    ),
    h('div', { class: 'below-input' }, form.element, read),
    rejects,
    result,
  )
  const readTyped = whenPaused(() => take({ text: input.value }))
  const slices = makeSlices()
  let values = {}
  let ids = new BigUint64Array()
  let text = ''
  let beside
  let facts
  // The text that is being read.
  let pending = null

  takeLongTexts(input, text => take({ text }))

  function typed() {
    slices.cancel()
    pending = null
    result.setAttribute('aria-busy', 'true')
    readTyped()
  }

  async function open() {
    const [chosen] = file.files
    if (!chosen) return
    const read = await chosen.text()
    // The user may have chosen another file in the meantime.
    if (file.files[0] !== chosen) return
    file.value = ''
    take({ text: read })
  }

  function takeExample() {
    take({ text: exampleColumn(app.nowMs()) })
  }

  function clear() {
    take({ text: '' })
  }

  /**
   * Takes a text: `{ text, form, found }`. `form` is the chosen form, if any, and `found` is the
   * result of reading the text, if it was read before.
   */
  function take(given) {
    readTyped.cancel()
    pending = given
    read.textContent = 'Reading…'
    work(taking(given), ({ found, packed, ...read }) => {
      pending = null
      ;({ text } = given)
      ;({ ids, beside } = found)
      showInput()
      renderRead(found, packed)
      render(read)
    })
  }

  function* taking({ text: given, form: formName, found = null }) {
    found ??= yield* readMany(given, formName)
    const { layout, ...others } = values
    const packed = packIds(found.ids)
    const next = { mod: others.mod, of: others.of }
    if (packed) next.ids = packed
    if (layout && areAllOf(layoutOf(layout), found.ids)) next.layout = layout
    return { found, packed, ...(yield* looking(found, next)) }
  }

  /** Returns the facts about IDs, with the user's choices. */
  function* looking(found, chosen) {
    if (found.ids.length === 0) return { chosen }
    const options = { chosen: chosen.layout, beside: found.beside, nowMs: app.nowMs() }
    const told = yield* factsOf(found.ids, options)
    return { chosen, told, remainders: yield* remaindersOf(told, chosen) }
  }

  function work(steps, then) {
    result.setAttribute('aria-busy', 'true')
    slices.run(steps, made => {
      then(made)
      result.setAttribute('aria-busy', 'false')
    })
  }

  /** Examines the same IDs again after a choice has changed. */
  function again(change) {
    values = { ...values, ...change }
    if (pending) take(pending)
    else work(looking({ ids, beside }, values), render)
  }

  function setLayout(layout) {
    again({ layout })
  }

  function setRemainder(change) {
    values = { ...values, ...change }
    app.update(values)
    if (pending) take(pending)
    else work(remaindersOf(facts, values), plots.showRemainders)
  }

  function showInput() {
    const long = text.length > SHOWN_MAX
    const shown = long ? '' : text
    if (input.value !== shown) input.value = shown
    input.placeholder = long
      ? `${plural(ids.length, 'ID')} pasted. Paste others to replace them.`
      : PLACEHOLDER
  }

  function renderRead(found, packed) {
    const { source, form: name, forms, rejected, rejectedCount, problem } = found
    form.show(ids.length > 0 && forms.length > 1 ? forms : undefined, name)
    if (text.trim() === '')
      read.textContent = 'Nothing here yet: paste IDs, one a line or with commas between.'
    else if (ids.length === 0)
      read.textContent =
        problem ??
        'No ID was found. An ID is decimal (up to 20 digits), hexadecimal, base32, base36, ' +
        'base58 or base62.'
    else {
      const from = source ? `Taken from ${source}. ` : ''
      read.textContent =
        from +
        (problem ? `${problem} ` : '') +
        (packed ? '' : 'They are too many for a link: it will have the layout alone.')
    }
    rejects.hidden = rejectedCount === 0
    replace(
      rejects,
      h('summary', {}, `${plural(rejectedCount, 'text')} left out: not an ID`),
      h(
        'ul',
        {},
        ...rejected.map(({ place, text: bad }) =>
          h('li', {}, `at ${grouped(place)}: `, h('code', {}, bad.slice(0, 80) || '(empty)')),
        ),
      ),
    )
  }

  function render({ chosen, told, remainders }) {
    values = chosen
    app.update(values)
    result.hidden = !told
    if (!told) return
    facts = told
    const { likeliest, spec, marks } = facts
    picker.show(spec, { likely: likeliest ? [likeliest] : [], own: app.own() })
    replace(tiles, ...makeTiles(facts))
    replace(findings, ...makeFindings(facts))
    plots.show(facts, remainders)
    table.show({ ids, marks, spec })
    app.announce(
      `${plural(ids.length, 'ID')}. ` +
        `${[...findings.children].map(item => item.textContent).join(' ')}`,
    )
  }

  return {
    element,
    show(given, pasted) {
      const { ids: packed, ...chosen } = given
      if (chosen.layout && !isLayout(chosen.layout)) delete chosen.layout
      if (!MODULI.includes(Number(chosen.mod))) delete chosen.mod
      const linked = packed && packed !== values.ids ? unpackIds(packed) : null
      if (pasted === undefined && !linked && (pending || ids.length > 0)) again(chosen)
      else {
        values = chosen
        take(pasted ?? { text: linked?.join('\n') ?? '' })
      }
    },
  }
}

const PLACEHOLDER = '1541815603606036480\n1541815603606036481\n…'

function areAllOf(layout, ids) {
  const { mask, value } = constantsOf(layout)
  return ids.length > 0 && ids.every(id => (id & mask) === value)
}

/** Creates a table with the first rows, with more on request, and all rows as CSV. */
function makeTable(app) {
  const body = h('tbody')
  const more = h('button', { type: 'button', class: 'quiet', on: { click: goOn } })
  const only = h('input', {
    type: 'checkbox',
    id: uniqueId('only'),
    on: { change: () => restart() },
  })
  const csv = copyButton('all rows as CSV', () => csvOf(), app.announce)
  const element = h(
    'section',
    { 'class': 'card', 'aria-label': 'Rows' },
    h(
      'div',
      { class: 'answer-row' },
      h('h2', {}, 'Row by row'),
      h(
        'p',
        { class: 'field field-inline' },
        only,
        h('label', { for: only.id }, 'Only what is odd'),
        h('span', { class: 'soft' }, 'as CSV'),
        csv,
      ),
    ),
    h(
      'div',
      {
        'class': 'scroller',
        'tabindex': '0',
        'role': 'region',
        'aria-label': 'Rows, to be scrolled',
      },
      h(
        'table',
        { class: 'rows' },
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            ...['Place', 'ID', 'Time (UTC)', 'Worker', 'Sequence', 'Odd'].map(head =>
              h('th', { scope: 'col' }, head),
            ),
          ),
        ),
        body,
      ),
    ),
    more,
  )
  let ids = []
  let marks = []
  let rows = []
  let spec

  function show(given) {
    ;({ ids, marks, spec } = given)
    restart()
  }

  function linkTo(id) {
    return writeHash({ view: 'decode', values: { id, layout: spec } })
  }

  function restart() {
    const places = Array.from(ids.keys())
    rows = only.checked ? places.filter(place => marks[place]) : places
    replace(body)
    grow()
  }

  /** Moves the focus to the new rows, because the button may be gone. */
  function goOn() {
    const first = body.children.length
    grow()
    body.children[first].querySelector('a').focus()
  }

  function grow() {
    const from = body.children.length
    body.append(...rows.slice(from, from + (from === 0 ? ROWS_FIRST : ROWS)).map(row))
    const left = rows.length - body.children.length
    more.hidden = left === 0
    more.textContent = `Show ${Math.min(ROWS, left)} more of ${grouped(left)}`
  }

  function row(place) {
    const parts = partsAt(place)
    return h(
      'tr',
      {},
      h('td', {}, grouped(place + 1)),
      h('td', {}, h('a', { href: linkTo(ids[place]) }, h('code', {}, String(ids[place])))),
      h('td', {}, parts ? isoOf(parts.unixMs) : spec ? 'not in the layout' : ''),
      h('td', {}, parts ? String(parts.workerId) : ''),
      h('td', {}, parts ? String(parts.sequence) : ''),
      h('td', {}, ODD[marks[place]]),
    )
  }

  function partsAt(place) {
    try {
      return layoutOf(spec).decode(ids[place])
    } catch {
      return null
    }
  }

  function csvOf() {
    const lines = Array.from(ids, (id, place) => {
      const parts = partsAt(place)
      return parts
        ? `${id},${isoOf(parts.unixMs)},${parts.workerId},${parts.sequence},${marks[place]}`
        : `${id},,,,`
    })
    return ['id,time,worker,sequence,odd', ...lines].join('\n')
  }

  return { element, show }
}

const ODD = { '': '', 'again': 'seen before', 'back': 'below the last' }
