// Leases and ranges of an ID service, by its protocol: as in browsers, so in Node.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { IdService, Segment, Snowflake, events, open } from 'snowmint'

import { idService, served } from './browser/id-service.mjs'
import { directory } from './reading.mjs'

const run = promisify(execFile)

/** A service by TLS, under an authority of its own; `ca` is the file of that. */
async function serviceByTls(t) {
  const cwd = directory(t)
  const openssl = words => run('openssl', words.split(' '), { cwd })
  const made = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout'
  writeFileSync(path.join(cwd, 'names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n')
  await openssl(`req -x509 ${made} ca.key -out ca.pem -days 9 -subj /CN=ca`)
  await openssl(`req ${made} server.key -out server.csr -subj /CN=server`)
  await openssl('x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 9 -extfile names -out server.pem')
  const file = name => path.join(cwd, name)
  const tls = { 'tls-certificate': file('server.pem'), 'tls-key': file('server.key') }
  const address = await served(t, cwd, `sqlite:${file('ids.db')}?create=true`, tls)
  return { port: new URL(address).port, ca: file('ca.pem') }
}

test('snowflake+http: leases a worker ID of the service', async t => {
  const service = await idService(t)
  const url = `snowflake+${service.url}?layout=discord`
  const flakes = [await open(url), await open(url), await Snowflake.open({ store: new IdService(service.url), layout: 'discord' })]
  t.after(() => flakes.forEach(flake => flake.close()))
  const ids = flakes.flatMap(flake => Array.from({ length: 100 }, () => flake.nextId()))
  assert.equal(new Set(ids).size, 300)
  const workers = new Set(ids.map(id => flakes[0].layout.decode(id).workerId))
  assert.equal(workers.size, 3)
  const held = (await service.held()).map(row => row.worker_id)
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

test('a service that is not reached is named, with the reason', async t => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${server.address().port}`
  server.close()
  await once(server, 'close')
  const refused = error => {
    assert.deepEqual([error.code, error.message], ['store_unavailable', `the ID service at ${host}: connect ECONNREFUSED ${host}`])
    assert.equal(error.cause.message, 'fetch failed')
    return true
  }
  const service = new IdService(`http://${host}`)
  const segment = new Segment({ tag: 'orders', allocate: service, waitMs: 300 })
  t.after(() => segment.close())
  await assert.rejects(service.allocate('orders', 1), refused)
  await assert.rejects(later(() => segment.nextIdAsync()), refused)
  await assert.rejects(later(() => Snowflake.open({ store: service, waitMs: 300 })), refused)
})

test('where there is no fetch, the option for one is named', async t => {
  const { fetch } = globalThis
  t.after(() => Object.assign(globalThis, { fetch }))
  const service = new IdService('https://ids.example')
  delete globalThis.fetch
  await assert.rejects(service.allocate('orders', 1), { code: 'unsupported', message: /no fetch here: .* option fetch/ })
  const own = new IdService('https://ids.example', { fetch: async () => { throw new Error('asked') } })
  await assert.rejects(own.allocate('orders', 1), { code: 'store_unavailable', message: /asked/ })
})

/** Returns the result of a call, or throws its error, once the service has been asked. */
async function later(call) {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      if (error.code !== 'wait_timeout') throw error
    }
  }
}

test('a tag that there is not is told at once', async t => {
  const service = await idService(t)
  const lost = Segment.open({ tag: 'zz', allocate: new IdService(service.url) })
  await assert.rejects(lost, { code: 'unknown_tag', message: /^the ID service at 127.0.0.1:.*zz/ })
})

test('a server of another store is told to whoever listens', async () => {
  let away = 'b'
  const fetch = async url => {
    const { host } = new URL(url)
    if (host === away) throw new TypeError('network')
    const start = host === 'a' ? 1001 : 1
    return Response.json({ start: `${start}`, end: `${start + 10}`, stride: '1', step: '10', now_ms: '1' })
  }
  const store = new IdService('https://a,b', { fetch })
  await store.allocate('orders', 10)
  const told = once(events, 'server_refused')
  away = 'a'
  await assert.rejects(store.allocate('orders', 10), { code: 'store_unavailable' })
  const [{ source, message }] = await told
  assert.equal(source, 'service')
  assert.match(message, /^b is refused, .* tag orders from 1 on, where a had given all below 1011/)
})

test('snowflake+https: is a source in Node as well, and refuses what is no service by TLS', async t => {
  const service = await idService(t)
  const address = service.url.replace('http:', 'https:')
  const error = await open(`snowflake+${address}?wait_ms=2000`).then(() => assert.fail(), error => error)
  assert.equal(error.code, 'store_unavailable')
  assert.match(error.message, /corrupt message|TLS/i)
})

test('snowflake+https: leases by TLS, where the URL names the authority', async t => {
  const { port, ca } = await serviceByTls(t)
  const url = `snowflake+https://localhost:${port}?cafile=${encodeURIComponent(ca)}&layout=discord`
  const flakes = [await open(url), await open(url)]
  t.after(() => flakes.forEach(flake => flake.close()))
  const ids = flakes.flatMap(flake => Array.from({ length: 100 }, () => flake.nextId()))
  assert.equal(new Set(ids).size, 200)
  await Promise.all(flakes.map(flake => flake.closeAsync()))
  const unknown = await open(`snowflake+https://localhost:${port}?wait_ms=2000`).then(() => assert.fail(), error => error)
  assert.match(unknown.message, /cafile/)
})

test('an IdService is asked by TLS, where Node knows the authority', async t => {
  const { port, ca } = await serviceByTls(t)
  const script = `
    import { IdService, Snowflake } from 'snowmint'
    const flake = await Snowflake.open({ store: new IdService('https://localhost:${port}') })
    console.log(flake.nextIdString())
    await flake.closeAsync()`
  const mint = env => run(process.execPath, ['--input-type=module', '--eval', script], { env: { ...process.env, ...env } })
  assert.match((await mint({ NODE_EXTRA_CA_CERTS: ca })).stdout, /^[0-9]+\n$/)
  await assert.rejects(mint({}), /store_unavailable/)
})
