'use strict'
// What needs the native addon, for it needs an operating system: it says so when it is used.

const { SnowmintError } = require('../errors.js')

function missing(instead = '') {
  throw new SnowmintError('unsupported', `only Node's addon has it${instead}`)
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

const SERVICE = ', for it needs files or databases; see IdService'

class Store {
  constructor() {
    missing(SERVICE)
  }

  static async open() {
    missing(SERVICE)
  }

  static openSync() {
    missing(SERVICE)
  }
}

const KEYS = ': whoever has the keys of public IDs reads all of them, so they stay on servers'

class PublicIds {
  constructor() {
    missing(KEYS)
  }
}

class Opaque {
  constructor() {
    missing(KEYS)
  }

  static open() {
    missing(KEYS)
  }

  static fromBytes() {
    missing(KEYS)
  }

  static generate() {
    missing(KEYS)
  }
}

/** Refuses an option that the addon has, and says what there is in its place. */
function refuseOption(options, name, instead) {
  if (options?.[name] !== undefined) missing(`, the option ${name}: ${instead}`)
}

function openSync() {
  missing('; use open')
}

function onRestore() {
  missing()
}

module.exports = { Missing, Opaque, PublicIds, Store, onRestore, openSync, refuseOption }
