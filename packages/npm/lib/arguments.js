'use strict'
// Checks what users pass. What comes through is in range for the addon.

const native = require('./native.js')
const { SnowmintError, withCode } = require('./errors.js')
const { escaped } = require('./escaped.js')

const NARROW_MAX = 2 ** 32 - 1
/** So much of a value is kept at each end. */
const END_LENGTH = 500

function shown(value) {
  if (typeof value === 'bigint') return shortened(`${value}n`)
  if (typeof value === 'string') return escaped(shortened(JSON.stringify(value)))
  if (value instanceof Date) return String(value)
  return value && typeof value === 'object' ? 'an object' : escaped(shortened(String(value)))
}

/** Text of a message, the middle of a long one left out. */
function shortened(text) {
  if (text.length <= 2 * END_LENGTH) return text
  const left = text.length - 2 * END_LENGTH
  return `${text.slice(0, END_LENGTH)} … ${left} characters left out … ${text.slice(-END_LENGTH)}`
}

/** The value, if it is right; the rest is for the error. */
function typed(isRight, name, expected, value, which = '', Type = TypeError) {
  if (isRight) return value
  throw withCode(new Type(`${name} should be ${expected}${which}, not ${shown(value)}`))
}

function ranged(isRight, name, expected, value, which) {
  return typed(isRight, name, expected, value, which, RangeError)
}

/** The error for a value that its option does not have. */
function impossible(name, value, expected) {
  return new SnowmintError('invalid_parameter', `${name}=${shown(value)} is not possible: use ${expected}`)
}

/** As it was `given`; from 0 on there may be more than its use allows. */
function bits64(value, name, given = value, expected = 'from 0 to 2^64 - 1') {
  ranged(BigInt.asUintN(64, value) === value, name, expected, given)
  return value
}

/** An ID: a bigint, or its decimal digits. */
function id(value) {
  if (typeof value === 'string') return native.parseText(value, 'dec')
  // Numbers above 2^53 lose digits.
  return bits64(typed(typeof value === 'bigint', 'the ID', 'a bigint or its digits', value), 'the ID')
}

/** An unsigned integer, given as number or bigint. */
function unsigned(value, name) {
  return bits64(integer(value, name), name, value, notBelow(value))
}

/** A sequence's: mostly an ID, and so its digits as well. */
function key(value) {
  if (typeof value === 'string') return native.parseText(value, 'dec')
  return bits64(integer(value, 'key', 'a bigint, a number or decimal digits'), 'key', value, notBelow(value))
}

/** What its use allows is the use's to say. */
function notBelow(value) {
  return value < 0 ? 'an integer that is not negative' : 'below 2^64'
}

/** How many numbers are reserved at once. */
function step(value, name) {
  return bits64(integer(value, name), name, value, `an integer from 1 to ${native.limits().maxStep}`)
}

/** The same, also as decimal digits: as databases give what a number does not hold. */
function unsignedOrDigits(value, name) {
  const isDigits = typeof value === 'string' && /^\d{1,20}$/.test(value)
  const wide = isDigits ? BigInt(value) : integer(value, name, 'a bigint, a number or decimal digits')
  return bits64(wide, name)
}

function integer(value, name, expected = 'a number or bigint') {
  if (typeof value === 'bigint') return value
  typed(typeof value === 'number', name, expected, value)
  return BigInt(ranged(Number.isSafeInteger(value), name, 'an integer below 2^53, or a bigint', value))
}

/** A moment: a Date, or Unix milliseconds. */
function time(value, name) {
  if (value instanceof Date) ranged(!Number.isNaN(Number(value)), name, 'a valid Date', value)
  const wide = integer(value instanceof Date ? Number(value) : value, name, 'a Date or Unix milliseconds')
  return ranged(BigInt.asIntN(64, wide) === wide, name, 'within 64 bits', wide)
}

