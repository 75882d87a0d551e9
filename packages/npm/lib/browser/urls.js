'use strict'
// Reads the URLs of a browser's sources.

const check = require('../arguments.js')
const { SnowmintError } = require('../errors.js')
const { here } = require('./here.js')
const { Layout } = require('../layout.js')
const { camelCase } = require('./names.js')
const { IdService } = require('./service.js')

/** The parameters of each kind of source. */
const PARAMETERS = {
  snowflake: 'worker_id, layout, epoch_ms, tick_ms, policy, max_ahead_ms, start, reserve_ms, wait_ms',
  segment: 'tag, namespace, step, prefetch, wait_ms',
  uuid: 'version',
}
const RINGS = 'ring, ring_refill, ring_every_ms'
const CONNECTIONS = 'token, token_file, connect_timeout, servers, name_server, cafile, certfile, keyfile'
/** The parameters that need the addon, which has its own files, threads and connections. */
const OF_ADDON = {
  snowflake: `state, require_state, ${RINGS}, ${CONNECTIONS}`,
  segment: `runway, at, key, ${RINGS}, ${CONNECTIONS}`,
  uuid: '',
}

/**
 * Reads options by their names in URLs: `reserve_ms=500` becomes `reserveMs: 500`. `ofService`
 * lists the parameters that only URLs of a service have.
 */
function optionsOf(kind, query, ofService = '') {
  const known = PARAMETERS[kind] + ofService
  const options = {}
  for (const [key, value] of new URLSearchParams(query)) {
    if (!known.split(', ').includes(key)) {
      const isOfAddon = OF_ADDON[kind].split(', ').includes(key)
      const [without, advice] = isOfAddon ? [" without Node's addon", here.advice()] : ['', '']
      const message = `${kind} has no parameter ${check.shown(key)}${without}; there are ${known}${advice}`
      throw new SnowmintError('unknown_parameter', message)
    }
    const name = camelCase(key)
    if (name in options) throw new SnowmintError('invalid_parameter', `${key} stands twice`)
    options[name] = /_ms$|^(step|prefetch|version)$/.test(key) ? Number(value) : value
  }
  return options
}

function snowflake({ layout, epochMs, tickMs, ...options }) {
  if (layout?.includes(':')) layout = new Layout(layout, { epochMs, tickMs })
  else if (epochMs ?? tickMs) {
    throw new SnowmintError('invalid_parameter', 'epoch_ms and tick_ms need a layout of fields')
  }
  return { ...options, layout }
}

/**
 * Returns a segment's options. As in Node, neither a tag nor a namespace may have a slash in a URL.
 */
function segment({ tag, namespace, ...options }, allocate) {
  const wrong = [tag, namespace].find(name => name?.includes('/'))
  if (wrong) throw new SnowmintError('invalid_tag', `${check.shown(wrong)}: use namespace=shop&tag=orders`)
  if (tag !== undefined && namespace !== undefined) tag = `${namespace}/${tag}`
  return { ...options, tag, allocate }
}

/** The form of a URL: `kind:?query` or `kind+store:path?query`. */
const FORM = /^([a-z]+)(?:\+([a-z]+))?:([^?]*)\??(.*)$/s
const KNOWN = 'snowflake+https, segment+https, https://HOST/TAG, snowflake:?worker_id=random, uuid:'
/** This message does not show the URL, which may contain a password. */
const NO_SOURCE = `the URL is no source's; there are ${KNOWN}`

const OF_SERVICE = ', key_space'

/** Reads `https://host/tag` or `https://host/namespace/tag` as a segment, as other languages do. */
function numbersAt(scheme, path, { tag, namespace, keySpace, ...options }) {
  const [, hosts, name] = /^(\/\/[^/]+)\/(.+)$/s.exec(path) ?? []
  if (!name || tag !== undefined || namespace !== undefined) {
    throw new SnowmintError('invalid_url', `${scheme}: names no tag: write ${scheme}://HOST/TAG or segment+${scheme}://HOST?tag=TAG`)
  }
  return { ...options, tag: name, allocate: new IdService(`${scheme}:${hosts}`, { keySpace }) }
}

/** Returns the kind of source that a URL opens, and a function that returns its options. */
function sourceOf(url) {
  const [, kind, store, path, query] = FORM.exec(check.text(url, 'the URL')) ?? []
  if (!kind) throw new SnowmintError('invalid_url', NO_SOURCE)
  if (/^https?$/.test(kind) && !store) {
    return ['segment', () => numbersAt(kind, path, optionsOf('segment', query, OF_SERVICE))]
  }
  if (kind === 'uuid' && !store) return [kind, () => optionsOf(kind, query).version]
  if (kind === 'snowflake' && !store) return [kind, () => snowflake(optionsOf(kind, query))]
  if (/^(snowflake|segment)$/.test(kind) && /^https?$/.test(store)) {
    return [kind, () => {
      const { keySpace, ...options } = optionsOf(kind, query, OF_SERVICE)
      const service = new IdService(`${store}:${path}`, { keySpace })
      return kind === 'snowflake' ? snowflake({ ...options, store: service }) : segment(options, service)
    }]
  }
  const code = /^(snowflake|segment|daily|sequences)$/.test(kind) ? 'unsupported' : 'unknown_scheme'
  const scheme = store ? `${kind}+${store}` : kind
  const why = code === 'unsupported' ? "needs Node's addon, as files and databases do" : 'is unknown'
  throw new SnowmintError(code, `${scheme}: ${why}; there are ${KNOWN}${here.advice()}`)
}

/**
 * Returns the options of a URL, whose kind must be `wanted`. Other options are returned unchanged.
 */
function optionsBy(wanted, options) {
  if (typeof options !== 'string') return options
  const [kind, read] = sourceOf(options)
  if (kind === wanted) return read()
  throw new SnowmintError('invalid_parameter', `the URL opens a source of the kind ${kind}, and ${wanted} is asked for`)
}

module.exports = { optionsBy, sourceOf }
