// Bad input: the language's own kind of error, with the code; the source goes on working.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  Daily, IdService, Layout, Segment, Sequences, Snowflake, SnowmintError, Store, UuidSource, engine, format, guess,
  open, openSync, parse,
} from 'snowmint'

import { directory } from './reading.mjs'

const NONSENSE = [undefined, null, true, 'seven', {}, [], Symbol('no'), () => 1]
const invalid = { code: 'invalid_parameter', number: 703 }

function flakeOf(t) {
  const flake = new Snowflake({ workerId: 9, stateDirectory: directory(t) })
  t.after(() => flake.close())
  return flake
}

test('counts', async t => {
  const flake = flakeOf(t)
  const before = flake.nextId()
  for (const count of [...NONSENSE, 3n]) {
    assert.throws(() => flake.nextIds(count), { name: 'TypeError', ...invalid })
    await assert.rejects(flake.nextIdsAsync(count), { name: 'TypeError', ...invalid })
  }
  for (const count of [1.5, NaN, Infinity]) {
    assert.throws(() => flake.nextIds(count), { name: 'RangeError', ...invalid, message: /from 1 to 16777216, not / })
  }
  const segment = new Segment({ tag: 'own', allocate: () => [1n, 2n], waitMs: 0 })
  t.after(() => segment.close())
  for (const count of [-1, 0, 2 ** 24 + 1, 2 ** 32, -(2 ** 53)]) {
    const error = { name: 'SnowmintError', code: 'count_out_of_range', message: `${count} is out of range: use 1 to 16777216` }
    for (const source of [flake, segment]) {
      assert.throws(() => source.nextIds(count), error)
      await assert.rejects(source.nextIdsAsync(count), error)
    }
  }
  assert.ok(flake.nextId() > before)
})

test('arrays', async t => {
  const flake = flakeOf(t)
  const wrong = [...NONSENSE, 7, new BigInt64Array(3), new Uint32Array(3), new ArrayBuffer(8), new DataView(new ArrayBuffer(8))]
  for (const array of wrong) {
    assert.throws(() => flake.fill(array), { name: 'TypeError', ...invalid })
    await assert.rejects(flake.fillAsync(array), { name: 'TypeError', ...invalid })
  }
  const gone = new BigUint64Array(8)
  structuredClone(gone.buffer, { transfer: [gone.buffer] })
  assert.equal(flake.fill(gone).length, 0)
  assert.ok(flake.nextId() > 0n)
})

test('waits', async t => {
  const flake = flakeOf(t)
  for (const waitMs of ['1', null, 1n, {}]) {
    await assert.rejects(flake.nextIdAsync(waitMs), { name: 'TypeError', ...invalid })
  }
  for (const waitMs of [-1, 0.5, NaN, Infinity]) {
    await assert.rejects(flake.nextIdAsync(waitMs), { name: 'RangeError', ...invalid })
  }
  assert.ok(await flake.nextIdAsync(0) < await flake.nextIdAsync(Number.MAX_SAFE_INTEGER))
})

test('IDs: a number is no ID', () => {
  for (const call of [id => Layout.TWITTER.decode(id), id => format(id), id => guess(id)]) {
    for (const id of [7, 2 ** 60, NaN]) {
      assert.throws(() => call(id), error => error instanceof TypeError && /bigint/.test(error.message) && error.code === 'invalid_parameter')
    }
    for (const id of NONSENSE.filter(value => typeof value !== 'string')) {
      assert.throws(() => call(id), { name: 'TypeError', ...invalid })
    }
    for (const id of [-1n, 2n ** 64n]) assert.throws(() => call(id), { name: 'RangeError', ...invalid })
    assert.throws(() => call('seven'), { name: 'SnowmintError', code: 'invalid_text' })
    call('00001541815603606036') // padded
    assert.throws(() => call('18446744073709551616'), { code: 'text_overflow' })
  }
  assert.equal(format(2n ** 64n - 1n), '18446744073709551615')
  assert.throws(() => Layout.TWITTER.decode(2n ** 63n), { code: 'id_not_in_layout' })
  assert.throws(() => Layout.TWITTER.decodeMany(new BigUint64Array([1n, 2n ** 63n])), { code: 'id_not_in_layout' })
  assert.throws(() => Layout.TWITTER.decodeMany([1n]), { name: 'TypeError', ...invalid })
})

test('texts', () => {
  for (const text of [7, 7n, null, undefined, {}]) assert.throws(() => parse(text), { name: 'TypeError', ...invalid })
  assert.throws(() => parse('7', 7), { name: 'TypeError', ...invalid })
  assert.throws(() => format(1n, {}), { name: 'TypeError', ...invalid })
  assert.throws(() => parse('7', 'nosuch'), { code: 'unknown_text_form' })
})

