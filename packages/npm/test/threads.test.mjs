// worker_threads, cluster and the ends of processes.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import cluster from 'node:cluster'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { Snowflake, Store, open } from 'snowmint'

import { directory } from './reading.mjs'

const TOTAL = 10_000_000
const MINTERS = 4
const SIZE = 50_000
const BLOCKS = TOTAL / MINTERS / SIZE

const at = name => new URL(`threads/${name}`, import.meta.url)

/** Collects blocks, and counts IDs that were met before. */
class Collected {
  ids = new BigUint64Array(TOTAL)
  length = 0

  add(block) {
    this.ids.set(block, this.length)
    this.length += block.length
  }

  duplicates() {
    const sorted = this.ids.subarray(0, this.length).sort()
    let duplicates = 0
    for (let n = 1; n < sorted.length; n++) if (sorted[n] === sorted[n - 1]) duplicates++
    return duplicates
  }
}

async function inThreads(url) {
  const collected = new Collected()
  const workers = Array.from({ length: MINTERS }, () => (
    new Worker(at('minter.mjs'), { workerData: { url, blocks: BLOCKS, size: SIZE } })
  ))
  for (const worker of workers) worker.on('message', block => block === 'done' || collected.add(block))
  const ends = await Promise.all(workers.map(worker => once(worker, 'exit')))
  assert.deepEqual(ends.flat(), workers.map(() => 0))
  return collected
}

test('10 million IDs of worker threads with leased worker IDs: none twice', async t => {
  const collected = await inThreads(`snowflake+sqlite:${directory(t)}/ids.db?create=true`)
  assert.equal(collected.length, TOTAL)
  assert.equal(collected.duplicates(), 0)
})

test('10 million numbers of one tag in worker threads: none twice', async t => {
  const dir = directory(t)
  const store = await Store.open(`sqlite:${dir}/ids.db?create=true`)
  await store.createTag('orders', { step: 100_000 })
  const collected = await inThreads(`segment+sqlite:${dir}/ids.db?tag=orders`)
  assert.equal(collected.length, TOTAL)
  assert.equal(collected.duplicates(), 0)
})

test('10 million IDs of a cluster with leased worker IDs: none twice', async t => {
  const collected = new Collected()
  const job = { url: `snowflake+sqlite:${directory(t)}/ids.db?create=true`, blocks: BLOCKS, size: SIZE }
  cluster.setupPrimary({ exec: fileURLToPath(at('minter.mjs')), serialization: 'advanced', execArgv: [] })
  const workers = Array.from({ length: MINTERS }, () => cluster.fork({ SNOWMINT_JOB: JSON.stringify(job) }))
  for (const worker of workers) worker.on('message', block => block === 'done' || collected.add(block))
  const ends = await Promise.all(workers.map(worker => once(worker, 'exit')))
  assert.deepEqual(ends.map(([code]) => code), workers.map(() => 0))
  assert.equal(collected.length, TOTAL)
  assert.equal(collected.duplicates(), 0)
})

test('one fixed worker ID in two threads: the second is refused', async t => {
  const stateDirectory = directory(t)
  const flake = new Snowflake({ workerId: 7, stateDirectory })
  const url = `snowflake:?worker_id=7&state=${stateDirectory}`
  const worker = new Worker(at('minter.mjs'), { workerData: { url, blocks: 1, size: 1 } })
  const [error] = await once(worker, 'error')
  assert.equal(error.code, 'worker_in_use')
  assert.ok(flake.nextId() > 0n)
  flake.close()
})

test('a worker thread that is ended gives its sources back', async t => {
  const dir = directory(t)
  const store = await Store.open(`sqlite:${dir}/ids.db?create=true`)
  await store.createTag('orders')
  for (let round = 0; round < 5; round++) {
    const worker = new Worker(at('idle.mjs'), { workerData: { dir } })
    await once(worker, 'message')
    const held = (await store.workers()).filter(row => row.held)
    assert.equal(held.length, 1)
    await worker.terminate()
    // A slow disk is waited for no longer than a second; it is given back all the same, long before its end.
    while ((await store.workers()).some(row => row.held)) {
      assert.ok(Date.now() < held[0].expiresMs, 'the lease was given back')
      await setTimeout(10)
    }
    // The fixed worker ID is free, too.
    const flake = await open(`snowflake:?worker_id=7&state=${dir}/state`)
    assert.ok(flake.nextId() > 0n)
    flake.close()
  }
})

for (const [way, code] of [['end', 0], ['exit', 0], ['throw', 1]]) {
  test(`a process that holds sources and leaves by ${way}`, t => {
    const dir = directory(t)
    for (let round = 0; round < 2; round++) {
      const run = spawnSync(process.execPath, [fileURLToPath(at('exit.mjs')), way, dir], { encoding: 'utf8' })
      assert.equal(run.signal, null)
      assert.equal(run.status, code, run.stderr)
      assert.equal(run.stdout, 'true true 1n\nwait_timeout\n')
    }
  })
}
