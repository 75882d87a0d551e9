// Creates elements. Text always stays text: nothing here parses HTML.

const SVG = 'http://www.w3.org/2000/svg'
/** The longest text that a text field shows at once without a wait. */
export const SHOWN_MAX = 20_000
const PAUSE_MS = 80
let numbered = 0

/**
 * Creates an element. In the attributes, `on` has listeners, `true` sets an attribute without a
 * value, and `false`, `null` and `undefined` omit it.
 */
export function h(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children)
}

/** Creates an element of SVG. */
export function s(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children)
}

/** Returns a new ID, for elements that refer to each other. */
export function uniqueId(name) {
  return `${name}-${++numbered}`
}

/** Replaces the children of an element. It skips `null`, `false` and `''`. */
export function replace(element, ...children) {
  element.replaceChildren(...present(children))
}

/**
 * Calls `action` once after calls have paused, because programs type a line at a time. `cancel()`
 * drops the pending call.
 */
export function whenPaused(action) {
  let timer
  const cancel = () => clearTimeout(timer)
  const call = () => {
    cancel()
    timer = setTimeout(action, PAUSE_MS)
  }
  return Object.assign(call, { cancel })
}

/**
 * Passes long texts that are pasted or dropped to `take`, because the text field would take seconds
 * to show them.
 */
export function takeLongTexts(area, take) {
  const intercept = event => {
    const text = (event.clipboardData ?? event.dataTransfer)?.getData('text') ?? ''
    if (text.length <= SHOWN_MAX) return
    event.preventDefault()
    take(text)
  }
  area.addEventListener('paste', intercept)
  area.addEventListener('drop', intercept)
}

function fill(element, { on = {}, ...attributes }, children) {
  for (const [event, listener] of Object.entries(on)) element.addEventListener(event, listener)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, '')
    else if (value !== false && value != null) element.setAttribute(name, value)
  }
  element.append(...present(children))
  return element
}

function present(children) {
  return children
    .flat()
    .filter(child => child !== null && child !== undefined && child !== false && child !== '')
}
