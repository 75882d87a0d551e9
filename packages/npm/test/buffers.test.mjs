// Arrays on memory that grows, shrinks, or is shared with threads that write to it.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { Layout, Segment, Snowflake } from 'snowmint'

import { directory } from './reading.mjs'

const MINUTE = 60_000
const growing = { skip: !('resize' in ArrayBuffer.prototype) && 'no buffer of this Node grows' }

/** Numbers from 1 on, after `meanwhile` has been called once. */
function after(meanwhile) {
  let next = 1n
  let called = false
  const allocate = (_tag, count) => {
    if (!called) meanwhile()
    called = true
    return [next, next += BigInt(count)]
  }
  return new Segment({ tag: 'own', allocate, step: 1000, waitMs: MINUTE })
}

const upTo = count => Array.from({ length: count }, (_, at) => BigInt(at + 1))

test('a buffer that grows while it is filled is filled to its end', growing, async () => {
  const resizable = new ArrayBuffer(64, { maxByteLength: 4096 })
  const shared = new SharedArrayBuffer(64, { maxByteLength: 4096 })
  for (const [buffer, grow] of [[resizable, 'resize'], [shared, 'grow']]) {
    const segment = after(() => buffer[grow](4096))
    const filled = await segment.fillAsync(new BigUint64Array(buffer))
    assert.deepEqual([...filled], upTo(512))
    segment.close()
  }
})

test('a buffer that shrinks while it is filled is refused', growing, async () => {
  const buffer = new ArrayBuffer(64, { maxByteLength: 4096 })
  const segment = after(() => buffer.resize(8))
  const refused = { name: 'RangeError', code: 'invalid_parameter', message: /shorter/ }
  await assert.rejects(segment.fillAsync(new BigUint64Array(buffer)), refused)
  assert.equal(await segment.nextIdAsync(), 9n)
  segment.close()
})

test('shared memory is filled and read, in several blocks', async t => {
  const flake = new Snowflake({ workerId: 1, stateDirectory: directory(t), waitMs: MINUTE })
  const ids = new BigUint64Array(new SharedArrayBuffer(8 * 10_000), 8, 9_998)
  await flake.fillAsync(ids)
  // A call that does not wait borrows time, of which a first start has none to spare yet.
  await sleep(50)
  flake.fill(ids.subarray(0, 5_000))
  assert.equal(new Set(ids).size, ids.length)
  assert.deepEqual(new BigUint64Array(ids.buffer).filter(id => id === 0n).length, 2)
  const { sequences } = Layout.TWITTER.decodeMany(ids)
  assert.deepEqual([...sequences], Array.from(ids, id => Layout.TWITTER.decode(id).sequence))
  flake.close()
})

/** Writes over the first numbers of an array until it is told to stop. */
const WRITER = `
  const { parentPort, workerData: { numbers, stop } } = require('node:worker_threads')
  parentPort.postMessage('writing')
  const until = Date.now() + ${MINUTE}
  while (Atomics.load(stop, 0) === 0 && Date.now() < until) {
    for (let n = 0; n < 1000; n++) Atomics.store(numbers, n % 8, 777n)
  }`

test('what a segment takes back is not what another thread wrote', async t => {
  // So many that the writer comes to write while they are filled in.
  const step = 2 ** 20
  const numbers = new BigUint64Array(new SharedArrayBuffer(8 * (step + 1)))
  const stop = new Int32Array(new SharedArrayBuffer(4))
  const writer = new Worker(WRITER, { eval: true, workerData: { numbers, stop } })
  t.after(() => Atomics.store(stop, 0, 1))
  await once(writer, 'message')
  for (let round = 0; round < 20; round++) {
    const ranges = [[1n, BigInt(step) + 1n]]
    const segment = new Segment({ tag: 'own', allocate: () => ranges.shift(), step, waitMs: MINUTE })
    await segment.ready()
    // The store has no second range.
    assert.throws(() => segment.fill(numbers), { name: 'SnowmintError' })
    assert.deepEqual([...segment.nextIds(8)], upTo(8))
    segment.close()
  }
})
