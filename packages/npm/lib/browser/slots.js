'use strict'
// Names for the generators of one origin: none of those open has another's.

const { bytes, hex } = require('./random.js')

const KEPT = 'snowmint'
const PATIENCE_MS = 1000

/** A name for one generator of a realm, and what gives it up. */
async function takeSlot(realm) {
  const random = hex(bytes(8))
  try {
    const { locks } = navigator
    // A tab that was frozen in between may never let go.
    const signal = AbortSignal.timeout(PATIENCE_MS)
    // The origin's name says who holds a lease, and nothing about what was issued.
    const name = await locks.request(KEPT, { signal }, async () => {
      const cache = await caches.open(KEPT)
      const key = `${origin}/${KEPT}`
      const kept = await cache.match(key)
      if (kept) return kept.text()
      await cache.put(key, new Response(random))
      return random
    })
    for (let slot = 0; ; slot++) {
      // Held until `leave` is called, or the page or worker ends.
      const leave = await new Promise((resolve, reject) => {
        const held = lock => lock ? new Promise(resolve) : resolve()
        locks.request(`${KEPT} ${realm} ${slot}`, { ifAvailable: true }, held).catch(reject)
      })
      if (leave) return { owner: `${origin} ${name}.${slot}`.slice(-255), leave }
    }
  } catch {
    // No secure context, an opaque origin, an old browser: nobody else has this name either.
    return { owner: random, leave() {} }
  }
}

module.exports = { takeSlot }
