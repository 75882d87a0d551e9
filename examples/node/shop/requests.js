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

/** Reads an ID that may be null, or missing: undefined stays undefined, so a PATCH keeps the field. */
export const readOptionalId = value => (value === undefined || value === null ? value : readId(value))

/** Reads the query of a list. */
export function readPage(query) {
  const { after = '0', begin, end } = query
  return {
    after: readId(after),
    begin: begin === undefined ? undefined : readTime(begin),
    end: end === undefined ? undefined : readTime(end),
  }
}
