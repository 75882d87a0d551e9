'use strict'
// How far ahead the time of a worker ID may lie that a store gives.

/** Of a request: at least a quarter of the reservation is left. */
function reachOf({ reserveMs, maxAheadMs }) {
  return Math.min(maxAheadMs, reserveMs - Math.ceil(reserveMs / 4))
}

module.exports = { reachOf }
