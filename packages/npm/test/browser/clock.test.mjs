// The time that generators go by.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inside } from './inside.mjs'

const { anchor } = inside('browser/anchor.js')
const { Clock } = inside('browser/clock.js')
const START_MS = 1_795_000_000_000

/** A clock on two hands that the test sets. */
function handmade() {
  const hands = { wall: START_MS, mono: 1000 }
  const clock = new Clock({ wall: () => hands.wall, mono: () => hands.mono })
  const pass = (ms, { wall = ms, mono = ms } = {}) => {
    hands.wall += wall
    hands.mono += mono
    return clock.now() - START_MS
  }
  return { clock, hands, pass }
}

test('time passes as both clocks say', () => {
  const { clock, pass } = handmade()
  assert.equal(clock.now(), START_MS)
  for (let ms = 7; ms <= 7000; ms += 7) assert.equal(pass(7), ms)
  assert.equal(clock.leaps, 0)
})

test('a step back is not followed', () => {
  const { clock, pass } = handmade()
  assert.equal(pass(100), 100)
  assert.equal(pass(10, { wall: -3_600_000 }), 110)
  assert.equal(pass(10), 120)
  assert.equal(pass(1000), 1120)
  assert.equal(pass(1000, { wall: 700 }), 2120)
  assert.equal(clock.leaps, 0)
})

test('small steps back never lead below a look', () => {
  const { pass } = handmade()
  let last = 0
  for (let n = 0; n < 100; n++) {
    const time = pass(60, { wall: -100 })
    assert.ok(time >= last, `${time} after ${last}`)
    last = time
  }
  assert.equal(last, 6000)
})

test('a sleep, in which the monotonic clock stands still, is followed and noted', () => {
  const { clock, pass } = handmade()
  assert.equal(pass(28_800_000, { mono: 3 }), 28_800_000)
  assert.equal(clock.leaps, 1)
  assert.equal(pass(100), 28_800_100)
  assert.equal(clock.leaps, 1)
})

test('coarse clocks do not run fast, nor leap', () => {
  let now = 0
  const coarse = (step, phase) => Math.floor((now + phase) / step) * step
  for (const [wallStep, monoStep] of [[1, 100], [100, 1], [100, 100], [16, 5]]) {
    now = 0
    const clock = new Clock({ wall: () => START_MS + coarse(wallStep, 0), mono: () => coarse(monoStep, 37) })
    for (; now < 3_600_000; now += 61) {
      const error = clock.now() - START_MS - now
      assert.ok(Math.abs(error) <= wallStep + monoStep, `${error} ms off after ${now}`)
    }
    assert.equal(clock.leaps, 0)
  }
})

test('clocks that drift apart do not leap', () => {
  const { clock, hands } = handmade()
  for (let ms = 0; ms < 86_400_000; ms += 20_000) {
    hands.wall += 20_004
    hands.mono += 20_000
    clock.now()
  }
  assert.equal(clock.leaps, 0)
})

test("the store's time puts a wrong clock right", () => {
  const { clock, hands, pass } = handmade()
  const asked = clock.now()
  hands.wall += 40
  hands.mono += 40
  // It answered within these 40 ms.
  anchor(clock, START_MS + 5_000_000, asked)
  const error = clock.now() - (START_MS + 5_000_000)
  assert.ok(error >= 0 && error <= 40)
  assert.equal(pass(1000), 5_001_000 + error)
  const before = clock.now()
  anchor(clock, START_MS, before)
  assert.equal(clock.now(), START_MS)
})

test("a store's step back is paid at half speed where the time is used, and never leads back", () => {
  for (const [wallStep, monoStep] of [[1, 1], [1, 100], [100, 1], [100, 100]]) {
    let now = 0
    const coarse = step => Math.floor(now / step) * step
    const clock = new Clock({ wall: () => START_MS + coarse(wallStep), mono: () => coarse(monoStep) })
    anchor(clock, START_MS - 60_000, clock.now(), true)
    assert.equal(clock.now(), START_MS)
    let last = START_MS
    for (; now < 180_000; now += 7) {
      const time = clock.now()
      assert.ok(time >= last, `${time} after ${last}`)
      last = time
      const right = START_MS + Math.max(now / 2, now - 60_000)
      assert.ok(Math.abs(time - right) <= wallStep + 1, `${time - right} ms off after ${now}`)
    }
    assert.equal(clock.owed, 0)
  }
})

test('a store that is asked after a leap takes the time no further back than it was before', () => {
  const { clock, hands } = handmade()
  clock.now()
  hands.wall += 3_600_000
  const asked = clock.now()
  assert.equal(clock.leaps, 1)
  anchor(clock, START_MS - 500, asked, true)
  assert.equal(clock.now(), START_MS)
  assert.equal(clock.owed, 500)
})

test("an answer that says nothing new changes nothing", () => {
  const { clock, hands } = handmade()
  const asked = clock.now()
  hands.wall += 40
  hands.mono += 40
  anchor(clock, START_MS + 15, asked)
  assert.equal(clock.now(), START_MS + 40)
})

test('a pause between the two readings is no step', () => {
  let now = 0
  let pauses = 1
  const mono = () => {
    const read = now
    if (now > 1000 && pauses-- > 0) now += 5000
    return read
  }
  const clock = new Clock({ wall: () => START_MS + now, mono })
  now = 1100
  assert.equal(clock.now(), START_MS + 6100)
  now += 100
  assert.equal(clock.now(), START_MS + 6200)
  assert.equal(clock.leaps, 0)
})

test('what lies between two looks is the wall clock alone', () => {
  const { clock, hands } = handmade()
  let looks = 0
  clock.onLook = () => looks++
  for (let n = 0; n < 40; n++) {
    hands.wall++
    clock.now()
  }
  assert.equal(looks, 0)
  hands.wall += 60
  clock.now()
  assert.equal(looks, 1)
})
