'use strict'
// Constants whose values are in the engine.

const native = require('./native.js')

/**
 * Returns a list or object that gets the result of `read`, and is frozen, once the engine is
 * loaded.
 */
function table(read, into = []) {
  native.ready(() => Object.freeze(Object.assign(into, read())))
  return into
}

module.exports = { table }
