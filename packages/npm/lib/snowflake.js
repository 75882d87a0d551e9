'use strict'
// Snowflakes: time, worker ID and sequence.

const native = require('./native.js')
const check = require('./arguments.js')
const { withCode } = require('./errors.js')
const { Layout, OPENED, externalOf } = require('./layout.js')
const { IdSource } = require('./source.js')
const { lessorOf } = require('./store.js')

const OPTIONS = {
  worker,
  store: value => value,
  layout: layout => externalOf(layout),
  policy: check.text,
  maxAheadMs: check.narrow,
  start: check.text,
  slabMs: check.narrow,
  waitMs: check.wait,
  stateDirectory: check.text,
}

function worker(value) {
  return typeof value === 'string' ? value : String(check.narrow(value, 'worker'))
}

/** The addon's function, or its twin that waits on this thread, and its arguments. */
function plan(options) {
  const checked = check.options(options, OPTIONS)
  const { worker, store, layout = externalOf(Layout.TWITTER), ...rest } = checked
  if ((worker === undefined) === (store === undefined)) {
    const message = 'a generator needs one worker ID: a fixed one (worker), or a store to lease one from'
    throw withCode(new TypeError(message))
  }
  if (worker !== undefined) return ['openFixed', [layout, worker, rest]]
  return ['openLeased', [layout, lessorOf(store), rest]]
}

class Snowflake extends IdSource {
  #layout

  constructor(options, opened) {
    if (options !== OPENED) {
      const [name, list] = plan(options)
      opened = native[`${name}Now`](...list)
    }
    super(opened)
    this.#layout = new Layout(OPENED, opened.layout)
  }

  static async open(options) {
    const [name, list] = plan(options)
    return new Snowflake(OPENED, await native[name](...list))
  }

  get layout() {
    return this.#layout
  }
}

module.exports = { Snowflake }
