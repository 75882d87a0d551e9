// An error that was waited for says who waited.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Segment, Snowflake, Store, open } from 'snowmint'

async function askedByTheUser(call) {
  // Awaited here, so that the function is on the stack.
  return await call()
}

async function stackOf(call) {
  const error = await askedByTheUser(call).then(() => assert.fail('no error'), error => error)
  assert.match(error.stack, /^SnowmintError/, error.stack)
  assert.ok(error.stack.includes(error.message), error.stack)
  return error.stack
}

test('errors of calls that wait have the stack of who called', async t => {
  const store = await Store.open('memory:')
  const orders = new Segment({ tag: 'orders', allocate: async () => { throw new Error('down') }, waitMs: 1 })
  t.after(() => orders.close())
  const calls = {
    open: () => open('nosuch:'),
    openStore: () => Store.open('nosuch:'),
    openFixed: () => Snowflake.open({ workerId: 1024 }),
    createTag: () => store.createTag('?'),
    nextId: () => orders.nextIdAsync(1),
    nextIds: () => orders.nextIdsAsync(3, 1),
    fill: () => orders.fillAsync(new BigUint64Array(3), 1),
  }
  for (const [name, call] of Object.entries(calls)) {
    const stack = await stackOf(call)
    assert.match(stack, /stacks\.test\.mjs/, `${name}: ${stack}`)
    assert.match(stack, /at async askedByTheUser|at askedByTheUser/, `${name}: ${stack}`)
  }
})

test('so has one that nobody awaited at once', async () => {
  function callback() {
    return open('nosuch:')
  }
  const error = await callback().catch(error => error)
  assert.match(error.stack, /at callback \(.*stacks\.test\.mjs/)
})

test('calls that wait keep their turn, also behind one that failed', async t => {
  const orders = new Segment({ tag: 'x', allocate: async () => { throw new Error('down') }, waitMs: 1 })
  t.after(() => orders.close())
  const results = await Promise.allSettled([orders.nextIdAsync(1), orders.nextIdsAsync(2, 1), orders.nextIdAsync(1)])
  assert.deepEqual(results.map(({ status }) => status), ['rejected', 'rejected', 'rejected'])
})
