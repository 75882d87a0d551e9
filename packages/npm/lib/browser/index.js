'use strict'
// What the package exports where there is no addon, but for the deterministic form.

const { SnowmintError, errorCodes } = require('../errors.js')
const { Layout, decode, guess } = require('../layout.js')
const { backend } = require('../native.js')
const { detect, format, parse, replacer, stringify, textForms } = require('../text.js')
const { Missing, missing } = require('./missing.js')
const { events } = require('./events.js')
const { open } = require('./open.js')
const { Segment } = require('./segment.js')
const { IdService } = require('./service.js')
const { Snowflake } = require('./snowflake.js')
const { UuidSource } = require('./uuids.js')
const { version } = require('../../package.json')

module.exports = {
  Daily: Missing, IdService, Layout, Ring: Missing, Segment, Sequences: Missing, Snowflake,
  SnowmintError, Store: Missing, UuidSource,
  backend, decode, detect, errorCodes, events, format, guess, onRestore: missing, open,
  openSync: missing, parse, replacer, stringify, textForms, version,
}
