// layouts.json, known-ids.json and errors.json.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Layout, engine, errorCodes } from 'snowmint'

import { document, judge, keys } from './reading.mjs'

const FACTS = [
  'preset', 'name', 'fields', 'epoch_ms', 'tick_ms', 'worker_bits', 'max_worker_id', 'ids_per_tick',
  'ids_per_second', 'ticks', 'expires_ms', 'expires', 'fits_53', 'fits_63', 'worker_ids', 'encode',
  'decode', 'bounds',
]

function build({ fields, epoch_ms, tick_ms }) {
  return new Layout(fields, { epochMs: BigInt(epoch_ms), tickMs: tick_ms })
}

function partsOf(row) {
  const { worker_id: workerId, sequence, rollback } = row
  return { unixMs: BigInt(row.unix_ms), workerId, sequence, rollback }
}

test('layouts are equal by their bits, epoch and ticks', () => {
  const [fields, epochMs] = [Layout.TWITTER.text, Layout.TWITTER.epochMs]
  assert.ok(Layout.TWITTER.equals(new Layout(fields, { epochMs })) && Layout.TWITTER.equals(Layout.of('twitter')))
  const others = [Layout.DISCORD, new Layout(fields), new Layout(fields, { epochMs, tickMs: 10 }), fields, null, undefined, { text: fields, epochMs, tickMs: 1 }]
  for (const other of others) assert.equal(Layout.TWITTER.equals(other), false)
})

test('errors.json', () => {
  const { errors, ...rest } = document('errors.json')
  keys(rest)
  assert.deepEqual(errorCodes.map(row => ({ ...row })), errors)
})

for (const row of document('layouts.json').layouts) {
  test(`layouts.json: ${row.name}`, () => {
    keys(row, ...FACTS)
    const layout = build(row)
    facts(layout, row)
    for (const each of row.encode) {
      keys(each, 'unix_ms', 'worker_id', 'sequence', 'rollback', 'id', 'error')
      judge(each, () => layout.encode(partsOf(each)), id => assert.equal(id, BigInt(each.id)))
    }
    for (const each of row.decode) {
      keys(each, 'id', 'unix_ms', 'worker_id', 'sequence', 'rollback', 'error')
      judge(each, () => layout.decode(each.id), ({ time, ...parts }) => {
        assert.deepEqual(parts, partsOf(each))
        assert.equal(layout.workerId(layout.workerParts(parts.workerId)), parts.workerId)
        assert.equal(time.getTime(), new Date(Number(parts.unixMs)).getTime())
        assert.equal(layout.encode(parts), BigInt(each.id))
      })
    }
    for (const each of row.bounds) {
      keys(each, 'unix_ms', 'min_id', 'max_id', 'error')
      const time = BigInt(each.unix_ms)
      judge(each, () => layout.minId(time), id => assert.equal(id, BigInt(each.min_id)))
      judge(each, () => layout.maxId(time), id => assert.equal(id, BigInt(each.max_id)))
    }
    for (const each of row.worker_ids) {
      keys(each, 'parts', 'worker_id', 'error')
      judge(each, () => layout.workerId(each.parts), id => {
        assert.equal(id, each.worker_id)
        const given = Object.entries(each.parts).filter(([, value]) => value > 0)
        const split = Object.entries(layout.workerParts(id)).filter(([, value]) => value > 0)
        assert.deepEqual(Object.fromEntries(split), Object.fromEntries(given))
      })
    }
  })
}

function facts(layout, row) {
  assert.equal(layout.text, row.fields)
  assert.equal(String(layout), `${row.fields}@${row.epoch_ms}/${row.tick_ms}`)
  assert.ok(Layout.of(String(layout)).equals(layout))
  assert.equal(layout.fields.reduce((bits, field) => bits + field.bits, 0), 64)
  assert.equal(layout.epochMs, BigInt(row.epoch_ms))
  assert.equal(layout.tickMs, row.tick_ms)
  assert.equal(layout.workerBits, row.worker_bits)
  assert.equal(layout.maxWorkerId, row.max_worker_id)
  assert.equal(layout.idsPerTick, BigInt(row.ids_per_tick))
  assert.equal(layout.idsPerSecond, BigInt(row.ids_per_second))
  assert.equal(layout.ticks, BigInt(row.ticks))
  assert.equal(layout.expiresMs, BigInt(row.expires_ms))
  assert.equal(engine.timestamp(layout.expiresMs), row.expires)
  for (const bits of [53, 63]) assert.equal(fitText(layout.fits(bits)), row[`fits_${bits}`])
  assert.equal(layout.fits(64), true)
}

