'use strict'
// Snowflakes in a browser: a leased worker ID, or a random one.

const check = require('../arguments.js')
const { SnowmintError, withCode } = require('../errors.js')
const { Layout, externalOf, layoutOf } = require('../layout.js')
const native = require('../native.js')
const { policyOf } = require('../policies.js')
const { Clock } = require('./clock.js')
const { here } = require('./here.js')
const { keep } = require('./keeper.js')
const { CLOSED } = require('./lanes.js')
const { nothingNamed, refuseOption } = require('./missing.js')
const { Minting, classOf, closed, isTransient } = require('./minting.js')
const { random } = require('./random.js')
const { optionsBy } = require('./urls.js')

const RESERVE_MAX_MS = 3_600_000
/**
 * The fewest worker bits. With fewer, the chance that two of 300 clients have the same worker ID is
 * above one half.
 */
const RANDOM_BITS_MIN = 16
/** The default fields: milliseconds since 2024, and the remaining bits for random worker IDs. */
const RANDOM_FIELDS = 'time:41,worker:21,sequence:1'
const RANDOM_EPOCH_MS = 1_704_067_200_000

const OPTIONS = {
  workerId: check.any,
  store: check.any,
  layout: layoutOf,
  policy: followed,
  maxAheadMs: check.narrow,
  start: startOf,
  reserveMs: reserveOf,
  waitMs: check.wait,
  clock: check.any,
}

function followed(given) {
  const policy = policyOf(given)
  // These policies are for clocks that go back, and this clock does not.
  if (/_/.test(policy.whenBehind)) refuse('policy', policy.name, 'snowmint')
  return policy
}

function refuse(name, value, expected) {
  const message = `${name}=${value} is not possible without Node's addon: use ${expected}${here.advice()}`
  throw new SnowmintError('unsupported', message)
}

function startOf(text, name) {
  const form = /^(zero|rotate|vibrate:\d+|random:[1-9]\d*)$/
  const [kind, bound = 0] = form.test(check.text(text, name)) ? text.split(':') : []
  if (!kind || bound > 2 ** 32 - 1) throw check.impossible(name, text, 'zero, vibrate:MAX, random:BELOW or rotate')
  return { kind, bound: Number(bound), seed: random(64) }
}

function reserveOf(value, name) {
  if (check.narrow(value, name) >= 100 && value <= RESERVE_MAX_MS) return value
  throw new SnowmintError('invalid_parameter', `a reservation of ${value} ms is not possible: use 100 to ${RESERVE_MAX_MS}`)
}

function wide() {
  return new Layout(RANDOM_FIELDS, { epochMs: RANDOM_EPOCH_MS })
}

/**
 * Returns a lane with a random worker ID. Other worker IDs are refused, because nobody knows which
 * ticks they have used before.
 */
function randomLane(workerId, layout) {
  if (workerId !== 'random') refuse('workerId', workerId, "'random', or a store")
  const { text, workerBits } = layout
  if (workerBits < RANDOM_BITS_MIN) {
    const { name = text } = Layout.presets().find(preset => preset.layout.equals(layout)) ?? {}
    throw new SnowmintError('invalid_parameter', `the layout should have at least ${RANDOM_BITS_MIN} bits of ` +
      `worker ID for a random one, and ${name} has ${workerBits}: leave it out, or use a store`)
  }
  return { ...CLOSED, workerId: Number(random(workerBits)), reserved: 2n ** 64n - 1n }
}

class Snowflake extends Minting {
  kind = 'snowflake'
  /** The keeper of the lease, for leased worker IDs. */
  #keeper

  constructor(...given) {
    // This throws if no engine is loaded yet.
    native.limits()
    if (given.length === 0) throw nothingNamed()
    const [options] = given
    refuseOption(options, 'stateDirectory', "use a store, or the workerId 'random'")
    const {
      workerId, store, reserveMs = 60_000, waitMs, start = startOf('rotate'), clock: clocks,
      policy = followed('snowmint'), maxAheadMs = policy.maxAheadMs,
      layout = store === undefined ? wide() : Layout.TWITTER,
    } = check.options(options, OPTIONS)
    const isLeased = store !== undefined
    const isWorkerId = /^(string|number)$/.test(typeof workerId)
    check.typed(isLeased || isWorkerId, 'workerId', "'random', or a store", workerId)
    if (isLeased && workerId !== undefined) {
      throw withCode(new TypeError('a generator has one worker ID, and both workerId and store are given: leave one out'))
    }
    const most = Number(layout.idsPerTick)
    const lane = isLeased ? CLOSED : randomLane(workerId, layout)
    const clock = new Clock(clocks)
    const machine = native.machine(externalOf(layout), lane, maxAheadMs, start)
    const why = error => {
      if (this.closed) return closed()
      return isLeased && error.code === 'grant_exhausted' ? this.#keeper.want() : error
    }
    const own = {
      next() {
        try {
          return native.machineIdAt(machine, clock.now())
        } catch (error) {
          throw why(error)
        }
      },
      atOnce: (Math.floor(maxAheadMs / layout.tickMs) + 1) * most,
      some(ids) {
        try {
          return native.machineFill(machine, ids, Math.min(ids.length, most), clock.now())
        } catch (error) {
          throw why(error)
        }
      },
      pause(error) {
        if (isTransient(error)) return Infinity
        return error.waitMs === undefined ? undefined : policy.action(error).waitMs
      },
      stats: () => ({
        kind: 'snowflake',
        clockOffsetMs: clock.offset,
        ...(isLeased ? this.#keeper.stats() : { workerId: this.closed ? undefined : lane.workerId }),
      }),
      // The keeper ends the lane as well.
      end: () => (this.#keeper ? this.#keeper.close() : native.machineOpen(machine, CLOSED)),
    }
    super(own, waitMs)
    this.layout = layout
    if (!isLeased) return
    for (const method of ['acquire', 'renew', 'release']) check.callable(store?.[method], method)
    this.#keeper = keep({ ...own, store, layout, reserveMs, maxAheadMs, clock, machine })
  }

  static async open(...list) {
    const flake = new (classOf(this, Snowflake))(...list.map(options => optionsBy('snowflake', options)))
    await flake.#keeper?.held().catch(error => {
      flake.close()
      throw error
    })
    return flake
  }
}

module.exports = { Snowflake }
