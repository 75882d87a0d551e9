// The explorer's words about a guess, held against the engine's guess: the same presets in the same
// order, each with its reasons.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { guess } from 'snowmint'
import { presets } from '../src/layouts.js'
import { belongs, likeliestIn, likeliestOf, rank, ruledOut } from '../src/ranking.js'

const NOW = Date.UTC(2026, 6)
const DAY_MS = 86_400_000n
/** When Mastodon began to mint. */
const MASTODON_MS = BigInt(Date.UTC(2017, 8, 4))
const names = presets().map(({ name }) => name)

function vectors(name) {
  const file = path.join(process.env.SNOWMINT_ROOT, 'tests/vectors', name)
  return JSON.parse(readFileSync(file, 'utf8'))
}

function known() {
  return vectors('known-ids.json').ids.map(({ id }) => BigInt(id))
}

/** IDs at the borders of what is young, small and plausible, in each preset. */
function bordering() {
  const times = ({ epochMs, expiresMs }) =>
    [epochMs, epochMs + 30n * DAY_MS, MASTODON_MS, BigInt(NOW), BigInt(NOW) + DAY_MS]
      .flatMap(ms => [ms - 1n, ms, ms + 1n])
      .filter(ms => ms >= epochMs && ms < expiresMs)
  const around = max => [0, Math.floor(max / 2), Math.floor(max / 2) + 1, max].filter(n => n <= max)
  return presets().flatMap(({ layout }) =>
    times(layout).flatMap(unixMs =>
      around(layout.maxWorkerId).flatMap(workerId =>
        around(Number(layout.idsPerTick) - 1).map(sequence =>
          layout.encode({ unixMs, workerId, sequence }),
        ),
      ),
    ),
  )
}

/** Any 64 bits, the same each time. */
function anyBits() {
  let state = 1n
  return Array.from({ length: 2000 }, (_, index) => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n)
    return state >> BigInt(index % 48)
  })
}

const ids = [0n, 1n, (1n << 63n) - 1n, (1n << 64n) - 1n, ...known(), ...bordering(), ...anyBits()]

test('the presets of a guess, in the order of the engine, and all others ruled out', () => {
  assert.ok(ids.length > 3000)
  for (const id of ids) {
    const ranked = rank(id, NOW).map(({ name }) => name)
    assert.deepEqual(
      ranked,
      guess(id, { now: NOW }).map(({ name }) => name),
      String(id),
    )
    const others = ruledOut(id, NOW)
    assert.deepEqual([...ranked, ...others.map(({ name }) => name)].sort(), [...names].sort())
    for (const { name, reason } of others) {
      const { layout } = presets().find(preset => preset.name === name)
      const words = belongs(layout, id) ? /^its time would be / : /constant/
      assert.match(reason, words, `${name} of ${id}`)
    }
    const [first] = guess(id, { now: NOW })
    const likely = first?.doubt === null ? first.name : null
    assert.equal(likeliestIn(rank(id, NOW)) ?? null, likely)
    assert.equal(likeliestOf(BigUint64Array.of(id), NOW), likely)
  }
})

test('each candidate has its reasons: what is named, how old it is, and its doubt', () => {
  for (const id of ids) {
    for (const { name, doubt, named, reasons } of rank(id, NOW)) {
      assert.equal(reasons.length, doubt === null ? 1 : 2, `${name} of ${id}`)
      assert.ok(!named && reasons[0].good, `${name} of ${id}`)
      assert.ok(doubt === null || (!reasons[1].good && reasons[1].text), `${name} of ${id}`)
    }
  }
  const [first] = rank(175928847299117063n, NOW, '{"guild_id": 175928847299117063}')
  assert.deepEqual([first.name, first.reasons[0].text], ['discord', 'named beside it'])
  assert.equal(likeliestOf(BigUint64Array.of(175928847299117063n), NOW, 'guild_id'), 'discord')
})

test('small numbers are of no system', () => {
  for (const id of [0n, 12345n, 1_700_000_000n]) {
    assert.deepEqual(rank(id, NOW), [])
    assert.equal(likeliestOf(BigUint64Array.of(id), NOW), null)
  }
})

test('guesses.json', () => {
  const { now_ms: nowMs, guesses } = vectors('guesses.json')
  for (const row of guesses) {
    const ranked = rank(BigInt(row.id), Number(nowMs), row.beside)
    const shown = ranked.map(({ name, parts, named, doubt }) => ({
      preset: name,
      unix_ms: String(parts.unixMs),
      named,
      doubt,
    }))
    assert.deepEqual(shown, row.guesses, row.id)
    if (likeliestIn(ranked)) assert.equal(String(ranked[0].parts.unixMs), row.unix_ms, row.id)
  }
})

test('the preset of a column is that of more than half of its IDs', () => {
  const [tweet, other] = [1541815603606036480n, 5612345678901234567n]
  assert.equal(likeliestOf(BigUint64Array.of(tweet, tweet, other), NOW), 'twitter')
  assert.equal(likeliestOf(BigUint64Array.of(tweet, other), NOW), null)
})
