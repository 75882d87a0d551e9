// Segments from a function of the user's own, and from the ID service.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inside } from './inside.mjs'
import { idService, until } from './id-service.mjs'

const { Segment } = inside('browser/segment.js')
const { IdService } = inside('browser/service.js')
const { SnowmintError } = inside('errors.js')

const refusing = code => async () => {
  throw new SnowmintError(code, 'no')
}

test('opening throws what waiting does not mend', async () => {
  for (const code of ['unknown_tag', 'store_denied', 'tag_exhausted']) {
    await assert.rejects(Segment.open({ tag: 'own', allocate: refusing(code) }), { code })
  }
  for (const code of ['store_unavailable', 'overloaded']) {
    const segment = await Segment.open({ tag: 'own', allocate: refusing(code), waitMs: 0 })
    assert.equal(segment.closed, false)
    segment.close()
  }
})

test('a range that is longer than anybody asks for is not used', async () => {
  const allocate = () => [1n, 2n ** 62n]
  const message = /^the store answered with a range of 4611686018427387903 numbers of tag own, where 7 and never/
  await assert.rejects(Segment.open({ tag: 'own', allocate, step: 7 }), { code: 'invalid_answer', message })
  const longest = await Segment.open({ tag: 'own', allocate: () => [1n, 2n ** 30n + 1n], step: 7 })
  assert.equal(longest.nextId(), 1n)
  longest.close()
})

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

const upTo = length => Array.from({ length }, (_, at) => BigInt(at + 1))

test('numbers from a function, one range after the other', async () => {
  const allocate = counter()
  const segment = await Segment.open({ tag: 'own', allocate, step: 100 })
  const ids = [segment.nextId()]
  while (ids.length < 1000) ids.push(await segment.nextIdAsync())
  assert.deepEqual(ids, upTo(1000))
  assert.ok(allocate.calls >= 10)
  segment.close()
})

test('a range as decimal digits, as drivers of databases give a BIGINT', async () => {
  for (const range of [['1', '1001'], { start: '1', end: 1001n }]) {
    const segment = await Segment.open({ tag: 'own', allocate: async () => range })
    assert.deepEqual([...segment.nextIds(1000)], upTo(1000))
    segment.close()
  }
})

test('a constructor asks for nothing; calls that wait get the first numbers', async () => {
  const allocate = counter()
  const [one, many] = [0, 1].map(() => new Segment({ tag: 'own', allocate, step: 10, waitMs: 300_000 }))
  assert.equal(allocate.calls, 0)
  assert.equal(await one.nextIdAsync(), 1n)
  assert.equal((await many.nextIdsAsync(15)).length, 15)
})

test('more at once than a range has', async () => {
  const segment = await Segment.open({ tag: 'own', allocate: counter(), step: 10 })
  assert.deepEqual([...await segment.nextIdsAsync(95)], upTo(95))
  const array = await segment.fillAsync(new BigUint64Array(500))
  assert.deepEqual([...array], upTo(595).slice(95))
  for await (const id of segment) {
    assert.equal(id, 596n)
    break
  }
})

test('what a call that fails had taken comes first in the next one', async () => {
  const segment = await Segment.open({ tag: 'own', allocate: counter(), step: 10 })
  assert.throws(() => segment.nextIds(1000), { code: 'wait_timeout' })
  assert.deepEqual([...await segment.nextIdsAsync(30)], upTo(30))
})

test('the next range is asked for before the last one ends, and one request at a time', async () => {
  let asked = 0
  let most = 0
  const ranges = counter()
  const allocate = async (tag, count) => {
    most = Math.max(most, ++asked)
    await new Promise(resolve => setTimeout(resolve, 5))
    asked--
    return ranges(tag, count)
  }
  const segment = await Segment.open({ tag: 'own', allocate, step: 1000, prefetch: 50 })
  segment.nextIds(501)
  await until(() => ranges.calls === 2 && asked === 0)
  assert.deepEqual([...segment.nextIds(1000)], upTo(1501).slice(501))
  await Promise.all(Array.from({ length: 50 }, () => segment.nextIdsAsync(100)))
  assert.equal(most, 1)
})

test('it gets the tag and how many are wanted; strides are kept', async () => {
  const asked = []
  const allocate = (tag, count) => {
    asked.push([tag, count])
    return { start: 1n, end: 1_000_001n, stride: 10n }
  }
  const segment = await Segment.open({ tag: 'own', allocate, step: 50n })
  assert.equal(segment.tag, 'own')
  assert.deepEqual([...segment.nextIds(3)], [1n, 11n, 21n])
  assert.deepEqual(asked[0], ['own', 50])
})

