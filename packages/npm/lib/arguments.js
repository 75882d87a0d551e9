'use strict'
// Checks users' arguments. Checked numbers are in range for the addon.

const native = require('./native.js')
const { SnowmintError, withCode } = require('./errors.js')
const { escaped } = require('./escaped.js')

const NARROW_MAX = 2 ** 32 - 1
/** The length that a message keeps of each end of a value. */
const END_LENGTH = 500

function shown(value) {
  if (typeof value === 'bigint') return shortened(`${value}n`)
  if (typeof value === 'string') return escaped(shortened(JSON.stringify(value)))
  if (value instanceof Date) return String(value)
  return value && typeof value === 'object' ? 'an object' : escaped(shortened(String(value)))
}

/** Returns a message's text without the middle of a long value. */
function shortened(text) {
  if (text.length <= 2 * END_LENGTH) return text
  const left = text.length - 2 * END_LENGTH
  return `${text.slice(0, END_LENGTH)} … ${left} characters left out … ${text.slice(-END_LENGTH)}`
}

/** Returns the value if `isRight`. The other arguments are for the error. */
function typed(isRight, name, expected, value, which = '', Type = TypeError) {
  if (isRight) return value
  throw withCode(new Type(`${name} should be ${expected}${which}, not ${shown(value)}`))
}

function ranged(isRight, name, expected, value, which) {
  return typed(isRight, name, expected, value, which, RangeError)
}

/** Returns the error for a value that its option does not accept. */
function impossible(name, value, expected) {
  return new SnowmintError('invalid_parameter', `${name}=${shown(value)} is not possible: use ${expected}`)
}

/**
 * Checks a 64-bit value, which the error shows as `given`. The use may have a lower limit than the
 * message names.
 */
function bits64(value, name, given = value, expected = 'from 0 to 2^64 - 1') {
  ranged(BigInt.asUintN(64, value) === value, name, expected, given)
  return value
}

/** Checks an ID: a bigint, or its decimal digits. */
function id(value) {
  if (typeof value === 'string') return native.parseText(value, 'dec')
  // Numbers above 2^53 lose digits.
  return bits64(typed(typeof value === 'bigint', 'the ID', 'a bigint or its digits', value), 'the ID')
}

/** Checks an unsigned integer, given as number or bigint. */
function unsigned(value, name) {
  return bits64(integer(value, name), name, value, notBelow(value))
}

/** Checks the key of a sequence. Keys are mostly IDs, so decimal digits are allowed too. */
function key(value) {
  if (typeof value === 'string') return native.parseText(value, 'dec')
  return bits64(integer(value, 'key', 'a bigint, a number or decimal digits'), 'key', value, notBelow(value))
}

/** Returns the error's expectation. It names no upper limit, because the addon checks that. */
function notBelow(value) {
  return value < 0 ? 'an integer that is not negative' : 'below 2^64'
}

/** Checks the count of numbers that are reserved at once. */
function step(value, name) {
  return bits64(integer(value, name), name, value, `an integer from 1 to ${native.limits().maxStep}`)
}

/** Checks an unsigned integer, also as decimal digits: databases return large numbers so. */
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

/** Checks a time: a Date, or Unix milliseconds. */
function time(value, name) {
  if (value instanceof Date) ranged(!Number.isNaN(Number(value)), name, 'a valid Date', value)
  const wide = integer(value instanceof Date ? Number(value) : value, name, 'a Date or Unix milliseconds')
  return ranged(BigInt.asIntN(64, wide) === wide, name, 'within 64 bits', wide)
}

/** Checks a number from 0 to `max`. Without `max` the addon checks the limit. */
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
 * Checks bytes that no message may show, because any value in their place may be the secret. They
 * may be of another realm, for example Buffers in jsdom.
 */
function hidden(value, name) {
  if (ArrayBuffer.isView(value) && value[Symbol.toStringTag] === 'Uint8Array') return value
  throw withCode(new TypeError(`${name} should be a Uint8Array, not of the type ${typeof value}`))
}

function callable(value, name) {
  return typed(typeof value === 'function', name, 'a function', value)
}

/** Accepts any value, which is checked elsewhere. */
function any(value) {
  return value
}

/** Checks a count of IDs, from 1 to `max`. */
function count(value, max) {
  typed(typeof value === 'number', 'count', 'a number', value)
  ranged(Number.isInteger(value), 'count', 'an integer from 1 to ', value, max)
  if (value >= 1 && value <= max) return value
  throw new SnowmintError('count_out_of_range', `${value} is out of range: use 1 to ${max}`)
}

/** Checks a version of UUIDs. */
function version(value) {
  typed(typeof value === 'number', 'version', 'the number 4 or 7', value)
  return ranged(value === 4 || value === 7, 'version', '4 or 7', value)
}

/**
 * Checks each of many values. The error names the index of the wrong value. A text counts as one
 * value.
 */
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

/** Adds an index to the message of an error. */
function placed(error, index) {
  const { message, stack } = error
  error.message = `at index ${index}: ${message}`
  error.stack = stack.replace(message, () => error.message)
  return error
}

/** Checks a `BigUint64Array`. */
function ids(value) {
  return instance(value, BigUint64Array, 'array')
}

/**
 * Checks an options object: refuses unknown keys, and checks each value by its function. `known`
 * are the keys that the error lists.
 */
function options(value, checks, name = 'options', known = Object.keys(checks)) {
  // A date is an object too, but has no keys that could be wrong.
  const isObject = value && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date)
  // The message shows nothing of a URL, which may contain a password.
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

/** Returns the value of a required option. */
function needed(checked, key, what, one = key) {
  if (checked[key] === undefined) throw withCode(new TypeError(`${what} needs ${one}`))
  return checked[key]
}

module.exports = {
  any, callable, count, each, hidden, id, ids, impossible, instance, key, narrow, needed, options, ranged, shown, step,
  text, time, typed, unsigned, unsignedOrDigits, version, wait,
}
