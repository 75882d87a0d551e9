'use strict'
// Remembers the values that stores written in JavaScript threw, because the addon knows only their
// text.

const { escaped, said } = require('./escaped.js')

/** The most recently thrown values, by their texts. */
const thrown = new Map()
const THROWN_MAX = 100

function remember(value) {
  const text = said(value, 'stack')
  thrown.delete(text)
  thrown.set(text, value)
  if (thrown.size > THROWN_MAX) thrown.delete(thrown.keys().next().value)
  return text
}

/** Returns the value that was thrown with this text. */
function recalled(text) {
  return thrown.has(text) ? thrown.get(text) : new Error(escaped(text))
}

module.exports = { recalled, remember }
