// opaque.json, keys and what is refused.

import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { runInNewContext } from 'node:vm'
import { Worker } from 'node:worker_threads'
import { PublicIdKeys, PublicIds } from 'snowmint'

import { directory, document, keys } from './reading.mjs'

const vectors = document('opaque.json')
const FORMS = ['token', 'base64url', 'uuid', 'number64', 'number63', 'number53']
const KEY = '2b7e151628aed2a6abf7158809cf4f3c'
const OTHER_KEY = 'c45b0e97d2136f8ae1704bb85d29fc0d'
const invalid = { name: 'SnowmintError', code: 'invalid_keys' }

const bytes = text => new TextEncoder().encode(text)
const opened = (fields = { keys: { 1: KEY } }) => PublicIdKeys.fromBytes(bytes(JSON.stringify(fields)))
const hyphened = digits => digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

const rings = new Map(vectors.keyrings.map(({ name, ...fields }) => [name, fields]))

/** A row's public IDs, made by one key of the keyring, which is all of its keys. */
function ofRow({ keyring, key, type }, form) {
  const ring = rings.get(keyring)
  return opened({ ...ring, current: key ?? ring.current }).publicIds(type, form)
}

/** A row's text in each form, null where it has none. */
function publics(row) {
  return [row.token, row.base64url, hyphened(row.uuid), row.number_64, row.number_63, row.number_53]
}

test('opaque.json: every form of every ID, and back', () => {
  keys(vectors, 'aes', 'ff1', 'keyrings', 'ids', 'refused', 'refused_keys')
  for (const row of vectors.ids) {
    keys(row, 'keyring', 'key', 'type', 'id', 'token', 'base64url', 'uuid', 'number_64', 'number_63', 'number_53')
    publics(row).forEach((text, at) => {
      const ids = ofRow(row, FORMS[at])
      if (text === null) {
        assert.throws(() => ids.encode(row.id), { code: 'invalid_parameter' })
        return
      }
      assert.equal(ids.encode(row.id), text)
      assert.equal(ids.encode(BigInt(row.id)), text)
      assert.equal(ids.decode(text), BigInt(row.id))
      assert.deepEqual(ids.encodeMany([row.id]), [text])
      assert.deepEqual([...ids.decodeMany([text])], [BigInt(row.id)])
      const [, bits] = /^number(\d+)$/.exec(FORMS[at]) ?? []
      if (bits === undefined) return
      assert.equal(ids.encodeNumber(row.id, Number(bits)), BigInt(text))
      assert.equal(ids.decodeNumber(BigInt(text), Number(bits)), BigInt(row.id))
    })
  }
})

test('opaque.json: what is refused', () => {
  for (const row of vectors.refused) {
    keys(row, 'keyring', 'type', 'form', 'text', 'error')
    const ids = ofRow(row, row.form)
    const text = row.form === 'uuid' ? hyphened(row.text) : row.text
    assert.throws(() => ids.decode(text), { name: 'SnowmintError', code: row.error }, JSON.stringify(row))
    assert.throws(() => ids.decodeMany([text]), { code: row.error, message: /^at index 0: / })
  }
})

test('opaque.json: what are no keys', () => {
  for (const row of vectors.refused_keys) {
    keys(row, 'why', 'document', 'error')
    const refused = { name: 'SnowmintError', code: row.error }
    assert.throws(() => PublicIdKeys.fromBytes(bytes(row.document)), refused, row.why)
  }
})

test('a bare key is no document of keys', () => {
  const message = /line 1 is not of a document of keys, as `snowmint public-ids keygen` writes one/
  assert.throws(() => PublicIdKeys.fromBytes(new Uint8Array(32).fill(200)), { code: 'invalid_keys', message })
})

test('a file, which others may not read', t => {
  const file = path.join(directory(t), 'keys.toml')
  writeFileSync(file, opened().toToml(), { mode: 0o600 })
  const token = opened().publicIds('order').encode(7n)
  assert.equal(PublicIdKeys.open(file).publicIds('order').decode(token), 7n)
  // A group may read root's.
  for (const mode of statSync(file).uid === 0 ? [0o604, 0o620] : [0o604, 0o640]) {
    chmodSync(file, mode)
    const error = { code: 'keys_exposed', message: new RegExp(`keys.toml: .*mode 0${mode.toString(8)}.*chmod 600`) }
    assert.throws(() => PublicIdKeys.open(file), error)
  }
  const away = path.join(path.dirname(file), 'away')
  mkdirSync(away)
  for (const path of [`${file}.none`, away]) assert.throws(() => PublicIdKeys.open(path), invalid)
})

