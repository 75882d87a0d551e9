// Decodes one ID.

import { makeBits } from '../bits.js'
import { copyButton } from '../clipboard.js'
import { readMany } from '../columns.js'
import { h, replace, SHOWN_MAX, takeLongTexts, uniqueId, whenPaused } from '../elements.js'
import { makeFormSelect } from '../forms.js'
import { layoutOf, presetOf, tickText, titleOf } from '../layouts.js'
import { isoOf, localWordsOf, relativeOf, wordsOf } from '../moments.js'
import { makePicker } from '../picker.js'
import { belongs, likeliestIn, rank, ruledOut } from '../ranking.js'
import { FORM_TITLES, UNLIKELY, formsOf, readText } from '../reading.js'
import { makeSlices } from '../slices.js'
import { packIds } from '../state.js'
import { exampleColumn, examples } from './examples.js'

/** The number of candidates that are shown until the user asks for the others. */
const CANDIDATES = 5
/** The length of the text around an ID that is searched for the name of its system. */
const BESIDE_MAX = 2000
/** The reason for showing no time of an ID that some presets fit. */
const DOUBTFUL = 'Some presets fit this ID, but there is a doubt about each.'
/** The largest height of the field, in pixels. */
const INPUT_MAX_PX = 220

/** Creates the view. */
export function makeDecode(app) {
  const inputId = uniqueId('id')
  const problem = h('p', { class: 'problem', id: uniqueId('problem'), role: 'alert' })
  const hint = h('p', { class: 'hint' })
  const input = h('textarea', {
    'id': inputId,
    'class': 'id-input',
    'rows': 1,
    'spellcheck': 'false',
    'autocomplete': 'off',
    'autocapitalize': 'off',
    'aria-describedby': problem.id,
    'placeholder': 'Paste an ID, or a column of them',
    'on': { input: typed },
  })
  const form = makeFormSelect(name => {
    values.form = name
    render()
  })
  const picker = makePicker({ label: 'Layout', choose: setLayout })
  const bits = makeBits()
  const answer = h('div', { class: 'answer' })
  const facts = h('dl', { class: 'facts' })
  const candidates = h('section', { 'class': 'card', 'aria-label': 'Where it may come from' })
  const forms = h('section', { 'class': 'card', 'aria-label': 'Text forms' })
  const pair = h('div', { class: 'pair' }, candidates, forms)
  const misfit = h('p', { class: 'problem' })
  const result = h(
    'div',
    { class: 'result' },
    h(
      'section',
      { 'class': 'card card-main', 'aria-label': 'What the ID says' },
      h('div', { class: 'answer-row' }, picker.element, answer),
      misfit,
      bits.element,
      facts,
    ),
    pair,
  )
  const element = h(
    'div',
    {},
    h(
      'div',
      { class: 'hero' },
      h('h1', {}, 'What does this ID say?'),
      h(
        'p',
        { class: 'lead' },
        'When it was minted, by which worker, and its number in that moment. Any snowflake, ' +
          'in any form.',
      ),
      h('label', { for: inputId, class: 'unseen' }, 'ID'),
      h(
        'div',
        { class: 'id-box' },
        input,
        h(
          'button',
          { 'type': 'button', 'class': 'quiet', 'aria-label': 'Clear', 'on': { click: clear } },
          'Clear',
        ),
      ),
      h('div', { class: 'below-input' }, form.element, hint),
      problem,
      makeExamples(app, take),
    ),
    result,
  )
  let values = {}
  // The text that the ID was taken from.
  let source = ''
  // What is wrong with the IDs beside the one that was taken.
  let damage = ''
  // True if the text around the ID determined the layout, and not the user: the next ID gets its
  // own.
  let wasNamed = false
  let wholeList = false

  const takeLines = whenPaused(() => app.isShown() && take(input.value))
  const slices = makeSlices()
  takeLongTexts(input, take)

  function typed() {
    slices.cancel()
    if (input.value.includes('\n')) takeLines()
    else take(input.value)
  }

  function take(text) {
    takeLines.cancel()
    slices.cancel()
    if (!readText(text).problem) {
      settle(text, text.trim())
      return
    }
    hint.textContent = 'Reading…'
    slices.run(readMany(text), found => {
      if (!app.isShown() || (found.only === null && handOver(app, text, found))) return
      settle(text, found.only ?? text.trim(), found.problem)
    })
  }

  function settle(text, id, damaged = '') {
    const before = wasNamed ? undefined : values.layout
    source = text
    damage = damaged
    values = { id }
    const options = { nowMs: app.nowMs(), beside: besideOf(text, values.id) }
    const reading = readText(values.id, options).readings?.[0]
    const stays =
      reading &&
      (reading.guesses.some(({ name }) => name === before) ||
        (before && !presetOf(before) && belongs(layoutOf(before), reading.id)))
    // Links do not contain the text around the ID, so they contain the layout.
    wasNamed = Boolean(reading?.guesses[0]?.named)
    if (wasNamed) values.layout = reading.guesses[0].name
    else if (stays) values.layout = before
    showSource()
    wholeList = false
    render()
  }

  /** Shows the source, unless it is too long to be shown at once. */
  function showSource() {
    const shown = source.length > SHOWN_MAX ? '' : source
    if (input.value !== shown) input.value = shown
  }

  function clear() {
    take('')
    input.focus()
  }

  function setLayout(spec) {
    wasNamed = false
    values.layout = spec
    render()
  }

  function render() {
    app.update(values)
    grow(input)
    const {
      readings,
      wider,
      problem: wrong,
      hint: odd,
    } = readText(values.id, { form: values.form, nowMs: app.nowMs() })
    const empty = values.id === ''
    problem.textContent = wrong && !empty ? wrong : ''
    input.setAttribute('aria-invalid', String(Boolean(wrong && !empty)))
    result.hidden = Boolean(wrong)
    const around = !wrong && Boolean(readText(source).problem)
    const within = around ? `The ID in it: ${values.id}. ${damage}`.trim() : ''
    hint.textContent = empty ? wrong : (odd ?? within)
    form.show(
      readings?.map(reading => reading.form),
      readings?.[0].form,
    )
    picker.element.hidden = pair.hidden = Boolean(wider)
    if (readings) renderReading(readings[0])
    if (wider) renderWider(wider)
  }

  /** Shows an ID that is no snowflake, but may have a time. */
  function renderWider({ name, bits: width, unixMs, note }) {
    misfit.textContent = ''
    bits.element.hidden = true
    facts.hidden = false
    if (unixMs === null) replace(answer, h('p', { class: 'when' }, name))
    else renderAnswer({ unixMs }, { tickMs: 1 }, app.nowMs())
    replace(
      facts,
      fact('What it is', name, note),
      ...(unixMs === null ? [] : timeFacts(unixMs)),
      fact('Width', `${width} bits`, 'The layouts here are of IDs of 64.'),
    )
    app.announce(unixMs === null ? name : `${name}, minted ${wordsOf(unixMs, 'UTC')}`)
  }

  function renderReading({ id }) {
    const nowMs = app.nowMs()
    const ranked = rank(id, nowMs, besideOf(source, values.id))
    const spec = values.layout ?? likeliestIn(ranked)
    picker.show(spec, { likely: ranked.map(({ name }) => name), own: app.own() })
    if (spec) renderIn(layoutOf(spec), spec, id, nowMs)
    else renderUndated(ranked)
    renderCandidates(ranked, id, spec, nowMs)
    renderForms(id)
  }

  /** Shows a number of no likely system, without a time that would be an accident. */
  function renderUndated(ranked) {
    const [head, reason] =
      ranked.length > 0
        ? ['None of the presets is likely', DOUBTFUL]
        : ['A number without a time', UNLIKELY]
    misfit.textContent = ''
    bits.element.hidden = facts.hidden = true
    replace(
      answer,
      h('p', { class: 'when' }, head),
      h('p', { class: 'when-else' }, `${reason} If you know its layout, choose it.`),
    )
    app.announce(`${head}: no time is told`)
  }

  function renderIn(layout, spec, id, nowMs) {
    const fits = belongs(layout, id)
    misfit.textContent = fits
      ? ''
      : `${titleOf(spec)} has constant bits that this ID does not have: it ` +
        'comes from elsewhere. Choose another layout.'
    bits.element.hidden = facts.hidden = !fits
    if (fits) {
      const parts = layout.decode(id)
      renderAnswer(parts, layout, nowMs, values.layout ? '' : `, if it is of ${titleOf(spec)}: a guess`)
      renderFacts(parts, layout, spec)
      bits.show(layout, id)
      app.announce(
        `${wordsOf(parts.unixMs, 'UTC', layout.tickMs)}, ` +
          `${[...workerWords(parts, layout), `sequence ${parts.sequence}`].join(', ')}, as ` +
          titleOf(spec),
      )
    } else {
      replace(answer, h('p', { class: 'when' }, `Not an ID of ${titleOf(spec)}`))
    }
  }

  function renderAnswer({ unixMs }, { tickMs }, nowMs, condition = '') {
    const words = wordsOf(unixMs, 'UTC', tickMs)
    const local = localWordsOf(unixMs, tickMs)
    replace(
      answer,
      h('p', { class: 'eyebrow' }, `Minted${condition}`),
      h('p', { class: 'when' }, h('time', { datetime: isoOf(unixMs) }, words)),
      local && h('p', { class: 'when-local' }, local),
      h('p', { class: 'when-else' }, relativeOf(unixMs, nowMs)),
    )
  }

  function timeFacts(unixMs) {
    const iso = isoOf(unixMs)
    return [
      fact(
        'ISO 8601',
        iso,
        copyButton('the time as ISO 8601', () => iso, app.announce),
      ),
      fact(
        'Unix ms',
        String(unixMs),
        copyButton('the time in Unix milliseconds', () => String(unixMs), app.announce),
      ),
    ]
  }

  function renderFacts(parts, layout, spec) {
    replace(
      facts,
      ...timeFacts(parts.unixMs),
      ...ownFields(parts, layout).map(({ kind, value, max }) => fact(kind, `${value}`, `of ${max}`)),
      layout.workerBits > 0 && fact('Worker ID', `${parts.workerId}`, `of ${layout.maxWorkerId}`),
      fact('Sequence', `${parts.sequence}`, `of ${layout.idsPerTick - 1n}`),
      layout.fields.some(({ kind }) => kind === 'rollback') &&
        fact('Rollbacks', String(parts.rollback)),
      fact('Tick', tickText(layout.tickMs)),
      presetOf(spec) && fact(`About ${spec}`, presetOf(spec).note),
    )
  }

  function renderCandidates(ranked, id, spec, nowMs) {
    const shown = wholeList ? ranked : ranked.slice(0, CANDIDATES)
    const left = ranked.length - shown.length
    const rows = shown.map(candidate =>
      candidateRow(candidate, candidate.name === spec, setLayout, nowMs),
    )
    const others = ruledOut(id, nowMs)
    replace(
      candidates,
      h('h2', {}, 'Where it may come from'),
      ranked.length === 0
        ? h(
            'p',
            { class: 'soft' },
            `${UNLIKELY} If the layout is your own, make it under Design.`,
          )
        : h(
            'p',
            { class: 'soft' },
            likeliestIn(ranked)
              ? 'Many systems share their bits. This is a guess, the likeliest first.'
              : DOUBTFUL,
          ),
      h('fieldset', { class: 'candidates' }, h('legend', { class: 'unseen' }, 'Layout'), ...rows),
      left > 0 &&
        h(
          'button',
          { type: 'button', class: 'quiet', on: { click: showAll } },
          `Show ${left} more`,
        ),
      others.length > 0 &&
        h(
          'details',
          { class: 'ruled-out' },
          h('summary', {}, `Ruled out: ${others.length}`),
          h(
            'ul',
            {},
            ...others.map(({ name, reason }) => h('li', {}, h('b', {}, name), ` ${reason}`)),
          ),
        ),
    )
  }

  function showAll() {
    wholeList = true
    render()
    candidates.querySelectorAll('input')[CANDIDATES]?.focus()
  }

  function renderForms(id) {
    replace(
      forms,
      h('h2', {}, 'The same ID in other forms'),
      h(
        'dl',
        { class: 'forms' },
        ...formsOf(id).map(({ title, text, note }) =>
          h(
            'div',
            { class: 'form-row' },
            h('dt', {}, title, note && h('span', { class: 'form-note' }, note)),
            h(
              'dd',
              {},
              h('code', {}, text),
              copyButton(title, () => text, app.announce),
            ),
          ),
        ),
      ),
    )
  }

  return {
    element,
    show(given) {
      takeLines.cancel()
      slices.cancel()
      values = { id: examples()[0].id, ...given }
      source = values.id
      damage = ''
      wasNamed = false
      if (values.layout && !isLayout(values.layout)) delete values.layout
      if (values.form && !(values.form in FORM_TITLES)) delete values.form
      showSource()
      wholeList = false
      render()
    },
  }
}

