import { parse } from 'snowmint'
import { refusal } from './errors.js'

/** Reads an ID from a path, a query or a body: decimal digits as a string. */
export function readId(text) {
  try {
    const id = parse(text, 'dec') // throws for a number, which was rounded before it came
    // A BIGINT column ends at 2^63 - 1. Each ID has one text, so 007 is refused.
    if (id < 2n ** 63n && String(id) === text) return id
  } catch {} // answered below
  throw refusal(400, 'not an ID')
}

/** Reads a time as `toISOString()` writes it: 2026-01-31T12:00:00.000Z. */
function readTime(text) {
  const time = new Date(text)
  if (!Number.isNaN(time.getTime()) && time.toISOString() === text) return time
  throw refusal(400, 'not a time')
}

// undefined stays undefined, so a PATCH keeps the field, and null stays null.
const optional = read => value => (value === undefined || value === null ? value : read(value))
export const readOptionalId = optional(readId)
const readOptionalTime = optional(readTime)

/** Reads the query of a list. */
export function readPage(query) {
  const { after, begin, end } = query
  return { after: readOptionalId(after), begin: readOptionalTime(begin), end: readOptionalTime(end) }
}
