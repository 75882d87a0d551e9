// A PostgreSQL database by its URL.

import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { inspect, promisify } from 'node:util'
import { open, Store } from 'snowmint'

import { postgres } from './databases.mjs'

const database = postgres()

test('numbers of a tag, one after the other', async t => {
  const url = database(t)
  const store = await Store.open(`${url}&create=true`)
  await store.createTag('orders', { step: 10 })
  const orders = await open(`segment+${url}&tag=orders&step=10`)
  assert.deepEqual([...await orders.nextIdsAsync(12)], Array.from({ length: 12 }, (_, at) => BigInt(at + 1)))
  assert.deepEqual((await store.tags()).map(row => row.tag), ['orders'])
  orders.close()
  store.close()
})

test('an operator vouches for a server that took another\'s place', async t => {
  const url = database(t)
  const store = await Store.open(`${url}&create=true`)
  await store.createTag('orders', { step: 10 })
  const noted = 'UPDATE snowmint.snowmint_schema SET tag_incarnation = $$another$$; ' +
    'UPDATE snowmint.snowmint_segment SET incarnation = $$another$$'
  execFileSync('psql', ['-X', '-q', '-d', url, '-c', noted])
  let server
  await assert.rejects(store.createTag('new'), error => {
    server = /--server (\S+) /.exec(error.message)[1]
    return error.code === 'incarnation_changed'
  })
  await assert.rejects(store.vouch('another', { raiseBySteps: 0 }), { code: 'incarnation_changed' })
  const raised = await store.vouch(server, { raiseBySteps: 2, newFrom: 501 })
  assert.deepEqual(raised.map(row => [row.tag, row.next]), [['orders', 21n]])
  await store.createTag('new')
  assert.equal((await store.tag('new')).next, 501n)
  assert.deepEqual(await store.vouch(server, { raiseBySteps: 0 }), [])
  await assert.rejects(store.vouch(server, {}), { name: 'TypeError', message: /needs raiseBySteps/ })
  store.close()
})

test('the IDs and numbers of processes are disjoint', async t => {
  const url = database(t)
  const store = await Store.open(`${url}&create=true`)
  await store.createTag('orders', { step: 10 })
  const program = `
    import { open } from 'snowmint'
    for (const url of process.argv.slice(1)) {
      const source = await open(url)
      console.log((await source.nextIdsAsync(1000)).join('\\n'))
      source.close()
    }`
  const sources = [`snowflake+${url}&layout=twitter`, `segment+${url}&tag=orders&step=10`]
  const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, ...sources])
  const ours = await open(sources[0])
  const ids = [...await ours.nextIdsAsync(1000)].map(String)
  for (const { stdout } of await Promise.all([run(), run()])) ids.push(...stdout.trim().split('\n'))
  ours.close()
  store.close()
  assert.equal(ids.length, 5000)
  assert.equal(new Set(ids).size, 5000)
})

test('what is wrong has its code, and shows no password', async t => {
  const url = database(t)
  const ann = url.replace('postgres@', 'ann:S3CRET@')
  for (const [wrong, code] of [
    [url, 'store_missing'],
    [ann, 'store_denied'],
    [ann.replace(/:\d+\//, ':1/'), 'store_unavailable'],
    [`${ann}&sslmod=prefer`, 'unknown_parameter'],
  ]) {
    const error = await open(`snowflake+${wrong}`).then(() => assert.fail(code), error => error)
    assert.equal(error.code, code, inspect(error))
    assert.ok(!inspect(error).includes('S3CRET'), inspect(error))
  }
})