test('times', () => {
  for (const time of [...NONSENSE, '2020-01-01']) {
    assert.throws(() => Layout.TWITTER.minId(time), { name: 'TypeError', ...invalid })
  }
  for (const time of [new Date(NaN), NaN, 1.5, 2 ** 60, 2n ** 63n, -(2n ** 63n) - 1n]) {
    assert.throws(() => Layout.TWITTER.minId(time), { name: 'RangeError', ...invalid })
  }
  for (const time of [0, new Date(0), 2n ** 63n - 1n, -(2n ** 63n)]) {
    assert.throws(() => Layout.TWITTER.minId(time), { name: 'SnowmintError', code: 'time_out_of_range' })
  }
})

test('layouts', () => {
  for (const fields of [7, null, undefined, {}]) assert.throws(() => new Layout(fields), { name: 'TypeError', ...invalid })
  for (const fields of ['', 'nosuch:3', 'time:41,time:3', 'time:65']) {
    assert.throws(() => new Layout(fields), { name: 'SnowmintError', code: 'invalid_layout' })
  }
  assert.throws(() => new Layout('time:41', { tick: 1 }), { name: 'TypeError', code: 'unknown_parameter' })
  assert.throws(() => new Layout('time:41', { tickMs: 0 }), { code: 'invalid_layout' })
  assert.throws(() => Layout.of('nosuch'), { code: 'unknown_layout' })
  assert.throws(() => Layout.TWITTER.encode({}), { name: 'TypeError', ...invalid })
  assert.throws(() => Layout.TWITTER.encode({ time: new Date(), works: 1 }), { code: 'unknown_parameter' })
  for (const kind of ['datacenter', 'worker', 'process', 'shard']) {
    const error = { name: 'TypeError', code: 'unknown_parameter', message: /layout\.workerId\(\) joins its fields/ }
    assert.throws(() => Layout.TWITTER.encode({ time: new Date(), [kind]: 1 }), error)
  }
  const [time, unixMs] = [1_700_000_000_000, 1_700_000_000_001n]
  assert.throws(() => Layout.TWITTER.encode({ time, unixMs }), { name: 'RangeError', message: /1700000000000, as the time says/ })
  assert.equal(Layout.TWITTER.encode({ time: new Date(time), unixMs: BigInt(time) }), Layout.TWITTER.encode({ unixMs: time }))
  assert.throws(() => Layout.TWITTER.encode({ time: new Date(), workerId: 1024 }), { code: 'field_out_of_range' })
  assert.throws(() => Layout.TWITTER.encode({ time: new Date(), workerId: -1 }), { name: 'RangeError', ...invalid })
  assert.throws(() => Layout.TWITTER.encode({ time: new Date(), workerId: 1n }), { name: 'TypeError', ...invalid })
  assert.throws(() => Layout.TWITTER.workerParts(1024), {
    name: 'SnowmintError', code: 'field_out_of_range', message: 'worker ID 1024 does not fit: it takes 0 to 1023'
  })
  assert.throws(() => Layout.MASTODON.workerParts(1), { code: 'field_out_of_range' })
  for (const workerId of [-1, 0.5, NaN, 2 ** 32]) {
    assert.throws(() => Layout.TWITTER.workerParts(workerId), { name: 'RangeError', ...invalid })
  }
  for (const workerId of [1n, '1', undefined, null]) {
    assert.throws(() => Layout.TWITTER.workerParts(workerId), { name: 'TypeError', ...invalid })
  }
  assert.throws(() => { Layout.TWITTER.tickMs = 7 }, TypeError)
  // The same digits, and another type.
  assert.throws(() => new Layout('time:41', { tickMs: 5n }), { message: /a number, not 5n$/ })
})

