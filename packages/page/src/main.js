// The page: the server's current activity, in several views.

import { h, replace } from '../../explorer/src/elements.js'
import { makeTabs } from '../../explorer/src/tabs.js'
import { makeThemes } from '../../explorer/src/theme.js'
import { reloading } from './actions.js'
import { confirm } from './dialogs.js'
import { makeExplorer } from './explorer.js'
import { span, whole } from './figures.js'
import { follow } from './live.js'
import { makeSources } from './sources.js'
import { makeErrors, makeServers, makeStores, makeTokens, makeWorkers } from './views.js'

const TABS = [
  { name: 'sources', title: 'Sources', make: makeSources },
  { name: 'workers', title: 'Worker IDs', make: makeWorkers },
  { name: 'stores', title: 'Stores', make: makeStores },
  { name: 'servers', title: 'Servers', make: makeServers },
  { name: 'tokens', title: 'Tokens', make: makeTokens },
  { name: 'errors', title: 'Errors', make: makeErrors },
  { name: 'explorer', title: 'ID explorer', make: makeExplorer },
]

const main = document.getElementById('main')
const live = document.getElementById('live')
const link = document.getElementById('link')
let present = null
let state = null
let views = null
let isHeard = true
let select

makeThemes(document.getElementById('themes'))
document.getElementById('skip').addEventListener('click', () => main.focus())
addEventListener('hashchange', () => views && look())
follow(show, heard)

function show(next) {
  state = next
  if (!views) begin()
  tell()
  views[present].show(state)
}

function begin() {
  views = Object.fromEntries(TABS.map(({ name, make }) => [name, make({ announce })]))
  const panels = TABS.map(({ name }) =>
    h(
      'div',
      {
        'class': 'view',
        'role': 'tabpanel',
        'id': `view-${name}`,
        'aria-labelledby': `tab-${name}`,
        'hidden': true,
      },
      views[name].element,
    ),
  )
  const reload = () => confirm(reloading(), announce)
  main.replaceChildren(
    h(
      'div',
      { id: 'now' },
      h(
        'div',
        { class: 'title-row' },
        h('h1', {}, 'What this server is doing'),
        h('button', { type: 'button', class: 'quiet', on: { click: reload } }, 'Reload…'),
      ),
      h('dl', { class: 'tiles', id: 'tiles' }),
    ),
    ...panels,
  )
  select = makeTabs(document.getElementById('tabs'), TABS, name => {
    location.hash = name
    look()
  })
  look()
}

/**
 * Shows the view that the address names, for example `#workers`, or a place in a view, for example
 * `#explorer/decode?id=1`.
 */
function look() {
  const [, name, what] = /^#?([^/]*)\/?(.*)$/s.exec(location.hash)
  present = Object.hasOwn(views, name) ? name : TABS[0].name
  select(present)
  for (const { name: other } of TABS) {
    document.getElementById(`view-${other}`).hidden = other !== present
  }
  // The server's activity says nothing about IDs from elsewhere.
  document.getElementById('now').hidden = present === 'explorer'
  document.title = `${TABS.find(tab => tab.name === present).title} · snowmint server`
  views[present].open?.(what)
  views[present].show(state)
}

/** Shows the figures at the top. */
function tell() {
  const sources = [...state.sources.values()]
  const waiting = sources.filter(({ now }) => !now.ready).length
  const down = state.stores.filter(({ up }) => up === false).length
  const word = state.phase === 'serving' ? (state.ready ? 'ready' : 'not ready') : state.phase
  const tiles = [
    isHeard ? ['State', word, !state.ready] : ['State', 'no answer', true, `was ${word}`],
    ['Sources', whole(sources.length), waiting > 0, waiting > 0 && `${whole(waiting)} not ready`],
    ['Stores', whole(state.stores.length), down > 0, down > 0 && `${whole(down)} down`],
    ['Connections', whole(state.connections)],
    ['Up for', span(state.uptime_ms / 1000), false],
    ['Version', state.version, false, state.instance],
  ]
  replace(document.getElementById('tiles'), ...tiles.map(tile))
}

function tile([title, value, isBad, more]) {
  return h(
    'div',
    { class: isBad ? 'tile is-bad' : 'tile' },
    h('dt', {}, title),
    h('dd', {}, h('b', {}, value), more && h('span', { class: 'soft' }, more)),
  )
}

function heard(is) {
  const words = is ? 'Live' : 'The server does not answer: trying again'
  if (link.textContent !== words) link.textContent = words
  link.classList.toggle('is-bad', !is)
  if (isHeard === is) return
  isHeard = is
  if (views) tell()
}

function announce(text) {
  live.textContent = ''
  // Screen readers repeat the same words only if they were gone in between.
  requestAnimationFrame(() => {
    live.textContent = text
  })
}
