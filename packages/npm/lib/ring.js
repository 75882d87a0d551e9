'use strict'
// IDs of another source, made ahead. This class keeps none, because the ring knows their greatest
// age.

const native = require('./native.js')
const check = require('./arguments.js')
const { classOf } = require('./browser/minting.js')
const { withCode } = require('./errors.js')
const { closedOf, inspectable } = require('./inspected.js')
const { Layout, OPENED } = require('./layout.js')
const { asOpened, openedAs } = require('./opened.js')
const { IdSource } = require('./source.js')

class Ring extends IdSource {
  #layout

  constructor(given) {
    const opened = openedAs(given)
    if (!opened) throw withCode(new TypeError("use await Ring.open('snowflake:?worker_id=7&ring=1024')"))
    super(opened)
    if (opened.layout) this.#layout = new Layout(OPENED, opened.layout)
  }

  static async open(url) {
    return new (classOf(this, Ring))(asOpened(await native.openAs('ring', check.text(url, 'the URL'))))
  }

  static lazy(url) {
    return new (classOf(this, Ring))(asOpened(native.lazyAs('ring', check.text(url, 'the URL'))))
  }

  get kind() {
    return 'ring'
  }

  get layout() {
    return this.#layout
  }
}

inspectable(Ring, ring => ({ of: ring.stats().kind, workerId: ring.stats().workerId, ...closedOf(ring) }))

module.exports = { Ring }
