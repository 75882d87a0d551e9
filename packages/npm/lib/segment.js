'use strict'
// Segments: numbers of a tag, from ranges fetched ahead.

const { isSharedArrayBuffer } = require('node:util').types
const native = require('./native.js')
const check = require('./arguments.js')
const { classOf, isTransient } = require('./browser/minting.js')
const { closedOf, inspectable } = require('./inspected.js')
const { asOpened, openedAs } = require('./opened.js')
const { IdSource, Turns, images, limits } = require('./source.js')
const { segmentsOf } = require('./store.js')
const { format } = require('./text.js')

const OPTIONS = {
  tag: check.text,
  store: value => value,
  allocate: (value, name) => check.callable(value?.allocate?.bind(value) ?? value, name),
  step: check.step,
  runwayMs: check.wait,
  prefetch: (value, name) => check.narrow(value, name, 100),
  waitMs: check.wait,
}
/** The count of numbers that are taken from the addon at once. */
const BLOCK = 4096

/** Returns the arguments that open a segment: a store, the tag and options. */
function plan(options) {
  const checked = check.options(options, OPTIONS)
  const { store, allocate, tag: _, ...rest } = checked
  const tag = check.needed(checked, 'tag', 'a segment')
  if (allocate === undefined) check.needed(checked, 'store', 'a segment', 'a store, or allocate')
  return [segmentsOf(store, allocate, rest.step), tag, rest]
}

/** Returns the milliseconds until a time. */
function leftUntil(then) {
  return Math.ceil(Math.max(0, then - performance.now()))
}

class Segment extends IdSource {
  #handle
  #tag
  #turns = new Turns()
  // Numbers taken from the addon and not yet given out: those from #at up to #end. They come before
  // all that the addon has, and after all that were given out.
  #block = new BigUint64Array(BLOCK)
  #at = 0
  #end = 0
  // The largest number that was taken on this thread or given out.
  #last = -1n
  #image = 0

  constructor(options) {
    const opened = openedAs(options) ?? native.openSegmentNow(...plan(options))
    super(opened)
    this.#handle = opened.handle
    this.#tag = opened.tag
  }

  static async open(options) {
    const opened = typeof options === 'string' ? native.openAs('segment', options) : native.openSegment(...plan(options))
    return Segment.opened.call(this, await opened)
  }

  /** Returns the segment with its first numbers at hand, if they arrive in time. */
  static async opened(opened) {
    const segment = new (classOf(this, Segment))(asOpened(opened))
    await segment.ready().catch(error => {
      // A temporary failure of the store does not matter before a number is wanted.
      if (isTransient(error)) return
      segment.close()
      throw error
    })
    return segment
  }

  static lazy(url) {
    return new (classOf(this, Segment))(asOpened(native.lazyAs('segment', check.text(url, 'the URL'))))
  }

  get kind() {
    return 'segment'
  }

  get tag() {
    return this.#tag
  }

  async ready(waitMs = this.waitMs) {
    check.wait(waitMs)
    if (this.#isReady() || this.#refill()) return
    await this.#turns.take(waitMs, async left => {
      const until = performance.now() + left
      while (!this.#isReady() && !this.#refill()) {
        const image = images.present
        const numbers = await native.numbersLater(this.#handle, BLOCK, leftUntil(until))
        if (this.closed) return
        // Other calls may have got larger numbers meanwhile. Then these are a gap.
        const areNext = image === images.present && !this.#isReady() && numbers[0] > this.#last
        if (areNext) this.#keep(numbers)
      }
    })
  }

