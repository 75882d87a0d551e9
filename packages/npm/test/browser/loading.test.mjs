// One file that leases, fetches and opens URLs, in pages and where nothing may be imported late.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { launch, openTab, pageServer, profile } from './chromium.mjs'
import { idService } from './id-service.mjs'

let browser

before(async () => { browser = await launch() })
after(() => browser.close())

async function setting(t) {
  const [service, pages] = [await idService(t), await pageServer(t)]
  const context = await profile(t, browser)
  const tab = await openTab(context, pages.page)
  const loaded = []
  tab.on('request', request => loaded.push(new URL(request.url()).pathname))
  return { service, tab, loaded }
}

test('two files are all that a page loads', async t => {
  const { service, tab, loaded } = await setting(t)
  await service.createTag('orders')
  const numbers = await tab.evaluate(async url => {
    const { IdService, Segment, Snowflake, init, open } = await import('/dist/snowmint.mjs?fresh')
    await init()
    const store = new IdService(url)
    const flake = await Snowflake.open({ store })
    const waitMs = 300_000
    const late = new Snowflake({ store, waitMs })
    const segment = new Segment({ tag: 'orders', allocate: store, waitMs })
    const codes = [late, segment].map(source => {
      try { return source.nextId() } catch ({ code }) { return code }
    })
    const uuids = await open('uuid:')
    const ids = [flake.nextId(), await late.nextIdAsync(), await segment.nextIdAsync()]
    await Promise.all([flake, late, segment].map(source => source.closeAsync()))
    return [...codes, uuids.version, ids.every(id => id > 0n)].join()
  }, service.url)
  assert.equal(numbers, 'lease_unavailable,wait_timeout,7,true')
  const own = loaded.filter(path => path.startsWith('/dist/'))
  assert.deepEqual(own, ['/dist/snowmint.mjs', '/dist/snowmint.wasm'])
  assert.deepEqual(await service.held(), [])
})

test('two copies of the package in a page lease each for itself', async t => {
  const { service, tab } = await setting(t)
  const workers = await tab.evaluate(async url => {
    const flakes = []
    for (const copy of ['one', 'two']) {
      const { IdService, Snowflake, init } = await import(`/dist/snowmint.mjs?${copy}`)
      await init()
      flakes.push(await Snowflake.open({ store: new IdService(url) }))
    }
    return flakes.map(flake => flake.layout.decode(flake.nextId()).workerId)
  }, service.url)
  assert.equal(new Set(workers).size, 2)
  assert.equal((await service.held()).length, 2)
})

test('a service worker leases, with the wasm beside the script', async t => {
  const { service, tab } = await setting(t)
  const ids = await tab.evaluate(async url => {
    await navigator.serviceWorker.register('/pages/late-worker.js', { type: 'module', scope: '/' })
    const { active } = await navigator.serviceWorker.ready
    return window.ask(active, { url, count: 500 })
  }, service.url)
  assert.equal(new Set(ids).size, 500)
  assert.equal((await service.held()).length, 1)
})
