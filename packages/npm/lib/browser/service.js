'use strict'
// A client of an ID service over fetch.

const check = require('../arguments.js')
const { withCode } = require('../errors.js')
const { request } = require('./requests.js')
const { serversAt, serversOf } = require('./servers.js')

/** Checks the headers. No message shows them, because they may contain a password. */
function headersOf(headers, name) {
  if (headers && typeof headers === 'object' && !headers[Symbol.iterator]) return headers
  throw withCode(new TypeError(`${name} should be an object of their names and texts`))
}

function keySpaceOf(text, name) {
  if (/^[\da-f]{32}$/i.test(check.text(text, name))) return text.toLowerCase()
  throw check.impossible(name, text, 'the 32 hexadecimal digits of a key space')
}

class IdService {
  #request

  constructor(url, options = {}) {
    const checked = check.options(options, {
      headers: headersOf,
      fetch: check.callable,
      timeoutMs: check.wait,
      keySpace: keySpaceOf,
    })
    const ask = serversAt(serversOf(url), checked.timeoutMs, checked.keySpace)
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
