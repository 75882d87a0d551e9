// Leased worker IDs, from the ID service and from stores of the user's own.

import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { directory } from '../reading.mjs'
import { inside } from './inside.mjs'
import { PATIENCE_MS, idService, until } from './id-service.mjs'

const { Snowflake } = inside('browser/snowflake.js')
const { IdService } = inside('browser/service.js')
const { Layout } = inside('layout.js')
const { SnowmintError } = inside('errors.js')

/** A generator that ends with the test, and waits as long as it takes. */
async function opened(t, options) {
  const flake = await Snowflake.open({ waitMs: PATIENCE_MS, ...options })
  t.after(() => flake.close())
  return flake
}

const workerOf = (flake, id) => flake.layout.decode(id).workerId

test('a lease from the service, minted from and released', async t => {
  const { url, counts, held } = await idService(t)
  const flake = await opened(t, { store: new IdService(url) })
  const ids = [flake.nextId(), BigInt(flake.nextIdString()), ...flake.nextIds(5000), await flake.nextIdAsync()]
  ids.push(...flake.fill(new BigUint64Array(3)), ...await flake.nextIdsAsync(10))
  for (const id of flake) {
    ids.push(id)
    break
  }
  for await (const id of flake) {
    ids.push(id)
    break
  }
  assert.deepEqual(ids, [...ids].sort((a, b) => (a < b ? -1 : 1)))
  assert.equal(new Set(ids).size, ids.length)
  assert.equal(workerOf(flake, ids[0]), (await held())[0].worker_id)
  await flake.closeAsync()
  assert.deepEqual(await held(), [])
  assert.throws(() => flake.nextId(), { code: 'closed' })
  await assert.rejects(flake.nextIdAsync(), { code: 'closed' })
  await flake.closeAsync()
  assert.equal(counts.release, 1)
})

test('a lease is renewed, and goes on', async t => {
  const { url, counts, held } = await idService(t)
  const flake = await opened(t, { store: new IdService(url), reserveMs: 600 })
  const first = await flake.nextIdAsync()
  await until(() => counts.renew >= 3)
  const id = await flake.nextIdAsync()
  assert.ok(id > first)
  assert.equal(workerOf(flake, id), workerOf(flake, first))
  assert.equal((await held()).length, 1)
  assert.equal(counts.acquire, 1)
})

test('each generator has a worker ID of its own, and a closed one is taken again above', async t => {
  const { url, held } = await idService(t)
  const store = new IdService(`${url}/`)
  const layout = new Layout('time:41,worker:1,sequence:12', { epochMs: 1_700_000_000_000 })
  const [one, two] = [await opened(t, { store, layout }), await opened(t, { store, layout })]
  assert.notEqual(workerOf(one, one.nextId()), workerOf(two, two.nextId()))
  assert.equal(new Set((await held()).map(row => row.owner)).size, 2)
  await assert.rejects(Snowflake.open({ store, layout }), { code: 'workers_exhausted' })
  const waiting = new Snowflake({ store, layout })
  t.after(() => waiting.close())
  assert.throws(() => waiting.nextId(), { code: 'lease_unavailable' })
  const refusal = await until(() => waiting.nextIdAsync(50).catch(error => error.cause && error))
  assert.equal(refusal.code, 'lease_unavailable')
  assert.equal(refusal.cause.code, 'workers_exhausted')
})

test('a constructor asks nobody to wait; calls that wait get the first ID', async t => {
  const { url, faults } = await idService(t)
  Object.assign(faults, { delay: 1, delayMs: 100 })
  const flake = new Snowflake({ store: new IdService(url), waitMs: PATIENCE_MS })
  t.after(() => flake.close())
  assert.throws(() => flake.nextId(), { code: 'lease_unavailable' })
  assert.ok(await flake.nextIdAsync() < flake.nextId())
})

