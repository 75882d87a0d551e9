// Every way of minting, mixed; order; closing; iteration; stores.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import {
  Daily, Layout, Ring, Segment, Sequences, Snowflake, SnowmintError, Store, UuidSource, engine, openSync,
} from 'snowmint'

import { directory } from './reading.mjs'

function rising(ids) {
  for (let at = 1; at < ids.length; at++) assert.ok(ids[at] > ids[at - 1], `${ids[at]} after ${ids[at - 1]}`)
}

/** Mints in every way, several times over, and gives all IDs in their order. */
async function mixed(source) {
  const all = []
  for (let round = 0; round < 5; round++) {
    all.push(source.nextId(), BigInt(source.nextIdString()), ...source.nextIds(7))
    all.push(...source.fill(new BigUint64Array(11)), await source.nextIdAsync())
    all.push(...await source.nextIdsAsync(13), ...await source.fillAsync(new BigUint64Array(17)))
    for (const id of source) {
      all.push(id)
      if (all.length % 5 === 0) break
    }
    for await (const id of source) {
      all.push(id)
      if (all.length % 7 === 0) break
    }
  }
  return all
}

test('a policy of one\'s own', async () => {
  const policy = new engine.ClockPolicy({ name: 'own', maxAheadMs: 0, whenBehind: 'fail', whenFull: 'fail' })
  const layout = new Layout('time:40,worker:10,sequence:1', { tickMs: 600_000 })
  const flake = await Snowflake.open({ store: Store.openSync('memory:'), layout, policy, start: 'zero' })
  // Two a tick, and a tick may end in between.
  const ids = []
  await assert.rejects(async () => { while (ids.length < 8) ids.push(await flake.nextIdAsync(600_000)) }, { code: 'sequence_exhausted' })
  assert.ok(ids.length <= 4, `${ids.length}`)
  await flake.closeAsync()
})

test('no ID is dated ahead where nothing is borrowed', async t => {
  const flake = await Snowflake.open({ workerId: 7, stateDirectory: directory(t), maxAheadMs: 0 })
  // As many as 244 ticks have: borrowed, the last would be that far ahead.
  const last = (await flake.nextIdsAsync(1_000_000)).at(-1)
  assert.ok(last <= flake.layout.maxId(Date.now() + 100))
  flake.close()
})

