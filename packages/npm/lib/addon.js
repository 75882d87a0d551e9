'use strict'
// The package's exports if there is an addon.

const { Daily } = require('./daily.js')
const engine = require('./engine.js')
const { SnowmintError, errorCodes } = require('./errors.js')
const { events } = require('./events.js')
const { Layout, decode, guess } = require('./layout.js')
const { lazy, open, openSync } = require('./open.js')
const { PublicIdKeys, PublicIds } = require('./public-ids.js')
const { Ring } = require('./ring.js')
const { Segment } = require('./segment.js')
const { Sequences } = require('./sequences.js')
const { IdService } = require('./browser/service.js')
const { Snowflake } = require('./snowflake.js')
const { onRestore } = require('./source.js')
const { Store, migrate } = require('./store.js')
const { detect, format, parse, replacer, stringify, textForms } = require('./text.js')
const { UuidSource } = require('./uuids.js')
const { version } = require('../package.json')

/** Does nothing. In a browser it fetches the module; here everything is already loaded. */
async function init() {}

module.exports = {
  Daily, IdService, Layout, PublicIdKeys, PublicIds, Ring, Segment, Sequences, Snowflake, SnowmintError,
  Store, UuidSource,
  backend: 'native',
  decode, detect, engine, errorCodes, events, format, guess, init, lazy, migrate, onRestore, open,
  openSync, parse, replacer, stringify, textForms, version,
}
