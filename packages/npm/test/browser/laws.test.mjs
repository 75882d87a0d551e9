// The laws, over simulated tabs under faults: IDs are unique (L1), lie in time that was reserved
// before (L2) and rise (L3), whatever clocks, networks and browsers do.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inside } from './inside.mjs'
import { LossyStore, Tab, World, random, refuseWith } from './simulation.mjs'

const { Snowflake } = inside('browser/snowflake.js')
const { Layout } = inside('layout.js')
const { SnowmintError } = inside('errors.js')
refuseWith(SnowmintError)

const HISTORIES = Number(process.env.SNOWMINT_HISTORIES ?? 60)
const START_MS = 1_795_000_000_000
const LAYOUT = new Layout('time:41,worker:6,sequence:6', { epochMs: START_MS - 100_000_000 })
const TABS = 4
const RESERVE_MS = 3000
const LASTS_MS = 20_000
/** The error codes that callers may be told. */
const EXPECTED = new Set([
  'lease_unavailable', 'sequence_exhausted', 'clock_behind', 'time_out_of_range', 'epoch_in_future',
])

/** A tab that mints, and writes down what it may mint and what it did. */
class Minter {
  constructor(world, store, chance, ids) {
    this.world = world
    this.tab = new Tab(world, { coarseMs: chance.one([1, 1, 5, 16, 100]) })
    this.ids = ids
    this.chance = chance
    this.grants = []
    this.last = -1n
    const { clock } = this.tab
    const reached = store.for(this.tab, ({ workerId, floorMs, reservedMs }) => {
      this.grants.push({ workerId, floorMs, reservedMs })
    })
    this.flake = this.tab.run(() => new Snowflake({ store: reached, layout: LAYOUT, reserveMs: RESERVE_MS, clock }))
  }

  mint() {
    const { flake, tab, chance } = this
    try {
      const minted = chance.chance(0.2)
        ? tab.run(() => flake.nextIds(chance.between(1, 200)))
        : [tab.run(() => flake.nextId())]
      for (const id of minted) this.note(id)
      return minted.length
    } catch (error) {
      assert.ok(EXPECTED.has(error.code), error.stack)
      this.refusal = error
      this.world.note(error.message)
      return 0
    }
  }

  note(id) {
    assert.ok(!this.isLeft, `${id} of a page that is left`)
    assert.ok(id > this.last, `L3: ${id} after ${this.last}`)
    this.last = id
    this.world.note(id)
    const { workerId, unixMs } = LAYOUT.decode(id)
    const inGrant = grant => (
      grant.workerId === workerId && unixMs >= grant.floorMs && unixMs < grant.reservedMs
    )
    assert.ok(this.grants.some(inGrant), `L2: ${id} at ${unixMs} of worker ${workerId} was not reserved`)
    if (this.ids.has(id)) this.ids.duplicates++
    this.ids.add(id)
  }

  turn(type) {
    this.isLeft = type === 'pagehide'
    this.tab.fire(type)
  }

  /** Something happens to the tab. */
  suffer() {
    const { tab, chance } = this
    switch (chance.below(8)) {
      case 0: return tab.freeze(chance.between(100, 8000))
      case 1: return tab.sleep(chance.between(100, 20_000))
      case 2: tab.skewMs += chance.between(-10_000, 10_000); return
      case 3: tab.skewMs += chance.one([-3_600_000, 3_600_000, -1, 1, 300, -300]); return
      case 4: return this.turn('pagehide')
      case 5: return this.turn('pageshow')
      case 6: tab.coarseMs = chance.one([1, 5, 16, 100]); return
      default:
    }
  }
}

async function history(seed, options) {
  const chance = random(seed)
  const world = new World(START_MS, seed)
  const store = new LossyStore(world, chance, options)
  const ids = Object.assign(new Set(), { duplicates: 0 })
  const minters = Array.from({ length: TABS }, () => new Minter(world, store, chance, ids))
  store.loss = chance.one([0, 0.05, 0.3])
  store.delayMs = chance.one([[1, 30], [1, 400], [200, 4000]])
  const until = START_MS + LASTS_MS
  // The store's own clock is set back once, in half of all histories.
  const setBackAt = START_MS + chance.between(0, 2 * LASTS_MS)
  const setBackMs = chance.one([5000, 3_600_000, 50_000_000])
  let ahead = 0
  while (world.now < until) {
    await world.run(world.now + chance.between(1, 120))
    if (chance.chance(0.01)) store.isDown = !store.isDown
    if (chance.chance(0.01)) ahead = chance.between(0, 2000)
    store.shiftMs = world.now < setBackAt ? ahead : ahead - setBackMs
    for (const minter of minters) {
      if (minter.tab.isStopped) continue
      if (chance.chance(0.02)) minter.suffer()
      else minter.mint()
    }
  }
  return { world, store, minters, ids }
}