test('a lost answer is asked for again, and costs a worker ID until its lease is over', async t => {
  const { url, faults, counts, held } = await idService(t)
  faults.drop = 2
  const flake = new Snowflake({ store: new IdService(url), reserveMs: 900, waitMs: PATIENCE_MS })
  t.after(() => flake.close())
  const first = await flake.nextIdAsync()
  assert.equal(counts.acquire, 3)
  assert.ok((await held()).length > 1)
  faults.drop = 1
  await until(() => counts.renew >= 3)
  const id = await flake.nextIdAsync()
  assert.ok(id > first)
  assert.equal(workerOf(flake, id), workerOf(flake, first))
  assert.equal(counts.acquire, 3)
})

test('an answer that comes too late is asked for again', async t => {
  const { url, faults } = await idService(t)
  Object.assign(faults, { delay: 1, delayMs: 60_000 })
  const store = new IdService(url, { timeoutMs: 1000 })
  const flake = new Snowflake({ store, waitMs: PATIENCE_MS })
  t.after(() => flake.close())
  await assert.rejects(flake.nextIdAsync(1), { code: 'lease_unavailable' })
  await flake.nextIdAsync()
})

test('a service that is down and comes back', async t => {
  const { url, faults } = await idService(t)
  const flake = await opened(t, { store: new IdService(url), reserveMs: 1000, maxAheadMs: 0 })
  let last = await flake.nextIdAsync()
  faults.isDown = true
  const refusal = await until(async () => {
    try {
      const id = flake.nextId()
      assert.ok(id > last)
      last = id
    } catch (error) {
      // Before the first request has failed there is no cause yet.
      return error.cause && error
    }
  })
  assert.equal(refusal.code, 'lease_unavailable')
  assert.equal(refusal.cause.code, 'store_unavailable')
  await assert.rejects(flake.nextIdAsync(20), { code: 'lease_unavailable' })
  faults.isDown = false
  assert.ok(await flake.nextIdAsync() > last)
})

test('a service that refuses, and says when to ask again', async t => {
  const { url, faults } = await idService(t)
  Object.assign(faults, { refuse: 2, retryMs: 50 })
  await assert.rejects(Snowflake.open({ store: new IdService(url) }), error => {
    assert.equal(error.code, 'store_unavailable')
    assert.equal(error.waitMs, 50)
    return true
  })
  const flake = new Snowflake({ store: new IdService(url), waitMs: PATIENCE_MS })
  t.after(() => flake.close())
  await flake.nextIdAsync()
})

test('a lease that is lost is used up no further than reserved, and another taken', async t => {
  const { url, counts, workers, held, evict } = await idService(t)
  const flake = await opened(t, { store: new IdService(url), reserveMs: 600 })
  let last = await flake.nextIdAsync()
  const lost = workerOf(flake, last)
  await evict(lost)
  const { reserved_ms: reservedMs } = (await workers()).find(row => row.worker_id === lost)
  await until(async () => {
    const id = await flake.nextIdAsync()
    assert.ok(id > last)
    last = id
    const [row] = await held()
    // Once what was reserved is over, the same worker ID may be taken again, above it.
    const { workerId, unixMs } = flake.layout.decode(id)
    const isAbove = workerId !== lost || unixMs >= BigInt(reservedMs)
    return row && row.worker_id === workerId && isAbove
  })
  assert.equal(counts.acquire, 2)
})

test("IDs have the service's time, whatever the clocks here say", async t => {
  for (const [skew, shift] of [[-3_600_000, 0], [3_600_000, 0], [0, 7_200_000], [0, -7_200_000]]) {
    const { url, nowMs } = await idService(t, { shiftMs: shift })
    const before = nowMs()
    const clock = { wall: () => Date.now() + skew }
    const layout = new Layout('time:41,worker:4,sequence:12', { epochMs: 1_700_000_000_000 + shift })
    const flake = await opened(t, { store: new IdService(url), layout, clock })
    const { unixMs } = layout.decode(flake.nextId())
    const later = nowMs()
    // As exact as the answer's way is short; the clocks here are off by hours.
    const off = 5000
    const isRight = unixMs >= before - off && unixMs <= later + off
    assert.ok(isRight, `${unixMs} is not ${before} to ${later}`)
  }
})

