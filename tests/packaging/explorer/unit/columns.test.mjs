// Many IDs out of a text.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { format } from 'snowmint'
import * as columns from '../src/columns.js'
import { finish } from '../src/slices.js'

const IDS = [1541815603606036480n, 1541815603606036481n, 1541815603606040577n]
const MANY = Array.from({ length: 40 }, (_, index) => IDS[0] + BigInt(index) * 123_456_789n)
const readMany = (text, form) => finish(columns.readMany(text, form))
const onlyIdOf = text => readMany(text).only
const idsOf = text => [...readMany(text).ids]

test('lines, commas, semicolons, tabs, spaces and brackets', () => {
  for (const glue of ['\n', '\r\n', ',', ', ', ';', '\t', ' ', '\n\n', ',\n']) {
    assert.deepEqual(idsOf(IDS.join(glue)), IDS, JSON.stringify(glue))
  }
  assert.deepEqual(idsOf(`[${IDS.join(', ')}]`), IDS)
  assert.deepEqual(idsOf(JSON.stringify(IDS.map(String))), IDS)
  assert.deepEqual(idsOf(IDS.map(id => `'${id}',`).join('\n')), IDS)
})

test('columns in other forms', () => {
  for (const form of ['hex', 'base32', 'base36', 'base58', 'base62']) {
    const found = readMany(MANY.map(id => format(id, form)).join('\n'))
    assert.equal(found.form, form)
    assert.deepEqual([...found.ids], MANY, form)
  }
})

test('a form may be chosen where two are possible', () => {
  const text = IDS.map(id => format(id, 'base58')).join(' ')
  assert.ok(readMany(text).forms.includes('base58'))
  assert.deepEqual([...readMany(text, 'base58').ids], IDS)
})

test('negative decimals', () => {
  assert.deepEqual(idsOf('-1\n-2'), [(1n << 64n) - 1n, (1n << 64n) - 2n])
})

test('the column of a CSV that holds the IDs, with and without a header', () => {
  const rows = IDS.map((id, index) => `${index},"Doe, J.",${id},2022-01-0${index + 1}`)
  const named = readMany(['row,name,order_id,day', ...rows].join('\n'))
  assert.deepEqual([...named.ids], IDS)
  assert.match(named.source, /order_id/)
  assert.deepEqual(idsOf(rows.join('\n')), IDS)
  assert.deepEqual(idsOf(['id\tname', ...IDS.map(id => `${id}\tx`)].join('\n')), IDS)
})

test('a header above a single column is no rejected ID', () => {
  const found = readMany(['id', ...IDS].join('\n'))
  assert.deepEqual([...found.ids], IDS)
  assert.equal(found.rejectedCount, 0)
})

test('the key of JSON that holds the IDs, without rounding numbers', () => {
  const rows = IDS.map((id, index) => `{"n": ${index}, "user_id": ${id}, "name": "x"}`)
  for (const text of [`[${rows.join(',')}]`, rows.join('\n')]) {
    const found = readMany(text)
    assert.deepEqual([...found.ids], IDS)
    assert.match(found.source, /user_id/)
  }
})

test('logs and links', () => {
  const log = IDS.map(id => `2026-01-01T00:00:00Z INFO minted ${id} for order 17`).join('\n')
  assert.deepEqual(idsOf(log), IDS)
  const { ids } = readMany(
    'https://discord.com/channels/81384788765712384/381887113391505410/175928847299117063',
  )
  assert.deepEqual([...ids], [81384788765712384n, 381887113391505410n, 175928847299117063n])
  assert.deepEqual(idsOf('https://twitter.com/jack/status/20'), [20n])
})

test('what is no ID is told with its place, and small IDs are taken', () => {
  const found = readMany(`${IDS[0]}\nbroken!\n18446744073709551616\n7`)
  assert.deepEqual([...found.ids], [IDS[0], 7n])
  assert.equal(found.rejectedCount, 2)
  assert.deepEqual(
    found.rejected.map(({ place }) => place),
    [2, 3],
  )
})

test('repeated and unsorted IDs stay as they are', () => {
  const text = [IDS[2], IDS[0], IDS[0]]
  assert.deepEqual(idsOf(text.join('\n')), text)
})

test('the only ID among other words', () => {
  const id = String(IDS[0])
  for (const text of [
    `{"id":"${id}"}`,
    `{"id": ${id}, "name": "x", "n": 3}`,
    `"id": "${id}",`,
    `https://x.com/jack/status/${id}?s=20`,
    `<@${id}>`,
    `<:flake:${id}>`,
    `user_id=${id}`,
    `BigInt("${id}")`,
    `ID: ${id}`,
    `${id} 🐦`,
    `id\r\n${id}\r\n`,
    `2026-01-01T00:00:00Z INFO minted ${id} for order 17`,
  ]) {
    assert.equal(onlyIdOf(text), id, text)
  }
  const base58 = format(IDS[0], 'base58')
  assert.equal(onlyIdOf(`{"id": "${base58}", "name": "x"}`), base58)
  for (const text of ['', 'no ID here', `${id} ${IDS[1]}`, `[${IDS.join()}]`]) {
    assert.equal(onlyIdOf(text), null, text)
  }
})

test('nothing gives nothing', () => {
  assert.deepEqual(idsOf(''), [])
  assert.deepEqual(idsOf(' \n '), [])
})
