'use strict'
// How far ahead the time of a worker ID may lie that a store gives.

/** Of a request: at least a quarter of the slab is left. */
function reachOf({ slabMs, maxAheadMs }) {
  return Math.min(maxAheadMs, slabMs - Math.ceil(slabMs / 4))
}

module.exports = { reachOf }
