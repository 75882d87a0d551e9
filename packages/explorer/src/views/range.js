// The IDs of a time or span, for queries by time.

import { copyButton } from '../clipboard.js'
import { h, replace, uniqueId } from '../elements.js'
import { layoutOf, sortsByTime, tickText, titleOf } from '../layouts.js'
import { isoOf, localWordsOf, parseEnd, parseMoment, relativeOf, wordsOf } from '../moments.js'
import { makePicker } from '../picker.js'
import { formsOf } from '../reading.js'
import { writeHash } from '../state.js'
import { isLayout } from './decode.js'

const DAY_MS = 86_400_000
const SPANS = [
  ['The last hour', now => [now - 3_600_000, now]],
  ['Today (UTC)', now => [now - (now % DAY_MS), now - (now % DAY_MS) + DAY_MS - 1]],
  ['Yesterday (UTC)', now => [now - (now % DAY_MS) - DAY_MS, now - (now % DAY_MS) - 1]],
  ['The last 30 days', now => [now - 30 * DAY_MS, now]],
]

/** Creates the view. */
export function makeRange(app) {
  let values = {}
  const from = momentInput('From', text => set({ from: text }))
  const to = momentInput('To (the same if empty)', text => set({ to: text }))
  const picker = makePicker({ label: 'Layout', choose: spec => set({ layout: spec }) })
  const problem = h('p', { class: 'problem', role: 'alert' })
  const bounds = h('div', { class: 'pair' })
  const query = h('section', { 'class': 'card', 'aria-label': 'In a query' })
  const warning = h('p', { class: 'warning' })
  const result = h('div', { class: 'result' }, warning, bounds, query)
  const spans = SPANS.map(([title, span]) =>
    h(
      'button',
      {
        type: 'button',
        class: 'example',
        on: { click: () => choose(span(app.nowMs())) },
      },
      title,
    ),
  )
  const element = h(
    'div',
    {},
    h('h1', {}, 'Which IDs are of that time?'),
    h(
      'p',
      { class: 'lead' },
      'The smallest and the largest ID of a time: page and query by ID, without a column ' +
        'for the time.',
    ),
    h('div', { class: 'two-inputs' }, from.element, to.element),
    h('p', { class: 'examples' }, ...spans),
    picker.element,
    problem,
    result,
  )

  function choose([first, last]) {
    values = { ...values, from: isoOf(first), to: isoOf(last) }
    from.set(values.from)
    to.set(values.to)
    render()
  }

  function set(change) {
    values = { ...values, ...change }
    render()
  }

  function render() {
    app.update(values)
    const spec = values.layout ?? 'twitter'
    picker.show(spec, { own: app.own() })
    const layout = layoutOf(spec)
    const nowMs = app.nowMs()
    const first = parseMoment(values.from, nowMs)
    const last = parseEnd(values.to || values.from, nowMs)
    from.tell(first, nowMs)
    to.tell(values.to || first !== last ? last : undefined, nowMs)
    const wrong =
      first === null || last === null ? '' : problemOf(first, last, layout, titleOf(spec))
    problem.textContent = wrong
    result.hidden = first === null || last === null || wrong !== ''
    if (result.hidden) return
    warning.hidden = sortsByTime(layout)
    warning.textContent =
      'The time is not the top field of this layout: IDs of other times lie between these ' +
      'bounds as well.'
    const [low, high] = [layout.minId(first), layout.maxId(last)]
    replace(bounds, bound('Smallest ID', low, spec, app), bound('Largest ID', high, spec, app))
    renderQuery(low, high)
    app.announce(`Smallest ID ${low}, largest ID ${high}`)
  }

  function renderQuery(low, high) {
    const [first, last] = [low, high].map(id => BigInt.asIntN(64, id))
    const sql =
      first <= last
        ? `WHERE id BETWEEN ${first} AND ${last}`
        : `WHERE id >= ${first} OR id <= ${last}`
    replace(
      query,
      h('h2', {}, 'In a query'),
      h(
        'div',
        { class: 'code-box' },
        h(
          'pre',
          { 'tabindex': '0', 'role': 'region', 'aria-label': 'Condition' },
          h('code', {}, sql),
        ),
        copyButton('the condition', () => sql, app.announce),
      ),
      first !== low || last !== high
        ? h(
            'p',
            { class: 'soft' },
            'For signed columns of 64 bits (BIGINT), where the upper half of the IDs is ' +
              'negative. Unsigned columns take the numbers above.',
          )
        : h(
            'p',
            { class: 'soft' },
            `For integer columns. Both bounds belong to it. A tick lasts ` +
              `${tickText(layoutOf(values.layout ?? 'twitter').tickMs)}.`,
          ),
    )
  }

  return {
    element,
    show(given) {
      const day = isoOf(app.nowMs() - (app.nowMs() % DAY_MS))
      values = {
        from: day,
        to: '',
        ...(given.from === undefined
          ? { to: isoOf(app.nowMs() - (app.nowMs() % DAY_MS) + DAY_MS - 1) }
          : {}),
        ...given,
      }
      if (values.layout && !isLayout(values.layout)) delete values.layout
      from.set(values.from)
      to.set(values.to)
      render()
    },
  }
}