/** Everything is well again; the tabs have a while. */
async function heal({ world, store, minters }) {
  Object.assign(store, { isDown: false, loss: 0, delayMs: [1, 30] })
  await world.run(Math.max(world.now, ...minters.map(({ tab }) => tab.stoppedUntil)))
  for (const minter of minters) minter.turn('pageshow')
  await world.run(world.now + 3 * RESERVE_MS)
  // Whoever was set far ahead waits no longer than it may borrow.
  for (const minter of minters) minter.mint()
  await world.run(world.now + 2000)
}

test(`${HISTORIES} histories with faults`, async () => {
  let minted = 0
  let renewals = 0
  for (let seed = 1; seed <= HISTORIES; seed++) {
    const told = await history(seed)
    assert.equal(told.ids.duplicates, 0, `L1: seed ${seed}`)
    await heal(told)
    assert.equal(told.store.doubled, 0, `seed ${seed}: one request at a time`)
    for (const minter of told.minters) {
      assert.ok(minter.mint() > 0, `seed ${seed}: when all is well again: ${minter.refusal?.stack}`)
    }
    assert.equal(told.ids.duplicates, 0, `L1: seed ${seed}`)
    minted += told.ids.size
    renewals += told.store.calls.filter(method => method === 'renew').length
    for (const { flake, tab } of told.minters) tab.run(() => flake.close())
    await told.world.run(told.world.now + 10_000)
  }
  assert.ok(minted > HISTORIES * 1000 && renewals > HISTORIES, `${minted} IDs, ${renewals} renewals`)
})

test('a seed gives the same history twice', async () => {
  const digests = []
  for (let n = 0; n < 2; n++) digests.push((await history(1)).world.digest())
  assert.equal(digests[0], digests[1])
  assert.notEqual((await history(2)).world.digest(), digests[0])
})

test('the same tabs over a store that forgets what it reserved do repeat IDs', async () => {
  let duplicates = 0
  for (let seed = 1; seed <= 40 && duplicates === 0; seed++) {
    try {
      duplicates += (await history(seed, { forgets: true })).ids.duplicates
    } catch (error) {
      assert.match(error.message, /^L/)
    }
  }
  assert.ok(duplicates > 0)
})

test('a store whose clock is set back by hours stops no tab; by days, the clock is named', async () => {
  for (const [seed, setBackMs] of [[1, 7_200_000], [2, 86_000_000], [3, 172_800_000]]) {
    const chance = random(seed)
    const world = new World(START_MS, seed)
    const store = new LossyStore(world, chance)
    const minter = new Minter(world, store, chance, Object.assign(new Set(), { duplicates: 0 }))
    await world.run(START_MS + 1000)
    store.shiftMs = -setBackMs
    let refused = 0
    for (let ms = 1000; ms < 60_000; ms += 100) {
      await world.run(START_MS + ms)
      if (minter.mint() === 0) refused++
    }
    if (setBackMs < 100_000_000) assert.equal(refused, 0, minter.refusal?.stack)
    else {
      assert.equal(minter.refusal.code, 'lease_unavailable')
      assert.match(minter.refusal.message, /clock was set back, and is 172\d+ ms behind/)
    }
    minter.tab.run(() => minter.flake.close())
    await world.run(world.now + 10_000)
  }
})

test('a lease of before the store was set back, whose answer was lost, is not asked for again', async () => {
  const chance = random(1)
  const world = new World(START_MS, 1)
  const store = new LossyStore(world, chance)
  store.delayMs = [100, 100]
  const minter = new Minter(world, store, chance, Object.assign(new Set(), { duplicates: 0 }))
  await world.run(START_MS + 50)
  store.loss = 1
  await world.run(START_MS + 150)
  Object.assign(store, { loss: 0, shiftMs: -3_600_000 })
  await world.run(START_MS + 2000)
  assert.ok(minter.mint() > 0, minter.refusal?.stack)
  assert.deepEqual(store.calls.slice(0, 3), ['acquire', 'acquire', 'renew'])
  minter.tab.run(() => minter.flake.close())
  await world.run(world.now + 10_000)
})
