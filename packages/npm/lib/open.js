'use strict'
// Opens any source by its URL.

const native = require('./native.js')
const check = require('./arguments.js')
const { Daily } = require('./daily.js')
const { OPENED } = require('./layout.js')
const { asOpened } = require('./opened.js')
const { Ring } = require('./ring.js')
const { Segment } = require('./segment.js')
const { Sequences } = require('./sequences.js')
const { Snowflake } = require('./snowflake.js')
const { UuidSource } = require('./uuids.js')

const KINDS = { snowflake: Snowflake, segment: Segment, daily: Daily, uuid: UuidSource, ring: Ring }

function source(opened) {
  const { kind, sequences, tag, waitMs } = opened
  return kind === 'sequences' ? new Sequences(OPENED, sequences, tag, waitMs) : new KINDS[kind](asOpened(opened))
}

async function open(url) {
  // An undefined variable must not open the default source, which nobody requested then.
  if (arguments.length === 0) return Snowflake.open()
  const opened = await native.open(check.text(url, 'the URL'))
  return opened.kind === 'segment' ? Segment.opened(opened) : source(opened)
}

function openSync(url) {
  if (arguments.length === 0) return new Snowflake()
  return source(native.openNow(check.text(url, 'the URL')))
}

function lazy(url) {
  return source(native.lazy(check.text(url, 'the URL')))
}

module.exports = { lazy, open, openSync }
