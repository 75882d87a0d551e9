// Filters and sorts rows.

/** The value that each column is sorted by. `null` comes last in both directions. */
const KEYS = {
  name: row => row.name,
  kind: row => row.of.kind,
  ready: row => (row.now.ready ? 1 : 0),
  left: row => leftOf(row.now),
  step: row => numberOf(row.now.step),
  rate: row => row.now.rate_per_s ?? null,
  runway: row => row.now.runway_s ?? null,
  issued: row => numberOf(row.now.issued),
}

/** Returns true if the order by a column changes while the server runs. */
export function isLive(key) {
  return key !== 'name' && key !== 'kind'
}

/**
 * Returns the rows whose name, tag, store or kind contains each word of `text`, sorted by `key`.
 */
export function arranged(rows, { text = '', key = 'name', down = false }) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = row => words.every(word => haystack(row).includes(word))
  const found = words.length ? [...rows].filter(fits) : [...rows]
  const keyed = found.map(row => [KEYS[key](row), row])
  keyed.sort(([a, one], [b, other]) => compare(a, b, down) || compare(one.name, other.name))
  return keyed.map(([, row]) => row)
}

/** Returns how many numbers are at hand. */
export function leftOf({ buckets }) {
  if (!buckets?.length) return null
  return buckets.reduce((sum, { left }) => sum + Number(left), 0)
}

function numberOf(digits) {
  return digits === undefined ? null : Number(digits)
}

function haystack({ name, of, now }) {
  const state = now.ready ? 'ready' : 'not-ready'
  return `${name} ${of.tag ?? ''} ${of.store ?? ''} ${of.kind} ${state}`.toLowerCase()
}

function compare(a, b, down = false) {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return (a < b ? -1 : 1) * (down ? -1 : 1)
}
