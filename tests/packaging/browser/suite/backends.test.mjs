// The addon and the WebAssembly: the same tables, the same results, the same words.

import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import path from 'node:path'
import { test } from 'node:test'

import { home } from './chromium.mjs'

const require = createRequire(import.meta.url)
const native = require('snowmint')
const wasm = require(path.join(home, 'dist/snowmint.node.cjs'))

/** As it prints: classes of two copies of the package are not the same. */
function shown(value) {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part))
}

function said(snowmint, call) {
  try {
    return shown(call(snowmint))
  } catch (error) {
    const { code, number, waitMs, message } = error
    return shown({ name: error.name, isOurs: error instanceof snowmint.SnowmintError, code, number, waitMs, message })
  }
}

test('one is native, the other is not', () => {
  assert.deepEqual([native.backend, wasm.backend], ['native', 'wasm'])
})

test('both export the same', async () => {
  assert.deepEqual(Object.keys(wasm).sort(), Object.keys(native).sort())
  assert.deepEqual(Object.keys(wasm.engine).sort(), Object.keys(native.engine).sort())
  assert.deepEqual(Object.keys(wasm.Layout).sort(), Object.keys(native.Layout).sort())
  await Promise.all([native.init(), wasm.init()])
})

/** The realm that a generator of a layout asks a store for. */
async function realm(snowmint, layout) {
  const asked = []
  const lease = ({ reserveMs, realm }) => {
    asked.push(realm)
    const nowMs = Date.now()
    return { workerId: 0, epoch: 1, floorMs: nowMs, reservedMs: nowMs + reserveMs, nowMs }
  }
  const store = {
    acquire: lease,
    renew: (held, _, reserveMs) => ({ ...lease({ reserveMs, realm: held.realm }), floorMs: held.floorMs }),
    release() {},
  }
  const flake = await snowmint.Snowflake.open({ store, layout: layout(snowmint.Layout) })
  flake.close()
  return asked[0]
}

test('pages and servers share worker IDs: a layout has one realm', async () => {
  const layouts = [
    Layout => Layout.TWITTER,
    Layout => Layout.SONYFLAKE_V1,
    Layout => new Layout('time:31,worker:10,sequence:22', { epochMs: 1_700_000_000_123, tickMs: 1000 }),
  ]
  const realms = []
  for (const layout of layouts) {
    realms.push(await realm(native, layout))
    assert.equal(await realm(wasm, layout), realms.at(-1))
  }
  assert.equal(new Set(realms).size, layouts.length)
})

/** Returns the code of an error. The addon alone has the reader, which words the errors of some texts. */
function codeOf(call) {
  try {
    return call()
  } catch (error) {
    return error.code
  }
}

