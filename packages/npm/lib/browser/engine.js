'use strict'
// The deterministic form, as it is exported.

const {
  ClockPolicy, Range, SegmentBuffer, Snowflake, limits, policies, timestamp,
} = require('../engine.js')

// As a literal, bundlers can leave it out.
const engine = { ClockPolicy, Range, SegmentBuffer, Snowflake, limits, policies, timestamp }

module.exports = { engine }
