'use strict'
// Ranges of numbers, and buffers of them: time is an argument, waiting is a result.

const native = require('./native.js')
const check = require('./arguments.js')

class Range {
  constructor(start, end, stride = 1n) {
    const [from, to] = [check.unsigned(start, 'start'), check.unsigned(end, 'end')]
    Object.freeze(Object.assign(this, native.range(from, to, check.unsigned(stride, 'stride'))))
  }

  * [Symbol.iterator]() {
    for (let number = this.start; number < this.end; number += this.stride) yield number
  }
}

function rangeOrNull(row) {
  return row ? new Range(row.start, row.end, row.stride) : null
}

function stepOf(step) {
  if (typeof step !== 'object') step = { min: step, max: step }
  const checked = check.options(step, { min: check.unsigned, max: check.unsigned }, 'step')
  return ['min', 'max'].map(bound => check.needed(checked, bound, 'step'))
}

function prefetchOf(prefetch) {
  const { usedPercent = 10, distance } = check.options(prefetch, {
    usedPercent: (value, name) => check.narrow(value, name, 100),
    distance: check.narrow,
  }, 'prefetch')
  return distance === undefined ? [usedPercent, 0] : [0, distance || 1]
}

class SegmentBuffer {
  #buffer

  constructor(options) {
    const checked = check.options(options, {
      prefetch: prefetchOf,
      step: stepOf,
      above: check.unsigned,
    })
    const { prefetch = [10, 0], above = 0n } = checked
    const step = check.needed(checked, 'step', 'a buffer')
    this.#buffer = native.buffer(...prefetch, ...step, above)
  }

  wants(now) {
    return native.bufferWants(this.#buffer, check.time(now, 'now'))
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

module.exports = { Range, SegmentBuffer }
