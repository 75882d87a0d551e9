// Compares two IDs: which is older, by how much, and their other differences.

import { makeBits } from '../bits.js'
import { readMany } from '../columns.js'
import { h, replace, SHOWN_MAX, takeLongTexts, uniqueId } from '../elements.js'
import { fieldsOf, layoutOf, titleOf } from '../layouts.js'
import { exactSpanOf, grouped, relativeOf, spanOf, wordsOf } from '../moments.js'
import { makePicker } from '../picker.js'
import { belongs, likeliestOf } from '../ranking.js'
import { UNLIKELY, readText } from '../reading.js'
import { finish } from '../slices.js'
import { isLayout } from './decode.js'

const FIRST = { a: '1541815603606036480', b: '1541815616063111168' }

/** Creates the view. */
export function makeCompare(app) {
  let values = {}
  const inputs = ['a', 'b'].map(name =>
    idInput(name, text => {
      values = { ...values, [name]: text.trim() }
      render()
    }),
  )
  const picker = makePicker({
    label: 'Layout',
    choose: spec => {
      values.layout = spec
      render()
    },
  })
  const verdict = h('div', { class: 'answer' })
  const drawings = [makeBits(), makeBits()]
  const table = h('tbody')
  const result = h(
    'div',
    { class: 'result' },
    h(
      'section',
      { 'class': 'card card-main', 'aria-label': 'Result' },
      h('div', { class: 'answer-row' }, verdict, picker.element),
    ),
    h(
      'section',
      { 'class': 'card', 'aria-label': 'Field by field' },
      h('h2', {}, 'Field by field'),
      h(
        'div',
        {
          'class': 'scroller',
          'tabindex': '0',
          'role': 'region',
          'aria-label': 'Field by field, to be scrolled',
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
              ...['Field', 'First', 'Second', 'Second − first'].map(head =>
                h('th', { scope: 'col' }, head),
              ),
            ),
          ),
          table,
        ),
      ),
    ),
    h(
      'section',
      { 'class': 'card', 'aria-label': 'Bits' },
      h('h2', {}, 'Bit by bit'),
      h('p', { class: 'soft' }, 'Framed bits differ.'),
      ...drawings.map(({ element }) => element),
    ),
  )
  const problem = h('p', { class: 'problem', role: 'alert' })
  const element = h(
    'div',
    {},
    h('h1', {}, 'Which is older?'),
    h('p', { class: 'lead' }, 'Two IDs of one system, side by side.'),
    h('div', { class: 'two-inputs' }, ...inputs.map(input => input.element)),
    h(
      'p',
      { class: 'examples' },
      h('button', { type: 'button', class: 'example', on: { click: swap } }, 'Swap them'),
    ),
    problem,
    result,
  )

  function swap() {
    values = { ...values, a: values.b, b: values.a }
    inputs[0].set(values.a)
    inputs[1].set(values.b)
    render()
  }

  function render() {
    app.update(values)
    const read = [values.a, values.b].map(text => readWithin(text, app.nowMs()))
    read.forEach((reading, index) => inputs[index].tell(reading.problem))
    result.hidden = read.some(reading => reading.problem)
    problem.textContent = ''
    if (result.hidden) return
    const ids = read.map(({ readings }) => readings[0].id)
    const likeliest = likeliestOf(ids, app.nowMs())
    const spec = values.layout ?? likeliest
    picker.show(spec, { likely: likeliest ? [likeliest] : [], own: app.own() })
    for (const part of [...result.children].slice(1)) part.hidden = !spec
    replace(verdict)
    if (!spec) {
      problem.textContent = `${UNLIKELY} Choose the layout of these, if you know it.`
      return
    }
    const layout = layoutOf(spec)
    const strangers = ids.filter(id => !belongs(layout, id))
    if (strangers.length > 0) {
      problem.textContent =
        `${strangers.join(' and ')} cannot be of ${titleOf(spec)}: bits ` +
        `that are constant there differ. Choose another layout.`
    }
    for (const part of [...result.children].slice(1)) part.hidden = strangers.length > 0
    if (strangers.length === 0) renderPair(ids, layout, titleOf(spec))
  }

  function renderPair(ids, layout, title) {
    const parts = ids.map(id => layout.decode(id))
    const words = verdictOf(ids, parts, layout)
    replace(
      verdict,
      h('p', { class: 'when' }, words.head),
      ...words.more.map(text => h('p', { class: 'when-else' }, text)),
      h('p', { class: 'soft' }, `as IDs of ${title}`),
    )
    app.announce([words.head, ...words.more].join(' '))
    replace(table, ...rowsOf(ids, parts, layout, app.nowMs()))
    drawings.forEach((drawing, index) => drawing.show(layout, ids[index], ids[0] ^ ids[1]))
  }

  return {
    element,
    show(given) {
      const isEmpty = !given.a && !given.b
      values = { a: '', b: '', ...(isEmpty ? FIRST : {}), ...given }
      if (values.layout && !isLayout(values.layout)) delete values.layout
      inputs[0].set(values.a)
      inputs[1].set(values.b)
      render()
    },
  }
}

