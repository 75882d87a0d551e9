'use strict'
// The common code of the browser's sources of 64-bit IDs: many IDs, text, waiting, iteration.

const check = require('../arguments.js')
const { SnowmintError } = require('../errors.js')
const { described } = require('../escaped.js')
const { limits } = require('../policies.js')
const { format } = require('../text.js')
const { lazy } = require('./missing.js')

const DISPOSE = Symbol.dispose ?? Symbol.for('Symbol.dispose')
const ASYNC_DISPOSE = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')

/** Returns true for an error that may go away by itself. */
function isTransient({ code }) {
  return /^(store_[lu]|outcome_|workers_|lease_|wait_|overloaded|no_resource)/.test(code)
}

/** Returns an error of this package for any thrown value. */
function failure(cause) {
  if (cause instanceof SnowmintError) return cause
  return new SnowmintError('store_unavailable', `the store failed: ${described(cause)}`, { cause })
}

function closed() {
  return new SnowmintError('closed', 'the source is closed')
}

/** Returns the error for more IDs than a call that does not wait can ever have. */
function never(count, most) {
  const message = `${count} IDs are never to be had without waiting: take at most ${most} at once, or use nextIdsAsync`
  return new SnowmintError('count_out_of_range', message)
}

/** Returns the error for a worker ID without reserved time. */
function unavailable(cause) {
  const message = `no time is reserved: ${cause?.message ?? 'no answer yet'}`
  return new SnowmintError('lease_unavailable', message, cause && { cause })
}

function array(count) {
  return new BigUint64Array(check.count(count, limits.maxCount))
}

/**
 * A source of IDs. `own` contains its way of minting:
 *
 * - `next()` returns an ID.
 * - `some(array)` mints as many IDs as it can at once, and returns their count.
 * - `pause(error)` returns after how many milliseconds to ask again: Infinity to wait for news,
 *   `undefined` for never.
 * - `end()`, optional, closes the source.
 * - `undo(ids)`, optional, takes back the IDs of a failed call.
 * - `atOnce`, optional, is the most IDs of a call that does not wait.
 * - `stats()` returns the statistics.
 *
 * The constructor adds `within`, `rest` and `news` to it.
 */
class Minting {
  #own
  closed = false

  constructor(own, waitMs = 5000) {
    const waiting = new Set()
    this.waitMs = waitMs
    this.#own = own
    /** Wakes all waiting calls. */
    own.news = () => waiting.forEach(awake => awake())
    /** Resolves after so many milliseconds, a day at most, or when there is news. */
    own.rest = ms => new Promise(resolve => {
      const awake = () => {
        clearTimeout(asleep)
        waiting.delete(awake)
        resolve()
      }
      const asleep = setTimeout(awake, Math.min(ms, 86_400_000))
      waiting.add(awake)
    })
    own.within = async (wait = waitMs, mint) => {
      const until = performance.now() + check.wait(wait)
      for (;;) {
        try {
          return mint()
        } catch (error) {
          const left = until - performance.now()
          const pause = own.pause(error)
          // A wait for the clock that is too long need not begin.
          if (pause === undefined || left <= 0 || (pause > left && pause < Infinity)) throw error
          await own.rest(Math.min(pause, left))
        }
      }
    }
  }

  static lazy() {
    lazy()
  }

  nextId() {
    return this.#own.next()
  }

  nextIdString(form) {
    return form === undefined ? String(this.nextId()) : format(this.nextId(), form)
  }

  nextIds(count) {
    return this.fill(array(count))
  }

  fill(ids) {
    const { some, undo, atOnce = Infinity } = this.#own
    const { length } = check.ids(ids)
    if (length > atOnce) throw never(length, atOnce)
    let at = 0
    try {
      while (at < length) at += some(ids.subarray(at))
    } catch (error) {
      undo?.(ids.subarray(0, at))
      throw error
    }
    return ids
  }

  async nextIdAsync(waitMs) {
    return this.#own.within(waitMs, () => this.nextId())
  }

  async nextIdsAsync(count, waitMs) {
    return this.fillAsync(array(count), waitMs)
  }

  async fillAsync(ids, waitMs) {
    const own = this.#own
    for (let at = 0; at < check.ids(ids).length;) {
      at += await own.within(waitMs, () => own.some(ids.subarray(at)))
    }
    return ids
  }

  stats() {
    return { isClosed: this.closed, rollbacks: 0, buckets: [], ...this.#own.stats() }
  }

  close() {
    this.closeAsync().catch(() => {})
  }

  async closeAsync() {
    if (this.closed) return
    this.closed = true
    this.#own.news()
    await this.#own.end?.()
  }

  * [Symbol.iterator]() {
    for (;;) yield this.nextId()
  }

  async * [Symbol.asyncIterator]() {
    for (;;) yield await this.nextIdAsync()
  }

  [DISPOSE]() {
    this.close()
  }

  [ASYNC_DISPOSE]() {
    return this.closeAsync()
  }
}

/** Returns the class that `open` was called on: the package's own, or one that extends it. */
function classOf(called, own) {
  return Object.prototype.isPrototypeOf.call(own, called) ? called : own
}

module.exports = { ASYNC_DISPOSE, DISPOSE, Minting, classOf, closed, failure, isTransient, unavailable }
