// What an ID says, by the server's own engine.

import { ask } from './actions.js'
import { h, replace } from './elements.js'
import { plain } from './figures.js'

const FIELDS = ['constant', 'zero', 'time', 'datacenter', 'worker', 'shard', 'process', 'sequence', 'rollback']

export function makeDecode() {
  const input = h('input', {
    id: 'decode-id',
    class: 'id-line',
    autocomplete: 'off',
    spellcheck: 'false',
  })
  const problem = h('p', { class: 'problem', role: 'alert' })
  const readings = h('div', { class: 'result', 'aria-live': 'polite' })
  const form = h(
    'form',
    { class: 'search-row', on: { submit: decode } },
    h('p', { class: 'field' }, h('label', { for: 'decode-id' }, 'An ID in any text form'), input),
    h('button', { type: 'submit', class: 'do' }, 'Decode'),
  )
  const words = 'Taken apart in every layout that it may be of.'
  const element = h(
    'div',
    {},
    h('h2', {}, 'Decode'),
    h('p', { class: 'soft' }, words),
    form,
    problem,
    readings,
  )

  async function decode(event) {
    event.preventDefault()
    replace(problem)
    try {
      const id = encodeURIComponent(input.value.trim())
      if (!id) throw new Error('Write an ID.')
      const answer = await ask(`v1/decode/${id}`)
      replace(readings, ...answer.readings.map(readingOf))
    } catch (failure) {
      replace(readings)
      replace(problem, failure.message)
    }
  }

  return { element, show: () => {} }
}

function readingOf(reading) {
  const { layout, time, id, ...rest } = reading
  const fields = Object.entries(rest).filter(([name]) => FIELDS.includes(name))
  return h(
    'section',
    { class: 'card' },
    h('h3', {}, plain(String(layout ?? id))),
    time && h('p', { class: 'when' }, h('time', {}, time)),
    h(
      'dl',
      { class: 'facts' },
      ...fields.map(([name, value]) =>
        h(
          'div',
          { 'class': 'fact', 'data-kind': name },
          h('dt', {}, name),
          h('dd', {}, h('span', { class: 'fact-value' }, String(value))),
        ),
      ),
    ),
  )
}