test('options', async t => {
  const stateDirectory = directory(t)
  for (const options of [undefined, null, 7, []]) {
    assert.throws(() => new Snowflake(options), { name: 'TypeError', ...invalid })
    await assert.rejects(Snowflake.open(options), { name: 'TypeError', ...invalid })
    await assert.rejects(Segment.open(options), { name: 'TypeError', ...invalid })
    await assert.rejects(Daily.open(options), { name: 'TypeError', ...invalid })
    await assert.rejects(Sequences.open(options), { name: 'TypeError', ...invalid })
  }
  const cases = [
    [{}, 'TypeError', 'invalid_parameter'],
    [{ workerId: 1, store: Store.openSync('memory:') }, 'TypeError', 'invalid_parameter'],
    [{ worker: 1 }, 'TypeError', 'unknown_parameter'],
    [{ workerId: -1 }, 'RangeError', 'invalid_parameter'],
    [{ workerId: 1n }, 'TypeError', 'invalid_parameter'],
    [{ workerId: 1.5 }, 'RangeError', 'invalid_parameter'],
    [{ workerId: 'x' }, 'SnowmintError', 'invalid_parameter'],
    [{ workerId: 1024 }, 'SnowmintError', 'field_out_of_range'],
    [{ workerId: 'env:SNOWMINT_IS_NOT_SET' }, 'SnowmintError', 'worker_not_configured'],
    [{ workerId: 1, layout: 7 }, 'TypeError', 'invalid_parameter'],
    [{ workerId: 1, layout: 'nosuch' }, 'SnowmintError', 'unknown_layout'],
    [{ workerId: 1, policy: 'nosuch' }, 'SnowmintError', 'invalid_parameter'],
    [{ workerId: 1, policy: 7 }, 'TypeError', 'invalid_parameter'],
    [{ workerId: 1, policy: { ...engine.policies[0] } }, 'TypeError', 'invalid_parameter'],
    [{ workerId: 1, start: 'nosuch' }, 'SnowmintError', 'invalid_parameter'],
    [{ workerId: 1, stateDirectory: 's\0x' }, 'SnowmintError', 'invalid_parameter'],
    [{ workerId: 1, reserveMs: 99 }, 'SnowmintError', 'invalid_parameter'],
    [{ workerId: 1, waitMs: '5' }, 'TypeError', 'invalid_parameter'],
    [{ store: {} }, 'TypeError', 'invalid_parameter'],
    [{ store: 'sqlite:ids.db' }, 'TypeError', 'invalid_parameter'],
  ]
  for (const [options, name, code] of cases) {
    const given = { stateDirectory, ...options }
    assert.throws(() => new Snowflake(given), { name, code }, JSON.stringify(Object.keys(options)))
    await assert.rejects(Snowflake.open(given), { name, code })
  }
})

test('what is wrong is told with what would be right', async t => {
  const stateDirectory = directory(t)
  const store = Store.openSync('memory:')
  const flake = options => () => new Snowflake({ stateDirectory, ...options })
  const own = /a number, or a text such as 'env', not /
  const cases = [
    [flake({ workerId: -1 }), /workerId should be an integer from 0 to 1023, not -1$/],
    [flake({ workerId: -1, layout: 'sonyflake-v1' }), /from 0 to 65535, not -1$/],
    [flake({ workerId: 2 ** 32 }), /from 0 to 1023, not 4294967296$/],
    [flake({ workerId: null }), own],
    [flake({ workerId: 7n }), own],
    [flake({ workerId: 1, layout: 5 }), /layout should be a Layout, or a text such as 'twitter', not 5$/],
    [flake({ workerId: 1, store }), /one worker ID, and both workerId and store are given: leave one out$/],
    [flake({ workerId: 1, reserveMs: -1 }), /reserveMs should be an integer that is not negative, not -1$/],
    [flake({ workerId: 1, reserveMs: 2 ** 32 }), /reserveMs should be at most 4294967295, not 4294967296$/],
    [() => new Segment({ tag: 'a' }), /^a segment needs a store, or allocate$/],
    [() => new Segment({ tag: 'a', store, step: -1 }), /step should be an integer from 1 to 1073741824, not -1$/],
    [() => new Daily({ tag: 'a' }), /^a source of daily numbers needs store$/],
    [() => Sequences.open({ tag: 'a' }), /^a source of sequences needs store$/],
    [() => store.createTag('a', { start: -1 }), /start should be an integer that is not negative, not -1$/],
    [() => store.createTag('a', { max: 2n ** 64n }), /max should be below 2\^64, not 18446744073709551616n$/],
    [() => Layout.TWITTER.workerId({ foo: 1 }), /^parts has no foo; there are datacenter, worker$/],
    [() => Layout.MASTODON.workerId({ foo: 1 }), /^parts has no foo; there are none$/],
    [() => Layout.TWITTER.encode({ foo: 1 }), /has no foo; there are time, unixMs, workerId \(layout\.workerId\(\) joins its fields\), sequence$/],
    [() => Layout.TWITTER.minId(new Date(NaN)), /^time should be a valid Date, not Invalid Date$/],
    [() => new Snowflake('snowflake+postgres://me:secret@db/ids'), /^options should be an object, not a text: a URL is opened by open\(url\)$/],
    [() => new Segment('http://ids.example/orders'), /a URL is opened by open\(url\)$/],
  ]
  for (const [call, message] of cases) {
    await assert.rejects(async () => call(), { message, ...(/store$|allocate$/.test(message.source) && invalid) }, String(message))
  }
})

