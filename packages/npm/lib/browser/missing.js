'use strict'
// Classes and functions that need the native addon, because they need an operating system. Using
// them throws an error that says so.

const { SnowmintError } = require('../errors.js')
const { here } = require('./here.js')

function missing(instead = '') {
  throw new SnowmintError('unsupported', `only Node's addon has it${instead}${here.advice()}`)
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

  static lazy() {
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

class PublicIdKeys {
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

/**
 * Returns the error for opening without a URL or options, which in Node opens the user's own file.
 */
function nothingNamed() {
  const message = `only Node's addon has files, and one of the user's own among them: name a source${here.advice()}`
  return new SnowmintError('unsupported', message)
}

/** Refuses an option that only the addon has. `instead` is the advice in the error. */
function refuseOption(options, name, instead) {
  if (options?.[name] !== undefined) missing(`, the option ${name}: ${instead}`)
}

function openSync() {
  missing('; use open')
}

function lazy() {
  missing('; use open, and await it where the first ID is needed')
}

async function migrate() {
  missing(SERVICE)
}

function onRestore() {
  missing()
}

module.exports = { Missing, PublicIdKeys, PublicIds, Store, lazy, migrate, nothingNamed, onRestore, openSync, refuseOption }
