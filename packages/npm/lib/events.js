'use strict'
// What listeners hear of, by an emitter of Node's.

const { EventEmitter } = require('node:events')
const { events: ofServices } = require('./browser/events.js')
const native = require('./native.js')
const { statsOf } = require('./stats.js')

const events = new EventEmitter()

function tell(event) {
  events.emit(event.name, event)
  events.emit('event', event)
}

native.listen(({ unixMs, ...row }) => tell(Object.freeze({ ...statsOf(row), time: new Date(unixMs) })))
// An `IdService` asks in JavaScript, whatever mints.
ofServices.on('event', tell)

module.exports = { events }
