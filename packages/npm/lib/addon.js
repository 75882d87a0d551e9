'use strict'

const { Daily } = require('./daily.js')
const engine = require('./engine.js')
const { SnowmintError, errorCodes } = require('./errors.js')
const { Layout, guess } = require('./layout.js')
const { open, openSync } = require('./open.js')
const { Segment } = require('./segment.js')
const { Sequences } = require('./sequences.js')
const { Snowflake } = require('./snowflake.js')
const { Store } = require('./store.js')
const { detect, format, parse, replacer, stringify, textForms } = require('./text.js')
const { UuidSource } = require('./uuids.js')
const { version } = require('../package.json')

module.exports = {
  Daily, Layout, Segment, Sequences, Snowflake, SnowmintError, Store, UuidSource,
  detect, engine, errorCodes, format, guess, open, openSync, parse, replacer, stringify, textForms,
  version,
}