const FAILURES = [
  ['throws', () => { throw new TypeError('boom') }, 'store_unavailable'],
  ['rejects', async () => { throw new RangeError('boom') }, 'store_unavailable'],
  ['throws no error', () => { throw 'boom' }, 'store_unavailable'],
  ['throws an error of ours', () => { throw new SnowmintError('store_locked', 'busy') }, 'store_locked'],
  ['gives nothing', () => undefined, 'invalid_range'],
  ['gives no digits', () => ['1', 'x'], 'invalid_range'],
  ['gives no start', () => ({ end: 7n }), 'invalid_range'],
  ['gives a number', () => 7, 'invalid_range'],
  ['gives a text', async () => 'seven', 'invalid_range'],
  ['gives floats', () => [1.5, 7], 'invalid_range'],
  ['gives a negative number', () => [-1n, 7n], 'invalid_range'],
  ['gives an empty range', () => [7n, 7n], 'invalid_range'],
  ['gives a range backwards', () => [7n, 1n], 'invalid_range'],
  ['gives too large a number', () => [1n, 2n ** 64n], 'invalid_range'],
  ['gives a stride of 0', () => [1n, 7n, 0n], 'invalid_range'],
]

for (const [what, fails, code] of FAILURES) {
  test(`a function that ${what}, once`, async () => {
    const goes = counter()
    let failed = false
    const allocate = async (tag, count) => {
      if (failed) return goes(tag, count)
      failed = true
      return fails()
    }
    const segment = new Segment({ tag: 'own', allocate })
    const error = await failure(segment)
    assert.equal(error.code, code)
    assert.ok(error instanceof SnowmintError)
    if (code === 'store_unavailable') assert.ok(error.cause === 'boom' || error.cause.message === 'boom')
    assert.equal(await later(() => segment.nextIdAsync()), 1n)
    segment.close()
  })
}

/** Waits for the first fetch that fails, and returns its error. */
function failure(segment) {
  const failed = error => error.code !== 'wait_timeout' && error
  return until(() => segment.nextIdAsync(0).then(() => undefined, failed))
}

/** Asks again for as long as the last failure is what answers. */
function later(call) {
  return until(() => call().catch(error => {
    if (error.code !== 'invalid_range') throw error
  }))
}

test('a range below the last one ends the segment until it is opened anew', async () => {
  const ranges = [[100n, 110n], [50n, 60n]]
  let asked = 0
  const allocate = () => ranges[asked++] ?? [BigInt(asked) * 1000n, BigInt(asked) * 1000n + 10n]
  const segment = await Segment.open({ tag: 'own', allocate, step: 10 })
  const ids = []
  const codes = new Set()
  await until(async () => {
    try {
      ids.push(await segment.nextIdAsync())
    } catch (error) {
      codes.add(error.code)
    }
    return codes.size > 0
  })
  assert.deepEqual(ids, upTo(10).map(id => id + 99n).slice(0, ids.length))
  // Others may have had the numbers that come next.
  for (let n = 0; n < 20; n++) {
    await assert.rejects(segment.nextIdAsync(20), { code: 'range_regressed' })
  }
  assert.deepEqual([...codes], ['range_regressed'])
  assert.equal(asked, 2)
  const anew = await Segment.open({ tag: 'own', allocate, step: 10 })
  assert.equal(await anew.nextIdAsync(), 3000n)
})

test('a promise that never settles is waited for no longer than allowed', async () => {
  const segment = new Segment({ tag: 'own', allocate: () => new Promise(() => {}) })
  await assert.rejects(segment.nextIdAsync(50), { code: 'wait_timeout' })
  segment.close()
  assert.throws(() => segment.nextId(), { code: 'closed' })
  await assert.rejects(segment.nextIdAsync(), { code: 'closed' })
})

test('closing ends a wait', async () => {
  const segment = new Segment({ tag: 'own', allocate: () => new Promise(() => {}) })
  const waiting = segment.nextIdAsync(60_000)
  segment.close()
  await assert.rejects(waiting, { code: 'closed' })
})

