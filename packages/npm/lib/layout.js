'use strict'
// Layouts: how the 64 bits of an ID are divided.

const native = require('./native.js')
const check = require('./arguments.js')
const { table } = require('./tables.js')

/** Marks a constructor's call as this package's own. */
const OPENED = Symbol('opened')
/** The native value of a layout. */
const externals = new WeakMap()

/** A moment as far as a Date holds it; else an invalid Date. */
function dateOf(unixMs) {
  return new Date(Number(unixMs))
}

function partsOf(parts) {
  return { time: dateOf(parts.unixMs), ...parts }
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
    Object.assign(this, native.layoutFacts(external))
    this.fields = Object.freeze(this.fields.map(Object.freeze))
    this.epoch = dateOf(this.epochMs)
    this.expires = dateOf(this.expiresMs)
    Object.freeze(this)
  }

  static of(text) {
    return new Layout(OPENED, native.layout(check.text(text, 'layout')))
  }

  static presets() {
    // It refuses where there is no engine yet.
    native.limits()
    return presets
  }

  decode(id) {
    return partsOf(native.layoutDecode(externals.get(this), check.id(id)))
  }

  decodeMany(ids) {
    const { length } = check.ids(ids)
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
    const { unixMs = check.needed(checked, 'time', 'encode'), workerId, sequence, rollback } = checked
    return native.layoutEncode(externals.get(this), unixMs, workerId, sequence, rollback)
  }

  toNumber(id) {
    const wide = check.id(id)
    this.decode(wide)
    return Number(check.ranged(wide < 2n ** 53n, 'the ID', 'below 2^53', wide))
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
    // Kinds that are no worker's are refused by the layout.
    const checks = Object.fromEntries(native.kinds().map(kind => [kind, check.narrow]))
    return native.layoutWorkerId(externals.get(this), check.options(parts, checks, 'parts'))
  }

  toString() {
    return this.text
  }
}

/** Every preset; `Layout.TWITTER` and the like are their layouts. */
const presets = table(() => {
  const rows = native.presets().map(row => {
    const layout = new Layout(OPENED, row.layout)
    Layout[row.name.toUpperCase().replaceAll('-', '_')] = layout
    Object.freeze(row.policy)
    return Object.freeze({ ...row, layout })
  })
  Object.freeze(Layout)
  return rows
})

function decode(id, layout = Layout.TWITTER) {
  return layoutOf(layout).decode(id)
}

function guess(id, now = Date.now()) {
  return native.guess(check.id(id), check.time(now, 'now')).map(({ preset, parts }) => ({
    ...presets.find(({ name }) => name === preset), parts: partsOf(parts),
  }))
}

/** A layout, also by its text. */
function layoutOf(layout) {
  return typeof layout === 'string' ? Layout.of(layout) : check.instance(layout, Layout, 'layout')
}

/** The native value of a layout, also by its text. */
function externalOf(layout) {
  return externals.get(layoutOf(layout))
}

module.exports = { Layout, OPENED, decode, externalOf, guess, layoutOf }
