// Dialogs: one at a time, over the page. Escape closes a dialog, and the focus goes back.

import { h, replace, uniqueId } from '../../explorer/src/elements.js'
import { grouped } from '../../explorer/src/moments.js'

/** Asks for the values that an action needs, explains it, and runs it once the user confirms. */
export function confirm(action, announce) {
  const inputs = action.fields.map(inputOf)
  const values = () =>
    Object.fromEntries(inputs.map(({ name, input }) => [name, input.value.trim()]))
  const says = h('p', { class: 'says', id: uniqueId('says') })
  const problem = h('p', { class: 'problem', role: 'alert' })
  const send = h('button', { 'type': 'submit', 'class': 'do', 'aria-describedby': says.id })
  const form = h(
    'form',
    { class: 'ask', novalidate: true },
    ...inputs.map(({ element }) => element),
    says,
    problem,
    h('p', { class: 'buttons' }, closer('Cancel'), send),
  )
  const dialog = open(action.title, form)

  /** Shows what the action does, or the fault in the values that the server would refuse. */
  function update() {
    const wrong = inputs.map(({ complaint }) => complaint()).find(Boolean)
    replace(says, wrong || action.says(values()))
    replace(send, action.verb(values()))
  }

  async function submit(event) {
    event.preventDefault()
    const wrong = inputs.find(({ complain }) => complain())
    replace(problem, wrong?.complain())
    if (wrong) return wrong.input.focus()
    send.disabled = true
    try {
      const done = action.done(await action.send(given(values())))
      dialog.close()
      announce(done)
      action.after?.()
    } catch (failure) {
      replace(problem, failure.message)
      send.disabled = false
      send.focus()
    }
  }

  form.addEventListener('input', update)
  form.addEventListener('submit', submit)
  update()
  ;(inputs[0]?.input ?? send).focus()
}

/** Opens a dialog with a title. The dialog is removed once it is closed. */
export function open(title, ...children) {
  const heading = h('h2', { id: uniqueId('title') }, title)
  const dialog = h('dialog', { 'class': 'card', 'aria-labelledby': heading.id }, heading, children)
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
  return dialog
}

/** Creates a button that closes its dialog. */
export function closer(title) {
  const close = ({ target }) => target.closest('dialog').close()
  return h('button', { type: 'button', class: 'quiet', on: { click: close } }, title)
}

/** Returns the values that are not empty. */
function given(values) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
}

function inputOf({ name, label, value = '', digits, form, words, required }) {
  const id = uniqueId('field')
  const input = h('input', {
    id,
    name,
    value,
    class: 'id-line',
    autocomplete: 'off',
    spellcheck: 'false',
    inputmode: digits ? 'numeric' : 'text',
  })
  const complaint = () => {
    const text = input.value.trim()
    if (text === '') return required ? `${label}: write something.` : ''
    if (form && !form.test(text)) return `${label}: write ${words}.`
    if (!digits) return ''
    if (!/^\d+$/.test(text)) return `${label}: write digits alone.`
    const { least, most } = digits
    const isWithin = BigInt(text) >= least && BigInt(text) <= most
    return isWithin ? '' : `${label}: write a number from ${grouped(least)} to ${grouped(most)}.`
  }
  const complain = () => {
    const why = complaint()
    input.setAttribute('aria-invalid', String(why !== ''))
    return why
  }
  const element = h('p', { class: 'field' }, h('label', { for: id }, label), input)
  return { name, input, element, complain, complaint }
}
