'use strict'
// Segments in a browser: numbers of a tag, from ranges that a function or an ID service reserves.

const check = require('../arguments.js')
const { SnowmintError } = require('../errors.js')
const native = require('../native.js')
const { limits } = require('../policies.js')
const { fetching } = require('./fetching.js')
const { refuseOption } = require('./missing.js')
const { Minting } = require('./minting.js')

const OPTIONS = {
  tag: tagOf,
  allocate: (value, name) => check.callable(value?.allocate?.bind(value) ?? value, name),
  step: stepOf,
  prefetch: (value, name) => check.narrow(value, name, 100),
  waitMs: check.wait,
}

/** A tag, or one in a namespace: `shop/orders`. */
function tagOf(tag) {
  const form = /^(?=.{1,64}$)([\w.:-]+\/)?[\w.:-]+$/
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
    // It refuses where there is no engine yet.
    native.limits()
    refuseOption(options, 'store', 'use allocate, with an IdService or a function')
    const checked = check.options(options, OPTIONS)
    for (const key of ['tag', 'allocate']) check.needed(checked, key, 'a segment')
    const own = fetching({ ...checked, news: () => own.news() })
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
