// Sources that open at their first use.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Daily, Layout, Ring, Segment, Sequences, Snowflake, Store, UuidSource, lazy, open } from 'snowmint'

import { directory } from './reading.mjs'

/** Calls until there is no error with that code: a failure is repeated for up to half a second. */
async function until(call, code) {
  for (let n = 0; n < 200; n++) {
    try {
      return await call()
    } catch (error) {
      assert.equal(error.code, code)
      await setTimeout(20)
    }
  }
  assert.fail(`${code} for ever`)
}

test('a wrong URL is refused at once', () => {
  for (const [url, code] of [
    ['nonsense', 'invalid_url'], ['segment+oracle:x', 'unknown_scheme'], ['snowflake+sqlite:a.db?wait=1', 'unknown_parameter'],
    ['uuid:?version=5', 'invalid_parameter'], [7, 'invalid_parameter'],
  ]) assert.throws(() => lazy(url), { code })
  assert.throws(() => Segment.lazy('snowflake:?worker_id=7'), { code: 'invalid_parameter' })
  assert.throws(() => lazy(), { name: 'TypeError' })
})

const CLASSES = { snowflake: Snowflake, segment: Segment, daily: Daily, sequences: Sequences, ring: Ring, uuid: UuidSource }

for (const [kind, Class] of Object.entries(CLASSES)) {
  test(`a source of kind ${kind} opens late`, async t => {
    const file = path.join(directory(t), 'ids.db')
    const query = { snowflake: '', ring: 'ring=64', uuid: '' }[kind] ?? 'tag=orders'
    const name = kind === 'ring' ? 'snowflake' : kind
    const url = kind === 'uuid' ? 'uuid:' : `${name}+sqlite:${file}?${query}`
    const source = lazy(url)
    assert.ok(source instanceof Class && Class.lazy(url) instanceof Class)
    assert.deepEqual([source.kind, source.stats().kind], [kind, name])
    if (query === 'tag=orders') assert.equal(source.tag, 'orders')
    else if (kind !== 'uuid') assert.equal(String(source.layout), String(Layout.TWITTER))
    assert.equal(existsSync(file), false)
    if (kind !== 'uuid') await assert.rejects(source.ready(), { code: 'store_missing' })
    await Store.openSync(`sqlite:${file}?create=true`).ensureTag('orders')
    await until(() => source.ready(), 'store_missing')
    if (kind === 'uuid') source.nextUuid()
    else if (kind === 'sequences') assert.ok(await source.nextAsync(7) < await source.nextAsync(7))
    else assert.ok(await source.nextIdAsync() < await source.nextIdAsync())
    await source.closeAsync()
  })
}

test('calls that do not wait begin to open it', async t => {
  const flake = lazy(`snowflake+sqlite:${directory(t)}/ids.db?create=true`)
  assert.throws(() => flake.nextId(), { code: 'wait_timeout', message: /being opened/ })
  assert.ok(await until(() => flake.nextId(), 'wait_timeout') > 0n)
  assert.equal(flake.nextIds(10).length, 10)
  const orders = lazy(`segment+sqlite:${directory(t)}/ids.db?tag=orders`)
  assert.throws(() => orders.nextId(), { code: 'wait_timeout' })
  await assert.rejects(orders.nextIdsAsync(10), { code: 'store_missing' })
  assert.throws(() => orders.nextIds(10), { code: 'store_missing' })
})

test('calls at the same time open it once', async t => {
  // A second generator with this worker ID would be refused.
  const flake = Snowflake.lazy(`snowflake:?worker_id=7&state=${directory(t)}`)
  const ids = await Promise.all(Array.from({ length: 100 }, () => flake.nextIdAsync()))
  assert.equal(new Set(ids).size, 100)
})

test('one that is closed before its first use is never opened', async t => {
  const file = path.join(directory(t), 'ids.db')
  const flake = lazy(`snowflake+sqlite:${file}?create=true`)
  flake.close()
  await assert.rejects(flake.nextIdAsync(), { code: 'closed' })
  await assert.rejects(flake.ready(), { code: 'closed' })
  assert.equal(existsSync(file), false)
})

test('a module that runs again is told how', async t => {
  const url = `snowflake:?worker_id=7&state=${directory(t)}`
  const first = await open(url)
  await assert.rejects(open(url), { code: 'worker_in_use', message: /this process itself holds worker 7 since .* close/ })
  first.close()
  const again = await open(url)
  await again.ready()
  again.close()
})

test('a subclass opens late', async t => {
  class Orders extends Snowflake {}
  const orders = Orders.lazy(`snowflake+sqlite:${directory(t)}/ids.db?create=true`)
  assert.ok(orders instanceof Orders)
  assert.ok(await orders.nextIdAsync() > 0n)
})
