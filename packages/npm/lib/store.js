'use strict'
// Stores, which reserve worker IDs and numbers: the addon's own, and those written in JavaScript.

const native = require('./native.js')
const check = require('./arguments.js')
const { SnowmintError, numberOf, withCode } = require('./errors.js')
const { described } = require('./escaped.js')
const { inspectable } = require('./inspected.js')
const { OPENED } = require('./layout.js')
const { reachOf } = require('./reach.js')
const { ASYNC_DISPOSE, DISPOSE } = require('./source.js')
const { remember } = require('./thrown.js')

const externals = new WeakMap()
/** The default step if a function gives the ranges; the same as Leaf's. */
const DEFAULT_STEP = 1000n

function create(store, tag, options, mayBeThere) {
  const { start, step, stride, max } = check.options(options, {
    start: check.unsigned,
    step: check.step,
    stride: check.unsigned,
    max: check.unsigned,
  })
  const { segments } = externals.get(store)
  return native.createTag(segments, check.text(tag, 'tag'), start, step, stride, max, mayBeThere)
}

class Store {
  #scheme
  #closed = false

  constructor(token, opened, url) {
    if (token !== OPENED) throw withCode(new TypeError('use await Store.open(url)'))
    externals.set(this, opened)
    // Only the scheme of a URL is shown, because the rest may contain a password.
    this.#scheme = url.slice(0, url.indexOf(':'))
  }

  static async open(url) {
    return new Store(OPENED, await native.openStore(check.text(url, 'the URL')), url)
  }

  static openSync(url) {
    return new Store(OPENED, native.openStoreNow(check.text(url, 'the URL')), url)
  }

  static {
    inspectable(Store, store => ({ scheme: store.#scheme, closed: store.#closed || undefined }))
  }

  async createTag(tag, options = {}) {
    await create(this, tag, options, false)
  }

  async ensureTag(tag, options = {}) {
    return create(this, tag, options, true)
  }

  async changeTag(tag, change) {
    const kinds = { next: check.unsigned, step: check.step, max: check.unsigned }
    const { next, step, max } = check.options(change, kinds, 'change')
    return native.changeTag(externals.get(this).segments, check.text(tag, 'tag'), next, step, max)
  }

  async vouch(server, options) {
    check.text(server, 'server')
    const checked = check.options(options, { raiseBySteps: check.unsigned, newFrom: check.unsigned })
    const raiseBySteps = check.needed(checked, 'raiseBySteps', 'a vouch')
    return native.vouch(externals.get(this).segments, server, raiseBySteps, checked.newFrom)
  }

  async tag(tag) {
    const rows = await native.tags(externals.get(this).segments, check.text(tag, 'tag'))
    return rows[0]
  }

  async tags() {
    return native.tags(externals.get(this).segments)
  }

  async workers() {
    return native.workers(externals.get(this).workers)
  }

  async evict(realm, workerId) {
    const { workers } = externals.get(this)
    return native.evict(workers, check.text(realm, 'realm'), check.narrow(workerId, 'workerId'))
  }

  close() {
    const { workers, segments } = externals.get(this)
    this.#closed = true
    native.closeStore(workers, segments)
  }

  [DISPOSE]() {
    this.close()
  }

  async [ASYNC_DISPOSE]() {
    this.close()
  }
}

async function migrate(url, options = {}) {
  const { dryRun = false } = check.options(options, {
    dryRun: value => check.typed(typeof value === 'boolean', 'dryRun', 'a boolean', value),
  })
  return native.migrate(check.text(url, 'the URL'), dryRun)
}

/**
 * Returns number, message and cause of the value that a store threw. Reading it may throw as well.
 */
function refusalOf(error, method) {
  try {
    if (error instanceof SnowmintError) {
      return [errorNumberOf(error), String(error.message), remember(error.cause ?? error)]
    }
  } catch {
    // The value is no error of this package then.
  }
  const message = `the store's ${method} failed: ${described(error)}`
  return [numberOf('store_unavailable'), message, remember(error)]
}

function errorNumberOf({ code }) {
  const number = numberOf(code)
  if (number === undefined) throw new TypeError('the error has a code that there is not')
  return number
}

/** Creates the function that the addon's threads ask through. It answers when `answer` has. */
function asking(answer) {
  return (question, reply) => {
    answer(question, reply).catch(error => {
      native.answerError(reply, ...refusalOf(error, question.method))
    })
  }
}

/** Reads `[start, end]`, `[start, end, stride]` or `{ start, end, stride }` from the user. */
function rangeOf(given) {
  const { start, end, stride = 1n } = Array.isArray(given)
    ? { start: given[0], end: given[1], stride: given[2] }
    : Object(given)
  try {
    return [start, end, stride].map((value, at) => (
      check.unsignedOrDigits(value, ['start', 'end', 'stride'][at])
    ))
  } catch (error) {
    throw new SnowmintError('invalid_range', `allocate should give [start, end): ${error.message}`)
  }
}

function allocatorOf(allocate, step = DEFAULT_STEP) {
  const ask = asking(async ({ name, count }, reply) => {
    native.answerRange(reply, ...rangeOf(await allocate(name, count)))
  })
  return native.allocator(ask, step)
}

/** Returns the native source of numbers: a store, or a function. */
function segmentsOf(store, allocate, step) {
  if (store !== undefined && allocate !== undefined) {
    throw withCode(new TypeError('numbers come from a store or from allocate, not from both'))
  }
  if (allocate !== undefined) return allocatorOf(allocate, step)
  return externals.get(check.instance(store, Store, 'store')).segments
}

const METHODS = ['acquire', 'renew', 'release']

function leaseOf(given, method) {
  const time = (value, name) => check.time(value, name)
  try {
    const lease = check.options(given, {
      workerId: check.narrow,
      epoch: check.unsigned,
      floorMs: time,
      reservedMs: time,
      nowMs: time,
    }, 'a lease')
    for (const key of ['workerId', 'epoch', 'floorMs', 'reservedMs', 'nowMs']) {
      check.needed(lease, key, 'a lease')
    }
    return lease
  } catch (error) {
    const message = `the store's ${method} should give a lease: ${error.message}`
    throw new SnowmintError('invalid_answer', message)
  }
}

/** Returns the native source of leases: a store, or an object with acquire, renew and release. */
function workerStoreOf(store) {
  if (store instanceof Store) return externals.get(store).workers
  const isObject = store !== null && typeof store === 'object'
  const isWorkerStore = isObject && METHODS.every(method => typeof store[method] === 'function')
  check.typed(isWorkerStore, 'store', 'a Store, or an object with acquire, renew and release', store)
  return native.workerStore(asking(async (question, reply) => {
    const { method, name: realm, workerId, ...rest } = question
    const known = Object.fromEntries(Object.entries(rest).filter(([, value]) => value != null))
    if (method === 'acquire') {
      const request = { realm, maxWorkerId: workerId, ...known, reachMs: reachOf(known) }
      native.answerLease(reply, leaseOf(await store.acquire(request), method))
      return
    }
    const { nextToken, reserveMs, ...lease } = { realm, workerId, ...known }
    if (method === 'renew') {
      native.answerLease(reply, leaseOf(await store.renew(lease, nextToken, reserveMs), method))
      return
    }
    await store.release(lease)
    native.answerDone(reply)
  }))
}

module.exports = { Store, migrate, workerStoreOf, segmentsOf }