test('an error of a code that there is not', () => {
  for (const code of ['nosuch', undefined, 200]) {
    assert.throws(() => new SnowmintError(code, 'x'), { name: 'TypeError', ...invalid, message: /a name of errorCodes, as 'lease_lost', not / })
  }
  assert.equal(new SnowmintError('lease_lost', 'x').number, 502)
})

test('headers of an ID service are an object', () => {
  for (const headers of [5, 'authorization: secret', [], new Headers(), null]) {
    assert.throws(() => new IdService('http://ids.example', { headers }), ({ name, code, message }) => (
      name === 'TypeError' && code === 'invalid_parameter' && /^headers should be an object/.test(message) && !/secret/.test(message)
    ))
  }
})

test('a list of whole URLs is told how the servers of one service are listed', () => {
  for (const url of ['http://a:8064,http://b:8064', 'https://a,https://b/ids', 'http://a:8064/,b:8064']) {
    assert.throws(() => new IdService(url), { code: 'invalid_url', message: /one scheme before them .*: write http:\/\/a:8064,b:8064/ })
  }
})

test('of a long name both ends are said', async () => {
  const long = 'x'.repeat(100_000)
  const calls = [
    () => format(1n, long), () => open(long), () => Layout.TWITTER.workerId({ worker: long }),
    () => new Snowflake({ workerId: 1, policy: long }), () => new Snowflake({ workerId: long }),
  ]
  for (const call of calls) {
    await assert.rejects(async () => call(), ({ message }) => message.length < 2_100 && /left out/.test(message))
  }
})

test('tags, steps and stores', async () => {
  const store = Store.openSync('memory:')
  await store.createTag('orders')
  const cases = [
    [{ store }, 'TypeError', 'invalid_parameter'],
    [{ tag: 'orders' }, 'TypeError', 'invalid_parameter'],
    [{ tag: 7, store }, 'TypeError', 'invalid_parameter'],
    [{ tag: '', store }, 'SnowmintError', 'invalid_tag'],
    [{ tag: 'x'.repeat(65), store }, 'SnowmintError', 'invalid_tag'],
    [{ tag: 'missing', store }, 'SnowmintError', 'unknown_tag'],
    [{ tag: 'orders', store, step: 0 }, 'SnowmintError', 'invalid_step'],
    [{ tag: 'orders', store, step: 2n ** 30n + 1n }, 'SnowmintError', 'invalid_step'],
    [{ tag: 'orders', store, step: -1 }, 'RangeError', 'invalid_parameter'],
    [{ tag: 'orders', store, step: 1.5 }, 'RangeError', 'invalid_parameter'],
    [{ tag: 'orders', store, step: 2n ** 64n }, 'RangeError', 'invalid_parameter'],
    [{ tag: 'orders', store, prefetch: 101 }, 'RangeError', 'invalid_parameter'],
    [{ tag: 'orders', store, runwayMs: -1 }, 'RangeError', 'invalid_parameter'],
    [{ tag: 'orders', store, runwayMs: 0 }, 'SnowmintError', 'invalid_parameter'],
    [{ tag: 'orders', store, runwayMs: 1, step: 1 }, 'SnowmintError', 'invalid_parameter'],
    [{ tag: 'orders', store, allocate: () => [1n, 2n] }, 'TypeError', 'invalid_parameter'],
    [{ tag: 'orders', allocate: 7 }, 'TypeError', 'invalid_parameter'],
    [{ tag: 'orders', allocate: () => [1n, 2n], step: 0 }, 'SnowmintError', 'invalid_step'],
  ]
  for (const [options, name, code] of cases) {
    assert.throws(() => new Segment(options), { name, code }, JSON.stringify(Object.keys(options)))
    await assert.rejects(Segment.open(options), { name, code })
  }
  await assert.rejects(Daily.open({ tag: 'a', store, zone: 'Nowhere/At_All' }), { code: 'invalid_time' })
  await assert.rejects(Daily.open({ tag: 'a', store, digits: 11 }), { code: 'invalid_parameter' })
  await assert.rejects(store.createTag('a', { begin: 1 }), { code: 'unknown_parameter' })
  await assert.rejects(store.createTag(7), { name: 'TypeError', ...invalid })
  await assert.rejects(store.evict('realm', -1), { name: 'RangeError', ...invalid })
  assert.throws(() => new Store(), { name: 'TypeError', ...invalid })
})

