'use strict'
// IDs of another source, made ahead. None are kept here: the ring knows how old they may become.

const { withCode } = require('./errors.js')
const { closedOf, inspectable } = require('./inspected.js')
const { Layout, OPENED } = require('./layout.js')
const { openedAs } = require('./opened.js')
const { IdSource } = require('./source.js')

class Ring extends IdSource {
  #layout

  constructor(given) {
    const opened = openedAs(given)
    if (!opened) throw withCode(new TypeError("use await open('snowflake:?worker_id=7&ring=1024')"))
    super(opened)
    if (opened.layout) this.#layout = new Layout(OPENED, opened.layout)
  }

  get layout() {
    return this.#layout
  }
}

inspectable(Ring, ring => ({ of: ring.stats().kind, workerId: ring.stats().workerId, ...closedOf(ring) }))

module.exports = { Ring }
