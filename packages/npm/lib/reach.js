'use strict'
// Limits how far ahead of its clock a store may reserve time for a worker ID that it leases.

/** Returns the reach of a request: at least a quarter of the reservation is left. */
function reachOf({ reserveMs, maxAheadMs }) {
  return Math.min(maxAheadMs, reserveMs - Math.ceil(reserveMs / 4))
}

module.exports = { reachOf }