const SAME = {
  'tables': s => [s.errorCodes, s.Layout.presets(), s.engine.policies, s.engine.limits, s.textForms(), s.version],
  'an unknown layout': s => s.Layout.of('twittr"\\'),
  'no fields': s => s.Layout.of('time:41,worker'),
  'fields that are too wide': s => new s.Layout('time:41,worker:40'),
  'a tick of 0': s => new s.Layout('time:41', { tickMs: 0 }),
  'an unknown form': s => s.format(1n, 'base1'),
  'a text with a NUL': s => s.parse('a\0b', 'base36'),
  'a wrong symbol': s => s.parse('ä1', 'base58'),
  'a text that is too long': s => codeOf(() => s.parse('1'.repeat(50), 'base62')),
  'a text that is far too long': s => s.parse('1'.repeat(1e6), 'base62'),
  'a wide text that is far too long': s => s.parse('é'.repeat(1e5), 'dec'),
  'a text too long for any form': s => s.detect('1'.repeat(1e6)),
  'an overflow': s => codeOf(() => s.parse('18446744073709551616', 'dec')),
  'a mistyped check symbol': s => codeOf(
    () => s.parse(`${s.format(7n, 'base32-check').slice(0, -1)}U`, 'base32-check')
  ),
  'another spelling': s => s.parse('01', 'dec'),
  'no text': s => s.parse('', 'dec'),
  'a text of no form': s => s.detect('§'),
  'the largest ID': s => [s.format(2n ** 64n - 1n, 'dec'), s.parse('18446744073709551615')],
  'an ID that is none': s => s.decode(2n ** 63n, 'twitter'),
  'guesses': s => s.guess('175928847299117063', { now: 1_795_219_200_000, beside: 'guildId' }),
  'no guess': s => s.decode(12345n),
  'decode in another layout': s => s.decode('175928847299117063', 'discord'),
  'a time before the epoch': s => s.Layout.TWITTER.minId(0),
  'a time at the end of all times': s => s.Layout.TWITTER.maxId(2n ** 63n - 1n),
  'a worker ID that is too large': s => s.Layout.TWITTER.workerId({ datacenter: 32 }),
  'a worker ID of all parts': s => s.Layout.TWITTER.workerId({ worker: 26, datacenter: 11 }),
  'a part that is no worker': s => s.Layout.TWITTER.workerId({ time: 1 }),
  'the parts of a worker ID': s => ['twitter', 'discord', 'mastodon'].map(name => s.Layout.of(name).workerParts(0)),
  'the parts of the largest worker ID': s => s.Layout.DISCORD.workerParts(1023),
  'the parts of no worker ID': s => s.Layout.DISCORD.workerParts(1024),
  'a part that encode does not take': s => s.Layout.TWITTER.encode({ time: 0, datacenter: 1 }),
  'what fits': s => [53, 63, 64, 1].map(bits => s.Layout.TWITTER.fits(bits)),
  'a number': s => s.Layout.COSID_JS_MS.toNumber(s.Layout.COSID_JS_MS.maxId(Date.UTC(2026, 5))),
  'no number': s => s.Layout.TWITTER.toNumber(1541815603606036480n),
  'a stall': s => {
    const flake = new s.engine.Snowflake({ layout: 'time:41,worker:10,sequence:1' })
    return [flake.nextId(5), flake.nextId(5), flake.nextId(5)]
  },
  'an exhausted grant': s => new s.engine.Snowflake({ lane: { reserved: 0n } }).nextId(1_656_432_460_105),
  'too many IDs': s => new s.engine.Snowflake({}).issue(2 ** 32 - 1, 1_656_432_460_105),
  'no IDs': s => new s.engine.Snowflake({}).issue(0, 1_656_432_460_105),
  'many IDs': s => [...new s.engine.Snowflake({ maxAheadMs: 10 }).issue(10_000, 1_656_432_460_105)].slice(-2),
  'an unknown start': s => new s.engine.Snowflake({ start: 'one' }),
  'no range': s => new s.engine.Range(5n, 5n),
  'no step': s => new s.engine.SegmentBuffer({ step: 0 }),
  'a range that regresses': s => {
    const buffer = new s.engine.SegmentBuffer({ step: 10, above: 100n })
    buffer.supply(new s.engine.Range(1n, 11n), 0)
  },
  'an unknown policy': s => new s.engine.ClockPolicy({ name: 'own', whenBehind: 'pray', whenFull: 'wait' })
    .action(new s.SnowmintError('clock_behind', '', { waitMs: 1 })),
  'a policy of a number': s => new s.engine.ClockPolicy({ name: 'own', whenBehind: 5, whenFull: 'wait' }),
  'a policy without a rule': s => new s.engine.ClockPolicy({ name: 'own', whenBehind: 'fail' }),
  'a policy that waits for less than nothing': s => (
    new s.engine.ClockPolicy({ name: 'own', whenBehind: 'wait', whenFull: 'wait', maxWaitMs: -1 })
  ),
  'a policy with a rule too many': s => new s.engine.ClockPolicy({ whenBehind: 'fail', whenFull: 'wait', when: 1 }),
  'no stall': s => s.engine.policies[0].action(new s.SnowmintError('closed', '')),
  'guesses': s => [0n, 1n, 1541815603606036480n, 2n ** 64n - 1n].map(id => s.guess(id, 1_795_000_000_000)),
  'an ID as a number': s => s.decode(7),
  'no layout': s => s.decode(1n, {}),
  'timestamps': s => [0, -1, 2n ** 63n - 1n, -(2n ** 63n)].map(time => s.engine.timestamp(time)),
}

for (const [name, call] of Object.entries(SAME)) {
  test(`both say the same: ${name}`, () => assert.equal(said(wasm, call), said(native, call)))
}

test('many IDs taken apart', () => {
  const ids = BigUint64Array.from({ length: 5000 }, (_, n) => 1541815603606036480n + BigInt(n) * 987_654_321n)
  assert.equal(shown(wasm.Layout.TWITTER.decodeMany(ids)), shown(native.Layout.TWITTER.decodeMany(ids)))
  const wrong = ids.slice()
  wrong[4999] = 2n ** 63n
  const call = s => s.Layout.TWITTER.decodeMany(wrong)
  assert.equal(said(wasm, call), said(native, call))
})

test('the memory of the module, which never shrinks, does not grow with a text', () => {
  // As external memory, which is that of the module and of array buffers.
  const held = () => {
    const { external, arrayBuffers } = process.memoryUsage()
    return external - arrayBuffers
  }
  const long = '1'.repeat(3e7)
  const before = held()
  const calls = [
    () => wasm.parse(long, 'dec'), () => wasm.parse('1', long), () => wasm.format(1n, long), () => wasm.Layout.of(long),
    () => new wasm.Layout(long), () => new wasm.engine.Snowflake({ start: long }),
    () => new wasm.engine.ClockPolicy({ name: 'mine', maxAheadMs: 0, whenBehind: long, whenFull: 'wait' }),
  ]
  for (const call of calls) assert.throws(call, wasm.SnowmintError)
  assert.equal(wasm.detect(long), null)
  assert.ok(held() - before < 1e7, `${held() - before} bytes more`)
})

