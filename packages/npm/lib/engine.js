'use strict'
// The engine's machines: time is an argument, waiting is a result.

const native = require('./native.js')
const check = require('./arguments.js')
const { SnowmintError } = require('./errors.js')
const { externalOf, policyOf } = require('./layout.js')

const MAX_U64 = 2n ** 64n - 1n

function laneOf(lane) {
  const { workerId = 0, rollback = 0, floor = 0n, reserved = MAX_U64 } = check.options(lane, {
    workerId: check.narrow,
    rollback: check.narrow,
    floor: check.unsigned,
    reserved: check.unsigned,
  }, 'the lane')
  return { workerId, rollback, floor, reserved }
}

function startOf(start) {
  if (typeof start === 'string') start = { kind: start }
  const { kind, maxOffset, below, seed = 0n } = check.options(start, {
    kind: check.text,
    maxOffset: check.narrow,
    below: check.narrow,
    seed: check.unsigned,
  }, 'start')
  return { kind: check.text(kind, 'kind'), bound: maxOffset ?? below ?? 0, seed }
}

class Snowflake {
  #machine

  constructor(options) {
    const { layout, lane = laneOf({}), maxAheadMs = 0, start = startOf('zero') } = check.options(options, {
      layout: layout => externalOf(layout),
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

class Range {
  constructor(start, end, stride = 1n) {
    const wide = [[start, 'start'], [end, 'end'], [stride, 'stride']]
    const row = native.range(...wide.map(([value, name]) => check.unsigned(value, name)))
    this.start = row.start
    this.end = row.end
    this.stride = row.stride
    this.count = row.count
    Object.freeze(this)
  }

  * [Symbol.iterator]() {
    for (let number = this.start; number < this.end; number += this.stride) yield number
  }
}

function rangeOrNull(row) {
  return row ? new Range(row.start, row.end, row.stride) : null
}

function stepOf(step, name = 'step') {
  if (typeof step !== 'object') step = { min: step, max: step }
  const checked = check.options(step, { min: check.unsigned, max: check.unsigned }, name)
  return [check.needed(checked, 'min', name), check.needed(checked, 'max', name)]
}

function prefetchOf(prefetch) {
  const { usedPercent, distance } = check.options(prefetch, {
    usedPercent: (value, name) => check.narrow(value, name, 100),
    distance: check.narrow,
  }, 'prefetch')
  if (distance === undefined) return [usedPercent ?? 10, 0]
  return [0, Math.max(1, distance)]
}

class SegmentBuffer {
  #buffer

  constructor(options) {
    const checked = check.options(options, {
      prefetch: prefetchOf,
      step: step => stepOf(step),
      above: check.unsigned,
    })
    const { prefetch = prefetchOf({}), above = 0n } = checked
    const step = check.needed(checked, 'step', 'a buffer')
    this.#buffer = native.buffer(...prefetch, ...step, above)
  }

  wants(now) {
    return native.bufferWants(this.#buffer, check.time(now, 'now')) ?? null
  }

  take(count) {
    return rangeOrNull(native.bufferTake(this.#buffer, check.unsigned(count, 'count')))
  }

  takeUntilRequest() {
    return rangeOrNull(native.bufferTakeUntilRequest(this.#buffer))
  }

  supply(range, now) {
    const { start, end, stride } = check.instance(range, Range, 'range')
    native.bufferSupply(this.#buffer, start, end, stride, check.time(now, 'now'))
  }

  failed() {
    native.bufferFailed(this.#buffer)
  }

  resize(step) {
    native.bufferResize(this.#buffer, ...stepOf(step))
  }

  get remaining() {
    return native.bufferRemaining(this.#buffer)
  }

  get floor() {
    return native.bufferFloor(this.#buffer)
  }
}

class ClockPolicy {
  constructor({ name, ...policy }) {
    this.name = name
    Object.assign(this, policyOf(policy))
    Object.freeze(this)
  }

  action(stall) {
    const { number, waitMs = 0 } = check.instance(stall, SnowmintError, 'the stall')
    const { whenBehind, maxWaitMs = 0, whenFull } = this
    const policy = { whenBehind, maxWaitMs, whenFull }
    const { kind, waitMs: wait } = native.policyAction(policy, number, BigInt(waitMs))
    return wait == null ? { kind } : { kind, waitMs: wait }
  }
}

const policies = []
const limits = {}

native.ready(() => {
  policies.push(...native.policies().map(row => new ClockPolicy(row)))
  Object.freeze(policies)
  const { maxNumber, maxStep, ...rest } = native.limits()
  Object.freeze(Object.assign(limits, { maxNumber: BigInt(maxNumber), maxStep: BigInt(maxStep), ...rest }))
})

function timestamp(time) {
  return native.timestamp(check.time(time, 'time'))
}

module.exports = { ClockPolicy, Range, SegmentBuffer, Snowflake, limits, policies, timestamp }
