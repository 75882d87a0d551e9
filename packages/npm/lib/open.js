'use strict'
// Any source by its URL.

const native = require('./native.js')
const check = require('./arguments.js')
const { Daily } = require('./daily.js')
const { OPENED } = require('./layout.js')
const { Ring } = require('./ring.js')
const { Segment } = require('./segment.js')
const { Sequences } = require('./sequences.js')
const { Snowflake } = require('./snowflake.js')
const { UuidSource } = require('./uuids.js')

const KINDS = { snowflake: Snowflake, segment: Segment, daily: Daily, uuid: UuidSource, ring: Ring }

function source(opened) {
  const { kind, sequences, tag, waitMs } = opened
  return kind === 'sequences' ? new Sequences(OPENED, sequences, tag, waitMs) : new KINDS[kind](OPENED, opened)
}

async function open(url) {
  const opened = await native.open(check.text(url, 'the URL'))
  return opened.kind === 'segment' ? Segment.opened(opened) : source(opened)
}

function openSync(url) {
  return source(native.openNow(check.text(url, 'the URL')))
}

module.exports = { open, openSync }
