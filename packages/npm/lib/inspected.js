'use strict'
// How Node's consoles show what the package makes: private fields they do not see.

const INSPECT = Symbol.for('nodejs.util.inspect.custom')

/** Has what a class makes be shown with the facts that `factsOf` tells of it, undefined ones left out. */
function inspectable(Class, factsOf) {
  function shown(_depth, options, inspect) {
    const name = this?.constructor?.name ?? Class.name
    try {
      const facts = Object.entries(factsOf(this)).filter(([, fact]) => fact !== undefined)
      return `${name} ${inspect(Object.fromEntries(facts), options)}`
    } catch {
      // A proxy has none: they are behind private fields.
      return `${name} {}`
    }
  }
  Object.defineProperty(Class.prototype, INSPECT, { value: shown, configurable: true, writable: true })
}

/** Of a source that is closed alone. */
function closedOf({ closed }) {
  return closed ? { closed } : {}
}

module.exports = { closedOf, inspectable }
