'use strict'
// Events for listeners, without Node's emitter.

/** The names of events with their listeners, and true for those that listen once. */
let all = []

const events = {
  on(name, listener, isOnce) {
    all = [...all, [name, listener, isOnce]]
    return events
  },
  once: (name, listener) => events.on(name, listener, true),
  off(name, listener) {
    all = all.filter(([known, called]) => known !== name || called !== listener)
    return events
  },
}

/** Reports an event, after the code that noticed it has finished. */
function emit(name, facts) {
  const severity = name === 'store_back' ? 'info' : 'warning'
  const event = { name, severity, ...facts, time: new Date() }
  for (const [wanted, listener, isOnce] of all) {
    if (wanted !== name && wanted !== 'event') continue
    if (isOnce) events.off(wanted, listener)
    queueMicrotask(() => listener(event))
  }
}

module.exports = { emit, events }
