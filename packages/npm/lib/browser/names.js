'use strict'
// The names of fields: `reserveMs` in JavaScript is `reserve_ms` in URLs and in messages.

const camelCase = name => name.replace(/_./g, ([, letter]) => letter.toUpperCase())
const snakeCase = name => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** Returns a copy of an object with its fields renamed. */
function renamed(object, nameOf) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [nameOf(name), value]))
}

module.exports = { camelCase, snakeCase, renamed }
