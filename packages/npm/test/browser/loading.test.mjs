// The client that leases, in a script of its own: when it is loaded, and where it cannot be.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { launch, openTab, pageServer, profile } from './chromium.mjs'
import { leaseServer } from './lease-server.mjs'

let browser

before(async () => { browser = await launch() })
after(() => browser.close())

async function setting(t) {
  const [service, pages] = [await leaseServer(t), await pageServer(t)]
  const context = await profile(t, browser)
  const tab = await openTab(context, pages.page)
  const loaded = []
  tab.on('request', request => loaded.push(new URL(request.url()).pathname))
  return { service, tab, loaded, context }
}

const LEASE = '/dist/snowmint.lease.mjs'
const leases = loaded => loaded.filter(path => path === LEASE).length

/** Uses a fresh copy of a bundle in the page. */
function use(tab, bundle, work, url) {
  return tab.evaluate(async ([bundle, work, url]) => {
    const snowmint = await import(`/dist/${bundle}?${Math.random()}`)
    await snowmint.init()
    return new (async () => {}).constructor('snowmint', 'url', work)(snowmint, url)
  }, [bundle, work, url])
}

for (const bundle of ['snowmint.page.mjs', 'snowmint.mjs']) {
  test(`${bundle} loads the client when it is first needed, and once`, async t => {
    const { service, tab, loaded } = await setting(t)
    const random = "return snowmint.decode(new snowmint.Snowflake({ worker: 'random' }).nextId()).workerId"
    assert.ok(await use(tab, bundle, random) >= 0)
    assert.equal(leases(loaded), 0)
    await service.control({ create_tag: 'orders' })
    const numbers = await use(tab, bundle, `
      const { IdService, Segment, Snowflake, open } = snowmint
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
      return [...codes, uuids.version, ids.every(id => id > 0n)].join()`, service.url)
    assert.equal(numbers, 'lease_unavailable,wait_timeout,7,true')
    assert.equal(leases(loaded), 1)
    assert.deepEqual(await service.held(), [])
  })
}

test('two copies of the package in a page have a client each', async t => {
  const { service, tab } = await setting(t)
  const workers = await tab.evaluate(async url => {
    const flakes = []
    for (const copy of ['one', 'two']) {
      const { IdService, Snowflake, init } = await import(`/dist/snowmint.page.mjs?${copy}`)
      await init()
      flakes.push(await Snowflake.open({ store: new IdService(url) }))
    }
    return flakes.map(flake => flake.layout.decode(flake.nextId()).workerId)
  }, service.url)
  assert.equal(new Set(workers).size, 2)
  assert.equal((await service.held()).length, 2)
})

test('a client that does not load: an error for all who wait, and it is asked for again', async t => {
  const { service, tab, context } = await setting(t)
  await context.route(`**${LEASE}`, route => route.abort())
  const said = await use(tab, 'snowmint.page.mjs', `
    const { IdService, Segment, Snowflake, open } = snowmint
    const store = new IdService(url)
    const code = call => call().then(() => 'none', error => [error instanceof snowmint.SnowmintError, error.code])
    const flake = new Snowflake({ store })
    const segment = new Segment({ tag: 'orders', allocate: store })
    return [
      await code(() => Snowflake.open({ store })),
      await code(() => open('uuid:')),
      await code(() => store.allocate('orders', 1)),
      await code(() => flake.nextIdAsync(200)),
      await code(() => segment.nextIdAsync(200)),
    ].join(' ')`, service.url)
  const unavailable = 'true,store_unavailable'
  assert.match(said, new RegExp(`^${unavailable} ${unavailable} ${unavailable} true,lease_unavailable true,(wait_timeout|store_unavailable)$`))
})

async function inServiceWorker(tab, query, url) {
  return tab.evaluate(async ([query, url]) => {
    await navigator.serviceWorker.register(`/pages/lease-worker.js${query}`, { type: 'module', scope: '/' })
    const { active } = await navigator.serviceWorker.ready
    return window.ask(active, { url, count: 500 }).catch(error => error.message)
  }, [query, url])
}

test('a service worker leases with the client that it gives', async t => {
  const { service, tab } = await setting(t)
  const ids = await inServiceWorker(tab, '', service.url)
  assert.equal(new Set(ids).size, 500)
  assert.equal((await service.held()).length, 1)
})

test('a service worker without it says what is missing', async t => {
  const { service, tab } = await setting(t)
  assert.match(await inServiceWorker(tab, '?none', service.url), /^store_unavailable: .*import\(\)/)
})
