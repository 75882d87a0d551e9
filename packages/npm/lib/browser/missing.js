'use strict'
// What needs the native addon, for it needs an operating system: it says so when it is used.

const { SnowmintError } = require('../errors.js')

function refuse() {
  const message = 'that needs the native addon of Node, for files and databases; here, lease worker IDs and ' +
    'numbers from an ID service: new IdService(url)'
  throw new SnowmintError('unsupported', message)
}

class Missing {
  constructor() {
    refuse()
  }

  static async open() {
    refuse()
  }
}

class Daily extends Missing {}

class Sequences extends Missing {}

class Store extends Missing {
  static openSync() {
    refuse()
  }
}

module.exports = { Daily, Sequences, Store, openSync: refuse }
