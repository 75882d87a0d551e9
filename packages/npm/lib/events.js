'use strict'
// What listeners hear of, by an emitter of Node's.

const { EventEmitter } = require('node:events')
const native = require('./native.js')
const { statsOf } = require('./stats.js')

const events = new EventEmitter()

native.listen(({ unixMs, ...row }) => {
  const event = Object.freeze({ ...statsOf(row), time: new Date(unixMs) })
  events.emit(event.name, event)
  events.emit('event', event)
})

module.exports = { events }
