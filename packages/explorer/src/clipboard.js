// Buttons that copy.

import { h } from './elements.js'

const SHOWN_MS = 1600

/** Creates a button that copies the result of `text()`. `what` names it for screen readers. */
export function copyButton(what, text, announce, label = 'Copy') {
  const button = h(
    'button',
    {
      'type': 'button',
      'class': 'copy',
      'aria-label': `Copy ${what}`,
      'on': { click: copy },
    },
    label,
  )
  let timer

  async function copy() {
    const done = await write(text())
    button.textContent = done ? 'Copied' : 'Not copied'
    announce(done ? `Copied ${what}` : 'The browser does not let this page copy')
    clearTimeout(timer)
    timer = setTimeout(() => {
      button.textContent = label
    }, SHOWN_MS)
  }

  return button
}

async function write(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return writeBySelection(text)
  }
}

/** Copies through the selection, because pages without HTTPS have no other clipboard. */
function writeBySelection(text) {
  const present = document.activeElement
  const area = h('textarea', { 'class': 'unseen', 'aria-hidden': 'true' })
  area.value = text
  document.body.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  present?.focus()
  return done
}