/** A number from 0 to `max`; without one as the addon takes it, which knows what its use allows. */
function narrow(value, name, max) {
  typed(typeof value === 'number', name, 'a number', value)
  const isRight = value >= 0 && value <= (max ?? NARROW_MAX) && value % 1 === 0
  if (max !== undefined) return ranged(isRight, name, 'an integer from 0 to ', value, max)
  const expected = value > NARROW_MAX ? `at most ${NARROW_MAX}` : 'an integer that is not negative'
  return ranged(isRight, name, expected, value)
}

function wait(value, name = 'waitMs') {
  return narrow(value, name, Number.MAX_SAFE_INTEGER)
}

function text(value, name) {
  return typed(typeof value === 'string', name, 'a string', value)
}

function instance(value, type, name) {
  return typed(value instanceof type, name, 'a ', value, type.name)
}

/**
 * Bytes, be they made in another realm, as Buffers are in jsdom, which no message repeats: whatever stands in their
 * place may be the secret.
 */
function hidden(value, name) {
  if (ArrayBuffer.isView(value) && value[Symbol.toStringTag] === 'Uint8Array') return value
  throw withCode(new TypeError(`${name} should be a Uint8Array, not of the type ${typeof value}`))
}

function callable(value, name) {
  return typed(typeof value === 'function', name, 'a function', value)
}

/** What is looked at elsewhere. */
function any(value) {
  return value
}

/** How many IDs, from 1 to `max`. */
function count(value, max) {
  typed(typeof value === 'number', 'count', 'a number', value)
  ranged(Number.isInteger(value), 'count', 'an integer from 1 to ', value, max)
  if (value >= 1 && value <= max) return value
  throw new SnowmintError('count_out_of_range', `${value} is out of range: use 1 to ${max}`)
}

/** A version of UUIDs. */
function version(value) {
  typed(typeof value === 'number', 'version', 'the number 4 or 7', value)
  return ranged(value === 4 || value === 7, 'version', '4 or 7', value)
}

/** Many of something, each checked; an error says which was wrong. A text is one. */
function each(values, name, checked) {
  const isMany = typeof values === 'object' && typeof values?.[Symbol.iterator] === 'function'
  return Array.from(typed(isMany, name, 'an array, or another iterable', values), (value, at) => {
    try {
      return checked(value)
    } catch (error) {
      throw placed(error, at)
    }
  })
}

/** The error of what stands at an index. */
function placed(error, index) {
  const { message, stack } = error
  error.message = `at index ${index}: ${message}`
  error.stack = stack.replace(message, () => error.message)
  return error
}

/** A `BigUint64Array`. */
function ids(value) {
  return instance(value, BigUint64Array, 'array')
}

/**
 * An options object without keys that nobody knows, each checked by its function; `known` are those
 * to be told.
 */
function options(value, checks, name = 'options', known = Object.keys(checks)) {
  // A date is one as well, and has no keys that could be wrong.
  const isObject = value && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date)
  // Of a URL nothing is shown: it may have a password.
  if (typeof value === 'string' && /^[a-z\d+]+:/i.test(value)) {
    throw withCode(new TypeError(`${name} should be an object, not a text: a URL is opened by open(url)`))
  }
  typed(isObject, name, 'an object', value)
  const checked = {}
  for (const [key, given] of Object.entries(value)) {
    if (!Object.hasOwn(checks, key)) {
      const others = known.length > 0 ? `there are ${known.join(', ')}` : 'there are none'
      throw withCode(new TypeError(`${name} has no ${escaped(key)}; ${others}`), 'unknown_parameter')
    }
    if (given !== undefined) checked[key] = checks[key](given, key)
  }
  return checked
}

/** The value of an option that has to be there. */
function needed(checked, key, what, one = key) {
  if (checked[key] === undefined) throw withCode(new TypeError(`${what} needs ${one}`))
  return checked[key]
}

module.exports = {
  any, callable, count, each, hidden, id, ids, impossible, instance, key, narrow, needed, options, ranged, shown, step,
  text, time, typed, unsigned, unsignedOrDigits, version, wait,
}
