// Several servers of one ID service in one URL: failover, rests, and servers of another store.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inside } from './inside.mjs'
import { PATIENCE_MS, idService } from './id-service.mjs'

const { IdService } = inside('browser/service.js')
const { Segment } = inside('browser/segment.js')
const { events } = inside('browser/events.js')
const { open } = inside('browser/open.js')

const URL_OF_THREE = 'https://a,b:8064,c/base/'
const range = (start, end, more) => ({ start: `${start}`, end: `${end}`, stride: '1', step: '10', now_ms: '1', ...more })
const refusal = (code, status = 503) => ({ status, body: { code, message: `no: ${code}`, now_ms: '1' } })

/**
 * A service of three whose servers answer by `answers`, functions by host, and are of `spaces`, if they tell; and who
 * was asked, besides for that.
 */
function serviceOf(answers, options, spaces = {}) {
  const asked = []
  const fetch = async (url, { signal }) => {
    const { host } = new URL(url)
    if (url.endsWith('/v1/key-space')) return new Response(JSON.stringify({ now_ms: '1', key_space: spaces[host] }))
    asked.push(host)
    const { status = 200, body } = await answers[host](signal)
    return new Response(JSON.stringify(body), { status })
  }
  return { asked, store: new IdService(URL_OF_THREE, { fetch, ...options }) }
}

const down = () => { throw new TypeError('network') }

/** Ranges one after the other, as all servers of one store give them. */
function rangesFrom(next, more) {
  return () => ({ body: range(next, next += 10, more) })
}

test('each of three answers alone, and who has failed is not asked before it', async () => {
  for (const alive of ['a', 'b:8064', 'c']) {
    const gives = rangesFrom(1)
    const answers = { 'a': down, 'b:8064': down, 'c': down, [alive]: gives }
    const { asked, store } = serviceOf(answers)
    for (let at = 0; at < 5; at++) assert.equal((await store.allocate('orders', 10)).start, BigInt(1 + 10 * at))
    assert.ok(asked.filter(host => host !== alive).length <= 2, `${asked}`)
  }
})

test('clients begin with any of them', async () => {
  const first = new Set()
  for (let at = 0; at < 100; at++) {
    const { asked, store } = serviceOf({ 'a': rangesFrom(1), 'b:8064': rangesFrom(1), 'c': rangesFrom(1) })
    await store.allocate('orders', 10)
    first.add(asked[0])
  }
  assert.deepEqual([...first].sort(), ['a', 'b:8064', 'c'])
})

test('a server that is silent costs its share of a call', async t => {
  const awake = setInterval(() => {}, 1000) // as a real connection does, and a timeout does not
  t.after(() => clearInterval(awake))
  const silent = signal => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  const { asked, store } = serviceOf({ 'a': silent, 'b:8064': silent, 'c': rangesFrom(1) }, { timeoutMs: 3000 })
  for (let at = 0; at < 20; at++) await store.allocate('orders', 10)
  assert.ok(asked.filter(host => host !== 'c').length <= 4, `${asked}`)
})

test('what no server answers otherwise is told at once, and the rest by who knows best', async () => {
  const of = async (...codes) => {
    const hosts = ['a', 'b:8064', 'c']
    const answers = Object.fromEntries(hosts.map((host, at) => [host, codes[at] ? () => refusal(codes[at]) : down]))
    const { asked, store } = serviceOf(answers)
    const { code } = await store.allocate('orders', 10).then(assert.fail, error => error)
    return [code, new Set(asked).size]
  }
  assert.deepEqual(await of('tag_exhausted', 'tag_exhausted', 'tag_exhausted'), ['tag_exhausted', 1])
  assert.deepEqual(await of('invalid_tag', 'invalid_tag', 'invalid_tag'), ['invalid_tag', 1])
  assert.deepEqual(await of('unknown_tag', 'unknown_tag', 'unknown_tag'), ['unknown_tag', 3])
  assert.deepEqual(await of('unknown_tag', undefined, undefined), ['unknown_tag', 3])
  assert.deepEqual(await of(), ['store_unavailable', 3])
})

/** The first refusal of a server that is told. */
const refused = () => new Promise(resolve => events.once('server_refused', resolve))

