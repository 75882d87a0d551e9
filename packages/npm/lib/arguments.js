'use strict'
// Checks what users pass. What comes through is in range for the addon.

const native = require('./native.js')
const { withCode } = require('./errors.js')

const MAX_U64 = 2n ** 64n - 1n
const MIN_I64 = -(2n ** 63n)
const MAX_I64 = 2n ** 63n - 1n
const MAX_U32 = 2 ** 32 - 1

function shown(value) {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'bigint') return `${value}n`
  if (value === null || typeof value !== 'object') return String(value)
  return Array.isArray(value) ? 'an array' : `a ${value.constructor?.name ?? 'object'}`
}

function wrongType(name, expected, value) {
  return withCode(new TypeError(`${name} should be ${expected}, not ${shown(value)}`))
}

function wrongRange(name, expected, value) {
  return withCode(new RangeError(`${name} should be ${expected}, not ${shown(value)}`))
}

/** An ID: a bigint, or its decimal digits. */
function id(value, name = 'the ID') {
  if (typeof value === 'string') return native.parseText(value, 'dec')
  if (typeof value === 'number') {
    const message = `${name} should be a bigint or a decimal string: numbers above 2^53 lose digits`
    throw withCode(new TypeError(message))
  }
  if (typeof value !== 'bigint') throw wrongType(name, 'a bigint or a decimal string', value)
  if (value < 0n || value > MAX_U64) throw wrongRange(name, 'from 0 to 2^64 - 1', value)
  return value
}

/** An unsigned integer, given as number or bigint. */
function unsigned(value, name) {
  const wide = integer(value, name)
  if (wide < 0n || wide > MAX_U64) throw wrongRange(name, 'from 0 to 2^64 - 1', value)
  return wide
}

function integer(value, name) {
  if (typeof value === 'bigint') return value
  if (typeof value !== 'number') throw wrongType(name, 'a number or bigint', value)
  if (!Number.isSafeInteger(value)) throw wrongRange(name, 'an integer, and beyond 2^53 a bigint', value)
  return BigInt(value)
}

/** A moment: a Date, or Unix milliseconds. */
function time(value, name) {
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw wrongRange(name, 'a valid Date', value)
    return BigInt(value.getTime())
  }
  if (typeof value !== 'number' && typeof value !== 'bigint') {
    throw wrongType(name, 'a Date or Unix milliseconds', value)
  }
  const wide = integer(value, name)
  if (wide < MIN_I64 || wide > MAX_I64) throw wrongRange(name, 'within 64 bits', value)
  return wide
}

/** A number from 0 to `max`. */
function narrow(value, name, max = MAX_U32) {
  if (typeof value !== 'number') throw wrongType(name, 'a number', value)
  if (!Number.isInteger(value) || value < 0 || value > max) {
    throw wrongRange(name, `an integer from 0 to ${max}`, value)
  }
  return value
}

function wait(value, name = 'waitMs') {
  return narrow(value, name, Number.MAX_SAFE_INTEGER)
}

function text(value, name) {
  if (typeof value !== 'string') throw wrongType(name, 'a string', value)
  return value
}

function instance(value, type, name) {
  if (!(value instanceof type)) throw wrongType(name, `a ${type.name}`, value)
  return value
}

function callable(value, name) {
  if (typeof value !== 'function') throw wrongType(name, 'a function', value)
  return value
}

/** A `BigUint64Array`. */
function ids(value, name = 'the array') {
  if (!(value instanceof BigUint64Array)) throw wrongType(name, 'a BigUint64Array', value)
  return value
}

/** An options object without keys that nobody knows, each checked by its function. */
function options(value, checks, name = 'options') {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw wrongType(name, 'an object', value)
  }
  const checked = {}
  for (const [key, given] of Object.entries(value)) {
    if (!Object.hasOwn(checks, key)) {
      const known = Object.keys(checks).join(', ')
      throw withCode(new TypeError(`${name} has no ${key}; there are ${known}`), 'unknown_parameter')
    }
    if (given !== undefined) checked[key] = checks[key](given, key)
  }
  return checked
}

/** The value of an option that has to be there. */
function needed(checked, key, what) {
  if (checked[key] === undefined) throw withCode(new TypeError(`${what} needs ${key}`))
  return checked[key]
}

module.exports = {
  callable, id, ids, instance, integer, narrow, needed, options, shown, text, time, unsigned, wait,
  wrongType, wrongRange,
}
