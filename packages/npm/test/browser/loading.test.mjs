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

test('init tells what came in place of the module, and can be called again', async t => {
  const pages = await pageServer(t)
  const tab = await openTab(await profile(t, browser), pages.page)
  const said = await tab.evaluate(async () => {
    const { SnowmintError, decode, init } = await import('/dist/snowmint.mjs?wrong')
    const page = '<!doctype html><title>Not found</title>'
    const bytes = await (await fetch('/dist/snowmint.wasm')).arrayBuffer()
    const read = await fetch('/dist/snowmint.wasm')
    await read.arrayBuffer()
    const wrong = [
      '/pages/index.html', '/none/snowmint.wasm', 'http://localhost:9/snowmint.wasm', read,
      new Response(page), new Response(page, { status: 404 }), new Response(bytes.slice(0, 1000)),
      new TextEncoder().encode(page), new DataView(bytes, 1, 3), new ArrayBuffer(0), bytes.slice(0, 1000),
      7, new Blob([bytes]),
    ]
    const said = []
    for (const given of wrong) {
      await init(given).catch(error => said.push([error instanceof SnowmintError, error.name, error.code, error.message].join(' ')))
    }
    await init(new DataView(bytes))
    return [...said, decode(1n, 'twitter').sequence]
  })
  const needs = 'true SnowmintError unsupported init needs snowmint.wasm, and'
  const place = `${needs} ${pages.url}`
  const there = ': put it there, or give init its URL'
  const given = ': give it the URL, or the bytes'
  const whole = "true SnowmintError unsupported init needs all of snowmint.wasm, and 'wasm-unsafe-eval' where a page has a policy: "
  const form = 'false TypeError invalid_parameter the module should be a URL, a Response, bytes or a WebAssembly.Module, not'
  // In brackets are the browser's own words.
  assert.deepEqual(said.map(line => String(line).replace(/\(.+\)/, '()')), [
    `${place}/pages/index.html is no WebAssembly, but begins with "<!doctype html>\\n"${there}`,
    `${place}/none/snowmint.wasm answered 404${there}`,
    `${needs} http://localhost:9/snowmint.wasm is not to be had ()${there}`,
    `${place}/dist/snowmint.wasm is not to be had ()${there}`,
    `${needs} what it was given is no WebAssembly, but begins with "<!doctype html><"${given}`,
    `${needs} what it was given answered 404${given}`,
    `${whole}what it was given does not compile ()`,
    `${needs} what it was given is no WebAssembly, but begins with "<!doctype html><"${given}`,
    `${needs} what it was given is no WebAssembly, but begins with "asm"${given}`,
    `${needs} what it was given is no WebAssembly, but begins with ""${given}`,
    `${whole}what it was given does not compile ()`,
    `${form} 7`,
    `${form} an object`,
    '1',
  ])
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