  #isReady() {
    return this.#at < this.#end && this.#image === images.present
  }

  #keep(numbers) {
    this.#block = numbers
    this.#at = 0
    this.#end = numbers.length
    this.#image = images.present
    this.#took(numbers)
  }

  /** Notes the numbers that the addon returned. */
  #took(numbers, count = numbers.length) {
    if (count > 0 && numbers[count - 1] > this.#last) this.#last = numbers[count - 1]
  }

  /**
   * Notes the numbers that a thread took for a waiting call. Smaller numbers at hand become a gap.
   */
  #waited(numbers) {
    this.#took(numbers)
    const last = numbers[numbers.length - 1]
    while (this.#isReady() && this.#block[this.#at] < last) this.#at++
  }

  nextId() {
    if (this.#isReady()) return this.#block[this.#at++]
    return this.#nextOfNewBlock()
  }

  #nextOfNewBlock() {
    if (!this.#refill()) this.#refillBy(native.numbersNow)
    return this.#block[this.#at++]
  }

  #refill() {
    if (this.#block.length < BLOCK) this.#block = new BigUint64Array(BLOCK)
    return this.#refillBy(native.tryNumbers) > 0
  }

  #refillBy(take) {
    this.#end = take(this.#handle, this.#block)
    this.#at = 0
    this.#image = images.present
    this.#took(this.#block, this.#end)
    return this.#end
  }

  nextIdString(form = 'dec') {
    check.text(form, 'the form')
    return form === 'dec' ? String(this.nextId()) : format(this.nextId(), form)
  }

  nextIds(count) {
    return this.fill(new BigUint64Array(check.count(count, limits.maxCount)))
  }

  fill(array) {
    const { buffer, length } = check.ids(array)
    if (isSharedArrayBuffer(buffer)) {
      // If the call fails, it takes its numbers back. They must not be numbers that another thread
      // wrote.
      array.set(this.fill(new BigUint64Array(length)))
      return array
    }
    let taken = this.#drainInto(array)
    try {
      while (taken < array.length) taken += this.#take(array.subarray(taken))
    } catch (error) {
      // A failed call takes no number: the next call returns these first.
      this.#keep(array.slice(0, taken))
      throw error
    }
    this.#took(array)
    return array
  }

  #take(array) {
    return native.tryNumbers(this.#handle, array) || native.numbersNow(this.#handle, array)
  }

  /** Moves the numbers at hand to the start of an array, and returns their count. */
  #drainInto(array) {
    const count = this.#isReady() ? Math.min(array.length, this.#end - this.#at) : 0
    array.set(this.#block.subarray(this.#at, this.#at + count))
    this.#at += count
    return count
  }

  async nextIdAsync(waitMs = this.waitMs) {
    check.wait(waitMs)
    if (this.#isReady() || this.#refill()) return this.#block[this.#at++]
    const number = await super.nextIdAsync(waitMs)
    this.#waited([number])
    return number
  }

  async nextIdsAsync(count, waitMs = this.waitMs) {
    check.count(count, limits.maxCount)
    check.wait(waitMs)
    const numbers = new BigUint64Array(count)
    const taken = this.#drainInto(numbers)
    if (taken < count) {
      numbers.set(await super.nextIdsAsync(count - taken, waitMs), taken)
      this.#waited(numbers)
    }
    return numbers
  }

  close() {
    this.#at = this.#end = 0
    super.close()
  }

  async closeAsync(waitMs = this.waitMs) {
    check.wait(waitMs)
    this.#at = this.#end = 0
    await super.closeAsync(waitMs)
  }

  stats() {
    const stats = super.stats()
    if (!this.#isReady()) return stats
    const left = this.#end - this.#at
    // The numbers of the range in use that were taken from the addon and are still at hand.
    const [used] = stats.buckets
    if (used && used.left + BigInt(left) <= used.size) used.left += BigInt(left)
    else stats.buckets.unshift({ left: BigInt(left), size: BigInt(this.#end) })
    if (stats.runwayMs !== undefined) stats.runwayMs += Math.floor(left / stats.rate * 1000)
    return stats
  }
}

inspectable(Segment, segment => ({ tag: segment.tag, ...closedOf(segment) }))

module.exports = { Segment }
