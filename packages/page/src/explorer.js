// The ID explorer, in a frame: only this separate document may run WebAssembly.

import { h } from '../../explorer/src/elements.js'

export function makeExplorer() {
  const frame = h('iframe', { class: 'explorer', title: 'ID explorer' })
  // The frame is as high as its content, so that only the page scrolls.
  const fit = new ResizeObserver(([{ target }]) => {
    frame.style.height = `${Math.ceil(target.getBoundingClientRect().height)}px`
  })
  frame.addEventListener('load', () => {
    fit.disconnect()
    // There is no document if it did not load.
    const inner = frame.contentDocument?.documentElement
    if (inner) fit.observe(inner)
  })

  /**
   * Opens the explorer at `what`, for example `decode?id=1`. If it is empty, the last state stays
   * open.
   */
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

/** Returns true if a text may be an ID: one word of 6 or more symbols, with a digit. */
export function mayBeId(text) {
  return /^(?=.*\d)[\w-]{6,}$/.test(text)
}

/** Returns the page's address that decodes an ID. */
export function placeOfId(text) {
  return `#explorer/decode?id=${encodeURIComponent(text)}`
}
