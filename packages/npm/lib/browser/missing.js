'use strict'
// What needs the native addon, for it needs an operating system: it says so when it is used.

const { SnowmintError } = require('../errors.js')

function refuse() {
  throw new SnowmintError('unsupported', 'only the native addon of Node has it; see IdService')
}

class Missing {
  constructor() {
    refuse()
  }

  static async open() {
    refuse()
  }

  static openSync() {
    refuse()
  }
}

module.exports = { Missing, openSync: refuse }