test('a generator that has no ID at once says why, and goes on', () => {
  let now = 1_700_000_000_000
  const layout = new wasm.Layout('time:41,worker:16,sequence:1', { tickMs: 10 })
  const clock = { wall: () => now, mono: () => now }
  const flake = new wasm.Snowflake({ workerId: 'random', layout, clock, maxAheadMs: 0 })
  const ids = [flake.nextId(), flake.nextId()]
  const stall = { name: 'SnowmintError', code: 'sequence_exhausted', number: 201, waitMs: 10 }
  assert.throws(() => flake.nextId(), stall)
  assert.throws(() => flake.fill(new BigUint64Array(1)), stall)
  now += 10
  ids.push(flake.nextId(), ...flake.nextIds(1))
  assert.deepEqual(ids, [...new Set(ids)].sort())
  flake.close()
})

/** Calls where the stack is full, and on the way back until there is room for it. */
function overflow(call, depths = 50) {
  let calls, failed
  // A function that was never called has to be compiled, for which there is no room either.
  for (let n = 0; n < 10; n++) call()
  const deep = () => {
    try {
      deep()
    } catch {
      // That was the last of the stack.
    }
    if (calls === 0) return
    calls--
    try {
      call()
    } catch (error) {
      failed = error instanceof RangeError ? error : failed
    }
  }
  const below = depth => (depth ? below(depth - 1) : deep())
  for (let depth = 0; depth < depths; depth++) {
    calls = 60
    below(depth)
    assert.ok(failed, 'it overflows')
  }
}

const layout = new wasm.Layout('time:31,worker:16,sequence:16', { epochMs: Date.now() - 60_000 })
const numbers = new wasm.engine.SegmentBuffer({ step: 10 })
const machine = new wasm.engine.Snowflake({ layout, maxAheadMs: 2 ** 31 })
const flake = new wasm.Snowflake({ workerId: 'random', layout, maxAheadMs: 2 ** 31 })
const twitter = BigUint64Array.from({ length: 10 }, (_, n) => 1541815603606036480n + BigInt(n))

const DEEP = {
  nextId: () => flake.nextId(),
  fill: () => flake.fill(new BigUint64Array(100)),
  nextIds: () => flake.nextIds(10),
  issue: () => machine.issue(2000, Date.now()),
  open: () => machine.open({ workerId: 1 }),
  stall() {
    try {
      machine.nextId(0)
    } catch (error) {
      if (!(error instanceof wasm.SnowmintError)) throw error
    }
  },
  decode: () => wasm.Layout.TWITTER.decode(twitter[0]),
  workerParts: () => wasm.Layout.TWITTER.workerParts(378),
  guess: () => wasm.guess(twitter[0]),
  decodeMany: () => wasm.Layout.TWITTER.decodeMany(twitter),
  wants: () => numbers.wants(0),
  take: () => numbers.take(1n),
}

for (const [name, call] of Object.entries(DEEP)) {
  test(`a stack that overflows in ${name} leaves everything as it was`, () => {
    overflow(call)
    const ids = [...flake.nextIds(3000), flake.nextId()]
    assert.deepEqual(ids, [...new Set(ids)].sort((a, b) => (a < b ? -1 : 1)))
    machine.open({ workerId: 2 })
    assert.equal(machine.issue(3000, Date.now()).length, 3000)
    numbers.failed()
    assert.equal(numbers.wants(0), 10n)
    assert.equal(numbers.remaining, 0n)
  })
}

test('a stack that overflows while numbers are wanted does not end their coming', async () => {
  let next = 1n
  const allocate = async (_tag, count) => [next, next += BigInt(count)]
  const segment = await wasm.Segment.open({ tag: 'deep', allocate, step: 10 })
  let last = segment.nextId()
  for (let round = 0; round < 100; round++) {
    overflow(() => {
      try {
        segment.nextId()
      } catch (error) {
        if (error.code !== 'wait_timeout') throw error
      }
    }, 1)
    const id = await segment.nextIdAsync(300_000)
    assert.ok(id > last)
    last = id
  }
  segment.close()
})

test('handles are given back: forty thousand layouts and machines fit', async () => {
  for (let round = 0; round < 20; round++) {
    for (let n = 0; n < 2000; n++) new wasm.engine.Snowflake({ layout: 'time:41,worker:10,sequence:12' }).nextId(5)
    await new Promise(resolve => setTimeout(resolve))
  }
  assert.equal(wasm.Layout.of('time:41,worker:10,sequence:12').text, 'zero:1,time:41,worker:10,sequence:12')
})