function fitText(fit) {
  if (typeof fit === 'boolean') return fit ? 'always' : 'never'
  return `until ${fit.untilMs}`
}

test('layouts.json: the presets, in their order', () => {
  const rows = document('layouts.json').layouts.filter(row => row.preset)
  assert.deepEqual(Layout.presets().map(preset => preset.name), rows.map(row => row.name))
  Layout.presets().forEach((preset, at) => {
    const { policy, start } = rows[at].preset
    keys(rows[at].preset, 'policy', 'start')
    keys(policy, 'max_ahead_ms', 'when_behind', 'when_full')
    assert.equal(preset.layout.text, rows[at].fields)
    assert.equal(Layout[preset.name.toUpperCase().replaceAll('-', '_')], preset.layout)
    assert.equal(preset.policy.maxAheadMs, policy.max_ahead_ms)
    assert.equal(preset.policy.whenFull, policy.when_full)
    assert.equal(behindText(preset.policy), policy.when_behind)
    const bound = start.max_offset ?? start.below
    assert.equal(preset.start, bound === undefined ? start.kind : `${start.kind}:${bound}`)
  })
})

function behindText({ whenBehind, maxWaitMs }) {
  return maxWaitMs === undefined ? whenBehind : `${whenBehind} ${maxWaitMs}`
}

test('layouts.json: what is no layout', () => {
  for (const row of document('layouts.json').invalid) {
    keys(row, 'why', 'fields', 'epoch_ms', 'tick_ms', 'error')
    assert.throws(() => build(row), { code: row.error }, row.why)
  }
})

test("a preset's name is no text of fields: the error names the preset's layout", () => {
  assert.throws(() => new Layout('discord'), { code: 'invalid_layout', message: "discord is a preset's name: use Layout.DISCORD or Layout.of('discord')" })
  assert.throws(() => new Layout('cosid-js-s'), { message: /use Layout\.COSID_JS_S or/ })
})

test('known-ids.json', () => {
  const { ids } = document('known-ids.json')
  assert.ok(ids.length >= 30)
  for (const row of ids) {
    keys(row, 'id', 'preset', 'unix_ms', 'time', 'fields', 'source')
    const layout = Layout.of(row.preset)
    const { time, ...parts } = layout.decode(row.id)
    const workers = ['datacenter', 'worker', 'process', 'shard'].filter(kind => kind in row.fields)
    const own = Object.fromEntries(workers.map(kind => [kind, row.fields[kind]]))
    assert.deepEqual(layout.workerParts(parts.workerId), own, row.id)
    assert.equal(parts.unixMs, BigInt(row.unix_ms))
    assert.equal(engine.timestamp(time), row.time)
    assert.equal(layout.encode(parts), BigInt(row.id))
    const named = layout.fields.filter(field => field.kind !== 'constant')
    assert.equal(named.length, Object.keys(row.fields).length)
    for (const { kind, bits, shift } of named) {
      const value = (BigInt(row.id) >> BigInt(shift)) & ((1n << BigInt(bits)) - 1n)
      assert.equal(value, BigInt(row.fields[kind]))
    }
  }
})

test('decodeMany gives what decode gives', () => {
  const rows = document('known-ids.json').ids.filter(row => row.preset === 'twitter')
  const many = Layout.TWITTER.decodeMany(BigUint64Array.from(rows, row => BigInt(row.id)))
  rows.forEach((row, at) => {
    const { unixMs, workerId, sequence, rollback } = Layout.TWITTER.decode(row.id)
    assert.deepEqual(
      [many.unixMs[at], many.workerIds[at], many.sequences[at], many.rollbacks[at]],
      [unixMs, workerId, sequence, rollback],
    )
  })
})
