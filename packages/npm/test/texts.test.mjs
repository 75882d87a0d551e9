// texts.json, the errors of readings.json, and JSON.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backend, detect, format, parse, replacer, stringify, textForms } from 'snowmint'

import { document, keys } from './reading.mjs'

const vectors = document('texts.json')

test('texts.json: forms', () => {
  const rows = textForms().map(({ name, ...rest }) => ({ form: name, ...rest }))
  assert.deepEqual(rows, vectors.forms)
  keys(vectors, 'forms', 'texts', 'others', 'invalid', 'detect')
})

test('texts.json: every form of every ID, and back', () => {
  for (const row of vectors.texts) {
    keys(row, 'id', 'texts')
    assert.deepEqual(Object.keys(row.texts).sort(), textForms().map(form => form.name).sort())
    for (const [form, text] of Object.entries(row.texts)) {
      assert.equal(format(BigInt(row.id), form), text)
      assert.equal(format(row.id, form), text)
      assert.equal(parse(text, form), BigInt(row.id))
    }
  }
})

test('texts.json: other spellings of one number', () => {
  for (const row of vectors.others) {
    keys(row, 'form', 'text', 'id')
    assert.equal(parse(row.text, row.form), BigInt(row.id), JSON.stringify(row))
    assert.ok(format(row.id, row.form) !== row.text)
  }
})

test('texts.json: what is no text', () => {
  for (const row of vectors.invalid) {
    keys(row, 'form', 'text', 'error')
    assert.throws(() => parse(row.text, row.form), { name: 'SnowmintError', code: row.error }, JSON.stringify(row))
  }
})

test('texts.json: detection', () => {
  for (const row of vectors.detect) {
    keys(row, 'text', 'form')
    assert.equal(detect(row.text), row.form)
  }
  assert.equal(parse('1541815603606036480'), 1541815603606036480n)
  for (const text of ['abc', 'x']) {
    assert.throws(() => parse(text), { name: 'SnowmintError', code: 'unknown_text_form', message: /: name the form$/ })
  }
  assert.throws(() => parse('1'.repeat(21)), { name: 'SnowmintError', code: 'unknown_text_form' })
  assert.throws(() => format(1n, 'base1'), { code: 'unknown_text_form' })
})

// The WebAssembly has no reader, which would make it a third larger.
test('readings.json: what is wrong with a text', { skip: backend === 'wasm' }, () => {
  const advised = document('readings.json').readings.filter(({ advice }) => advice !== undefined)
  assert.ok(advised.length > 30)
  for (const { text, advice, sentence } of advised) {
    const message = advice === true ? sentence : advice
    for (const form of [undefined, 'dec']) {
      assert.throws(() => parse(text, form), { name: 'SnowmintError', message }, text)
    }
  }
})

test('bigints in JSON', () => {
  assert.equal(stringify({ id: 2n ** 64n - 1n, n: 1 }), '{"id":"18446744073709551615","n":1}')
  assert.equal(JSON.stringify([1n], replacer), '["1"]')
  assert.equal(JSON.stringify({ id: 1n }, replacer, 1), '{\n "id": "1"\n}')
  const many = [new BigUint64Array([1n, 2n ** 64n - 1n]), BigInt64Array.of(-1n), new BigUint64Array()]
  assert.equal(stringify({ many }), '{"many":[["1","18446744073709551615"],["-1"],[]]}')
  assert.equal(stringify(new Uint8Array([7])), '{"0":7}', 'as it is otherwise')
  // As Fastify calls it, with a status.
  assert.equal(stringify({ id: 1n }, 200), '{"id":"1"}')
})
