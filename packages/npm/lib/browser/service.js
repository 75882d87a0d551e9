'use strict'
// An ID service over fetch: core/service/PROTOCOL.md.

const check = require('../arguments.js')
const { SnowmintError, errorCodes } = require('../errors.js')
const { stringify } = require('../text.js')
const { failure } = require('./minting.js')

const OPTIONS = { headers: value => value, fetch: check.callable, timeoutMs: check.wait }

/** Digits are 64-bit numbers. */
function wide(key, value) {
  const isWide = typeof value === 'string' && key !== 'message' && /^-?\d+$/.test(value)
  return isWide ? BigInt(value) : value
}

/** Others than these, clients need not know. */
function leaseOf({ workerId, epoch, floorMs, reservedMs, nowMs }) {
  return { workerId, epoch, floorMs, reservedMs, nowMs }
}

class IdService {
  #base
  #options

  constructor(url, options = {}) {
    this.#base = String(url).replace(/\/*$/, '/v1/')
    this.#options = check.options(options, OPTIONS)
  }

  acquire(request) {
    return this.#post('workers/acquire', request).then(leaseOf)
  }

  renew(lease, nextToken, slabMs) {
    return this.#post('workers/renew', { ...lease, nextToken, slabMs }).then(leaseOf)
  }

  async release(lease) {
    // It outlives its page.
    await this.#post('workers/release', lease, true)
  }

  allocate(tag, count) {
    return this.#post(`segments/${encodeURIComponent(tag)}/allocate`, { count: String(count) })
  }

  async #post(path, request, keepalive = false) {
    const { headers, fetch = globalThis.fetch, timeoutMs = 5000 } = this.#options
    let answer
    try {
      const response = await fetch(this.#base + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: stringify(request),
        cache: 'no-store',
        keepalive,
        signal: AbortSignal.timeout(timeoutMs),
      })
      answer = JSON.parse(await response.text(), wide)
      if (response.ok) return answer
    } catch (cause) {
      throw failure(cause)
    }
    const { code, message = 'no ID service', retryMs } = Object(answer)
    const known = errorCodes.some(({ name }) => name === code) ? code : 'store_unavailable'
    throw new SnowmintError(known, message, { waitMs: retryMs })
  }
}

module.exports = { IdService }
