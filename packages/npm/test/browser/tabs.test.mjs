// Leases in a real browser: tabs, duplicated tabs, workers, frozen tabs, tabs that are left.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isReady, launch, openTab, pageServer, profile } from './chromium.mjs'
import { PATIENCE_MS, idService, until } from './id-service.mjs'

let browser

before(async () => { browser = await launch() })
after(() => browser.close())

/** A profile of its own, an ID service, and a server for pages. */
async function setting(t) {
  const [service, pages] = [await idService(t), await pageServer(t)]
  const context = await profile(t, browser)
  return { service, pages, context, tab: () => openTab(context, pages.page) }
}

/** Opens a tab's generator, which waits as long as it takes; the worker ID it got. */
function open(tab, url, options = {}) {
  return tab.evaluate(async ([url, options]) => {
    const { IdService, Snowflake } = window.snowmint
    window.flake = await Snowflake.open({ store: new IdService(url), ...options })
    return window.flake.layout.decode(await window.flake.nextIdAsync()).workerId
  }, [url, { waitMs: PATIENCE_MS, ...options }])
}

const mint = (tab, count = 100) => (
  tab.evaluate(async count => Array.from(await window.flake.nextIdsAsync(count), String), count)
)

const owners = rows => new Set(rows.map(row => row.owner))

function allDiffer(...lists) {
  const ids = lists.flat()
  assert.equal(new Set(ids).size, ids.length)
}

test('two tabs and a duplicated one have a lease each, under names of one origin', async t => {
  const { service, context, tab } = await setting(t)
  const [one, two] = [await tab(), await tab()]
  const workers = [await open(one, service.url), await open(two, service.url)]
  // A tab that another one opens has a copy of its session storage, as a duplicated one has.
  await one.evaluate(() => sessionStorage.setItem('copied', 'yes'))
  const copied = context.waitForEvent('page')
  await one.evaluate(() => { window.open(location.href) })
  const copy = await copied
  await isReady(copy)
  assert.equal(await copy.evaluate(() => sessionStorage.getItem('copied')), 'yes')
  workers.push(await open(copy, service.url))
  assert.equal(new Set(workers).size, 3)
  allDiffer(await mint(one), await mint(two), await mint(copy), await mint(one))
  const names = [...owners(await service.held())].sort()
  assert.equal(names.length, 3)
  assert.deepEqual(names.map(name => name.split('.').at(-1)), ['0', '1', '2'])
  assert.equal(new Set(names.map(name => name.replace(/\d+$/, ''))).size, 1)
})

test('a reload gives the lease back, and takes one under the same name', async t => {
  const { service, tab } = await setting(t)
  const page = await tab()
  const minted = []
  for (let n = 0; n < 4; n++) {
    await open(page, service.url)
    minted.push(await mint(page))
    assert.equal((await service.held()).length, 1)
    await page.reload()
    await isReady(page)
    await until(async () => (await service.held()).length === 0)
  }
  allDiffer(...minted)
  const { counts } = service
  const workers = await service.workers()
  assert.equal(owners(workers).size, 1)
  assert.equal(counts.release, 4)
})

test('a tab that is closed gives its lease back', async t => {
  const { service, tab } = await setting(t)
  const page = await tab()
  await open(page, service.url)
  assert.equal((await service.held()).length, 1)
  await page.close()
  await until(async () => (await service.held()).length === 0)
})

test('a generator that is closed frees its slot for the next', async t => {
  const { service, tab } = await setting(t)
  const page = await tab()
  for (let n = 0; n < 3; n++) {
    await open(page, service.url)
    await page.evaluate(() => window.flake.closeAsync())
  }
  assert.equal(owners(await service.workers()).size, 1)
})

test('a pool of workers and a service worker have leases of their own', async t => {
  const { service, tab } = await setting(t)
  const page = await tab()
  await open(page, service.url)
  const lists = await page.evaluate(async url => {
    const pool = Array.from({ length: 4 }, () => new Worker('/pages/worker.js', { type: 'module' }))
    await navigator.serviceWorker.register('/pages/service-worker.js', { type: 'module', scope: '/' })
    const { active } = await navigator.serviceWorker.ready
    const asked = [...pool, active].map(worker => window.ask(worker, { url, count: 500 }))
    const again = (await Promise.all(asked)).concat(await window.ask(active, { url, count: 500 }))
    pool.forEach(worker => worker.terminate())
    return again
  }, service.url)
  allDiffer(...lists, await mint(page))
  const workers = await service.workers()
  assert.equal(workers.length, 6)
  assert.equal(owners(workers).size, 6)
})

