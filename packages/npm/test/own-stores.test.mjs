// Stores written in JavaScript: ranges from a function, leases from an object.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Segment, Snowflake, SnowmintError } from 'snowmint'

/** Ranges one after the other, and how often it was asked. */
function counter(first = 1n) {
  const counted = async (_tag, count) => {
    counted.calls++
    const start = counted.next
    counted.next += BigInt(count)
    return [start, counted.next]
  }
  return Object.assign(counted, { next: first, calls: 0 })
}

test('numbers from a function', async () => {
  const allocate = counter()
  const segment = new Segment({ tag: 'own', allocate, step: 100 })
  const ids = []
  for (let n = 0; n < 1000; n++) ids.push(await segment.nextIdAsync())
  assert.deepEqual(ids, Array.from(ids, (_, at) => BigInt(at + 1)))
  assert.ok(allocate.calls >= 10)
  segment.close()
})

test('a range as decimal digits, as drivers of databases give a BIGINT', async () => {
  for (const range of [['1', '1001'], { start: '1', end: 1001n, stride: '1' }, [1, '1001', 1n]]) {
    const segment = await Segment.open({ tag: 'own', allocate: async () => range })
    assert.deepEqual([...segment.nextIds(1000)], Array.from({ length: 1000 }, (_, at) => BigInt(at + 1)))
    segment.close()
  }
  for (const [range, said] of [
    [['1', 'x'], 'end should be a bigint, a number or decimal digits, not "x"'],
    [['-1', '7'], 'start should be a bigint, a number or decimal digits, not "-1"'],
    [{ rows: [] }, 'start should be a bigint, a number or decimal digits, not undefined'],
    [['1', '18446744073709551616'], 'end should be from 0 to 2^64 - 1, not 18446744073709551616n'],
  ]) {
    const opening = Segment.open({ tag: 'own', allocate: () => range })
    await assert.rejects(opening, { code: 'invalid_range', message: `allocate should give [start, end): ${said}` })
  }
})

test('it gets the tag and how many are wanted', async () => {
  const asked = []
  const allocate = (tag, count) => {
    asked.push([tag, count])
    return { start: 1n, end: 1_000_001n, stride: 10n }
  }
  const segment = await Segment.open({ tag: 'own', allocate, step: 50n })
  assert.deepEqual([...segment.nextIds(3)], [1n, 11n, 21n])
  assert.deepEqual(asked[0], ['own', 50])
  segment.close()
})

const FAILURES = [
  ['throws', () => { throw new TypeError('boom') }, 'store_unavailable'],
  ['rejects', async () => { throw new RangeError('boom') }, 'store_unavailable'],
  ['throws no error', () => { throw 'boom' }, 'store_unavailable'],
  ['throws an error of ours', () => { throw new SnowmintError('store_locked', 'busy') }, 'store_locked'],
  ['gives nothing', () => undefined, 'invalid_range'],
  ['gives a number', () => 7, 'invalid_range'],
  ['gives a text', async () => 'seven', 'invalid_range'],
  ['gives floats', () => [1.5, 7], 'invalid_range'],
  ['gives a negative number', () => [-1n, 7n], 'invalid_range'],
  ['gives an empty range', () => [7n, 7n], 'invalid_range'],
  ['gives a range backwards', () => [7n, 1n], 'invalid_range'],
  ['gives too large a number', () => [1n, 2n ** 64n], 'invalid_range'],
  ['gives a stride of 0', () => [1n, 7n, 0n], 'invalid_range'],
  ['gives more than anybody asks for', () => [1n, 2n ** 62n], 'invalid_answer'],
]

/** Throws the error of a segment, once its store has answered. */
async function refused(segment) {
  for (;;) {
    try {
      assert.fail(`got ${await segment.nextIdAsync()}`)
    } catch (error) {
      if (error.code !== 'wait_timeout') throw error
    }
  }
}

for (const [what, fails, code] of FAILURES) {
  test(`a function that ${what}, once`, async () => {
    const goes = counter()
    let failed = false
    const allocate = async (tag, count) => {
      if (failed) return goes(tag, count)
      failed = true
      return fails()
    }
    const segment = new Segment({ tag: 'own', allocate, waitMs: 0 })
    await assert.rejects(refused(segment), error => {
      assert.equal(error.code, code)
      assert.ok(error instanceof SnowmintError)
      if (code === 'store_unavailable') {
        assert.ok(error.cause === 'boom' || error.cause.message === 'boom')
        assert.equal(error.message, `the store's allocate failed: ${error.cause}`)
      }
      return true
    })
    assert.equal(await later(() => segment.nextIdAsync(5_000)), 1n)
    segment.close()
  })
}

