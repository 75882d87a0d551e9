'use strict'
// What last went wrong with a store.

function troublesOf() {
  let last

  return {
    note({ code, message }) {
      last = { code, message, time: new Date(), isOver: false }
    },
    over() {
      if (last) last.isOver = true
    },
    last: () => last && { ...last },
  }
}

module.exports = { troublesOf }
