'use strict'
// The statistics of sources.

/** Returns the addon's row with times as dates and without absent fields. */
function statsOf({ lastFailure, ...row }) {
  const stats = Object.fromEntries(Object.entries(row).filter(([, value]) => value != null))
  if (lastFailure != null) {
    const { unixMs, ...failure } = lastFailure
    stats.lastFailure = { ...failure, time: new Date(unixMs) }
  }
  return stats
}

module.exports = { statsOf }
