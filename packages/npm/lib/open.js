'use strict'
// Any source by its URL.

const native = require('./native.js')
const check = require('./arguments.js')
const { Daily } = require('./daily.js')
const { OPENED } = require('./layout.js')
const { Segment } = require('./segment.js')
const { Snowflake } = require('./snowflake.js')
const { UuidSource } = require('./uuids.js')

const KINDS = { snowflake: Snowflake, segment: Segment, daily: Daily, uuid: UuidSource }

async function open(url) {
  const opened = await native.open(check.text(url, 'the URL'))
  if (opened.kind === 'segment') return Segment.opened(opened)
  return new KINDS[opened.kind](OPENED, opened)
}

function openSync(url) {
  const opened = native.openNow(check.text(url, 'the URL'))
  return new KINDS[opened.kind](OPENED, opened)
}

module.exports = { open, openSync }
