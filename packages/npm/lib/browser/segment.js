'use strict'
// Segments in a browser: numbers of a tag, from ranges that a function or an ID service reserves.

const check = require('../arguments.js')
const { SnowmintError } = require('../errors.js')
const native = require('../native.js')
const { limits } = require('../policies.js')
const { fetching } = require('./fetching.js')
const { refuseOption } = require('./missing.js')
const { Minting, classOf, isTransient } = require('./minting.js')
const { optionsBy } = require('./urls.js')

const OPTIONS = {
  tag: tagOf,
  allocate: (value, name) => check.callable(value?.allocate?.bind(value) ?? value, name),
  step: stepOf,
  prefetch: (value, name) => check.narrow(value, name, 100),
  waitMs: check.wait,
}

/** Checks a tag, which may have a namespace: `shop/orders`. */
function tagOf(tag) {
  const [, namespace, name] = /^(?:([^/]*)\/)?(.*)$/s.exec(check.text(tag, 'tag'))
  if (namespace !== undefined) checkName(namespace, 'namespace')
  checkName(name, 'tag')
  const most = limits.maxTagLength
  if (tag.length <= most) return tag
  throw new SnowmintError('invalid_tag', `${check.shown(tag)} is too long for a tag in a namespace: ` +
    `use at most ${most} characters together with the /`)
}

function checkName(name, called) {
  const most = limits.maxTagLength
  if (/^[\w.:-]+$/.test(name) && name.length <= most) return
  throw new SnowmintError('invalid_tag', `${check.shown(name.slice(0, most))} is no ${called}: ` +
    `use 1 to ${most} letters, digits and the characters _ . : -`)
}

function stepOf(value, name) {
  const step = check.unsigned(value, name)
  if (step && step <= limits.maxStep) return step
  throw new SnowmintError('invalid_step', `${step}: use 1 to ${limits.maxStep}`)
}

class Segment extends Minting {
  kind = 'segment'
  #own

  constructor(options) {
    // This throws if no engine is loaded yet.
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
    const segment = new (classOf(this, Segment))(optionsBy('segment', options))
    await segment.ready().catch(error => {
      // A temporary failure of the store does not matter before a number is wanted.
      if (isTransient(error)) return
      segment.close()
      throw error
    })
    return segment
  }

  async ready(waitMs) {
    await this.#own.within(waitMs, () => this.#own.ready())
  }
}

module.exports = { Segment }
