'use strict'
// The last failure of a store, and the events about it.

const { emit } = require('./events.js')

/** The codes of a failing store, as opposed to refused requests. */
const DOWN = /^(store|outcome|incarnation|overloaded|invalid_answer)/

/** Creates a record of failures. `facts()` returns the source that they belong to. */
function failuresOf(facts) {
  let last
  let isDown = false

  return {
    note({ code, message }) {
      last = { code, message, time: new Date(), isOver: false }
      const tell = name => emit(name, { ...facts(), code, message })
      if (code === 'lease_lost') tell(code)
      if (code === 'range_regressed') tell('fenced')
      if (isDown || !DOWN.test(code)) return
      isDown = true
      tell('store_down')
    },
    over() {
      if (last) last.isOver = true
      if (isDown) emit('store_back', { ...facts(), message: 'it answers' })
      isDown = false
    },
    last: () => last && { ...last },
  }
}

module.exports = { failuresOf }
