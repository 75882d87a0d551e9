'use strict'
// What a page loads when a worker ID is leased, numbers are fetched or a URL is opened.

const { fetching } = require('./fetching.js')
const { keep } = require('./keeper.js')
const { request } = require('./requests.js')
const { opened } = require('./urls.js')

module.exports = { fetching, keep, opened, request }
