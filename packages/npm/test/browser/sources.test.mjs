// Random worker IDs, UUIDs, and sources by their URLs.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { root } from '../reading.mjs'
import { inside } from './inside.mjs'
import { PATIENCE_MS, idService } from './id-service.mjs'

const { open } = inside('browser/open.js')
const { Segment } = inside('browser/segment.js')
const { Snowflake } = inside('browser/snowflake.js')
const { UuidSource } = inside('browser/uuids.js')

test('a random worker ID in a wide layout, another for each generator', () => {
  const workers = new Set()
  for (let n = 0; n < 50; n++) {
    const flake = new Snowflake({ workerId: 'random' })
    const ids = [flake.nextId(), ...flake.nextIds(100)]
    assert.deepEqual(ids, [...ids].sort((a, b) => (a < b ? -1 : 1)))
    const parts = ids.map(id => flake.layout.decode(id))
    assert.equal(new Set(parts.map(({ workerId }) => workerId)).size, 1)
    assert.ok(Math.abs(Number(parts[0].unixMs) - Date.now()) < 60_000)
    workers.add(parts[0].workerId)
    flake.close()
    assert.throws(() => flake.nextId(), { code: 'closed' })
  }
  assert.ok(workers.size > 45, `${workers.size} of 50 are different`)
  const { layout } = new Snowflake({ workerId: 'random' })
  assert.equal(layout.fits(63), true)
  assert.ok(layout.workerBits >= 20 && layout.expires.getUTCFullYear() > 2090)
})

test('more than can ever be had at once is refused, and nothing taken', async () => {
  const flake = new Snowflake({ workerId: 'random', layout: 'time:40,worker:20,sequence:4@0/500' })
  assert.throws(() => flake.nextIds(49), { code: 'count_out_of_range', message: /^49 IDs .* at most 48 at once, or use nextIdsAsync$/ })
  // The sequence does not begin at 0.
  assert.equal(flake.nextIds(32).length, 32)
  assert.equal((await flake.nextIdsAsync(49)).length, 49)
  flake.close()
})

test('a layout of the user\'s own for random worker IDs, if it is wide enough', async () => {
  const flake = await Snowflake.open({ workerId: 'random', layout: 'time:32,worker:32' })
    .catch(error => assert.equal(error.code, 'layout_expired'))
  flake?.close()
  const wide = await Snowflake.open({ workerId: 'random', layout: 'time:42,worker:16,sequence:6' })
  assert.ok(wide.nextId() > 0n)
  for (const [layout, has] of Object.entries({ twitter: 'twitter has 10', 'time:49,worker:15': 'time:49,worker:15 has 15' })) {
    await assert.rejects(Snowflake.open({ workerId: 'random', layout }), {
      name: 'SnowmintError',
      code: 'invalid_parameter',
      message: `the layout should have at least 16 bits of worker ID for a random one, and ${has}: leave it out, or use a store`,
    })
  }
})

test('one worker ID: a random one and a store are refused together', () => {
  const store = { acquire() {}, renew() {}, release() {} }
  const message = 'a generator has one worker ID, and both workerId and store are given: leave one out'
  assert.throws(() => new Snowflake({ workerId: 'random', store }), { name: 'TypeError', code: 'invalid_parameter', message })
  assert.throws(() => new Snowflake({ workerId: 0, store }), { name: 'TypeError', code: 'invalid_parameter', message })
})

test('a worker ID that is not random is refused, and what is none is a TypeError', () => {
  for (const worker of [0, 7, 'env', '']) {
    const message = `workerId=${worker} is not possible without Node's addon: use 'random', or a store`
    assert.throws(() => new Snowflake({ workerId: worker }), error => error.code === 'unsupported' && error.message.startsWith(message))
  }
  const cases = [[undefined, 'undefined'], [null, 'null'], [7n, '7n'], [true, 'true'], [{}, 'an object']]
  for (const [worker, shown] of cases) {
    const message = `workerId should be 'random', or a store, not ${shown}`
    assert.throws(() => new Snowflake({ workerId: worker }), { name: 'TypeError', code: 'invalid_parameter', message })
  }
})

test('counts', async () => {
  const segment = new Segment({ tag: 'own', allocate: () => [1n, 2n], waitMs: 0 })
  const cases = [
    [-1, 'SnowmintError', 'count_out_of_range', '-1 is out of range: use 1 to 16777216'],
    [1.5, 'RangeError', 'invalid_parameter', 'count should be an integer from 1 to 16777216, not 1.5'],
    ['3', 'TypeError', 'invalid_parameter', 'count should be a number, not "3"'],
  ]
  for (const source of [new Snowflake({ workerId: 'random' }), segment]) {
    for (const [count, name, code, message] of cases) {
      assert.throws(() => source.nextIds(count), { name, code, message })
      await assert.rejects(source.nextIdsAsync(count), { name, code, message })
    }
    source.close()
  }
})

