// Events that a page receives from its own sources.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inside } from './inside.mjs'

const { events } = inside('browser/events.js')
const { SnowmintError } = inside('errors.js')
const { Segment } = inside('browser/segment.js')
const { Snowflake } = inside('browser/snowflake.js')

/** The events of what `work` does. */
async function heard(work) {
  const list = []
  const listener = event => list.push(event)
  events.on('event', listener)
  await work()
  await new Promise(resolve => setTimeout(resolve))
  events.off('event', listener)
  return list
}

/** Mints until that fails for good, or no longer does. */
async function until(segment, fails) {
  for (;;) {
    const error = await segment.nextIdAsync().then(() => undefined, cause => cause)
    if (Boolean(error) === fails && error?.code !== 'wait_timeout') return error
  }
}

test('a store that fails, comes back and goes back: one event a change', async () => {
  let backs = 0
  events.once('store_back', () => backs++)
  let next = 1n
  let isDown = false
  const allocate = async (_tag, count) => {
    if (isDown) throw new Error('no answer')
    next += BigInt(count)
    return [next - BigInt(count), next]
  }
  const segment = new Segment({ tag: 'orders', allocate, step: 1, waitMs: 50 })
  const list = await heard(async () => {
    for (let n = 0; n < 2; n++) {
      await until(segment, false)
      isDown = true
      await until(segment, true)
      await until(segment, true)
      isDown = false
      await until(segment, false)
    }
    next = 1n
    assert.equal((await until(segment, true)).code, 'range_regressed')
  })
  const names = ['store_down', 'store_back', 'store_down', 'store_back', 'fenced']
  assert.deepEqual(list.map(({ name }) => name), names)
  assert.equal(backs, 1)
  const { time, message, ...down } = list[0]
  const facts = { name: 'store_down', severity: 'warning', source: 'segment', tag: 'orders' }
  assert.deepEqual(down, { ...facts, code: 'store_unavailable' })
  assert.ok(time instanceof Date && message.includes('no answer'))
  segment.close()
})

test('a lost lease, with its worker ID', async () => {
  let workerId = 6
  const store = {
    async acquire() {
      const nowMs = BigInt(Date.now())
      return { workerId: ++workerId, epoch: 1n, floorMs: nowMs, reservedMs: nowMs + 4_000n, nowMs }
    },
    async renew() {
      throw new SnowmintError('lease_lost', 'another has it')
    },
    async release() {},
  }
  const flake = await Snowflake.open({ store, reserveMs: 4_000 })
  const [lost] = await heard(async () => {
    while (workerId < 8) await new Promise(resolve => setTimeout(resolve, 20))
  })
  assert.deepEqual([lost.name, lost.severity, lost.workerId], ['lease_lost', 'warning', 7])
  flake.close()
})

test('a layout that ends within a year', async () => {
  const { Layout } = inside('layout.js')
  const epochMs = Date.now() + 30 * 86_400_000 - 2 ** 34
  const layout = new Layout('time:34,worker:18,sequence:4', { epochMs })
  const heardOf = await heard(async () => {
    const nowMs = BigInt(Date.now())
    const lease = { workerId: 1, epoch: 1n, floorMs: nowMs, reservedMs: nowMs + 60_000n, nowMs }
    const store = { acquire: async () => lease, renew: async () => lease, release: async () => {} }
    const flake = await Snowflake.open({ store, layout })
    flake.close()
  })
  assert.deepEqual(heardOf.map(({ name }) => name), ['expires_soon'])
})
