'use strict'
// The rest of it, which many a page never needs.

const { call, held, machineOpen, method, words } = require('./backend.js')

function rangeOf(isThere) {
  if (!isThere) return null
  const [start, end, stride, count] = words(4)
  return { start, end, stride, count }
}

const range = (...bounds) => rangeOf(call('range', ...bounds))
const buffer = (...facts) => held(call('buffer', ...facts), 'freeBuffer')
const bufferWants = ({ at }, now) => call('bufferWants', at, now) || null
const bufferTake = ({ at }, count) => rangeOf(call('bufferTake', at, count))
const bufferTakeUntilRequest = ({ at }) => rangeOf(call('bufferTakeUntilRequest', at))
const bufferSupply = method('bufferSupply')
const bufferFailed = method('bufferFailed')
const bufferResize = method('bufferResize')
const bufferRemaining = method('bufferRemaining')
const bufferFloor = method('bufferFloor')

const machineExtend = method('machineExtend')

module.exports = {
  machineExtend, machineOpen,
  range, buffer, bufferWants, bufferTake, bufferTakeUntilRequest, bufferSupply, bufferFailed,
  bufferResize, bufferRemaining, bufferFloor,
}
