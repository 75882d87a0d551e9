'use strict'
// Numbers that begin with the date.

const native = require('./native.js')
const check = require('./arguments.js')
const { classOf } = require('./browser/minting.js')
const { closedOf, inspectable } = require('./inspected.js')
const { asOpened, openedAs } = require('./opened.js')
const { IdSource } = require('./source.js')
const { segmentsOf } = require('./store.js')

const OPTIONS = {
  tag: check.text,
  store: value => value,
  zone: check.text,
  digits: check.narrow,
  step: check.step,
  prefetch: (value, name) => check.narrow(value, name, 100),
  waitMs: check.wait,
}

function plan(options) {
  const checked = check.options(options, OPTIONS)
  const { tag: _, store: __, ...rest } = checked
  const [tag, store] = ['tag', 'store'].map(key => check.needed(checked, key, 'a source of daily numbers'))
  return [segmentsOf(store), tag, rest]
}

class Daily extends IdSource {
  #tag

  constructor(options) {
    const opened = openedAs(options) ?? native.openDailyNow(...plan(options))
    super(opened)
    this.#tag = opened.tag
  }

  static async open(options) {
    const opened = await (typeof options === 'string' ? native.openAs('daily', options) : native.openDaily(...plan(options)))
    return new (classOf(this, Daily))(asOpened(opened))
  }

  static lazy(url) {
    return new (classOf(this, Daily))(asOpened(native.lazyAs('daily', check.text(url, 'the URL'))))
  }

  get kind() {
    return 'daily'
  }

  get tag() {
    return this.#tag
  }
}

inspectable(Daily, daily => ({ tag: daily.tag, ...closedOf(daily) }))

module.exports = { Daily }
