'use strict'
// Layouts: the division of an ID's 64 bits.

const native = require('./native.js')
const check = require('./arguments.js')
const { SnowmintError } = require('./errors.js')
const { table } = require('./tables.js')

/** Marks a constructor's call as the package's own. */
const OPENED = Symbol('opened')
/** The native values of layouts. */
const externals = new WeakMap()

/** Returns a time as a Date, which is invalid if a Date cannot hold it. */
function dateOf(unixMs) {
  return new Date(Number(unixMs))
}

/** Returns the parts of an ID for users. */
function partsOf({ unixMs, workerId, sequence, rollback }) {
  return { time: dateOf(unixMs), unixMs, workerId, sequence, rollback }
}

/** The kinds of fields that a worker ID has. */
const WORKER_KINDS = ['datacenter', 'worker', 'process', 'shard']
/** The part of an ID that is joined from those fields, with the function that joins it. */
const WORKER_ID = 'workerId (layout.workerId() joins its fields)'

/** Returns the kinds that the layout has, in its order. */
function kindsOf({ fields }, kinds) {
  return fields.map(({ kind }) => kind).filter(kind => kinds.includes(kind))
}

/** Returns the name of a preset's constant. */
function constantOf(name) {
  return name.toUpperCase().replaceAll('-', '_')
}

function refusePreset(fields) {
  if (!presets.some(({ name }) => name === fields)) return
  const message = `${fields} is a preset's name: use Layout.${constantOf(fields)} or Layout.of('${fields}')`
  throw new SnowmintError('invalid_layout', message)
}

class Layout {
  constructor(fields, options) {
    let external = options
    if (fields !== OPENED) {
      const { epochMs = 0n, tickMs = 1 } = check.options(options ?? {}, {
        epochMs: check.time,
        tickMs: check.narrow,
      })
      refusePreset(check.text(fields, 'fields'))
      external = native.buildLayout(fields, epochMs, tickMs)
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
    // This throws if no engine is loaded yet.
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
    }, 'parts', ['time', 'unixMs', WORKER_ID, ...kindsOf(this, ['sequence', 'rollback'])])
    const { time, unixMs = check.needed(checked, 'time', 'encode'), workerId, sequence, rollback } = checked
    check.ranged(time === undefined || time === unixMs, 'unixMs', `${time}, as the time says, or left out`, unixMs)
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
    // The layout refuses kinds that do not belong to a worker ID.
    const checks = Object.fromEntries(native.kinds().map(kind => [kind, check.narrow]))
    const own = kindsOf(this, WORKER_KINDS)
    return native.layoutWorkerId(externals.get(this), check.options(parts, checks, 'parts', own))
  }

  workerParts(workerId) {
    const parts = native.layoutWorkerParts(externals.get(this), check.narrow(workerId, 'workerId'))
    return Object.fromEntries(parts.map(({ kind, value }) => [kind, value]))
  }

  equals(other) {
    const isAlike = key => this[key] === other[key]
    return other instanceof Layout && ['text', 'epochMs', 'tickMs'].every(isAlike)
  }

  toString() {
    return `${this.text}@${this.epochMs}/${this.tickMs}`
  }
}

/** Every preset. Constants such as `Layout.TWITTER` are their layouts. */
const presets = table(() => {
  const rows = native.presets().map(row => {
    const layout = new Layout(OPENED, row.layout)
    Layout[constantOf(row.name)] = layout
    Object.freeze(row.policy)
    return Object.freeze({ ...row, layout })
  })
  Object.freeze(Layout)
  return rows
})

function decode(id, by = {}) {
  if (typeof by === 'string' || by instanceof Layout) return layoutOf(by).decode(id)
  const asked = question(id, by)
  const why = native.noneLikely(...asked)
  if (why) throw new SnowmintError('unknown_layout', `${id}: ${why}; name its layout`)
  return answers(asked)[0]
}

function guess(id, options = {}) {
  return answers(question(id, options))
}

/** Returns the arguments of the engine's guess. */
function question(id, options) {
  const { now = check.time(Date.now(), 'now'), beside = '' } = check.options(options, {
    now: check.time,
    beside: check.text,
  })
  return [check.id(id), now, beside]
}

function answers(asked) {
  return native.guess(...asked).map(({ preset, parts, named, doubt = null }) => {
    const row = presets.find(({ name }) => name === preset)
    return { ...row, named, doubt, parts: partsOf(parts) }
  })
}

/** Returns a layout, given as such or by its text. */
function layoutOf(layout) {
  if (typeof layout === 'string') return Layout.of(layout)
  return check.typed(layout instanceof Layout, 'layout', "a Layout, or a text such as 'twitter'", layout)
}

/** Returns the native value of a layout, given as such or by its text. */
function externalOf(layout) {
  return externals.get(layoutOf(layout))
}

module.exports = { Layout, OPENED, decode, externalOf, guess, layoutOf }