test('numbers of a tag of the service', async t => {
  const { url, faults, createTag } = await idService(t)
  await createTag('orders')
  const service = new IdService(url)
  const [one, two] = await Promise.all([1, 2].map(() => Segment.open({ tag: 'orders', allocate: service })))
  const ids = []
  for (let n = 0; n < 20; n++) {
    ids.push(...await one.nextIdsAsync(500), ...await two.nextIdsAsync(500))
    // A range that was asked for and lost is a gap.
    if (n % 5 === 0) faults.drop = 1
    if (n % 5 === 2) faults.refuse = 2
  }
  assert.equal(new Set(ids).size, ids.length)
  await assert.rejects(Segment.open({ tag: 'nothing', allocate: service }), { code: 'unknown_tag' })
})

test('a tag in a namespace has numbers of its own', async t => {
  const { url, createTag } = await idService(t)
  for (const tag of ['orders', 'shop/orders']) await createTag(tag)
  const service = new IdService(url)
  for (const tag of ['orders', 'shop/orders']) {
    const segment = await Segment.open({ tag, allocate: service })
    assert.deepEqual([segment.tag, await segment.nextIdAsync()], [tag, 1n])
  }
  await assert.rejects(Segment.open({ tag: 'mall/orders', allocate: service }), { code: 'unknown_tag' })
})

test('a service that is down: the numbers at hand are minted to the end', async t => {
  const { url, faults, createTag } = await idService(t)
  await createTag('orders')
  const segment = await Segment.open({ tag: 'orders', allocate: new IdService(url), step: 100 })
  faults.isDown = true
  const first = segment.nextId()
  let last = first
  await assert.rejects(async () => {
    for (;;) last = await segment.nextIdAsync(0)
  }, { name: 'SnowmintError' })
  assert.equal((await failure(segment)).code, 'store_unavailable')
  assert.ok(last - first >= 99n)
  faults.isDown = false
  assert.ok(await segment.nextIdAsync() > last)
})

test('options', async () => {
  const allocate = counter()
  const wrong = [
    [{ allocate }, 'invalid_parameter'],
    [{ tag: 'own' }, 'invalid_parameter'],
    [{ tag: 'own', allocate: 7 }, 'invalid_parameter'],
    [{ tag: 'a b', allocate }, 'invalid_tag'],
    [{ tag: '', allocate }, 'invalid_tag'],
    [{ tag: 'x'.repeat(65), allocate }, 'invalid_tag'],
    [{ tag: `shop/${'x'.repeat(60)}`, allocate }, 'invalid_tag'],
    [{ tag: '/own', allocate }, 'invalid_tag'],
    [{ tag: 'own/', allocate }, 'invalid_tag'],
    [{ tag: 'a/b/own', allocate }, 'invalid_tag'],
    [{ tag: 'own', allocate, step: 0 }, 'invalid_step'],
    [{ tag: 'own', allocate, prefetch: 101 }, 'invalid_parameter'],
    [{ tag: 'own', allocate, store: {} }, 'unsupported'],
  ]
  for (const [options, code] of wrong) await assert.rejects(Segment.open(options), { code }, code)
  const message = '"a b" is no tag: use 1 to 64 letters, digits and the characters _ . : -'
  await assert.rejects(Segment.open({ tag: 'a b', allocate }), { message })
  await assert.rejects(Segment.open({ tag: '/own', allocate }), { message: /^"" is no namespace: use 1 to 64 / })
})

test('stats() tells the ranges at hand, and a failure of the store until it is over', async () => {
  const goes = counter()
  let isDown = false
  const allocate = async (tag, count) => {
    if (isDown) throw new Error('down')
    return goes(tag, count)
  }
  const segment = await Segment.open({ tag: 'own', allocate, step: 100 })
  for (let id = 1n; id <= 30n; id++) assert.equal(await segment.nextIdAsync(), id)
  const { kind, isClosed, lastFailure, buckets, tagNext } = await until(() => {
    const stats = segment.stats()
    return stats.buckets.length === 2 && stats
  })
  assert.deepEqual([kind, isClosed, lastFailure], ['segment', false, undefined])
  assert.deepEqual(buckets, [{ left: 70n, size: 100n }, { left: 100n, size: 100n }])
  assert.deepEqual(tagNext, { tag: 'own', next: 201n })
  isDown = true
  await until(() => segment.nextIdAsync(0).then(() => false, ({ code }) => code === 'store_unavailable'))
  const { code, message, isOver } = segment.stats().lastFailure
  assert.deepEqual([code, isOver], ['store_unavailable', false])
  assert.match(message, /down/)
  isDown = false
  await segment.nextIdAsync(300_000)
  assert.equal(segment.stats().lastFailure.isOver, true)
  segment.close()
  assert.deepEqual([segment.stats().isClosed, segment.stats().buckets], [true, []])
})
