// The ends of processes and threads, while calls wait.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Segment } from 'snowmint'

const WAITING = fileURLToPath(new URL('threads/waiting.mjs', import.meta.url))
/** The calls wait for a minute. */
const BOUND_MS = 20_000

const WAYS = [
  ['process.exit()', 'exit', 3, ''],
  ['an uncaught error', 'throw', 1, ''],
  ['process.exit() in a worker thread', 'thread-exit', 0, 'ended with 3\n'],
  ['an uncaught error in a worker thread', 'thread-throw', 0, 'on purpose\nended with 1\n'],
  ['worker.terminate()', 'thread-terminate', 0, 'ended with 1\n'],
]

for (const [what, way, status, output] of WAYS) {
  test(`${what} ends calls that wait for a store`, () => {
    const options = { encoding: 'utf8', timeout: BOUND_MS, killSignal: 'SIGKILL' }
    const run = spawnSync(process.execPath, [WAITING, way], options)
    assert.equal(run.signal, null, `it had to be killed: ${run.stdout}${run.stderr}`)
    assert.deepEqual([run.status, run.stdout], [status, output], run.stderr)
  })
}

test('calls that wait leave the threads of files and names to others', async () => {
  const answers = []
  const allocate = () => new Promise(answer => answers.push(answer))
  const options = { tag: 'silent', allocate, waitMs: 3 * BOUND_MS }
  // More than the addon has threads for: the last ones wait for their turn.
  const segments = Array.from({ length: 130 }, () => new Segment(options))
  const waiting = segments.map(segment => segment.nextIdAsync())
  const bound = AbortSignal.timeout(BOUND_MS)
  const late = new Promise((_, reject) => bound.addEventListener('abort', () => reject(bound.reason)))
  while (answers.length < 100) {
    await Promise.race([stat(WAITING), late])
    await new Promise(setImmediate)
  }
  const answering = setInterval(() => answers.splice(0).forEach(answer => answer([1n, 1001n])), 1)
  const numbers = await Promise.all(waiting).finally(() => clearInterval(answering))
  assert.deepEqual(numbers, segments.map(() => 1n))
  segments.forEach(segment => segment.close())
})
