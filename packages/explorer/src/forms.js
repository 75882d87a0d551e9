// The choice of the form in which a text is read.

import { h, replace, uniqueId } from './elements.js'
import { FORM_TITLES } from './reading.js'

/** Creates a labelled list of forms. It calls `choose` with the form that the user selects. */
export function makeFormSelect(choose) {
  const id = uniqueId('form')
  const select = h('select', { id, on: { change: () => choose(select.value) } })
  const element = h(
    'p',
    { class: 'field field-inline' },
    h('label', { for: id }, 'Read as'),
    select,
  )
  return {
    element,
    /** Shows the names of the forms, and selects one. Without names the list is hidden. */
    show(names, taken) {
      element.hidden = !names
      replace(select, ...(names ?? []).map(name => h('option', { value: name }, FORM_TITLES[name])))
      if (names) select.value = taken
    },
  }
}
