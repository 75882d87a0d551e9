'use strict'
// The engine's machines: time is an argument, waiting is a result.

const native = require('./native.js')
const check = require('./arguments.js')
const { externalOf } = require('./layout.js')
const { ClockPolicy, limits, policies } = require('./policies.js')
const { Range, SegmentBuffer } = require('./ranges.js')

/** The lane of worker 0 with every tick. */
const WHOLE = { workerId: 0, rollback: 0, floor: 0n, reserved: 2n ** 64n - 1n }

function laneOf(lane) {
  return { ...WHOLE, ...check.options(lane, {
    workerId: check.narrow,
    rollback: check.narrow,
    floor: check.unsigned,
    reserved: check.unsigned,
  }, 'the lane') }
}

function startOf(start) {
  if (typeof start === 'string') start = { kind: start }
  const { kind, maxOffset, below = maxOffset ?? 0, seed = 0n } = check.options(start, {
    kind: check.text,
    maxOffset: check.narrow,
    below: check.narrow,
    seed: check.unsigned,
  }, 'start')
  return { kind: check.text(kind, 'kind'), bound: below, seed }
}

class Snowflake {
  #machine

  constructor(options) {
    const { layout, lane = WHOLE, maxAheadMs = 0, start = startOf('zero') } = check.options(options, {
      layout: externalOf,
      lane: laneOf,
      maxAheadMs: check.narrow,
      start: startOf,
    })
    this.#machine = native.machine(layout ?? externalOf('twitter'), lane, maxAheadMs, start)
  }

  nextId(now) {
    return native.machineNextId(this.#machine, check.time(now, 'now'))
  }

  issue(count, now) {
    return native.machineIssue(this.#machine, check.narrow(count, 'count'), check.time(now, 'now'))
  }

  extend(reserved) {
    native.machineExtend(this.#machine, check.unsigned(reserved, 'reserved'))
  }

  open(lane) {
    native.machineOpen(this.#machine, laneOf(lane))
  }

  jump(lane) {
    native.machineJump(this.#machine, laneOf(lane))
  }
}

function timestamp(time) {
  return native.timestamp(check.time(time, 'time'))
}

module.exports = { ClockPolicy, Range, SegmentBuffer, Snowflake, limits, policies, timestamp }
