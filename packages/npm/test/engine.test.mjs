// snowflakes.json and segments.json.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Layout, engine } from 'snowmint'

import { document, judge, keys } from './reading.mjs'

const snowflakes = document('snowflakes.json')
const segments = document('segments.json')

function layoutOf(row) {
  keys(row, 'preset', 'fields', 'epoch_ms', 'tick_ms')
  if (row.preset) return Layout.of(row.preset)
  return new Layout(row.fields, { epochMs: BigInt(row.epoch_ms), tickMs: row.tick_ms })
}

function laneOf({ worker_id: workerId, rollback, floor, reserved }) {
  return { workerId, rollback, floor: BigInt(floor), reserved: BigInt(reserved) }
}

function startOf({ kind, max_offset, below, seed, ...rest }) {
  keys(rest)
  if (kind === 'vibrate') return { kind, maxOffset: max_offset }
  if (kind === 'random') return { kind, below, seed: BigInt(seed) }
  return { kind }
}

test('snowflakes.json: policies', () => {
  keys(snowflakes, 'policies', 'refused', 'traces')
  const rows = engine.policies.map(({ name, maxAheadMs, whenBehind, maxWaitMs, whenFull }) => ({
    name,
    max_ahead_ms: maxAheadMs,
    when_behind: maxWaitMs === undefined ? whenBehind : `${whenBehind} ${maxWaitMs}`,
    when_full: whenFull,
  }))
  assert.deepEqual(rows, snowflakes.policies)
})

test('snowflakes.json: refused', () => {
  for (const row of snowflakes.refused) {
    keys(row, 'layout', 'lane', 'error')
    const make = () => new engine.Snowflake({ layout: layoutOf(row.layout), lane: laneOf(row.lane) })
    assert.throws(make, { code: row.error })
  }
})

for (const trace of snowflakes.traces) {
  test(`snowflakes.json: ${trace.name}`, () => {
    keys(trace, 'name', 'about', 'layout', 'policy', 'max_ahead_ms', 'start', 'lane', 'steps')
    const policy = engine.policies.find(({ name }) => name === trace.policy)
    assert.equal(policy?.name, trace.policy)
    const machine = new engine.Snowflake({
      layout: layoutOf(trace.layout),
      lane: laneOf(trace.lane),
      maxAheadMs: trace.max_ahead_ms,
      start: startOf(trace.start),
    })
    trace.steps.forEach((step, at) => run(machine, policy, step, `${trace.name}: steps[${at}]`))
  })
}

function run(machine, policy, step, where) {
  switch (step.op) {
    case 'issue':
      keys(step, 'op', 'now_ms', 'n', 'first', 'last', 'ids', 'error', 'wait_ms', 'action')
      issue(machine, policy, step, where)
      return
    case 'extend':
      keys(step, 'op', 'reserved')
      machine.extend(BigInt(step.reserved))
      return
    case 'open':
    case 'jump':
      keys(step, 'op', 'worker_id', 'rollback', 'floor', 'reserved', 'error')
      judge(step, () => machine[step.op](laneOf(step)), () => {})
      return
    default:
      assert.fail(`no operation ${step.op}`)
  }
}

function issue(machine, policy, step, where) {
  const call = () => machine.issue(step.n, BigInt(step.now_ms))
  if (step.error === undefined) {
    const ids = call()
    assert.equal(ids.length, step.n, where)
    assert.deepEqual([ids[0], ids.at(-1)], [BigInt(step.first), BigInt(step.last)], where)
    if (step.n <= 8) assert.deepEqual([...ids].map(String), step.ids, where)
    return
  }
  assert.throws(call, error => {
    assert.equal(error.code, step.error, where)
    assert.equal(error.waitMs === undefined ? undefined : String(error.waitMs), step.wait_ms, where)
    if (step.action !== undefined) assert.equal(actionText(policy.action(error)), step.action, where)
    return true
  })
}

function actionText({ kind, waitMs }) {
  return waitMs === undefined ? kind : `${kind} ${waitMs}`
}

test('one ID at a time is what issue gives', () => {
  const machine = new engine.Snowflake({ lane: { workerId: 378 } })
  assert.equal(machine.nextId(1_656_432_460_105), 1541815603606036480n)
  assert.equal(machine.nextId(new Date(1_656_432_460_105)), 1541815603606036481n)
})

test('segments.json: limits, ranges and steps', () => {
  keys(segments, 'limits', 'ranges', 'steps', 'traces')
  const known = { max_number: 'maxNumber', max_step: 'maxStep', max_distance: 'maxDistance' }
  for (const { name, value } of segments.limits) {
    assert.equal(String(engine.limits[known[name]]), value)
  }
  for (const row of segments.ranges) {
    keys(row, 'start', 'end', 'stride', 'count', 'last', 'error')
    judge(row, () => rangeOf(row), range => {
      assert.equal(range.count, BigInt(row.count))
      if (range.count <= 1000n) assert.equal([...range].at(-1), BigInt(row.last))
    })
  }
  for (const row of segments.steps) {
    keys(row, 'min', 'max', 'error')
    judge(row, () => new engine.SegmentBuffer({ step: stepOf(row) }), () => {})
  }
})

function rangeOf({ start, end, stride }) {
  return new engine.Range(BigInt(start), BigInt(end), BigInt(stride))
}

function stepOf({ min, max }) {
  return { min: BigInt(min), max: BigInt(max) }
}

function prefetchOf({ kind, used_percent, distance }) {
  if (kind === 'double_bucket') return { usedPercent: used_percent }
  assert.equal(kind, 'chain')
  return { distance }
}

for (const trace of segments.traces) {
  test(`segments.json: ${trace.name}`, () => {
    keys(trace, 'name', 'about', 'prefetch', 'step', 'above', 'steps')
    const buffer = new engine.SegmentBuffer({
      prefetch: prefetchOf(trace.prefetch),
      step: stepOf(trace.step),
      above: BigInt(trace.above),
    })
    trace.steps.forEach((step, at) => lead(buffer, step, `${trace.name}: steps[${at}]`))
  })
}

const STEPS = {
  wants: ['now_ms', 'step'],
  take: ['n', 'range'],
  take_until_request: ['range'],
  supply: ['start', 'end', 'stride', 'now_ms', 'floor', 'error'],
  failed: [],
  resize: ['min', 'max'],
}

function lead(buffer, step, where) {
  keys(step, 'op', 'remaining', ...(STEPS[step.op] ?? assert.fail(`no operation ${step.op}`)))
  switch (step.op) {
    case 'wants':
      assert.equal(buffer.wants(BigInt(step.now_ms))?.toString() ?? null, step.step, where)
      break
    case 'take':
      taken(buffer.take(BigInt(step.n)), step, where)
      break
    case 'take_until_request':
      taken(buffer.takeUntilRequest(), step, where)
      break
    case 'supply':
      judge(step, () => buffer.supply(rangeOf(step), BigInt(step.now_ms)), () => {})
      assert.equal(buffer.floor, BigInt(step.floor), where)
      break
    case 'failed':
      buffer.failed()
      break
    case 'resize':
      buffer.resize(stepOf(step))
  }
  if (step.remaining !== undefined) assert.equal(buffer.remaining, BigInt(step.remaining), where)
}

function taken(range, step, where) {
  assert.deepEqual(range, step.range === null ? null : rangeOf(step.range), where)
}
