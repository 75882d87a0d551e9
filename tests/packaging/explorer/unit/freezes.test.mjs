// No input freezes the page: what grows with the square, as five seconds at 60 kB, would not end in time.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

const SIZE = 100_000
/** Far more than it takes on any machine, and far less than what grows with the square. */
const PATIENCE_MS = 900_000

test('a hundred thousand symbols, of every kind that is looked for', () => {
  const words = [new URL('freezing.mjs', import.meta.url).pathname, String(SIZE)]
  const run = spawnSync(process.execPath, words, { encoding: 'utf8', timeout: PATIENCE_MS })
  assert.equal(run.status, 0, run.stderr || String(run.error ?? run.signal))
  assert.ok(Number(run.stdout) > 150, run.stdout)
})
