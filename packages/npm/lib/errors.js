'use strict'
// Errors: one table of codes, the same in every language.

const native = require('./native.js')

/** Every code: `{ number, name, summary }`, in rising order of the numbers. */
const errorCodes = []
const names = new Map()
const numbers = new Map()

native.ready(() => {
  for (const row of native.codes()) {
    errorCodes.push(Object.freeze(row))
    names.set(row.number, row.name)
    numbers.set(row.name, row.number)
  }
  Object.freeze(errorCodes)
})

class SnowmintError extends Error {
  constructor(code, message, options = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.number = numbers.get(code)
    if (options.waitMs !== undefined) this.waitMs = options.waitMs
  }
}
Object.defineProperty(SnowmintError.prototype, 'name', { value: 'SnowmintError', writable: true, configurable: true })

/** A TypeError or RangeError with a code. */
function withCode(error, code = 'invalid_parameter') {
  error.code = code
  error.number = numbers.get(code)
  return error
}

/** What was thrown by stores written in JavaScript, by how it prints; the last ones. */
const thrown = new Map()
const THROWN_MAX = 100

function remember(value) {
  const text = String(value instanceof Error ? (value.stack ?? value) : value)
  thrown.delete(text)
  thrown.set(text, value)
  if (thrown.size > THROWN_MAX) thrown.delete(thrown.keys().next().value)
  return text
}

native.raiseBy((number, message, waitMs, text) => {
  const cause = text == null ? undefined : thrown.has(text) ? thrown.get(text) : new Error(text)
  return new SnowmintError(names.get(number), message, { waitMs: waitMs ?? undefined, cause })
})

module.exports = { SnowmintError, errorCodes, numbers, remember, withCode }
