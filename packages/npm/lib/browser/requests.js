'use strict'
// Requests to an ID service: core/service/PROTOCOL.md.

const { SnowmintError, errorCodes } = require('../errors.js')
const native = require('../native.js')
const { stringify } = require('../text.js')
const { failure } = require('./minting.js')

/** Digits are 64-bit numbers. */
function wide(key, value) {
  const isWide = typeof value === 'string' && key !== 'message' && /^-?\d+$/.test(value)
  return isWide ? BigInt(value) : value
}

/** What an ID service answers at least, where others answer as well. */
const isLease = answer => typeof answer?.reservedMs === 'bigint'
const ANSWERS = {
  acquire: isLease,
  renew: isLease,
  release: () => true,
  allocate: answer => typeof answer?.start === 'bigint' && answer.end > answer.start,
}

/** The answer to a call of an `IdService`, of which `ask` asks a server. */
async function request(ask, options, method, [subject, ...rest]) {
  // It refuses where there is no engine yet, and so no codes.
  native.limits()
  const about = method === 'allocate' ? { tag: subject } : { realm: subject?.realm }
  about.isAnswer = ANSWERS[method]
  const answered = (path, body) => ask(about, (base, timeoutMs) => (
    post(`${base}/v1/${path}`, { ...options, timeoutMs }, body, method === 'release')
  ))
  if (method === 'allocate') {
    // With the slash of a namespace as it is: not every proxy passes an escaped one on.
    const tag = subject.split('/').map(encodeURIComponent).join('/')
    return answered(`segments/${tag}/allocate`, { count: String(rest[0]) })
  }
  const [nextToken, slabMs] = rest
  const answer = await answered(`workers/${method}`, method === 'renew' ? { ...subject, nextToken, slabMs } : subject)
  if (method === 'release') return undefined
  // Others than these, clients need not know.
  const { workerId, epoch, floorMs, reservedMs, nowMs } = answer
  return { workerId, epoch, floorMs, reservedMs, nowMs }
}

/** A release outlives its page. */
async function post(url, { headers, fetch = globalThis.fetch, timeoutMs }, request, keepalive) {
  let answer
  try {
    const response = await fetch(url, {
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
  throw new SnowmintError(known, message, retryMs && { waitMs: retryMs })
}

module.exports = { request }
