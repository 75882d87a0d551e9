'use strict'
// What leases worker IDs and fetches numbers: a page loads it when it is first asked for. The
// bundler has another module in this one's place where it comes as a file of its own.

/** What lease.js exports, once it is there. */
async function client() {
  return require('./lease.js')
}

module.exports = { client }