test('two services over one file, and one that is started again', async t => {
  const store = `sqlite:${path.join(directory(t), 'ids.db')}?create=true`
  const ids = []
  for (let n = 0; n < 2; n++) {
    const [one, two] = [await idService(t, { store }), await idService(t, { store })]
    for (const { url } of [one, two]) {
      const flake = await opened(t, { store: new IdService(url) })
      ids.push(...flake.nextIds(10_000))
    }
    assert.equal((await one.held()).length, 2 * (n + 1))
    // Nobody gives these leases back: the next services go on above them.
    one.faults.isDown = two.faults.isDown = true
  }
  assert.equal(new Set(ids).size, 40_000)
})

test('addresses, headers and fetch are those that the user gives', async t => {
  const { url } = await idService(t)
  const seen = []
  const ownFetch = (address, request) => {
    assert.ok(!request.body.includes('reachMs'), 'a service knows its own')
    seen.push([address, request.headers.authorization, request.method, request.cache, request.keepalive])
    return fetch(address, request)
  }
  const store = new IdService(new URL(url), { headers: { authorization: 'Bearer x' }, fetch: ownFetch })
  const flake = await Snowflake.open({ store })
  await flake.closeAsync()
  assert.deepEqual(seen, [
    [`${url}/v1/workers/acquire`, 'Bearer x', 'POST', 'no-store', false],
    [`${url}/v1/workers/release`, 'Bearer x', 'POST', 'no-store', true],
  ])
  assert.throws(() => new IdService(url, { retries: 3 }), { code: 'unknown_parameter' })
})

test('what is no ID service', async t => {
  const { url } = await idService(t)
  const answers = [
    () => new Response('<html>', { status: 200 }),
    () => new Response('{"worker_id":"x"}'),
    () => new Response('[]'),
    () => new Response('null', { status: 500 }),
    () => new Response('{"code":"no_such_code","message":"?"}', { status: 418 }),
    () => { throw new TypeError('network') },
  ]
  for (const answer of answers) {
    const store = new IdService(url, { fetch: async () => answer() })
    await assert.rejects(Snowflake.open({ store }), { name: 'SnowmintError', code: 'store_unavailable' })
  }
  await assert.rejects(Snowflake.open({ store: new IdService(`${url}/elsewhere`) }), { code: 'unsupported' })
})

/** Leases in memory, as a store of the user's own keeps them. */
function ownStore(changes = {}) {
  const calls = []
  const grant = (floorMs, reserveMs) => {
    const nowMs = Date.now()
    return { workerId: 5, epoch: 1, floorMs, reservedMs: nowMs + reserveMs, nowMs }
  }
  return {
    calls,
    async acquire(request) {
      calls.push(['acquire', request])
      return grant(Date.now(), request.reserveMs)
    },
    renew(lease, nextToken, reserveMs) {
      calls.push(['renew', lease, nextToken])
      return grant(lease.floorMs, reserveMs)
    },
    release(lease) {
      calls.push(['release', lease])
    },
    ...changes,
  }
}

test('a store of the user\'s own', async t => {
  const store = ownStore()
  const flake = await opened(t, { store, reserveMs: 300, maxAheadMs: 10 })
  assert.equal(workerOf(flake, await flake.nextIdAsync()), 5)
  await until(async () => store.calls.filter(([method]) => method === 'renew').length >= 2)
  await flake.closeAsync()
  const [[, request], [, renewed, next], [, again]] = store.calls
  const { realm, maxWorkerId, owner, token, reserveMs, maxAheadMs } = request
  assert.equal(realm, `${flake.layout.text}@${flake.layout.epochMs}/1`)
  assert.deepEqual([maxWorkerId, reserveMs, maxAheadMs], [1023, 300, 10])
  assert.ok(owner.length > 0 && /^[0-9a-f]{32}$/.test(token))
  assert.equal(renewed.token, token)
  assert.equal(renewed.epoch, 1n)
  assert.equal(again.token, next)
  assert.equal(store.calls.at(-1)[0], 'release')
})

