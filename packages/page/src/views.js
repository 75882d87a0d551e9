// Workers, stores, tokens, other servers and errors.

import { h, replace } from '../../explorer/src/elements.js'
import { plural } from '../../explorer/src/moments.js'
import { creating, evicting, changing, raising, rowsOf } from './actions.js'
import { confirm } from './dialogs.js'
import { ago, moment, plain, span, whole } from './figures.js'
import { failureOf } from './sources.js'

/** The most rows of a store that are shown. A search finds the others. */
const ROWS_MAX = 200

/** Creates a table with titles, or the text `empty` if there is no row. */
function table(label, titles, rows, empty) {
  if (rows.length === 0) return h('p', { class: 'soft nothing' }, empty)
  return h(
    'div',
    { 'class': 'scroller', 'tabindex': '0', 'role': 'region', 'aria-label': label },
    h(
      'table',
      { class: 'rows' },
      h('thead', {}, h('tr', {}, ...titles.map(title => h('th', { scope: 'col' }, title)))),
      h('tbody', {}, ...rows.map(cells => h('tr', {}, ...cells.map(cellOf)))),
    ),
  )
}

function cellOf(content, at) {
  return at === 0 ? h('th', { scope: 'row' }, content) : h('td', {}, content)
}

/** Creates a view that is drawn again with each state, unless nothing in it has changed. */
function makeView(title, words, draw) {
  const element = h('div', {}, h('h2', {}, title), h('p', { class: 'soft' }, words))
  const content = h('div', {})
  element.append(content)
  let last
  function show(state) {
    const { text, children } = draw(state)
    if (text === last) return
    last = text
    replace(content, ...children)
  }
  return { element, show }
}

export function makeWorkers() {
  const words =
    'The worker IDs that this server mints under. A lease is ended where its store lists it: ' +
    'under Stores.'
  return makeView('Worker IDs', words, state => {
    const own = [...state.sources.values()].filter(({ now }) => now.worker)
    const rows = own.map(({ name, of, now: { worker } }) => [
      name,
      String(worker.worker_id),
      worker.lease_age_ms === undefined ? 'fixed' : span(worker.lease_age_ms / 1000),
      span((worker.reserved_until_ms - state.at_ms) / 1000),
      worker.reserve_ms === undefined ? '–' : span(worker.reserve_ms / 1000),
      worker.clock_offset_ms === undefined ? '–' : `${worker.clock_offset_ms} ms`,
      worker.borrowed_ms === undefined ? '–' : `${worker.borrowed_ms} ms`,
      whole(worker.rollbacks),
      moment(of.layout_ends_ms),
    ])
    const titles = ['Source', 'Worker ID', 'Held for', 'Reserved', 'Reservation', 'Clock', 'Borrowed', 'Rollbacks', 'Layout ends']
    const empty = 'No source of this server mints under a worker ID.'
    return { text: JSON.stringify(rows), children: [table('Worker IDs', titles, rows, empty)] }
  })
}

function allowed({ leases, reads, public_ids: publicIds = [] }) {
  const types = publicIds.map(type => (type === '*' ? 'all public IDs' : `public IDs of ${type}`))
  return [leases && 'leases', reads && 'reads', ...types].filter(Boolean)
}

export function makeTokens() {
  const words = 'Who may ask for what, and who did since the start. What a token is, only its holder knows.'
  return makeView('Tokens', words, ({ tokens, at_ms: atMs }) => {
    if (!tokens) {
      const open = 'Nobody needs a token here: tokens.file is not set.'
      return { text: 'open', children: [h('p', { class: 'soft nothing' }, open)] }
    }
    const rows = [...tokens.values()].map(({ name, of, now }) => [
      name,
      of.sources.map(source => (source === '*' ? 'all' : source)).join(', ') || 'none',
      allowed(of).join(', ') || '–',
      of.rate === undefined ? '–' : `${whole(of.rate)}/s`,
      whole(now.uses),
      ago(now.last_ms, atMs),
      now.clients?.join(', ') ?? '–',
    ])
    const titles = ['Token', 'Sources', 'May', 'Rate', 'Uses', 'Last', 'From']
    const empty = 'The file of tokens has none: `snowmint token create` makes one.'
    return { text: JSON.stringify(rows), children: [table('Tokens', titles, rows, empty)] }
  })
}

export function makeErrors() {
  const words = 'The last ones: the same of the same source are one, which counts.'
  return makeView('Errors', words, ({ errors }) => {
    const rows = errors.map(({ at_ms: atMs, count, code, event, source, detail }) => [
      moment(atMs),
      event ?? code ?? '–',
      source ?? '–',
      whole(count),
      h('span', { class: 'long' }, plain(detail)),
    ])
    const titles = ['Last', 'What', 'Source', 'Times', 'Words']
    const children = [table('Errors', titles, rows, 'Nothing has gone wrong since the start.')]
    return { text: JSON.stringify(errors), children }
  })
}