test('opening throws what waiting does not mend, as an error of ours says it and its cause', async () => {
  const cause = new Error('boom')
  for (const [code, options] of [['unknown_tag', { cause }], ['store_denied', {}]]) {
    const thrown = new SnowmintError(code, 'no', options)
    const allocate = () => { throw thrown }
    await assert.rejects(Segment.open({ tag: 'own', allocate }), error => {
      assert.deepEqual([error.code, error.message], [code, 'no'])
      assert.equal(error.cause, options.cause ?? thrown)
      return true
    })
  }
  const down = () => { throw new SnowmintError('store_unavailable', 'down') }
  const segment = await Segment.open({ tag: 'own', allocate: down, waitMs: 50 })
  assert.equal(segment.closed, false)
  segment.close()
})

const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
const thrower = () => {
  throw new Error('looked at')
}
const odd = properties => Object.defineProperties(new SnowmintError('closed', 'odd'), properties)

/** Odd values that a store can throw, and the error's code if it is not `store_unavailable`. */
const ODD = [
  ['a symbol', Symbol('odd')],
  ['nothing', undefined],
  ['null', null],
  ['an object without a prototype', Object.create(null)],
  ['an object whose text is none', { toString: () => ({}) }],
  ['an error whose message throws', Object.defineProperty(new Error(), 'message', { get: thrower })],
  ['an error whose stack throws', Object.defineProperty(new Error('odd'), 'stack', { get: thrower })],
  ['an error whose message is a symbol', Object.assign(new Error(), { message: Symbol('odd') })],
  ['an error whose message has no prototype', Object.assign(new Error(), { message: Object.create(null) })],
  ['a revoked proxy', revoked()],
  ['an error of ours without a code', odd({ code: { value: 'nosuch' } })],
  ['an error of ours whose code throws', odd({ code: { get: thrower } })],
  ['an error of ours whose message throws', odd({ message: { get: thrower } })],
  ['an error of ours whose number is a text', odd({ number: { value: 'seven' } }), 'closed'],
  ['an error of ours whose message is a number', odd({ message: { value: 7 } }), 'closed'],
]

for (const [what, value, code = 'store_unavailable'] of ODD) {
  test(`a store that throws ${what}`, async () => {
    const store = { ...leases(), acquire: () => Promise.reject(value) }
    const error = await Snowflake.open({ store }).catch(error => error)
    assert.ok(error instanceof SnowmintError)
    assert.equal(error.code, code)
    assert.equal(typeof error.message, 'string')
    if (code === 'store_unavailable') assert.ok(Object.is(error.cause, value), 'the cause is what was thrown')
    const allocate = () => { throw value }
    const segment = new Segment({ tag: 'own', allocate, waitMs: 20 })
    await assert.rejects(refused(segment), { name: 'SnowmintError', code })
    segment.close()
  })
}

/** Asks again for as long as the last failure is what answers. */
async function later(call) {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      if (!['invalid_range', 'invalid_answer', 'store_unavailable', 'store_locked', 'range_regressed'].includes(error.code)) throw error
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
}

test('a range below the last one is refused until the segment is opened anew', async () => {
  const ranges = [[100n, 110n], [50n, 60n]]
  const allocate = () => ranges.shift() ?? [10_000n, 20_000n]
  const segment = new Segment({ tag: 'own', allocate, step: 10 })
  const ids = []
  await assert.rejects(async () => {
    for (;;) ids.push(await segment.nextIdAsync())
  }, { code: 'range_regressed' })
  assert.ok(ids.length <= 10 && ids.every((id, at) => id === 100n + BigInt(at)), ids)
  await assert.rejects(segment.nextIdAsync(500), { code: 'range_regressed' })
  segment.close()
  const anew = await Segment.open({ tag: 'own', allocate, step: 10 })
  assert.equal(await anew.nextIdAsync(), 10_000n)
  anew.close()
})

test('a promise that never settles is waited for no longer than allowed', async () => {
  const silent = new Promise(() => {}) // which is kept: one that is collected can never settle
  const segment = new Segment({ tag: 'own', allocate: () => silent })
  await assert.rejects(segment.nextIdAsync(50), { code: 'wait_timeout' })
  segment.close()
})

test('a worker ID that never comes is waited for no longer than a call may take', async () => {
  const silent = new Promise(() => {})
  let asked = 0
  const store = { acquire: () => (asked++, silent), renew: () => silent, release: () => silent }
  await assert.rejects(Snowflake.open({ store, waitMs: 400 }), error => {
    assert.ok(['outcome_unknown', 'lease_unavailable'].includes(error.code), error.code)
    return true
  })
  assert.ok(asked > 0)
})

