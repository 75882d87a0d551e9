// The page: its views, the URL, and their common state.

import { init } from 'snowmint'
import { copyButton } from './clipboard.js'
import { h } from './elements.js'
import { readHash, writeHash } from './state.js'
import { makeTabs } from './tabs.js'
import { makeThemes } from './theme.js'
import { makeCompare } from './views/compare.js'
import { makeDecode } from './views/decode.js'
import { makeDesign } from './views/design.js'
import { makeMany } from './views/many.js'
import { makeRange } from './views/range.js'

const TABS = [
  { name: 'decode', title: 'Decode', make: makeDecode },
  { name: 'compare', title: 'Compare', make: makeCompare },
  { name: 'many', title: 'Many', make: makeMany },
  { name: 'range', title: 'Range', make: makeRange },
  { name: 'design', title: 'Design', make: makeDesign },
]

const main = document.getElementById('main')
const live = document.getElementById('live')
/**
 * The pause before the URL is set again. After many new URLs the browser refuses more for a while:
 * Safari after 100 in 10 seconds.
 */
const AGAIN_MS = 1000
/** The history state of pages that were shown before. */
const SEEN = 'seen'
/** The values that each view last had in the URL. */
const kept = {}
let present = null
let ownSpec
let again

makeThemes(document.getElementById('themes'))
document.getElementById('skip').addEventListener('click', () => main.focus())
start().catch(failure => {
  document.getElementById('boot').textContent =
    `The engine did not start: ${failure.message}. The page needs WebAssembly, and to be ` +
    `opened over HTTP.`
})

async function start() {
  await init()
  const app = { nowMs: Date.now, go, announce, own: () => ownSpec, setOwn }
  const views = Object.fromEntries(
    TABS.map(({ name, make }) => [
      name,
      make({ ...app, update: values => update(name, values), isShown: () => present === name }),
    ]),
  )
  const panels = TABS.map(({ name }) =>
    h(
      'div',
      {
        'class': 'view',
        'role': 'tabpanel',
        'id': `view-${name}`,
        'aria-labelledby': `tab-${name}`,
        'tabindex': '-1',
        'hidden': true,
      },
      views[name].element,
    ),
  )
  main.replaceChildren(...panels)
  const select = makeTabs(document.getElementById('tabs'), TABS, name => go(name, kept[name] ?? {}))

  function show({ view, values }, pasted) {
    const left = document.activeElement
    present = view
    kept[view] = values
    select(view)
    for (const panel of panels) panel.hidden = panel.id !== `view-${view}`
    document.title = `${TABS.find(({ name }) => name === view).title} · snowmint ID explorer`
    views[view].show(values, pasted)
    if (left?.closest('.view[hidden]')) keepFocus(left)
  }

  /**
   * Moves the focus along: from a text field to that of the new view, or from a link to the new
   * view.
   */
  function keepFocus(left) {
    const panel = panels.find(({ hidden }) => !hidden)
    const text = left.matches('textarea, input') && panel.querySelector('textarea, input')
    ;(text || panel).focus({ preventScroll: true })
  }

  /**
   * Goes to a view, with a text that was pasted elsewhere. The browser's back button leads back.
   */
  function go(view, values, pasted) {
    const hash = writeHash({ view, values })
    try {
      if (hash !== location.hash) history.pushState(SEEN, '', hash)
    } catch {
      // A later update sets the URL.
    }
    show({ view, values }, pasted)
  }

  // Links and the browser's back and forward cause this event. The browser restores the position
  // itself for back and forward.
  addEventListener('popstate', ({ state }) => {
    show(readHash(location.hash))
    if (state !== SEEN) scrollTo(0, 0)
  })
  show(readHash(location.hash))
  document.getElementById('share').append(
    ' ',
    copyButton('the link', () => location.href, announce, 'Copy the link'),
  )
  keepOffline()
}

/** Keeps the values of a view, in the URL if it is the current view. */
function update(view, values) {
  kept[view] = values
  if (view === present) writeUrl()
}

function writeUrl() {
  clearTimeout(again)
  try {
    history.replaceState(SEEN, '', writeHash({ view: present, values: kept[present] }))
  } catch {
    again = setTimeout(writeUrl, AGAIN_MS)
  }
}

/** Sets the layout that was designed last, which all views then offer. */
function setOwn(spec) {
  ownSpec = spec
}

function announce(text) {
  live.textContent = ''
  // Screen readers repeat the same words only if they were gone in between.
  requestAnimationFrame(() => {
    live.textContent = text
  })
}

function keepOffline() {
  // A page without a manifest is part of a server's page, which needs that server.
  const isOwn = document.querySelector('link[rel="manifest"]') !== null
  if (!isOwn || !('serviceWorker' in navigator) || !isSecureContext) return
  document.getElementById('offline').hidden = false
  navigator.serviceWorker.register('service-worker.js').catch(() => {
    // Without the worker the page works as before, as long as the server does.
  })
}
