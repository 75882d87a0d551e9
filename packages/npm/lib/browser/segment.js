'use strict'
// Segments in a browser: numbers of a tag, from ranges that a function or an ID service reserves.

const check = require('../arguments.js')
const { Range, SegmentBuffer, limits } = require('../engine.js')
const { SnowmintError } = require('../errors.js')
const { Minting, closed, failure, isTransient } = require('./minting.js')
const { bytes } = require('./random.js')

const RETRY_MS = 100

const OPTIONS = {
  tag: tagOf,
  allocate: value => value,
  step: check.unsigned,
  prefetch: (value, name) => check.narrow(value, name, 100),
  waitMs: check.wait,
}

function tagOf(tag) {
  if (/^[\w.:-]{1,64}$/.test(check.text(tag, 'tag'))) return tag
  throw new SnowmintError('invalid_tag', `${check.shown(tag)}: use 1 to 64 of A-Z a-z 0-9 _ . : -`)
}

/** Grows up to Leaf's bound while ranges last less than a quarter of an hour. */
function adaptive(min) {
  return { min, max: min > 1_000_000n ? min : 1_000_000n }
}

/** `[start, end]`, `[start, end, stride]` or `{ start, end, stride }`, as it is given. */
function rangeOf(given) {
  const { 0: first, 1: past, 2: apart, start = first, end = past, stride = apart } = Object(given)
  try {
    return new Range(start, end, stride)
  } catch (cause) {
    throw new SnowmintError('invalid_range', `allocate should give [start, end): ${cause.message}`)
  }
}

class Segment extends Minting {
  #own
  #allocate
  #isFixed
  #buffer
  // Numbers taken from the buffer and not yet given out.
  #next = 0n
  #end = 0n
  #stride = 1n
  /** Numbers of a call that failed: they come first. */
  #returned = []
  /** How many somebody wants at once. */
  #wanted = 0
  #isBusy = false
  #failure
  #retryAt = 0

  constructor(options) {
    const checked = check.options(options, OPTIONS)
    const { allocate, step, prefetch, waitMs } = checked
    const own = {
      some: ids => this.#some(ids),
      pause: error => this.#pause(error),
      end: () => this.#drop(),
    }
    super(waitMs, own)
    this.#own = own
    this.tag = check.needed(checked, 'tag', 'a segment')
    this.#allocate = check.callable(allocate?.allocate?.bind(allocate) ?? allocate, 'allocate')
    this.#isFixed = step
    this.#buffer = new SegmentBuffer({
      step: step ?? adaptive(1000n),
      prefetch: { usedPercent: prefetch },
    })
  }

  static async open(options) {
    const segment = new Segment(options)
    // A store that fails is no news before a number is wanted.
    await segment.ready().catch(() => {})
    return segment
  }

  async ready(waitMs) {
    await this.#own.within(waitMs, () => this.#next < this.#end || this.#turn())
  }

  nextId() {
    if (this.#returned.length) return this.#returned.shift()
    if (this.#next >= this.#end) this.#turn()
    const id = this.#next
    this.#next += this.#stride
    return id
  }

  #some(ids) {
    this.#wanted = ids.length
    let count = 0
    do ids[count++] = this.nextId()
    while (count < ids.length && (this.#next < this.#end || this.#returned.length))
    return count
  }

  fill(ids) {
    let at = 0
    try {
      while (at < check.ids(ids).length) at += this.#some(ids.subarray(at))
    } catch (error) {
      this.#returned = [...ids.subarray(0, at), ...this.#returned]
      throw error
    }
    return ids
  }

  /** Goes on to the next numbers that are fetched, and has more fetched in time. */
  #turn() {
    if (this.closed) throw closed()
    const now = Math.floor(performance.now())
    const wanted = !this.#isBusy && now >= this.#retryAt && this.#buffer.wants(now)
    if (wanted) this.#fetch(Math.max(Number(wanted), this.#wanted))
    const piece = this.#buffer.takeUntilRequest()
    if (!piece) throw this.#failure ?? new SnowmintError('wait_timeout', 'no number is here yet')
    this.#next = piece.start
    this.#end = piece.end
    this.#stride = piece.stride
  }

  async #fetch(count) {
    this.#isBusy = true
    try {
      const given = await this.#allocate(this.tag, Math.min(count, Number(limits.maxStep)))
      if (!this.#isFixed && given?.step) this.#buffer.resize(adaptive(given.step))
      this.#buffer.supply(rangeOf(given), Math.floor(performance.now()))
      this.#failure = undefined
      this.#wanted = 0
    } catch (cause) {
      this.#buffer.failed()
      this.#failure = failure(cause)
      this.#retryAt = performance.now() + (this.#failure.waitMs ?? RETRY_MS + bytes(1)[0] / 2)
    }
    this.#isBusy = false
    this.#own.news()
  }

  #pause(error) {
    if (!isTransient(error)) return undefined
    return this.#isBusy ? Infinity : Math.max(1, this.#retryAt - performance.now())
  }

  #drop() {
    this.#next = this.#end
    this.#returned = []
  }
}

module.exports = { Segment }