/** Leases in memory, as a store of the user's own keeps them. */
function leases() {
  const reserved = new Map()
  const held = new Map()
  const log = []
  const grant = (workerId, epoch, reserveMs) => {
    const nowMs = BigInt(Date.now())
    const floorMs = reserved.get(workerId) ?? 0n
    reserved.set(workerId, nowMs + BigInt(reserveMs))
    return { workerId, epoch, floorMs, reservedMs: reserved.get(workerId), nowMs }
  }
  return {
    log,
    async acquire({ realm, maxWorkerId, owner, token, reserveMs }) {
      log.push('acquire')
      assert.ok(realm.includes('time:') && owner && /^[0-9a-f]{32}$/.test(token))
      for (let workerId = 5; workerId <= maxWorkerId; workerId++) {
        if (held.has(workerId)) continue
        held.set(workerId, token)
        return grant(workerId, 1n, reserveMs)
      }
      throw new SnowmintError('workers_exhausted', 'all taken')
    },
    async renew(lease, nextToken, reserveMs) {
      log.push('renew')
      if (held.get(lease.workerId) !== lease.token) throw new SnowmintError('lease_lost', 'not yours')
      held.set(lease.workerId, nextToken)
      const { floorMs } = lease
      return { ...grant(lease.workerId, lease.epoch, reserveMs), floorMs }
    },
    async release(lease) {
      log.push('release')
      held.delete(lease.workerId)
    },
  }
}

test('a worker ID from an object', async () => {
  const store = leases()
  const flake = await Snowflake.open({ store, reserveMs: 300 })
  assert.equal(flake.layout.decode(await flake.nextIdAsync()).workerId, 5)
  while (!store.log.includes('renew')) {
    await new Promise(resolve => setTimeout(resolve, 50))
    await flake.nextIdAsync()
  }
  const other = await Snowflake.open({ store })
  assert.equal(other.layout.decode(await other.nextIdAsync()).workerId, 6)
  await flake.closeAsync()
  assert.ok(store.log.includes('release'))
  other.close()
})

test('an object is asked with how far ahead the time of a worker ID may lie', async () => {
  for (const [options, reachMs] of [[{ maxAheadMs: 0 }, 0], [{ maxAheadMs: 1000 }, 1000], [{ maxAheadMs: 100_000 }, undefined]]) {
    let asked
    const store = leases()
    const flake = await Snowflake.open({ store: { ...store, acquire: request => store.acquire(asked = request) }, ...options })
    assert.equal(asked.maxAheadMs, options.maxAheadMs)
    assert.equal(asked.reachMs, reachMs ?? Math.min(asked.maxAheadMs, asked.reserveMs - Math.ceil(asked.reserveMs / 4)))
    await flake.closeAsync()
  }
})

test('an object that fails, and one that cannot be waited for', async () => {
  const boom = new Error('boom')
  const store = { ...leases(), acquire: async () => { throw boom } }
  await assert.rejects(Snowflake.open({ store }), { code: 'store_unavailable', cause: boom })
  const nonsense = { ...leases(), acquire: async () => ({ workerId: 'x' }) }
  await assert.rejects(Snowflake.open({ store: nonsense }), { code: 'invalid_answer' })
  const tooLarge = { ...leases(), acquire: async () => ({ workerId: 1024, epoch: 1, floorMs: 1, reservedMs: 2, nowMs: 1 }) }
  await assert.rejects(Snowflake.open({ store: tooLarge }), { code: 'invalid_answer' })
  const more = { ...leases(), acquire: async () => ({ realm: 'mine', workerId: 1 }) }
  await assert.rejects(Snowflake.open({ store: more }), { code: 'invalid_answer', message: /: a lease has no realm; there are / })
  const now = BigInt(Date.now())
  const ahead = { workerId: 1, epoch: 1, floorMs: now + 900_000n, reservedMs: now + 960_000n, nowMs: now }
  await assert.rejects(Snowflake.open({ store: { ...leases(), acquire: async () => ahead } }), { code: 'invalid_answer', message: /900000 ms ahead of its clock/ })
  const full = { ...leases(), acquire: async () => { throw new SnowmintError('workers_exhausted', 'full') } }
  await assert.rejects(Snowflake.open({ store: full }), { code: 'workers_exhausted', message: 'full' })
  assert.throws(() => new Snowflake({ store: leases() }), { code: 'unsupported' })
})
