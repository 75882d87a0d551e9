'use strict'
// What the browser's sources of 64-bit IDs have in common: many IDs, text, waiting, iteration.

const check = require('../arguments.js')
const { SnowmintError } = require('../errors.js')
const { described } = require('../escaped.js')
const { limits } = require('../policies.js')
const { format } = require('../text.js')

const DISPOSE = Symbol.dispose ?? Symbol.for('Symbol.dispose')
const ASYNC_DISPOSE = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')

/** What may be better the next time, without anybody changing anything. */
function isTransient({ code }) {
  return /^(store_[lu]|outcome_|workers_|lease_|wait_|overloaded|no_resource)/.test(code)
}

/** An error of ours, whatever was thrown. */
function failure(cause) {
  if (cause instanceof SnowmintError) return cause
  return new SnowmintError('store_unavailable', `the store failed: ${described(cause)}`, { cause })
}

function closed() {
  return new SnowmintError('closed', 'the source is closed')
}

/** Of more than a call that does not wait can ever have. */
function never(count, most) {
  const message = `${count} IDs are never to be had without waiting: take at most ${most} at once, or use nextIdsAsync`
  return new SnowmintError('count_out_of_range', message)
}

/** Of a leased worker ID. */
function unavailable(cause) {
  const message = `no time is reserved: ${cause?.message ?? 'no answer yet'}`
  return new SnowmintError('lease_unavailable', message, cause && { cause })
}

function array(count) {
  return new BigUint64Array(check.count(count, limits.maxCount))
}

/**
 * A source. How it mints is in `own`: `next()`; `some(array)`, which mints as many as it can at once
 * and says how many; `pause(error)`, which says after how many milliseconds to ask again: Infinity
 * once there is news, `undefined` never; perhaps `end()`, which closes, `undo(ids)`, which takes back
 * those of a call that failed, and `atOnce`, the most of a call that does not wait; and `stats()`.
 * There it finds `within`, `rest` and `news` as well.
 */
class Minting {
  #own
  closed = false

  constructor(own, waitMs = 5000) {
    const waiting = new Set()
    this.waitMs = waitMs
    this.#own = own
    /** Wakes everybody who waits. */
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

/** The class that `open` was called on: the package's own, or one that extends it. */
function classOf(called, own) {
  return Object.prototype.isPrototypeOf.call(own, called) ? called : own
}

module.exports = { ASYNC_DISPOSE, DISPOSE, Minting, classOf, closed, failure, isTransient, unavailable }
