// Designs a layout: its bits, their consequences, and its code.

import { h, replace, uniqueId } from '../elements.js'
import { layoutOf, partsOfSpec, presets, presetOf, specOf } from '../layouts.js'
import { isoOf, parseMoment } from '../moments.js'
import {
  addField,
  KINDS,
  readFields,
  removeField,
  setWidth,
  swapWithNext,
  writeFields,
} from '../widths.js'
import { makeBar } from './bar.js'
import { makeCode } from './code.js'
import { makeConsequences } from './consequences.js'

const TICKS = [1, 10, 100, 1000]
/** The initial layout: Twitter's, with an epoch of this century. */
const START = { fields: 'zero:1,time:41,worker:10,sequence:12', epoch: '2025-01-01', tick: '1' }

/** Creates the view. */
export function makeDesign(app) {
  let values = {}
  let fields = []
  const bar = makeBar(next => change(next))
  const list = h('ol', { class: 'widths' })
  const adders = h('p', { class: 'examples' })
  const start = h('select', {
    id: uniqueId('start'),
    on: { change: () => takePreset(start.value) },
  })
  const echo = h('p', { class: 'echo', id: uniqueId('epoch-echo') })
  const epoch = h('input', {
    'type': 'text',
    'id': uniqueId('epoch'),
    'class': 'id-line',
    'spellcheck': 'false',
    'autocomplete': 'off',
    'aria-describedby': echo.id,
    'on': { input: () => set({ epoch: epoch.value.trim() }) },
  })
  const tick = h('input', {
    type: 'number',
    id: uniqueId('tick'),
    class: 'id-line',
    min: 1,
    max: 4294967295,
    step: 1,
    list: 'ticks',
    on: { input: () => set({ tick: tick.value }) },
  })
  const problem = h('p', { class: 'problem', role: 'alert' })
  const consequences = makeConsequences(app)
  const code = makeCode(app, language => set({ code: language }))
  const element = h(
    'div',
    {},
    h('h1', {}, 'Design a layout'),
    h(
      'p',
      { class: 'lead' },
      'Sixty-four bits: how many years, how many workers, how many IDs. Drag the borders, ' +
        'or take one with Tab and use the arrow keys.',
    ),
    h(
      'section',
      { 'class': 'card card-main', 'aria-label': 'Fields' },
      bar.element,
      list,
      adders,
      h(
        'div',
        { class: 'three-inputs' },
        h('div', {}, h('label', { class: 'field-label', for: start.id }, 'Begin with'), start),
        h(
          'div',
          {},
          h('label', { class: 'field-label', for: epoch.id }, 'Epoch: when time 0 is'),
          epoch,
          echo,
        ),
        h(
          'div',
          {},
          h('label', { class: 'field-label', for: tick.id }, 'Tick, milliseconds'),
          tick,
          h('datalist', { id: 'ticks' }, ...TICKS.map(ms => h('option', { value: ms }))),
        ),
      ),
      problem,
    ),
    consequences.element,
    code.element,
  )

  function takePreset(name) {
    const { layout } = presetOf(name)
    values = {
      ...values,
      fields: layout.text,
      epoch: isoOf(layout.epochMs).replace(/T00:00:00Z$/, ''),
      tick: String(layout.tickMs),
    }
    fields = readFields(layout.text)
    epoch.value = values.epoch
    tick.value = values.tick
    render()
  }

  function set(given) {
    values = { ...values, ...given }
    render()
  }

  function change(next) {
    fields = next
    values = { ...values, fields: writeFields(fields) }
    render()
  }

  function render() {
    app.update(values)
    bar.show(fields)
    renderFields()
    const epochMs = parseMoment(values.epoch, app.nowMs())
    const tickMs = Number(values.tick)
    const wrong = problemOf(epochMs, tickMs)
    echo.classList.toggle('problem', epochMs === null)
    echo.textContent =
      epochMs === null
        ? 'Write it as 2025-01-01, or as Unix milliseconds.'
        : `${epochMs} ms of Unix time`
    epoch.setAttribute('aria-invalid', String(epochMs === null))
    tick.setAttribute('aria-invalid', String(!isTick(tickMs)))
    start.value = matching(epochMs, tickMs)
    const { layout, spec, failure } = wrong ? { failure: wrong } : build(epochMs, tickMs)
    problem.textContent = failure ?? ''
    consequences.element.hidden = code.element.hidden = Boolean(failure)
    if (failure) return
    app.setOwn(spec)
    consequences.show(layout, spec)
    code.show(layout, values.code)
  }

  function build(epochMs, tickMs) {
    const spec = specOf({ fields: values.fields, epochMs, tickMs })
    try {
      return { spec, layout: layoutOf(spec) }
    } catch (error) {
      return { failure: error.message }
    }
  }

  /** Returns the name of the preset with these bits. */
  function matching(epochMs, tickMs) {
    const same = presets().find(
      ({ layout }) =>
        layout.epochMs === epochMs &&
        layout.tickMs === tickMs &&
        writeFields(readFields(layout.text)) === writeFields(fields),
    )
    replace(
      start,
      !same && h('option', { value: '' }, 'a preset…'),
      ...presets().map(({ name }) => h('option', { value: name }, name)),
    )
    return same?.name ?? ''
  }

  function renderFields() {
    const active = document.activeElement
    const { kind, act } = active.dataset
    const isWithin = list.contains(active) || adders.contains(active)
    replace(list, ...fields.map(row))
    replace(
      adders,
      h('span', {}, 'Add'),
      ...KINDS.filter(kind => !fields.some(field => field.kind === kind)).map(adder),
    )
    if (isWithin) keepFocus(kind, act)
  }

  /** Keeps the focus at its field, also if the field was added or removed. */
  function keepFocus(kind, act) {
    const of = name => element.querySelector(`button[data-kind="${kind}"]${name}`)
    const again = list.querySelector(`[data-kind="${kind}"][data-act="${act}"]`)
    ;(again && !again.disabled ? again : of(':not(:disabled)'))?.focus()
  }

  function row({ kind, bits }, index) {
    const title = kind === 'zero' ? 'unused, zero' : kind
    const width = h('input', {
      'type': 'number',
      'min': kind === 'zero' ? 0 : 1,
      'max': 63,
      'value': bits,
      'data-kind': kind,
      'data-act': 'width',
      'aria-label': `Bits of ${title}`,
      'readonly': kind === 'zero',
      'on': {
        change: event => change(setWidth(fields, index, Math.round(event.target.value) || 1)),
      },
    })
    const act = (name, label, text, next, off) =>
      h(
        'button',
        {
          'type': 'button',
          'class': 'step',
          'data-kind': kind,
          'data-act': name,
          'aria-label': `${label} ${title}`,
          'disabled': off,
          'on': { click: () => change(next()) },
        },
        text,
      )
    const wider = setWidth(fields, index, bits + 1)
    const narrower = setWidth(fields, index, bits - 1)
    return h(
      'li',
      { 'class': 'width', 'data-kind': kind },
      h('span', { class: 'width-name' }, title),
      kind !== 'zero' && act('less', 'A bit less for', '−', () => narrower, narrower === fields),
      width,
      kind !== 'zero' && act('more', 'A bit more for', '+', () => wider, wider === fields),
      kind !== 'zero' &&
        act('up', 'Move up', '↑', () => swapWithNext(fields, index - 1), index < 2),
      kind !== 'zero' &&
        act(
          'down',
          'Move down',
          '↓',
          () => swapWithNext(fields, index),
          index + 1 === fields.length,
        ),
      !['zero', 'time'].includes(kind) &&
        act('remove', 'Remove', '×', () => removeField(fields, index), false),
    )
  }

  function adder(kind) {
    const next = addField(fields, kind)
    return h(
      'button',
      {
        'type': 'button',
        'class': 'example',
        'data-kind': kind,
        'disabled': !next,
        'on': { click: () => change(next) },
      },
      kind,
    )
  }

  return {
    element,
    show(given) {
      const own = app.own() && partsOfSpec(app.own())
      const before = own && {
        fields: own.fields,
        epoch: isoOf(own.epochMs),
        tick: String(own.tickMs),
      }
      values = { ...START, ...(given.fields ? {} : before), ...given }
      fields = readFields(values.fields) ?? readFields(START.fields)
      values.fields = writeFields(fields)
      epoch.value = values.epoch
      tick.value = values.tick
      render()
    },
  }
}

function problemOf(epochMs, tickMs) {
  if (epochMs === null) return 'The epoch is no time.'
  if (!isTick(tickMs)) return 'A tick lasts 1 to 4,294,967,295 whole milliseconds.'
  return ''
}

function isTick(tickMs) {
  return Number.isInteger(tickMs) && tickMs >= 1 && tickMs < 2 ** 32
}
