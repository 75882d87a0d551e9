// Moments, layouts and reasons in words.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Layout } from 'snowmint'
import { constantsOf, fieldsOf, layoutOf, presets, sortsByTime, specOf } from '../src/layouts.js'
import {
  dayOf,
  exactSpanOf,
  grouped,
  isoOf,
  parseEnd,
  parseMoment,
  plural,
  relativeOf,
  spanOf,
  wordsOf,
} from '../src/moments.js'
import { belongs, likeliestOf, rank, ruledOut } from '../src/ranking.js'
import { verdictOf } from '../src/views/compare.js'
import { judgementsOf } from '../src/views/consequences.js'

const TWEET = 1541815603606036480n
const NOW = Date.UTC(2026, 0)

test('numbers and spans', () => {
  assert.equal(grouped(1234567n), '1,234,567')
  assert.deepEqual(
    [plural(1, 'ID'), plural(0, 'ID'), plural(2000, 'ID'), plural(1.5, 'second')],
    ['1 ID', '0 IDs', '2,000 IDs', '1.5 seconds'],
  )
  assert.equal(spanOf(0), '0 ms')
  assert.equal(spanOf(-12345), '12.345 seconds')
  assert.equal(spanOf(179_999), '3 minutes')
  assert.equal(spanOf(86_400_000 * 400), '1 year 34 days')
  assert.equal(exactSpanOf(-90_061_001n), '1 day 01:01:01.001')
  assert.equal(relativeOf(BigInt(NOW), NOW), 'now')
  assert.equal(relativeOf(BigInt(NOW - 3_600_000), NOW), '1 hour ago')
  assert.equal(relativeOf(BigInt(NOW + 60_000), NOW), 'in 1 minute')
})

test('moments in words, also beyond what dates hold', () => {
  assert.match(wordsOf(1656432460105n, 'UTC'), /28 June 2022.*16:07:40\.105 UTC/)
  assert.match(wordsOf(1656432460000n, 'Asia/Shanghai', 1000), /29 June 2022.*00:07:40/)
  assert.equal(isoOf(1656432460105n), '2022-06-28T16:07:40.105Z')
  assert.equal(isoOf(8640000000000001n), '8,640,000,000,000,001 ms of Unix time')
  assert.equal(dayOf(0n), '1970-01-01')
})

test('moments as people write them', () => {
  const cases = {
    'now': BigInt(NOW),
    '2026-01-31': 1769817600000n,
    '2026-01-31 12:00': 1769860800000n,
    '2026-01-31T12:00:00.250Z': 1769860800250n,
    '2026-01-31T12:00+01:00': 1769857200000n,
    '2026-01-31 12:00 UTC': 1769860800000n,
    '1656432460': 1656432460000n,
    '1656432460105': 1656432460105n,
  }
  for (const [text, ms] of Object.entries(cases)) assert.equal(parseMoment(text, NOW), ms, text)
  for (const text of ['', 'yesterday', '2026-02-30', '2026-13-01', '12:00', '2026-01-31 25:00']) {
    assert.equal(parseMoment(text, NOW), null, text)
  }
})

test('the end of what is written: dates alone are whole', () => {
  const cases = {
    '2026-01-31': '2026-01-31T23:59:59.999Z',
    '2024-02': '2024-02-29T23:59:59.999Z',
    '2026': '2026-12-31T23:59:59.999Z',
    '2026-01-31 12:00': '2026-01-31T12:00:00Z',
    '2026-01-31T00:00+01:00': '2026-01-30T23:00:00Z',
    '1656432460105': '2022-06-28T16:07:40.105Z',
  }
  for (const [text, end] of Object.entries(cases)) assert.equal(isoOf(parseEnd(text, NOW)), end)
  assert.equal(parseEnd('soon', NOW), null)
})

test('fields add up to the ID, in every preset', () => {
  for (const { layout, name } of presets()) {
    const id = layout.encode({ unixMs: layout.epochMs + 5_000_000n, workerId: layout.maxWorkerId })
    const sum = fieldsOf(layout, id).reduce(
      (total, { value, shift }) => total | (value << BigInt(shift)),
      0n,
    )
    assert.equal(sum, id, name)
    assert.ok(
      fieldsOf(layout, id).every(({ meaning }) => meaning.length > 5),
      name,
    )
    assert.ok(belongs(layout, id), name)
  }
})