test('a frozen tab whose lease ends mints nothing until it has a new one', async t => {
  const { service, context, tab } = await setting(t)
  const page = await tab()
  // There is one worker ID, which every tab wants.
  const options = { reserveMs: 1000, maxAheadMs: 0, layout: 'time:41,sequence:12' }
  await open(page, service.url, options)
  const before = await mint(page)
  // Stopped by the debugger at the next thing it does: no timer fires, and the clocks go on.
  const devtools = await context.newCDPSession(page)
  await devtools.send('Debugger.enable')
  const stopped = new Promise(resolve => devtools.once('Debugger.paused', resolve))
  await devtools.send('Debugger.pause')
  await stopped
  await until(async () => (await service.held()).length === 0)
  const other = await tab()
  await open(other, service.url, options)
  const between = await mint(other)
  const expression = '(() => { try { return flake.nextIdString() } catch (error) { return error.code } })()'
  const { result } = await devtools.send('Runtime.evaluate', { expression })
  assert.equal(result.value, 'lease_unavailable')
  await devtools.send('Debugger.disable')
  await other.close()
  const later = await mint(page)
  allDiffer(before, between, later)
  assert.ok(BigInt(later[0]) > BigInt(before.at(-1)))
})

test('a page that is left and comes back from the cache goes on under a new lease', async t => {
  const { service, pages, tab } = await setting(t)
  const page = await tab()
  await open(page, service.url)
  await page.evaluate(() => {
    window.addEventListener('pageshow', event => { window.wasKept = event.persisted })
    window.addEventListener('pagehide', () => {
      try {
        window.whenLeft = window.flake.nextIdString()
      } catch (error) {
        window.whenLeft = error.code
      }
    })
  })
  const before = await mint(page)
  await page.goto(`${pages.url}/pages/away.html`)
  await until(async () => (await service.held()).length === 0)
  // A page from the cache does not load.
  await page.goBack({ waitUntil: 'commit' })
  await page.waitForFunction(() => 'wasKept' in window || !('flake' in window))
  assert.equal(await page.evaluate(() => window.wasKept), true)
  assert.equal(await page.evaluate(() => window.whenLeft), 'lease_unavailable')
  allDiffer(before, await mint(page))
  assert.equal((await service.held()).length, 1)
  const { counts } = service
  const workers = await service.workers()
  assert.deepEqual([counts.acquire, counts.release, owners(workers).size], [2, 1, 1])
})

test('the service goes down and comes back', async t => {
  const { service, tab } = await setting(t)
  const page = await tab()
  await open(page, service.url, { reserveMs: 1000, maxAheadMs: 0 })
  const before = await mint(page)
  service.faults.isDown = true
  const during = await page.evaluate(async () => {
    const ids = []
    for (;;) {
      try {
        ids.push(window.flake.nextIdString())
      } catch (error) {
        // Before the first request has failed there is no cause yet.
        if (error.cause) return [ids, error.code, error.cause.code]
      }
      await new Promise(resolve => setTimeout(resolve, 5))
    }
  })
  assert.deepEqual(during.slice(1), ['lease_unavailable', 'store_unavailable'])
  service.faults.isDown = false
  allDiffer(before, during[0], await mint(page))
})