/** Returns true if a spec makes a layout. Links may contain anything. */
export function isLayout(spec) {
  try {
    return Boolean(layoutOf(spec))
  } catch {
    return false
  }
}

/**
 * Hands over several IDs that were pasted for one: two are compared, more are examined together.
 * Returns true if there are several. A text without IDs stays in its field.
 */
function handOver(app, text, found) {
  const { ids, rejectedCount } = found
  if (ids.length < 2) return false
  if (ids.length === 2 && rejectedCount === 0) {
    app.go('compare', { a: String(ids[0]), b: String(ids[1]) })
    return true
  }
  const packed = packIds(ids)
  app.go('many', packed && rejectedCount === 0 ? { ids: packed } : {}, { text, found })
  return true
}

/** Returns the text around an ID, or `''` if there is only the ID. */
function besideOf(text, id) {
  return text.trim() === id ? '' : text.slice(0, BESIDE_MAX)
}

/** Returns a worker ID in words, by the layout's own names. */
function workerWords(parts, layout) {
  const own = ownFields(parts, layout)
  if (own.length > 0) return own.map(({ kind, value }) => `${kind.toLowerCase()} ${value}`)
  return layout.workerBits > 0 ? [`worker ${parts.workerId}`] : []
}

/**
 * Returns the fields of a worker ID by their names, if there are several or the name is not
 * `worker`.
 */
