'use strict'
// What stores written in JavaScript threw, while the addon knows of it as text alone.

const { escaped, said } = require('./escaped.js')

/** By how it prints; the last ones. */
const thrown = new Map()
const THROWN_MAX = 100

function remember(value) {
  const text = said(value, 'stack')
  thrown.delete(text)
  thrown.set(text, value)
  if (thrown.size > THROWN_MAX) thrown.delete(thrown.keys().next().value)
  return text
}

/** What was remembered by that text. */
function recalled(text) {
  return thrown.has(text) ? thrown.get(text) : new Error(escaped(text))
}

module.exports = { recalled, remember }
