'use strict'
// What is loaded once, and again if that failed.

/** Gives the promise of the first call that did not fail. */
function once(load) {
  let loading
  return given => {
    loading ??= load(given).catch(error => {
      loading = undefined
      throw error
    })
    return loading
  }
}

module.exports = { once }
