'use strict'
// Sources of a browser by their URLs.

const { Layout } = require('../layout.js')
const { client } = require('./client.js')
const { Segment } = require('./segment.js')
const { IdService } = require('./service.js')
const { Snowflake } = require('./snowflake.js')
const { UuidSource } = require('./uuids.js')

async function open(url) {
  const { opened } = await client()
  return opened(url, [IdService, Layout, Segment, Snowflake, UuidSource])
}

module.exports = { open }