test('the environment', () => {
  process.env.SNOWMINT_PUBLIC_ID_KEYS = JSON.stringify({ keys: { 1: KEY } })
  process.env.SNOWMINT_TEST_KEYS = JSON.stringify({ keys: { 1: OTHER_KEY } })
  const [usual, named] = ['env:', 'env:SNOWMINT_TEST_KEYS'].map(source => PublicIdKeys.open(source).publicIds('order'))
  assert.equal(usual.encode(7n), opened().publicIds('order').encode(7n))
  assert.throws(() => named.decode(usual.encode(7n)), { code: 'not_found', message: 'there is no such ID' })
  delete process.env.SNOWMINT_PUBLIC_ID_KEYS
  assert.throws(() => PublicIdKeys.open(''), { ...invalid, message: /^the path of the keys is empty: / })
  assert.throws(() => PublicIdKeys.open('env:'), { ...invalid, message: /SNOWMINT_PUBLIC_ID_KEYS has no keys/ })
})

test('old forms are read after a rotation, and none of a key that is away', () => {
  const before = opened().publicIds('order')
  const both = opened({ current: '2', numbers: '1', keys: { 1: KEY, 2: OTHER_KEY } })
  assert.deepEqual([both.symbols, both.current, both.numbers, both.realm], [['1', '2'], '2', '1', ''])
  const [token] = before.encodeMany([7n])
  assert.equal(both.publicIds('order').decode(token), 7n)
  assert.match(both.publicIds('order').encode(7n), /^order_2/)
  const after = opened({ keys: { 2: OTHER_KEY } }).publicIds('order')
  assert.throws(() => after.decode(token), { code: 'not_found', message: 'there is no such ID' })
  const unnamed = opened({ current: '2', keys: { 1: KEY, 2: OTHER_KEY } })
  assert.equal(unnamed.numbers, null)
  assert.throws(() => unnamed.publicIds('order', 'number64').encode(7n), { ...invalid, message: /numbers/ })
})

test('generated keys', () => {
  const keys = PublicIdKeys.generate()
  const token = keys.publicIds('order').encode(7n)
  assert.equal(PublicIdKeys.fromBytes(bytes(keys.toToml())).publicIds('order').decode(token), 7n)
  assert.throws(() => PublicIdKeys.generate().publicIds('order').decode(token), { code: 'not_found' })
  assert.throws(() => { keys.symbols.push('2') }, TypeError)
})

test('no key is shown', () => {
  const keys = opened()
  for (const shown of [inspect(keys, { showHidden: true, depth: 9 }), JSON.stringify(keys), String(keys)]) {
    assert.ok(!shown.includes(KEY), shown)
  }
  for (const document of [`{"keys":{"1":"${KEY}x"}}`, `keys = "${KEY}"`, `{"keys":{"${KEY}":"1"}}`]) {
    assert.throws(() => PublicIdKeys.fromBytes(bytes(document)), error => !inspect(error).includes(KEY))
  }
  for (const keys of [JSON.stringify({ keys: { 1: KEY } }), opened().toToml(), KEY]) {
    for (const source of [keys, `env:${keys}`]) {
      const misplaced = { ...invalid, message: /not repeated, as it may be the keys themselves/ }
      assert.throws(() => PublicIdKeys.open(source), misplaced)
      assert.throws(() => PublicIdKeys.open(source), error => !inspect(error).includes(KEY.slice(0, 8)))
    }
    for (const document of [keys, Object(keys), [keys], { keys }, Symbol(keys), () => keys]) {
      assert.throws(() => PublicIdKeys.fromBytes(document), error => {
        assert.deepEqual([error.name, error.code], ['TypeError', 'invalid_parameter'])
        return !inspect(error).includes(KEY.slice(0, 8))
      })
    }
  }
})

test('a number in a text with more bits than its form', () => {
  for (const [bits, text] of [[53, 2n ** 53n], [63, 2n ** 63n], [64, 2n ** 64n]]) {
    const ids = opened().publicIds('order', `number${bits}`)
    assert.throws(() => ids.decode(`${text}`), { name: 'SnowmintError', code: 'text_overflow' })
    assert.throws(() => ids.decodeMany(['7', `${text}`]), { code: 'text_overflow', message: /^at index 1: / })
  }
})

test('a document may be of another realm, as Buffers are in jsdom', () => {
  const document = runInNewContext('Uint8Array.from(bytes)', { bytes: [...bytes(JSON.stringify({ keys: { 1: KEY } }))] })
  assert.ok(!(document instanceof Uint8Array))
  assert.equal(PublicIdKeys.fromBytes(document).realm, opened().realm)
  assert.equal(PublicIdKeys.fromBytes(Buffer.from(document)).realm, opened().realm)
})

