// The page: its views, the URL, and what they share.

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
/** The browser takes no new URL for a while after too many of them: Safari 100 in 10 seconds. */
const AGAIN_MS = 1000
/** The state of what has been shown before. */
const SEEN = 'seen'
/** What each view last had in the URL. */
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

  /** The focus goes along: from a text to where it is now, from a link to what it led to. */
  function keepFocus(left) {
    const panel = panels.find(({ hidden }) => !hidden)
    const text = left.matches('textarea, input') && panel.querySelector('textarea, input')
    ;(text || panel).focus({ preventScroll: true })
  }

  /** Goes to a view, with a text that was pasted elsewhere; the way back is the browser's. */
  function go(view, values, pasted) {
    const hash = writeHash({ view, values })
    try {
      if (hash !== location.hash) history.pushState(SEEN, '', hash)
    } catch {
      // The URL follows when it can.
    }
    show({ view, values }, pasted)
  }

  // Comes of links and of the browser's back and forward alike; these know where they were.
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

/** Keeps what a view shows, in the URL while it is the present one. */
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

/** The layout that was designed last: to be chosen everywhere. */
function setOwn(spec) {
  ownSpec = spec
}

function announce(text) {
  live.textContent = ''
  // The same words again are read again only if they were gone in between.
  requestAnimationFrame(() => {
    live.textContent = text
  })
}

function keepOffline() {
  // What cannot be installed is a part of a server's page, which needs that server.
  const isOwn = document.querySelector('link[rel="manifest"]') !== null
  if (!isOwn || !('serviceWorker' in navigator) || !isSecureContext) return
  document.getElementById('offline').hidden = false
  navigator.serviceWorker.register('service-worker.js').catch(() => {
    // Without it the page works as before, as long as the server does.
  })
}
