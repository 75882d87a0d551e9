'use strict'
// What last went wrong with a store, and what there is to tell of it.

const { emit } = require('./events.js')

/** Codes of a store that fails, and not of what it was asked for. */
const DOWN = /^(store|outcome|incarnation|overloaded|invalid_answer)/

/** `facts()` says whose failures they are. */
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
