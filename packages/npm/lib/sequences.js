'use strict'
// A sequence for each of many keys.

const native = require('./native.js')
const check = require('./arguments.js')
const { withCode } = require('./errors.js')
const { inspectable } = require('./inspected.js')
const { OPENED } = require('./layout.js')
const { ASYNC_DISPOSE, DISPOSE, Turns } = require('./source.js')
const { statsOf } = require('./stats.js')
const { segmentsOf } = require('./store.js')

const OPTIONS = {
  tag: check.text,
  store: value => value,
  keysPerSection: check.unsigned,
  step: check.step,
  waitMs: check.wait,
}
const WAIT_MS = 5_000

class Sequences {
  #sequences
  #tag
  #waitMs
  #turns = new Turns()

  constructor(token, sequences, tag, waitMs) {
    if (token !== OPENED) throw withCode(new TypeError('use await Sequences.open(options)'))
    this.#sequences = sequences
    this.#tag = tag
    this.#waitMs = waitMs
  }

  static async open(options) {
    if (typeof options === 'string') {
      const opened = await native.openAs('sequences', options)
      return new Sequences(OPENED, opened.sequences, opened.tag, opened.waitMs)
    }
    const checked = check.options(options, OPTIONS)
    const { tag: _, store: __, waitMs = WAIT_MS, ...rest } = checked
    const [tag, store] = ['tag', 'store'].map(key => check.needed(checked, key, 'a source of sequences'))
    const { sequences } = await native.openSequences(segmentsOf(store), tag, rest)
    return new Sequences(OPENED, sequences, tag, waitMs)
  }

  static lazy(url) {
    const opened = native.lazyAs('sequences', check.text(url, 'the URL'))
    return new Sequences(OPENED, opened.sequences, opened.tag, opened.waitMs)
  }

  get kind() {
    return 'sequences'
  }

  get tag() {
    return this.#tag
  }

  get waitMs() {
    return this.#waitMs
  }

  next(key) {
    return native.sequencesNextNow(this.#sequences, check.key(key))
  }

  async nextAsync(key, waitMs = this.#waitMs) {
    const wide = check.key(key)
    check.wait(waitMs)
    return this.#turns.take(waitMs, left => native.sequencesNextLater(this.#sequences, wide, left))
  }

  async ready(waitMs = this.#waitMs) {
    check.wait(waitMs)
    await native.sequencesOpenLate(this.#sequences, waitMs)
  }

  stats() {
    return statsOf(native.sequencesStats(this.#sequences))
  }

  close() {
    native.sequencesClose(this.#sequences)
  }

  /** Closes them. No store holds a worker ID for them, so there is nothing to wait for. */
  async closeAsync(waitMs = this.#waitMs) {
    check.wait(waitMs)
    this.close()
  }

  [DISPOSE]() {
    this.close()
  }

  [ASYNC_DISPOSE]() {
    return this.closeAsync()
  }
}

inspectable(Sequences, sequences => (
  { tag: sequences.tag, closed: sequences.stats().isClosed || undefined }
))

module.exports = { Sequences }
