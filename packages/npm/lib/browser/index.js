'use strict'
// What the package exports where there is no addon.

const {
  ClockPolicy, Range, SegmentBuffer, Snowflake: Machine, limits, policies, timestamp,
} = require('../engine.js')
const { SnowmintError, errorCodes } = require('../errors.js')
const { Layout, decode, guess } = require('../layout.js')
const { backend } = require('../native.js')
const { detect, format, parse, replacer, stringify, textForms } = require('../text.js')
const { Daily, Sequences, Store, openSync } = require('./missing.js')
const { open } = require('./open.js')
const { Segment } = require('./segment.js')
const { IdService } = require('./service.js')
const { Snowflake } = require('./snowflake.js')
const { UuidSource } = require('./uuids.js')
const { version } = require('../../package.json')

// As a literal, bundlers can leave it out.
const engine = { ClockPolicy, Range, SegmentBuffer, Snowflake: Machine, limits, policies, timestamp }

module.exports = {
  Daily, IdService, Layout, Segment, Sequences, Snowflake, SnowmintError, Store, UuidSource,
  backend, decode, detect, engine, errorCodes, format, guess, open, openSync, parse, replacer,
  stringify, textForms, version,
}
