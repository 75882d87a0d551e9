import { parse } from 'snowmint'

/** Reads an ID from a path, a query or a body: decimal digits as a string. */
export function readId(text) {
  try {
    const id = parse(text, 'dec') // throws for a number, which was rounded before it came
    // A BIGINT column ends at 2^63 - 1. Each ID has one text, so 007 is refused.
    if (id < 2n ** 63n && String(id) === text) return id
  } catch {} // answered below
  throw Object.assign(new Error('not an ID'), { status: 400, statusCode: 400 })
}

/** Reads an ID that may be missing, or null. Not for a PATCH, in which a missing field changes nothing. */
export const readOptionalId = value => (value === undefined || value === null ? null : readId(value))