test('wrong types and ranges', () => {
  const ids = opened().publicIds('order')
  const typeError = { name: 'TypeError', code: 'invalid_parameter' }
  for (const source of [7, null, undefined, {}, bytes('{}')]) assert.throws(() => PublicIdKeys.open(source), typeError)
  for (const bytes of ['{}', [], null, new ArrayBuffer(3)]) assert.throws(() => PublicIdKeys.fromBytes(bytes), typeError)
  const nothing = [() => opened().publicIds(), () => opened().publicIds('a', 7)]
  for (const make of [() => new PublicIdKeys(), () => new PublicIds(), ...nothing]) {
    assert.throws(make, typeError)
  }
  for (const type of ['', 'Order', '1st', 'a_', 'a'.repeat(33)]) {
    assert.throws(() => opened().publicIds(type), { name: 'SnowmintError', code: 'invalid_parameter' })
  }
  assert.equal(opened().publicIds('a'.repeat(32)).encode(7n).length, 60)
  assert.throws(() => opened().publicIds('order', 'crockford'), { code: 'unknown_text_form' })
  for (const id of [7, null, undefined, {}]) assert.throws(() => ids.encode(id), typeError)
  for (const id of [-1n, 2n ** 64n]) assert.throws(() => ids.encode(id), { name: 'RangeError', code: 'invalid_parameter' })
  for (const text of [7n, null, undefined, {}]) assert.throws(() => ids.decode(text), typeError)
  for (const many of ['7', 7, null, undefined]) {
    assert.throws(() => ids.encodeMany(many), typeError)
    assert.throws(() => ids.decodeMany(many), typeError)
  }
  const wrong = [[7, 'TypeError'], [null, 'TypeError'], [-1n, 'RangeError'], [2n ** 64n, 'RangeError'], ['seven', 'SnowmintError']]
  for (const [id, name] of wrong) {
    assert.throws(() => ids.encodeMany([7n, '8', id]), error => {
      assert.deepEqual([error.name, error.message.slice(0, 12)], [name, 'at index 2: '])
      assert.ok(error.stack.includes(error.message))
      return true
    })
  }
  assert.throws(() => ids.decodeMany([ids.encode(7n), 7n]), { ...typeError, message: /^at index 1: text should be a string/ })
  assert.throws(() => ids.encodeNumber(7n, 62), { name: 'SnowmintError', code: 'invalid_parameter' })
  assert.throws(() => ids.encodeNumber(7n, -1), { name: 'RangeError' })
  assert.throws(() => ids.decodeNumber(2n ** 53n, 53), { code: 'invalid_parameter' })
  assert.throws(() => PublicIds.prototype.encode.call({}, 7n), TypeError)
})

test('texts that only look alike', () => {
  const ids = opened().publicIds('order')
  const token = ids.encode(7n)
  for (const text of [
    `${token}\0`, `${token}${' '.repeat(200)}`, 'x'.repeat(1 << 20), token.replace('order_', 'ord\u00e9r_'),
    // By its low byte the letter that it stands for, and half of a pair.
    token.replace('o', '\u016f'), `${token.slice(0, -1)}\ud800`,
  ]) {
    assert.throws(() => ids.decode(text), error => /^(wrong_type|text_length|invalid_text)$/.test(error.code), inspect(text))
  }
})

test('many, also of shared memory', () => {
  const ids = opened().publicIds('order')
  const numbers = BigUint64Array.from({ length: 5000 }, (_, at) => BigInt(at) << 40n)
  const shared = new BigUint64Array(new SharedArrayBuffer(8 * numbers.length))
  shared.set(numbers)
  const tokens = ids.encodeMany(numbers)
  assert.equal(new Set(tokens).size, numbers.length)
  assert.deepEqual(ids.encodeMany(shared), tokens)
  assert.deepEqual(ids.encodeMany(new Set(numbers)), tokens)
  assert.deepEqual(ids.decodeMany(tokens), numbers)
  assert.deepEqual([ids.encodeMany([]), [...ids.decodeMany([])]], [[], []])
  tokens[4321] = 'order_'
  assert.throws(() => ids.decodeMany(tokens), { code: 'text_length', message: /^at index 4321: / })
  const document = new Uint8Array(new SharedArrayBuffer(3 + KEY.length + 16))
  document.set(bytes(JSON.stringify({ keys: { 1: KEY } }).padEnd(document.length)))
  assert.equal(PublicIdKeys.fromBytes(document).publicIds('order').encode(numbers[1]), ids.encode(numbers[1]))
})

const IN_A_THREAD = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { PublicIdKeys } = require(workerData.home)
  const ids = PublicIdKeys.fromBytes(new TextEncoder().encode(workerData.document)).publicIds('order')
  for (let n = 0n; n < 20000n; n++) if (ids.decode(ids.encode(n)) !== n) throw new Error(String(n))
  parentPort.postMessage(ids.encode(7n))`

test('each thread opens its own', async () => {
  const here = opened().publicIds('order')
  const workerData = {
    document: JSON.stringify({ keys: { 1: KEY } }),
    home: new URL('../node_modules/snowmint', import.meta.url).pathname,
  }
  const said = Array.from({ length: 4 }, () => new Promise((resolve, reject) => {
    const worker = new Worker(IN_A_THREAD, { eval: true, workerData })
    worker.on('message', resolve)
    worker.on('error', reject)
  }))
  for (let n = 0n; n < 20000n; n++) assert.equal(here.decode(here.encode(n)), n)
  assert.deepEqual(await Promise.all(said), Array(4).fill(here.encode(7n)))
})
