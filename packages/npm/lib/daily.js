'use strict'
// Numbers that begin with the date.

const native = require('./native.js')
const check = require('./arguments.js')
const { classOf } = require('./browser/minting.js')
const { closedOf, inspectable } = require('./inspected.js')
const { OPENED } = require('./layout.js')
const { IdSource } = require('./source.js')
const { segmentsOf } = require('./store.js')

const OPTIONS = {
  tag: check.text,
  store: value => value,
  zone: check.text,
  digits: check.narrow,
  step: check.unsigned,
  prefetch: (value, name) => check.narrow(value, name, 100),
  waitMs: check.wait,
}

function plan(options) {
  const checked = check.options(options, OPTIONS)
  const { store, tag: _, ...rest } = checked
  return [segmentsOf(store), check.needed(checked, 'tag', 'a source of daily numbers'), rest]
}

class Daily extends IdSource {
  #tag

  constructor(options, opened) {
    super((opened = options === OPENED ? opened : native.openDailyNow(...plan(options))))
    this.#tag = opened.tag
  }

  static async open(options) {
    return new (classOf(this, Daily))(OPENED, await native.openDaily(...plan(options)))
  }

  get tag() {
    return this.#tag
  }
}

inspectable(Daily, daily => ({ tag: daily.tag, ...closedOf(daily) }))

module.exports = { Daily }
