'use strict'
// Names for the generators of one origin. No two open generators have the same name.

const { bytes, hex } = require('./random.js')

const KEPT = 'snowmint'
const PATIENCE_MS = 1000

/** Returns a name for one generator of a realm, and a function that gives it up. */
async function takeSlot(realm) {
  const random = hex(bytes(8))
  try {
    const { locks } = navigator
    // A tab that was frozen meanwhile may never release its lock.
    const signal = AbortSignal.timeout(PATIENCE_MS)
    // The origin's name identifies the holder of a lease, but says nothing about issued IDs.
    const name = await locks.request(KEPT, { signal }, async () => {
      const cache = await caches.open(KEPT)
      const key = `${origin}/${KEPT}`
      const kept = await cache.match(key)
      if (kept) return kept.text()
      await cache.put(key, new Response(random))
      return random
    })
    for (let slot = 0; ; slot++) {
      // The lock is held until `leave` is called, or the page or worker ends.
      const leave = await new Promise((resolve, reject) => {
        const held = lock => lock ? new Promise(resolve) : resolve()
        locks.request(`${KEPT} ${realm} ${slot}`, { ifAvailable: true }, held).catch(reject)
      })
      if (leave) return { owner: `${origin} ${name}.${slot}`.slice(-255), leave }
    }
  } catch {
    // There is no secure context, or the origin is opaque, or the browser old. The random name is
    // unique.
    return { owner: random, leave() {} }
  }
}

module.exports = { takeSlot }