test('of two servers one goes down and comes back, and then the other: no call fails', async t => {
  const { service, tab } = await setting(t)
  // The same service by another way.
  const other = await idService(t, { store: service.store })
  await service.createTag('orders')
  const page = await tab()
  const hosts = [service, other].map(({ url }) => new URL(url).host).join()
  await page.evaluate(async ([hosts, wait]) => {
    const { open } = window.snowmint
    const sources = [`http://${hosts}/orders?step=10&${wait}`, `snowflake+http://${hosts}?reserve_ms=1000&${wait}`]
    window.sources = await Promise.all(sources.map(open))
  }, [hosts, `wait_ms=${PATIENCE_MS}`])
  const mintBoth = () => page.evaluate(() => (
    Promise.all(window.sources.map(async source => Array.from(await source.nextIdsAsync(500), String)))
  ))
  const lists = []
  for (const gone of [service, other, service, other]) {
    gone.faults.isDown = true
    const left = gone === service ? other : service
    const { renew } = left.counts
    // Until a lease was renewed by the one that is left.
    await until(async () => {
      lists.push(await mintBoth())
      return left.counts.renew > renew
    })
    gone.faults.isDown = false
  }
  for (const at of [0, 1]) allDiffer(...lists.map(both => both[at]))
  await page.evaluate(() => Promise.all(window.sources.map(source => source.closeAsync())))
})

test('clocks that are set: IDs rise and have the time of the service', async t => {
  const { service, tab } = await setting(t)
  const page = await tab()
  const [ids, times] = await page.evaluate(async ([url, waitMs]) => {
    const { IdService, Snowflake } = window.snowmint
    let skew = 0
    const clock = { wall: () => Date.now() + skew }
    const flake = await Snowflake.open({ store: new IdService(url), clock, waitMs })
    const ids = []
    const times = []
    for (const step of [0, -3_600_000, 5000, 86_400_000, -500, -60_000, 3000, 1000]) {
      skew += step
      for (let n = 0; n < 20; n++) ids.push(await flake.nextIdAsync())
      const before = Date.now()
      ids.push(await flake.nextIdAsync())
      times.push([before, Number(flake.layout.decode(ids.at(-1)).unixMs), Date.now()])
    }
    return [ids.map(String), times]
  }, [service.url, PATIENCE_MS])
  allDiffer(ids)
  assert.deepEqual(ids, [...ids].sort((a, b) => Number(BigInt(a) - BigInt(b))))
  // As exact as the answer's way is short, which is given up after 5 s; the steps are of hours.
  for (const [from, time, to] of times) {
    assert.ok(time > from - 5000 && time < to + 5000, `${time}, from ${from} to ${to}`)
  }
})

test('segments and random worker IDs in two tabs', async t => {
  const { service, tab } = await setting(t)
  await service.createTag('orders')
  const tabs = [await tab(), await tab()]
  const lists = await Promise.all(tabs.map(page => page.evaluate(async url => {
    const segment = await window.snowmint.open(`segment+${url}?tag=orders&wait_ms=300000`)
    return Array.from(await segment.nextIdsAsync(5000), String)
  }, service.url)))
  allDiffer(...lists)
  const random = await Promise.all(tabs.map(page => page.evaluate(async () => {
    const flake = await window.snowmint.open('snowflake:?worker_id=random')
    return Array.from(flake.nextIds(1000), String)
  })))
  allDiffer(...random)
})

test('8 tabs and workers mint together for 10 s, and no ID twice', async t => {
  const { service, pages, tab } = await setting(t)
  const tabs = []
  for (let n = 0; n < 4; n++) tabs.push(await tab())
  const sent = await Promise.all(tabs.map(page => page.evaluate(async url => {
    const worker = new Worker('/pages/worker.js', { type: 'module' })
    const ms = 10_000
    return Promise.all([window.mintFor(window.snowmint, url, ms), window.ask(worker, { url, ms })])
  }, service.url)))
  const all = Buffer.concat(pages.kept)
  const ids = new BigUint64Array(all.buffer.slice(all.byteOffset, all.byteOffset + all.length))
  assert.equal(ids.length, sent.flat().reduce((sum, count) => sum + count))
  assert.ok(sent.flat().every(count => count > 0))
  ids.sort()
  let duplicates = 0
  for (let at = 1; at < ids.length; at++) if (ids[at] === ids[at - 1]) duplicates++
  assert.equal(duplicates, 0)
  const { counts } = service
  const workers = await service.workers()
  assert.equal(owners(workers).size, 8)
  assert.ok(counts.renew >= 8)
  t.diagnostic(`${ids.length} IDs of ${workers.length} worker IDs, ${counts.renew} renewals, 0 duplicates`)
})
