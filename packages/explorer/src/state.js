// The state of the page, in the part of the URL that is never sent: `#decode?id=…&layout=…`.

const VIEWS = ['decode', 'compare', 'many', 'range', 'design']

/** The values that each view keeps in the URL. */
const KEYS = {
  decode: ['id', 'form', 'layout'],
  compare: ['a', 'b', 'layout'],
  many: ['ids', 'layout', 'mod', 'of'],
  range: ['from', 'to', 'layout'],
  design: ['fields', 'epoch', 'tick', 'code'],
}
/** The length of the longest link. Mail and chat programs cut longer ones. */
export const LINK_MAX = 6000

/** Returns the state of a hash. Of a hash that makes no sense it returns the readable part. */
export function readHash(hash) {
  const [, name = '', query = ''] = /^#?([a-z]*)(?:\?(.*))?$/s.exec(hash) ?? []
  const view = VIEWS.includes(name) ? name : 'decode'
  const given = new URLSearchParams(query)
  const values = {}
  for (const key of KEYS[view]) {
    // The page makes no longer links, so the value is not its own.
    if (given.has(key) && given.get(key).length <= LINK_MAX) values[key] = given.get(key)
  }
  return { view, values }
}

/** Returns the hash of a state. It omits empty values, and values that are too long for a link. */
export function writeHash({ view, values = {} }) {
  const query = KEYS[view]
    .filter(key => values[key] !== undefined && values[key] !== '')
    .filter(key => String(values[key]).length <= LINK_MAX)
    .map(key => `${key}=${encode(String(values[key]))}`)
  return query.length ? `#${view}?${query.join('&')}` : `#${view}`
}

/** Returns many IDs for a link, as base 36 numbers, or `null` if they are too many. */
export function packIds(ids) {
  if (ids.length === 0 || ids.length > LINK_MAX / 4) return null
  const packed = Array.from(ids, id => id.toString(36)).join('.')
  return packed.length <= LINK_MAX ? packed : null
}

/** Returns the IDs of {@link packIds}, or `null` for another text. */
export function unpackIds(packed) {
  if (!/^[0-9a-z]{1,13}(\.[0-9a-z]{1,13})*$/.test(packed)) return null
  const ids = packed
    .split('.')
    .map(digits => [...digits].reduce((sum, digit) => sum * 36n + BigInt(parseInt(digit, 36)), 0n))
  return ids.every(id => id < 1n << 64n) ? ids : null
}

/** Encodes like encodeURIComponent, except for symbols that a fragment may contain as they are. */
function encode(text) {
  return encodeURIComponent(text).replace(/%(3A|2C|40|2F|3D)/g, (_, hex) =>
    String.fromCharCode(parseInt(hex, 16)),
  )
}
