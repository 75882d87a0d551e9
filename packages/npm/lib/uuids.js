'use strict'
// UUIDs of versions 4 and 7.

const native = require('./native.js')
const check = require('./arguments.js')
const { classOf } = require('./browser/minting.js')
const { inspectable } = require('./inspected.js')
const { asOpened, openedAs } = require('./opened.js')
const { ASYNC_DISPOSE, DISPOSE } = require('./source.js')
const { statsOf } = require('./stats.js')

class UuidSource {
  #handle
  // Kept because the addon gives up the source when it is collected.
  #guard
  #version

  constructor(version = 7) {
    const opened = openedAs(version) ?? native.openUuids(check.version(version))
    this.#handle = opened.handle
    this.#guard = opened.guard
    this.#version = opened.version
  }

  static async open(url) {
    return new (classOf(this, UuidSource))(asOpened(await native.openAs('uuid', check.text(url, 'the URL'))))
  }

  static lazy(url) {
    return new (classOf(this, UuidSource))(asOpened(native.lazyAs('uuid', check.text(url, 'the URL'))))
  }

  get kind() {
    return 'uuid'
  }

  get version() {
    return this.#version
  }

  nextUuid() {
    return native.nextUuid(this.#handle)
  }

  stats() {
    return statsOf(native.stats(this.#handle))
  }

  async ready(waitMs = 0) {
    check.wait(waitMs)
  }

  close() {}

  async closeAsync(waitMs = 0) {
    check.wait(waitMs)
  }

  [Symbol.iterator]() {
    const next = () => ({ done: false, value: this.nextUuid() })
    const finished = value => ({ done: true, value })
    return { next, return: finished, [Symbol.iterator]() { return this } }
  }

  [DISPOSE]() {}

  async [ASYNC_DISPOSE]() {}
}

inspectable(UuidSource, ({ version }) => ({ version }))

module.exports = { UuidSource }