test('without crypto there are no random numbers, and no others will do', t => {
  const known = Object.getOwnPropertyDescriptor(globalThis, 'crypto')
  Object.defineProperty(globalThis, 'crypto', { value: undefined, configurable: true })
  t.after(() => Object.defineProperty(globalThis, 'crypto', known))
  assert.throws(() => new Snowflake({ workerId: 'random' }), { code: 'unsupported' })
  assert.throws(() => new Snowflake({ store: { acquire() {}, renew() {}, release() {} } }), { code: 'unsupported' })
  assert.throws(() => new UuidSource(), { code: 'unsupported' })
})

test('opening a class that extends the package\'s makes one of it', async () => {
  class Minter extends Snowflake {}
  class Orders extends Segment {}
  const minter = await Minter.open({ workerId: 'random' })
  const orders = await Orders.open({ tag: 'orders', allocate: () => [1n, 2n] })
  assert.ok(minter instanceof Minter && minter.nextId() > 0n)
  assert.ok(orders instanceof Orders && orders.nextId() === 1n)
  minter.close()
  orders.close()
})

/** The probability that any two of n clients draw the same of 2^bits worker IDs. */
function collision(n, bits) {
  return -Math.expm1(-n * (n - 1) / 2 ** (bits + 1))
}

test("the page's table of collisions is the formula's", () => {
  const page = path.join(root, 'docs/languages/browser.md')
  const lines = readFileSync(page, 'utf8').split('\n')
  const head = lines.findIndex(line => line.startsWith('| clients at once |'))
  assert.ok(head > 0, 'the table is there')
  const widths = [...lines[head].matchAll(/(\d+) bits/g)].map(([, bits]) => Number(bits))
  const { layout } = new Snowflake({ workerId: 'random' })
  assert.ok(widths.includes(layout.workerBits), 'the default is in it')
  let checked = 0
  for (const line of lines.slice(head + 2)) {
    if (!line.startsWith('|')) break
    const [n, ...cells] = line.split('|').slice(1, -1).map(cell => cell.trim())
    cells.forEach((cell, at) => {
      const percent = collision(Number(n.replaceAll(',', '')), widths[at]) * 100
      assert.equal(cell, `${Number(percent.toPrecision(2))} %`, line)
      checked++
    })
  }
  assert.ok(checked >= 6)
})