function ownFields(parts, layout) {
  const own = layout.fields.filter(({ kind }) => /^(datacenter|worker|process|shard)$/.test(kind))
  if (own.length === 1 && own[0].kind === 'worker') return []
  const values = layout.workerParts(parts.workerId)
  return own.map(({ kind, bits: width }) => ({
    kind: `${kind[0].toUpperCase()}${kind.slice(1)}`,
    value: values[kind],
    max: 2 ** width - 1,
  }))
}

/** Makes a textarea as high as its text, up to a limit above which it scrolls. */
function grow(area) {
  area.style.height = 'auto'
  // The height includes the borders, and `scrollHeight` does not.
  const borders = area.offsetHeight - area.clientHeight
  area.style.height = `${Math.min(area.scrollHeight + borders, INPUT_MAX_PX)}px`
}

function fact(name, value, more) {
  return h(
    'div',
    { class: 'fact' },
    h('dt', {}, name),
    h(
      'dd',
      {},
      h('span', { class: 'fact-value' }, value),
      ' ',
      more && (more.nodeType ? more : h('span', { class: 'soft' }, more)),
    ),
  )
}

function candidateRow({ name, parts, layout, reasons, same }, chosen, choose, nowMs) {
  const radio = h('input', {
    type: 'radio',
    name: 'candidate',
    value: name,
    checked: chosen,
    on: {
      change: () => {
        choose(name)
        document.querySelector(`input[name=candidate][value="${name}"]`)?.focus()
      },
    },
  })
  const tags = reasons.map(({ good, text }) =>
    h('span', { class: good ? 'reason is-good' : 'reason is-bad' }, `${good ? '✓' : '✗'} ${text}`),
  )
  return h(
    'label',
    { class: 'candidate' },
    radio,
    h(
      'span',
      { class: 'candidate-words' },
      h(
        'span',
        { class: 'candidate-head' },
        h('b', {}, name),
        ' ',
        h('time', { datetime: isoOf(parts.unixMs) }, wordsOf(parts.unixMs, 'UTC', layout.tickMs)),
      ),
      h(
        'span',
        { class: 'candidate-more' },
        relativeOf(parts.unixMs, nowMs),
        ...workerWords(parts, layout).map(words => ` · ${words}`),
        ` · sequence ${parts.sequence}`,
      ),
      same
        ? h('span', { class: 'candidate-more' }, `says the same as ${same}`)
        : h('span', { class: 'reasons' }, ...tags),
    ),
  )
}

function makeExamples(app, take) {
  const buttons = examples().map(({ title, id }) =>
    h('button', { type: 'button', class: 'example', on: { click: () => take(id) } }, title),
  )
  const column = h(
    'button',
    { type: 'button', class: 'example', on: { click: () => take(exampleColumn(app.nowMs())) } },
    '2,000 IDs',
  )
  return h('p', { class: 'examples' }, h('span', {}, 'Try'), ...buttons, column)
}
