// Guesses are called so: what a first day with an ID of unknown origin sees.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Layout, decode, guess } from 'snowmint'

import { document, keys } from './reading.mjs'

const DISCORD = '175928847299117063' // of its documentation
const now = new Date('2026-11-21')

test('guesses.json', () => {
  const { now_ms: nowMs, guesses } = document('guesses.json')
  assert.ok(guesses.length > 150)
  for (const row of guesses) {
    keys(row, 'id', 'beside', 'system', 'source', 'preset', 'unix_ms', 'guesses')
    const asked = { now: BigInt(nowMs), beside: row.beside }
    const found = guess(row.id, asked).map(({ name, parts, named, doubt }) => (
      { preset: name, unix_ms: String(parts.unixMs), named, doubt }
    ))
    assert.deepEqual(found, row.guesses, row.id)
    if (found[0]?.doubt === null) assert.deepEqual(decode(row.id, asked), guess(row.id, asked)[0])
    else assert.throws(() => decode(row.id, asked), { code: 'unknown_layout', message: /no preset is likely: it.*name its layout/ })
  }
})

test('an ID is dated by its bits, or by nothing', () => {
  const likeliest = decode(DISCORD, { now })
  assert.deepEqual([likeliest.name, likeliest.named, likeliest.doubt], ['discord', false, null])
  assert.ok(guess(DISCORD, { now }).slice(1).every(({ named, doubt }) => !named && doubt !== null))
  assert.equal(likeliest.time, undefined)
  const [first] = guess(1427970479175499776n, { now })
  assert.deepEqual([first.name, first.doubt], ['twitter', 'ambiguous'])
  assert.throws(() => decode(1427970479175499776n, { now }), { message: /its bits do not tell apart twitter, discord/ })
})

test('keys and hosts beside the ID count', () => {
  for (const beside of ['guild_id', 'guildId', 'https://discord.com/channels/1/2', 'discord.com']) {
    const { name, named, parts } = decode(DISCORD, { now, beside })
    assert.deepEqual([name, named, parts.time.toISOString()], ['discord', true, '2016-04-30T11:18:25.796Z'])
  }
  assert.equal(decode(DISCORD, { now, beside: 'tweet' }).name, 'twitter')
  assert.equal(guess(DISCORD, { now, beside: 'netflix.com' })[0].named, false)
})

test('nothing is dated below a threshold, or before its system was there', () => {
  for (const id of ['12345', 0n, 1_700_000_000n, '4194308097']) {
    assert.deepEqual(guess(id, { now }), [], id)
    assert.throws(() => decode(id, { now }), { code: 'unknown_layout', message: /name its layout/ })
  }
  for (const { parts, sinceMs } of guess(DISCORD, { now })) assert.ok(parts.unixMs >= sinceMs)
  assert.throws(() => decode('hello'), { code: 'invalid_text' })
})

test('what has 128 bits is called so', () => {
  for (const [text, kind] of [
    ['01ARZ3NDEKTSV4RRFFQ69G5FAV', /a ULID, of 128 bits/],
    ['0188e0d1-aaf4-7b3c-9d20-aabbccddeeff', /a UUID.*, of 128 bits/]
  ]) assert.throws(() => guess(text, { now }), { code: 'text_length', message: kind })
})

test('an Instagram ID is not taken for one of Baidu', () => {
  for (const id of ['2384288897814875714', '3964265510254998627']) {
    assert.equal(guess(id, { now })[0].name, 'instagram')
  }
})

test('parts are the same in every layout, and the layout splits the worker ID into its fields', () => {
  const parts = { time: new Date(1_462_015_105_796), unixMs: 1_462_015_105_796n, workerId: 32, sequence: 7, rollback: 0 }
  assert.deepEqual(decode(DISCORD, 'discord'), parts)
  assert.deepEqual(guess(DISCORD, { now, beside: 'guild_id' })[0].parts, parts)
  assert.equal(Layout.DISCORD.encode(parts), BigInt(DISCORD))
  assert.deepEqual(Object.entries(Layout.DISCORD.workerParts(32)), [['worker', 1], ['process', 0]])
  assert.deepEqual(Object.entries(Layout.TWITTER.workerParts(378)), [['datacenter', 11], ['worker', 26]])
  assert.equal(Layout.TWITTER.workerId({ worker: 26, datacenter: 11 }), 378)
  assert.deepEqual(Layout.MASTODON.workerParts(0), {})
})

test('what is no option', () => {
  for (const by of [null, 7, [], new Date()]) assert.throws(() => decode(DISCORD, by), { code: 'invalid_parameter' })
  assert.throws(() => guess(DISCORD, { when: 1 }), { code: 'unknown_parameter' })
  assert.throws(() => guess(DISCORD, { beside: 7 }), { name: 'TypeError' })
})