test('versions of UUIDs', () => {
  for (const version of [0, 5, 7.5, NaN]) {
    assert.throws(() => new UuidSource(version), { name: 'RangeError', ...invalid, message: `version should be 4 or 7, not ${version}` })
  }
  for (const version of [...NONSENSE.slice(1), 7n]) {
    assert.throws(() => new UuidSource(version), { name: 'TypeError', ...invalid })
  }
  assert.throws(() => new UuidSource('7'), { name: 'TypeError', message: 'version should be the number 4 or 7, not "7"' })
})

test('URLs', async () => {
  for (const url of [7, null, undefined, {}, new URL('uuid:')]) {
    await assert.rejects(open(url), { name: 'TypeError', ...invalid })
    assert.throws(() => openSync(url), { name: 'TypeError', ...invalid })
  }
  await assert.rejects(open('nosuch:'), error => error instanceof SnowmintError && error.code === 'unknown_scheme')
  await assert.rejects(Store.open('nosuch:'), { code: 'unknown_scheme' })
})

test('the engine', () => {
  const machine = new engine.Snowflake({ lane: { workerId: 1 } })
  assert.throws(() => machine.nextId(), { name: 'TypeError', ...invalid })
  assert.throws(() => machine.issue(1n, 0), { name: 'TypeError', ...invalid })
  assert.throws(() => machine.issue(0, 1_656_432_460_105), { code: 'count_out_of_range' })
  assert.throws(() => machine.open({ workerId: 1024 }), { code: 'field_out_of_range' })
  assert.throws(() => new engine.Snowflake({ start: 'nosuch' }), { code: 'invalid_parameter' })
  assert.throws(() => new engine.Range(2, 1), { code: 'invalid_range' })
  assert.throws(() => new engine.SegmentBuffer({}), { name: 'TypeError', ...invalid })
  const buffer = new engine.SegmentBuffer({ step: 10 })
  assert.throws(() => buffer.supply({ start: 1n, end: 2n, stride: 1n }, 0), { name: 'TypeError', ...invalid })
  buffer.supply(new engine.Range(10, 20), 0)
  assert.throws(() => buffer.supply(new engine.Range(1, 5), 0), { code: 'range_regressed' })
  assert.equal(buffer.take(3n).count, 3n)
  const policy = { name: 'own', maxAheadMs: 0, whenBehind: 'fail', whenFull: 'fail' }
  for (const key of Object.keys(policy)) {
    assert.throws(() => new engine.ClockPolicy({ ...policy, [key]: undefined }), { name: 'TypeError', ...invalid })
  }
  for (const rule of ['whenBehind', 'whenFull']) {
    assert.throws(() => new engine.ClockPolicy({ ...policy, [rule]: 'no' }), { name: 'SnowmintError', ...invalid, message: /no rule for .*"no"; there are / })
  }
  assert.throws(() => engine.policies[0].action(new Error('no')), { name: 'TypeError', ...invalid })
  assert.throws(() => engine.policies[0].action(new SnowmintError('closed', 'no')), { code: 'invalid_parameter' })
  assert.equal(machine.nextId(1_656_432_460_105), machine.nextId(1_656_432_460_105) - 1n)
})

test('methods on what is no source', () => {
  const { nextId, close } = Snowflake.prototype
  assert.throws(() => nextId.call({}), TypeError)
  assert.throws(() => close.call(undefined), TypeError)
})

test('what others wrote does nothing to a terminal', async t => {
  const wild = '\u001b[2J\u009b31m\u202egpj.exe\n\u007f'
  const segment = new Segment({ tag: 'own', allocate: () => { throw new Error(wild) }, waitMs: 50 })
  t.after(() => segment.close())
  const thrown = [
    () => openSync(`segment+sqlite:/${wild}/ids.db?tag=orders`),
    () => openSync(`nothing:${wild}`),
    () => new Snowflake({ [wild]: 1 }),
    () => parse(wild),
    () => Layout.of(wild),
    () => { throw new SnowmintError('closed', wild) },
    () => segment.nextIdAsync(),
  ]
  for (const fail of thrown) {
    const error = await Promise.resolve().then(fail).then(() => assert.fail(String(fail)), error => error)
    assert.ok(!/[\p{Cc}\p{Cf}]/u.test(error.message), JSON.stringify(error.message))
    assert.ok(!/[\x1b\x9b\u202e]/.test(error.stack.split('\n    at ')[0]), JSON.stringify(error.stack))
  }
})
