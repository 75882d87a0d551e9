'use strict'
// Segments in a browser: numbers of a tag, from ranges that a function or an ID service reserves.

const check = require('../arguments.js')
const { SnowmintError } = require('../errors.js')
const { limits } = require('../policies.js')
const { client } = require('./client.js')
const { Minting, NO_ANSWER, closed, isTransient } = require('./minting.js')
const { once } = require('./once.js')

const OPTIONS = {
  tag: tagOf,
  allocate: (value, name) => check.callable(value?.allocate?.bind(value) ?? value, name),
  step: stepOf,
  prefetch: (value, name) => check.narrow(value, name, 100),
  waitMs: check.wait,
}

function tagOf(tag) {
  const form = /^[\w.:-]{1,64}$/
  if (form.test(check.text(tag, 'tag'))) return tag
  throw new SnowmintError('invalid_tag', `${check.shown(tag)}: use ${form}`)
}

function stepOf(value, name) {
  const step = check.unsigned(value, name)
  if (step && step <= limits.maxStep) return step
  throw new SnowmintError('invalid_step', `${step}: use 1 to ${limits.maxStep}`)
}

class Segment extends Minting {
  #own

  constructor(options) {
    const checked = check.options(options, OPTIONS)
    for (const key of ['tag', 'allocate']) check.needed(checked, key, 'a segment')
    let failure
    const fetching = once(async () => {
      const { fetching } = await client()
      if (this.closed) return
      Object.assign(own, fetching({ ...checked, news: own.news }))
      own.news()
    })
    /** Has what fetches loaded, for somebody wants a number. It takes the place of this. */
    const load = () => {
      if (this.closed) throw closed()
      fetching().catch(cause => { failure = cause })
      throw failure ?? new SnowmintError('wait_timeout', NO_ANSWER)
    }
    const own = {
      next: load,
      some: load,
      ready: load,
      stats: () => ({ kind: 'segment' }),
      pause: error => isTransient(error) ? Infinity : undefined,
    }
    super(own, checked.waitMs)
    this.tag = checked.tag
    this.#own = own
  }

  static async open(options) {
    const segment = new Segment(options)
    // A store that fails is no news before a number is wanted.
    await segment.ready().catch(() => {})
    return segment
  }

  async ready(waitMs) {
    await this.#own.within(waitMs, () => this.#own.ready())
  }
}

module.exports = { Segment }
