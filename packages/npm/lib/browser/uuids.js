'use strict'
// UUIDs of versions 4 and 7 (RFC 9562) in a browser.

const check = require('../arguments.js')
const { ASYNC_DISPOSE, DISPOSE } = require('./minting.js')
const { lazy } = require('./missing.js')
const { bytes, hex } = require('./random.js')

const POOL = 4096

let lastMs = 0
/** Random bytes in stock, because asking for 16 takes almost as long as asking for many. */
let pool = []
let used = 0
/** A counter of 12 bits within a millisecond. It starts at a random number whose top bit is 0. */
let count = 0

function sixteen() {
  if (used === pool.length) {
    pool = bytes(POOL)
    used = 0
  }
  return pool.slice(used, used += 16)
}

/** Returns 16 bytes that begin with the time and a counter, and rise. */
function rising() {
  const list = sixteen()
  const view = new DataView(list.buffer)
  const now = Date.now()
  if (now > lastMs || ++count === 4096) {
    lastMs = Math.max(now, lastMs + 1)
    count = list[6] * 8
  }
  view.setUint32(0, lastMs / 65536)
  view.setUint16(4, lastMs)
  view.setUint16(6, count)
  return list
}

class UuidSource {
  kind = 'uuid'

  constructor(version = 7) {
    this.version = check.version(version)
    bytes(0)
  }

  static lazy() {
    lazy()
  }

  nextUuid() {
    const list = this.version === 7 ? rising() : sixteen()
    list[6] = list[6] & 15 | this.version << 4
    list[8] = list[8] & 63 | 128
    return hex(list).replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  }

  stats() {
    return { kind: 'uuid', isClosed: false, rollbacks: 0, buckets: [] }
  }

  close() {}

  async closeAsync(waitMs = 0) {
    check.wait(waitMs)
  }

  * [Symbol.iterator]() {
    for (;;) yield this.nextUuid()
  }

  [DISPOSE]() {}

  async [ASYNC_DISPOSE]() {}
}

module.exports = { UuidSource }