/** Reads an ID's text, with or without a text around it. */
function readWithin(text, nowMs) {
  const read = readText(text, { nowMs })
  if (read.wider) {
    const { name, bits } = read.wider
    return { problem: `This is a ${name}, of ${bits} bits. IDs of 64 are compared here.` }
  }
  const only = read.problem && text.length <= SHOWN_MAX ? finish(readMany(text)).only : null
  return only === null ? read : readText(only, { nowMs })
}

/** Returns the comparison of two IDs in words. */
export function verdictOf(ids, parts, layout) {
  if (ids[0] === ids[1]) return { head: 'They are the same ID.', more: [] }
  const away = parts[1].unixMs - parts[0].unixMs
  const more = []
  if (layout.workerBits > 0) {
    const [first, second] = parts.map(({ workerId }) => workerId)
    more.push(
      first === second
        ? `Both are of worker ${first}.`
        : `They are of different workers, ${first} and ${second}.`,
    )
  }
  if (away === 0n) {
    const same = parts[0].workerId === parts[1].workerId
    const [older] = same && parts[0].sequence > parts[1].sequence ? ['second'] : ['first']
    const order = same
      ? ` The ${older} has the smaller sequence number.`
      : ' Between workers there is no order within a tick.'
    return { head: 'They are of the same tick.', more: [order.trim(), ...more] }
  }
  const older = away > 0n ? 'first' : 'second'
  if (away > 60_000n || away < -60_000n) more.unshift(`To the millisecond: ${exactSpanOf(away)}.`)
  return { head: `The ${older} is older, by ${spanOf(away)}.`, more }
}

function rowsOf(ids, parts, layout, nowMs) {
  const [first, second] = ids.map(id => fieldsOf(layout, id))
  const times = parts.map(({ unixMs }) => unixMs)
  const rows = [
    row('ID', ids.map(String), signed(ids[1] - ids[0])),
    row(
      'Time (UTC)',
      times.map(ms => wordsOf(ms, 'UTC', layout.tickMs)),
      `${signed(times[1] - times[0])} ms`,
    ),
    row(
      'That is',
      times.map(ms => relativeOf(ms, nowMs)),
      '',
    ),
    ...first.map(({ title, value, kind }, index) =>
      row(
        title,
        [grouped(value), grouped(second[index].value)],
        signed(second[index].value - value),
        kind,
      ),
    ),
  ]
  return rows
}

function row(title, [first, second], difference, kind) {
  return h(
    'tr',
    { class: first === second ? '' : 'is-different' },
    h('th', { 'scope': 'row', 'data-kind': kind }, title),
    h('td', {}, first),
    h('td', {}, second),
    h('td', {}, difference),
  )
}

function signed(difference) {
  if (difference === 0n) return 'the same'
  return difference > 0n ? `+${grouped(difference)}` : `−${grouped(-difference)}`
}

function idInput(name, take) {
  const problem = h('p', { class: 'problem', id: uniqueId('problem') })
  const input = h('input', {
    'type': 'text',
    'class': 'id-line',
    'id': uniqueId('compared'),
    'spellcheck': 'false',
    'autocomplete': 'off',
    'aria-describedby': problem.id,
    'on': { input: () => take(input.value) },
  })
  const element = h(
    'div',
    {},
    h('label', { class: 'field-label', for: input.id }, name === 'a' ? 'First ID' : 'Second ID'),
    input,
    problem,
  )
  takeLongTexts(input, text => tell(readText(text).problem))

  function tell(words) {
    problem.textContent = words ?? ''
    input.setAttribute('aria-invalid', String(Boolean(words)))
  }

  return {
    element,
    tell,
    set(text) {
      if (input.value !== text) input.value = text
    },
  }
}