test('constants that are not zero', () => {
  const layout = layoutOf('constant:2=2,time:40,worker:10,sequence:12@0/1')
  assert.deepEqual(constantsOf(layout), { mask: 3n << 62n, value: 2n << 62n })
  assert.equal(belongs(layout, TWEET), false)
  assert.equal(fieldsOf(layout, layout.encode({ unixMs: 5n }))[0].title, 'constant')
})

test('layouts by their spec', () => {
  assert.equal(layoutOf('twitter'), Layout.TWITTER)
  const spec = specOf({ fields: 'time:39,worker:12,sequence:12', epochMs: -5n, tickMs: 10 })
  const layout = layoutOf(spec)
  assert.deepEqual([layout.epochMs, layout.tickMs, layout.workerBits], [-5n, 10, 12])
  assert.throws(() => layoutOf('nobody'), { code: 'unknown_layout' })
  assert.throws(() => layoutOf('time:99@0/1'), { code: 'invalid_layout' })
  assert.equal(sortsByTime(Layout.TWITTER), true)
  assert.equal(sortsByTime(Layout.SEATA), false)
})

test('candidates with reasons; the others with reasons, too', () => {
  const ranked = rank(TWEET, NOW)
  assert.equal(ranked[0].name, 'twitter')
  assert.deepEqual(
    ranked[0].reasons.map(({ good }) => good),
    [true],
  )
  assert.equal(ranked.find(({ name }) => name === 'leaf').same, 'twitter')
  const others = ruledOut(TWEET, NOW)
  assert.equal(ranked.length + others.length, presets().length)
  assert.match(others.find(({ name }) => name === 'mastodon').reason, /^its time would be 2715-/)
  assert.match(others.find(({ name }) => name === 'cosid-js-ms').reason, /constant/)
})

test('the layout of many', () => {
  const idsOf = layout =>
    BigUint64Array.from({ length: 500 }, (_, index) =>
      layout.encode({ time: NOW - index * 1000, workerId: 378, sequence: index % 4 }),
    )
  assert.equal(likeliestOf(idsOf(Layout.TWITTER), NOW), 'twitter')
  assert.equal(likeliestOf(idsOf(Layout.SONYFLAKE_V1), NOW), null)
  assert.equal(likeliestOf(idsOf(Layout.SONYFLAKE_V1), NOW, 'sonyflake'), 'sonyflake-v1')
  assert.equal(likeliestOf(new BigUint64Array(), NOW), null)
})

test('which of two is older', () => {
  const verdict = (a, b) =>
    verdictOf(
      [a, b],
      [a, b].map(id => Layout.TWITTER.decode(id)),
      Layout.TWITTER,
    )
  const at = (ms, workerId, sequence) =>
    Layout.TWITTER.encode({ unixMs: NOW + ms, workerId, sequence })
  assert.match(
    verdict(at(0, 1, 0), at(90_000, 1, 0)).head,
    /first is older, by 1 minute 30 seconds/,
  )
  assert.match(verdict(at(1, 1, 0), at(0, 2, 0)).head, /second is older, by 1 ms/)
  assert.match(verdict(at(0, 1, 0), at(0, 1, 0)).head, /same ID/)
  assert.match(verdict(at(0, 1, 4), at(0, 1, 3)).more.join(), /second has the smaller sequence/)
  assert.match(
    verdict(at(0, 1, 4), at(0, 2, 3)).more.join(),
    /no order within a tick.*different workers, 1 and 2/,
  )
})

test('what is good and bad about a layout', () => {
  const kinds = spec =>
    judgementsOf(layoutOf(spec), NOW)
      .map(({ kind, text }) => `${kind}: ${text}`)
      .join('\n')
  assert.match(kinds('twitter'), /good: It has \d+ years/)
  assert.match(kinds('baidu-default'), /bad: It has expired/)
  assert.match(kinds('seata'), /odd: Something lies above the time/)
  assert.match(kinds('cosid-js-ms'), /good: Every ID is exact as a JavaScript number/)
  assert.match(kinds('instagram'), /odd: In signed columns its IDs turn negative on/)
  assert.match(kinds('zero:1,time:41,worker:22@4102444800000/1'), /bad: The epoch lies ahead/)
  assert.match(kinds('mastodon'), /odd: Without worker bits/)
})
