import { parse } from 'snowmint'

/** Reads an ID from a path, a query or a body: decimal digits as a string. */
export function readId(text) {
  try {
    return parse(text, 'dec') // a number is an error: it was rounded before it came
  } catch {
    throw Object.assign(new Error('not an ID'), { status: 400, statusCode: 400 })
  }
}
