'use strict'
// Constants that the engine has the values of.

const native = require('./native.js')

/** A frozen list or object of what `read` gives, as soon as the engine is there. */
function table(read, into = []) {
  native.ready(() => Object.freeze(Object.assign(into, read())))
  return into
}

module.exports = { table }
