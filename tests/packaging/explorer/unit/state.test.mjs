// The state in the URL, and bits moved between fields.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Layout } from 'snowmint'
import { presets } from '../src/layouts.js'
import { LINK_MAX, packIds, readHash, unpackIds, writeHash } from '../src/state.js'
import {
  addField,
  bordersOf,
  moveBorder,
  readFields,
  removeField,
  setWidth,
  swapWithNext,
  writeFields,
} from '../src/widths.js'

const TWITTER = 'zero:1,time:41,worker:10,sequence:12'
const sum = fields => fields.reduce((total, { bits }) => total + bits, 0)

test('a state survives the URL', () => {
  const states = [
    {
      view: 'decode',
      values: { id: '-5 & more=#?', layout: 'time:41,worker:10,sequence:12@-5/10' },
    },
    { view: 'compare', values: { a: '1', b: '2' } },
    { view: 'design', values: { fields: TWITTER, epoch: '2025-01-01', tick: '10', code: 'rust' } },
    { view: 'range', values: { from: '2026-01-31T12:00+01:00' } },
    { view: 'many', values: {} },
  ]
  for (const state of states) assert.deepEqual(readHash(writeHash(state)), state)
})

test('what is too long for a link is left out', () => {
  const values = { id: 'x'.repeat(LINK_MAX + 1), layout: 'twitter' }
  assert.equal(writeHash({ view: 'decode', values }), '#decode?layout=twitter')
})

test('a hash that makes no sense is what can be told of it', () => {
  assert.deepEqual(readHash(''), { view: 'decode', values: {} })
  assert.deepEqual(readHash('#nowhere?id=1'), { view: 'decode', values: { id: '1' } })
  assert.deepEqual(readHash('#range?evil=1&from=x'), { view: 'range', values: { from: 'x' } })
  assert.deepEqual(readHash('#decode?id=%E0%A4%A'), { view: 'decode', values: { id: '\ufffd%A' } })
})

test('links leave the characters of layouts as they are', () => {
  assert.equal(
    writeHash({ view: 'decode', values: { id: '5', layout: 'time:41@0/1' } }),
    '#decode?id=5&layout=time:41@0/1',
  )
})

test('many IDs in a link, as long as they fit', () => {
  const ids = BigUint64Array.of(0n, 1541815603606036480n, (1n << 64n) - 1n)
  assert.deepEqual(unpackIds(packIds(ids)), [...ids])
  assert.equal(packIds(new BigUint64Array()), null)
  const many = new BigUint64Array(5000).fill((1n << 64n) - 1n)
  assert.equal(packIds(many), null)
  const fitting = Math.floor((LINK_MAX + 1) / 14)
  assert.equal(packIds(many.subarray(0, fitting)).length, fitting * 14 - 1)
  assert.equal(packIds(many.subarray(0, fitting + 1)), null)
  assert.equal(unpackIds('zzzzzzzzzzzzz'), null)
  assert.equal(unpackIds('1..2'), null)
})

test('fields are read with the unused bits first', () => {
  assert.deepEqual(readFields('time:41,worker:10,sequence:12'), readFields(TWITTER))
  assert.deepEqual(readFields('time:42,worker:10,sequence:12')[0], { kind: 'zero', bits: 0 })
  for (const { name, layout } of presets()) assert.equal(sum(readFields(layout.text)), 64, name)
  for (const text of [
    '',
    'time:65',
    'worker:10',
    'time:41,time:2',
    'time:41,constant:2=3',
    'time:0',
    'x:5',
    'time:20,worker:33',
    'time:41,worker:12,sequence:12',
    'toString:3,time:4',
  ]) {
    assert.equal(text === 'time:41,worker:12,sequence:12' ? null : readFields(text), null, text)
  }
})

test('borders move as far as the limits of the engine', () => {
  const fields = readFields(TWITTER)
  assert.equal(writeFields(moveBorder(fields, 1, 39)), 'zero:1,time:39,worker:12,sequence:12')
  assert.deepEqual(bordersOf(fields, 1), { min: 19, max: 50 })
  assert.equal(writeFields(moveBorder(fields, 1, 64)), 'zero:1,time:50,worker:1,sequence:12')
  assert.equal(writeFields(moveBorder(fields, 1, -64)), 'zero:1,time:19,worker:32,sequence:12')
  assert.equal(writeFields(moveBorder(fields, 0, 0)), 'time:42,worker:10,sequence:12')
})

test('whatever is moved, 64 bits stay and the engine takes them', () => {
  let fields = readFields(TWITTER)
  let state = 1
  const random = below => (state = (state * 48271) % 2147483647) % below
  for (let turn = 0; turn < 2000; turn++) {
    const index = random(fields.length - 1)
    const kind = ['datacenter', 'process', 'shard', 'rollback', 'worker', 'sequence'][random(6)]
    const moves = [
      () => moveBorder(fields, index, random(64)),
      () => (index > 0 ? setWidth(fields, index, 1 + random(40)) : fields),
      () =>
        fields.some(field => field.kind === kind) ? fields : (addField(fields, kind) ?? fields),
      () => (index > 0 && fields[index].kind !== 'time' ? removeField(fields, index) : fields),
      () => swapWithNext(fields, index),
    ]
    fields = moves[random(moves.length)]()
    assert.equal(sum(fields), 64)
    assert.equal(fields[0].kind, 'zero')
    assert.equal(new Layout(writeFields(fields)).text, writeFields(fields))
  }
})

test('a field gets its bits from time, and time from the unused ones', () => {
  const fields = readFields('zero:11,time:41,worker:3,sequence:9')
  assert.equal(writeFields(setWidth(fields, 2, 5)), 'zero:11,time:39,worker:5,sequence:9')
  assert.equal(writeFields(setWidth(fields, 1, 45)), 'zero:7,time:45,worker:3,sequence:9')
  assert.equal(writeFields(setWidth(fields, 1, 60)), 'time:52,worker:3,sequence:9')
})
