'use strict'
// Where this runs: in Node what is not there can be installed, or is there.

/** `advice()` ends the message of what needs the addon, or has no module; `crypto()` is the Web's. */
const here = { advice: () => '', crypto: () => globalThis.crypto }

module.exports = { here }
