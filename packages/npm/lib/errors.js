'use strict'
// Errors: one table of codes, the same in every language.

const { escaped } = require('./escaped.js')
const native = require('./native.js')
const { table } = require('./tables.js')

/** Every code: `{ number, name, summary }`, in ascending order of the numbers. */
const errorCodes = table(() => native.codes().map(Object.freeze))

function numberOf(code) {
  return errorCodes.find(({ name }) => name === code)?.number
}

class SnowmintError extends Error {
  constructor(code, message, options) {
    super(message === undefined ? message : escaped(message), options)
    const number = numberOf(code)
    // Without an engine there are no codes either.
    if (number === undefined && errorCodes.length > 0) {
      const expected = "a name of errorCodes, as 'lease_lost'"
      throw withCode(new TypeError(`the code should be ${expected}, not ${escaped(String(code))}`))
    }
    Object.assign(this, { code, number })
    if (options?.waitMs !== undefined) this.waitMs = options.waitMs
  }

  get name() {
    return 'SnowmintError'
  }
}

/** Adds a code to a TypeError or RangeError. */
function withCode(error, code = 'invalid_parameter') {
  return Object.assign(error, { code, number: numberOf(code) })
}

native.raiseBy((number, message, options) => (
  new SnowmintError(errorCodes.find(known => known.number === number)?.name, message, options)
))

module.exports = { SnowmintError, errorCodes, numberOf, withCode }
