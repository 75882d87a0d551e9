// Events of an emitter: stores that fail and go back, layouts that end.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { Layout, Segment, Snowflake, SnowmintError, Store, events } from 'snowmint'

import { document } from './reading.mjs'

const require = createRequire(import.meta.url)
const table = document('events.json').events

/** Events from now on, until the test ends. */
function listen(t) {
  const heard = []
  const listener = event => {
    assert.equal(event.severity, table.find(({ name }) => name === event.name).severity)
    assert.ok(event.time instanceof Date && Math.abs(event.time - Date.now()) < 600_000)
    heard.push(event)
  }
  events.on('event', listener)
  t.after(() => events.off('event', listener))
  heard.until = async count => {
    while (heard.length < count) await pause(5)
    return heard.map(({ name }) => name)
  }
  return heard
}

/** Mints until that fails for good, or no longer does. */
async function until(segment, fails) {
  for (;;) {
    const error = await segment.nextIdAsync().then(() => undefined, cause => cause)
    if (Boolean(error) === fails && error?.code !== 'wait_timeout') return error
  }
}

test('the types and the table have the same names', () => {
  const home = path.dirname(require.resolve('snowmint/package.json'))
  const types = readFileSync(path.join(home, 'lib/events.d.ts'), 'utf8')
  const declared = types.slice(types.indexOf('EventName ='), types.indexOf('/** Something')).match(/'\w+'/g)
  assert.deepEqual(declared.map(name => name.slice(1, -1)), table.map(({ name }) => name))
})

test('a store that fails and comes back', async t => {
  const heard = listen(t)
  let back
  events.once('store_back', event => { back = event })
  let next = 1n
  let isDown = false
  const allocate = async (_tag, count) => {
    if (isDown) throw new SnowmintError('store_locked', 'busy \u{1b}[31m')
    next += BigInt(count)
    return [next - BigInt(count), next]
  }
  const segment = new Segment({ tag: 'events', allocate, step: 1, waitMs: 100 })
  await until(segment, false)
  isDown = true
  await until(segment, true)
  isDown = false
  await until(segment, false)
  assert.deepEqual(await heard.until(2), ['store_down', 'store_back'])
  const { message, time, ...facts } = heard[0]
  const down = { name: 'store_down', severity: 'warning', source: 'segment', tag: 'events', code: 'store_locked' }
  assert.deepEqual(facts, down)
  assert.match(message, /busy \\u\{1b\}\[31m/)
  assert.equal(back, heard[1])
  next = 1n
  assert.equal((await until(segment, true)).code, 'range_regressed')
  assert.deepEqual(await heard.until(3), ['store_down', 'store_back', 'fenced'])
  segment.close()
})

test('a layout that ends within a year', async t => {
  const heard = listen(t)
  const layout = new Layout('time:34,worker:10,sequence:12', { epochMs: Date.now() + 30 * 86_400_000 - 2 ** 34 })
  const flake = await Snowflake.open({ layout, store: await Store.open('memory:') })
  assert.deepEqual(await heard.until(1), ['expires_soon'])
  assert.equal(heard[0].workerId, layout.decode(flake.nextId()).workerId)
  flake.close()
})

const FAILING = `
const { Segment, SnowmintError, events } = require('snowmint')
let isDown = false
const allocate = async (_tag, count) => {
  if (isDown) throw new SnowmintError('store_locked', 'busy')
  return [1n, 1n + BigInt(count)]
}
const segment = new Segment({ tag: 'elsewhere', allocate, step: 1, waitMs: 100 })
`

test('a worker thread hears of events until it ends', async t => {
  const listening = `
    const { events } = require('snowmint')
    const { parentPort } = require('node:worker_threads')
    events.on('event', ({ name }) => parentPort.postMessage(name))
    parentPort.postMessage('ready')
    parentPort.on('message', () => {})`
  const workers = [1, 2].map(() => new Worker(listening, { eval: true }))
  const told = await Promise.all(workers.map(worker => new Promise(resolve => {
    const names = []
    worker.on('message', name => {
      names.push(name)
      if (name === 'ready') resolve(names)
    })
  })))
  await workers[1].terminate()
  const heard = listen(t)
  let isDown = false
  const allocate = async (_tag, count) => {
    if (isDown) throw new SnowmintError('store_locked', 'busy')
    return [1n, 1n + BigInt(count)]
  }
  const segment = new Segment({ tag: 'events', allocate, step: 1, waitMs: 100 })
  await until(segment, false)
  isDown = true
  await until(segment, true)
  await heard.until(1)
  while (told[0].length < 2) await pause(5)
  assert.deepEqual(told, [['ready', 'store_down'], ['ready']])
  await workers[0].terminate()
  segment.close()
})

test('a first listener is heard, in whatever way it is added', async t => {
  const ways = ['on', 'once', 'addListener', 'prependListener', 'prependOnceListener']
  const listening = `
    const { events } = require('snowmint')
    const { parentPort, workerData: way } = require('node:worker_threads')
    events.removeAllListeners()
    events[way]('store_down', () => parentPort.postMessage(way))
    parentPort.postMessage('ready')
    parentPort.on('message', () => {})`
  const workers = ways.map(workerData => new Worker(listening, { eval: true, workerData }))
  t.after(() => Promise.all(workers.map(worker => worker.terminate())))
  await Promise.all(workers.map(worker => once(worker, 'message')))
  const told = Promise.all(workers.map(worker => once(worker, 'message')))
  const allocate = () => { throw new SnowmintError('store_locked', 'busy') }
  const segment = new Segment({ tag: 'events', allocate, waitMs: 100 })
  t.after(() => segment.close())
  await until(segment, true)
  assert.deepEqual((await told).flat(), ways)
})

test('listening keeps no process alive', () => {
  const script = `${FAILING}
    events.on('event', () => {})
    segment.nextIdAsync().then(() => { isDown = true })`
  const options = { cwd: import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), timeout: 60_000 }
  const { status, signal, stderr } = spawnSync(process.execPath, ['-e', script], options)
  assert.deepEqual([status, signal, String(stderr)], [0, null, ''])
})
