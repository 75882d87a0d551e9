'use strict'
// Bounds how long a store of the user's own is waited for.

const { SnowmintError } = require('../errors.js')
const { IdService } = require('./service.js')

/** What has not answered by then is asked again. */
const ANSWER_MS = 5000

/** An answer of a store's that may never come; an ID service has a bound of its own. */
async function inTime(store, answer) {
  if (store instanceof IdService) return answer
  let timer
  const late = new Promise((_, reject) => {
    const message = `the store has not answered in ${ANSWER_MS} ms: what it says yet is not used`
    timer = setTimeout(reject, ANSWER_MS, new SnowmintError('outcome_unknown', message))
    // It keeps no process alive.
    timer.unref?.()
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

module.exports = { inTime }