test('a fixed worker ID that had a rest', async t => {
  // Stopped for longer than what was reserved lasts, with nobody to renew it.
  const script = `
    const flake = require('snowmint').openSync('snowflake:?worker_id=7&reserve_ms=100&max_ahead_ms=0&state=' + process.argv[1])
    const ids = [flake.nextId()]
    for (let stop = 0; stop < 5; stop++) {
      process.kill(process.pid, 'SIGSTOP')
      ids.push(flake.nextId(), ...flake.nextIds(3))
    }
    process.stdout.write(ids.join())
    flake.close()
  `
  const child = spawn(process.execPath, ['-e', script, directory(t)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const goesOn = setInterval(() => child.kill('SIGCONT'), 1000)
  const ids = (await text(child.stdout)).split(',')
  clearInterval(goesOn)
  assert.equal(ids.length, 21)
  rising(ids.map(BigInt))
})

test('a snowflake of a fixed worker ID, in every way', async t => {
  const flake = await Snowflake.open({ workerId: 7, stateDirectory: directory(t), layout: 'discord' })
  rising(await mixed(flake))
  assert.equal(flake.layout, flake.layout)
  assert.equal(flake.layout.text, Layout.DISCORD.text)
  assert.equal(flake.layout.decode(flake.nextId()).workerId, 7)
  assert.ok(Math.abs(flake.layout.decode(flake.nextId()).time - Date.now()) < 60_000)
  assert.match(flake.nextIdString('base32'), /^[0-9A-Z]{13}$/)
  await flake.closeAsync()
  assert.ok(flake.closed)
})

test('a segment, in every way, across ranges and blocks', async t => {
  const store = await Store.open(`sqlite:${directory(t)}/ids.db?create=true`)
  await store.createTag('orders', { step: 20_000 })
  const segment = await Segment.open({ tag: 'orders', store, step: 20_000 })
  const all = await mixed(segment)
  assert.deepEqual(all, Array.from(all, (_, at) => BigInt(at + 1)), 'no gap, in order')
  const next = BigInt(all.length + 1)
  const many = await segment.nextIdsAsync(50_000)
  assert.deepEqual([many[0], many.at(-1)], [next, next + 49_999n])
  segment.close()
  assert.throws(() => segment.nextId(), { code: 'closed' })
  assert.throws(() => segment.nextIds(3), { code: 'closed' })
  await assert.rejects(segment.nextIdAsync(), { code: 'closed' })
})

test('a segment with a stride, in text', async () => {
  const store = Store.openSync('memory:')
  await store.createTag('odd', { start: 1, stride: 2n })
  const segment = await Segment.open({ tag: 'odd', store })
  assert.deepEqual([segment.nextIdString(), segment.nextIdString('hex')], ['1', '0000000000000003'])
  assert.throws(() => segment.nextIdString('base1'), { code: 'unknown_text_form' })
})

test('a segment opened on this thread is ready when it says so', async () => {
  const store = Store.openSync('memory:')
  await store.createTag('orders')
  const segment = new Segment({ tag: 'orders', store })
  assert.throws(() => segment.nextId(), { code: 'wait_timeout' })
  await segment.ready()
  assert.equal(segment.nextId(), 1n)
})

test('a block that a segment cannot fill takes no number', async () => {
  // It answers on the event loop, which a call that never waits has no turn of.
  let next = 1n
  const allocate = async (_tag, count) => [next, next += BigInt(count)]
  const segment = await Segment.open({ tag: 'orders', allocate, step: 10 })
  assert.throws(() => segment.nextIds(1000), { code: 'wait_timeout' })
  assert.throws(() => segment.fill(new BigUint64Array(1000)), { code: 'wait_timeout' })
  const ids = [segment.nextId(), ...await segment.nextIdsAsync(100), await segment.nextIdAsync()]
  assert.deepEqual(ids, Array.from(ids, (_, at) => BigInt(at + 1)))
})

/** Holds the event loop up, as a program's own work does. */
function busy(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** Asks without a turn of the event loop, until there is something. */
function insisting(call) {
  for (let attempts = 1000; ; attempts--) {
    try {
      return call()
    } catch (error) {
      if (error.code !== 'wait_timeout' || attempts === 0) throw error
      busy(5)
    }
  }
}

const WAITING = {
  ready: async segment => {
    await segment.ready()
    return 0n
  },
  nextIdAsync: segment => segment.nextIdAsync(),
  nextIdsAsync: async segment => (await segment.nextIdsAsync(10)).at(-1),
  fillAsync: async segment => (await segment.fillAsync(new BigUint64Array(10))).at(-1),
}
const TAKING = {
  ...WAITING,
  nextId: async segment => insisting(() => segment.nextId()),
  nextIds: async segment => insisting(() => segment.nextIds(10)).at(-1),
  fill: async segment => insisting(() => segment.fill(new BigUint64Array(15))).at(-1),
}

for (const [waits, wait] of Object.entries(WAITING)) {
  for (const [takes, take] of Object.entries(TAKING)) {
    test(`numbers rise where ${waits} waits and ${takes} takes`, async () => {
      for (const ms of [0, 20]) {
        const store = Store.openSync('memory:')
        await store.createTag('orders', { step: 10 })
        const segment = new Segment({ tag: 'orders', store, step: 10 })
        const waited = wait(segment)
        await Promise.resolve()
        // Its thread may have numbers by now that nobody has seen.
        busy(ms)
        const seen = [await take(segment), await waited]
        await segment.ready()
        const next = segment.nextId()
        for (const id of seen) assert.ok(next > id, `${next} after ${id}`)
        segment.close()
      }
    })
  }
}

test('waiting callers come in turn', async () => {
  const store = Store.openSync('memory:')
  await store.createTag('orders')
  const segment = new Segment({ tag: 'orders', store })
  const ids = await Promise.all(Array.from({ length: 100 }, () => segment.nextIdAsync()))
  assert.equal(new Set(ids).size, 100)
})

test('a full tick throws, says for how long, and async calls wait', async t => {
  const options = { workerId: 0, layout: 'time:44,worker:2,sequence:1', maxAheadMs: 0, start: 'zero' }
  const flake = new Snowflake({ ...options, stateDirectory: directory(t) })
  let stall
  while (stall === undefined) {
    try {
      flake.nextId()
    } catch (error) {
      stall = error
    }
  }
  assert.ok(stall instanceof SnowmintError)
  assert.equal(stall.code, 'sequence_exhausted')
  assert.ok(stall.waitMs >= 1)
  const ids = []
  for (let n = 0; n < 20; n++) ids.push(await flake.nextIdAsync())
  ids.push(...await flake.nextIdsAsync(10))
  rising(ids)
  flake.close()
})

test('more than can ever be had at once is refused, and nothing taken', async t => {
  const flake = new Snowflake({ workerId: 0, layout: 'twitter', start: 'zero', stateDirectory: directory(t) })
  const message = waits => new RegExp(`^5000000 IDs are never to be had without waiting, .* at most 4100096 at once: .*: await ${waits}\\(\\)$`)
  for (let n = 0; n < 3; n++) {
    assert.throws(() => flake.nextIds(5_000_000), { code: 'count_out_of_range', message: message('nextIdsAsync') })
    assert.throws(() => flake.fill(new BigUint64Array(5_000_000)), { code: 'count_out_of_range', message: message('fillAsync') })
  }
  assert.equal((await flake.nextIdsAsync(5_000_000)).length, 5_000_000)
  flake.close()
})

test('an empty ring names the call that waits', async t => {
  const ring = openSync(`snowflake:?worker_id=7&state=${directory(t)}&ring=64`)
  assert.throws(() => ring.nextId(), { code: 'empty', message: 'no ID is ready: await nextIdAsync()' })
  assert.equal(typeof await ring.nextIdAsync(), 'bigint')
  ring.close()
})

test('daily numbers', async t => {
  const store = await Store.open(`sqlite:${directory(t)}/ids.db?create=true`)
  const daily = await Daily.open({ tag: 'invoices', store, zone: '+08:00', digits: 8 })
  assert.equal(daily.tag, 'invoices')
  const first = await daily.nextIdAsync()
  assert.match(String(first), /^\d{8}00000001$/)
  assert.equal(daily.nextId(), first + 1n)
  assert.deepEqual([...daily.nextIds(3)], [first + 2n, first + 3n, first + 4n])
  daily.close()
  assert.throws(() => daily.nextId(), { code: 'closed' })
})

test('daily numbers that are not at hand are waited for by async calls alone', async () => {
  const calls = {
    nextId: daily => daily.nextId(),
    nextIds: daily => daily.nextIds(5),
    fill: daily => daily.fill(new BigUint64Array(5)),
  }
  for (const [name, call] of Object.entries(calls)) {
    const daily = new Daily({ tag: 'bills', store: Store.openSync('memory:') })
    assert.throws(() => call(daily), { code: 'wait_timeout' }, name)
    assert.equal(await daily.nextIdAsync() % 1_000_000n, 1n)
    daily.close()
  }
})

test('sequences of keys', async t => {
  const store = await Store.open(`sqlite:${directory(t)}/ids.db?create=true`)
  const chat = await Sequences.open({ tag: 'chat', store, keysPerSection: 10, step: 100 })
  assert.throws(() => chat.next(3), { code: 'wait_timeout' })
  assert.equal(await chat.nextAsync(3), 1n)
  assert.equal(chat.next(3n), 2n)
  assert.equal(chat.next(4), 1n)
  assert.equal(await chat.nextAsync(17), 1n)
  assert.deepEqual([chat.next('3'), await chat.nextAsync('17')], [3n, 2n])
  assert.throws(() => chat.next('3.5'), { code: 'invalid_text' })
  assert.throws(() => chat.next(null), /^TypeError.*key should be a bigint, a number or decimal digits, not null$/)
  await assert.rejects(Sequences.open({ tag: 'chat', store, keysPerSection: 11 }), { code: 'invalid_parameter' })
  chat.close()
  chat.close()
  assert.throws(() => chat.next(3), { code: 'closed' })
  await assert.rejects(chat.nextAsync(3), { code: 'closed' })
  assert.throws(() => new Sequences(), { code: 'invalid_parameter' })
})

test('UUIDs', () => {
  const uuids = new UuidSource()
  assert.equal(uuids.version, 7)
  const made = []
  for (const uuid of uuids) if (made.push(uuid) === 100) break
  assert.deepEqual([...made].sort(), made, 'version 7 rises')
  assert.equal(new UuidSource(4).nextUuid()[14], '4')
  assert.equal(openSync('uuid:?version=4').version, 4)
})

test('subclasses with constructors of their own', async t => {
  class Mine extends Snowflake {
    constructor(options) {
      super(options)
      this.shop = 'tea'
    }
  }
  class Orders extends Segment {
    constructor(options) {
      super(options)
    }
  }
  class Invoices extends Daily {
    constructor(options) {
      super(options)
    }
  }
  const store = Store.openSync('memory:')
  await store.createTag('orders')
  const stateDirectory = directory(t)
  for (const mine of [await Mine.open({ workerId: 30, stateDirectory }), new Mine({ workerId: 31, stateDirectory })]) {
    assert.deepEqual([mine.shop, mine.layout.decode(mine.nextId()).workerId - 30], ['tea', mine.stats().workerId - 30])
    mine.close()
  }
  assert.equal((await Orders.open({ tag: 'orders', store })).nextId(), 1n)
  assert.equal((await Invoices.open({ tag: 'bills', store })).tag, 'bills')
  class Discord extends Snowflake {
    constructor(options) {
      super({ ...options, layout: 'discord' })
    }
  }
  await assert.rejects(Discord.open({ workerId: 32, stateDirectory }), {
    name: 'TypeError', code: 'invalid_parameter', message: /hand it to super as it is, and set options in a static open/,
  })
})

test('leases from a store, and what it knows of them', async t => {
  const store = await Store.open(`sqlite:${directory(t)}/ids.db?create=true`)
  const [a, b] = await Promise.all([Snowflake.open({ store }), Snowflake.open({ store })])
  const workers = [a, b].map(flake => flake.layout.decode(flake.nextId()).workerId)
  // The first of a new file is random, and the next one follows, or is the least.
  const rows = await store.workers()
  const known = rows.map(row => [row.workerId, row.held])
  assert.deepEqual(known, workers.sort((one, other) => one - other).map(worker => [worker, true]))
  assert.ok(rows[0].reservedMs > BigInt(Date.now()))
  await Promise.all([a.closeAsync(60_000), b.closeAsync(60_000)])
  assert.deepEqual((await store.workers()).map(row => row.held), [false, false])
  assert.equal(await store.evict(rows[0].realm, workers[0]), true)
  assert.equal(await store.evict('nowhere', 0), false)
})

test('tags of a store', async () => {
  const store = Store.openSync('memory:')
  await store.createTag('orders', { start: 10n, step: 5 })
  assert.equal((await store.tag('orders')).next, 10n)
  assert.equal(await store.tag('none'), undefined)
  assert.equal((await store.changeTag('orders', { next: 100, step: 7n })).step, 7n)
  await assert.rejects(store.changeTag('orders', { next: 99 }), { code: 'range_regressed' })
  assert.equal((await store.changeTag('orders', { max: 200 })).max, 200n)
  await assert.rejects(store.changeTag('orders', { max: 50 }), { code: 'invalid_range' })
  await assert.rejects(store.createTag('orders'), { code: 'tag_exists' })
  assert.equal(await store.ensureTag('orders', { start: 1 }), false)
  assert.equal((await store.tag('orders')).next, 100n)
  assert.equal(await store.ensureTag('bills', { start: 7 }), true)
  assert.equal((await store.tag('bills')).next, 7n)
  assert.deepEqual((await store.tags()).map(row => row.tag), ['bills', 'orders'])
  await assert.rejects(store.vouch('any', { raiseBySteps: 1 }), { code: 'unsupported' })
})

/** The next number; a segment asks for a range again a moment after a refusal. */
async function onceItGoesOn(segment) {
  const deadline = Date.now() + 60_000
  for (;;) {
    try {
      return await segment.nextIdAsync()
    } catch (error) {
      if (error.code !== 'tag_exhausted' || Date.now() > deadline) throw error
      await setTimeout(10)
    }
  }
}

test('a max ends a tag, until it is widened', async () => {
  const store = Store.openSync('memory:')
  await store.createTag('small', { start: 5, step: 10, max: 7n })
  const segment = await Segment.open({ tag: 'small', store })
  assert.deepEqual([...segment.nextIds(3)], [5n, 6n, 7n])
  await assert.rejects(segment.nextIdAsync(), { code: 'tag_exhausted' })
  await assert.rejects(store.changeTag('small', { max: 6 }), { code: 'invalid_range' })
  await assert.rejects(store.changeTag('small', { next: 9 }), { code: 'invalid_range' })
  assert.equal((await store.changeTag('small', { max: 9 })).max, 9n)
  assert.deepEqual([await onceItGoesOn(segment), await segment.nextIdAsync()], [8n, 9n])
  await assert.rejects(segment.nextIdAsync(), { code: 'tag_exhausted' })
  await assert.rejects(store.createTag('none', { start: 10, max: 9 }), { code: 'invalid_range' })
  await assert.rejects(store.createTag('none', { max: 2n ** 63n }), { code: 'invalid_range' })
  await store.createTag('usual')
  assert.equal((await store.tag('usual')).max, 2n ** 63n - 2n)
})

test('tags of one name in two namespaces', async () => {
  const store = Store.openSync('memory:')
  const names = ['orders', 'mall/orders', 'shop/orders']
  for (const [at, tag] of names.entries()) {
    await store.createTag(tag, { start: 100 * at, max: 100 * at + 99 })
    const segment = await Segment.open({ tag, store })
    assert.deepEqual([segment.tag, segment.nextId()], [tag, BigInt(100 * at)])
    const daily = await Daily.open({ tag, store })
    assert.equal(await daily.nextIdAsync() % 1_000_000n, 1n)
    const sequences = await Sequences.open({ tag: tag.replace('orders', 'chat'), store })
    assert.equal(await sequences.nextAsync(7), 1n)
  }
  const rows = (await store.tags()).filter(row => names.includes(row.tag))
  assert.deepEqual(rows.map(row => [row.tag, row.max]), [['mall/orders', 199n], ['orders', 99n], ['shop/orders', 299n]])
  for (const tag of ['/orders', 'shop/', 'a/b/c', `shop/${'x'.repeat(60)}`]) {
    await assert.rejects(store.createTag(tag), { code: 'invalid_tag' }, tag)
    await assert.rejects(Segment.open({ tag, store }), { code: 'invalid_tag' }, tag)
  }
})

test('closing twice, and with the words of the language', async t => {
  const options = { workerId: 3, stateDirectory: directory(t) }
  const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose')
  const asyncDispose = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')
  const first = new Snowflake(options)
  first[dispose]()
  first[dispose]()
  first.close()
  const second = new Snowflake(options)
  await second[asyncDispose]()
  await second.closeAsync()
  for (const call of [() => second.nextId(), () => second.nextIdString(), () => second.nextIds(2),
    () => second.fill(new BigUint64Array(2)), () => [...second]]) {
    assert.throws(call, { name: 'SnowmintError', code: 'closed' })
  }
  for (const call of [second.nextIdAsync(), second.nextIdsAsync(2), second.fillAsync(new BigUint64Array(2))]) {
    await assert.rejects(call, { code: 'closed' })
  }
  new Snowflake(options).close()
})

test('arrays on shared memory, and views into a larger one', t => {
  const flake = new Snowflake({ workerId: 1, stateDirectory: directory(t) })
  const shared = flake.fill(new BigUint64Array(new SharedArrayBuffer(80)))
  rising([...shared])
  const whole = new BigUint64Array(10)
  flake.fill(whole.subarray(2, 5))
  assert.deepEqual([...whole].map(id => id > 0n), [false, false, true, true, true, false, false, false, false, false])
  flake.fill(new BigUint64Array(0))
  flake.close()
})

test('a class opens URLs of its kind alone', async t => {
  const state = directory(t)
  const store = await Store.open(`sqlite:${state}/ids.db?create=true`)
  await store.createTag('orders')
  const urls = new Map([
    [Snowflake, `snowflake:?worker_id=7&state=${state}`],
    [Segment, `segment+sqlite:${state}/ids.db?tag=orders`],
    [Daily, `daily+sqlite:${state}/ids.db?tag=invoices`],
    [Sequences, `sequences+sqlite:${state}/ids.db?tag=chat`],
    [Ring, `snowflake:?worker_id=8&state=${state}&ring=16`],
    [UuidSource, 'uuid:?version=4'],
  ])
  for (const Class of urls.keys()) {
    for (const [Other, url] of urls) {
      if (Class === Other) {
        const source = await Class.open(url)
        assert.ok(source instanceof Class)
        source.close()
      } else {
        await assert.rejects(Class.open(url), { code: 'invalid_parameter', message: /of the kind \w+, and \w+ is asked for$/ })
      }
    }
  }
})
