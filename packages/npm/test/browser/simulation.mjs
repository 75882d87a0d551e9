// Simulated tabs: each with clocks, timers and page events of its own, in one time that is made up.
// The browser around the generators is simulated; the generators are the real ones. For each seed
// there is one history: no time, chance or lock of the machine's reaches them.

import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { createHash, webcrypto } from 'node:crypto'

const tabs = new AsyncLocalStorage()
const { setImmediate } = globalThis

/** Numbers that a seed decides. */
export function random(seed) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    below: bound => Math.floor(next() * bound),
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: probability => next() < probability,
    one: list => list[Math.floor(next() * list.length)],
  }
}

export class World {
  #digest = createHash('sha256')

  constructor(startMs, seed) {
    this.now = startMs
    this.events = []
    this.serial = 0
    const chance = random(~seed)
    webcrypto.getRandomValues = list => {
      list.forEach((_, at) => { list[at] = chance.below(256) })
      return list
    }
    // Newer ones of Node have locks, which are waited for in real time.
    Object.defineProperty(globalThis, 'navigator', { value: undefined, configurable: true })
    globalThis.setTimeout = (job, ms = 0) => this.set(tabs.getStore(), job, ms)
    globalThis.clearTimeout = event => { if (event) event.job = undefined }
    globalThis.performance = { now: () => tabs.getStore()?.mono() ?? this.now }
    globalThis.addEventListener = (type, listener) => tabs.getStore().listeners.push([type, listener])
    globalThis.removeEventListener = (type, listener) => {
      const { listeners } = tabs.getStore()
      const at = listeners.findIndex(([known, held]) => known === type && held === listener)
      listeners.splice(at, 1)
    }
  }

  /** Writes down what happened, for `digest`. */
  note(...facts) {
    this.#digest.update(`${this.now} ${facts.join(' ')}\n`)
  }

  /** Returns a hash by which to compare two histories. */
  digest() {
    return this.#digest.copy().digest('hex')
  }

  set(tab, job, ms) {
    const at = this.now + Math.ceil(Math.max(0, ms))
    const event = { at, tab, job: AsyncResource.bind(job), serial: this.serial++ }
    this.events.push(event)
    return event
  }

  /** Lets time pass; timers fire in order, those of a tab that is stopped when it goes on. */
  async run(untilMs) {
    for (;;) {
      await quiet()
      let next
      for (const event of this.events) if (next === undefined || isBefore(event, next)) next = event
      if (next === undefined || next.at > untilMs) break
      this.events.splice(this.events.indexOf(next), 1)
      if (next.job === undefined) continue
      this.now = Math.max(this.now, next.at)
      const stopped = next.tab?.stoppedUntil ?? 0
      if (stopped > this.now) this.events.push({ ...next, at: stopped })
      else next.job()
    }
    this.now = untilMs
  }
}

function isBefore(one, other) {
  return one.at < other.at || (one.at === other.at && one.serial < other.serial)
}

/** Until every promise that can go on has gone on. */
async function quiet() {
  for (let n = 0; n < 3; n++) await new Promise(resolve => setImmediate(resolve))
}

export class Tab {
  constructor(world, { coarseMs = 1 } = {}) {
    this.world = world
    this.coarseMs = coarseMs
    this.skewMs = 0
    this.sleptMs = 0
    this.stoppedUntil = 0
    this.listeners = []
    this.clock = { wall: () => this.wall(), mono: () => this.mono() }
  }

  wall() {
    return Math.floor((this.world.now + this.skewMs) / this.coarseMs) * this.coarseMs
  }

  mono() {
    return Math.floor((this.world.now - this.sleptMs) / this.coarseMs) * this.coarseMs
  }

  /** Runs something in the tab. */
  run(job) {
    return tabs.run(this, job)
  }

  get isStopped() {
    return this.stoppedUntil > this.world.now
  }

  /** Nothing runs for so long: a frozen tab. */
  freeze(ms) {
    this.stoppedUntil = this.world.now + ms
  }

