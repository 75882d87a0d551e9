'use strict'
// The servers of one ID service: chooses which server to ask, skips servers for a while, and
// detects servers of another store. See docs/reference/protocol.md, "Several services".

const check = require('../arguments.js')
const { SnowmintError } = require('../errors.js')
const { said } = require('../escaped.js')
const { emit } = require('./events.js')

/** The first pause for a server that fails. It doubles with each further failure. */
const REST_MS = 100
const REST_MAX_MS = 10_000
/** The time limit of the first question to all servers, which asks for their key spaces. */
const SURVEY_MS = 1000
/** The most tags and realms whose earlier answers are remembered. */
const KNOWN_MAX = 4096
/** The errors that every server would return alike, because all have the same store. */
const FINAL = /^(invalid_(?!answer)|workers_exhausted|tag_exhausted|count_out_of_range)/
/** The errors that a server on another store returns. */
const UNKNOWING = /^(unknown_tag|realm_mismatch|lease_lost)$/

/** Returns the URLs of `scheme://a:8064,b:8064/base`. */
function serversOf(url) {
  const text = typeof url === 'string' ? url : url?.href
  check.typed(typeof text === 'string', 'the URL of an ID service', 'a string or a URL', url)
  const [, scheme, hosts = '', path] = /^([a-z]+:\/\/)([^/?#]*)(.*)$/is.exec(text) ?? []
  if (hosts.includes('@')) throw wrong('a name and a password in a URL are not sent: use headers')
  const names = hosts.split(',')
  if ((names.length > 1 && /:$/.test(hosts)) || /^\/+,/.test(path)) throw wrong(SEVERAL)
  if (new Set(names).size < names.length) throw wrong('a server stands twice in the list')
  if (names.includes('') && names.length > 1) throw wrong(NAMELESS)
  const urls = names.length > 1 ? names.map(host => `${scheme}${host}${path}`) : [text]
  if (!urls.every(isAddress)) throw wrong(names.length > 1 ? NAMELESS : NOWHERE)
  return urls.map(one => one.replace(/\/*$/, ''))
}

/** The message for a list of whole URLs, or for a path in the middle of a list. */
const SEVERAL = 'several servers have one scheme before them and one path behind them: write http://a:8064,b:8064'
const NAMELESS = 'a server in the list has no name: write host:port,host:port'
/** This message does not show the URL, which may contain a password. */
const NOWHERE = 'the URL is no address of an ID service: write http://HOST:PORT or https://HOST, without a query'

/**
 * Returns true if requests can be sent to URLs that begin with `url`. In a page it may be a path of
 * that page's server, but not `127.0.0.1:8064`.
 */
function isAddress(url) {
  if (!/^(https?:|[./])/i.test(url)) return false
  try {
    const { protocol, search, hash } = new URL(url, globalThis.location?.href)
    return /^https?:$/.test(protocol) && !search && !hash
  } catch {
    return false
  }
}

function wrong(message) {
  return new SnowmintError('invalid_url', message)
}

function hostOf(url) {
  return url.replace(/^[a-z]+:\/\/([^/]*).*$/is, '$1') || globalThis.location?.host
}

/** Remembers a value for a key, up to a limited number of keys. */
function note(known, key, value) {
  if (known.has(key) || known.size < KNOWN_MAX) known.set(key, value)
}

/**
 * Returns a function that asks servers of one key space, which is that of the first answer unless
 * given. `ask(base, timeoutMs, space)` asks one server about `{ tag | realm, isAnswer, askSpace }`.
 * All servers together get `timeoutMs`.
 */
function serversAt(urls, timeoutMs = 5000, space = undefined) {
  const servers = urls.map(url => ({ url, host: hostOf(url), restsUntil: 0, failures: 0, isRefused: false }))
  const { length } = servers
  const ends = new Map()
  const homes = new Map()
  let isSurveyed = false

  /**
   * Returns the servers in the order of asking: resting ones last, ones with failures before them.
   * The others are in random order, so that every server gets known.
   */
  function order(now) {
    const first = Math.floor(Math.random() * length)
    const turn = servers.map((_, at) => servers[(first + at) % length])
    const rests = ({ restsUntil }) => (restsUntil > now ? restsUntil : 0)
    return turn.sort((a, b) => rests(a) - rests(b) || a.failures - b.failures)
  }

  function rest(server, ms) {
    server.restsUntil = performance.now() + ms
    server.failures++
  }

  /** Skips a server for a while, and reports it once. */
  function refuse(server, { code, message }) {
    rest(server, REST_MAX_MS)
    if (server.isRefused) return
    server.isRefused = true
    const others = length > 1 ? ', and others are asked' : ''
    emit('server_refused', { source: 'service', code, message: `${server.host} is refused${others}: ${message}` })
  }

  /**
   * Returns the error for an answer of another key space than the first, whose IDs may be the same.
   */
  function foreignness({ host }, { keySpace }) {
    space ??= keySpace
    if (keySpace === undefined || keySpace === space) return undefined
    return new SnowmintError('incarnation_changed', `the ID service at ${host} answers for the key space ` +
      `${said(keySpace)}, where answers before were of ${said(space)}: name servers of one store`)
  }

  /** Notes a server's answer, or returns the error if the answer contradicts earlier ones. */
  function strangeness(server, { tag, realm }, before, answer) {
    const { start, end, incarnation } = answer
    const what = tag === undefined ? `the worker IDs of ${realm}` : `tag ${tag}`
    const foreign = foreignness(server, answer)
    if (foreign) return foreign
    if (before && start < before.end) {
      return new SnowmintError('range_regressed', `the ID service at ${server.host} gives numbers of ${what} ` +
        `from ${start} on, where ${before.host} had given all below ${before.end}: it is on another store, ` +
        'or its store was put back. Name servers of one store')
    }
    const home = homes.get(what)
    if (incarnation !== undefined && home?.incarnation !== incarnation) {
      if (home && !home.servers.has(server)) {
        return new SnowmintError('incarnation_changed', `the ID service at ${server.host} has ${what} on the ` +
          `store ${incarnation}, where others have it on ${home.incarnation}: name servers of one store`)
      }
      note(homes, what, { incarnation, servers: new Set() })
    }
    if (incarnation !== undefined) homes.get(what)?.servers.add(server)
    if (tag !== undefined && !(ends.get(tag)?.end >= end)) note(ends, tag, { end, host: server.host })
    return undefined
  }

  /**
   * Asks all servers once for their key spaces, before any other question. Without it, each page
   * would settle on the first server's space, and pages would differ. A server that does not answer
   * now may be refused when it does.
   */
  async function survey({ askSpace }) {
    if (isSurveyed || space !== undefined) return
    const within = Math.min(timeoutMs, SURVEY_MS)
    const told = await Promise.allSettled(servers.map(({ url }) => askSpace(url, within)))
    for (const [at, { value }] of told.entries()) {
      const why = foreignness(servers[at], Object(value))
      if (!why) continue
      space = undefined
      throw why
    }
    isSurveyed = true
  }

  async function alone(server, ask) {
    const answer = await ask(server.url, timeoutMs, space)
    const why = foreignness(server, Object(answer))
    if (why) throw why
    return answer
  }

  /** Returns the first answer that contradicts no earlier one. */
  return async function askOne(about, ask) {
    if (length === 1) return alone(servers[0], ask)
    await survey(about)
    // Read before asking: every later number must be above it.
    const before = ends.get(about.tag)
    const until = performance.now() + timeoutMs
    const unknowing = []
    let [failed, strange] = []
    const turn = order(performance.now())
    for (const [at, server] of turn.entries()) {
      const left = until - performance.now()
      // A server that was not asked may know more than those that answered.
      if (left <= 0) throw failed ?? new SnowmintError('store_unavailable', 'there was no time to ask every server')
      try {
        // Half of the time left is enough for a slow server, and leaves time after a silent one.
        const answer = await ask(server.url, Math.ceil(at < length - 1 ? left / 2 : left), space)
        if (!about.isAnswer(answer)) {
          throw new SnowmintError('store_unavailable', `${server.host} answers with what is no ID service's`)
        }
        const why = strangeness(server, about, before, Object(answer))
        if (!why) {
          for (const [other, what] of unknowing) refuse(other, what)
          Object.assign(server, { failures: 0, restsUntil: 0, isRefused: false })
          return answer
        }
        strange = why
        refuse(server, why)
      } catch (why) {
        if (FINAL.test(why.code)) throw why
        if (why.code === 'incarnation_changed') {
          strange = why
          refuse(server, why)
          continue
        }
        if (UNKNOWING.test(why.code)) unknowing.push([server, why])
        else {
          failed = why
          rest(server, Math.min(REST_MS << Math.min(server.failures, 8), REST_MAX_MS))
        }
      }
    }
    if (strange && failed) {
      throw new SnowmintError('store_unavailable', `${failed.message}; and ${strange.message}`, { cause: strange })
    }
    throw strange ?? unknowing.at(-1)?.[1] ?? failed ?? new SnowmintError('store_unavailable', 'no server answered in time')
  }
}

module.exports = { hostOf, serversAt, serversOf }
