'use strict'
// The common code of all sources of 64-bit IDs.

const native = require('./native.js')
const check = require('./arguments.js')
const { SnowmintError, withCode } = require('./errors.js')
const { statsOf } = require('./stats.js')
const { textForms } = require('./text.js')

const { tryNextId, tryNextText } = native.minting()
const limits = native.limits()
const DISPOSE = Symbol.dispose ?? Symbol.for('Symbol.dispose')
const ASYNC_DISPOSE = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')

/** Counts the images of this process. IDs taken in an earlier image are not given out. */
const images = { present: 0 }

function onRestore() {
  images.present++
  native.onRestore()
}

/** Makes waiting calls take turns, so that at most one thread waits for a source. */
class Turns {
  #last = Promise.resolve()

  /** Runs `job` with the milliseconds left, once it is its turn. */
  async take(waitMs, job) {
    const until = performance.now() + waitMs
    const before = this.#last
    let over
    this.#last = new Promise(resolve => {
      over = resolve
    })
    await before
    // This and all callers await the result, so that an error's stack names them.
    try {
      return await job(Math.ceil(Math.max(0, until - performance.now())))
    } finally {
      over()
    }
  }
}

/** The indices of the forms in the addon's table. */
const indices = new Map(textForms().map(({ name }, index) => [name, index]))

function formIndex(name) {
  const index = indices.get(name)
  // The addon makes the error's message.
  if (index === undefined) native.formatText(0n, check.text(name, 'form'))
  return index
}

/** Names the call that waits in errors that repeating the same call cannot mend. */
function naming(waiting, take) {
  try {
    return take()
  } catch (error) {
    const { code, message, waitMs } = error
    if (code !== 'empty' && code !== 'count_out_of_range') throw error
    const said = code === 'empty' ? 'no ID is ready' : message
    throw new SnowmintError(code, `${said}: await ${waiting}()`, { waitMs })
  }
}

class IdSource {
  #handle
  // Kept because the addon gives up the source when it is collected.
  #guard
  #waitMs
  #turns = new Turns()
  #closed = false

  constructor({ handle, guard, waitMs }) {
    this.#handle = handle
    this.#guard = guard
    this.#waitMs = waitMs
  }

  get waitMs() {
    return this.#waitMs
  }

  get closed() {
    return this.#closed
  }

  nextId() {
    const id = tryNextId(this.#handle)
    return id === undefined ? naming('nextIdAsync', () => native.nextIdNow(this.#handle)) : id
  }

  nextIdString(form) {
    const text = tryNextText(this.#handle, form === undefined ? 0 : formIndex(form))
    return text === undefined ? native.formatText(this.nextId(), form ?? 'dec') : text
  }

  nextIds(count) {
    check.count(count, limits.maxCount)
    return naming('nextIdsAsync', () => native.nextIdsNow(this.#handle, count))
  }

  fill(array) {
    check.ids(array)
    naming('fillAsync', () => native.fillNow(this.#handle, array))
    return array
  }

  async nextIdAsync(waitMs = this.#waitMs) {
    check.wait(waitMs)
    const id = tryNextId(this.#handle)
    if (id !== undefined) return id
    return await this.#turns.take(waitMs, left => native.nextIdLater(this.#handle, left))
  }

  async nextIdsAsync(count, waitMs = this.#waitMs) {
    check.count(count, limits.maxCount)
    check.wait(waitMs)
    return await this.#turns.take(waitMs, left => native.nextIdsLater(this.#handle, count, left))
  }

  async fillAsync(array, waitMs = this.#waitMs) {
    check.ids(array)
    // The length is read anew each time, because a buffer can grow or shrink meanwhile.
    for (let at = 0; at < array.length;) {
      const ids = await this.nextIdsAsync(Math.min(limits.maxCount, array.length - at), waitMs)
      if (at + ids.length > array.length) {
        throw withCode(new RangeError('the array became shorter while IDs were waited for'))
      }
      array.set(ids, at)
      at += ids.length
    }
    return array
  }

  close() {
    if (this.#closed) return
    this.#closed = true
    native.close(this.#handle)
  }

  async closeAsync(waitMs = this.#waitMs) {
    check.wait(waitMs)
    if (this.#closed) return
    this.#closed = true
    await native.closeLater(this.#handle, waitMs)
  }

  async ready(waitMs = this.#waitMs) {
    check.wait(waitMs)
    await native.openLate(this.#handle, waitMs)
  }

  stats() {
    return statsOf(native.stats(this.#handle))
  }

  [Symbol.iterator]() {
    const next = () => ({ done: false, value: this.nextId() })
    return { next, return: finished, [Symbol.iterator]: itself }
  }

  [Symbol.asyncIterator]() {
    const next = async () => ({ done: false, value: await this.nextIdAsync() })
    return { next, return: async value => finished(value), [Symbol.asyncIterator]: itself }
  }

  [DISPOSE]() {
    this.close()
  }

  [ASYNC_DISPOSE]() {
    return this.closeAsync()
  }
}

function itself() {
  return this
}

function finished(value) {
  return { done: true, value }
}

module.exports = { ASYNC_DISPOSE, DISPOSE, IdSource, Turns, images, limits, onRestore }