test('a server whose numbers went back is refused by name, and the others are asked', async () => {
  const good = rangesFrom(1001)
  const answers = { 'a': good, 'b:8064': down, 'c': down }
  const { store } = serviceOf(answers)
  await store.allocate('orders', 10)
  Object.assign(answers, { 'a': down, 'b:8064': rangesFrom(1), 'c': rangesFrom(2001) })
  const told = refused()
  const starts = new Set()
  for (let at = 0; at < 3; at++) starts.add((await store.allocate('orders', 10)).start)
  assert.ok([...starts].every(start => start >= 2001n), `${[...starts]}`)
  answers.c = down
  await assert.rejects(store.allocate('orders', 10), { code: 'store_unavailable' })
  const { message } = await told
  assert.match(message, /^b:8064 is refused, .* tag orders from \d+ on, where [ac] had given all below/)
})

test('a segment of servers that all went back ends until it is opened anew', async () => {
  const answers = { 'a': rangesFrom(1001), 'b:8064': down, 'c': down }
  const { store } = serviceOf(answers)
  const segment = await Segment.open({ tag: 'orders', allocate: store, step: 10, waitMs: PATIENCE_MS })
  assert.equal(await segment.nextIdAsync(), 1001n)
  const back = rangesFrom(1)
  Object.assign(answers, { 'a': back, 'b:8064': back, 'c': back })
  const end = async () => { for (;;) await segment.nextIdAsync() }
  await assert.rejects(end(), { code: 'range_regressed' })
})

test('a store of another name is refused, unless whoever was on the one before has it', async () => {
  const of = (start, incarnation) => rangesFrom(start, { incarnation })
  const answers = { 'a': of(1, 'one'), 'b:8064': down, 'c': down }
  const { store } = serviceOf(answers)
  await store.allocate('orders', 10)
  Object.assign(answers, { 'a': down, 'c': of(1001, 'two') })
  const told = refused()
  await assert.rejects(store.allocate('orders', 10), { code: 'store_unavailable', message: /store two, where others/ })
  assert.equal((await told).code, 'incarnation_changed')
  // A failover: whoever was on the one before says so as well.
  Object.assign(answers, { 'a': of(2001, 'two'), 'c': down })
  await store.allocate('orders', 10)
  Object.assign(answers, { 'a': down, 'c': of(3001, 'two') })
  assert.equal((await store.allocate('orders', 10)).start, 3001n)
})

test('an answer of another key space than the first is refused, of one server and of several', async () => {
  const of = (start, digit) => rangesFrom(start, { key_space: digit.repeat(32) })
  const answers = { 'a': of(1, '1'), 'b:8064': down, 'c': down }
  const { store } = serviceOf(answers)
  await store.allocate('orders', 10)
  // Its numbers went back as well: that it is of another key space says why.
  Object.assign(answers, { 'a': down, 'b:8064': of(1, '2'), 'c': of(2001, '1') })
  const told = refused()
  for (let at = 0; at < 3; at++) assert.ok((await store.allocate('orders', 10)).start >= 2001n)
  answers.c = down
  await assert.rejects(store.allocate('orders', 10), { code: 'store_unavailable' })
  assert.match((await told).message, /^b:8064 is refused, .* key space 2{32}, where answers before were of 1{32}/)

  let body = range(1, 11, { key_space: '1'.repeat(32) })
  const alone = new IdService('https://a:8064', { fetch: async () => new Response(JSON.stringify(body)) })
  await alone.allocate('orders', 10)
  body = range(11, 21, { key_space: '2'.repeat(32) })
  await assert.rejects(alone.allocate('orders', 10), { code: 'incarnation_changed', message: /the ID service at a:8064 .* key space/ })
  body = { worker_id: 5, epoch: '1', floor_ms: '1', reserved_ms: '2', now_ms: '1', key_space: '2'.repeat(32) }
  await assert.rejects(alone.acquire({ realm: 'x' }), { code: 'incarnation_changed' })
})

test('servers of two key spaces give nothing, and one of another than the client is passed over', async () => {
  const [one, other] = ['1'.repeat(32), '2'.repeat(32)]
  const spaces = { 'a': one, 'c': other }
  const foreign = () => refusal('incarnation_changed', 409)
  const answers = { 'a': rangesFrom(1), 'b:8064': rangesFrom(1001), 'c': foreign }
  const { asked, store } = serviceOf(answers, {}, spaces)
  await assert.rejects(store.allocate('orders', 10), { code: 'incarnation_changed', message: /key space/ })
  assert.deepEqual(asked, [])
  spaces.c = one
  await store.allocate('orders', 10)
  answers.a = answers['b:8064'] = down
  await assert.rejects(store.allocate('orders', 10), { code: 'store_unavailable', message: /incarnation_changed/ })

  const bodies = []
  const fetch = async (_, { body }) => {
    bodies.push(JSON.parse(body).key_space)
    return new Response(JSON.stringify(range(1, 11)))
  }
  const pinned = new IdService('https://a', { fetch, keySpace: one })
  await pinned.allocate('orders', 10)
  assert.deepEqual(bodies, [one])
  assert.throws(() => new IdService('https://a', { keySpace: 'x' }), { code: 'invalid_parameter' })
  await assert.rejects(open('https://a/orders?key_space=x'), { code: 'invalid_parameter', message: /32 hexadecimal/ })
})

