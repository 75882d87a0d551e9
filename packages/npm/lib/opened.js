'use strict'
// Lets `open` of a class pass an opened source to the constructor. One argument stands for the
// source, so that a subclass passes it on as it does options.

const { withCode } = require('./errors.js')

/** The addon's rows of opened sources, by the arguments that stand for them. */
const rows = new WeakMap()
const MESSAGE = 'what open gives a constructor is no options: hand it to super as it is, and set options ' +
  'in a static open of your own'

function asOpened(row) {
  // Spreading it into other options reads this property.
  const given = { get options() { throw withCode(new TypeError(MESSAGE)) } }
  rows.set(given, row)
  return given
}

/** Returns the opened row, or `undefined` for options. */
function openedAs(given) {
  return rows.get(given)
}

module.exports = { asOpened, openedAs }
