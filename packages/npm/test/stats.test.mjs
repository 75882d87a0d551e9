// stats(): what a source is doing.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Layout, Segment, Sequences, Snowflake, Store, UuidSource, open } from 'snowmint'

import { directory } from './reading.mjs'

/** Waits for a state; how long that takes is not what is tested. */
async function until(ready) {
  const limit = performance.now() + 300_000
  while (!await ready()) {
    assert.ok(performance.now() < limit, 'this never happens')
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}

test('a generator tells its lease and its time', async () => {
  const flake = await Snowflake.open({ store: Store.openSync('memory:') })
  const id = await flake.nextIdAsync()
  const stats = flake.stats()
  assert.deepEqual([stats.kind, stats.isClosed, stats.rollbacks, stats.buckets], ['snowflake', false, 0, []])
  assert.equal(stats.workerId, flake.layout.decode(id).workerId)
  for (const key of ['leaseAgeMs', 'reservedMs', 'reserveMs', 'clockOffsetMs']) assert.equal(typeof stats[key], 'number', key)
  for (const key of ['lastFailure', 'step', 'tagNext']) assert.ok(!(key in stats), key)
  await flake.closeAsync()
  const closed = flake.stats()
  assert.deepEqual([closed.isClosed, closed.workerId], [true, undefined])
})

test('a fixed worker ID tells it', t => {
  const flake = new Snowflake({ workerId: 7, stateDirectory: directory(t) })
  flake.nextId()
  const { workerId, reserveMs } = flake.stats()
  assert.deepEqual([workerId, reserveMs], [7, undefined])
  flake.close()
})

test('a segment tells its ranges and a failure of its store, until it is over', async () => {
  let next = 1n
  let isDown = false
  const allocate = async (_tag, count) => {
    if (isDown) throw new Error('down')
    return [next, next += BigInt(count)]
  }
  const orders = await Segment.open({ tag: 'orders', allocate, step: 100 })
  for (let id = 1n; id <= 30n; id++) assert.equal(await orders.nextIdAsync(), id)
  const atHand = () => orders.stats().buckets.reduce((sum, { left }) => sum + left, 0n)
  await until(() => atHand() === 170n)
  const stats = orders.stats()
  assert.deepEqual([stats.kind, stats.step, stats.lastFailure], ['segment', 100n, undefined])
  assert.deepEqual(stats.buckets, [{ left: 70n, size: 100n }, { left: 100n, size: 100n }])
  assert.deepEqual(stats.tagNext, { tag: 'orders', next: 201n })
  // The rate and the runway follow the time; there is no runway while the rate is 0.
  const lasting = ({ rate, runwayMs, ...others }) => others
  assert.deepEqual(lasting(orders.stats()), lasting(stats), 'a question changes nothing')

  isDown = true
  await until(() => orders.nextIdAsync(0).then(() => false, error => error.code === 'store_unavailable'))
  const { code, message, time, isOver } = orders.stats().lastFailure
  assert.deepEqual([code, isOver], ['store_unavailable', false])
  assert.ok(message.includes('down') && time instanceof Date && time.getTime() > Date.UTC(2024, 0))
  isDown = false
  await until(() => orders.nextIdAsync().then(() => true, () => false))
  await until(() => orders.stats().lastFailure.isOver)
  orders.close()
  assert.equal(orders.stats().isClosed, true)
})

test('sequences and UUIDs tell their kind', async () => {
  const sequences = await Sequences.open({ tag: 'rooms', store: Store.openSync('memory:') })
  assert.deepEqual([sequences.stats().kind, sequences.stats().isClosed], ['sequences', false])
  sequences.close()
  assert.equal(sequences.stats().isClosed, true)
  assert.deepEqual(new UuidSource(7).stats().kind, 'uuid')
})

test('a ring tells what is ready before its source', async t => {
  const state = directory(t)
  const ring = await open(`snowflake:?worker_id=7&state=${state}&ring=64`)
  await ring.nextIdAsync()
  const { kind, workerId, buckets } = ring.stats()
  assert.deepEqual([kind, workerId, buckets.map(({ size }) => size)], ['snowflake', 7, [64n]])
  assert.equal(String(ring.layout), String(Layout.TWITTER))
  ring.close()
  assert.equal(ring.stats().isClosed, true)
  const numbers = await open(`daily+sqlite:${state}/ids.db?create=true&tag=a&ring=64`)
  assert.equal(numbers.layout, undefined)
  numbers.close()
})

test('a store that does not answer is waited for no longer than allowed', async () => {
  const now = () => BigInt(Date.now())
  const store = {
    acquire: async ({ reserveMs }) => (
      { workerId: 5, epoch: 1, floorMs: now(), reservedMs: now() + BigInt(reserveMs), nowMs: now() }
    ),
    renew: () => new Promise(() => {}),
    release: () => new Promise(() => {}),
  }
  const flake = await Snowflake.open({ store })
  await assert.rejects(flake.closeAsync(50), { code: 'wait_timeout' })
  assert.equal(flake.closed, true)
  await flake.closeAsync(50)
})
