// Choosing the form that a text is read in.

import { h, replace, uniqueId } from './elements.js'
import { FORM_TITLES } from './reading.js'

/** A labelled list of forms; `choose` is called with the one that the user takes. */
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
    /** The names of the forms, and the one that is taken; without them it is not shown. */
    show(names, taken) {
      element.hidden = !names
      replace(select, ...(names ?? []).map(name => h('option', { value: name }, FORM_TITLES[name])))
      if (names) select.value = taken
    },
  }
}