  /** The machine sleeps: the monotonic clock stands still as well. */
  sleep(ms) {
    this.freeze(ms)
    this.sleptMs += ms
  }

  fire(type) {
    for (const [known, listener] of [...this.listeners]) if (known === type) this.run(listener)
  }
}

/** A store of leases on the world's time, reached over a network that loses and delays. */
export class LossyStore {
  constructor(world, chance, { forgets = false } = {}) {
    this.world = world
    this.chance = chance
    this.forgets = forgets
    this.rows = new Map()
    this.loss = 0
    this.delayMs = [1, 30]
    this.isDown = false
    this.shiftMs = 0
    this.calls = []
    /** Requests of a tab that had not waited for the answer to its last. */
    this.doubled = 0
  }

  get nowMs() {
    return this.world.now + this.shiftMs
  }

  #row(realm, workerId) {
    const key = `${realm} ${workerId}`
    if (!this.rows.has(key)) this.rows.set(key, { epoch: 0n, reserved: 0, expires: 0 })
    return this.rows.get(key)
  }

  acquired({ realm, maxWorkerId, owner, token, reserveMs, reachMs }) {
    const now = this.nowMs
    if (this.forgets) this.rows.clear()
    for (let workerId = 0; workerId <= maxWorkerId; workerId++) {
      const row = this.#row(realm, workerId)
      if (row.expires > now || row.reserved - now > reachMs) continue
      row.epoch++
      row.floor = Math.max(row.reserved, now)
      Object.assign(row, { owner, token, reserved: Math.max(row.reserved, now + reserveMs), expires: now + reserveMs })
      return this.#answer(workerId, row)
    }
    throw refusal('workers_exhausted')
  }

  renewed({ realm, workerId, epoch, owner, token }, nextToken, reserveMs) {
    const row = this.#row(realm, workerId)
    const isHolder = row.owner === owner && row.epoch === epoch && [token, nextToken].includes(row.token)
    if (!isHolder) throw refusal('lease_lost')
    const end = this.nowMs + reserveMs
    row.token = nextToken
    row.reserved = Math.max(row.reserved, end)
    row.expires = Math.max(row.expires, end)
    return this.#answer(workerId, row)
  }

  released({ realm, workerId, epoch, owner, token }) {
    const row = this.#row(realm, workerId)
    if (row.owner !== owner || row.epoch !== epoch || row.token !== token) return
    row.expires = Math.min(row.expires, this.nowMs)
    row.token = ''
  }

  #answer(workerId, { epoch, floor, reserved }) {
    return { workerId, epoch, floorMs: floor, reservedMs: reserved, nowMs: this.nowMs }
  }

  /** The store as a tab reaches it; `granted` is told of every lease that arrives there. */
  for(tab, granted) {
    let asking = 0
    const call = async (method, answer) => {
      this.calls.push(method)
      this.world.note(method)
      if (method === 'release') return send(method, answer)
      if (++asking > 1) this.doubled++
      return send(method, answer).finally(() => asking--)
    }
    const send = (method, answer) => new Promise((resolve, reject) => {
      const fail = () => reject(new TypeError('network error'))
      const after = () => this.chance.between(...this.delayMs)
      if (this.isDown || this.chance.chance(this.loss)) return this.world.set(tab, fail, after())
      // A request goes on its way whatever becomes of the tab.
      this.world.set(undefined, () => {
        let outcome
        try {
          const value = answer()
          outcome = () => {
            if (value) granted(value, method)
            resolve(value)
          }
        } catch (error) {
          outcome = () => reject(error)
        }
        this.world.set(tab, this.chance.chance(this.loss) ? fail : outcome, after())
      }, after())
    })
    return {
      acquire: request => call('acquire', () => this.acquired(request)),
      renew: (...request) => call('renew', () => this.renewed(...request)),
      release: lease => call('release', () => this.released(lease)),
    }
  }
}

let refusal

/** Names the error class that a store refuses with. */
export function refuseWith(SnowmintError) {
  refusal = code => new SnowmintError(code, `refused: ${code}`)
}
