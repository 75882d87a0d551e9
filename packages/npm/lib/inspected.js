'use strict'
// Shows the package's objects on Node's consoles, which do not see private fields.

const INSPECT = Symbol.for('nodejs.util.inspect.custom')

/** Shows a class's objects with the facts that `factsOf` returns, without undefined ones. */
function inspectable(Class, factsOf) {
  function shown(_depth, options, inspect) {
    const name = this?.constructor?.name ?? Class.name
    try {
      const facts = Object.entries(factsOf(this)).filter(([, fact]) => fact !== undefined)
      return `${name} ${inspect(Object.fromEntries(facts), options)}`
    } catch {
      // A proxy has no facts, because they are behind private fields.
      return `${name} {}`
    }
  }
  Object.defineProperty(Class.prototype, INSPECT, { value: shown, configurable: true, writable: true })
}

/** Returns the fact that a source is closed, or nothing. */
function closedOf({ closed }) {
  return closed ? { closed } : {}
}

module.exports = { closedOf, inspectable }
