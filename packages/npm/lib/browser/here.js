'use strict'
// Where this runs: in Node what is not there can be installed.

/** `advice()` ends the message of what needs the addon. */
const here = { advice: () => '' }

module.exports = { here }