test('what is no answer of an ID service is passed over, and changes nothing of what is known', async () => {
  for (const nothing of [{}, null, range(11, 11), { start: 'x', end: 'y' }]) {
    const good = rangesFrom(1001)
    const answers = { 'a': good, 'b:8064': down, 'c': down }
    const { store } = serviceOf(answers)
    await store.allocate('orders', 10)
    Object.assign(answers, { 'a': down, 'b:8064': () => ({ body: nothing }) })
    await assert.rejects(store.allocate('orders', 10), { code: 'store_unavailable' })
    Object.assign(answers, { 'a': good, 'b:8064': rangesFrom(1) })
    assert.equal((await store.allocate('orders', 10)).start, 1011n)
  }
})

test('each server that is well is asked in time, and known to be on the store before it fails over', async () => {
  const all = rangesFrom(1, { incarnation: 'one' })
  const answers = { 'a': all, 'b:8064': all, 'c': all }
  const { asked, store } = serviceOf(answers)
  while (new Set(asked).size < 3) await store.allocate('orders', 10)
  const two = rangesFrom(100_001, { incarnation: 'two' })
  for (const away of Object.keys(answers)) {
    Object.assign(answers, { 'a': two, 'b:8064': two, 'c': two, [away]: down })
    await store.allocate('orders', 10)
  }
})

test('who was not asked for want of time may know better than who was', async () => {
  const late = async () => {
    await new Promise(resolve => setTimeout(resolve, 50))
    return refusal('unknown_tag')
  }
  const { store } = serviceOf({ 'a': late, 'b:8064': late, 'c': late }, { timeoutMs: 20 })
  await assert.rejects(store.allocate('orders', 10), { code: 'store_unavailable' })
})

/** Returns the error that a service of one server gives with this `fetch`. */
async function said(fetch, options) {
  const store = new IdService('https://a:8064/base', { fetch, ...options })
  return store.allocate('orders', 10).then(assert.fail, error => error)
}

const throwing = value => async () => { throw value }

test('a service that is not reached is named, with the reason', async () => {
  const refused = new Error('connect ECONNREFUSED 127.0.0.1:8064')
  const causes = {
    'connect ECONNREFUSED 127.0.0.1:8064': new TypeError('fetch failed', { cause: refused }),
    'connect ECONNREFUSED ::1:8064': new TypeError('fetch failed', { cause: new AggregateError([refused, new Error('connect ECONNREFUSED ::1:8064')]) }),
    'Failed to fetch': new TypeError('Failed to fetch'),
    'odd': 'odd',
    'null': null,
  }
  for (const [reason, thrown] of Object.entries(causes)) {
    const { code, message, cause } = await said(throwing(thrown))
    assert.deepEqual([code, message], ['store_unavailable', `the ID service at a:8064: ${reason}`])
    assert.equal(cause, thrown)
  }
  const silent = (_url, { signal }) => new Promise((_, reject) => {
    const awake = setInterval(() => {}, 1000) // as a real connection does, and a timeout does not
    signal.addEventListener('abort', () => {
      clearInterval(awake)
      reject(signal.reason)
    })
  })
  const { message } = await said(silent, { timeoutMs: 20 })
  assert.equal(message, 'the ID service at a:8064: it does not answer within 20 ms')
})

/** The globals of a page at an address, for as long as the test runs. */
function inPage(t, href) {
  const location = new URL(href)
  const before = ['location', 'origin'].map(name => [name, Object.getOwnPropertyDescriptor(globalThis, name)])
  t.after(() => {
    for (const [name, was] of before) {
      if (was) Object.defineProperty(globalThis, name, was)
      else delete globalThis[name]
    }
  })
  for (const [name, value] of Object.entries({ location, origin: location.origin })) {
    Object.defineProperty(globalThis, name, { value, configurable: true })
  }
}

