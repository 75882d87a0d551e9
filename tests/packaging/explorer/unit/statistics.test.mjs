// Statistics of many IDs.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Layout } from 'snowmint'
import { factsOf } from '../src/facts.js'
import { finish } from '../src/slices.js'
import * as statistics from '../src/statistics.js'
import { findingsOf } from '../src/views/findings.js'

const { skewOf } = statistics
const [busiestTick, checkOrder, courseOf, decodeAll, histogramOf, marksOf, residuesOf, workersOf] = [
  statistics.busiestTick,
  statistics.checkOrder,
  statistics.courseOf,
  statistics.decodeAll,
  statistics.histogramOf,
  statistics.marksOf,
  statistics.residuesOf,
  statistics.workersOf,
].map(look => (...given) => finish(look(...given)))

const START = Date.UTC(2024, 0)
const mint = (ms, workerId = 1, sequence = 0) =>
  Layout.TWITTER.encode({ unixMs: START + ms, workerId, sequence })
const array = ids => BigUint64Array.from(ids)

test('IDs are taken apart, and strangers to the layout left out', () => {
  const { own, columns, strangers } = decodeAll(array([mint(0, 3, 5), 1n << 63n]), Layout.TWITTER)
  assert.deepEqual([own.length, strangers], [1, 1])
  assert.deepEqual(
    [columns.unixMs[0], columns.workerIds[0], columns.sequences[0]],
    [BigInt(START), 3, 5],
  )
})

test('duplicates are counted and named', () => {
  const { copies, duplicates } = checkOrder(array([5n, 7n, 5n, 5n, 9n, 7n]))
  assert.equal(copies, 3)
  assert.deepEqual(duplicates, [
    { id: 5n, count: 3 },
    { id: 7n, count: 2 },
  ])
})

test('breaks of order, and lists with the newest first', () => {
  assert.deepEqual(checkOrder(array([1n, 2n, 3n])).descents, 0)
  const broken = checkOrder(array([1n, 3n, 2n, 4n]))
  assert.deepEqual([broken.descents, broken.firstDescent, broken.falling], [1, 2, false])
  assert.equal(checkOrder(array([3n, 2n, 1n])).falling, true)
  assert.equal(checkOrder(array([7n])).falling, false)
  assert.deepEqual(marksOf(array([1n, 3n, 2n, 3n])), ['', '', 'back', 'again'])
})

test('the histogram counts every ID, in bins of whole ticks', () => {
  const unixMs = BigInt64Array.from([0n, 1n, 1n, 1000n, 9999n])
  const { first, last, widthMs, counts } = histogramOf(unixMs, 10)
  assert.deepEqual([first, last], [0n, 9999n])
  assert.equal(widthMs % 10n, 0n)
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    5,
  )
  assert.equal(counts[0], 3)
  assert.deepEqual(histogramOf(BigInt64Array.from([5n]), 1).counts, [1])
})

test('the course keeps what lies out of order when it thins', () => {
  const unixMs = BigInt64Array.from({ length: 5000 }, (_, index) =>
    BigInt(index === 2500 ? 0 : index),
  )
  const points = courseOf(unixMs)
  assert.ok(points.length <= 240)
  assert.equal(
    points.reduce((sum, { falls }) => sum + falls, 0),
    1,
  )
  assert.ok(points.some(({ low, from }) => low === 0n && from > 0))
})

test('workers come by how much they minted', () => {
  assert.deepEqual(workersOf(Uint32Array.of(4, 2, 2, 9, 2, 4)), [
    [2, 3],
    [4, 2],
    [9, 1],
  ])
})

test('remainders of sequences and of whole IDs', () => {
  assert.deepEqual(residuesOf(Uint32Array.of(0, 1, 2, 3, 4), 2), [3, 2])
  assert.deepEqual(residuesOf(array([0n, 5n, 1n << 63n]), 4), [2, 1, 0, 0])
})

test('skew is what chance would hardly do', () => {
  assert.equal(skewOf([50, 50]).skewed, false)
  assert.equal(skewOf([55, 45]).skewed, false)
  assert.equal(skewOf([3, 0]).skewed, false)
  assert.deepEqual(skewOf([95, 5]), { skewed: true, fullest: 0, share: 0.95 })
  assert.equal(skewOf([5100, 4900]).skewed, false)
})

test('the busiest tick is of one worker', () => {
  const { columns } = decodeAll(
    array([mint(0, 1, 0), mint(0, 2, 0), mint(5, 2, 0), mint(5, 2, 1)]),
    Layout.TWITTER,
  )
  assert.deepEqual(busiestTick(columns), { count: 2, unixMs: BigInt(START + 5), workerId: 2 })
})

test('what is said of many IDs', () => {
  const say = (list, chosen = 'twitter') => {
    const facts = finish(factsOf(array(list), { chosen, nowMs: Date.UTC(2026, 0) }))
    return findingsOf(facts).map(({ kind, text }) => `${kind}: ${text}`)
  }
  const rising = Array.from({ length: 60 }, (_, index) => mint(index, index % 3, index % 2))
  assert.deepEqual(say(rising), ['good: No ID twice, and each above the one before it.'])
  assert.match(say([...rising].reverse()).join(), /^good: No ID twice, and each below/)
  const even = Array.from({ length: 60 }, (_, index) => mint(index, index < 40 ? 1 : index, 0))
  assert.match(say(even).join(), /odd: 100 % of the sequences are even/)
  assert.match(say(even).join(), /odd: Worker 1 minted 67 % of them/)
  assert.match(say([rising[1], rising[0], rising[2]]).join(), /bad: Once an ID is below.*place 2/)
  assert.match(say([rising[0], rising[0]]).join(), /bad: 1 ID repeated: \d+ stands here 2 times/)
  assert.match(
    say([mint(0), mint(0, 1, 1)]).join(),
    /plain: The busiest tick has 2 IDs of worker 1/,
  )
  assert.match(say([rising[0], 1n << 63n]).join(), /bad: 1 ID cannot be of twitter/)
  const rounded = rising.map(id => BigInt(String(Number(id))))
  assert.match(say(rounded).join(), /bad: All end as JavaScript prints rounded numbers/)
  assert.doesNotMatch(say([...rounded, rising[1]]).join(), /rounded/)
  assert.match(say([7n], 'seata').join(), /plain: Time is not the top field/)
})
