'use strict'
// The deterministic form, as the package exports it.

const {
  ClockPolicy, Range, SegmentBuffer, Snowflake, limits, policies, timestamp,
} = require('../engine.js')

// Bundlers can leave out a literal.
const engine = { ClockPolicy, Range, SegmentBuffer, Snowflake, limits, policies, timestamp }

module.exports = { engine }
