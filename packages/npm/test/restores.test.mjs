// An image of this process that was restored: it concerns all sources, so this file has none else.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Segment, Snowflake, Store, onRestore, open } from 'snowmint'

import { directory } from './reading.mjs'

test('a restored image starts over', async t => {
  const dir = directory(t)
  const store = await Store.open(`sqlite:${dir}/ids.db?create=true`)
  await store.createTag('orders')
  const flake = await open(`snowflake+sqlite:${dir}/ids.db?create=true`)
  const orders = await open(`segment+sqlite:${dir}/ids.db?tag=orders`)
  const fixed = new Snowflake({ workerId: 7, stateDirectory: dir })
  const workerOf = id => flake.layout.decode(id).workerId

  const first = await flake.nextIdAsync()
  const fixedId = fixed.nextId()
  assert.equal(await orders.nextIdAsync(), 1n)
  onRestore()
  assert.notEqual(workerOf(await flake.nextIdAsync()), workerOf(first))
  const { next: allocated } = await store.tag('orders')
  assert.ok(await orders.nextIdAsync() >= 1001n, 'of a block taken before')
  assert.ok((await store.tag('orders')).next > allocated)
  await assert.rejects(fixed.nextIdAsync(), { code: 'forked' })
  const anew = new Snowflake({ workerId: 7, stateDirectory: dir })
  assert.ok(await anew.nextIdAsync() > fixedId)
  for (const source of [flake, orders, fixed, anew]) source.close()
})

/** Opens a segment, and has the process restored while its first numbers are on their way. */
async function restoredOnTheWay(t, answerAndRestore) {
  const answers = []
  const allocate = (tag, count) => (
    new Promise(resolve => {
      const start = BigInt(answers.length) * 1_000_000n
      answers.push(() => resolve([start, start + BigInt(count)]))
    })
  )
  const orders = new Segment({ tag: 'orders', allocate, step: 1000 })
  t.after(() => orders.close())
  const ready = orders.ready()
  while (answers.length < 1) await setImmediate()
  await answerAndRestore(answers[0])
  let next
  ready.then(() => orders.nextIdAsync()).then(id => { next = id })
  while (next === undefined) {
    answers[1]?.()
    await setImmediate()
  }
  assert.equal(next / 1_000_000n, 1n)
}

test('an answer to an earlier image is not used', t => (
  restoredOnTheWay(t, answer => {
    onRestore()
    answer()
  })
))

test('nor are numbers that a thread of the pool has taken already', t => (
  restoredOnTheWay(t, async answer => {
    answer()
    for (let n = 0; n < 10; n++) await undefined
    // The event loop has to wait, and the thread need not.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
    onRestore()
  })
))
