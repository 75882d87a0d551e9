// Stores: closed, and seen by the garbage collector.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { Daily, Segment, Sequences, Snowflake, Store } from 'snowmint'

import { directory } from './reading.mjs'

const closed = { name: 'SnowmintError', code: 'closed' }

test('a closed store refuses, and what was opened on it goes on', async t => {
  const store = await Store.open('memory:')
  await store.createTag('orders')
  const segment = await Segment.open({ tag: 'orders', store })
  const flake = await Snowflake.open({ store })
  const running = store.tags()
  store.close()
  store.close()
  assert.equal((await running).length, 1)
  const calls = [
    () => store.createTag('others'), () => store.changeTag('orders', { step: 7 }), () => store.tag('orders'),
    () => store.tags(), () => store.vouch('any', { raiseBySteps: 0 }), () => store.workers(), () => store.evict('realm', 1),
    () => Segment.open({ tag: 'orders', store }), () => Daily.open({ tag: 'orders', store }),
    () => Sequences.open({ tag: 'orders', store }), () => Snowflake.open({ store }),
  ]
  for (const call of calls) await assert.rejects(call, closed, String(call))
  assert.throws(() => new Snowflake({ store }), closed)
  assert.deepEqual([...await segment.nextIdsAsync(3)], [1n, 2n, 3n])
  assert.ok(await flake.nextIdAsync() > 0n)
  segment.close()
  flake.close()
})

test('worker threads share a named store in memory', async () => {
  const url = 'segment+memory:threads?tag=orders&step=10'
  const segment = await Segment.open(url)
  const inThread = `
    const { parentPort } = require('node:worker_threads')
    const { Segment } = require('snowmint')
    Segment.open('${url}').then(segment => segment.nextIdsAsync(50)).then(ids => parentPort.postMessage([...ids]))`
  const [ours, [theirs]] = await Promise.all([segment.nextIdsAsync(50), once(new Worker(inThread, { eval: true }), 'message')])
  assert.equal(new Set([...ours, ...theirs]).size, 100)
  segment.close()
})

test('stores close with the words of the language', async () => {
  for (const word of ['dispose', 'asyncDispose']) {
    const store = Store.openSync('memory:')
    await store[Symbol[word] ?? Symbol.for(`Symbol.${word}`)]()
    await assert.rejects(store.tags(), closed)
  }
})

test('the garbage collector hears what stores take, and collects those that nobody has', async t => {
  const url = `sqlite:${directory(t)}/ids.db?create=true`
  const stores = 1000
  let collected = 0
  let most = 0
  const registry = new FinalizationRegistry(() => collected++)
  for (let opened = 1; opened <= stores; opened++) {
    registry.register(await Store.open(url))
    most = Math.max(most, opened - collected)
  }
  assert.ok(most < stores / 2, `${most} of ${stores} were there at once`)
})
