'use strict'
// How `open` of a class calls its constructor: with one argument that stands for what was opened, so
// that a subclass hands it on as it does options.

const { withCode } = require('./errors.js')

/** What the addon opened, by what stands for it. */
const rows = new WeakMap()
const MESSAGE = 'what open gives a constructor is no options: hand it to super as it is, and set options ' +
  'in a static open of your own'

function asOpened(row) {
  // Read where it is spread into other options.
  const given = { get options() { throw withCode(new TypeError(MESSAGE)) } }
  rows.set(given, row)
  return given
}

/** What was opened; `undefined` for options. */
function openedAs(given) {
  return rows.get(given)
}

module.exports = { asOpened, openedAs }
