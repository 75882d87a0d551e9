// The choice of a layout.

import { h, replace, uniqueId } from './elements.js'
import { presets, presetOf } from './layouts.js'

/** Creates a labelled list of layouts. It calls `choose` with the spec that the user selects. */
export function makePicker({ label, choose }) {
  const id = uniqueId('layout')
  const select = h('select', { id, on: { change: () => choose(select.value) } })
  const element = h('p', { class: 'field' }, h('label', { for: id }, label), select)

  /**
   * Shows the layouts. `likely` are the names of presets to put first, and `own` is the spec of the
   * user's layout, if any. Without a spec none is selected.
   */
  function show(spec, { likely = [], own } = {}) {
    const mine = !spec || presetOf(spec) ? own : spec
    const first = new Set(likely)
    const others = presets()
      .map(({ name }) => name)
      .filter(name => !first.has(name))
    replace(
      select,
      !spec && h('option', { value: '' }, 'Choose one'),
      likely.length > 0 && group('Likely, the likeliest first', likely),
      mine && h('optgroup', { label: 'Yours' }, h('option', { value: mine }, 'Your layout')),
      group(likely.length ? 'Others' : 'Presets', others),
    )
    select.value = spec ?? ''
  }

  return { element, select, show }
}

function group(label, names) {
  return h('optgroup', { label }, ...names.map(name => h('option', { value: name }, name)))
}
