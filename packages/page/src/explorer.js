// The ID explorer, in a frame: a document of its own, in which alone WebAssembly may run.

import { h } from './elements.js'

export function makeExplorer() {
  const frame = h('iframe', { class: 'explorer', title: 'ID explorer' })
  // As high as what is in it, so that the page alone scrolls.
  const fit = new ResizeObserver(([{ target }]) => {
    frame.style.height = `${Math.ceil(target.getBoundingClientRect().height)}px`
  })
  frame.addEventListener('load', () => {
    fit.disconnect()
    // None of a document that did not come.
    const inner = frame.contentDocument?.documentElement
    if (inner) fit.observe(inner)
  })

  /** Opens what the explorer has at `what`, as `decode?id=1`; where that is empty, what was open. */
  function open(what) {
    const place = `explorer/${what && `#${what}`}`
    if (!frame.hasAttribute('src') || !frame.contentDocument) frame.src = place
    else if (what) frame.contentWindow.location.replace(place)
  }

  return {
    element: h('div', {}, h('h1', { class: 'unseen' }, 'ID explorer'), frame),
    show: () => {},
    open,
  }
}

/** Whether a text may be an ID: one word of some length, with a digit. */
export function mayBeId(text) {
  return /^(?=.*\d)[\w-]{6,}$/.test(text)
}

/** Where the page shows what an ID says. */
export function placeOfId(text) {
  return `#explorer/decode?id=${encodeURIComponent(text)}`
}