test('a store that throws or answers nonsense', async () => {
  const boom = new Error('boom')
  const failures = [
    [() => { throw boom }, 'store_unavailable'],
    [async () => { throw boom }, 'store_unavailable'],
    [() => undefined, 'store_unavailable'],
    [() => ({ workerId: 'x' }), 'store_unavailable'],
    [() => ({ workerId: 1024, epoch: 1, floorMs: 0, reservedMs: 1, nowMs: 0 }), 'store_unavailable'],
    [() => ({ workerId: 1, epoch: 1, floorMs: 0, reservedMs: 1 }), 'store_unavailable'],
    [() => { throw new SnowmintError('realm_mismatch', 'other') }, 'realm_mismatch'],
  ]
  for (const [acquire, code] of failures) {
    await assert.rejects(Snowflake.open({ store: ownStore({ acquire }) }), { code })
  }
  await assert.rejects(Snowflake.open({ store: ownStore({ acquire: () => { throw boom } }) }), { cause: boom })
  for (const store of [null, 7, {}, { acquire() {}, renew() {} }]) {
    await assert.rejects(Snowflake.open({ store }), { name: 'TypeError', code: 'invalid_parameter' })
  }
})

test('what does not become better by waiting is told at once', async t => {
  const acquire = () => { throw new SnowmintError('realm_mismatch', 'other') }
  const flake = new Snowflake({ store: ownStore({ acquire }) })
  t.after(() => flake.close())
  await assert.rejects(flake.nextIdAsync(60_000), { code: 'realm_mismatch' })
})

test('a release that fails: the generator is closed all the same', async () => {
  const release = () => { throw new Error('boom') }
  const flake = await Snowflake.open({ store: ownStore({ release }) })
  await assert.rejects(flake.closeAsync())
  assert.throws(() => flake.nextId(), { code: 'closed' })
})

test('a lane that cannot be ended: the lease is given back all the same', {
  skip: process.env.SNOWMINT_BACKEND === 'wasm' && 'of modules that are not bundled',
}, async t => {
  const released = []
  const flake = await opened(t, { store: { ...ownStore(), release: lease => released.push(lease.workerId) } })
  const native = inside('native.js')
  const { machineOpen } = native
  native.machineOpen = () => { throw new RangeError('no stack') }
  t.after(() => { native.machineOpen = machineOpen })
  await assert.rejects(flake.closeAsync(), RangeError)
  assert.equal(released.length, 1)
})

test('a renewal that throws where nobody expects it is tried again', async t => {
  let isBroken
  const mono = () => {
    if (!isBroken) return performance.now()
    isBroken = false
    throw new Error('no clock')
  }
  const own = ownStore()
  const acquire = async given => {
    if (isBroken !== undefined) return own.acquire(given)
    isBroken = true
    throw new Error('no store')
  }
  const flake = new Snowflake({ store: { ...own, acquire }, clock: { mono }, waitMs: PATIENCE_MS })
  t.after(() => flake.close())
  assert.ok(await flake.nextIdAsync() > 0n)
})

test('a store whose leases begin further ahead of its clock than can be used', async () => {
  const own = ownStore()
  const released = []
  const store = {
    ...own,
    acquire: async given => {
      const lease = await own.acquire(given)
      return { ...lease, floorMs: lease.floorMs + 900_000, reservedMs: lease.reservedMs + 900_000 }
    },
    release: async lease => { released.push(lease.token) },
  }
  const message = /from (900|899)\d{3} ms ahead of its clock on, where at most \d+ can be used$/
  await assert.rejects(Snowflake.open({ store }), { code: 'invalid_answer', message })
  assert.equal(released.length, 1)
})

test('a tick that is full: sync calls tell, calls that wait wait', async t => {
  const layout = new Layout('time:41,worker:4,sequence:4', { epochMs: 1_700_000_000_000 })
  const flake = await opened(t, { store: ownStore(), layout, maxAheadMs: 0, start: 'zero' })
  assert.throws(() => { for (;;) flake.nextId() }, error => {
    assert.equal(error.code, 'sequence_exhausted')
    assert.ok(error.waitMs > 0)
    return true
  })
  const ids = await flake.nextIdsAsync(1000)
  assert.equal(new Set(ids).size, 1000)
  await assert.rejects(async () => { for (;;) await flake.nextIdAsync(0) }, { code: 'sequence_exhausted' })
  const strict = await opened(t, { store: ownStore(), layout, policy: 'leaf-strict', start: 'zero' })
  await assert.rejects(strict.nextIdsAsync(1000), { code: 'sequence_exhausted' })
})

