// One ID: what it says.

import { makeBits } from '../bits.js'
import { copyButton } from '../clipboard.js'
import { cellsOf, onlyIdOf, readMany } from '../columns.js'
import { h, replace, takeLongTexts, uniqueId, whenPaused } from '../elements.js'
import { makeFormSelect } from '../forms.js'
import { layoutOf, presetOf, tickText, titleOf } from '../layouts.js'
import { isoOf, localWordsOf, relativeOf, wordsOf } from '../moments.js'
import { makePicker } from '../picker.js'
import { belongs, rank, ruledOut } from '../ranking.js'
import { FORM_TITLES, formsOf, readText } from '../reading.js'
import { packIds } from '../state.js'
import { exampleColumn, examples } from './examples.js'

/** How many candidates are shown before one asks for the others. */
const CANDIDATES = 5

/** The view. */
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
    'on': { input: () => (input.value.includes('\n') ? takeLines() : take(input.value)) },
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
  const misfit = h('p', { class: 'problem' })
  const result = h(
    'div',
    { class: 'result' },
    h(
      'section',
      { 'class': 'card card-main', 'aria-label': 'What the ID says' },
      h('div', { class: 'answer-row' }, answer, picker.element),
      misfit,
      bits.element,
      facts,
    ),
    h('div', { class: 'pair' }, candidates, forms),
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
  let wholeList = false

  const takeLines = whenPaused(() => app.isShown() && take(input.value))
  takeLongTexts(input, take)

  function take(text) {
    takeLines.cancel()
    const only = readText(text).problem ? onlyIdOf(text) : text.trim()
    if (only === null && cellsOf(text).cells.length > 1) {
      handOver(app, text)
      return
    }
    const before = values.layout
    values = { id: only ?? text.trim() }
    const reading = readText(values.id, { nowMs: app.nowMs() }).readings?.[0]
    const stays =
      reading &&
      (reading.guesses.some(({ name }) => name === before) ||
        (before && !presetOf(before) && belongs(layoutOf(before), reading.id)))
    if (stays) values.layout = before
    input.value = text
    wholeList = false
    render()
  }

  function clear() {
    take('')
    input.focus()
  }

  function setLayout(spec) {
    values.layout = spec
    render()
  }

  function render() {
    app.update(values)
    grow(input)
    const {
      readings,
      problem: wrong,
      hint: odd,
    } = readText(values.id, { form: values.form, nowMs: app.nowMs() })
    const empty = values.id === ''
    problem.textContent = wrong && !empty ? wrong : ''
    input.setAttribute('aria-invalid', String(Boolean(wrong && !empty)))
    result.hidden = Boolean(wrong)
    const around = !wrong && Boolean(readText(input.value).problem)
    hint.textContent = empty ? wrong : (odd ?? (around ? `The ID in it: ${values.id}` : ''))
    form.show(
      readings?.map(reading => reading.form),
      readings?.[0].form,
    )
    if (readings) renderReading(readings[0])
  }

  function renderReading({ id }) {
    const nowMs = app.nowMs()
    const ranked = rank(id, nowMs)
    const spec = values.layout ?? ranked[0]?.name ?? 'twitter'
    const layout = layoutOf(spec)
    picker.show(spec, { likely: ranked.map(({ name }) => name), own: app.own() })
    const fits = belongs(layout, id)
    misfit.textContent = fits
      ? ''
      : `${titleOf(spec)} has constant bits that this ID does not have: it ` +
        'comes from elsewhere. Choose another layout.'
    bits.element.hidden = facts.hidden = !fits
    if (fits) {
      const parts = layout.decode(id)
      renderAnswer(parts, layout, nowMs)
      renderFacts(parts, layout, spec)
      bits.show(layout, id)
      app.announce(
        `${wordsOf(parts.unixMs, 'UTC', layout.tickMs)}, worker ${parts.workerId}, sequence ` +
          `${parts.sequence}, as ${titleOf(spec)}`,
      )
    } else {
      replace(answer, h('p', { class: 'when' }, `Not an ID of ${titleOf(spec)}`))
    }
    renderCandidates(ranked, id, spec, nowMs)
    renderForms(id)
  }

  function renderAnswer({ unixMs }, { tickMs }, nowMs) {
    const words = wordsOf(unixMs, 'UTC', tickMs)
    const local = localWordsOf(unixMs, tickMs)
    replace(
      answer,
      h('p', { class: 'eyebrow' }, 'Minted'),
      h('p', { class: 'when' }, h('time', { datetime: isoOf(unixMs) }, words)),
      h('p', { class: 'when-else' }, relativeOf(unixMs, nowMs)),
      local && h('p', { class: 'when-else' }, local),
    )
  }

  function renderFacts(parts, layout, spec) {
    const iso = isoOf(parts.unixMs)
    replace(
      facts,
      fact(
        'ISO 8601',
        iso,
        copyButton('the time as ISO 8601', () => iso, app.announce),
      ),
      fact(
        'Unix ms',
        String(parts.unixMs),
        copyButton('the time in Unix milliseconds', () => String(parts.unixMs), app.announce),
      ),
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
            'From none of the presets: in each its time would lie in the future, or bits ' +
              'that are constant differ. If the layout is your own, make it under Design.',
          )
        : h(
            'p',
            { class: 'soft' },
            'Many systems share their bits. This is a guess, the likeliest first.',
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
      values = { id: examples()[0].id, ...given }
      if (values.layout && !isLayout(values.layout)) delete values.layout
      if (values.form && !(values.form in FORM_TITLES)) delete values.form
      if (input.value !== values.id) input.value = values.id
      wholeList = false
      render()
    },
  }
}

/** Whether a spec makes a layout; links may hold anything. */
export function isLayout(spec) {
  try {
    return Boolean(layoutOf(spec))
  } catch {
    return false
  }
}

/** Several IDs in a place for one: two are compared, more are looked at together. */
function handOver(app, text) {
  const { ids, rejectedCount } = readMany(text)
  if (ids.length === 2 && rejectedCount === 0) {
    app.go('compare', { a: String(ids[0]), b: String(ids[1]) })
    return
  }
  const packed = packIds(ids)
  app.go('many', packed && rejectedCount === 0 ? { ids: packed } : {}, text)
}

/** A textarea that is as high as its text. */
function grow(area) {
  area.style.height = 'auto'
  area.style.height = `${Math.min(area.scrollHeight, 220)}px`
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
        layout.workerBits > 0 ? ` · worker ${parts.workerId}` : '',
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