function problemOf(first, last, layout, title) {
  if (last < first) return 'The end lies before the beginning: exchange them.'
  if (first < layout.epochMs)
    return `IDs of ${title} begin on ${isoOf(layout.epochMs)}: take a later time.`
  if (last >= layout.expiresMs)
    return `IDs of ${title} end on ${isoOf(layout.expiresMs)}: take an earlier time.`
  return ''
}

function bound(title, id, spec, app) {
  const parts = layoutOf(spec).decode(id)
  const rows = formsOf(id)
    .slice(1)
    .filter(({ note }) => /sorts|BIGINT/.test(note))
  return h(
    'section',
    { 'class': 'card', 'aria-label': title },
    h('h2', {}, title),
    h(
      'p',
      { class: 'bound' },
      h('code', {}, String(id)),
      copyButton(title.toLowerCase(), () => String(id), app.announce),
    ),
    h(
      'p',
      { class: 'soft' },
      `tick of ${isoOf(parts.unixMs)}, worker ${parts.workerId}, sequence ${parts.sequence} · `,
      h('a', { href: writeHash({ view: 'decode', values: { id, layout: spec } }) }, 'decode'),
    ),
    h(
      'details',
      {},
      h('summary', {}, 'In forms that sort'),
      h(
        'dl',
        { class: 'forms' },
        ...rows.map(({ title: form, text }) =>
          h(
            'div',
            { class: 'form-row' },
            h('dt', {}, form),
            h(
              'dd',
              {},
              h('code', {}, text),
              copyButton(`${title.toLowerCase()}, ${form}`, () => text, app.announce),
            ),
          ),
        ),
      ),
    ),
  )
}

function momentInput(label, take) {
  const echo = h('p', { class: 'echo', id: uniqueId('echo') })
  const input = h('input', {
    'type': 'text',
    'class': 'id-line',
    'id': uniqueId('moment'),
    'spellcheck': 'false',
    'autocomplete': 'off',
    'placeholder': '2026-01-31 12:00',
    'aria-describedby': echo.id,
    'on': { input: () => take(input.value.trim()) },
  })
  const element = h(
    'div',
    {},
    h('label', { class: 'field-label', for: input.id }, label),
    input,
    echo,
  )
  return {
    element,
    set(text) {
      if (input.value !== text) input.value = text
    },
    /**
     * Shows how the text was understood. `null` means not at all, `undefined` that nothing was
     * typed.
     */
    tell(unixMs, nowMs) {
      const wrong = unixMs === null
      input.setAttribute('aria-invalid', String(wrong))
      echo.classList.toggle('problem', wrong)
      if (unixMs === undefined) echo.textContent = ''
      else if (wrong)
        echo.textContent =
          'Write a time as 2026-01-31, 2026-01-31 12:00:05.250 (UTC), ' +
          '2026-01-31T12:00+01:00, Unix seconds or milliseconds, or now.'
      else
        echo.textContent = [wordsOf(unixMs, 'UTC'), relativeOf(unixMs, nowMs), localWordsOf(unixMs)]
          .filter(Boolean)
          .join(' · ')
    },
  }
}
