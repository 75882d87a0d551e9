'use strict'
// Events for listeners, through one of Node's emitters.

const { EventEmitter } = require('node:events')
const { events: ofServices } = require('./browser/events.js')
const native = require('./native.js')
const { statsOf } = require('./stats.js')

/**
 * Registers with the addon at the first listener. Earlier handles would make Jest report open
 * handles.
 */
class Events extends EventEmitter {
  on(name, listener) {
    hear()
    return super.on(name, listener)
  }

  addListener(name, listener) {
    return this.on(name, listener)
  }

  prependListener(name, listener) {
    hear()
    return super.prependListener(name, listener)
  }
}

const events = new Events()
let isHearing = false

function hear() {
  if (isHearing) return
  native.listen(({ unixMs, ...row }) => tell(Object.freeze({ ...statsOf(row), time: new Date(unixMs) })))
  isHearing = true
}

function tell(event) {
  events.emit(event.name, event)
  events.emit('event', event)
}

// An `IdService` runs in JavaScript with either engine.
ofServices.on('event', tell)

module.exports = { events }