test('in a page of another origin it may be one that the service does not allow', async t => {
  inPage(t, 'https://shop.example/cart')
  const bar = ': it cannot be reached, or does not allow https://shop.example (http.origins)'
  const store = url => new IdService(url, { fetch: throwing(new TypeError('Failed to fetch')) })
  for (const [url, host, more] of [['https://a:8064', 'a:8064', bar], ['/ids', '/ids', '']]) {
    await assert.rejects(store(url).allocate('orders', 10), {
      code: 'store_unavailable', message: `the ID service at ${host}: Failed to fetch${more}`,
    })
  }
  const { message } = await said(throwing(new Error('mine')))
  assert.equal(message, 'the ID service at a:8064: mine')
})

test('what a server refuses, and what is none, is told with its name', async () => {
  const answering = (status, body) => async () => new Response(body, { status })
  const none = status => `it answers HTTP ${status}, and no word of an ID service: is it one?`
  const cases = [
    [404, '{"code":"unknown_tag","message":"no tag orders"}', 'unknown_tag', 'no tag orders'],
    [404, '{"code":"unsupported","detail":"there is nothing at /base"}', 'unsupported', 'there is nothing at /base'],
    [404, '<html>', 'store_unavailable', none(404)],
    [200, '<html>', 'store_unavailable', none(200)],
    [502, 'null', 'store_unavailable', none(502)],
  ]
  for (const [status, body, code, what] of cases) {
    const error = await said(answering(status, body))
    assert.deepEqual([error.code, error.message], [code, `the ID service at a:8064: ${what}`])
  }
})

test('what is no address of a service is refused where it is written', t => {
  for (const url of [undefined, null, 5, {}, Symbol('a')]) {
    assert.throws(() => new IdService(url), { name: 'TypeError', code: 'invalid_parameter', message: /should be a string or a URL/ })
  }
  const wrong = ['', 'nope', '/', '/ids', 'localhost:28464', 'ftp://x', 'https://', 'https://a?x=1', 'https://a#x']
  for (const url of wrong) assert.throws(() => new IdService(url), { name: 'SnowmintError', code: 'invalid_url' }, url)
  for (const url of ['http://[::1]:8064', 'HTTPS://a/', new URL('https://a')]) assert.ok(new IdService(url))
  // In a page.
  globalThis.location = new URL('https://shop.example/cart/')
  t.after(() => delete globalThis.location)
  for (const url of ['/', '/ids', './ids', '../ids']) assert.ok(new IdService(url))
  for (const url of ['', 'ids', '127.0.0.1:28464', 'localhost:28464', 'ftp://x', '?x=1']) assert.throws(() => new IdService(url), { code: 'invalid_url' }, url)
})

test('lists that name nobody', async () => {
  const nobody = ['https://a,,b', 'https://,a', 'https://a,', 'https://a,b:x', 'https://a,b,a']
  for (const url of [...nobody, 'https://me:secret@a,b', 'https://me:secret@a']) {
    assert.throws(() => new IdService(url), error => error.code === 'invalid_url' && !/secret/.test(error.message))
    for (const source of [`snowflake+${url}`, `segment+${url}?tag=orders`]) {
      await assert.rejects(open(source), { code: 'invalid_url' })
    }
  }
})

test('the URLs of all languages, of servers of which one is down', async t => {
  const [service, other] = [await idService(t), await idService(t)]
  other.faults.isDown = true
  for (const tag of ['orders', 'shop/orders']) await service.createTag(tag)
  const hosts = [other, service].map(({ url }) => new URL(url).host).join()
  const minted = []
  for (const [url, tag] of [
    [`http://${hosts}/orders?step=10`, 'orders'],
    [`http://${hosts}/shop/orders`, 'shop/orders'],
    [`segment+http://${hosts}?tag=orders`, 'orders'],
  ]) {
    const segment = await open(url)
    assert.equal(segment.tag, tag)
    minted.push(`${tag} ${await segment.nextIdAsync(PATIENCE_MS)}`)
    await segment.closeAsync()
  }
  assert.equal(new Set(minted).size, 3)
  const flake = await open(`snowflake+http://${hosts}?wait_ms=${PATIENCE_MS}`)
  assert.ok(await flake.nextIdAsync() > 0n)
  await flake.closeAsync()
  for (const url of ['https://a,b', 'https://a,b/', 'https:', 'https://a/orders?tag=x']) {
    await assert.rejects(open(url), { code: 'invalid_url', message: /names no tag: write https:\/\/HOST\/TAG/ })
  }
})
