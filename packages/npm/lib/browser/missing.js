'use strict'
// What needs the native addon, for it needs an operating system: it says so when it is used.

const { SnowmintError } = require('../errors.js')

function missing() {
  throw new SnowmintError('unsupported', "only Node's addon has it; see IdService")
}

class Missing {
  constructor() {
    missing()
  }

  static async open() {
    missing()
  }

  static openSync() {
    missing()
  }
}

module.exports = { Missing, missing }
