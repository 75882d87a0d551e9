'use strict'
// Layouts: how the 64 bits of an ID are divided.

const native = require('./native.js')
const check = require('./arguments.js')

/** Marks a constructor's call as this package's own. */
const OPENED = Symbol('opened')
/** The native value of a layout. */
const externals = new WeakMap()

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER)

/** The kinds of fields; those that are no worker's are refused by the layout. */
const KINDS = ['time', 'datacenter', 'worker', 'process', 'shard', 'sequence', 'rollback']
const PARTS = Object.fromEntries(KINDS.map(kind => [kind, check.narrow]))

/** A moment as far as a Date holds it; else an invalid Date. */
function dateOf(unixMs) {
  return new Date(Number(unixMs))
}

function partsOf({ unixMs, workerId, sequence, rollback }) {
  return { time: dateOf(unixMs), unixMs, workerId, sequence, rollback }
}

class Layout {
  constructor(fields, options) {
    let external = options
    if (fields !== OPENED) {
      const { epochMs = 0n, tickMs = 1 } = check.options(options ?? {}, {
        epochMs: check.time,
        tickMs: check.narrow,
      })
      external = native.buildLayout(check.text(fields, 'fields'), epochMs, tickMs)
    }
    externals.set(this, external)
    const facts = native.layoutFacts(external)
    this.fields = Object.freeze(facts.fields.map(field => Object.freeze(field)))
    this.epochMs = facts.epochMs
    this.epoch = dateOf(facts.epochMs)
    this.tickMs = facts.tickMs
    this.workerBits = facts.workerBits
    this.maxWorkerId = facts.maxWorkerId
    this.idsPerTick = facts.idsPerTick
    this.idsPerSecond = facts.idsPerSecond
    this.ticks = facts.ticks
    this.expiresMs = facts.expiresMs
    this.expires = dateOf(facts.expiresMs)
    Object.defineProperty(this, 'text', { value: facts.text, enumerable: true })
    Object.freeze(this)
  }

  static of(text) {
    return new Layout(OPENED, native.layout(check.text(text, 'the layout')))
  }

  static presets() {
    return presets
  }

  decode(id) {
    return partsOf(native.layoutDecode(externals.get(this), check.id(id)))
  }

  decodeMany(ids) {
    const { length } = check.ids(ids, 'ids')
    const unixMs = new BigInt64Array(length)
    const [workerIds, sequences, rollbacks] = [0, 1, 2].map(() => new Uint32Array(length))
    native.layoutDecodeMany(externals.get(this), ids, unixMs, workerIds, sequences, rollbacks)
    return { unixMs, workerIds, sequences, rollbacks }
  }

  encode(parts) {
    const checked = check.options(parts, {
      time: check.time,
      unixMs: check.time,
      workerId: check.narrow,
      sequence: check.narrow,
      rollback: check.narrow,
    }, 'parts')
    const { unixMs = check.needed(checked, 'time', 'encode') } = checked
    const { workerId = 0, sequence = 0, rollback = 0 } = checked
    return native.layoutEncode(externals.get(this), unixMs, workerId, sequence, rollback)
  }

  toNumber(id) {
    const wide = check.id(id)
    this.decode(wide)
    if (wide > MAX_SAFE) throw check.wrongRange('the ID', 'of at most 53 bits', wide)
    return Number(wide)
  }

  minId(time) {
    return native.layoutMinId(externals.get(this), check.time(time, 'time'))
  }

  maxId(time) {
    return native.layoutMaxId(externals.get(this), check.time(time, 'time'))
  }

  tickAt(time) {
    return native.layoutTick(externals.get(this), check.time(time, 'time'))
  }

  fits(bits) {
    const fit = native.layoutFits(externals.get(this), check.narrow(bits, 'bits'))
    return typeof fit === 'boolean' ? fit : { untilMs: fit, until: dateOf(fit) }
  }

  workerId(parts) {
    const given = check.options(parts, PARTS, 'parts')
    const list = Object.entries(given).map(([kind, value]) => ({ kind, value }))
    return native.layoutWorkerId(externals.get(this), list)
  }

  toString() {
    return this.text
  }
}

function policyOf({ maxAheadMs, whenBehind, maxWaitMs, whenFull }) {
  return Object.freeze({ maxAheadMs, whenBehind, maxWaitMs: maxWaitMs ?? undefined, whenFull })
}

/** Every preset; `Layout.TWITTER` and the like are their layouts. */
const presets = []
const byName = new Map()

native.ready(() => {
  for (const row of native.presets()) {
    const layout = new Layout(OPENED, row.layout)
    const constant = row.name.toUpperCase().replaceAll('-', '_')
    Object.defineProperty(Layout, constant, { value: layout, enumerable: true })
    const { name, note, start } = row
    const preset = Object.freeze({ name, note, layout, policy: policyOf(row.policy), start })
    presets.push(preset)
    byName.set(name, preset)
  }
  Object.freeze(presets)
})

function decode(id, layout = Layout.TWITTER) {
  return (typeof layout === 'string' ? Layout.of(layout) : check.instance(layout, Layout, 'layout')).decode(id)
}

function guess(id, now = new Date()) {
  const guesses = native.guess(check.id(id), check.time(now, 'now'))
  return guesses.map(({ preset, parts }) => ({ ...byName.get(preset), parts: partsOf(parts) }))
}

/** The native value of a layout, or of a layout's text. */
function externalOf(layout, name = 'layout') {
  if (typeof layout === 'string') return native.layout(layout)
  return externals.get(check.instance(layout, Layout, name))
}

module.exports = { Layout, OPENED, decode, externalOf, guess, policyOf }
