'use strict'
// Opens a browser's sources by their URLs.

const { nothingNamed } = require('./missing.js')
const { Segment } = require('./segment.js')
const { Snowflake } = require('./snowflake.js')
const { sourceOf } = require('./urls.js')
const { UuidSource } = require('./uuids.js')

const KINDS = { snowflake: Snowflake, segment: Segment }

async function open(url) {
  if (arguments.length === 0) throw nothingNamed()
  const [kind, read] = sourceOf(url)
  return kind === 'uuid' ? new UuidSource(read()) : KINDS[kind].open(read())
}

module.exports = { open }
