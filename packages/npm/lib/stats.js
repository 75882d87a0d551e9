'use strict'
// What sources say of themselves.

/** The addon's row, with times as dates and without what does not apply. */
function statsOf({ lastFailure, ...row }) {
  const stats = Object.fromEntries(Object.entries(row).filter(([, value]) => value != null))
  if (lastFailure != null) {
    const { unixMs, ...failure } = lastFailure
    stats.lastFailure = { ...failure, time: new Date(unixMs) }
  }
  return stats
}

module.exports = { statsOf }
