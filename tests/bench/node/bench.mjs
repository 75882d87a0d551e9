// The npm package beside floors and peers.

import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Segment, Snowflake, Store, open } from 'snowmint'

import { loop, measure, median, sink } from './measure.mjs'
import { peers } from './peers.mjs'

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

const { floor } = createRequire(import.meta.url)('./floor.node')
const directory = mkdtempSync(path.join(tmpdir(), 'snowmint-bench-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))

const flake = await open(`snowflake+sqlite:${directory}/ids.db?create=true`)
const fixed = new Snowflake({ worker: 7, stateDirectory: directory, slabMs: 60_000 })
const store = await Store.open(`sqlite:${directory}/ids.db`)
await store.createTag('orders', { step: 1 << 24 })
const segment = await Segment.open({ tag: 'orders', store })

const block = new BigUint64Array(BLOCK)
const numbers = BigUint64Array.from({ length: BLOCK }, (_, at) => (1n << 60n) + BigInt(at))

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
