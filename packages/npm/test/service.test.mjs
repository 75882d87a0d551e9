// Leases and ranges of an ID service, by its protocol: as in browsers, so in Node.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IdService, Segment, Snowflake, open } from 'snowmint'

import { idService } from './browser/id-service.mjs'

test('snowflake+http: leases a worker ID of the service', async t => {
  const service = await idService(t)
  const url = `snowflake+${service.url}?layout=discord`
  const flakes = [await open(url), await open(url), await Snowflake.open({ store: new IdService(service.url), layout: 'discord' })]
  t.after(() => flakes.forEach(flake => flake.close()))
  const ids = flakes.flatMap(flake => Array.from({ length: 100 }, () => flake.nextId()))
  assert.equal(new Set(ids).size, 300)
  const workers = new Set(ids.map(id => flakes[0].layout.decode(id).workerId))
  assert.equal(workers.size, 3)
  const held = (await service.held()).map(row => row.worker)
  assert.deepEqual([...workers].sort((a, b) => a - b), held.sort((a, b) => a - b))
  await Promise.all(flakes.map(flake => flake.closeAsync()))
  assert.deepEqual(await service.held(), [])
})

test('segment+http: takes ranges of the service', async t => {
  const service = await idService(t)
  await service.createTag('orders')
  const orders = await open(`segment+${service.url}?tag=orders`)
  const others = await Segment.open({ tag: 'orders', allocate: new IdService(service.url) })
  t.after(() => [orders, others].forEach(segment => segment.close()))
  const numbers = []
  for (let n = 0; n < 50; n++) numbers.push(await orders.nextIdAsync(), await others.nextIdAsync())
  assert.equal(new Set(numbers).size, 100)
})

test('snowflake+https: is a source in Node as well, and refuses what is no service by TLS', async t => {
  const service = await idService(t)
  const address = service.url.replace('http:', 'https:')
  const error = await open(`snowflake+${address}?wait_ms=2000`).then(() => assert.fail(), error => error)
  assert.equal(error.code, 'store_unavailable')
  assert.match(error.message, /corrupt message|TLS/i)
})
