'use strict'
// An ID service over fetch.

const check = require('../arguments.js')
const { request } = require('./requests.js')
const { serversAt, serversOf } = require('./servers.js')

class IdService {
  #request

  constructor(url, options = {}) {
    const checked = check.options(options, {
      headers: check.any,
      fetch: check.callable,
      timeoutMs: check.wait,
    })
    const ask = serversAt(serversOf(url), checked.timeoutMs)
    this.#request = async (method, given) => request(ask, checked, method, given)
  }

  acquire(...given) {
    return this.#request('acquire', given)
  }

  renew(...given) {
    return this.#request('renew', given)
  }

  release(...given) {
    return this.#request('release', given)
  }

  allocate(...given) {
    return this.#request('allocate', given)
  }
}

module.exports = { IdService }
