'use strict'
// Requests to an ID service: docs/reference/protocol.md.

const { SnowmintError, errorCodes } = require('../errors.js')
const { said } = require('../escaped.js')
const { camelCase, renamed, snakeCase } = require('./names.js')
const native = require('../native.js')
const { stringify } = require('../text.js')
const { hostOf } = require('./servers.js')

/** The keys whose values are texts, even if they consist of digits. */
const TEXTS = ['message', 'key_space']

/** Reads digits as 64-bit numbers. */
function wide(key, value) {
  const isWide = typeof value === 'string' && !TEXTS.includes(key) && /^-?\d+$/.test(value)
  return isWide ? BigInt(value) : value
}

/** Checks that an answer is an ID service's, because other servers may answer at its address. */
const isLease = answer => typeof answer?.reservedMs === 'bigint'
const ANSWERS = {
  acquire: isLease,
  renew: isLease,
  release: () => true,
  allocate: answer => typeof answer?.start === 'bigint' && answer.end > answer.start,
}

/** Returns the answer to a call of an `IdService`. `ask` asks one of its servers. */
async function request(ask, options, method, [subject, ...rest]) {
  // This throws if no engine is loaded yet, because then there are no error codes.
  native.limits()
  if (!(options.fetch ?? globalThis.fetch)) {
    throw new SnowmintError('unsupported', 'there is no fetch here: give the IdService one, as its option fetch')
  }
  const about = method === 'allocate' ? { tag: subject } : { realm: subject?.realm }
  about.isAnswer = ANSWERS[method]
  about.askSpace = (base, timeoutMs) => post(base, 'key-space', { ...options, timeoutMs }, {})
  const answered = (path, body) => ask(about, (base, timeoutMs, keySpace) => (
    post(base, path, { ...options, timeoutMs }, { ...body, keySpace }, method === 'release')
  ))
  if (method === 'allocate') {
    // The slash of a namespace is not escaped, because some proxies refuse an escaped slash.
    const tag = subject.split('/').map(encodeURIComponent).join('/')
    return answered(`segments/${tag}/allocate`, { count: String(rest[0]) })
  }
  const [nextToken, reserveMs] = rest
  // The service computes the reach itself.
  const { reachMs: _, ...asked } = subject
  const answer = await answered(`workers/${method}`, method === 'renew' ? { ...asked, nextToken, reserveMs } : asked)
  if (method === 'release') return undefined
  // Clients need no other fields.
  const { workerId, epoch, floorMs, reservedMs, nowMs } = answer
  return { workerId, epoch, floorMs, reservedMs, nowMs }
}

/**
 * Returns the reason for a missing answer. `fetch` reports it as the cause, with one for each
 * address.
 */
function reasonOf(thrown, timeoutMs, base) {
  try {
    if (thrown.name === 'TimeoutError') return `it does not answer within ${timeoutMs} ms`
    if (isTold(thrown, base)) {
      const cause = thrown.cause ?? thrown
      return said(cause.errors?.at(-1) ?? cause)
    }
    return `${said(thrown)}: it cannot be reached, or does not allow ${globalThis.origin} (http.origins)`
  } catch {
    return said(thrown)
  }
}

/** Returns true if the error has details. Browsers hide them from pages of other origins. */
function isTold(thrown, base) {
  const { location, origin } = globalThis
  const isOfBrowser = location && thrown instanceof TypeError && thrown.cause === undefined
  return !isOfBrowser || new URL(base, location.href).origin === origin
}

/** Sends a request. With `keepalive` it outlives its page, which a release needs. */
async function post(base, path, { headers, fetch = globalThis.fetch, timeoutMs }, request, keepalive) {
  const wrong = (code, what, options) => (
    new SnowmintError(code, `the ID service at ${hostOf(base)}: ${what}`, options)
  )
  let response, text
  try {
    response = await fetch(`${base}/v1/${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: stringify(renamed(request, snakeCase)),
      cache: 'no-store',
      keepalive,
      signal: AbortSignal.timeout(timeoutMs),
    })
    text = await response.text()
  } catch (cause) {
    throw wrong('store_unavailable', reasonOf(cause, timeoutMs, base), { cause })
  }
  const answer = answerOf(text)
  if (response.ok && answer !== undefined) return answer
  const { code, retryMs, detail, message = detail } = Object(answer)
  const isKnown = errorCodes.some(({ name }) => name === code)
  const strange = `it answers HTTP ${response.status}, and no word of an ID service: is it one?`
  throw wrong(isKnown ? code : 'store_unavailable', message ?? strange, retryMs && { waitMs: retryMs })
}

/** Returns the fields of an answer, or `undefined` if the text is not an object of JSON. */
function answerOf(text) {
  try {
    return renamed(JSON.parse(text, wide), camelCase)
  } catch {
    return undefined
  }
}

module.exports = { request }
