'use strict'
// The environment. In Node, missing parts can be installed, or are there.

/**
 * `advice()` returns the end of messages about missing parts. `crypto()` returns the Web's crypto.
 */
const here = { advice: () => '', crypto: () => globalThis.crypto }

module.exports = { here }