test('options', async () => {
  const store = ownStore()
  const wrong = [
    [{}, 'invalid_parameter'],
    [{ store, workerId: 'random' }, 'invalid_parameter'],
    [{ store, layout: 'no-such' }, 'unknown_layout'],
    [{ store, layout: 7 }, 'invalid_parameter'],
    [{ store, policy: 'no-such' }, 'invalid_parameter'],
    [{ store, policy: 'lingdu' }, 'unsupported'],
    [{ store, policy: 'rollback-bits' }, 'unsupported'],
    [{ store, start: 'random' }, 'invalid_parameter'],
    [{ store, start: 'random:0' }, 'invalid_parameter'],
    [{ store, start: 'zero:1x' }, 'invalid_parameter'],
    [{ store, layout: new Layout('time:30,worker:10', { tickMs: 2_400_001 }) }, 'invalid_parameter'],
    [{ store, reserveMs: 99 }, 'invalid_parameter'],
    [{ store, reserveMs: 3_600_001 }, 'invalid_parameter'],
    [{ store, waitMs: -1 }, 'invalid_parameter'],
    [{ store, stateDirectory: 'x' }, 'unsupported'],
    [{ workerId: 7 }, 'unsupported'],
    [{ workerId: 'env' }, 'unsupported'],
  ]
  for (const [options, code] of wrong) await assert.rejects(Snowflake.open(options), { code }, code)
  const named = { policy: /^policy="no" is not possible: use one of snowmint, /, start: /^start="no" is not possible: use zero, vibrate:MAX/ }
  for (const [option, message] of Object.entries(named)) {
    await assert.rejects(Snowflake.open({ store, [option]: 'no' }), { name: 'SnowmintError', message })
  }
  await assert.rejects(Snowflake.open({ store, reserveMs: 99 }), { name: 'SnowmintError', message: /^a reservation of 99 ms is not possible/ })
  for (const start of ['zero', 'rotate', 'vibrate:3', 'random:64']) {
    const flake = await Snowflake.open({ store: ownStore(), start, policy: 'hazelcast', waitMs: 7 })
    assert.equal(flake.waitMs, 7)
    assert.ok(flake.nextId() > 0n)
    flake.close()
  }
  const flake = await Snowflake.open({ store: ownStore() })
  for (const count of [-1, 0, 2 ** 24 + 1, 2 ** 32]) assert.throws(() => flake.nextIds(count), { code: 'count_out_of_range' })
  assert.throws(() => flake.nextIds('x'), TypeError)
  assert.throws(() => flake.fill([1n]), TypeError)
  await assert.rejects(flake.nextIdAsync(-1), RangeError)
  flake.close()
})

test('stats() tells the lease, and a failure of the service until it is over', async t => {
  const { url, faults } = await idService(t)
  const flake = await Snowflake.open({ store: new IdService(url), reserveMs: 600 })
  const { kind, workerId, reservedMs, reserveMs, leaseAgeMs, lastFailure } = flake.stats()
  assert.deepEqual([kind, reserveMs, lastFailure], ['snowflake', 2000, undefined])
  assert.equal(workerId, flake.layout.decode(await flake.nextIdAsync(300_000)).workerId)
  assert.ok(reservedMs <= 60_000 && leaseAgeMs >= 0)
  faults.refuse = 1
  const { code } = await until(() => flake.stats().lastFailure)
  assert.equal(code, 'store_unavailable')
  await until(() => flake.stats().lastFailure.isOver)
  await flake.closeAsync()
  assert.deepEqual([flake.stats().isClosed, flake.stats().workerId], [true, undefined])
})
