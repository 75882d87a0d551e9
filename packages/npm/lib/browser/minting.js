'use strict'
// What the browser's sources of 64-bit IDs have in common: many IDs, text, waiting, iteration.

const check = require('../arguments.js')
const { limits } = require('../engine.js')
const { SnowmintError } = require('../errors.js')
const { format } = require('../text.js')

const DISPOSE = Symbol.dispose ?? Symbol.for('Symbol.dispose')
const ASYNC_DISPOSE = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')

/** What may be better the next time, without anybody changing anything. */
const TRANSIENT = /^(store_(locked|unavailable)|outcome_unknown|workers_exhausted|lease_|wait_)/

function isTransient({ code }) {
  return TRANSIENT.test(code)
}

/** An error of ours, whatever was thrown. */
function failure(cause) {
  if (cause instanceof SnowmintError) return cause
  const message = `the store failed: ${cause?.message ?? cause}`
  return new SnowmintError('store_unavailable', message, { cause })
}

function closed() {
  return new SnowmintError('closed', 'the source is closed')
}

function array(count) {
  if (check.narrow(count, 'count') && count <= limits.maxCount) return new BigUint64Array(count)
  throw new SnowmintError('count_out_of_range', `${count} IDs: use 1 to ${limits.maxCount}`)
}

/**
 * A source, with a `nextId()`. What else it takes is in `own`: `some(array)`, which mints as many as
 * it can at once and says how many, `end()`, which closes, and `pause(error)`, which says after how
 * many milliseconds to ask again: Infinity once there is news, `undefined` never. There it finds
 * `within`, `rest` and `news` as well.
 */
class Minting {
  #own
  #waiting = new Set()
  closed = false

  constructor(waitMs = 5000, own) {
    this.waitMs = waitMs
    this.#own = own
    own.within = (wait, mint) => this.#within(wait, mint)
    own.rest = ms => this.#rest(ms)
    own.news = () => this.#news()
  }

  nextIdString(form) {
    return form === undefined ? String(this.nextId()) : format(this.nextId(), form)
  }

  nextIds(count) {
    return this.fill(array(count))
  }

  fill(ids) {
    for (let at = 0; at < check.ids(ids).length;) at += this.#own.some(ids.subarray(at))
    return ids
  }

  async nextIdAsync(waitMs) {
    return this.#within(waitMs, () => this.nextId())
  }

  async nextIdsAsync(count, waitMs) {
    return this.fillAsync(array(count), waitMs)
  }

  async fillAsync(ids, waitMs) {
    for (let at = 0; at < check.ids(ids).length;) {
      at += await this.#within(waitMs, () => this.#own.some(ids.subarray(at)))
    }
    return ids
  }

  async #within(waitMs = this.waitMs, mint) {
    const until = performance.now() + check.wait(waitMs)
    for (;;) {
      try {
        return mint()
      } catch (error) {
        const left = until - performance.now()
        const pause = this.#own.pause(error)
        // A wait for the clock that is too long need not begin.
        if (pause === undefined || left <= 0 || (pause > left && pause < Infinity)) throw error
        await this.#rest(Math.min(pause, left))
      }
    }
  }

  /** Resolves after so many milliseconds, a day at most, or when there is news. */
  #rest(ms) {
    return new Promise(resolve => {
      const awake = () => {
        clearTimeout(asleep)
        this.#waiting.delete(awake)
        resolve()
      }
      const asleep = setTimeout(awake, Math.min(ms, 86_400_000))
      this.#waiting.add(awake)
    })
  }

  /** Wakes everybody who waits. */
  #news() {
    for (const awake of this.#waiting) awake()
  }

  close() {
    this.closeAsync().catch(() => {})
  }

  async closeAsync() {
    if (this.closed) return
    this.closed = true
    this.#news()
    await this.#own.end()
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

module.exports = { ASYNC_DISPOSE, DISPOSE, Minting, closed, failure, isTransient }
