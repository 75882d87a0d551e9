'use strict'
// The package's exports if there is no addon, except `init`.

const { SnowmintError, errorCodes } = require('../errors.js')
const { Layout, decode, guess } = require('../layout.js')
const { backend } = require('../native.js')
const { detect, format, parse, replacer, stringify, textForms } = require('../text.js')
const { engine } = require('./engine.js')
const { Missing, PublicIdKeys, PublicIds, Store, lazy, migrate, onRestore, openSync } = require('./missing.js')
const { events } = require('./events.js')
const { open } = require('./open.js')
const { Segment } = require('./segment.js')
const { IdService } = require('./service.js')
const { Snowflake } = require('./snowflake.js')
const { UuidSource } = require('./uuids.js')
const { version } = require('../../package.json')

module.exports = {
  Daily: Missing, IdService, Layout, PublicIdKeys, PublicIds, Ring: Missing, Segment, Sequences: Missing,
  Snowflake, SnowmintError, Store, UuidSource,
  backend, decode, detect, engine, errorCodes, events, format, guess, lazy, migrate, onRestore, open,
  openSync, parse, replacer, stringify, textForms, version,
}
