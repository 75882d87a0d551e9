// Without a word on where from: the user's own file.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'

import { directory } from './reading.mjs'

const SCRIPT = `
  const { Snowflake, open, openSync } = require('snowmint')
  async function main() {
    const flakes = [new Snowflake(), await Snowflake.open(), await open(), openSync()]
    const ids = flakes.flatMap(flake => [flake.nextId(), flake.nextId()])
    const workers = flakes.map(flake => flake.layout.decode(flake.nextId()).workerId)
    const refusals = []
    for (const call of [() => new Snowflake(undefined), () => openSync(undefined)]) {
      try { call() } catch (error) { refusals.push(error.code) }
    }
    for (const call of [Snowflake.open, open]) await call(undefined).catch(error => refusals.push(error.code))
    const fixed = new Snowflake({ workerId: 1, stateDirectory: process.env.XDG_STATE_HOME })
    const files = [...new Set(flakes.map(flake => flake.file))]
    console.log(JSON.stringify({ ids: ids.map(String), workers, files, refusals, fixed: fixed.file ?? null }))
    for (const flake of [...flakes, fixed]) await flake.closeAsync()
  }
  main()`

function run(env) {
  const options = { encoding: 'utf8', env: { ...process.env, ...env } }
  return spawnSync(process.execPath, ['-e', SCRIPT], options)
}

test('new Snowflake() and open() lease from the user\'s own file, and say which', t => {
  const dir = directory(t)
  const runs = [run({ XDG_STATE_HOME: dir }), run({ XDG_STATE_HOME: dir })].map(({ stdout, stderr }) => {
    assert.ok(stdout, stderr)
    return JSON.parse(stdout)
  })
  for (const { workers, files, refusals, fixed } of runs) {
    assert.equal(new Set(workers).size, 4)
    assert.deepEqual(files, [path.join(dir, 'snowmint/ids.db')])
    // A variable that is not set is no wish for that.
    assert.deepEqual(refusals, Array(4).fill('invalid_parameter'))
    assert.equal(fixed, null)
  }
  const ids = runs.flatMap(({ ids }) => ids)
  assert.equal(new Set(ids).size, 16)
})

test('a home that cannot stand in a URL says so', t => {
  const { stderr } = run({ XDG_STATE_HOME: path.join(directory(t), 'what?') })
  assert.match(stderr, /cannot stand in a URL: set XDG_STATE_HOME/)
})