export function makeServers() {
  const words = 'Whose turn it is to give the numbers of ordered sources, as far as this server knows.'
  return makeView('Servers', words, ({ servers }) => {
    const rows = servers.map(({ address, is_self: isSelf, sources, why }) => [
      isSelf ? `${address} (this one)` : address,
      sources.join(', ') || '–',
      why ? plain(why) : 'answers',
    ])
    const empty = 'This server knows no other: it has no ordered source.'
    const children = [table('Servers', ['Server', 'Has the turn of', 'State'], rows, empty)]
    return { text: JSON.stringify(servers), children }
  })
}

export function makeStores({ announce }) {
  const words = 'Where numbers and worker IDs come from, as its sources see it.'
  return makeView('Stores', words, ({ stores }) => {
    const none = 'No source of this server has a store.'
    const children = stores.length
      ? stores.map(store => storeCard(store, announce))
      : [h('p', { class: 'soft nothing' }, none)]
    return { text: JSON.stringify(stores), children }
  })
}

function storeCard({ url, roles, sources, up, failure }, announce) {
  const rows = h('div', {})
  const list = (title, kind, draw) => {
    const load = async () => {
      try {
        const found = await rowsOf(kind, url)
        draw(rows, url, found, announce, load)
      } catch (failed) {
        replace(rows, h('p', { class: 'problem', role: 'alert' }, failed.message))
      }
    }
    return h('button', { type: 'button', class: 'quiet', on: { click: load } }, title)
  }
  const create = () => confirm(creating(url), announce)
  return h(
    'section',
    { class: 'card store' },
    h('h3', {}, h('code', {}, url)),
    h(
      'p',
      { class: up === false ? 'is-bad' : 'soft' },
      up === undefined ? 'not asked yet' : up ? 'up' : 'down',
      ` · ${plural(sources, 'source')} · for ${roles.join(', ')}`,
    ),
    failure && h('p', { class: failure.over ? 'soft' : 'problem' }, failureOf(failure)),
    h(
      'p',
      { class: 'buttons' },
      list('List tags', 'tags', drawTags),
      list('List worker IDs', 'workers', drawWorkers),
      h('button', { type: 'button', class: 'quiet', on: { click: create } }, 'Create a tag…'),
    ),
    rows,
  )
}

/** Draws rows that a search finds, a limited number at a time. */
function searched(place, label, rows, textOf, draw) {
  const found = h('div', {})
  const search = h('input', {
    'type': 'search',
    'class': 'id-line',
    'aria-label': `Search ${label}`,
    'placeholder': `Search ${label}`,
    'on': { input: show },
  })
  function show() {
    const text = search.value.trim().toLowerCase()
    const fitting = rows.filter(row => textOf(row).toLowerCase().includes(text))
    const more = fitting.length > ROWS_MAX && `The first ${ROWS_MAX} of ${whole(fitting.length)}.`
    replace(found, draw(fitting.slice(0, ROWS_MAX)), more && h('p', { class: 'hint' }, more))
  }
  replace(place, search, found)
  show()
}

function action(title, label, act) {
  const attributes = { 'type': 'button', 'class': 'copy', 'aria-label': label, 'on': { click: act } }
  return h('button', attributes, title)
}

function drawTags(place, store, rows, announce, load) {
  const titles = ['Tag', 'Next', 'Step', 'Updated', 'Moved to', 'Actions']
  const act = (make, row) => () => confirm({ ...make(store, row), after: load }, announce)
  searched(place, 'tags', rows, ({ tag }) => tag, some =>
    table(
      `Tags of ${store}`,
      titles,
      some.map(row => [
        row.tag,
        whole(row.next),
        whole(row.step),
        row.updated_ms ? moment(row.updated_ms) : '–',
        row.moved_to ?? '–',
        h(
          'span',
          { class: 'actions' },
          action('Change…', `Change ${row.tag}`, act(changing, row)),
          action('Raise…', `Raise ${row.tag}`, act(raising, row)),
        ),
      ]),
      'No tag is there.',
    ),
  )
}

function drawWorkers(place, store, rows, announce, load) {
  const titles = ['Worker ID', 'State', 'Held until', 'Holder', 'Realm', 'Actions']
  const evict = row => () => confirm({ ...evicting(store, row), after: load }, announce)
  searched(place, 'worker IDs', rows, ({ worker_id: worker, owner, realm }) => `${worker} ${owner} ${realm}`, some =>
    table(
      `Worker IDs of ${store}`,
      titles,
      some.map(row => [
        String(row.worker_id),
        row.held ? 'held' : 'free',
        moment(row.expires_ms),
        plain(row.owner),
        plain(row.realm),
        row.held ? action('End…', `End the lease of worker ID ${row.worker_id}`, evict(row)) : '–',
      ]),
      'Nobody ever took a worker ID there.',
    ),
  )
}
