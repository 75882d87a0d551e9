// The npm package beside floors and peers.

import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { PublicIdKeys, Segment, Snowflake, Store, open } from 'snowmint'

import { loop, measure, median, sink } from './measure.mjs'
import { peers, publicPeers } from './peers.mjs'

const USAGE = 'usage: tests/bench/node/run [--rounds N] [--json | --markdown]'
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    json: { type: 'boolean' },
    markdown: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})
if (options.help) {
  console.log(USAGE)
  process.exit(0)
}

const COUNT = 50_000 // so that a round is a burst, which the peers after it let pass
const BLOCK = 4096

const { floor, textFloor } = createRequire(import.meta.url)('./floor.node')
const directory = mkdtempSync(path.join(tmpdir(), 'snowmint-bench-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))

const flake = await open(`snowflake+sqlite:${directory}/ids.db?create=true`)
const fixed = new Snowflake({ workerId: 7, stateDirectory: directory, reserveMs: 60_000 })
const store = await Store.open(`sqlite:${directory}/ids.db`)
await store.createTag('orders', { step: 1 << 24 })
const segment = await Segment.open({ tag: 'orders', store })

const block = new BigUint64Array(BLOCK)
const numbers = BigUint64Array.from({ length: BLOCK }, (_, at) => (1n << 60n) + BigInt(at))

// IDs for the public forms alone: as bigints, and as what the peers take.
const ids = Array.from({ length: 1024 }, (_, at) => 1541815603606036480n + BigInt(at))
const keys = PublicIdKeys.generate()
const orders = keys.publicIds('order')
const uuids = keys.publicIds('order', 'uuid')
const integers = keys.publicIds('order', 'number63')
const tokens = orders.encodeMany(ids)
const text = textFloor()

/** A call with another of 1024 values each time. */
function over(values, call) {
  let at = 0
  return loop(() => call(values[at++ & 1023]))
}

const subjects = [
  { name: 'native floor', run: loop(floor), count: COUNT },
  { name: 'nextId', run: loop(() => flake.nextId()), count: COUNT },
  { name: 'nextId, fixed worker ID', run: loop(() => fixed.nextId()), count: COUNT },
  { name: 'nextIdString', run: loop(() => flake.nextIdString()), count: COUNT },
  { name: 'nextIdString, base32', run: loop(() => flake.nextIdString('base32')), count: COUNT },
  { name: 'nextId and String()', run: loop(() => String(flake.nextId())), count: COUNT },
  { name: 'nextIdAsync, awaited', run: () => flake.nextIdAsync(), count: COUNT, awaited: true },
  {
    name: 'read from a BigUint64Array',
    run: n => { for (let i = 0; i < n; i++) sink.last = numbers[i & (BLOCK - 1)] },
    count: COUNT,
  },
  {
    name: 'nextId of a segment',
    run: n => { for (let i = 0; i < n; i++) sink.last = segment.nextId() },
    count: COUNT,
  },
  { name: 'fill', run: n => { for (let i = 0; i < n; i += BLOCK) flake.fill(block) }, count: 25 * BLOCK },
  { name: 'fill from a segment', run: n => { for (let i = 0; i < n; i += BLOCK) segment.fill(block) }, count: 25 * BLOCK },
  { name: 'native text floor', run: over(ids, id => text(7, id)), count: COUNT },
  { name: 'PublicIds.encode', run: over(ids, id => orders.encode(id)), count: COUNT },
  { name: 'PublicIds.decode', run: over(tokens, token => orders.decode(token)), count: COUNT },
  { name: 'encodeMany', run: n => { for (let i = 0; i < n; i += 1024) sink.last = orders.encodeMany(ids) }, count: COUNT },
  { name: 'encode, uuid', run: over(ids, id => uuids.encode(id)), count: COUNT / 10 },
  { name: 'encode, number63', run: over(ids, id => integers.encode(id)), count: COUNT / 10 },
  ...publicPeers.map(([name, { values, call }]) => ({ name, run: over(values, call), count: COUNT / 10 })),
  ...peers.map(([name, call]) => ({
    name,
    run: call.awaited ? call : loop(call),
    count: call.awaited ? COUNT / 10 : COUNT,
    awaited: call.awaited,
  })),
]

const figures = await measure(subjects, Number(options.rounds))
await flake.closeAsync()
fixed.close()
segment.close()

/** The median over the rounds of one by the other. */
function ratio(name, other) {
  const others = figures.get(other)
  return median(figures.get(name).map((ns, round) => ns / others[round]))
}

function line(name, target = {}) {
  const { of, atMost, atLeast } = target
  const ns = median(figures.get(name))
  const compared = of === undefined ? undefined : ratio(name, of)
  const judged = compared ?? ns
  const met = atMost === undefined && atLeast === undefined ? undefined
    : atMost === undefined ? judged >= atLeast : judged <= atMost
  return { name, ns, of, ratio: compared, atMost, atLeast, met }
}

const lines = [
  line('native floor'),
  line('nextId', { of: 'native floor', atMost: 1.5 }),
  line('nextId, fixed worker ID', { of: 'native floor', atMost: 1.5 }),
  line('nextIdString'),
  line('nextIdString, base32'),
  line('nextId and String()'),
  line('nextIdAsync, awaited'),
  line('read from a BigUint64Array'),
  line('nextId of a segment', { of: 'read from a BigUint64Array', atMost: 3 }),
  line('fill', { atMost: 1.5 }),
  line('fill from a segment', { atMost: 1.5 }),
  line('native text floor'),
  line('PublicIds.encode', { of: 'native text floor', atMost: 2 }),
  line('PublicIds.decode', { of: 'native text floor' }),
  line('encodeMany'),
  line('encode, uuid'),
  line('encode, number63'),
  ...[...publicPeers, ['uuid v4']].map(([name]) => line(name, { of: 'PublicIds.encode', atLeast: 1 })),
  ...peers.map(([name, call]) => line(name, { of: 'nextId', ...(call.otherKind ? {} : { atLeast: 1 }) })),
]

function cells({ name, ns, of, ratio, atMost, atLeast, met }) {
  const unit = ratio === undefined ? 'ns' : '×'
  const target = atMost !== undefined ? `≤ ${atMost} ${unit}` : atLeast !== undefined ? `≥ ${atLeast} ${unit}` : ''
  const figure = ns < 10 ? ns.toFixed(2) : ns.toFixed(1)
  return [name, `${figure} ns`, ratio === undefined ? '' : `${ratio.toFixed(2)} ×`, of ?? '', target,
    met === undefined ? '' : met ? 'ok' : 'MISSED']
}

const HEADS = ['an ID by', 'figure', 'ratio', 'of', 'target', '']
if (options.json) {
  for (const each of lines) console.log(JSON.stringify(each))
} else if (options.markdown) {
  console.log(`| ${HEADS.join(' | ')} |\n|---|--:|--:|---|---|---|`)
  for (const each of lines) console.log(`| ${cells(each).join(' | ')} |`)
} else {
  const rows = [HEADS, ...lines.map(cells)]
  const widths = HEADS.map((_, column) => Math.max(...rows.map(row => row[column].length)))
  const right = new Set([1, 2])
  for (const row of rows) {
    const padded = row.map((cell, at) => (right.has(at) ? cell.padStart(widths[at]) : cell.padEnd(widths[at])))
    console.log(`  ${padded.join('  ').trimEnd()}`)
  }
}
process.exit(0)
