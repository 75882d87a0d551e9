'use strict'
// Snowflakes: time, worker ID and sequence.

const native = require('./native.js')
const check = require('./arguments.js')
const { classOf } = require('./browser/minting.js')
const { SnowmintError, withCode } = require('./errors.js')
const { closedOf, inspectable } = require('./inspected.js')
const { Layout, OPENED, externalOf } = require('./layout.js')
const { asOpened, openedAs } = require('./opened.js')
const { policyOf } = require('./policies.js')
const { IdSource } = require('./source.js')
const { workerStoreOf } = require('./store.js')

const OPTIONS = {
  workerId: value => check.typed(/^(string|number)$/.test(typeof value), 'workerId', WORKER_ID, value),
  store: value => value,
  layout: layout => externalOf(layout),
  policy: policy => ({ maxWaitMs: 0, ...policyOf(policy) }),
  maxAheadMs: check.narrow,
  start: check.text,
  reserveMs: check.narrow,
  waitMs: check.wait,
  stateDirectory: check.text,
}

const WORKER_ID = "a number, or a text such as 'env'"
const RANDOM =
  "workerId: 'random' needs the build for browsers. Use a store here. In a test with jsdom or " +
  "happy-dom, import 'snowmint/inline': test: { alias: { snowmint: 'snowmint/inline' } } (Vitest)"

/**
 * Returns a worker ID, or the place where it is found, as text. The addon refuses IDs above the
 * layout's largest.
 */
function workerIdOf(given, layout) {
  if (given === 'random') throw new SnowmintError('unsupported', RANDOM)
  if (typeof given === 'string') return given
  const isNarrow = Number.isInteger(given) && given >= 0 && given < 2 ** 32
  const { maxWorkerId } = native.layoutFacts(layout)
  return String(check.ranged(isNarrow, 'workerId', 'an integer from 0 to ', given, maxWorkerId))
}

/**
 * Returns the name of the addon's function, its arguments, and the file that is leased from if no
 * options were given: the user's own. The twin of a function that waits on this thread has the
 * function's name and `Now`.
 */
function plan(given) {
  // Undefined options must not open the default source, which nobody requested then.
  if (given.length === 0) return ['open', [native.defaultUrl()], native.defaultDatabase()]
  const checked = check.options(given[0], OPTIONS)
  const { workerId, store, layout = externalOf(Layout.TWITTER), ...rest } = checked
  if ((workerId === undefined) === (store === undefined)) {
    const message = workerId === undefined
      ? 'a generator needs one worker ID: a fixed one (workerId), or a store to lease one from'
      : 'a generator has one worker ID, and both workerId and store are given: leave one out'
    throw withCode(new TypeError(message))
  }
  if (workerId !== undefined) return ['openFixed', [layout, workerIdOf(workerId, layout), rest]]
  return ['openLeased', [layout, workerStoreOf(store), rest]]
}

class Snowflake extends IdSource {
  #layout
  #file

  constructor(...given) {
    let opened = openedAs(given[0])
    if (!opened) {
      const [name, list, file] = plan(given)
      opened = { ...native[`${name}Now`](...list), file }
    }
    super(opened)
    this.#layout = new Layout(OPENED, opened.layout)
    this.#file = opened.file
  }

  static async open(...given) {
    if (typeof given[0] === 'string') {
      return new (classOf(this, Snowflake))(asOpened(await native.openAs('snowflake', given[0])))
    }
    const [name, list, file] = plan(given)
    return new (classOf(this, Snowflake))(asOpened({ ...await native[name](...list), file }))
  }

  static lazy(url) {
    return new (classOf(this, Snowflake))(asOpened(native.lazyAs('snowflake', check.text(url, 'the URL'))))
  }

  get kind() {
    return 'snowflake'
  }

  get layout() {
    return this.#layout
  }

  get file() {
    return this.#file
  }
}

inspectable(Snowflake, flake => (
  { workerId: flake.stats().workerId, layout: String(flake.layout), ...closedOf(flake) }
))

module.exports = { Snowflake }
