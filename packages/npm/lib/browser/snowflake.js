'use strict'
// Snowflakes in a browser: a leased worker ID, or a random one.

const check = require('../arguments.js')
const { policies } = require('../engine.js')
const { SnowmintError, withCode } = require('../errors.js')
const { Layout, externalOf } = require('../layout.js')
const native = require('../native.js')
const { Clock } = require('./clock.js')
const { CLOSED, keep } = require('./keeper.js')
const { Minting, closed, isTransient } = require('./minting.js')
const { bytes } = require('./random.js')

const SLAB_MAX_MS = 3_600_000
/** The most IDs claimed at once: renewals get their turn in between. */
const BLOCK = 1 << 16
/** With fewer worker bits two of 300 clients have the same one as likely as not. */
const RANDOM_BITS_MIN = 16
/** As many bits for random worker IDs as milliseconds since 2024 leave. */
const RANDOM_FIELDS = 'zero:1,time:41,worker:21,sequence:1'
const RANDOM_EPOCH_MS = 1_704_067_200_000

const OPTIONS = {
  worker: value => value,
  store: value => value,
  layout: layoutOf,
  policy: policyOf,
  maxAheadMs: check.narrow,
  start: startOf,
  slabMs: slabOf,
  waitMs: check.wait,
  clock: value => value,
}

function invalid(name, value, expected, code = 'invalid_parameter') {
  return new SnowmintError(code, `${name}=${value} is not possible: use ${expected}`)
}

function layoutOf(value) {
  return typeof value === 'string' ? Layout.of(value) : check.instance(value, Layout, 'layout')
}

function policyOf(name) {
  const policy = policies.find(known => known.name === name)
  if (!policy) throw invalid('policy', name, policies.map(known => known.name))
  // They are for clocks that go back, and this one does not.
  if (/_/.test(policy.whenBehind)) throw invalid('policy', name, 'snowmint', 'unsupported')
  return policy
}

function startOf(text) {
  const [, kind, bound] = /^(zero|rotate|vibrate(?=:)|random(?=:0*[1-9])):?(\d*)$/.exec(text) ?? []
  if (!kind) throw invalid('start', text, 'zero, vibrate:MAX, random:BELOW or rotate')
  return { kind, bound: Number(bound), seed: new BigUint64Array(bytes(8).buffer)[0] }
}

function slabOf(value) {
  if (value >= 100 && value <= SLAB_MAX_MS) return check.narrow(value, 'slabMs')
  throw invalid('slabMs', value, `100 to ${SLAB_MAX_MS}`)
}

function wide() {
  return new Layout(RANDOM_FIELDS, { epochMs: RANDOM_EPOCH_MS })
}

/** Not chosen, but drawn: nobody can say which ticks a chosen one has used before. */
function randomLane(worker, { workerBits }) {
  if (worker !== 'random') {
    const hint = "'random', or lease one, { store: new IdService(url) }: nothing keeps its time here"
    throw invalid('worker', worker, hint, 'unsupported')
  }
  if (workerBits < RANDOM_BITS_MIN) throw invalid('workerBits', workerBits, RANDOM_BITS_MIN)
  const workerId = new Uint32Array(bytes(4).buffer)[0] >>> (32 - workerBits)
  return { ...CLOSED, workerId, reserved: 2n ** 64n - 1n }
}

class Snowflake extends Minting {
  #own
  #policy
  #clock
  #machine
  #keeper
  #block

  constructor(options) {
    // It refuses where there is no engine yet.
    native.limits()
    const checked = check.options(options, OPTIONS)
    const { worker, store, slabMs = 60_000, waitMs, clock, start = startOf('rotate') } = checked
    const { policy = policyOf('snowmint'), maxAheadMs = policy.maxAheadMs } = checked
    if ((worker ?? store) === undefined || (worker && store)) {
      throw withCode(new TypeError("a generator needs a store, or worker: 'random'"))
    }
    const { layout = store ? Layout.TWITTER : wide() } = checked
    const own = {
      some: ids => this.#some(ids),
      pause: error => this.#pause(error),
      end: () => this.#end(),
    }
    super(waitMs, own)
    this.#own = own
    this.layout = layout
    this.#policy = policy
    this.#clock = new Clock(clock)
    this.#block = Math.max(1, Math.min(BLOCK, Number(layout.idsPerTick)))
    const lane = store === undefined ? randomLane(worker, layout) : CLOSED
    const machine = this.#machine = native.machine(externalOf(layout), lane, maxAheadMs, start)
    if (store === undefined) return
    for (const method of ['acquire', 'renew', 'release']) check.callable(store?.[method], method)
    this.#keeper = keep({
      store,
      layout,
      realm: `${layout}@${layout.epochMs}/${layout.tickMs}`,
      slabMs: Math.min(SLAB_MAX_MS, Math.max(slabMs, maxAheadMs * 2, layout.tickMs * 4)),
      maxAheadMs,
      clock: this.#clock,
      machine,
      news: own.news,
    })
  }

  static async open(options) {
    const flake = new Snowflake(options)
    try {
      while (flake.#keeper && !flake.#keeper.isHeld()) await flake.#own.rest(Infinity)
    } catch (error) {
      flake.close()
      throw error
    }
    return flake
  }

  nextId() {
    try {
      return native.machineIdAt(this.#machine, this.#clock.now())
    } catch (error) {
      throw this.#why(error)
    }
  }

  #some(ids) {
    const block = ids.subarray(0, this.#block)
    try {
      native.machineFill(this.#machine, block, this.#clock.now())
    } catch (error) {
      throw this.#why(error)
    }
    return block.length
  }

  #why(error) {
    if (this.closed) return closed()
    return this.#keeper && error.code === 'grant_exhausted' ? this.#keeper.want() : error
  }

  #pause(error) {
    if (isTransient(error)) return Infinity
    return error.waitMs === undefined ? undefined : this.#policy.action(error).waitMs
  }

  #end() {
    native.machineOpen(this.#machine, CLOSED)
    return this.#keeper?.close()
  }
}

module.exports = { Snowflake }
