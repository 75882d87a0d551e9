// What the page shows, in the part of the URL that is never sent: `#decode?id=…&layout=…`.

const VIEWS = ['decode', 'compare', 'many', 'range', 'design']

/** What each view keeps in the URL. */
const KEYS = {
  decode: ['id', 'form', 'layout'],
  compare: ['a', 'b', 'layout'],
  many: ['ids', 'layout', 'mod', 'of'],
  range: ['from', 'to', 'layout'],
  design: ['fields', 'epoch', 'tick', 'code'],
}
/** Links longer than this are cut by mail and chat programs. */
export const LINK_MAX = 6000

/** The state of a hash; of one that makes no sense what can be told. */
export function readHash(hash) {
  const [, name = '', query = ''] = /^#?([a-z]*)(?:\?(.*))?$/s.exec(hash) ?? []
  const view = VIEWS.includes(name) ? name : 'decode'
  const given = new URLSearchParams(query)
  const values = {}
  for (const key of KEYS[view]) {
    // What is longer than any link of the page is none of its own.
    if (given.has(key) && given.get(key).length <= LINK_MAX) values[key] = given.get(key)
  }
  return { view, values }
}

/** The hash of a state; what is empty is left out, and what is too long for a link. */
export function writeHash({ view, values = {} }) {
  const query = KEYS[view]
    .filter(key => values[key] !== undefined && values[key] !== '')
    .filter(key => String(values[key]).length <= LINK_MAX)
    .map(key => `${key}=${encode(String(values[key]))}`)
  return query.length ? `#${view}?${query.join('&')}` : `#${view}`
}

/** Many IDs for a link, as base 36 numbers; `null` where they are too many for one. */
export function packIds(ids) {
  if (ids.length === 0 || ids.length > LINK_MAX / 4) return null
  const packed = Array.from(ids, id => id.toString(36)).join('.')
  return packed.length <= LINK_MAX ? packed : null
}

/** The IDs of {@link packIds}; `null` for another text. */
export function unpackIds(packed) {
  if (!/^[0-9a-z]{1,13}(\.[0-9a-z]{1,13})*$/.test(packed)) return null
  const ids = packed
    .split('.')
    .map(digits => [...digits].reduce((sum, digit) => sum * 36n + BigInt(parseInt(digit, 36)), 0n))
  return ids.every(id => id < 1n << 64n) ? ids : null
}

/** As encodeURIComponent, without what a fragment may hold as it is. */
function encode(text) {
  return encodeURIComponent(text).replace(/%(3A|2C|40|2F|3D)/g, (_, hex) =>
    String.fromCharCode(parseInt(hex, 16)),
  )
}