test('the formula is what drawing gives', () => {
  const bits = 16
  const n = 200
  const rounds = 3000
  let collisions = 0
  for (let round = 0; round < rounds; round++) {
    const drawn = crypto.getRandomValues(new Uint16Array(n))
    if (new Set(drawn).size < n) collisions++
  }
  const expected = collision(n, bits) * rounds
  const deviation = Math.sqrt(expected)
  assert.ok(Math.abs(collisions - expected) < 6 * deviation, `${collisions} in place of ${expected}`)
})

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-([47])[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('UUIDs of version 7 rise and tell the time', t => {
  const uuids = new UuidSource()
  const before = Date.now()
  const list = Array.from({ length: 20_000 }, () => uuids.nextUuid())
  assert.ok(list.every(uuid => UUID.exec(uuid)?.[1] === '7'))
  assert.deepEqual(list, [...list].sort())
  assert.equal(new Set(list).size, list.length)
  const time = Number.parseInt(list[0].slice(0, 13).replace('-', ''), 16)
  assert.ok(time >= before && time <= Date.now())
  // The clock goes back: they rise all the same.
  const { now } = Date
  t.after(() => { Date.now = now })
  Date.now = () => before - 3_600_000
  const [last, next] = [list.at(-1), new UuidSource(7).nextUuid()]
  assert.ok(next > last, `${next} after ${last}`)
})

test('UUIDs of version 4', () => {
  const uuids = new UuidSource(4)
  assert.equal(uuids.version, 4)
  const list = Array.from({ length: 5000 }, () => uuids.nextUuid())
  assert.ok(list.every(uuid => UUID.exec(uuid)?.[1] === '4'))
  assert.equal(new Set(list).size, list.length)
  for (const uuid of uuids) {
    assert.match(uuid, UUID)
    break
  }
  uuids.close()
  assert.throws(() => new UuidSource(5), { name: 'RangeError', code: 'invalid_parameter' })
  const message = 'version should be the number 4 or 7, not "7"'
  assert.throws(() => new UuidSource('7'), { name: 'TypeError', code: 'invalid_parameter', message })
})

test('sources by their URLs', async t => {
  const { url, createTag } = await idService(t)
  for (const tag of ['orders', 'shop/orders']) await createTag(tag)
  const query = 'layout=discord&policy=leaf&start=zero&reserve_ms=60000&wait_ms=9&max_ahead_ms=5'
  const flake = await open(`snowflake+${url}?${query}`)
  assert.ok(flake instanceof Snowflake && flake.nextId() > 0n)
  assert.equal(flake.waitMs, 9)
  const own = 'layout=time:41,worker:10,sequence:12&epoch_ms=1700000000000&tick_ms=1'
  const { url: ofFields } = await idService(t)
  const fields = await open(`snowflake+${ofFields}/?${own}`)
  assert.equal(fields.layout.epochMs, 1_700_000_000_000n)
  const segment = await open(`segment+${url}?tag=orders&step=10&prefetch=50&wait_ms=100`)
  assert.ok(segment instanceof Segment)
  assert.equal(await segment.nextIdAsync(PATIENCE_MS), 1n)
  const shop = await open(`segment+${url}?namespace=shop&tag=orders`)
  assert.deepEqual([shop.tag, await shop.nextIdAsync(PATIENCE_MS)], ['shop/orders', 1n])
  const random = await open('snowflake:?worker_id=random')
  assert.ok(random.layout.decode(random.nextId()).unixMs > 0n)
  assert.equal((await open('uuid:')).version, 7)
  assert.equal((await open('uuid:?version=4')).version, 4)
  const ofClass = await Snowflake.open('snowflake:?worker_id=random')
  assert.ok(ofClass instanceof Snowflake)
  ofClass.close()
  for (const [Class, other] of [[Snowflake, 'uuid:'], [Segment, 'uuid:']]) {
    await assert.rejects(Class.open(other), { code: 'invalid_parameter', message: /of the kind \w+, and \w+ is asked for$/ })
  }
  for (const source of [flake, fields, segment, shop, random]) await source.closeAsync()
})

test('URLs that open nothing', async () => {
  const wrong = [
    ['', 'invalid_url'],
    ['no url', 'invalid_url'],
    ['snowflake+https://x?layot=twitter', 'unknown_parameter'],
    ['snowflake+https://x?state=dir', 'unknown_parameter'],
    ['snowflake+https://x?ring=1024', 'unknown_parameter'],
    ['segment+https://x?tag=orders&ring=1024', 'unknown_parameter'],
    ['snowflake+https://x?worker_id=random', 'invalid_parameter'],
    ['snowflake+https://x?constructor=1', 'unknown_parameter'],
    ['snowflake+https://x?__proto__=1', 'unknown_parameter'],
    ['snowflake+https://x?reserveMs=500', 'unknown_parameter'],
    ['snowflake+https://x?store=1', 'unknown_parameter'],
    ['snowflake+https://x?reserve_ms=soon', 'invalid_parameter'],
    ['snowflake+https://x?reserve_ms=500&reserve_ms=600', 'invalid_parameter'],
    ['snowflake+https://x?layout=twitter&tick_ms=1', 'invalid_parameter'],
    ['snowflake+https://x?layout=nobodys', 'unknown_layout'],
    ['snowflake:?worker_id=7', 'unsupported'],
    ['snowflake:?worker_id=env', 'unsupported'],
    ['snowflake:', 'invalid_parameter'],
    ['snowflake+sqlite:ids.db', 'unsupported'],
    ['segment+sqlite:ids.db?tag=a', 'unsupported'],
    ['segment+https://x', 'invalid_parameter'],
    ['segment+https://x?namespace=shop', 'invalid_parameter'],
    ['segment+https://x?tag=shop/orders', 'invalid_tag'],
    ['segment+https://x?namespace=a/b&tag=orders', 'invalid_tag'],
    ['segment+https://x?namespace=&tag=orders', 'invalid_tag'],
    ['daily+https://x?tag=a', 'unsupported'],
    ['uuid:?version=5', 'invalid_parameter'],
    ['uuid:?version=7&x=1', 'unknown_parameter'],
    ['memory:', 'unknown_scheme'],
    ['constructor:', 'unknown_scheme'],
  ]
  for (const [url, code] of wrong) await assert.rejects(open(url), { code }, url)
  await assert.rejects(open(7), TypeError)
  const known = 'worker_id, layout, epoch_ms, tick_ms, policy, max_ahead_ms, start, reserve_ms, wait_ms'
  await assert.rejects(open('snowflake:?layot=x'), { message: `snowflake has no parameter "layot"; there are ${known}` })
  const without = `snowflake has no parameter "state" without Node's addon; there are ${known}`
  await assert.rejects(open('snowflake+https://x?state=dir'), error => error.message.startsWith(without))
  await assert.rejects(open('uuid:?x=1'), { message: 'uuid has no parameter "x"; there are version' })
})

test('stats() of a random worker ID and of UUIDs', () => {
  const flake = new Snowflake({ workerId: 'random' })
  const { workerId } = flake.layout.decode(flake.nextId())
  const { kind, isClosed, workerId: told } = flake.stats()
  assert.deepEqual([kind, isClosed, told], ['snowflake', false, workerId])
  flake.close()
  assert.deepEqual([flake.stats().isClosed, flake.stats().workerId], [true, undefined])
  assert.equal(new UuidSource(7).stats().kind, 'uuid')
})

test('UUIDs are closed as other sources are', async () => {
  const uuids = new UuidSource()
  await uuids.closeAsync(10)
  await assert.rejects(uuids.closeAsync(-1), { code: 'invalid_parameter' })
  assert.match(uuids.nextUuid(), /^[0-9a-f-]{36}$/)
})
